//! Schemas that try to break the interface text, before the TypeScript compiler.

use serde_json::json;
use tool_code_mode::{compact_sdk, sdk};

use crate::tools::{Owned, catalogue, object};
use crate::tsc;

/// Names and texts that try to end a comment, a string or a type.
const HOSTILE: &[&str] = &[
    "",
    " ",
    "a b",
    "get-user",
    "get.user",
    "get_user",
    "getUser",
    "get user",
    "1x",
    "0",
    "-1",
    "__proto__",
    "constructor",
    "toString",
    "prototype",
    "class",
    "await",
    "default",
    "import",
    "then",
    "name",
    "tools",
    "ToolName",
    "JsonValue",
    "\"",
    "'",
    "`${x}`",
    "\\",
    "\\\"",
    "*/",
    "/*",
    "//",
    "a\nb",
    "a\rb",
    "a\u{2028}b",
    "a\u{2029}b",
    "\0",
    "\u{7f}",
    "\u{feff}",
    "]; evil(); [",
    "}",
    "{",
    "é",
    "名前",
    "\u{1F600}",
    "</script>",
    "$describe",
    "a: never; b",
];

fn hostile() -> Vec<Owned> {
    let mut tools = Vec::new();
    for (at, name) in HOSTILE.iter().enumerate() {
        let mut parameters = object(json!({}), &[]);
        for key in HOSTILE {
            parameters["properties"][*key] = json!({
                "type": "string", "description": name, "enum": [key, name],
                "default": name, "pattern": name, "format": key,
            });
        }
        if at % 3 == 0 {
            parameters["required"] = json!(HOSTILE);
        }
        parameters["$defs"] = json!({*name: {"type": "object", "properties": {*name: {"$ref": "#/$defs/Event"}}},
            "Event": {"type": "object", "description": name, "properties": {"Event": {"$ref": "#/$defs/Event"}}}});
        parameters["properties"]["event"] = json!({"$ref": "#/$defs/Event"});
        let mut tool = Owned::new(name, parameters, json!({"const": name}));
        tool.description = format!("{name} */ {name}");
        tools.push(tool);
    }
    tools
}

/// Schemas that lead back to themselves in every way.
fn recursive() -> Vec<Owned> {
    let defs = json!({
        "A": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]},
        "B": {"$ref": "#/$defs/C"},
        "C": {"$ref": "#/$defs/B"},
        "D": {"allOf": [{"$ref": "#/$defs/D"}, {"type": "object", "properties": {"x": {}}}]},
        "E": {"type": "array", "items": {"$ref": "#/$defs/E"}},
        "F": {"type": "object", "additionalProperties": {"$ref": "#/$defs/F"}},
        "G": {"type": "array", "prefixItems": [{"$ref": "#/$defs/G"}, {"$ref": "#/$defs/H"}]},
        "H": {"anyOf": [{"type": "object", "additionalProperties": {"$ref": "#/$defs/H"}}, {"type": "string"}]},
        "I": {"anyOf": [{"$ref": "#/$defs/J"}, {"type": "string"}]},
        "J": {"anyOf": [{"$ref": "#/$defs/I"}, {"type": "number"}]},
        "K": {"type": "object", "properties": {"k": {"$ref": "#/$defs/K"}, "l": {"$ref": "#/$defs/L"}}, "additionalProperties": {"$ref": "#/$defs/L"}},
        "L": {"type": ["object", "null"], "properties": {"k": {"$ref": "#/$defs/K"}}, "required": ["k"]},
        "Node": {"type": "object", "properties": {"nodeName": {"type": "number"}, "kids": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}},
        "Request": {"type": "object", "properties": {"url": {"type": "number"}, "again": {"$ref": "#/$defs/Request"}}},
        "string": {"type": "object", "properties": {"s": {"$ref": "#/$defs/string"}}},
        "ToolName": {"type": "object", "properties": {"t": {"$ref": "#/$defs/ToolName"}}},
    });
    let names: Vec<String> = defs
        .as_object()
        .expect("an object")
        .keys()
        .cloned()
        .collect();
    names
        .into_iter()
        .flat_map(|name| {
            let reference = json!({"$ref": format!("#/$defs/{name}")});
            let mut parameters = object(json!({"one": reference, "two": reference}), &["one"]);
            parameters["$defs"] = defs.clone();
            let mut output = reference;
            output["$defs"] = defs.clone();
            let tool = Owned::new(&format!("use {name}"), parameters, output);
            let mut open = Owned::new(
                &format!("open {name}"),
                tool.parameters.clone(),
                json!(true),
            );
            open.parameters["additionalProperties"] = json!(true);
            [tool, open]
        })
        .collect()
}

/// Programs against [`catalogue`], each line with its verdict.
const USES: &str = "
async function program() {
  const found = await tools.search({ q: 'x', limit: null, span: [1, 2] });
  const id: number | string = found[0]!.id;
  const tag: string | undefined = found[0]?.tags['a'];
  const nothing: null = await tools['get user']();
  await tools['get user']({});
  const any: JsonValue = await tools.any({ v: { nested: [1, null] } });
  // @ts-expect-error a property is missing
  await tools.search({});
  // @ts-expect-error arguments are missing
  await tools.search();
  // @ts-expect-error a string is no number
  await tools.search({ q: 'x', limit: '3' });
  // @ts-expect-error one too many
  await tools.search({ q: 'x', span: [1, 2, 3] });
  // @ts-expect-error a wrong name
  await tools.search({ q: 'x', limits: 3 });
  // @ts-expect-error no such tool
  await tools.serach({ q: 'x' });
  // @ts-expect-error not every id is a number
  const n: number = found[0]!.id;
  try { await tools.any({}) } catch (e) {
    if (e instanceof ToolCallError) { const name: ToolName = e.toolName; return [name, e.message] }
  }
  return [id, tag, nothing, any, BigInt(found[0]!.id)];
}
void program;
";

#[test]
fn typescript_accepts_every_text() {
    let mut files = Vec::new();
    let tools = [catalogue(), hostile(), recursive(), Vec::new()];
    for (at, tools) in tools.iter().enumerate() {
        let shown: Vec<_> = tools.iter().map(Owned::shown).collect();
        files.push((format!("full{at}"), sdk(&shown)));
        files.push((format!("compact{at}"), compact_sdk(&shown)));
    }
    let shown: Vec<_> = tools[0].iter().map(Owned::shown).collect();
    files.push(("uses".to_owned(), sdk(&shown) + USES));
    files.push((
        "compact_uses".to_owned(),
        compact_sdk(&shown) + COMPACT_USES,
    ));
    tsc::check("sdk", &files).expect("tsc accepts it");
}

const COMPACT_USES: &str = "
async function program() {
  const found = await tools.search({ q: 1 });
  console.log(tools.$describe('any'), found.x);
}
void program;
// @ts-expect-error no such tool
tools.$describe('anything');
";
