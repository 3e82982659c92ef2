//! Structure: no parameters, recursion, references, null, strict, maps.

use std::collections::HashMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::super::Dialect;
use super::super::super::report::Action;
use super::super::support::{
    assert_accepted, at, every_schema, export_one, exported, is_valid, parameter, schema_of,
};
use super::{STRICT, assert_schema, losses, object, x};

#[test]
fn c01_a_tool_without_parameters() {
    let none = Arc::new(object(&json!({}), &json!([])));
    for dialect in Dialect::ALL {
        let export = export_one(&none, dialect);
        let (schema, _) = schema_of(dialect, &export.tools[0]);
        assert_eq!(schema["type"], json!("object"), "{dialect}");
        assert_eq!(schema["properties"], json!({}), "{dialect}");
        assert!(
            schema.get("required").is_none_or(|all| all == &json!([])),
            "{dialect}: {schema}"
        );
    }
    for dialect in [Dialect::Gemini, Dialect::GeminiJsonSchema] {
        let export = export_one(&none, dialect);
        assert_eq!(
            export.tools,
            [json!({ "name": "f", "description": "Does it." })]
        );
    }
}

#[test]
fn c02_no_numeric_format() {
    #[derive(JsonSchema, Deserialize)]
    #[allow(dead_code)]
    struct Numbers(u8, u64, f32, Option<u32>, Vec<u16>);

    // As a dynamic tool brings them; a Rust type loses them before.
    let foreign = x(&json!({ "type": "integer", "format": "uint8", "minimum": 0, "maximum": 255 }));
    for dialect in Dialect::ALL {
        let (schema, _) = exported(&parameter::<Numbers>(), dialect);
        every_schema(&schema, |at, map| {
            assert!(!map.contains_key("format"), "{dialect}: {at}");
        });
    }
    for dialect in [
        Dialect::OpenAi { strict: true },
        Dialect::Gemini,
        Dialect::LlamaCpp,
    ] {
        let (schema, _) = exported(&foreign, dialect);
        let expected = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
        assert_eq!(schema["properties"]["x"], expected, "{dialect}");
        let format = (
            "/properties/x".to_owned(),
            "`format`: \"uint8\"".to_owned(),
            Action::Dropped,
        );
        assert!(losses(&foreign, dialect).contains(&format), "{dialect}");
    }
}

#[test]
fn c05_no_schema_keyword() {
    for uri in [
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2020-12/schema",
    ] {
        let mut schema = x(&json!({ "type": "string" }));
        schema["$schema"] = json!(uri);
        for dialect in Dialect::ALL {
            let (schema, _) = exported(&schema, dialect);
            let kept = dialect == Dialect::Mcp && uri.contains("2020-12");
            assert_eq!(schema.get("$schema").is_some(), kept, "{dialect}");
            assert_eq!(schema.get("title"), None, "{dialect}");
        }
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Node {
    v: String,
    kids: Vec<Node>,
}

fn tree(v: &Value) -> Value {
    json!({ "v": "a", "kids": [{ "v": "b", "kids": [{ "v": v, "kids": [] }] }] })
}

#[test]
fn c06_recursive_types() {
    let parameters = parameter::<Node>();
    for dialect in Dialect::ALL {
        let export = export_one(&parameters, dialect);
        assert_accepted(&export, dialect);
        if dialect == Dialect::Gemini {
            assert_eq!(export.tools, Vec::<Value>::new());
            assert_eq!(
                export.report.to_string(),
                "`f`: left out: a recursive type: Node -> kids -> Node",
            );
            continue;
        }
        let (schema, _) = schema_of(dialect, &export.tools[0]);
        let key = if schema.get("$def").is_some() {
            "$def"
        } else {
            "$defs"
        };
        if matches!(dialect, Dialect::Ollama | Dialect::LlamaCpp) {
            let kids = &schema["properties"]["x"]["properties"]["kids"]["items"];
            assert_eq!(
                kids,
                &json!({ "type": "object", "description": "again a `Node`, as above" })
            );
        } else {
            let node = &schema[key]["Node"]["properties"];
            let reference = format!("#/{key}/Node");
            assert_eq!(
                node["kids"]["items"],
                json!({ "$ref": reference }),
                "{dialect}"
            );
            assert_eq!(
                schema["properties"]["x"],
                json!({ "$ref": reference }),
                "{dialect}"
            );
        }
        if key == "$defs" {
            let valid = |v: &Value| is_valid(&schema, &json!({ "x": tree(v) }));
            assert!(valid(&json!("c")), "{dialect}");
            let cut = matches!(dialect, Dialect::Ollama | Dialect::LlamaCpp);
            assert_eq!(valid(&json!(1)), cut, "{dialect}");
        }
    }
}

/// When the arguments themselves are recursive, `#` is the arguments and not a parameter.
#[test]
fn c06_a_recursive_root() {
    let kids = json!({ "type": "array", "items": { "$ref": "#" } });
    let parameters = Arc::new(object(
        &json!({ "v": { "type": "string" }, "kids": kids }),
        &json!(["v", "kids"]),
    ));
    for dialect in Dialect::ALL {
        let export = export_one(&parameters, dialect);
        assert_accepted(&export, dialect);
        let Some(tool) = export.tools.first() else {
            assert_eq!(dialect, Dialect::Gemini);
            let report = export.report.to_string();
            assert_eq!(
                report,
                "`f`: left out: a recursive type: arguments -> kids -> arguments"
            );
            continue;
        };
        let (schema, strict) = schema_of(dialect, tool);
        if !matches!(dialect, Dialect::Ollama | Dialect::LlamaCpp) && schema.get("$def").is_none() {
            assert!(is_valid(&schema, &tree(&json!("c"))), "{dialect}: {schema}");
            assert!(!is_valid(&schema, &tree(&json!(1))), "{dialect}: {schema}");
        }
        assert_eq!(
            strict,
            STRICT.contains(&dialect) && dialect != Dialect::Anthropic { strict: true }
        );
    }
}

#[test]
fn c06_a_cycle_goes_through_optional_properties() {
    let (schema, _) = exported(&parameter::<Node>(), Dialect::GeminiJsonSchema);
    let expected = json!({
        "type": "object",
        "properties": {
            "v": { "type": "string" },
            "kids": {
                "type": "array",
                "items": { "$ref": "#/$defs/Node" },
                "description": "required",
            },
        },
        "required": ["v"],
    });
    assert_eq!(schema["$defs"]["Node"], expected);
    let expected = [(
        "/$defs/Node/properties/kids".to_owned(),
        "required, in a recursive type".to_owned(),
        Action::Widened,
    )];
    assert_eq!(
        losses(&parameter::<Node>(), Dialect::GeminiJsonSchema),
        expected
    );
}

#[test]
fn c08_a_description_beside_a_reference() {
    /// A place on earth.
    #[derive(JsonSchema, Deserialize)]
    #[allow(dead_code)]
    struct Place {
        /// Without the country.
        city: String,
    }
    #[derive(JsonSchema, Deserialize)]
    #[allow(dead_code)]
    struct Trip {
        /// Where from
        src: Place,
        /// Where to
        dst: Place,
    }
    for dialect in Dialect::ALL {
        let (schema, _) = exported(&parameter::<Trip>(), dialect);
        let trip = at(&schema, "x");
        for (name, doc) in [("src", "Where from"), ("dst", "Where to")] {
            let shown = trip["properties"][name]["description"].as_str().unwrap();
            assert!(
                shown == doc || shown == format!("{doc}\n\nA place on earth."),
                "{shown}"
            );
            let city = at(&schema, &format!("x.{name}.city"));
            assert_eq!(
                city["description"],
                json!("Without the country."),
                "{dialect}"
            );
        }
    }
    let (schema, _) = exported(&parameter::<Trip>(), Dialect::OpenAi { strict: true });
    assert_eq!(
        at(&schema, "x")["properties"]["src"],
        json!({ "description": "Where from", "anyOf": [{ "$ref": "#/$defs/Place" }] }),
    );
}

#[test]
fn c13_options_and_null() {
    let find = object(
        &json!({
            "q": { "type": "string" },
            "limit": { "type": ["integer", "null"], "minimum": 0 },
        }),
        &json!(["q"]),
    );
    for dialect in Dialect::ALL {
        let (schema, strict) = exported(&find, dialect);
        let required = schema["required"].as_array().unwrap();
        let every = strict && dialect != Dialect::Anthropic { strict: true };
        assert_eq!(required.contains(&json!("limit")), every, "{dialect}");
        assert!(required.contains(&json!("q")), "{dialect}");
        let expected = match dialect {
            Dialect::Gemini => json!({ "type": "integer", "nullable": true, "minimum": 0 }),
            Dialect::Anthropic { strict: true } | Dialect::Ollama => {
                json!({ "type": ["integer", "null"], "description": "at least 0" })
            }
            _ => json!({ "type": ["integer", "null"], "minimum": 0 }),
        };
        assert_eq!(schema["properties"]["limit"], expected, "{dialect}");
    }
}

#[test]
fn c16_strict_is_never_beside_a_schema_that_breaks_its_rules() {
    let find = object(
        &json!({ "q": { "type": "string" }, "n": { "type": "integer" } }),
        &json!(["q"]),
    );
    for dialect in Dialect::ALL {
        let (schema, strict) = exported(&find, dialect);
        assert_eq!(strict, STRICT.contains(&dialect), "{dialect}");
        let every = strict && dialect != Dialect::Anthropic { strict: true };
        let expected = if every {
            let nullable = json!({ "type": ["integer", "null"] });
            object(
                &json!({ "q": { "type": "string" }, "n": nullable }),
                &json!(["n", "q"]),
            )
        } else {
            find.clone()
        };
        let mut expected = expected;
        if matches!(dialect, Dialect::Gemini | Dialect::Ollama) {
            expected
                .as_object_mut()
                .unwrap()
                .remove("additionalProperties");
        }
        assert_schema(dialect, &schema, &expected);
    }
}

#[test]
fn c17_maps_are_not_strict() {
    #[derive(JsonSchema, Deserialize)]
    #[allow(dead_code)]
    struct Args {
        labels: HashMap<String, String>,
        body: serde_json::Map<String, Value>,
    }
    for dialect in Dialect::ALL {
        let export = export_one(&parameter::<Args>(), dialect);
        let (schema, strict) = schema_of(dialect, &export.tools[0]);
        assert!(!strict, "{dialect}");
        let labels = at(&schema, "x.labels");
        if matches!(dialect, Dialect::Gemini | Dialect::Ollama) {
            let described =
                json!({ "type": "object", "description": "any keys, each value: string" });
            assert_eq!(labels, &described, "{dialect}");
        } else {
            let expected = json!({ "type": "string" });
            assert_eq!(labels["additionalProperties"], expected, "{dialect}");
        }
        let closed = json!({ "type": "object", "properties": {}, "additionalProperties": false });
        assert_ne!(at(&schema, "x.body"), &closed, "{dialect}");
        if STRICT.contains(&dialect) {
            let mut reasons: Vec<String> = export.report.iter().map(ToString::to_string).collect();
            reasons.retain(|reason| reason.contains("non-strict"));
            reasons.sort();
            assert_eq!(
                reasons,
                [
                    "`f` at `/$defs/Args/properties/body`: went out non-strict: \
                 a map: an object with any keys",
                    "`f` at `/$defs/Args/properties/labels`: went out non-strict: \
                 a map: an object with any keys",
                ]
            );
        }
    }
}
