//! Tools of `rig` as tools of ours.

use std::sync::Arc;

use rig_core::message::{DocumentSourceKind, Image, MimeType, ToolResultContent};
use rig_core::tool::{DynamicTool, ErasedTool, Tool, ToolContext};
use serde_json::{Value, json};
use tool_core::{ContentBlock, OnCancel, RunContext, ToolDefinition, ToolError, ToolOutput};

use crate::errors::error_from_rig;

/// A tool of `rig` as a definition to be registered.
///
/// Arguments are checked against its parameters before it is called, and again by itself. Its
/// context holds our [`RunContext`], for a tool that wants to know of the call it serves:
/// `context.scope::<RunContext>()`. A call that is cancelled drops it, as `rig` does.
pub(crate) fn from_rig<T: Tool + 'static>(tool: T) -> ToolDefinition {
    let (name, description) = (T::NAME, Tool::description(&tool));
    let parameters = Tool::parameters(&tool);
    let tool = Arc::new(tool);
    ToolDefinition::dynamic(name, description, parameters, json!({}))
        .handler(move |arguments: Value, cx: RunContext| {
            let tool = tool.clone();
            async move {
                let mut context = ToolContext::new().with_scope(Arc::new(cx));
                let called = tool.execute(arguments.to_string(), &mut context).await;
                output(called.into_result())
            }
        })
        .on_cancel(OnCancel::Drop)
}

/// The same of a tool that is known at run time only.
pub(crate) fn from_dynamic(tool: DynamicTool) -> ToolDefinition {
    let definition = tool.definition();
    let name = definition.name.to_string();
    ToolDefinition::dynamic(
        name,
        definition.description,
        definition.parameters,
        json!({}),
    )
    .handler(move |arguments: Value, cx: RunContext| {
        let tool = tool.clone();
        async move {
            let mut context = ToolContext::new().with_scope(Arc::new(cx));
            output(tool.execute_with(&mut context, arguments).await)
        }
    })
    .on_cancel(OnCancel::Drop)
}

/// The value for programs is that of the only block that has one, or a list of them all; the model
/// is shown the blocks.
fn output(
    called: Result<rig_core::tool::ToolOutput, rig_core::tool::ToolExecutionError>,
) -> Result<ToolOutput, ToolError> {
    let blocks = called
        .map_err(|error| error_from_rig(&error))?
        .into_content();
    let mut values: Vec<Value> = blocks.iter().filter_map(value).collect();
    let value = match values.len() {
        0 => Value::Null,
        1 => values.remove(0),
        _ => Value::Array(values),
    };
    let content: Vec<ContentBlock> = blocks.into_iter().map(block).collect();
    Ok(ToolOutput::new(value, content))
}

fn value(block: &ToolResultContent) -> Option<Value> {
    match block {
        ToolResultContent::Text(text) => Some(Value::String(text.text.clone())),
        ToolResultContent::Json { value } => Some(value.clone()),
        ToolResultContent::Image(_) => None,
    }
}

fn block(block: ToolResultContent) -> ContentBlock {
    match block {
        ToolResultContent::Text(text) => ContentBlock::text(text.text),
        ToolResultContent::Json { value } => ContentBlock::text(value.to_string()),
        ToolResultContent::Image(Image {
            data: DocumentSourceKind::Base64(data),
            media_type: Some(media_type),
            ..
        }) => ContentBlock::image(data, media_type.to_mime_type()),
        // What is elsewhere, or of no known type, is named: it cannot be shown.
        ToolResultContent::Image(Image {
            data: DocumentSourceKind::Url(url),
            ..
        }) => ContentBlock::text(format!("[image: {url}]")),
        ToolResultContent::Image(_) => ContentBlock::text("[image content]"),
    }
}
