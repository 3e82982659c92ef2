//! Roots with alternatives, wire shapes, positions and contradictions.

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::report::Action;
use super::super::{Dialect, Export, Exportable, export};
use super::support::{assert_accepted, export_one, exported, is_valid, schema_of};
use crate::Hints;

/// What serde's `flatten` of a tagged enum into the arguments comes out as.
fn tagged_root() -> Value {
    json!({
        "type": "object",
        "properties": { "n": { "type": "integer" } },
        "required": ["n"],
        "anyOf": [
            { "type": "object", "properties": { "kind": { "type": "string", "const": "dot" } },
              "required": ["kind"] },
            { "type": "object", "properties": {
                  "kind": { "type": "string", "const": "circle" }, "r": { "type": "number" } },
              "required": ["kind", "r"] },
            { "$ref": "#/$defs/Rect" },
        ],
        "unevaluatedProperties": false,
        "$defs": { "Rect": { "type": "object", "properties": {
            "kind": { "type": "string", "const": "rect" }, "r": { "type": "integer" } },
            "required": ["kind"] } },
    })
}

#[test]
fn alternatives_at_the_root_are_folded() {
    let (schema, _) = exported(&tagged_root(), Dialect::Anthropic { strict: false });
    assert_eq!(
        schema,
        json!({
            "type": "object",
            "description": "one of these forms: kind: \"dot\"; kind: \"circle\", r; kind: \"rect\"",
            "properties": {
                "n": { "type": "integer" },
                "kind": { "type": "string", "enum": ["dot", "circle", "rect"] },
                "r": { "anyOf": [{ "type": "number" }, { "type": "integer" }] },
            },
            "required": ["n", "kind"],
            "additionalProperties": false,
        }),
    );
    let parameters = Arc::new(tagged_root());
    for dialect in Dialect::ALL {
        let export = export_one(&parameters, dialect);
        assert_accepted(&export, dialect);
        let widened = export.report.iter().any(|loss| {
            loss.path.is_empty()
                && loss.what == "`anyOf` at the root"
                && loss.action == Action::Widened
        });
        assert_eq!(widened, dialect != Dialect::Mcp, "{dialect}");
        let (schema, _) = schema_of(dialect, &export.tools[0]);
        if dialect == Dialect::Mcp {
            assert_eq!(&schema, &*parameters);
        } else {
            assert_eq!(
                schema["properties"].as_object().unwrap().len(),
                3,
                "{dialect}"
            );
        }
    }
}

#[test]
fn all_of_and_a_reference_at_the_root_are_merged() {
    let parameters = json!({
        "type": "object",
        "$ref": "#/$defs/A",
        "allOf": [{ "properties": { "b": { "type": "string" } }, "required": ["b"] }],
        "not": { "required": ["c"] },
        "$defs": { "A": { "type": "object", "properties": { "a": { "type": "integer" } } } },
    });
    for dialect in Dialect::ALL {
        let export = export_one(&Arc::new(parameters.clone()), dialect);
        assert_accepted(&export, dialect);
        let (schema, _) = schema_of(dialect, &export.tools[0]);
        if dialect != Dialect::Mcp {
            assert_eq!(
                schema["properties"].as_object().unwrap().len(),
                2,
                "{dialect}"
            );
        }
    }
}

#[test]
fn parameters_that_are_not_an_object_are_left_out() {
    let list = Arc::new(json!({ "type": "array", "items": { "type": "string" } }));
    for dialect in Dialect::ALL {
        let export = export_one(&list, dialect);
        assert_eq!(export.tools, Vec::<Value>::new());
        assert_eq!(
            export.report.to_string().lines().last(),
            Some("`f`: left out: parameters that are not an object"),
            "{dialect}",
        );
    }
}

fn one_export(dialect: Dialect) -> Export {
    let parameters = Arc::new(json!({
        "type": "object", "properties": { "q": { "type": "string" } }, "required": ["q"],
        "additionalProperties": false,
    }));
    let hints = Hints {
        read_only: Some(true),
        open_world: Some(false),
        ..Hints::default()
    };
    let tool = Exportable::new("find", "Finds.", &parameters)
        .title("Find")
        .hints(hints);
    export([tool], dialect)
}

#[test]
fn wire_shapes() {
    let schema = json!({
        "type": "object", "properties": { "q": { "type": "string" } }, "required": ["q"],
        "additionalProperties": false,
    });
    let open = json!({
        "type": "object", "properties": { "q": { "type": "string" } }, "required": ["q"],
    });
    let chat = |parameters: &Value| {
        let function = json!({ "name": "find", "description": "Finds.", "parameters": parameters });
        json!({ "type": "function", "function": function })
    };
    let mut strict_chat = chat(&schema);
    strict_chat["function"]["strict"] = json!(true);
    let responses = |strict: bool| {
        json!({
            "type": "function", "name": "find", "description": "Finds.", "parameters": schema,
            "strict": strict,
        })
    };
    let mut anthropic = json!({ "name": "find", "description": "Finds.", "input_schema": schema });
    for dialect in Dialect::ALL {
        let expected = match dialect {
            Dialect::OpenAi { strict: true } | Dialect::DeepSeek { strict: true } => {
                strict_chat.clone()
            }
            Dialect::OpenAi { .. } | Dialect::DeepSeek { .. } | Dialect::LlamaCpp => chat(&schema),
            Dialect::Ollama => chat(&open),
            Dialect::OpenAiResponses { strict } => responses(strict),
            Dialect::Anthropic { strict: false } => anthropic.clone(),
            Dialect::Anthropic { strict: true } => {
                anthropic["strict"] = json!(true);
                anthropic.clone()
            }
            Dialect::Gemini => {
                json!({ "name": "find", "description": "Finds.", "parameters": open })
            }
            Dialect::GeminiJsonSchema => {
                json!({ "name": "find", "description": "Finds.", "parametersJsonSchema": schema })
            }
            Dialect::Mcp => json!({
                "name": "find", "title": "Find", "description": "Finds.", "inputSchema": schema,
                "annotations": { "readOnlyHint": true, "openWorldHint": false },
            }),
        };
        let export = one_export(dialect);
        assert_eq!(export.tools, [expected], "{dialect}");
        assert!(export.report.is_empty(), "{dialect}: {}", export.report);
    }
}

/// A parameter may be called like a keyword.
#[test]
fn keywords_are_told_by_position() {
    let properties = json!({
        "title": { "type": "string" }, "format": { "type": "integer" },
        "default": { "type": "boolean" }, "$ref": { "type": "string" },
        "properties": { "type": "object", "properties": { "items": { "type": "string" } },
                        "required": ["items"], "additionalProperties": false },
        "anyOf": { "type": "string", "default": "x", "enum": ["x", "y"] },
    });
    let parameters = json!({
        "type": "object", "properties": properties,
        "required": ["title", "format", "default", "$ref", "properties", "anyOf"],
        "additionalProperties": false,
    });
    for dialect in Dialect::ALL {
        // Anthropic takes no `$` in a property name.
        let renames = matches!(dialect, Dialect::Anthropic { .. });
        let (schema, _) = exported(&parameters, dialect);
        let written = schema["properties"].as_object().unwrap();
        assert_eq!(written.len(), 6, "{dialect}");
        for (name, property) in properties.as_object().unwrap() {
            if renames && name == "$ref" {
                assert!(!written.contains_key("$ref"));
                continue;
            }
            assert_eq!(written[name]["type"], property["type"], "{dialect}: {name}");
        }
        let inner = &written["properties"]["properties"]["items"];
        assert_eq!(inner, &json!({ "type": "string" }), "{dialect}");
    }
}

/// Numbers keep every digit, and llama.cpp reads bounds into 64 bits.
#[test]
fn bounds_keep_their_digits() {
    let integer = json!({ "type": "integer", "minimum": 0, "maximum": u64::MAX - 1 });
    let parameters = json!({ "type": "object", "properties": { "x": integer }, "required": ["x"] });
    for dialect in Dialect::ALL {
        let (schema, _) = exported(&parameters, dialect);
        let x = schema["properties"]["x"].to_string();
        assert!(x.contains("18446744073709551614"), "{dialect}: {x}");
    }
    let (schema, _) = exported(&parameters, Dialect::LlamaCpp);
    let expected = json!({
        "type": "integer", "minimum": 0, "description": "at most 18446744073709551614",
    });
    assert_eq!(schema["properties"]["x"], expected);
}

/// What every 64-bit integer or `f32` is bound by says nothing in a description.
#[test]
fn the_ends_of_types_are_not_described() {
    let parameters = Arc::new(json!({ "type": "object", "properties": {
        "float": { "type": "number", "minimum": f32::MIN, "maximum": f32::MAX },
        "signed": { "type": "integer", "minimum": i64::MIN, "maximum": i64::MAX },
        "unsigned": { "type": "integer", "minimum": 0, "maximum": u64::MAX },
    }, "required": ["float", "signed", "unsigned"] }));
    let export = export_one(&parameters, Dialect::Anthropic { strict: true });
    let (schema, _) = schema_of(Dialect::Anthropic { strict: true }, &export.tools[0]);
    let expected = json!({
        "float": { "type": "number" },
        "signed": { "type": "integer" },
        "unsigned": { "type": "integer", "description": "at least 0" },
    });
    assert_eq!(schema["properties"], expected);
    let mut said: Vec<String> = export.report.iter().map(ToString::to_string).collect();
    // The order of keywords is that of the map, which may keep the order of the text.
    said.sort_unstable();
    assert_eq!(
        said,
        [
            "`f` at `/properties/float`: dropped: `maximum`: 3.4028234663852886e+38",
            "`f` at `/properties/float`: dropped: `minimum`: -3.4028234663852886e+38",
            "`f` at `/properties/signed`: dropped: `maximum`: 9223372036854775807",
            "`f` at `/properties/signed`: dropped: `minimum`: -9223372036854775808",
            "`f` at `/properties/unsigned`: dropped: `maximum`: 18446744073709551615",
            "`f` at `/properties/unsigned`: moved to the description: `minimum`: 0",
            "`f`: closed: further properties",
        ]
    );
}

#[test]
fn contradictions_do_not_poison_the_list() {
    let nothing = json!({ "allOf": [{ "type": "string" }, { "type": "integer" }] });
    let parameters =
        Arc::new(json!({ "type": "object", "properties": { "x": nothing }, "required": ["x"] }));
    let fine = Arc::new(json!({ "type": "object", "properties": {} }));
    for dialect in Dialect::ALL {
        let tools = [
            Exportable::new("bad", "", &parameters),
            Exportable::new("good", "", &fine),
        ];
        let export = export(tools, dialect);
        assert_accepted(&export, dialect);
        assert!(export.names.exported_tool("good").is_some(), "{dialect}");
        let left_out: Vec<String> = export.report.left_out().map(ToString::to_string).collect();
        if export.tools.len() == 1 {
            let expected = ["`bad` at `/properties/x`: left out: a schema that accepts nothing"];
            assert_eq!(left_out, expected, "{dialect}");
        } else {
            assert_eq!(left_out, [""; 0], "{dialect}");
        }
    }
}

/// A hint of what a flattened enum accepts survives where there are unions of objects.
#[test]
fn what_stands_beside_a_union_goes_into_its_arms() {
    let parameters = json!({ "type": "object", "properties": { "x": {
        "type": "object",
        "properties": { "n": { "type": "integer" } },
        "required": ["n"],
        "anyOf": [
            { "properties": { "kind": { "const": "dot" } }, "required": ["kind"] },
            { "properties": { "kind": { "const": "to" }, "y": { "type": "number" } },
              "required": ["kind", "y"] },
        ],
    } }, "required": ["x"] });
    for dialect in [
        Dialect::GeminiJsonSchema,
        Dialect::LlamaCpp,
        Dialect::OpenAi { strict: true },
    ] {
        let (schema, _) = exported(&parameters, dialect);
        let valid = |x: Value| is_valid(&schema, &json!({ "x": x }));
        assert_eq!(
            schema["properties"]["x"]["anyOf"].as_array().unwrap().len(),
            2,
            "{dialect}"
        );
        assert!(valid(json!({ "n": 1, "kind": "to", "y": 2 })), "{dialect}");
        assert!(!valid(json!({ "n": 1, "kind": "to" })), "{dialect}");
        assert!(!valid(json!({ "kind": "dot" })), "{dialect}");
    }
}
