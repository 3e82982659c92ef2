//! The wire shape of Anthropic's Messages API.

use serde_json::{Value, json};

use super::wire::{Tool, Wire, text};

/// `{"name": .., "description": .., "input_schema": {..}}`.
pub(super) fn tool(tool: &Tool<'_>) -> Value {
    let mut written = json!({ "name": tool.name, "input_schema": tool.schema });
    if let Some(description) = tool.description() {
        written["description"] = json!(description);
    }
    if tool.strict {
        written["strict"] = json!(true);
    }
    written
}

pub(super) fn read(tool: &Value) -> Result<Wire<'_>, String> {
    Ok(Wire {
        name: text(tool, "name").ok_or("`name` is missing")?,
        schema: Some(
            tool.get("input_schema")
                .ok_or("`input_schema` is missing")?,
        ),
        strict: tool.get("strict") == Some(&json!(true)),
    })
}
