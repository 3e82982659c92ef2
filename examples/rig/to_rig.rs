//! Tools of ours as tools of `rig`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rig_core::message::{
    DocumentSourceKind, Image, ImageMediaType, MimeType, ToolName, ToolResultContent,
};
use rig_core::tool::{DynamicTool, ToolExecutionError, ToolOutput};
use serde_json::Value;
use tool_core::{ContentBlock, Scope, ToolCall, ToolResult, ToolRuntime, ToolSchema};

use crate::errors::error_for_rig;

/// Every tool that a model is offered, of the scope or else of the runtime, as tools of `rig`.
///
/// A call of one is a call of the runtime: intake, guards, approvals, hooks and observers are part
/// of it. A call that `rig` drops is dropped here, and observers hear of it.
pub(crate) fn tools_for_rig(runtime: &ToolRuntime, scope: Option<&Scope>) -> Vec<DynamicTool> {
    let tools = offered(runtime, scope);
    let tools = tools
        .iter()
        .map(|schema| tool_for_rig(runtime, scope, schema));
    tools.collect()
}

fn offered(runtime: &ToolRuntime, scope: Option<&Scope>) -> Vec<Arc<ToolSchema>> {
    match scope {
        Some(scope) => scope.schemas(),
        None => runtime.schemas(),
    }
}

fn tool_for_rig(runtime: &ToolRuntime, scope: Option<&Scope>, schema: &ToolSchema) -> DynamicTool {
    let name = ToolName::new(&schema.name).expect("no tool is registered without a name");
    let place = (runtime.clone(), scope.cloned(), schema.name.clone());
    let live = place.clone();
    let parameters = Value::clone(&schema.parameters);
    let tool = DynamicTool::new(
        name,
        schema.description.clone(),
        parameters,
        move |arguments| {
            let (runtime, scope, name) = place.clone();
            Box::pin(async move {
                static NEXT: AtomicU64 = AtomicU64::new(1);
                let number = NEXT.fetch_add(1, Ordering::Relaxed);
                let mut call = ToolCall::new(format!("rig:{number}"), name, arguments);
                if let Some(scope) = &scope {
                    call = call.scope(scope);
                }
                output(&runtime.execute(call).await)
            })
        },
    );
    // A registry of `rig` lets go of a tool that is registered here no more.
    tool.with_liveness(move || {
        let (runtime, scope, name) = &live;
        let offered = offered(runtime, scope.as_ref());
        offered.iter().any(|schema| schema.name == *name)
    })
}

fn output(result: &ToolResult) -> Result<ToolOutput, ToolExecutionError> {
    match result.error() {
        Some(error) => Err(error_for_rig(result, error)),
        None => Ok(blocks(result)),
    }
}

/// What the model is shown: the content, and after it what would go into the next user message,
/// for which `rig` has no place of its own.
///
/// A value that is shown as it is stays JSON. Content that policy put in its place does not.
pub(crate) fn blocks(result: &ToolResult) -> ToolOutput {
    let mut blocks: Vec<ToolResultContent> = match shown_value(result) {
        Some(value) => vec![ToolResultContent::json(value.clone())],
        None => result.content().iter().map(block).collect(),
    };
    let contexts = result.additional_contexts().iter();
    blocks.extend(contexts.flat_map(|context| &context.content).map(block));
    // `rig` has no result without a block.
    ToolOutput::content(blocks).unwrap_or_else(|_| ToolOutput::text(""))
}

fn shown_value(result: &ToolResult) -> Option<&Value> {
    let value = result.value()?;
    let [ContentBlock::Text { text, .. }] = result.content() else {
        return None;
    };
    let structured = value.is_object() || value.is_array();
    let shown = structured && serde_json::from_str::<Value>(text).ok().as_ref() == Some(value);
    shown.then_some(value)
}

fn block(block: &ContentBlock) -> ToolResultContent {
    match block {
        ContentBlock::Text { text, .. } => ToolResultContent::text(text),
        ContentBlock::Image {
            data, mime_type, ..
        } => ToolResultContent::Image(Image {
            data: DocumentSourceKind::base64(data),
            media_type: ImageMediaType::from_mime_type(mime_type),
            detail: None,
            native: None,
        }),
        // `rig` knows text, JSON and images.
        other => ToolResultContent::text(format!("[{} content]", other.kind())),
    }
}
