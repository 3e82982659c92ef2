//! The wire shapes of OpenAI, and of those who imitate Chat Completions.

use serde_json::{Value, json};

use super::wire::{Tool, Wire, text};

/// Chat Completions: `{"type": "function", "function": {..}}`. DeepSeek, Ollama and llama.cpp
/// read the same shape.
pub(super) fn chat(tool: &Tool<'_>) -> Value {
    let mut function = json!({ "name": tool.name, "parameters": tool.schema });
    if let Some(description) = tool.description() {
        function["description"] = json!(description);
    }
    if tool.strict {
        function["strict"] = json!(true);
    }
    json!({ "type": "function", "function": function })
}

/// Responses: the same without the inner object. `strict` is always said, because left out it
/// means that the API tries to make the schema strict.
pub(super) fn responses(tool: &Tool<'_>) -> Value {
    let mut function = json!({
        "type": "function",
        "name": tool.name,
        "parameters": tool.schema,
        "strict": tool.strict,
    });
    if let Some(description) = tool.description() {
        function["description"] = json!(description);
    }
    function
}

pub(super) fn read_chat(tool: &Value) -> Result<Wire<'_>, String> {
    text(tool, "type")
        .filter(|kind| *kind == "function")
        .ok_or("`type` is not `function`")?;
    read(tool.get("function").ok_or("`function` is missing")?)
}

pub(super) fn read_responses(tool: &Value) -> Result<Wire<'_>, String> {
    text(tool, "type")
        .filter(|kind| *kind == "function")
        .ok_or("`type` is not `function`")?;
    if !tool.get("strict").is_some_and(Value::is_boolean) {
        return Err("`strict` is missing, which means that the API decides".to_owned());
    }
    read(tool)
}

fn read(function: &Value) -> Result<Wire<'_>, String> {
    Ok(Wire {
        name: text(function, "name").ok_or("`name` is missing")?,
        schema: Some(
            function
                .get("parameters")
                .ok_or("`parameters` is missing")?,
        ),
        strict: function.get("strict") == Some(&json!(true)),
    })
}
