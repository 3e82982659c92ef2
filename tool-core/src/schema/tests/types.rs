//! The types that the tests ask about.
#![allow(dead_code)]

use std::collections::{BTreeMap, BTreeSet, HashMap};

use schemars::generate::Contract;
use schemars::{JsonSchema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::schema::canonical::{self, Canonical, ParamSchema};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Wh {
    pub(super) w: u32,
    pub(super) h: u32,
}

/// A closed one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Closed {
    pub(super) a: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Shape {
    Dot,
    Circle {
        r: f64,
    },
    /// A box.
    Rect(Wh),
    Shut(Closed),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outer")]
pub(super) enum Nested {
    Plain { x: bool },
    Inner(Shape),
    Either(External),
}

/// How to scan
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) enum Mode {
    /// quick scan
    Fast,
    /// full scan,
    /// slow
    Deep,
    Plain,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) enum Unit {
    Celsius,
    Kelvin,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) enum One {
    /// the only one
    Only,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) enum External {
    None,
    /// Nothing at all
    Nothing,
    Circle(f64),
    Rect {
        w: u8,
        h: u8,
    },
    Pair(i8, i8),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
pub(super) enum Adjacent {
    A,
    B(u16),
    C { x: Option<i32> },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Untagged {
    N(i64),
    S(String),
    L(Vec<String>),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Node {
    pub(super) v: String,
    pub(super) kids: Vec<Node>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Mutual {
    pub(super) b: Option<Box<MutualB>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct MutualB {
    pub(super) a: Vec<Mutual>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t")]
pub(super) enum Endless {
    Leaf { n: i32 },
    Not { e: Box<Endless> },
    Deep(Box<Holder>),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Holder {
    pub(super) inner: Option<Box<Endless>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Numbers {
    pub(super) a: u8,
    pub(super) b: u32,
    pub(super) c: u64,
    pub(super) d: usize,
    pub(super) e: i128,
    pub(super) g: f32,
    pub(super) h: Option<u32>,
    pub(super) v: Vec<u16>,
    pub(super) i: i64,
    pub(super) j: isize,
    pub(super) k: i8,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Defaults {
    pub(super) q: String,
    #[serde(default = "ten")]
    pub(super) limit: u32,
    #[serde(default)]
    pub(super) deep: Inner,
    #[serde(default)]
    pub(super) maybe: Option<u8>,
}

fn ten() -> u32 {
    10
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct Inner {
    pub(super) n: i32,
    pub(super) tags: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Open {
    pub(super) known: bool,
    #[serde(flatten)]
    pub(super) rest: BTreeMap<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Flat {
    pub(super) n: i32,
    #[serde(flatten)]
    pub(super) shape: Shape,
}

/// Without a closed struct in the flattened enum, and without an externally tagged one in a
/// tagged one: schemars opens those in its schema, serde keeps them closed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct FlatOpen {
    pub(super) n: i32,
    #[serde(flatten)]
    pub(super) shape: Tagged,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
pub(super) enum Tagged {
    Dot,
    Circle { r: f64 },
    Rect(Wh),
    Inner(Adjacent),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ClosedFlat {
    pub(super) n: i32,
    #[serde(flatten)]
    pub(super) shape: Shape,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Keywords {
    pub(super) title: String,
    pub(super) format: u8,
    pub(super) properties: Vec<i32>,
    #[serde(rename = "$ref")]
    pub(super) reference: bool,
    pub(super) default: Option<Unit>,
    pub(super) required: Mode,
    #[serde(rename = "enum")]
    pub(super) one_of: Shape,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Many {
    pub(super) mode: Mode,
    pub(super) unit: Option<Unit>,
    pub(super) map: HashMap<String, Wh>,
    pub(super) counts: BTreeMap<u8, bool>,
    pub(super) set: BTreeSet<String>,
    pub(super) pair: (f64, f64),
    pub(super) rgb: [u8; 3],
    pub(super) any: Value,
    pub(super) list: Vec<Value>,
    pub(super) c: char,
    pub(super) unit_value: (),
    pub(super) result: Result<u8, String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct UnitStruct;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Braces {}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Renamed {
    #[serde(rename(serialize = "out", deserialize = "in_"))]
    pub(super) x: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) tags: Vec<String>,
}

/// The schema of one parameter, and the definitions of its generator.
pub(super) fn param<T: JsonSchema>(name: &str) -> (ParamSchema, Map<String, Value>) {
    let mut generator = canonical::generator(Contract::Deserialize);
    let param = param_of::<T>(name, &mut generator);
    (param, generator.take_definitions(true))
}

pub(super) fn param_of<T: JsonSchema>(name: &str, generator: &mut SchemaGenerator) -> ParamSchema {
    ParamSchema {
        name: name.to_owned(),
        schema: generator.subschema_for::<T>().to_value(),
        required: true,
        ..ParamSchema::default()
    }
}

/// A tool with one parameter `x: T`.
pub(super) fn one<T: JsonSchema>() -> Canonical {
    let (param, definitions) = param::<T>("x");
    canonical::assemble(&[param], definitions).expect("assembles")
}

/// The parameters of a tool with one parameter of each type.
pub(crate) fn every_schema() -> Vec<(&'static str, Value)> {
    macro_rules! of {
        ($($ty:ty),* $(,)?) => {
            vec![$((stringify!($ty), one::<$ty>().schema)),*]
        };
    }
    of![
        (),
        bool,
        u8,
        u64,
        i128,
        f64,
        char,
        String,
        std::num::NonZeroU8,
        std::net::Ipv4Addr,
        Value,
        Option<String>,
        Option<Vec<Wh>>,
        Vec<Option<(Shape, Mode)>>,
        [u8; 3],
        (u8, String),
        BTreeSet<u8>,
        BTreeSet<String>,
        HashMap<String, bool>,
        BTreeMap<String, Vec<Wh>>,
        Wh,
        Closed,
        Shape,
        Nested,
        Mode,
        Unit,
        External,
        Adjacent,
        Untagged,
        Node,
        Mutual,
        Holder,
        Numbers,
        Defaults,
        Open,
        Flat,
        FlatOpen,
        Tagged,
        Keywords,
        Many,
        UnitStruct,
        Braces,
        Renamed,
        Result<Wh, Node>,
        chrono::NaiveDate,
        chrono::DateTime<chrono::Utc>,
        uuid::Uuid,
        url::Url,
    ]
}

/// A tool whose arguments are `T`.
pub(super) fn whole<T: JsonSchema>() -> Result<Value, String> {
    let root = canonical::generator(Contract::Deserialize).into_root_schema_for::<T>();
    canonical::canonical_object(root.to_value(), &T::schema_name())
        .map(|canonical| canonical.schema)
        .map_err(|error| error.to_string())
}

pub(super) fn output<T: JsonSchema>() -> Value {
    let root = canonical::generator(Contract::Serialize).into_root_schema_for::<T>();
    canonical::canonical_output(root.to_value(), &T::schema_name())
}
