//! From a result of the pipeline to what a client is answered.

use rmcp::model::{CallToolResult, ContentBlock, ErrorData, Tool};
use serde_json::Value;
use tool_core::{ToolResult, code};

use crate::convert::to_mcp;

/// The answer to a call of `tool`: content, contexts below it, and the value beside them where the
/// content shows the same.
pub(super) fn answer(result: &ToolResult, tool: Option<&Tool>) -> CallToolResult {
    let contexts = result
        .additional_contexts()
        .iter()
        .flat_map(|context| &context.content);
    let content: Vec<ContentBlock> = result
        .content()
        .iter()
        .chain(contexts)
        .map(to_mcp)
        .collect();
    if result.is_error() {
        return CallToolResult::error(content);
    }
    let mut answer = CallToolResult::success(content);
    answer.structured_content = structured(result, tool);
    if let Some(mirror) = mirror(result) {
        answer.content[0] = ContentBlock::text(mirror);
    }
    answer
}

/// The text of a value that is rendered as its JSON: exactly as the structured content is written.
/// (A struct writes its fields in their own order, and a JSON value may keep another.)
fn mirror(result: &ToolResult) -> Option<String> {
    let value = result.value().filter(|value| value.is_object())?;
    let [block] = result.content() else {
        return None;
    };
    let shown = block.as_text().filter(|_| !result.content_replaced())?;
    let written = value.to_string();
    let same = || serde_json::from_str::<Value>(shown).is_ok_and(|shown| shown == *value);
    (shown != written && shown.len() == written.len() && same()).then_some(written)
}

/// The value, for programs; only an object, as the protocol had it up to 2025-11-25.
///
/// Clients hand it to models, too. So where a hook has replaced the content, the value that was
/// hidden stays here, and what the hook shows goes out in its place, if that is JSON of the same
/// schema. (A hook that turns `{"token":"abc"}` into `{"token":"***"}` has said what to show.)
fn structured(result: &ToolResult, tool: Option<&Tool>) -> Option<Value> {
    let value = result.value()?;
    if !value.is_object() {
        return None;
    }
    if !result.content_replaced() {
        return Some(value.clone());
    }
    let schema = tool.and_then(|tool| tool.output_schema.as_deref());
    let shown = shown_object(result);
    let fits = |shown: &Value| {
        schema.is_none_or(|schema| {
            let schema = Value::Object(schema.clone());
            jsonschema::validator_for(&schema).is_ok_and(|validator| validator.is_valid(shown))
        })
    };
    let shown = shown.filter(fits);
    if shown.is_none() && schema.is_some() {
        tracing::warn!(
            tool = tool.map(|tool| &*tool.name),
            "a hook replaced the content of a result that has an output schema, so it goes out \
             without structured content; let the hook replace the value, or serve without \
             `output_schemas`"
        );
    }
    shown
}

fn shown_object(result: &ToolResult) -> Option<Value> {
    let [block] = result.content() else {
        return None;
    };
    let shown: Value = serde_json::from_str(block.as_text()?).ok()?;
    shown.is_object().then_some(shown)
}

/// The protocol's error for a name that is not listed: -32602, with the words of the pipeline.
///
/// Source: Model Context Protocol 2025-11-25, "Tools", "Error Handling".
pub(super) fn unknown_tool(name: &str, result: Option<&ToolResult>) -> ErrorData {
    let message = match result {
        Some(result) => {
            let text = result.text();
            text.strip_prefix("Error: ").unwrap_or(&text).to_owned()
        }
        None => format!("unknown tool {name:?}"),
    };
    ErrorData::invalid_params(message, None)
}

/// Whether the pipeline says that there is no such tool.
pub(super) fn is_unknown(result: &ToolResult) -> bool {
    result
        .error()
        .is_some_and(|error| error.code() == code::UNKNOWN_TOOL)
}
