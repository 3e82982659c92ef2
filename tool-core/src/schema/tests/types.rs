//! The types that the tests ask about.
#![allow(dead_code)]

use std::collections::{BTreeMap, BTreeSet, HashMap};

use schemars::generate::Contract;
use schemars::{JsonSchema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::schema::canonical::{self, Canonical, ParamSchema};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Wh {
    pub w: u32,
    pub h: u32,
}

/// A closed one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Closed {
    pub a: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Shape {
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
pub enum Nested {
    Plain { x: bool },
    Inner(Shape),
    Either(External),
}

/// How to scan
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum Mode {
    /// quick scan
    Fast,
    /// full scan,
    /// slow
    Deep,
    Plain,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum Unit {
    Celsius,
    Kelvin,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum One {
    /// the only one
    Only,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub enum External {
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
pub enum Adjacent {
    A,
    B(u16),
    C { x: Option<i32> },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Untagged {
    N(i64),
    S(String),
    L(Vec<String>),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Node {
    pub v: String,
    pub kids: Vec<Node>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Mutual {
    pub b: Option<Box<MutualB>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MutualB {
    pub a: Vec<Mutual>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t")]
pub enum Endless {
    Leaf { n: i32 },
    Not { e: Box<Endless> },
    Deep(Box<Holder>),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Holder {
    pub inner: Option<Box<Endless>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Numbers {
    pub a: u8,
    pub b: u32,
    pub c: u64,
    pub d: usize,
    pub e: i128,
    pub g: f32,
    pub h: Option<u32>,
    pub v: Vec<u16>,
    pub i: i64,
    pub j: isize,
    pub k: i8,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Defaults {
    pub q: String,
    #[serde(default = "ten")]
    pub limit: u32,
    #[serde(default)]
    pub deep: Inner,
    #[serde(default)]
    pub maybe: Option<u8>,
}

fn ten() -> u32 {
    10
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Inner {
    pub n: i32,
    pub tags: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Open {
    pub known: bool,
    #[serde(flatten)]
    pub rest: BTreeMap<String, Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Flat {
    pub n: i32,
    #[serde(flatten)]
    pub shape: Shape,
}

/// Without a closed struct in the flattened enum, and without an externally tagged one in a
/// tagged one: schemars opens those in its schema, serde keeps them closed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FlatOpen {
    pub n: i32,
    #[serde(flatten)]
    pub shape: Tagged,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
pub enum Tagged {
    Dot,
    Circle { r: f64 },
    Rect(Wh),
    Inner(Adjacent),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClosedFlat {
    pub n: i32,
    #[serde(flatten)]
    pub shape: Shape,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Keywords {
    pub title: String,
    pub format: u8,
    pub properties: Vec<i32>,
    #[serde(rename = "$ref")]
    pub reference: bool,
    pub default: Option<Unit>,
    pub required: Mode,
    #[serde(rename = "enum")]
    pub one_of: Shape,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Many {
    pub mode: Mode,
    pub unit: Option<Unit>,
    pub map: HashMap<String, Wh>,
    pub counts: BTreeMap<u8, bool>,
    pub set: BTreeSet<String>,
    pub pair: (f64, f64),
    pub rgb: [u8; 3],
    pub any: Value,
    pub list: Vec<Value>,
    pub c: char,
    pub unit_value: (),
    pub result: Result<u8, String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UnitStruct;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Braces {}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Renamed {
    #[serde(rename(serialize = "out", deserialize = "in_"))]
    pub x: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

/// The schema of one parameter, and the definitions of its generator.
pub fn param<T: JsonSchema>(name: &str) -> (ParamSchema, Map<String, Value>) {
    let mut generator = canonical::generator(Contract::Deserialize);
    let param = param_of::<T>(name, &mut generator);
    (param, generator.take_definitions(true))
}

pub fn param_of<T: JsonSchema>(name: &str, generator: &mut SchemaGenerator) -> ParamSchema {
    ParamSchema {
        name: name.to_owned(),
        schema: generator.subschema_for::<T>().to_value(),
        required: true,
        ..ParamSchema::default()
    }
}

/// A tool with one parameter `x: T`.
pub fn one<T: JsonSchema>() -> Canonical {
    let (param, definitions) = param::<T>("x");
    canonical::assemble(&[param], definitions).expect("assembles")
}

/// A tool whose arguments are `T`.
pub fn whole<T: JsonSchema>() -> Result<Value, String> {
    let root = canonical::generator(Contract::Deserialize).into_root_schema_for::<T>();
    canonical::canonical_object(root.to_value(), &T::schema_name())
        .map(|canonical| canonical.schema)
        .map_err(|error| error.to_string())
}

pub fn output<T: JsonSchema>() -> Value {
    let root = canonical::generator(Contract::Serialize).into_root_schema_for::<T>();
    canonical::canonical_output(root.to_value(), &T::schema_name())
}
