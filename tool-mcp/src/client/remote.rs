//! One tool of a server: how it is defined here, and how it is called there.

use rmcp::model::ContentBlock as McpBlock;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest, ServerResult, Tool,
    ToolAnnotations,
};
use rmcp::service::ServiceError;
use serde_json::{Value, json};
use tool_core::{ContentBlock, Hints, OnCancel, RunContext, ToolDefinition, ToolError, ToolOutput};

use super::import::ImportOptions;
use super::{Remote, code};
use crate::convert::{from_mcp, size};
use crate::withdraw;

/// How many bytes a name, a description and a schema may have. A description longer than this is
/// no description, and a model would have to read it with every request.
const NAME: usize = 256;
const DESCRIPTION: usize = 16 * 1024;
const SCHEMA: usize = 256 * 1024;

/// The definition under which a listed tool is registered, or why it is not.
pub(super) fn definition(
    tool: &Tool,
    name: String,
    options: &ImportOptions,
    remote: &Remote,
) -> Result<ToolDefinition, String> {
    let description = tool.description.as_deref().unwrap_or_default();
    let input = Value::Object(tool.input_schema.as_ref().clone());
    let output = tool.output_schema.as_deref().cloned().map(Value::Object);
    within(&name, NAME, "name")?;
    if name.chars().any(char::is_control) {
        return Err("its name has control characters".to_owned());
    }
    within(description, DESCRIPTION, "description")?;
    within(&input.to_string(), SCHEMA, "input schema")?;
    if let Some(output) = &output {
        within(&output.to_string(), SCHEMA, "output schema")?;
    }
    let call = Call {
        remote: remote.clone(),
        tool: tool.name.to_string(),
        structured: output.is_some(),
        max_bytes: options.max_result_bytes,
    };
    let output = output.unwrap_or_else(|| json!({}));
    let mut definition = ToolDefinition::dynamic(name, description.to_owned(), input, output)
        .handler(move |arguments: Value, cx: RunContext| {
            let call = call.clone();
            async move { call.run(arguments, &cx).await }
        })
        .on_cancel(OnCancel::Drop);
    let title = tool.title.as_deref();
    let annotated = tool.annotations.as_ref();
    let title = title.or_else(|| annotated.and_then(|said| said.title.as_deref()));
    if let Some(title) = title.filter(|title| title.len() <= NAME) {
        definition = definition.title(title.to_owned());
    }
    if let Some(timeout) = options.timeout {
        definition = definition.timeout(timeout);
    }
    if options.trust_hints {
        let hints = hints(annotated);
        definition = definition
            .hints(hints)
            .concurrency_safe(hints.read_only == Some(true));
    }
    Ok(definition)
}

fn within(text: &str, most: usize, what: &str) -> Result<(), String> {
    if text.len() <= most {
        return Ok(());
    }
    let bytes = text.len();
    Err(format!("its {what} has {bytes} bytes, more than {most}"))
}

fn hints(annotations: Option<&ToolAnnotations>) -> Hints {
    let mut hints = Hints::default();
    if let Some(said) = annotations {
        hints.read_only = said.read_only_hint;
        hints.destructive = said.destructive_hint;
        hints.idempotent = said.idempotent_hint;
        hints.open_world = said.open_world_hint;
    }
    hints
}

/// How a remote tool is called.
#[derive(Clone)]
struct Call {
    remote: Remote,
    tool: String,
    /// Whether the server declared an output schema, and so owes structured content.
    structured: bool,
    max_bytes: usize,
}

impl Call {
    /// The body. It is dropped when it is cancelled, and then the server is told that the result is
    /// not wanted any more.
    async fn run(self, arguments: Value, cx: &RunContext) -> Result<ToolOutput, ToolError> {
        let Value::Object(arguments) = arguments else {
            return Err(ToolError::new("the arguments are no object"));
        };
        let params = CallToolRequestParams::new(self.tool.clone()).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let calling = withdraw::request(&self.remote.peer, request, |sent| {
            let token = sent.progress_token.clone();
            self.remote.hearing.progress_for(token, cx.clone())
        });
        let answered = tokio::select! {
            biased;
            answered = calling => answered,
            // A transport may take its time to notice for each request what it knows as a whole.
            () = self.remote.closed.cancelled() => Err(ServiceError::TransportClosed),
        };
        match answered {
            Ok(answer) => self.output(answer),
            Err(error) => Err(self.failure(error)),
        }
    }

    fn failure(&self, error: ServiceError) -> ToolError {
        let label = &self.remote.label;
        match error {
            ServiceError::TransportClosed | ServiceError::TransportSend(_) => ToolError::new(
                format!("MCP server `{label}` is gone; the call may have taken effect"),
            )
            .with_code(code::MCP_SERVER_GONE),
            ServiceError::McpError(error) => ToolError::new(format!(
                "MCP server `{label}` refused the call: {} ({})",
                error.message, error.code.0
            ))
            .with_code(code::MCP_PROTOCOL),
            other => ToolError::new(format!("MCP server `{label}`: {other}"))
                .with_code(code::MCP_PROTOCOL),
        }
    }

    fn output(&self, answer: ServerResult) -> Result<ToolOutput, ToolError> {
        let result = match answer {
            ServerResult::CallToolResult(result) => result,
            ServerResult::EmptyResult(_) => CallToolResult::success(Vec::new()),
            ServerResult::CustomResult(result) => lenient(result.0),
            _ => {
                return Err(self.wrong("answered the call with something that is no tool's result"));
            }
        };
        let content: Vec<ContentBlock> = result.content.into_iter().map(from_mcp).collect();
        let structured = result.structured_content;
        let bytes = content.iter().map(size).sum::<usize>()
            + structured
                .as_ref()
                .map_or(0, |value| value.to_string().len());
        if bytes > self.max_bytes {
            let (label, most) = (&self.remote.label, self.max_bytes);
            return Err(ToolError::new(format!(
                "the result from MCP server `{label}` has {bytes} bytes, more than {most}; ask for less"
            ))
            .with_code(code::MCP_RESULT_TOO_LARGE));
        }
        if result.is_error == Some(true) {
            return Err(remote_failure(&content));
        }
        match structured {
            Some(value) if content.is_empty() => {
                let shown = ContentBlock::text(value.to_string());
                Ok(ToolOutput::new(value, shown))
            }
            Some(value) => Ok(ToolOutput::new(value, content)),
            None if self.structured => {
                Err(self.wrong("declares an output schema and sent no structured content"))
            }
            None => Ok(ToolOutput::new(texts(&content), content)),
        }
    }

    fn wrong(&self, what: &str) -> ToolError {
        let label = &self.remote.label;
        ToolError::new(format!("MCP server `{label}` {what}")).with_code(code::MCP_PROTOCOL)
    }
}

/// What a remote calls a failure: its text, without the word that this side puts before it.
fn remote_failure(content: &[ContentBlock]) -> ToolError {
    let text = joined(content);
    let text = text.strip_prefix("Error: ").unwrap_or(&text);
    if text.trim().is_empty() {
        return ToolError::new("the remote tool failed and did not say why");
    }
    ToolError::new(text)
}

/// The value of a result without structured content: its text, for programs as for models.
fn texts(content: &[ContentBlock]) -> Value {
    if content.iter().any(|block| block.as_text().is_some()) || content.is_empty() {
        let texts: Vec<&str> = content.iter().filter_map(ContentBlock::as_text).collect();
        return Value::String(texts.join("\n"));
    }
    Value::Null
}

fn joined(content: &[ContentBlock]) -> String {
    let shown: Vec<String> = content
        .iter()
        .map(|block| match block.as_text() {
            Some(text) => text.to_owned(),
            None => format!("[{} content]", block.kind()),
        })
        .collect();
    shown.join("\n")
}

/// A result with a block of a kind that is not known here: the others are kept.
fn lenient(mut result: Value) -> CallToolResult {
    let blocks = match result.get_mut("content").map(Value::take) {
        Some(Value::Array(blocks)) => blocks,
        _ => Vec::new(),
    };
    let content = blocks
        .into_iter()
        .map(|block| {
            let kind = block.get("type").and_then(Value::as_str).map(str::to_owned);
            serde_json::from_value(block).unwrap_or_else(|_| {
                McpBlock::text(format!(
                    "[{} content]",
                    kind.as_deref().unwrap_or("unknown")
                ))
            })
        })
        .collect();
    let mut lenient = CallToolResult::success(content);
    lenient.is_error = result.get("isError").and_then(Value::as_bool);
    lenient.structured_content = result.get_mut("structuredContent").map(Value::take);
    lenient
}
