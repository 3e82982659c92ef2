//! Whole tools and lists: outputs, names, sizes.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::super::report::Action;
use super::super::super::{Dialect, Exportable, export};
use super::super::support::{assert_accepted, at, export_one, exported, parameter, schema_of};
use super::{STRICT, losses, object, x};

#[test]
fn c35_an_output_schema_is_an_object_or_is_not_sent() {
    let none = Arc::new(object(&json!({}), &json!([])));
    let definitions = json!({ "Item": { "type": "object", "properties": {} } });
    let item = json!({ "$ref": "#/$defs/Item", "$defs": definitions });
    let optional =
        json!({ "anyOf": [{ "$ref": "#/$defs/Item" }, { "type": "null" }], "$defs": definitions });
    let list = json!({ "type": "array", "items": { "type": "object" } });
    let sent = |output: &Value| {
        let tool = Exportable::new("f", "Does it.", &none).output(output);
        let export = export([tool], Dialect::Mcp);
        assert_accepted(&export, Dialect::Mcp);
        (
            export.tools[0].get("outputSchema").cloned(),
            export.report.to_string(),
        )
    };
    let mut with_type = item.clone();
    with_type["type"] = json!("object");
    assert_eq!(sent(&item), (Some(with_type), String::new()));
    let dropped = "`f`: dropped: an output schema that is not an object".to_owned();
    for output in [optional, list, json!({ "type": "integer" })] {
        assert_eq!(sent(&output), (None, dropped.clone()));
    }
}

#[test]
fn c37_input_and_output_keep_their_contracts() {
    let input = Arc::new(object(
        &json!({ "in_": { "type": "integer" }, "tags": { "type": "array", "items": { "type": "string" }, "default": [] } }),
        &json!(["in_"]),
    ));
    let output = json!({
        "type": "object",
        "properties": { "out": { "type": "integer" } },
        "required": ["out"],
    });
    let tool = Exportable::new("f", "Does it.", &input).output(&output);
    for dialect in Dialect::ALL {
        let export = export([tool], dialect);
        let (schema, strict) = schema_of(dialect, &export.tools[0]);
        assert!(schema["properties"].get("in_").is_some(), "{dialect}");
        assert!(schema["properties"].get("out").is_none(), "{dialect}");
        let every = strict && dialect != Dialect::Anthropic { strict: true };
        assert_eq!(
            schema["required"].as_array().unwrap().len(),
            if every { 2 } else { 1 }
        );
        let sent = export.tools[0].get("outputSchema");
        assert_eq!(
            sent,
            (dialect == Dialect::Mcp).then_some(&output),
            "{dialect}"
        );
    }
}

#[test]
fn c39_property_names() {
    let parameters = Arc::new(object(
        &json!({
            "filter[id]": { "type": "string" },
            "filter(id)": { "type": "string" },
            "größe": { "type": "integer" },
            "a b": { "type": ["integer", "null"] },
            "plain": { "type": "object", "additionalProperties": { "type": "integer" } },
        }),
        &json!(["filter[id]", "filter(id)", "größe"]),
    ));
    let own = json!({
        "filter[id]": "a", "filter(id)": "b", "größe": 1, "a b": null, "plain": { "a b": 2 },
    });
    for dialect in Dialect::ALL {
        let export = export_one(&parameters, dialect);
        let (schema, _) = schema_of(dialect, &export.tools[0]);
        let properties = schema["properties"].as_object().unwrap();
        assert_eq!(properties.len(), 5, "{dialect}");
        let anthropic = matches!(dialect, Dialect::Anthropic { .. });
        let mut sent = serde_json::Map::new();
        for (name, value) in own.as_object().unwrap() {
            let exported = export.names.exported_property("f", name);
            assert!(properties.contains_key(exported), "{dialect}: {exported}");
            assert_eq!(
                exported != name,
                anthropic && name != "plain",
                "{dialect}: {name}"
            );
            sent.insert(exported.to_owned(), value.clone());
        }
        assert_eq!(sent.len(), 5, "{dialect}");
        let restored = export.names.restore_arguments("f", Value::Object(sent));
        assert_eq!(restored, own, "{dialect}");
        for name in schema["required"].as_array().unwrap() {
            assert!(
                properties.contains_key(name.as_str().unwrap()),
                "{dialect}: {name}"
            );
        }
    }
}

#[test]
fn c42_nothing_is_dropped_in_silence() {
    let parameters = Arc::new(x(
        &json!({ "type": "string", "description": "What to say." }),
    ));
    let names = ["one", "two", "three"];
    for dialect in Dialect::ALL {
        let tools = names.map(|name| Exportable::new(name, "Says it.", &parameters));
        let export = export(tools, dialect);
        assert_eq!(export.tools.len(), 3, "{dialect}");
        for tool in &export.tools {
            let (schema, _) = schema_of(dialect, tool);
            let expected = json!({ "type": "string", "description": "What to say." });
            assert_eq!(schema["properties"]["x"], expected, "{dialect}");
        }
    }
}

#[test]
fn c43_nested_items_keep_their_schema() {
    #[derive(JsonSchema, Deserialize)]
    #[allow(dead_code)]
    struct Row {
        name: String,
        ok: bool,
    }
    for dialect in Dialect::ALL {
        let (schema, _) = exported(&parameter::<Vec<Row>>(), dialect);
        assert_eq!(
            at(&schema, "x.[].name"),
            &json!({ "type": "string" }),
            "{dialect}"
        );
    }
}

#[test]
fn c45_large_enums_and_many_properties() {
    let names: Vec<String> = (0..1_200).map(|number| format!("v{number}")).collect();
    let large = x(&json!({ "type": "string", "enum": names }));
    let fields: serde_json::Map<String, Value> = (0..150)
        .map(|number| (format!("f{number}"), json!({ "type": "boolean" })))
        .collect();
    let wide = object(&Value::Object(fields), &json!([]));
    for dialect in Dialect::ALL {
        let (schema, strict) = exported(&large, dialect);
        assert_eq!(
            schema["properties"]["x"]["enum"].as_array().unwrap().len(),
            1_200,
            "{dialect}"
        );
        let openai = matches!(
            dialect,
            Dialect::OpenAi { .. } | Dialect::OpenAiResponses { .. }
        );
        assert_eq!(strict, STRICT.contains(&dialect) && !openai, "{dialect}");
        let (schema, strict) = exported(&wide, dialect);
        assert_eq!(
            schema["properties"].as_object().unwrap().len(),
            150,
            "{dialect}"
        );
        let anthropic = matches!(dialect, Dialect::Anthropic { .. });
        assert_eq!(strict, STRICT.contains(&dialect) && !anthropic, "{dialect}");
    }
    let reason = |parameters, dialect| {
        let (_, what, action) = losses(parameters, dialect).remove(0);
        (what, action)
    };
    assert_eq!(
        reason(&large, Dialect::OpenAi { strict: true }),
        (
            "1200 enum values, 1000 are accepted".to_owned(),
            Action::WentNonStrict
        ),
    );
    assert_eq!(
        reason(&wide, Dialect::Anthropic { strict: true }),
        (
            "the request would have 150 optional properties, 24 are accepted".to_owned(),
            Action::WentNonStrict,
        ),
    );
}

#[test]
fn c78_tool_names() {
    let none = Arc::new(object(&json!({}), &json!([])));
    let long = "a".repeat(65);
    let longer = "a".repeat(129);
    let names = ["a.b", "a/b", "größe", "", &long, &longer, "1st", "fine"];
    for dialect in Dialect::ALL {
        let tools = names.map(|name| Exportable::new(name, "Does it.", &none));
        let export = export(tools, dialect);
        assert_accepted(&export, dialect);
        assert_eq!(export.tools.len(), 7, "{dialect}");
        let left_out: Vec<String> = export.report.left_out().map(ToString::to_string).collect();
        assert_eq!(
            left_out,
            ["``: left out: a tool without a name"],
            "{dialect}"
        );
        for name in names.iter().filter(|name| !name.is_empty()) {
            let exported = export.names.exported_tool(name).unwrap();
            assert_eq!(
                export.names.original_tool(exported),
                Some(*name),
                "{dialect}"
            );
            let gemini = matches!(dialect, Dialect::Gemini | Dialect::GeminiJsonSchema);
            let kept = match *name {
                "fine" => true,
                "a.b" => gemini || dialect == Dialect::Mcp,
                "1st" => !gemini,
                name => name == long && dialect == Dialect::Mcp,
            };
            assert_eq!(exported == *name, kept, "{dialect}: {name} as {exported}");
        }
    }
}

#[test]
fn c80_the_same_name_twice() {
    let none = Arc::new(object(&json!({}), &json!([])));
    for dialect in Dialect::ALL {
        let tools = ["search", "get-user", "get_user", "search"]
            .map(|name| Exportable::new(name, "Does it.", &none));
        let export = export(tools, dialect);
        assert_accepted(&export, dialect);
        assert_eq!(export.tools.len(), 3, "{dialect}");
        assert_eq!(
            export.report.to_string(),
            "`search`: left out: another tool has this name",
            "{dialect}",
        );
        for name in ["search", "get-user", "get_user"] {
            assert_eq!(export.names.exported_tool(name), Some(name), "{dialect}");
        }
    }
}
