//! Bounds on time, memory and stack.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::super::Dialect;
use super::support::{assert_accepted, export_all, export_one, names, none};

/// Seven levels of ten references each: ten million schemas when inlined.
fn bomb() -> Arc<Value> {
    let mut definitions = Map::new();
    for level in 0..7 {
        let below = json!({ "$ref": format!("#/$defs/D{}", level + 1), "description": "Below." });
        let property = |number| (format!("p{number}"), below.clone());
        let properties: Map<String, Value> = (0..10).map(property).collect();
        definitions.insert(
            format!("D{level}"),
            json!({ "type": "object", "properties": properties, "required": ["p0"] }),
        );
    }
    definitions.insert("D7".to_owned(), json!({ "type": "string" }));
    Arc::new(json!({
        "type": "object", "properties": { "x": { "$ref": "#/$defs/D0" } }, "$defs": definitions,
    }))
}

#[test]
fn inlining_is_bounded() {
    let bomb = bomb();
    for dialect in Dialect::ALL {
        let (bomb, none) = (Arc::clone(&bomb), none());
        let tools = [("bomb".to_owned(), bomb), ("fine".to_owned(), none)];
        let export = export_all(&tools, dialect);
        assert_accepted(&export, dialect);
        let report = export.report.to_string();
        match dialect {
            Dialect::Gemini | Dialect::Ollama | Dialect::LlamaCpp => {
                assert_eq!(
                    report, "`bomb`: left out: inlined, it has more than 50000 schemas",
                    "{dialect}",
                );
                assert_eq!(export.tools.len(), 1, "{dialect}");
            }
            _ => assert_eq!(export.tools.len(), 2, "{dialect}"),
        }
    }
}

/// `allOf` of two unions of two unions, and so on: the product of all arms is not written out.
#[test]
fn products_of_unions_are_bounded() {
    let union =
        json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }, { "type": "null" }] });
    let all = json!({ "allOf": vec![union; 40] });
    let nested = json!({ "allOf": [all, all, { "anyOf": [all, all] }] });
    for dialect in Dialect::ALL {
        let export = export_one(
            &Arc::new(json!({ "type": "object", "properties": { "x": nested } })),
            dialect,
        );
        assert_accepted(&export, dialect);
        assert_eq!(
            export.tools.len() + export.report.left_out().count(),
            1,
            "{dialect}"
        );
    }
}

#[test]
fn depth_is_bounded_on_a_small_stack() {
    let pair = |keyword: &str, value: Value| Map::from_iter([(keyword.to_owned(), value)]);
    let nested = |levels: usize, wrap: &dyn Fn(Value) -> Map<String, Value>| {
        let leaf = pair("type", json!("string"));
        let schema = (0..levels).fold(leaf, |inner, _| wrap(Value::Object(inner)));
        let properties = Value::Object(pair("x", Value::Object(schema)));
        let mut root = pair("type", json!("object"));
        root.insert("properties".to_owned(), properties);
        Arc::new(Value::Object(root))
    };
    let object = |inner| {
        let mut schema = pair("type", json!("object"));
        schema.insert("properties".to_owned(), Value::Object(pair("a", inner)));
        schema
    };
    let array = |inner| {
        let mut schema = pair("type", json!("array"));
        schema.insert("items".to_owned(), inner);
        schema
    };
    let union = |inner| {
        let mut schema = pair(
            "anyOf",
            Value::Array(vec![json!({ "type": "integer" }), inner]),
        );
        schema.insert("description".to_owned(), json!("Either."));
        schema
    };
    let all = |inner| {
        pair(
            "allOf",
            Value::Array(vec![inner, json!({ "minLength": 1 })]),
        )
    };
    let wraps: [&dyn Fn(Value) -> Map<String, Value>; 4] = [&object, &array, &union, &all];
    let deep: Vec<Arc<Value>> = wraps.iter().map(|wrap| nested(60, wrap)).collect();
    let deeper: Vec<Arc<Value>> = wraps.iter().map(|wrap| nested(200, wrap)).collect();
    // What is dropped on the small stack is not the last of it.
    let kept = (deep.clone(), deeper.clone());
    let run = move || {
        for dialect in Dialect::ALL {
            for deep in &deep {
                let export = export_one(deep, dialect);
                assert_eq!(export.tools.len(), 1, "{dialect}: {}", export.report);
            }
            for deeper in &deeper {
                let export = export_one(deeper, dialect);
                let losses: Vec<String> =
                    export.report.left_out().map(ToString::to_string).collect();
                let expected = ["`f`: left out: a schema of more than 160 levels of JSON"];
                assert_eq!(losses, expected, "{dialect}");
            }
        }
    };
    std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
    drop(kept);
}

/// A chain of definitions is deep only when it is inlined.
#[test]
fn a_long_chain_of_definitions() {
    let mut definitions = Map::new();
    for level in 0..2_000 {
        let below = json!({ "$ref": format!("#/$defs/D{}", level + 1) });
        let schema = json!({ "type": "object", "properties": { "a": below }, "required": ["a"] });
        definitions.insert(format!("D{level}"), schema);
    }
    definitions.insert("D2000".to_owned(), json!({ "type": "string" }));
    let chain = json!({
        "type": "object", "properties": { "x": { "$ref": "#/$defs/D0" } }, "$defs": definitions,
    });
    let run = move || {
        let chain = Arc::new(chain);
        for dialect in Dialect::ALL {
            let export = export_one(&chain, dialect);
            let inlines = matches!(
                dialect,
                Dialect::Gemini | Dialect::Ollama | Dialect::LlamaCpp
            );
            assert_eq!(
                export.tools.is_empty(),
                inlines,
                "{dialect}: {}",
                export.report
            );
        }
    };
    std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

/// References to references, without anything between them.
#[test]
fn a_long_chain_of_references() {
    let mut definitions = Map::new();
    for level in 0..2_000 {
        definitions.insert(
            format!("D{level}"),
            json!({ "$ref": format!("#/$defs/D{}", level + 1) }),
        );
    }
    definitions.insert("D2000".to_owned(), json!({ "$ref": "#/$defs/D0" }));
    let chain = json!({
        "type": "object", "properties": { "x": { "$ref": "#/$defs/D0" } }, "$defs": definitions,
    });
    let run = move || {
        let chain = Arc::new(chain);
        for dialect in Dialect::ALL {
            let export = export_one(&chain, dialect);
            let names = export.tools.len() + export.report.left_out().count();
            assert!(names >= 1, "{dialect}");
        }
    };
    std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn ten_thousand_tools() {
    let parameters = Arc::new(json!({
        "type": "object",
        "properties": {
            "q": { "type": "string", "description": "What to find.", "minLength": 1 },
            "limit": { "type": ["integer", "null"], "minimum": 0, "maximum": 100 },
            "place": { "$ref": "#/$defs/Place", "description": "Where." },
            "a b": { "type": "array", "items": { "type": "string" } },
        },
        "required": ["q"],
        "additionalProperties": false,
        "$defs": { "Place": {
            "type": "object",
            "properties": { "city": { "type": "string" }, "zip": { "type": "string" } },
            "required": ["city"],
        } },
    }));
    let tools: Vec<(String, Arc<Value>)> = names(10_000)
        .into_iter()
        .map(|name| (name, Arc::clone(&parameters)))
        .collect();
    for dialect in [
        Dialect::OpenAi { strict: false },
        Dialect::Anthropic { strict: true },
        Dialect::Gemini,
        Dialect::Mcp,
    ] {
        let export = export_all(&tools, dialect);
        assert_eq!(
            export.tools.len() + export.report.left_out().count(),
            10_000,
            "{dialect}"
        );
    }
}
