//! Section A: schemas, of typed tools and of others.

// Fields that only `Debug` reads.
#![allow(dead_code)]

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tool_core::dialect::{Dialect, check_request};
use tool_core::{RegisterError, ToolDefinition, ToolRuntime, tool, tools};
use uuid::Uuid;

use crate::one;

/// Pings.
#[tool]
fn ping() -> &'static str {
    "pong"
}

#[tool(description = "Does it.")]
fn unit(#[args] all: ()) -> String {
    format!("{all:?}")
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Marker;

#[tool(description = "Does it.")]
fn marker(#[args] all: Marker) -> String {
    format!("{all:?}")
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Braces {}

#[tool(description = "Does it.")]
fn braces(#[args] all: Braces) -> String {
    format!("{all:?}")
}

#[tokio::test]
async fn c01_tool_without_parameters() {
    let nothing = json!({"type": "object", "properties": {}, "additionalProperties": false});
    for (tool, said) in [
        (one(ping {}), "pong"),
        (one(unit {}), "()"),
        (one(marker {}), "Marker"),
        (one(braces {}), "Braces"),
    ] {
        assert_eq!(*tool.parameters(), nothing, "{}", tool.name);
        for arguments in ["{}", "", "null"] {
            assert_eq!(tool.text(arguments).await, said, "{}", tool.name);
        }
        for dialect in Dialect::ALL {
            let export = tool.runtime.export(dialect);
            assert_eq!(check_request(dialect, &export.tools), [""; 0], "{dialect}");
            let parameters = find(
                &export.tools[0],
                &["parameters", "input_schema", "inputSchema"],
            );
            let is_gemini = matches!(dialect, Dialect::Gemini | Dialect::GeminiJsonSchema);
            assert_eq!(parameters.is_none(), is_gemini, "{dialect}");
            let Some(parameters) = parameters else {
                continue;
            };
            assert_eq!(parameters["type"], "object", "{dialect}");
            assert_eq!(parameters["properties"], json!({}), "{dialect}");
        }
    }
}

/// The first of `keys` anywhere in an exported tool.
fn find<'v>(tool: &'v Value, keys: &[&str]) -> Option<&'v Value> {
    let map = tool.as_object()?;
    let own = keys.iter().find_map(|key| map.get(*key));
    own.or_else(|| map.values().find_map(|value| find(value, keys)))
}

#[tool(description = "Does it.")]
#[allow(clippy::many_single_char_names, clippy::too_many_arguments)]
fn numbers(a: u8, b: u32, c: u64, d: usize, g: f32, h: Option<u32>, v: Vec<u16>) -> u64 {
    let _ = (a, b, d, g, h, v);
    c
}

#[tokio::test]
async fn c02_no_numeric_format_but_bounds() {
    let numbers = one(numbers {});
    let u32s = json!({"type": "integer", "minimum": 0, "maximum": u32::MAX});
    let u64s = json!({"type": "integer", "minimum": 0, "maximum": u64::MAX});
    assert_eq!(
        numbers.parameters()["properties"],
        json!({
            "a": {"type": "integer", "minimum": 0, "maximum": 255},
            "b": u32s,
            "c": u64s,
            "d": u64s,
            "g": {"type": "number", "minimum": f32::MIN, "maximum": f32::MAX},
            "h": {"type": ["integer", "null"], "minimum": 0, "maximum": u32::MAX},
            "v": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 65535}},
        })
    );
    for dialect in Dialect::ALL {
        let tools = json!(numbers.runtime.export(dialect).tools).to_string();
        assert!(!tools.contains("\"format\""), "{dialect}: {tools}");
    }
    // What serde would read as infinity.
    let all = |g: &str| format!(r#"{{"a":1,"b":2,"c":3,"d":4,"g":{g},"v":[]}}"#);
    assert_eq!(
        numbers.refusal(all("1e300")).await,
        "/g: expected a number from -3.4e38 to 3.4e38, got 1e+300"
    );
    assert_eq!(numbers.text(all("1.5")).await, "3");
}

/// Wide numbers where the macro cannot see them: as a parameter they do not compile.
#[derive(Deserialize, JsonSchema)]
struct Wide {
    all: Vec<i128>,
    one: Option<u128>,
}

/// Adds wide numbers.
#[tool]
fn wide(#[args] numbers: Wide) -> String {
    format!("{:?} {:?}", numbers.all, numbers.one)
}

#[tokio::test]
async fn c04_128_bit_integers() {
    let wide = one(wide {});
    let ends = format!(
        r#"{{"all":[{},{}],"one":{}}}"#,
        i64::MIN,
        u64::MAX,
        u64::MAX
    );
    let said = format!("[{}, {}] Some({})", i64::MIN, u64::MAX, u64::MAX);
    assert_eq!(wide.text(ends).await, said);
    // Beyond 64 bits: never rounded.
    for (arguments, path) in [
        (format!(r#"{{"all":[{}]}}"#, i128::MAX), "/all/0"),
        (format!(r#"{{"all":[],"one":{}}}"#, u128::MAX), "/one"),
    ] {
        let said = wide.refusal(arguments).await;
        assert!(
            said.starts_with(&format!("{path}: the integer `")),
            "{said}"
        );
        assert!(said.contains("` needs more than 64 bits"), "{said}");
    }
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Node {
    v: String,
    kids: Vec<Node>,
}

#[tool(description = "Does it.")]
fn grow(node: Node) -> String {
    format!("{} {}", node.v, node.kids.len())
}

#[tool(description = "Does it.")]
fn root(#[args] node: Node) -> String {
    format!("{} {}", node.v, node.kids.len())
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Husband {
    wife: Option<Box<Wife>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Wife {
    kin: Vec<Husband>,
}

#[tool(description = "Does it.")]
fn family(head: Husband) -> String {
    format!("{head:?}")
}

#[tokio::test]
async fn c06_recursive_types() {
    let tree = json!({"v": "a", "kids": [{"v": "b", "kids": [{"v": "c", "kids": []}]}]});
    let wrong = json!({"v": "a", "kids": [{"v": 1, "kids": []}]});
    let said = "/kids/0/v: expected a string, got 1";
    let grow = one(grow {});
    assert_eq!(grow.text(json!({"node": tree})).await, "a 1");
    assert_eq!(
        grow.refusal(json!({"node": wrong})).await,
        format!("/node{said}")
    );
    let root = one(root {});
    assert_eq!(root.text(tree).await, "a 1");
    assert_eq!(root.refusal(wrong).await, said);
    let family = one(family {});
    let head = json!({"head": {"wife": {"kin": [{"wife": null}, {}]}}});
    let text = family.text(head).await;
    assert!(
        text.contains("kin: [Husband { wife: None }, Husband"),
        "{text}"
    );
    for tool in [grow, root, family] {
        for dialect in Dialect::ALL {
            let export = tool.runtime.export(dialect);
            assert_eq!(check_request(dialect, &export.tools), [""; 0], "{dialect}");
            assert_eq!(
                export.tools.is_empty(),
                dialect == Dialect::Gemini,
                "{dialect}"
            );
        }
    }
}

#[tool(description = "Does it.")]
fn r#move(r#type: String, r#in: Option<u32>) -> String {
    format!("{type} {in:?}")
}

#[tokio::test]
async fn c11_raw_identifiers() {
    let tool = one(r#move {});
    assert_eq!(tool.name, "move");
    assert_eq!(
        *tool.parameters(),
        json!({
            "type": "object",
            "properties": {
                "type": {"type": "string"},
                "in": {"type": ["integer", "null"], "minimum": 0, "maximum": u32::MAX},
            },
            "required": ["type"],
            "additionalProperties": false,
        })
    );
    assert_eq!(tool.text(r#"{"type":"x"}"#).await, "x None");
    assert_eq!(
        tool.call(r#"{"in":"x"}"#).await.unwrap_err(),
        "/type: missing (expected a string)\n\
         /in: expected an integer or null, got \"x\"\n\
         tool \"move\" takes {\"type\": string, \"in\"?: integer | null}"
    );
    for dialect in Dialect::ALL {
        let tools = json!(tool.runtime.export(dialect).tools).to_string();
        assert!(!tools.contains("r#"), "{dialect}: {tools}");
    }
}

/// First line
/// goes on.
///
/// - bullet
///   indented
#[tool]
fn documented(
    /// How
    /// many.
    count: u32,
    bare: bool,
) -> u32 {
    count + u32::from(bare)
}

/** block
doc */
#[tool]
fn block() {}

fn silent() -> ToolDefinition {
    ToolDefinition::dynamic("silent", "", Value::Null, json!({}))
        .handler(|arguments: Value, _cx| async move { arguments })
}

#[test]
fn c12_doc_comments() {
    let runtime = ToolRuntime::builder()
        .tools(tools![documented, block])
        .tool(silent())
        .build()
        .unwrap();
    let described = |name: &str| {
        let schemas = runtime.schemas();
        let schema = schemas.iter().find(|schema| schema.name == name);
        schema.unwrap().description.clone()
    };
    let documentation = "First line\ngoes on.\n\n- bullet\n  indented";
    assert_eq!(described("documented"), documentation);
    assert_eq!(described("block"), "block\ndoc");
    assert_eq!(described("silent"), "");
    let properties = &runtime.schemas()[0].parameters["properties"];
    assert_eq!(properties["count"]["description"], "How\nmany.");
    assert_eq!(properties["bare"], json!({"type": "boolean"}));
    for dialect in Dialect::ALL {
        let tools = runtime.export(dialect).tools;
        let said: Vec<_> = tools
            .iter()
            .map(|tool| find(tool, &["description"]))
            .collect();
        // Where there is nothing to say, the key is not there; Gemini requires it.
        let gemini = matches!(dialect, Dialect::Gemini | Dialect::GeminiJsonSchema);
        let silent = json!("silent");
        let expected = [
            Some(&json!(documentation)),
            Some(&json!("block\ndoc")),
            gemini.then_some(&silent),
        ];
        assert_eq!(said, expected, "{dialect}");
    }
}

#[tool(description = "Does it.")]
fn find_it(q: String, limit: Option<u32>) -> String {
    format!("{q} {limit:?}")
}

#[tokio::test]
async fn c13_option_and_null() {
    let find_it = one(find_it {});
    assert_eq!(find_it.parameters()["required"], json!(["q"]));
    for (arguments, said) in [
        (r#"{"q":"a"}"#, "a None"),
        (r#"{"q":"a","limit":null}"#, "a None"),
        (r#"{"q":"a","limit":5}"#, "a Some(5)"),
    ] {
        assert_eq!(find_it.text(arguments).await, said);
    }
    assert_eq!(
        find_it.refusal(r#"{"q":"a","limit":"x"}"#).await,
        "/limit: expected an integer or null, got \"x\""
    );
}

#[tool(description = "Does it.")]
fn tag(labels: HashMap<String, String>, body: Map<String, Value>) -> String {
    format!("{labels:?} {}", Value::Object(body))
}

#[tokio::test]
async fn c17_maps() {
    let tag = one(tag {});
    let arguments = json!({"labels": {"a": "b"}, "body": {"x": [1]}});
    assert_eq!(tag.text(arguments).await, r#"{"a": "b"} {"x":[1]}"#);
    assert_eq!(
        tag.refusal(json!({"labels": {"a": 1}, "body": {}})).await,
        "/labels/a: expected a string, got 1"
    );
}

#[tool(description = "Does it.")]
fn go(p: (f64, f64), rgb: [u8; 3]) -> String {
    format!("{p:?} {rgb:?}")
}

#[tokio::test]
async fn c20_tuples() {
    let go = one(go {});
    let with = |p: Value| json!({"p": p, "rgb": [1, 2, 3]});
    assert_eq!(go.text(with(json!([1, 2]))).await, "(1.0, 2.0) [1, 2, 3]");
    for (p, said) in [
        (
            json!([1]),
            "/p: expected an array of exactly 2 items, got 1 item: [1]",
        ),
        (
            json!([1, 2, 3]),
            "/p: expected an array of exactly 2 items, got 3 items: [1,2,3]",
        ),
        (json!(["a", 2]), "/p/0: expected a number, got \"a\""),
    ] {
        assert_eq!(go.refusal(with(p)).await, said);
    }
}

#[tool(description = "Does it.")]
fn untyped(any: Value, list: Vec<Value>) -> Value {
    json!([any, list])
}

#[tokio::test]
async fn c21_untyped_values() {
    let untyped = one(untyped {});
    for any in [
        json!(null),
        json!("[1,2]"),
        json!("5"),
        json!(5.0),
        json!({"a": [true]}),
    ] {
        let said = untyped.text(json!({"any": any, "list": [any]})).await;
        assert_eq!(said, json!([any, [any]]).to_string());
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    Dot,
    Circle { r: f64 },
    Rect(Wh),
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Wh {
    w: u32,
    h: u32,
}

#[tool(description = "Does it.")]
fn draw(shape: Shape) -> String {
    format!("{shape:?}")
}

#[tokio::test]
async fn c22_internally_tagged_enum() {
    let draw = one(draw {});
    for (shape, said) in [
        (r#"{"kind":"dot"}"#, "Dot"),
        (r#"{"kind":"circle","r":2}"#, "Circle { r: 2.0 }"),
        (r#"{"kind":"rect","w":1,"h":2}"#, "Rect(Wh { w: 1, h: 2 })"),
        (r#"{"h":2,"w":1,"kind":"rect"}"#, "Rect(Wh { w: 1, h: 2 })"),
    ] {
        assert_eq!(draw.text(format!(r#"{{"shape":{shape}}}"#)).await, said);
    }
    for (shape, said) in [
        (
            json!({"kind": "rect", "w": 1}),
            "/shape/h: missing (expected an integer)",
        ),
        (
            json!({"kind": "oval"}),
            "/shape/kind: \"oval\" is not one of \"dot\", \"circle\", \"rect\"",
        ),
        (
            json!({}),
            "/shape/kind: missing (expected \"dot\", \"circle\" or \"rect\")",
        ),
    ] {
        assert_eq!(draw.refusal(json!({"shape": shape})).await, said);
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Loose {
    N(i64),
    S(String),
    L(Vec<String>),
}

#[tool(description = "Does it.")]
fn loose(x: Loose) -> String {
    format!("{x:?}")
}

#[tokio::test]
async fn c26_untagged_union() {
    let loose = one(loose {});
    for (x, said) in [
        (json!("5"), r#"S("5")"#),
        (json!(5), "N(5)"),
        (json!("[\"a\"]"), r#"S("[\"a\"]")"#),
        (json!(["a"]), r#"L(["a"])"#),
    ] {
        assert_eq!(loose.text(json!({"x": x})).await, said);
    }
    assert_eq!(
        loose.refusal(json!({"x": true})).await,
        "/x: expected an integer, a string or an array of strings, got true"
    );
}

#[derive(Debug, Deserialize, JsonSchema)]
enum Mode {
    /// quick scan
    Fast,
    /// full scan
    Deep,
}

#[tool(description = "Does it.")]
fn scan(mode: Mode) -> String {
    format!("{mode:?}")
}

#[tokio::test]
async fn c28_documented_variants() {
    let scan = one(scan {});
    assert_eq!(
        scan.parameters()["$defs"]["Mode"],
        json!({
            "type": "string",
            "enum": ["Fast", "Deep"],
            "description": "- `Fast`: quick scan\n- `Deep`: full scan",
        })
    );
    assert_eq!(scan.text(r#"{"mode":"Deep"}"#).await, "Deep");
    assert_eq!(
        scan.refusal(r#"{"mode":"fast"}"#).await,
        "/mode: \"fast\" is not one of \"Fast\", \"Deep\"; did you mean \"Fast\"?"
    );
}

#[tool(description = "Does it.")]
fn formats(id: Uuid, day: NaiveDate, at: DateTime<Utc>) -> String {
    format!("{id} {day} {}", at.to_rfc3339())
}

#[tokio::test]
async fn c30_string_formats() {
    let formats = one(formats {});
    let id = Uuid::nil();
    let good = json!({"id": id, "day": "2024-02-29", "at": "2024-01-01T00:00:00Z"});
    let said = format!("{id} 2024-02-29 2024-01-01T00:00:00+00:00");
    assert_eq!(formats.text(good).await, said);
    let bad = json!({"id": "zz", "day": "2024-02-30", "at": "2024-01-01"});
    assert_eq!(
        formats.refusal(bad).await,
        "/id: expected a UUID, got \"zz\"\n\
         /day: expected a date such as 2024-01-31, got \"2024-02-30\"\n\
         /at: expected a date and time such as 2024-01-31T12:00:00Z, got \"2024-01-01\""
    );
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Limited {
    #[schemars(range(min = 1, max = 10))]
    k: i32,
    #[schemars(length(min = 1))]
    s: String,
}

#[tool(description = "Does it.")]
fn limited(#[args] all: Limited) -> String {
    format!("{} {}", all.k, all.s)
}

#[tokio::test]
async fn c32_limits() {
    let limited = one(limited {});
    assert_eq!(limited.text(json!({"k": 10, "s": "a"})).await, "10 a");
    for k in [0, 11] {
        assert_eq!(
            limited.refusal(json!({"k": k, "s": ""})).await,
            format!(
                "/k: expected an integer from 1 to 10, got {k}\n\
                 /s: expected a string of at least 1 character, got \"\""
            )
        );
    }
}

/// A tool that came from elsewhere with these parameters.
fn foreign(parameters: Value) -> ToolDefinition {
    ToolDefinition::dynamic("foreign", "Does it.", parameters, json!({}))
        .handler(|arguments: Value, _cx| async move { arguments })
}

fn refused(parameters: Value) -> String {
    let error = ToolRuntime::builder()
        .tool(foreign(parameters))
        .build()
        .unwrap_err();
    let RegisterError::InvalidParameters { tool, reason, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(tool, "foreign");
    reason
}

#[tool(description = "Does it.")]
fn sum(#[args] v: Vec<i32>) -> i32 {
    v.iter().sum()
}

#[tokio::test]
async fn c34_arguments_that_are_no_object() {
    let error = ToolRuntime::builder().tool(sum {}).build().unwrap_err();
    assert!(
        matches!(&error, RegisterError::InvalidParameters { tool, .. } if tool == "sum"),
        "{error}"
    );
    assert!(
        error.to_string().contains("is not an object in JSON"),
        "{error}"
    );
    assert_eq!(
        refused(json!({"type": "array"})),
        "#/type: the root must be of type \"object\", not \"array\""
    );
    assert_eq!(
        refused(json!({})),
        "#: the root must say `\"type\": \"object\"`"
    );
    // A missing schema means "no parameters".
    let bare = one(foreign(Value::Null));
    assert_eq!(
        *bare.parameters(),
        json!({"type": "object", "properties": {}, "additionalProperties": false})
    );
    assert_eq!(bare.text("{}").await, "{}");
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Both {
    #[serde(rename(serialize = "out", deserialize = "in_"))]
    x: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
}

#[tool(description = "Does it.")]
fn both(#[args] all: Both) -> Both {
    all
}

#[tokio::test]
async fn c37_input_and_output_contract() {
    let both = one(both {});
    assert_eq!(both.text(r#"{"in_":1}"#).await, r#"{"out":1}"#);
    let mcp = &both.runtime.export(Dialect::Mcp).tools[0];
    let names = |schema: &Value| -> Vec<String> {
        schema["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect()
    };
    assert_eq!(names(&mcp["inputSchema"]), ["in_", "tags"]);
    assert_eq!(names(&mcp["outputSchema"]), ["out", "tags"]);
    assert_eq!(mcp["inputSchema"]["required"], json!(["in_"]));
    assert_eq!(mcp["outputSchema"]["required"], json!(["out"]));
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Keys {
    #[serde(rename = "filter[id]")]
    a: String,
    #[serde(rename = "größe")]
    b: u8,
    #[serde(rename = "a b")]
    c: Option<u8>,
}

#[tool(description = "Does it.")]
fn keys(#[args] all: Keys) -> String {
    format!("{} {} {:?}", all.a, all.b, all.c)
}

#[tokio::test]
async fn c39_property_keys() {
    let keys = one(keys {});
    let own = json!({"filter[id]": "x", "größe": 1, "a b": 2});
    for dialect in Dialect::ALL {
        let export = keys.runtime.export(dialect);
        let sent: Map<String, Value> = own
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, value)| {
                let name = export.names.exported_property("keys", name);
                (name.to_owned(), value.clone())
            })
            .collect();
        let renamed = sent
            .keys()
            .any(|name| !own.as_object().unwrap().contains_key(name));
        assert_eq!(
            renamed,
            matches!(dialect, Dialect::Anthropic { .. }),
            "{dialect}"
        );
        assert_eq!(sent.len(), 3, "{dialect}");
        let restored = export.names.restore_arguments("keys", Value::Object(sent));
        assert_eq!(restored, own, "{dialect}");
        assert_eq!(keys.text(restored).await, "x 1 Some(2)");
    }
}

#[tokio::test]
async fn c45_large_enums() {
    let words: Vec<String> = (0..1_200).map(|n| format!("word{n:04}")).collect();
    let parameters = json!({
        "type": "object",
        "properties": {"word": {"type": "string", "enum": words}},
        "required": ["word"],
    });
    let large = one(foreign(parameters));
    assert_eq!(
        large.text(r#"{"word":"word1199"}"#).await,
        r#"{"word":"word1199"}"#
    );
    let said = large.call(r#"{"word":"word1200"}"#).await.unwrap_err();
    assert!(said.contains("… and 1190 more; did you mean"), "{said}");
    assert!(said.len() < 500, "{said}");
    let dialect = Dialect::OpenAi { strict: true };
    let report = large.runtime.export(dialect).report.to_string();
    assert!(
        report.contains("`foreign`: went out non-strict: 1200 "),
        "{report}"
    );
}

#[test]
fn c47_hostile_schemas() {
    let with = |x: Value| json!({"type": "object", "properties": {"x": x}});
    let circle = json!({
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {"$ref": "#/$defs/A"}},
    });
    for (parameters, reason) in [
        (
            circle,
            "#/$defs/A: refers to itself without ever looking into the value",
        ),
        (
            with(json!({"$ref": "#/properties/tree"})),
            "#/properties/x: the reference \"#/properties/tree\" leads nowhere",
        ),
        (
            with(json!({"$ref": "https://example.org/x.json"})),
            "#/properties/x: the reference \"https://example.org/x.json\" leaves the schema; \
             only `#/…` is followed",
        ),
        (
            with(json!({"pattern": "["})),
            "#/properties/x/pattern: \"[\" is not a \"regex\"",
        ),
        (
            with(json!({"$dynamicRef": "#x"})),
            "#/properties/x: `$dynamicRef` is not supported",
        ),
    ] {
        assert_eq!(refused(parameters), reason);
    }
}
