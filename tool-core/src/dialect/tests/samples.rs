//! Rust types of every kind, each with values.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::{NonZeroI8, NonZeroU32, Wrapping};
use std::ops::Bound;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::support::parameter;

/// A type as a parameter `x`.
pub(super) struct Sample {
    pub(super) name: &'static str,
    /// The schema of `{"x": ..}`, as it is registered.
    pub(super) parameters: Arc<Value>,
    /// Arguments that hold values of the type.
    pub(super) values: Vec<Value>,
    /// Decodes a value and writes it again.
    pub(super) read: fn(&Value) -> Result<Value, String>,
}

fn sample<T>(name: &'static str, values: &[T]) -> Sample
where
    T: JsonSchema + Serialize + DeserializeOwned,
{
    Sample {
        name,
        parameters: parameter::<T>(),
        values: values.iter().map(|value| json!({ "x": value })).collect(),
        read: |value| {
            // From text, as a tool reads its arguments.
            let read = serde_json::from_str::<T>(&value.to_string());
            let read = read.map_err(|error| error.to_string())?;
            serde_json::to_value(read).map_err(|error| error.to_string())
        },
    }
}

macro_rules! types {
    ($($item:item)*) => { $(
        #[allow(dead_code)]
        #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
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
    struct Defaults { #[serde(default)] tags: Vec<String>, #[serde(default)] n: i32 }
    struct Skipped { #[serde(skip)] hidden: u8, shown: u8 }
    struct Aliased { #[serde(alias = "b")] a: u8 }
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
        /// How many.
        ///
        /// Lines and all.
        #[serde(default = "seven")] count: u32,
    }
    struct Transparent { #[serde(with = "Point")] #[schemars(with = "Point")] at: Point }
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
    enum Bare { N(i64), L(Vec<Bare>) }
    enum Lambda { Var(String), App(Box<Lambda>, Box<Lambda>) }
    struct Optional { a: Option<Point>, b: Option<Mode>, c: Option<Vec<u8>>, d: Option<Shape> }
    struct Untyped { any: Value, list: Vec<Value> }
    struct Tagged { labels: HashMap<String, String> }
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
    struct Units { a: (), b: Option<()>, c: Vec<Unit> }
    #[serde(transparent)]
    struct See { through: Vec<Plain> }
    #[serde(default)]
    struct AllDefaults { a: u8, b: Option<Point>, c: Plain }
    #[serde(rename_all_fields = "camelCase")]
    enum Cased { OneField { some_name: u8 }, Other { other_name: Option<String> } }
    #[serde(tag = "op", deny_unknown_fields)]
    enum Shut { Push { item: String }, Pop, Peek {} }
    #[serde(tag = "t", content = "c", deny_unknown_fields)]
    enum AdjacentShut { A, B(u8), C { x: bool } }
    #[serde(tag = "t")]
    enum Holding { Unit(Unit), Map(BTreeMap<String, u8>), Struct(Point) }
    #[serde(tag = "shape")]
    enum Doubly { Flat(Shape), Adjacent(Adjacent) }
    enum Skipping { Kept(u8), #[serde(skip)] Gone(u8), Also }
    enum Renamed { #[serde(rename = "one two")] A, #[serde(rename = "ß", alias = "ss")] B(u8) }
    #[serde(untagged)]
    enum Loose { B(bool), U(()), F(f64), S(String), M(BTreeMap<String, u8>), T(u8, u8) }
    #[serde(untagged)]
    enum Overlap { Large { a: u8, b: u8 }, Small { a: u8 } }
    #[serde(tag = "t")]
    enum Mixed { A { a: u8 }, #[serde(untagged)] Rest { z: String } }
    struct FlatTwice { #[serde(flatten)] point: Point, #[serde(flatten)] size: Wh }
    struct FlatAdjacent { n: u8, #[serde(flatten)] inner: Adjacent }
    struct FlatExternal { n: u8, #[serde(flatten)] inner: Doing }
    enum Doing { Run { fast: bool }, Walk(u8) }
    struct FlatDeep { #[serde(flatten)] flat: Flat, name: String }
    struct FlatValue { id: u8, #[serde(flatten)] rest: serde_json::Map<String, Value> }
    enum Tree { Leaf, Branch { left: Box<Tree>, right: Box<Tree> } }
    #[serde(tag = "t", content = "c")]
    enum Term { Num(f64), Neg(Box<Term>), Sum(Vec<Term>) }
    #[serde(tag = "t")]
    enum Wrapped { Leaf { n: u8 }, Not(Box<WrappedIn>) }
    struct WrappedIn { inner: Option<Box<Wrapped>> }
    struct GenericTree<T> { value: T, kids: Vec<GenericTree<T>> }
    struct Bag { map: BTreeMap<String, Vec<Bag>>, pair: Option<(Box<Bag>, u8)> }
    struct Ping3 { next: Option<Box<Pong3>> }
    struct Pong3 { next: Vec<Pung3> }
    struct Pung3 { next: BTreeMap<String, Ping3> }
    struct ByEnum { by: BTreeMap<Key, u8>, set: BTreeSet<Key> }
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    enum Key { Red, Green }
}

impl Default for AllDefaults {
    fn default() -> Self {
        Self {
            a: 7,
            b: None,
            c: Plain::A,
        }
    }
}

fn seven() -> u32 {
    7
}

fn place(city: &str) -> Place {
    Place {
        city: city.to_owned(),
        zip: None,
    }
}

#[allow(clippy::too_many_lines)] // a list
pub(super) fn samples() -> Vec<Sample> {
    let point = Point { x: 1.5, y: -2.0 };
    let shapes = [
        Shape::Dot,
        Shape::Circle { r: 2.5 },
        Shape::Rect(Wh { w: 1, h: 2 }),
    ];
    let node = |v: &str, kids| Node {
        v: v.to_owned(),
        kids,
    };
    vec![
        sample("bool", &[true, false]),
        sample("u8", &[0_u8, 255]),
        sample("i64", &[i64::MIN, i64::MAX]),
        sample("u64", &[u64::MAX]),
        sample("usize", &[0_usize]),
        sample("f32", &[1.5_f32]),
        sample("f64", &[-1e300_f64]),
        sample("char", &['ß']),
        sample("String", &["a\"b".to_owned()]),
        sample("unit", &[()]),
        sample("NonZeroU32", &[NonZeroU32::MIN]),
        sample("NonZeroI8", &[NonZeroI8::MIN]),
        sample("Option<u32>", &[None, Some(5_u32)]),
        sample("Option<Option<bool>>", &[Some(Some(true)), None]),
        sample("Vec<u16>", &[vec![1_u16, 2], vec![]]),
        sample("Vec<Vec<String>>", &[vec![vec!["a".to_owned()]]]),
        sample("VecDeque<i8>", &[VecDeque::from([1_i8])]),
        sample("HashSet<String>", &[HashSet::from(["a".to_owned()])]),
        sample("BTreeSet<u8>", &[BTreeSet::from([1_u8, 2])]),
        sample("[u8; 3]", &[[1_u8, 2, 3]]),
        sample("[u8; 0]", &[[0_u8; 0]]),
        sample("(f64, f64)", &[(1.0_f64, 2.0_f64)]),
        sample("(u8, String, bool)", &[(1_u8, "a".to_owned(), true)]),
        sample("Box<str>", &[Box::<str>::from("a")]),
        sample(
            "HashMap<String, u8>",
            &[HashMap::from([("a".to_owned(), 1_u8)])],
        ),
        sample(
            "BTreeMap<String, Vec<Point>>",
            &[BTreeMap::from([("a".to_owned(), vec![point.clone()])])],
        ),
        sample(
            "BTreeMap<u32, String>",
            &[BTreeMap::from([(1_u32, "a".to_owned())])],
        ),
        sample(
            "Value",
            &[json!(null), json!([1, "a"]), json!({"a": [true]})],
        ),
        sample(
            "Map",
            &[serde_json::Map::from_iter([("a".to_owned(), json!(1))])],
        ),
        sample("PathBuf", &[PathBuf::from("a/b")]),
        sample("Duration", &[Duration::from_millis(1500)]),
        sample("Result", &[Ok::<u8, String>(1), Err("no".to_owned())]),
        sample("Uuid", &[uuid::Uuid::nil()]),
        sample("Url", &[url::Url::parse("https://example.org/a").unwrap()]),
        sample("Bytes", &[bytes::Bytes::from_static(b"ab")]),
        sample(
            "NaiveDate",
            &[chrono::NaiveDate::from_ymd_opt(2024, 2, 29).unwrap()],
        ),
        sample(
            "DateTime<Utc>",
            &[chrono::DateTime::from_timestamp(0, 0).unwrap()],
        ),
        sample("Unit", &[Unit]),
        sample("Empty", &[Empty {}]),
        sample("Newtype", &[Newtype(3)]),
        sample("Pair", &[Pair(1.0, "a".to_owned())]),
        sample("Alike", &[Alike(1.0, 2.0)]),
        sample("Point", std::slice::from_ref(&point)),
        sample(
            "Place",
            &[
                Place {
                    zip: Some("1".to_owned()),
                    ..place("a")
                },
                place("b"),
            ],
        ),
        sample(
            "Trip",
            &[Trip {
                src: place("a"),
                dst: place("b"),
                via: vec![place("c")],
            }],
        ),
        sample(
            "Denying",
            &[
                Denying {
                    a: 1,
                    b: Some(true),
                },
                Denying { a: 1, b: None },
            ],
        ),
        sample(
            "Kebab",
            &[Kebab {
                first_name: "a".to_owned(),
                last_name: "b".to_owned(),
            }],
        ),
        sample(
            "Defaults",
            &[Defaults {
                tags: vec!["a".to_owned()],
                n: 1,
            }],
        ),
        sample(
            "Skipped",
            &[Skipped {
                hidden: 1,
                shown: 2,
            }],
        ),
        sample("Aliased", &[Aliased { a: 1 }]),
        sample(
            "Flat",
            &[Flat {
                id: 1,
                point: point.clone(),
            }],
        ),
        sample(
            "FlatMap",
            &[FlatMap {
                id: 1,
                rest: HashMap::from([("a".to_owned(), "b".to_owned())]),
            }],
        ),
        sample(
            "FlatEnum",
            &shapes.clone().map(|shape| FlatEnum { n: 1, shape }),
        ),
        sample(
            "FlatOption",
            &[
                FlatOption {
                    n: 1,
                    point: Some(point.clone()),
                },
                FlatOption { n: 1, point: None },
            ],
        ),
        sample(
            "Generic<String>",
            &[Generic {
                value: "a".to_owned(),
                more: vec![],
            }],
        ),
        sample(
            "Nested",
            &[Nested {
                generic: Generic {
                    value: Generic {
                        value: point.clone(),
                        more: vec![],
                    },
                    more: vec![],
                },
            }],
        ),
        sample(
            "Ranged",
            &[Ranged {
                k: 5,
                s: "a".to_owned(),
                digits: "12".to_owned(),
            }],
        ),
        sample("Documented", &[Documented { count: 1 }]),
        sample("Transparent", &[Transparent { at: point.clone() }]),
        sample("Plain", &[Plain::A, Plain::B, Plain::C]),
        sample("Mode", &[Mode::Fast, Mode::Deep]),
        sample("Single", &[Single::Only]),
        sample("Shouting", &[Shouting::OneTwo, Shouting::ThreeFour]),
        sample(
            "External",
            &[
                External::Unit,
                External::New(1),
                External::Tuple(1, "a".to_owned()),
                External::Struct { a: 1 },
            ],
        ),
        sample("Shape", &shapes),
        sample(
            "Adjacent",
            &[
                Adjacent::Unit,
                Adjacent::New(1),
                Adjacent::Tuple(1, 2),
                Adjacent::Struct { a: None },
            ],
        ),
        sample(
            "Untagged",
            &[
                Untagged::N(5),
                Untagged::S("5".to_owned()),
                Untagged::L(vec!["a".to_owned()]),
            ],
        ),
        sample(
            "UntaggedStructs",
            &[
                UntaggedStructs::A { a: 1 },
                UntaggedStructs::B { b: "b".to_owned() },
                UntaggedStructs::Nothing,
            ],
        ),
        sample(
            "Node",
            &[node("a", vec![node("b", vec![node("c", vec![])])])],
        ),
        sample(
            "Linked",
            &[Linked {
                v: 1,
                next: Some(Box::new(Linked { v: 2, next: None })),
            }],
        ),
        sample(
            "Dir",
            &[Dir {
                files: BTreeMap::from([(
                    "a".to_owned(),
                    Dir {
                        files: BTreeMap::new(),
                    },
                )]),
            }],
        ),
        sample(
            "Ping",
            &[Ping {
                pong: Some(Box::new(Pong {
                    pings: vec![Ping { pong: None }],
                })),
            }],
        ),
        sample(
            "Expr",
            &[
                Expr::Not {
                    inner: Box::new(Expr::Leaf { n: 1 }),
                },
                Expr::And {
                    both: vec![Expr::Leaf { n: 1 }, Expr::Leaf { n: 2 }],
                },
            ],
        ),
        sample("Bare", &[Bare::L(vec![Bare::N(1), Bare::L(vec![])])]),
        sample(
            "Lambda",
            &[Lambda::App(
                Box::new(Lambda::Var("f".to_owned())),
                Box::new(Lambda::Var("x".to_owned())),
            )],
        ),
        sample(
            "Optional",
            &[
                Optional {
                    a: None,
                    b: None,
                    c: None,
                    d: None,
                },
                Optional {
                    a: Some(point.clone()),
                    b: Some(Mode::Deep),
                    c: Some(vec![1]),
                    d: Some(Shape::Dot),
                },
            ],
        ),
        sample(
            "Untyped",
            &[Untyped {
                any: json!(null),
                list: vec![json!("[1]"), json!(2)],
            }],
        ),
        sample(
            "Tagged",
            &[Tagged {
                labels: HashMap::from([("a".to_owned(), "b".to_owned())]),
            }],
        ),
        sample(
            "Keyed",
            &[Keyed {
                by_number: BTreeMap::from([(7, point.clone())]),
            }],
        ),
        sample(
            "Odd",
            &[Odd {
                a: "a".to_owned(),
                b: 1,
            }],
        ),
        sample(
            "Keywords",
            &[Keywords {
                title: "a".to_owned(),
                format: 1,
                default: true,
                properties: vec![1],
                reference: "#/nowhere".to_owned(),
                items: None,
            }],
        ),
        sample(
            "Wide",
            &[Wide {
                a: Mode::Fast,
                b: Plain::B,
                c: Shape::Dot,
                d: Untagged::N(1),
                e: (1, 2),
                f: [1, 2, 3],
            }],
        ),
        sample("i8", &[i8::MIN, i8::MAX]),
        sample("Option<f32>", &[Some(-1.5_f32), None]),
        sample("Cow<str>", &[Cow::Borrowed("a")]),
        sample("Arc<[u8]>", &[Box::<[u8]>::from([1, 2])]),
        sample("LinkedList<bool>", &[LinkedList::from([true])]),
        sample("Wrapping<u8>", &[Wrapping(1_u8)]),
        sample("Range<u8>", std::slice::from_ref(&(1_u8..3))),
        sample("Bound<i8>", &[Bound::Included(1_i8), Bound::Unbounded]),
        sample("IpAddr", &[IpAddr::from([127, 0, 0, 1])]),
        sample("Ipv4Addr", &[Ipv4Addr::LOCALHOST]),
        sample("Ipv6Addr", &[Ipv6Addr::LOCALHOST]),
        sample("PhantomData", &[PhantomData::<u8>]),
        sample("BTreeMap<i8, bool>", &[BTreeMap::from([(-1_i8, true)])]),
        sample("BTreeMap<char, u8>", &[BTreeMap::from([('a', 1_u8)])]),
        sample("BTreeMap<bool, u8>", &[BTreeMap::from([(true, 1_u8)])]),
        sample(
            "HashMap<Uuid, u8>",
            &[HashMap::from([(uuid::Uuid::nil(), 1_u8)])],
        ),
        sample(
            "NaiveTime",
            &[chrono::NaiveTime::from_hms_opt(12, 30, 0).unwrap()],
        ),
        sample(
            "NaiveDateTime",
            &[chrono::DateTime::from_timestamp(0, 0).unwrap().naive_utc()],
        ),
        sample(
            "DateTime<FixedOffset>",
            &[chrono::DateTime::parse_from_rfc3339("2024-01-01T00:00:00+02:00").unwrap()],
        ),
        sample(
            "Units",
            &[Units {
                a: (),
                b: None,
                c: vec![Unit],
            }],
        ),
        sample(
            "See",
            &[See {
                through: vec![Plain::A],
            }],
        ),
        sample("AllDefaults", &[AllDefaults::default()]),
        sample(
            "Cased",
            &[
                Cased::OneField { some_name: 1 },
                Cased::Other { other_name: None },
            ],
        ),
        sample(
            "Shut",
            &[
                Shut::Push {
                    item: "a".to_owned(),
                },
                Shut::Pop,
                Shut::Peek {},
            ],
        ),
        sample(
            "AdjacentShut",
            &[
                AdjacentShut::A,
                AdjacentShut::B(1),
                AdjacentShut::C { x: true },
            ],
        ),
        sample(
            "Holding",
            &[
                Holding::Unit(Unit),
                Holding::Map(BTreeMap::from([("a".to_owned(), 1)])),
                Holding::Struct(point.clone()),
            ],
        ),
        sample(
            "Doubly",
            &[
                Doubly::Flat(Shape::Circle { r: 1.0 }),
                Doubly::Adjacent(Adjacent::New(1)),
            ],
        ),
        sample("Skipping", &[Skipping::Kept(1), Skipping::Also]),
        sample("Renamed", &[Renamed::A, Renamed::B(1)]),
        sample(
            "Loose",
            &[
                Loose::B(true),
                Loose::U(()),
                Loose::F(1.5),
                Loose::S("1".to_owned()),
                Loose::M(BTreeMap::from([("a".to_owned(), 1)])),
                Loose::T(1, 2),
            ],
        ),
        sample(
            "Overlap",
            &[Overlap::Small { a: 1 }, Overlap::Large { a: 1, b: 2 }],
        ),
        sample(
            "Mixed",
            &[Mixed::A { a: 1 }, Mixed::Rest { z: "a".to_owned() }],
        ),
        sample(
            "FlatTwice",
            &[FlatTwice {
                point: point.clone(),
                size: Wh { w: 1, h: 2 },
            }],
        ),
        sample(
            "FlatAdjacent",
            &[
                FlatAdjacent {
                    n: 1,
                    inner: Adjacent::New(2),
                },
                FlatAdjacent {
                    n: 1,
                    inner: Adjacent::Unit,
                },
            ],
        ),
        sample(
            "FlatExternal",
            &[
                FlatExternal {
                    n: 1,
                    inner: Doing::Run { fast: true },
                },
                FlatExternal {
                    n: 1,
                    inner: Doing::Walk(2),
                },
            ],
        ),
        sample(
            "FlatDeep",
            &[FlatDeep {
                flat: Flat {
                    id: 1,
                    point: point.clone(),
                },
                name: "a".to_owned(),
            }],
        ),
        sample(
            "FlatValue",
            &[FlatValue {
                id: 1,
                rest: serde_json::Map::from_iter([("a".to_owned(), json!([1]))]),
            }],
        ),
        sample(
            "Tree",
            &[Tree::Branch {
                left: Box::new(Tree::Leaf),
                right: Box::new(Tree::Leaf),
            }],
        ),
        sample(
            "Term",
            &[Term::Sum(vec![
                Term::Num(1.0),
                Term::Neg(Box::new(Term::Num(2.0))),
            ])],
        ),
        sample(
            "Wrapped",
            &[
                Wrapped::Leaf { n: 1 },
                Wrapped::Not(Box::new(WrappedIn {
                    inner: Some(Box::new(Wrapped::Leaf { n: 2 })),
                })),
            ],
        ),
        sample(
            "GenericTree<Option<u8>>",
            &[GenericTree {
                value: Some(1_u8),
                kids: vec![GenericTree {
                    value: None,
                    kids: vec![],
                }],
            }],
        ),
        sample(
            "Bag",
            &[Bag {
                map: BTreeMap::from([("a".to_owned(), vec![])]),
                pair: Some((
                    Box::new(Bag {
                        map: BTreeMap::new(),
                        pair: None,
                    }),
                    1,
                )),
            }],
        ),
        sample(
            "Ping3",
            &[Ping3 {
                next: Some(Box::new(Pong3 {
                    next: vec![Pung3 {
                        next: BTreeMap::from([("a".to_owned(), Ping3 { next: None })]),
                    }],
                })),
            }],
        ),
        sample(
            "ByEnum",
            &[ByEnum {
                by: BTreeMap::from([(Key::Red, 1)]),
                set: BTreeSet::from([Key::Green]),
            }],
        ),
        sample(
            "Deep1",
            &[Deep1 {
                a: Deep2 {
                    a: Deep3 {
                        a: Some(vec![point]),
                    },
                },
            }],
        ),
    ]
}
