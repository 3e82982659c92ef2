//! The wire shape of Gemini: one `FunctionDeclaration`.

use serde_json::{Value, json};

use super::wire::{Tool, Wire, text};

/// Under `parameters`, the OpenAPI subset.
pub(super) const OPENAPI: &str = "parameters";

/// Under `parametersJsonSchema`, JSON Schema.
pub(super) const JSON_SCHEMA: &str = "parametersJsonSchema";

/// `{"name": .., "description": .., "parameters": {..}}`, with `parameters` left out when there
/// are none: some paths of the API refuse an object without properties.
pub(super) fn declaration(tool: &Tool<'_>, keyword: &str) -> Value {
    // The description is a required field.
    let description = tool
        .description()
        .or(tool.source.title)
        .unwrap_or(tool.source.name);
    let mut written = json!({ "name": tool.name, "description": description });
    let properties = tool.schema.get("properties").and_then(Value::as_object);
    let takes_more = tool.schema.get("description").is_some()
        || tool
            .schema
            .get("additionalProperties")
            .is_some_and(|more| more != &json!(false));
    if properties.is_some_and(|properties| !properties.is_empty()) || takes_more {
        written[keyword] = tool.schema.clone();
        if properties.is_some_and(serde_json::Map::is_empty)
            && let Some(schema) = written[keyword].as_object_mut()
        {
            schema.remove("properties");
        }
    }
    written
}

pub(super) fn read<'v>(tool: &'v Value, keyword: &str) -> Result<Wire<'v>, String> {
    let other = if keyword == OPENAPI {
        JSON_SCHEMA
    } else {
        OPENAPI
    };
    if tool.get(other).is_some() {
        return Err(format!("`{other}` belongs to another dialect"));
    }
    text(tool, "description").ok_or("`description` is missing")?;
    Ok(Wire {
        name: text(tool, "name").ok_or("`name` is missing")?,
        schema: tool.get(keyword),
        strict: false,
    })
}
