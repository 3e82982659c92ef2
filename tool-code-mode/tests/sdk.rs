//! The interface text: what it says of each schema, that it does not depend on orders, and that
//! TypeScript accepts it.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use tool_code_mode::{SdkTool, compact_sdk, sdk, signature};

struct Owned {
    name: String,
    description: String,
    parameters: Value,
    output: Value,
}

impl Owned {
    fn new(name: &str, parameters: Value, output: Value) -> Self {
        let description = format!("Does {name}. At length.");
        Self {
            name: name.to_owned(),
            description,
            parameters,
            output,
        }
    }

    fn shown(&self) -> SdkTool<'_> {
        SdkTool {
            name: &self.name,
            description: &self.description,
            parameters: &self.parameters,
            output: &self.output,
        }
    }
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// The type that a property with this schema gets.
fn ty(schema: Value) -> String {
    let tool = Owned::new("f", object(json!({"x": schema}), &["x"]), json!({}));
    let text = signature(&tool.shown());
    let start = text.find("{ x: ").unwrap_or_else(|| panic!("{text}")) + 5;
    let end = text
        .find(" }): Promise")
        .unwrap_or_else(|| panic!("{text}"));
    text[start..end].to_owned()
}

#[test]
fn every_schema_has_its_type() {
    for (schema, want) in [
        (json!({}), "unknown"),
        (json!(true), "unknown"),
        (json!(false), "never"),
        (json!({"type": "string"}), "string"),
        (json!({"type": "boolean"}), "boolean"),
        (json!({"type": "number"}), "number"),
        (json!({"type": "integer"}), "number"),
        (
            json!({"type": "integer", "minimum": 0, "maximum": u32::MAX}),
            "number",
        ),
        (json!({"type": "null"}), "null"),
        (json!({"type": ["string", "null"]}), "string | null"),
        (
            json!({"type": ["null", "integer", "null"]}),
            "number | null",
        ),
        (json!({"const": "a"}), "\"a\""),
        (json!({"const": null}), "null"),
        (
            json!({"enum": ["b", "a", 1, true, null, "b"]}),
            "\"b\" | \"a\" | 1 | true | null",
        ),
        (json!({"enum": []}), "never"),
        (json!({"const": {"k": [1, "x"]}}), "{ k: [1, \"x\"] }"),
        (json!({"type": "array"}), "unknown[]"),
        (
            json!({"type": "array", "items": {"type": "string"}}),
            "string[]",
        ),
        (
            json!({"type": "array", "items": {"type": ["string", "null"]}}),
            "(string | null)[]",
        ),
        (
            json!({"type": "array", "items": {"type": "array", "items": {"type": "number"}}}),
            "number[][]",
        ),
        (
            json!({"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}], "minItems": 2, "maxItems": 2}),
            "[number, string]",
        ),
        (
            json!({"type": "array", "prefixItems": [{"type": "number"}], "items": false}),
            "[number?]",
        ),
        (
            json!({"type": "array", "prefixItems": [{"type": "number"}], "items": {"type": ["string", "null"]}, "minItems": 1}),
            "[number, ...(string | null)[]]",
        ),
        (
            json!({"type": "array", "items": {"type": "integer"}, "minItems": 3, "maxItems": 3}),
            "[number, number, number]",
        ),
        (
            json!({"type": "array", "items": [{"type": "number"}], "additionalItems": false}),
            "[number?]",
        ),
        (json!({"type": "object"}), "Record<string, unknown>"),
        (
            json!({"type": "object", "additionalProperties": false}),
            "Record<string, never>",
        ),
        (
            json!({"type": "object", "additionalProperties": {"type": "string"}}),
            "Record<string, string>",
        ),
        (
            json!({"type": "object", "properties": {"b": {"type": "number"}, "a": {"type": "string"}}, "required": ["b"]}),
            "{ a?: string; b: number }",
        ),
        (
            json!({"type": "object", "properties": {"a-b": {"type": "number"}, "a.b": {}, "a_b": {}}}),
            "{ \"a-b\"?: number; \"a.b\"?: unknown; a_b?: unknown }",
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "number"}}, "additionalProperties": true}),
            "{ a?: number; [key: string]: unknown }",
        ),
        (
            json!({"type": "object", "properties": {"a": {"type": "number"}}, "additionalProperties": {"type": "string"}}),
            "{ a?: number; [key: string]: string | number | undefined }",
        ),
        (
            json!({"type": "object", "properties": {}, "required": ["z"]}),
            "{ z: unknown }",
        ),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "number"}]}),
            "string | number",
        ),
        (
            json!({"anyOf": [{"type": "string"}, {}]}),
            "string | unknown",
        ),
        (
            json!({"allOf": [{"type": "object", "properties": {"a": {}}}, {"type": "object", "properties": {"b": {}}}]}),
            "{ a?: unknown } & { b?: unknown }",
        ),
        (
            json!({"type": "object", "properties": {"k": {"const": 1}}, "anyOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}),
            "{ k?: 1 } & ({ a?: unknown } | { b?: unknown })",
        ),
        (json!({"$ref": "#/nowhere"}), "unknown"),
        (json!({"$ref": "https://example.com/x"}), "unknown"),
        (json!({"type": "made-up"}), "unknown"),
        (json!({"type": 3}), "unknown"),
        (json!([1]), "unknown"),
    ] {
        assert_eq!(ty(schema.clone()), want, "{schema}");
    }
}

#[test]
fn integers_of_64_bits_keep_their_digits() {
    let tool = Owned::new(
        "get",
        object(
            json!({"id": {"type": "integer", "minimum": 0, "maximum": u64::MAX}}),
            &["id"],
        ),
        json!({"type": ["integer", "null"], "minimum": i64::MIN, "maximum": i64::MAX}),
    );
    assert_eq!(
        signature(&tool.shown()),
        "tools.get(args: { id: Int64 }): Promise<Int64 | null>\n\
         /** A 64-bit integer: a number up to 2**53 - 1, beyond that the string of all its digits. \
         `BigInt(x)` takes both. */\n\
         type Int64 = number | `${bigint}`;"
    );
}

#[test]
fn what_holds_itself_has_a_name() {
    let node = json!({
        "type": "object",
        "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/Node"}}},
        "required": ["kids"],
    });
    let mut parameters = object(json!({"root": {"$ref": "#/$defs/Node"}}), &["root"]);
    parameters["$defs"] = json!({"Node": node});
    let tool = Owned::new("walk", parameters, json!({"type": "null"}));
    assert_eq!(
        signature(&tool.shown()),
        "tools.walk(args: { root: Node }): Promise<null>\ninterface Node { kids: Node[] }"
    );

    let recursive_root = json!({
        "type": "object",
        "properties": {"next": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}},
    });
    let tool = Owned::new("chain", recursive_root, json!({}));
    assert_eq!(
        signature(&tool.shown()),
        "tools.chain(args?: ChainArgs): Promise<JsonValue>\n\
         interface ChainArgs { next?: ChainArgs | null }"
    );
}

#[test]
fn a_type_used_twice_has_a_name_and_one_used_once_has_none() {
    let mut parameters = object(
        json!({"a": {"$ref": "#/$defs/P"}, "b": {"$ref": "#/$defs/P"}, "c": {"$ref": "#/$defs/Q"}}),
        &["a", "b", "c"],
    );
    parameters["$defs"] = json!({
        "P": {"type": "object", "description": "A point.", "properties": {"x": {"type": "number"}}},
        "Q": {"enum": ["u", "v"]},
    });
    let tool = Owned::new("f", parameters, json!({}));
    assert_eq!(
        signature(&tool.shown()),
        "tools.f(args: { a: P; b: P; c: \"u\" | \"v\" }): Promise<JsonValue>\n\
         /** A point. */\ninterface P { x?: number }"
    );
}

#[test]
fn equal_types_of_two_tools_share_a_name_and_different_ones_do_not() {
    let with = |field: &str| {
        let mut parameters = object(
            json!({"a": {"$ref": "#/$defs/T"}, "b": {"$ref": "#/$defs/T"}}),
            &[],
        );
        let mut def = object(json!({}), &[]);
        def["properties"][field] = json!({"type": "string"});
        parameters["$defs"] = json!({"T": def});
        parameters
    };
    let tools = [
        Owned::new("one", with("x"), json!({})),
        Owned::new("two", with("x"), json!({})),
        Owned::new("zoo", with("y"), json!({})),
    ];
    let text = sdk(&tools.iter().map(Owned::shown).collect::<Vec<_>>());
    assert_eq!(text.matches("interface T {").count(), 1, "{text}");
    assert!(text.contains("interface T2 { y?: string }"), "{text}");
    assert!(text.contains("  zoo: { a?: T2; b?: T2 };"), "{text}");
}

#[test]
fn tagged_enums_are_discriminated_unions() {
    let shape = json!({"oneOf": [
        {"type": "object", "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}, "required": ["kind", "r"]},
        {"type": "object", "properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind", "side"]},
    ]});
    assert_eq!(
        ty(shape),
        "{ kind: \"circle\"; r: number } | { kind: \"square\"; side: number }"
    );
}

fn catalogue() -> Vec<Owned> {
    vec![
        Owned::new(
            "search",
            json!({
                "type": "object",
                "properties": {
                    "q": {"type": "string", "description": "What to look for.\nAll of it. */ evil()"},
                    "limit": {"type": ["integer", "null"], "minimum": 1, "maximum": 100, "default": 10},
                    "span": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}], "minItems": 2, "maxItems": 2},
                },
                "required": ["q"],
                "additionalProperties": false,
            }),
            json!({"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer", "minimum": 0, "maximum": u64::MAX}, "tags": {"type": "object", "additionalProperties": {"type": "string"}}}, "required": ["id", "tags"]}}),
        ),
        Owned::new("get user", object(json!({}), &[]), json!({"type": "null"})),
        Owned::new(
            "any",
            json!({"type": "object", "properties": {"v": {}}}),
            json!({}),
        ),
    ]
}

#[test]
fn the_whole_text() {
    let tools = catalogue();
    let text = sdk(&tools.iter().map(Owned::shown).collect::<Vec<_>>());
    let rules = text.find("type JsonValue").expect("declared");
    assert!(text[..rules].lines().all(|line| line.starts_with("// ")));
    assert_eq!(
        &text[rules..],
        r#"type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
/** A 64-bit integer: a number up to 2**53 - 1, beyond that the string of all its digits. `BigInt(x)` takes both. */
type Int64 = number | `${bigint}`;
interface ToolArgsMap {
  /** Does any. At length. */
  any: { v?: unknown };
  /** Does get user. At length. */
  "get user": Record<string, never>;
  /** Does search. At length. */
  search: {
    /** (1 to 100, default 10) */
    limit?: number | null;
    /** What to look for. All of it. *\/ evil() */
    q: string;
    span?: [number, number];
  };
}
interface ToolOutputMap {
  any: JsonValue;
  "get user": null;
  search: { id: Int64; tags: Record<string, string> }[];
}
type ToolName = keyof ToolOutputMap;
/** What a failing call throws. */
declare class ToolCallError extends Error {
  readonly name: "ToolCallError";
  readonly toolName: ToolName;
}
declare const tools: {
  readonly [K in ToolName]: {} extends ToolArgsMap[K]
    ? (args?: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>
    : (args: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>;
};
export {};
"#
    );
}

#[test]
fn no_order_shows() {
    let tools = catalogue();
    let forward: Vec<_> = tools.iter().map(Owned::shown).collect();
    let backward: Vec<_> = tools.iter().rev().map(Owned::shown).collect();
    assert_eq!(sdk(&forward), sdk(&backward));
    assert_eq!(compact_sdk(&forward), compact_sdk(&backward));
    let reordered: Value =
        serde_json::from_str(r#"{"properties": {"b": {}, "a": {}}, "type": "object"}"#)
            .expect("json");
    let ordered: Value =
        serde_json::from_str(r#"{"type": "object", "properties": {"a": {}, "b": {}}}"#)
            .expect("json");
    let one = Owned::new("f", reordered, json!({}));
    let two = Owned::new("f", ordered, json!({}));
    assert_eq!(sdk(&[one.shown()]), sdk(&[two.shown()]));
}

#[test]
fn the_compact_text() {
    let tools = catalogue();
    let text = compact_sdk(&tools.iter().map(Owned::shown).collect::<Vec<_>>());
    assert!(
        text.contains(
            "interface ToolMap {\n  /** Does any. */\n  any: Tool;\n  /** Does get user. */\n  \
             \"get user\": Tool;\n  /** Does search. */\n  search: Tool;\n}\n"
        ),
        "{text}"
    );
}

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

#[test]
fn a_graph_of_shared_types_stays_small() {
    let mut defs = serde_json::Map::new();
    for level in 0..60 {
        let next = json!({"$ref": format!("#/$defs/L{}", level + 1)});
        defs.insert(
            format!("L{level}"),
            object(json!({"a": next, "b": next}), &[]),
        );
    }
    defs.insert("L60".to_owned(), json!({"type": "string"}));
    let mut parameters = object(json!({"x": {"$ref": "#/$defs/L0"}}), &[]);
    parameters["$defs"] = defs.into();
    let tool = Owned::new("f", parameters, json!({}));
    assert!(signature(&tool.shown()).len() < 5_000);
}

#[test]
fn a_deep_schema_ends() {
    let mut schema = json!({"type": "string"});
    for _ in 0..100 {
        schema = json!({"type": "array", "items": schema});
    }
    let tool = Owned::new("f", object(json!({"x": schema}), &[]), json!({}));
    assert!(signature(&tool.shown()).contains("unknown[]"));
}

/// `tsc`, from the variable `TSC` or a `node_modules` of this crate or above it.
fn tsc() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("TSC") {
        return Some(path.into());
    }
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.ancestors()
        .map(|dir| dir.join("node_modules/.bin/tsc"))
        .find(|path| path.exists())
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
    let Some(tsc) = tsc() else {
        println!("skipped: no `tsc`; set TSC to its path, or `npm install typescript`");
        return;
    };
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sdk");
    std::fs::create_dir_all(&dir).expect("a directory");
    let mut files = Vec::new();
    let mut write = |name: &str, text: String| {
        let path = dir.join(format!("{name}.ts"));
        std::fs::write(&path, text).expect("written");
        files.push(path);
    };
    let tools = [catalogue(), hostile(), recursive(), Vec::new()];
    for (at, tools) in tools.iter().enumerate() {
        let shown: Vec<_> = tools.iter().map(Owned::shown).collect();
        write(&format!("full{at}"), sdk(&shown));
        write(&format!("compact{at}"), compact_sdk(&shown));
    }
    let shown: Vec<_> = tools[0].iter().map(Owned::shown).collect();
    write("uses", sdk(&shown) + USES);
    write(
        "compact_uses",
        compact_sdk(&shown)
            + "async function p() { const r = await tools.search({ q: 1 }); console.log(tools.$describe('any'), r.x) }\n\
               void p;\n\
               // @ts-expect-error no such tool\n\
               tools.$describe('anything');\n",
    );
    let output = Command::new(tsc)
        .args([
            "--noEmit",
            "--strict",
            "--noUncheckedIndexedAccess",
            "--target",
            "es2022",
        ])
        .args(["--module", "es2022", "--skipLibCheck"])
        .args(&files)
        .output()
        .expect("tsc runs");
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{report}");
}
