//! Limits of the providers.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::super::report::Action;
use super::super::{Dialect, Export};
use super::support::{assert_accepted, export_all, export_one, exported, names, none, schema_of};

fn strict_names(export: &Export, dialect: Dialect) -> Vec<String> {
    let strict = export
        .tools
        .iter()
        .filter(|tool| schema_of(dialect, tool).1);
    strict
        .map(|tool| tool["name"].as_str().unwrap_or_default().to_owned())
        .collect()
}

/// `count` optional properties, which may be `null` as well.
fn optional(count: usize) -> Arc<Value> {
    let property = |number| (format!("p{number}"), json!({ "type": ["string", "null"] }));
    let properties: Map<String, Value> = (0..count).map(property).collect();
    Arc::new(json!({
        "type": "object", "properties": properties, "required": [], "additionalProperties": false,
    }))
}

#[test]
fn anthropic_takes_20_strict_tools() {
    let dialect = Dialect::Anthropic { strict: true };
    let mut tools: Vec<(String, Arc<Value>)> =
        names(30).into_iter().map(|name| (name, none())).collect();
    let export = export_all(&tools, dialect);
    assert_accepted(&export, dialect);
    assert_eq!(export.tools.len(), 30);
    let strict = strict_names(&export, dialect);
    assert_eq!(strict, names(20));
    let mut report = String::new();
    for name in names(30).iter().skip(20) {
        let newline = if report.is_empty() { "" } else { "\n" };
        write!(
            report,
            "{newline}`{name}`: went out non-strict: \
             the request would have 21 strict tools, 20 are accepted",
        )
        .unwrap();
    }
    assert_eq!(export.report.to_string(), report);

    tools.reverse();
    let mut backwards = strict_names(&export_all(&tools, dialect), dialect);
    backwards.reverse();
    assert_eq!(backwards, strict);
}

/// 16 unions and 24 optional properties: the smallest tools first, and `null` only where there
/// is room for it.
#[test]
fn anthropic_has_budgets_for_optional_properties_and_unions() {
    let dialect = Dialect::Anthropic { strict: true };
    let tools = [("large", 12), ("small", 5), ("middle", 8)]
        .map(|(name, count)| (name.to_owned(), optional(count)));
    let export = export_all(&tools, dialect);
    assert_accepted(&export, dialect);
    assert_eq!(strict_names(&export, dialect), ["small", "middle"]);
    assert_eq!(
        export.report.to_string(),
        "`large`: went out non-strict: the request would have 25 optional properties, \
         24 are accepted",
    );

    let tools = [("one", 10), ("two", 12)].map(|(name, count)| (name.to_owned(), optional(count)));
    let export = export_all(&tools, dialect);
    assert_accepted(&export, dialect);
    assert_eq!(strict_names(&export, dialect), ["one", "two"]);
    let (schema, _) = schema_of(dialect, &export.tools[0]);
    assert_eq!(
        schema["properties"]["p0"],
        json!({ "type": ["string", "null"] })
    );
    let (schema, _) = schema_of(dialect, &export.tools[1]);
    assert_eq!(schema["properties"]["p0"], json!({ "type": "string" }));
    assert_eq!(export.report.len(), 12);
    assert!(
        export
            .report
            .iter()
            .all(|loss| loss.tool == "two" && loss.action == Action::Narrowed)
    );
}

#[test]
fn deepseek_is_strict_for_all_tools_or_none() {
    let dialect = Dialect::DeepSeek { strict: true };
    let map = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let map = Arc::new(json!({
        "type": "object", "properties": { "map": map }, "required": ["map"], "additionalProperties": false,
    }));
    let mut tools = vec![("a".to_owned(), none()), ("b".to_owned(), optional(1))];
    let export = export_all(&tools, dialect);
    assert_accepted(&export, dialect);
    assert!(export.report.is_empty());
    assert!(
        export
            .tools
            .iter()
            .all(|tool| tool["function"]["strict"] == json!(true))
    );

    tools.push(("c".to_owned(), map));
    let export = export_all(&tools, dialect);
    assert_accepted(&export, dialect);
    assert!(
        export
            .tools
            .iter()
            .all(|tool| tool["function"].get("strict").is_none())
    );
    assert_eq!(
        export.report.to_string(),
        "`a`: went out non-strict: all tools have to be strict or none, and `c` cannot be\n\
         `b`: went out non-strict: all tools have to be strict or none, and `c` cannot be\n\
         `c` at `/properties/map`: went out non-strict: a map: an object with any keys",
    );
}

#[test]
fn openai_and_deepseek_take_128_tools() {
    let tools: Vec<(String, Arc<Value>)> =
        names(130).into_iter().map(|name| (name, none())).collect();
    for dialect in Dialect::ALL {
        let export = export_all(&tools, dialect);
        let limited = matches!(
            dialect,
            Dialect::OpenAi { .. } | Dialect::OpenAiResponses { .. } | Dialect::DeepSeek { .. }
        );
        assert_eq!(
            export.tools.len(),
            if limited { 128 } else { 130 },
            "{dialect}"
        );
        let left_out: Vec<String> = export.report.left_out().map(ToString::to_string).collect();
        let expected: &[&str] = &[
            "`tool00128`: left out: 128 tools are accepted, and there are as many",
            "`tool00129`: left out: 128 tools are accepted, and there are as many",
        ];
        assert_eq!(left_out, if limited { expected } else { &[] }, "{dialect}");
    }
}

#[test]
fn openai_strict_has_limits_of_size() {
    let dialect = Dialect::OpenAi { strict: true };
    let object = |properties: Value| {
        let names: Vec<&String> = properties.as_object().unwrap().keys().collect();
        json!({ "type": "object", "required": names, "properties": properties })
    };
    let nested = |levels: usize| {
        (1..levels).fold(object(json!({})), |inner, _| {
            let mut inner = inner;
            inner["additionalProperties"] = json!(false);
            object(json!({ "a": inner }))
        })
    };
    let properties = |count: usize, length: usize| {
        let name = |number| format!("{number:0length$}");
        object(
            (0..count)
                .map(|number| (name(number), json!({ "type": "null" })))
                .collect(),
        )
    };
    let large_enum = |count: usize, length: usize| {
        let values: Vec<String> = (0..count)
            .map(|number| format!("{number:0length$}"))
            .collect();
        object(json!({ "x": { "type": "string", "enum": values } }))
    };
    let reason = |schema: &Value| {
        let mut schema = schema.clone();
        schema["additionalProperties"] = json!(false);
        let export = export_one(&Arc::new(schema.clone()), dialect);
        assert_accepted(&export, dialect);
        let losses: Vec<String> = export.report.iter().map(|loss| loss.what.clone()).collect();
        assert_eq!(exported(&schema, dialect).1, losses.is_empty());
        losses
    };
    let fits: [&str; 0] = [];
    assert_eq!(reason(&nested(10)), fits);
    assert_eq!(
        reason(&nested(11)),
        ["11 levels of nested objects, 10 are accepted"]
    );
    assert_eq!(reason(&properties(5_000, 4)), fits);
    assert_eq!(
        reason(&properties(5_001, 4)),
        ["5001 properties, 5000 are accepted"]
    );
    assert_eq!(reason(&properties(4_000, 30)), fits);
    assert_eq!(
        reason(&properties(4_000, 31)),
        ["124000 characters in names and enum values, 120000 are accepted"],
    );
    assert_eq!(reason(&large_enum(250, 100)), fits);
    assert_eq!(
        reason(&large_enum(251, 100)),
        ["25100 characters in one enum of more than 250 values, 15000 are accepted"],
    );
}
