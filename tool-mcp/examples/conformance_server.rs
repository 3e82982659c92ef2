//! The server that the official conformance suite expects, and a few tools to count calls with.
//!
//! ```console
//! $ cargo run -p tool-mcp --all-features --example conformance_server -- --http 127.0.0.1:8000
//! listening on http://127.0.0.1:8000/mcp
//! ```

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

#[expect(deprecated, reason = "the suite asks for logging and sampling")]
use rmcp::model::{CreateMessageRequestParams, LoggingLevel, SamplingMessage};
use rmcp::model::{ElicitRequestParams, ElicitationSchema};
use serde_json::{Value, json};
use tokio::time::sleep;
use tool_core::{
    Cancellation, ContentBlock, ResourceContents, RunContext, State, ToolDefinition, ToolError,
    ToolOutput, ToolRuntime, tool,
};
use tool_mcp::{HttpOptions, McpCaller, McpServer};

/// A red dot.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// No sound at all.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/// Answers with a text.
#[tool(read_only, concurrency_safe)]
fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Answers with an image.
#[tool(read_only, concurrency_safe)]
fn test_image_content() -> ToolOutput {
    ToolOutput::blocks(ContentBlock::image(PNG, "image/png"))
}

/// Answers with a sound.
#[tool(read_only, concurrency_safe)]
fn test_audio_content() -> ToolOutput {
    ToolOutput::blocks(ContentBlock::audio(WAV, "audio/wav"))
}

/// Answers with a resource.
#[tool(read_only, concurrency_safe)]
fn test_embedded_resource() -> ToolOutput {
    ToolOutput::blocks(ContentBlock::resource(
        "test://embedded-resource",
        Some("text/plain".to_owned()),
        ResourceContents::Text("This is an embedded resource content.".to_owned()),
    ))
}

/// Answers with a text, an image and a resource.
#[tool(read_only, concurrency_safe)]
fn test_multiple_content_types() -> ToolOutput {
    ToolOutput::blocks([
        ContentBlock::text("Multiple content types test:"),
        ContentBlock::image(PNG, "image/png"),
        ContentBlock::resource(
            "test://mixed-content-resource",
            Some("application/json".to_owned()),
            ResourceContents::Text(r#"{"test":"data","value":123}"#.to_owned()),
        ),
    ])
}

/// Fails.
#[tool(read_only, concurrency_safe)]
fn test_error_handling() -> Result<String, ToolError> {
    Err("This tool intentionally returns an error for testing".into())
}

/// Sends three log messages.
#[tool(read_only, concurrency_safe)]
#[expect(deprecated, reason = "the suite asks for it")]
async fn test_tool_with_logging() -> Result<&'static str, ToolError> {
    let caller = caller()?;
    for message in [
        "Tool execution started",
        "Tool processing data",
        "Tool execution completed",
    ] {
        let logged = caller.log(LoggingLevel::Info, message).await;
        logged.map_err(|error| ToolError::from_std(&error))?;
        sleep(Duration::from_millis(50)).await;
    }
    Ok("logged three messages")
}

/// Reports progress.
#[tool(read_only, concurrency_safe)]
async fn test_tool_with_progress(cx: &RunContext) -> &'static str {
    for done in [0.0, 0.5, 1.0] {
        cx.progress(done, "working");
        sleep(Duration::from_millis(50)).await;
    }
    "reported three times"
}

/// Asks the client's model.
#[tool(read_only, concurrency_safe)]
#[expect(deprecated, reason = "the suite asks for it")]
async fn test_sampling(prompt: String) -> Result<String, ToolError> {
    let ask = CreateMessageRequestParams::new(vec![SamplingMessage::user_text(prompt)], 100);
    let answer = caller()?.peer().create_message(ask).await;
    let answer = answer.map_err(|error| ToolError::from_std(&error))?;
    let content = serde_json::to_value(&answer.message.content)?;
    Ok(format!("LLM response: {content}"))
}

/// Asks the user.
#[tool(read_only, concurrency_safe)]
async fn test_elicitation(message: String) -> Result<String, ToolError> {
    let answer = elicit(
        &message,
        json!({
            "type": "object",
            "properties": {
                "username": { "type": "string", "description": "User's response" },
                "email": { "type": "string", "description": "User's email address" },
            },
            "required": ["username", "email"],
        }),
    );
    Ok(format!("User response: {}", answer.await?))
}

/// Asks the user, with defaults.
#[tool(read_only, concurrency_safe)]
async fn test_elicitation_sep1034_defaults() -> Result<String, ToolError> {
    let answer = elicit(
        "Is this right?",
        json!({
            "type": "object",
            "properties": {
                "name": { "type": "string", "default": "John Doe" },
                "age": { "type": "integer", "default": 30 },
                "score": { "type": "number", "default": 95.5 },
                "status": {
                    "type": "string",
                    "enum": ["active", "inactive", "pending"],
                    "default": "active",
                },
                "verified": { "type": "boolean", "default": true },
            },
        }),
    );
    Ok(format!("Elicitation completed: {}", answer.await?))
}

/// Asks the user, with choices.
#[tool(read_only, concurrency_safe)]
async fn test_elicitation_sep1330_enums() -> Result<String, ToolError> {
    let options = ["option1", "option2", "option3"];
    let titled = |word: &str| {
        json!([
            { "const": "value1", "title": format!("First {word}") },
            { "const": "value2", "title": format!("Second {word}") },
            { "const": "value3", "title": format!("Third {word}") },
        ])
    };
    let answer = elicit(
        "Which?",
        json!({
            "type": "object",
            "properties": {
                "untitledSingle": { "type": "string", "enum": options },
                "titledSingle": { "type": "string", "oneOf": titled("Option") },
                "legacyEnum": {
                    "type": "string",
                    "enum": ["opt1", "opt2", "opt3"],
                    "enumNames": ["Option One", "Option Two", "Option Three"],
                },
                "untitledMulti": {
                    "type": "array",
                    "items": { "type": "string", "enum": options },
                },
                "titledMulti": { "type": "array", "items": { "anyOf": titled("Choice") } },
            },
        }),
    );
    Ok(format!("Elicitation completed: {}", answer.await?))
}

/// A schema that must come through as it is.
fn json_schema_2020_12_tool() -> ToolDefinition {
    let parameters = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
        },
        "additionalProperties": false,
    });
    ToolDefinition::dynamic(
        "json_schema_2020_12_tool",
        "Tool with JSON Schema 2020-12 features",
        parameters,
        json!({}),
    )
    .handler(|arguments: Value, _cx| async move { arguments })
}

/// How many bodies of `linger` run.
#[derive(Default)]
struct Gauge(AtomicUsize);

/// Counts a body for as long as it runs, however it ends.
struct Counted<'a>(&'a Gauge);

impl<'a> Counted<'a> {
    fn new(gauge: &'a Gauge) -> Self {
        gauge.0.fetch_add(1, Ordering::SeqCst);
        Self(gauge)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Tells how many bodies of `linger` run.
#[tool(read_only, concurrency_safe)]
fn gauge(gauge: &State<Gauge>) -> usize {
    gauge.0.load(Ordering::SeqCst)
}

/// Runs until it is cancelled.
#[tool(concurrency_safe)]
async fn linger(gauge: &State<Gauge>, cancellation: &Cancellation) -> String {
    let _counted = Counted::new(gauge);
    cancellation.cancelled().await;
    "cancelled".to_owned()
}

/// Gives a number back.
#[tool(read_only, concurrency_safe)]
fn echo(number: u64) -> u64 {
    number
}

fn caller() -> Result<McpCaller, ToolError> {
    McpCaller::current().ok_or_else(|| "nobody called over MCP".into())
}

async fn elicit(message: &str, schema: Value) -> Result<String, ToolError> {
    let requested_schema: ElicitationSchema = serde_json::from_value(schema)?;
    let form = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message.to_owned(),
        requested_schema,
    };
    let answer = caller()?.peer().create_elicitation(form).await;
    let answer = answer.map_err(|error| ToolError::from_std(&error))?;
    let action = serde_json::to_value(&answer.action)?;
    let content = answer.content.unwrap_or_default();
    Ok(format!(
        "action={}, content={content}",
        action.as_str().unwrap_or_default()
    ))
}

fn server() -> Result<McpServer, tool_core::RegisterError> {
    let runtime = ToolRuntime::builder()
        .state(Gauge::default())
        .tool(test_simple_text {})
        .tool(test_image_content {})
        .tool(test_audio_content {})
        .tool(test_embedded_resource {})
        .tool(test_multiple_content_types {})
        .tool(test_error_handling {})
        .tool(test_tool_with_logging {})
        .tool(test_tool_with_progress {})
        .tool(test_sampling {})
        .tool(test_elicitation {})
        .tool(test_elicitation_sep1034_defaults {})
        .tool(test_elicitation_sep1330_enums {})
        .tool(json_schema_2020_12_tool())
        .tool(gauge {})
        .tool(linger {})
        .tool(echo {})
        .build()?;
    Ok(McpServer::new(&runtime)
        .name("tool-mcp-conformance", env!("CARGO_PKG_VERSION"))
        .logging(true))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = server()?;
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => server.serve_stdio().await?,
        ["--http", address] => {
            let listener = tokio::net::TcpListener::bind(address).await?;
            eprintln!("listening on http://{}/mcp", listener.local_addr()?);
            axum::serve(listener, server.router("/mcp", HttpOptions::new())).await?;
        }
        _ => return Err("usage: conformance_server [--http ADDRESS]".into()),
    }
    Ok(())
}
