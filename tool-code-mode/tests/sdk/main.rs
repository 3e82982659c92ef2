//! The interface text: what it says of each schema, that it does not depend on orders, and that
//! TypeScript accepts it.

mod hostile;
mod tools;
#[path = "../common/tsc.rs"]
mod tsc;

use serde_json::{Value, json};
use tool_code_mode::{compact_sdk, sdk, signature};
use tools::{Owned, catalogue, object};

/// The type that a property with this schema gets.
fn ty(schema: &Value) -> String {
    let tool = Owned::new("f", object(json!({"x": schema}), &["x"]), json!({}));
    let text = signature(&tool.shown());
    let start = text.find("{ x: ").unwrap_or_else(|| panic!("{text}")) + 5;
    let end = text
        .find(" }): Promise")
        .unwrap_or_else(|| panic!("{text}"));
    text[start..end].to_owned()
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
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
        assert_eq!(ty(&schema), want, "{schema}");
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
        ty(&shape),
        "{ kind: \"circle\"; r: number } | { kind: \"square\"; side: number }"
    );
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
