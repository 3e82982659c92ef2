//! Rust types of every kind, each with values.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::num::{NonZeroI8, NonZeroU32};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::support::parameter;

/// A type's name, its parameters and values of it.
pub(super) type Sample = (&'static str, Arc<Value>, Vec<Value>);

/// A type's parameters, with values of it.
fn sample<T: JsonSchema + Serialize>(name: &'static str, values: &[T]) -> Sample {
    let values = values.iter().map(|value| json!({ "x": value })).collect();
    (name, parameter::<T>(), values)
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
