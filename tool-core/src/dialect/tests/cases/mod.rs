//! Faults that users of such exporters reported, one test per case number.

mod lists;
mod schemas;
mod values;

use std::sync::Arc;

use serde_json::{Value, json};

use super::super::Dialect;
use super::super::report::Action;
use super::support::export_one;

pub(super) const STRICT: [Dialect; 4] = [
    Dialect::OpenAi { strict: true },
    Dialect::OpenAiResponses { strict: true },
    Dialect::Anthropic { strict: true },
    Dialect::DeepSeek { strict: true },
];

pub(super) fn losses(parameters: &Value, dialect: Dialect) -> Vec<(String, String, Action)> {
    let export = export_one(&Arc::new(parameters.clone()), dialect);
    let parts = export
        .report
        .into_iter()
        .map(|loss| (loss.path, loss.what, loss.action));
    parts.collect()
}

pub(super) fn object(properties: &Value, required: &Value) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// One required parameter `x`.
pub(super) fn x(schema: &Value) -> Value {
    object(&json!({ "x": schema }), &json!(["x"]))
}

/// Schemas are equal up to the order of `required`, which follows that of the properties.
pub(super) fn assert_schema(dialect: Dialect, schema: &Value, expected: &Value) {
    let sorted = |schema: &Value| {
        let mut schema = schema.clone();
        if let Some(Value::Array(names)) = schema.get_mut("required") {
            names.sort_by_key(ToString::to_string);
        }
        schema
    };
    assert_eq!(sorted(schema), sorted(expected), "{dialect}");
}
