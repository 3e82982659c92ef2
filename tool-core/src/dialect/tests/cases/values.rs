//! Values: tuples, untyped, unions, enums, formats, bounds.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::super::Dialect;
use super::super::super::report::Action;
use super::super::support::{at, every_schema, exported, is_valid, listed, parameter};
use super::{STRICT, losses, object, x};

#[test]
fn c20_tuples() {
    let pair = x(&json!({
        "type": "array",
        "prefixItems": [{ "type": "number" }, { "type": "number" }],
        "minItems": 2, "maxItems": 2,
    }));
    let mixed = x(&json!({
        "type": "array",
        "prefixItems": [{ "type": "number" }, { "type": "string" }],
        "items": false,
        "minItems": 2,
    }));
    for dialect in Dialect::ALL {
        let free = matches!(dialect, Dialect::Anthropic { strict: false } | Dialect::Mcp);
        let (schema, strict) = exported(&pair, dialect);
        assert_eq!(strict, STRICT.contains(&dialect), "{dialect}");
        let array = &schema["properties"]["x"];
        assert_eq!(array.get("items").is_none(), free, "{dialect}");
        let tuple = free || dialect == Dialect::GeminiJsonSchema;
        assert_eq!(array.get("prefixItems").is_some(), tuple, "{dialect}");

        let (schema, strict) = exported(&mixed, dialect);
        assert!(!strict, "{dialect}");
        let array = &schema["properties"]["x"];
        if matches!(
            dialect,
            Dialect::OpenAi { .. } | Dialect::Gemini | Dialect::LlamaCpp
        ) {
            let expected = json!({
                "type": "array",
                "items": { "anyOf": [{ "type": "number" }, { "type": "string" }] },
                "minItems": 2,
                "maxItems": 2,
                "description": "in this order: number, string",
            });
            assert_eq!(array, &expected, "{dialect}");
        }
    }
    let (schema, _) = exported(&pair, Dialect::OpenAi { strict: true });
    let items = json!({ "type": "number" });
    let expected = json!({ "type": "array", "items": items, "minItems": 2, "maxItems": 2 });
    assert_eq!(schema["properties"]["x"], expected);
}

#[test]
fn c21_untyped_values() {
    let untyped = object(
        &json!({ "any": true, "list": { "type": "array", "items": true }, "bare": { "type": "array" } }),
        &json!(["any", "list", "bare"]),
    );
    for dialect in Dialect::ALL {
        let (schema, strict) = exported(&untyped, dialect);
        assert!(!strict, "{dialect}");
        if dialect == Dialect::Mcp {
            assert_eq!(schema, untyped);
            continue;
        }
        assert!(schema["properties"]["any"].is_object(), "{dialect}");
        assert!(
            schema["properties"]["list"]["items"].is_object(),
            "{dialect}"
        );
        if !matches!(dialect, Dialect::Anthropic { .. }) {
            assert!(
                schema["properties"]["bare"]["items"].is_object(),
                "{dialect}"
            );
        }
    }
    let (schema, _) = exported(&untyped, Dialect::Gemini);
    every_schema(&schema, |at, map| {
        assert!(
            map.contains_key("type") || map.contains_key("anyOf"),
            "{at}: {map:?}"
        );
    });
}

#[test]
fn c22_an_internally_tagged_enum() {
    #[derive(JsonSchema, Deserialize)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    #[allow(dead_code)]
    enum Shape {
        Dot,
        Circle { r: f64 },
        Rect(Wh),
    }
    #[derive(JsonSchema, Deserialize)]
    #[allow(dead_code)]
    struct Wh {
        w: u32,
        h: u32,
    }
    for dialect in Dialect::ALL {
        let (schema, strict) = exported(&parameter::<Shape>(), dialect);
        assert_eq!(strict, STRICT.contains(&dialect), "{dialect}");
        assert_eq!(listed(&schema), ["circle", "dot", "rect"], "{dialect}");
        let arms = at(&schema, "x")["anyOf"].as_array().unwrap();
        assert_eq!(arms.len(), 3, "{dialect}");
        if matches!(
            dialect,
            Dialect::OpenAi { strict: true } | Dialect::Gemini | Dialect::GeminiJsonSchema
        ) {
            let properties = arms[2]["properties"].as_object().unwrap();
            let mut names: Vec<&str> = properties.keys().map(String::as_str).collect();
            names.sort_unstable();
            assert_eq!(names, ["h", "kind", "w"], "{dialect}");
            assert_eq!(
                arms[2]["properties"]["kind"],
                json!({ "type": "string", "enum": ["rect"] })
            );
        }
        if !matches!(dialect, Dialect::DeepSeek { strict: true }) {
            let rect = |value| is_valid(&schema, &json!({ "x": value }));
            assert!(rect(json!({ "h": 2, "w": 1, "kind": "rect" })), "{dialect}");
            assert!(!rect(json!({ "kind": "rect", "w": 1 })), "{dialect}");
            assert!(!rect(json!({ "kind": "oval" })), "{dialect}");
        }
    }
}

#[test]
fn c26_an_untagged_union_has_three_arms_everywhere() {
    #[derive(JsonSchema, Deserialize)]
    #[serde(untagged)]
    #[allow(dead_code)]
    enum U {
        N(i64),
        S(String),
        L(Vec<String>),
    }
    for dialect in Dialect::ALL {
        let (schema, _) = exported(&parameter::<U>(), dialect);
        let arms = at(&schema, "x")["anyOf"].as_array().unwrap();
        let types: Vec<&Value> = arms.iter().map(|arm| &arm["type"]).collect();
        assert_eq!(types, ["integer", "string", "array"], "{dialect}");
        assert_eq!(arms[2]["items"], json!({ "type": "string" }), "{dialect}");
    }
}

#[test]
fn c28_documented_variants_are_one_enum() {
    let arms = json!([
        { "const": "Fast", "description": "quick scan", "type": "string" },
        { "const": "Deep", "description": "full scan", "type": "string" },
    ]);
    let one = json!([{ "const": "Only", "description": "the only one", "type": "string" }]);
    for dialect in Dialect::ALL {
        if matches!(dialect, Dialect::Mcp | Dialect::Anthropic { strict: false }) {
            continue;
        }
        let (schema, _) = exported(&x(&json!({ "oneOf": arms })), dialect);
        let expected = json!({
            "type": "string",
            "enum": ["Fast", "Deep"],
            "description": "- `Fast`: quick scan\n- `Deep`: full scan",
        });
        assert_eq!(schema["properties"]["x"], expected, "{dialect}");
        let (schema, _) = exported(&x(&json!({ "oneOf": one })), dialect);
        let expected = json!({
            "type": "string",
            "enum": ["Only"],
            "description": "- `Only`: the only one",
        });
        assert_eq!(schema["properties"]["x"], expected, "{dialect}");
    }
}

#[test]
fn c30_formats_become_words() {
    let formats = ["uuid", "date", "date-time", "uri"];
    let properties: serde_json::Map<String, Value> = formats
        .iter()
        .map(|format| {
            (
                format.replace('-', "_"),
                json!({ "type": "string", "format": format }),
            )
        })
        .collect();
    let required = json!(properties.keys().collect::<Vec<_>>());
    let parameters = object(&Value::Object(properties), &required);
    for dialect in Dialect::ALL {
        let kept: &[&str] = match dialect {
            Dialect::OpenAi { strict: true } | Dialect::OpenAiResponses { strict: true } => {
                &["uuid", "date", "date-time"]
            }
            Dialect::Gemini => &["date-time"],
            Dialect::GeminiJsonSchema | Dialect::Ollama => &[],
            Dialect::DeepSeek { strict: true } => &["uuid"],
            Dialect::LlamaCpp => &["uuid", "date", "date-time"],
            _ => &formats,
        };
        let (schema, _) = exported(&parameters, dialect);
        for format in formats {
            let expected = if kept.contains(&format) {
                json!({ "type": "string", "format": format })
            } else {
                json!({ "type": "string", "description": format!("format: {format}") })
            };
            let name = format.replace('-', "_");
            assert_eq!(schema["properties"][&name], expected, "{dialect}");
        }
    }
}

#[test]
fn c32_bounds_that_a_target_refuses() {
    let parameters = object(
        &json!({
            "k": { "type": "integer", "description": "How many.", "minimum": 1, "maximum": 10 },
            "s": { "type": "string", "minLength": 1 },
        }),
        &json!(["k", "s"]),
    );
    let (schema, _) = exported(&parameters, Dialect::Anthropic { strict: true });
    let k = schema["properties"]["k"]["description"].as_str().unwrap();
    assert!(
        k == "How many. (at least 1; at most 10)" || k == "How many. (at most 10; at least 1)",
        "{k}",
    );
    let s = json!({ "type": "string", "description": "at least 1 character" });
    for dialect in STRICT
        .into_iter()
        .chain([Dialect::Gemini, Dialect::GeminiJsonSchema])
    {
        let (schema, _) = exported(&parameters, dialect);
        assert_eq!(schema["properties"]["s"], s, "{dialect}");
        let loss = (
            "/properties/s".to_owned(),
            "`minLength`: 1".to_owned(),
            Action::MovedToDescription,
        );
        assert!(losses(&parameters, dialect).contains(&loss), "{dialect}");
    }
}
