//! Rust types of every kind, each as a tool that gives its argument back, with values of it.

#![allow(
    unreachable_pub,
    clippy::doc_markdown,
    clippy::option_option,
    clippy::unit_arg,
    reason = "a module of a test crate, with types that nobody should write"
)]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::num::{NonZeroI8, NonZeroU32};
use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tool_core::{IntoDefinition as _, ToolDefinition, tool};

/// A tool of `x: T` that returns `{x: T}`, and arguments for it.
pub struct Sample {
    pub tool: ToolDefinition,
    pub name: &'static str,
    pub arguments: Vec<Value>,
}

#[derive(Serialize, JsonSchema)]
struct Same<T> {
    x: T,
}

macro_rules! types {
    ($($item:item)*) => { $(
        #[allow(dead_code)]
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        $item
    )* };
}

types! {
    struct Unit;
    struct Empty {}
    struct Newtype(u32);
    struct Pair(f64, String);
    struct Alike(f64, f64);
    struct Point { x: f64, y: f64 }
    /// A place.
    struct Place { /** The city. */ city: String, zip: Option<String> }
    struct Trip { /** Where from */ src: Place, /** Where to */ dst: Place, via: Vec<Place> }
    #[serde(deny_unknown_fields)]
    struct Denying { a: u8, b: Option<bool> }
    #[serde(rename_all = "kebab-case")]
    struct Kebab { first_name: String, last_name: String }
    struct Defaults { #[serde(default)] tags: Vec<String>, #[serde(default = "seven")] n: i32 }
    struct Skipped { #[serde(skip)] hidden: u8, shown: u8 }
    struct SkippedIf { #[serde(default, skip_serializing_if = "Vec::is_empty")] tags: Vec<u8> }
    struct Aliased { #[serde(alias = "b")] a: u8 }
    struct Renamed { #[serde(rename(serialize = "out", deserialize = "in"))] a: u8 }
    struct Flat { id: u8, #[serde(flatten)] point: Point }
    struct FlatMap { id: u8, #[serde(flatten)] rest: HashMap<String, String> }
    struct FlatEnum { n: i32, #[serde(flatten)] shape: Shape }
    struct FlatOption { n: i32, #[serde(flatten)] point: Option<Point> }
    struct Generic<T> { value: T, more: Vec<T> }
    struct Nested { generic: Generic<Generic<Point>> }
    struct Ranged {
        #[schemars(range(min = 1, max = 10))] k: i32,
        #[schemars(length(min = 1, max = 20))] s: String,
        #[schemars(regex(pattern = r"^\d+$"))] digits: String,
    }
    struct Documented {
        /// How many. */ evil()
        ///
        /// Lines and all.
        #[serde(default = "seven")] count: i32,
    }
    enum Plain { A, B, C }
    /// How to scan.
    enum Mode { /** quick scan */ Fast, /** full scan */ Deep }
    enum Single { /** the only one */ Only }
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    enum Shouting { OneTwo, ThreeFour }
    enum External { Unit, New(u8), Tuple(u8, String), Struct { a: u8 } }
    #[serde(tag = "kind", rename_all = "snake_case")]
    enum Shape { Dot, Circle { r: f64 }, Rect(Wh) }
    struct Wh { w: u32, h: u32 }
    #[serde(tag = "t", content = "c")]
    enum Adjacent { Unit, New(u8), Tuple(u8, u8), Struct { a: Option<u8> } }
    #[serde(untagged)]
    enum Untagged { N(i64), S(String), L(Vec<String>) }
    #[serde(untagged)]
    enum UntaggedStructs { A { a: u8 }, B { b: String }, Nothing }
    struct Node { v: String, kids: Vec<Node> }
    struct Linked { v: u8, next: Option<Box<Linked>> }
    struct Dir { files: BTreeMap<String, Dir> }
    struct Ping { pong: Option<Box<Pong>> }
    struct Pong { pings: Vec<Ping> }
    #[serde(tag = "t")]
    enum Expr { Leaf { n: i32 }, Not { inner: Box<Expr> }, And { both: Vec<Expr> } }
    #[serde(untagged)]
    enum Bare { N(i32), L(Vec<Bare>) }
    enum Lambda { Var(String), App(Box<Lambda>, Box<Lambda>) }
    struct Optional { a: Option<Point>, b: Option<Mode>, c: Option<Vec<u8>>, d: Option<Shape> }
    struct Untyped { any: Value, list: Vec<Value> }
    struct Labels { labels: HashMap<String, String> }
    struct Keyed { by_number: BTreeMap<u32, Point> }
    struct Odd { #[serde(rename = "filter[id]")] a: String, #[serde(rename = "größe")] b: u8 }
    struct Keywords {
        title: String, format: u8, default: bool, properties: Vec<u8>,
        #[serde(rename = "$ref")] reference: String, items: Option<u8>,
    }
    struct Wide { a: Mode, b: Plain, c: Shape, d: Untagged, e: (u8, u8), f: [u8; 3] }
    struct Deep1 { a: Deep2 }
    struct Deep2 { a: Deep3 }
    struct Deep3 { a: Option<Vec<Point>> }
    struct Numbers { a: u64, b: i64, c: Vec<u64>, d: Option<i64>, e: (u64, u8) }
    /// The name of one of TypeScript's own.
    struct Record { next: Vec<Record> }
    struct Array { array: Vec<Array> }
    struct Promise { then: Option<Box<Promise>> }
}

fn seven() -> i32 {
    7
}

const POINT: Point = Point { x: 1.5, y: -2.5 };

/// `name: Type = [value, ...];` becomes a tool `name(x: Type) -> Same<Type>` with arguments.
macro_rules! samples {
    ($($name:ident: $ty:ty = $values:tt;)*) => {
        $(
            /// Gives `x` back.
            #[tool]
            fn $name(x: $ty) -> Same<$ty> {
                Same { x }
            }
        )*

        pub fn samples() -> Vec<Sample> {
            vec![$({
                let values = json!($values);
                let values = values.as_array().expect("a list").iter();
                Sample {
                    tool: $name {}.into_definition(),
                    name: stringify!($name),
                    arguments: values.map(|value| json!({ "x": value })).collect(),
                }
            }),*]
        }
    };
}

samples! {
    boolean: bool = [true, false];
    u_8: u8 = [0, 255];
    i_32: i32 = [i32::MIN, i32::MAX];
    i_64: i64 = [i64::MIN, i64::MAX, 0, (1_i64 << 53) - 1, 1_i64 << 53];
    u_64: u64 = [u64::MAX, 5];
    u_size: usize = [0];
    f_32: f32 = [1.5];
    f_64: f64 = [-1e300, 0.1];
    character: char = ["ß"];
    string: String = ["a\"b\u{2028}`${x}`*/"];
    unit: () = [null];
    non_zero_u32: NonZeroU32 = [1];
    non_zero_i8: NonZeroI8 = [-128, 127];
    option: Option<u32> = [null, 5];
    option_option: Option<Option<bool>> = [true, null];
    boxed: Box<str> = ["a"];
    vec: Vec<u16> = [[1, 2], []];
    vec_vec: Vec<Vec<String>> = [[["a"], []]];
    deque: VecDeque<i8> = [[1]];
    hash_set: HashSet<String> = [["a"]];
    tree_set: BTreeSet<u8> = [[1, 2]];
    array_3: [u8; 3] = [[1, 2, 3]];
    array_12: [u8; 12] = [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]];
    pair_alike: (f64, f64) = [[1.5, 2.5]];
    triple: (u8, String, bool) = [[1, "a", true]];
    vec_of_options: Vec<Option<u8>> = [[1, null]];
    map: HashMap<String, u8> = [{"a": 1, "b-c": 2}, {}];
    map_of_lists: BTreeMap<String, Vec<Point>> = [{"a": [POINT]}];
    map_by_number: BTreeMap<u32, String> = [{"1": "a"}];
    map_of_options: BTreeMap<String, Option<u8>> = [{"a": 1, "b": null}];
    any: Value = [null, [1, "a"], {"a": [true]}, "text", 1.5];
    json_map: serde_json::Map<String, Value> = [{"a": 1}];
    path: PathBuf = ["a/b"];
    duration: Duration = [Duration::from_millis(1_500)];
    result: Result<u8, String> = [{"Ok": 1}, {"Err": "no"}];
    an_id: uuid::Uuid = ["67e55044-10b1-426f-9247-bb680e5fe0c8"];
    an_url: url::Url = ["https://example.org/a"];
    date: chrono::NaiveDate = ["2024-02-29"];
    time: chrono::DateTime<chrono::Utc> = ["1970-01-01T00:00:00Z"];
    unit_struct: Unit = [Unit];
    empty: Empty = [Empty {}];
    newtype: Newtype = [Newtype(3)];
    tuple_struct: Pair = [Pair(1.5, "a".to_owned())];
    tuple_alike: Alike = [Alike(1.5, 2.5)];
    point: Point = [POINT];
    place: Place = [{"city": "a", "zip": "1"}, {"city": "b", "zip": null}];
    trip: Trip = [{"src": {"city": "a", "zip": null}, "dst": {"city": "b", "zip": null}, "via": []}];
    denying: Denying = [{"a": 1, "b": true}, {"a": 1, "b": null}];
    kebab: Kebab = [{"first-name": "a", "last-name": "b"}];
    defaults: Defaults = [{"tags": ["a"], "n": 1}];
    skipped: Skipped = [{"shown": 2}];
    skipped_if: SkippedIf = [{"tags": [1]}];
    aliased: Aliased = [{"a": 1}];
    flat: Flat = [Flat { id: 1, point: POINT }];
    flat_map: FlatMap = [{"id": 1, "a": "b"}];
    flat_enum: FlatEnum = [{"n": 1, "kind": "dot"}, {"n": 1, "kind": "rect", "w": 1, "h": 2}];
    flat_option: FlatOption = [{"n": 1, "x": 1.5, "y": 2.5}, {"n": 1}];
    generic: Generic<String> = [{"value": "a", "more": []}];
    nested: Nested = [{"generic": {"value": {"value": POINT, "more": []}, "more": []}}];
    ranged: Ranged = [{"k": 5, "s": "a", "digits": "12"}];
    documented: Documented = [{"count": 1}];
    plain: Plain = ["A", "B", "C"];
    mode: Mode = ["Fast", "Deep"];
    single: Single = ["Only"];
    shouting: Shouting = ["ONE_TWO", "THREE_FOUR"];
    external: External = ["Unit", {"New": 1}, {"Tuple": [1, "a"]}, {"Struct": {"a": 1}}];
    shape: Shape = [{"kind": "dot"}, {"kind": "circle", "r": 2.5}, {"kind": "rect", "w": 1, "h": 2}];
    adjacent: Adjacent = [{"t": "Unit"}, {"t": "New", "c": 1}, {"t": "Tuple", "c": [1, 2]},
        {"t": "Struct", "c": {"a": null}}];
    untagged: Untagged = [5, "5", ["a"]];
    untagged_structs: UntaggedStructs = [{"a": 1}, {"b": "b"}, null];
    node: Node = [{"v": "a", "kids": [{"v": "b", "kids": [{"v": "c", "kids": []}]}]}];
    linked: Linked = [{"v": 1, "next": {"v": 2, "next": null}}];
    dir: Dir = [{"files": {"a": {"files": {}}}}];
    ping: Ping = [{"pong": {"pings": [{"pong": null}]}}];
    expr: Expr = [{"t": "Not", "inner": {"t": "Leaf", "n": 1}}, {"t": "And", "both": []}];
    bare: Bare = [[1, [[], 2]], 3];
    lambda: Lambda = [{"App": [{"Var": "f"}, {"App": [{"Var": "x"}, {"Var": "y"}]}]}];
    optional: Optional = [{"a": null, "b": null, "c": null, "d": null},
        {"a": POINT, "b": "Deep", "c": [1], "d": {"kind": "dot"}}];
    untyped: Untyped = [{"any": null, "list": ["[1]", 2]}];
    labels: Labels = [{"labels": {"a": "b"}}];
    keyed: Keyed = [{"by_number": {"7": POINT}}];
    odd: Odd = [{"filter[id]": "a", "größe": 1}];
    keywords: Keywords = [{"title": "a", "format": 1, "default": true, "properties": [1],
        "$ref": "#/nowhere", "items": null}];
    wide: Wide = [{"a": "Fast", "b": "B", "c": {"kind": "dot"}, "d": 1, "e": [1, 2], "f": [1, 2, 3]}];
    deep: Deep1 = [{"a": {"a": {"a": [POINT]}}}];
    numbers: Numbers = [{"a": u64::MAX, "b": i64::MIN, "c": [1, u64::MAX], "d": null,
        "e": [u64::MAX, 1]}];
    record: Record = [{"next": [{"next": []}]}];
    array: Array = [{"array": [{"array": []}]}];
    promise: Promise = [{"then": {"then": null}}];
    two_of_one_name: (Option<Generic<u8>>, Generic<String>) =
        [[null, {"value": "a", "more": []}], [{"value": 1, "more": []}, {"value": "a", "more": []}]];
}
