//! Calls as OpenTelemetry sees them: each is a span `execute_tool {tool}`, a nested call is a span
//! below it, and so is every hook.
//!
//! An application registers the layer once, with the exporter of its choice in the place of the one
//! that keeps spans in memory. There is nothing to add to tools and hooks.

#![expect(clippy::needless_pass_by_value, reason = "tools own their arguments")]

use std::collections::BTreeMap;

use opentelemetry::trace::{Status, TracerProvider as _};
use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracerProvider, SpanData};
use tool_core::{PostDecision, RunContext, ToolCall, ToolError, ToolRuntime, post_execute, tool};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;

/// Looks somebody up in the address book.
#[tool(args = FindArgs)]
fn find(
    /// A first name.
    name: String,
) -> Result<String, ToolError> {
    match name.as_str() {
        "Grace" => Ok("Grace Hopper, +1 555 0100, secret PIN 1906".to_owned()),
        _ => Err(ToolError::new(format!("nobody is called {name}")).with_code("NOBODY")),
    }
}

/// Writes a greeting.
#[tool]
async fn greet(cx: &RunContext, name: String) -> Result<String, ToolError> {
    let contact = cx.call::<find>(FindArgs { name }).await?;
    Ok(format!("Dear {contact}"))
}

/// No PIN leaves the house.
#[post_execute(tool = find)]
fn no_pins(value: &str) -> PostDecision<String> {
    match value.find(", secret PIN") {
        Some(at) => PostDecision::value(value[..at].to_owned()),
        None => PostDecision::accept(),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let exporter = InMemorySpanExporter::default();
    let provider = SdkTracerProvider::builder()
        .with_simple_exporter(exporter.clone())
        .build();
    let layer = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("otel example"))
        // Attributes of the conventions alone: no thread, no source line.
        .with_location(false)
        .with_threads(false)
        .with_tracked_inactivity(false)
        .with_target(false)
        .with_level(false);
    // `tool_core=info` would leave out the hooks.
    let filter = Targets::new().with_target("tool_core", tracing::Level::DEBUG);
    let subscriber = tracing_subscriber::registry().with(filter).with(layer);
    tracing::subscriber::set_global_default(subscriber)?;

    let runtime = ToolRuntime::builder()
        .tool(find {})
        .tool(greet {})
        .post_execute(no_pins {})
        // Arguments and results may hold personal data. Whoever wants them says so.
        .trace_content(true)
        .build()?;
    for (call_id, name) in [("call_1", "Grace"), ("call_2", "Alan")] {
        let arguments = format!(r#"{{"name":"{name}"}}"#);
        let result = runtime
            .execute(ToolCall::new(call_id, "greet", arguments))
            .await;
        println!("{}\n", result.text());
    }

    provider.force_flush()?;
    let spans = exporter.get_finished_spans()?;
    let lines: Vec<String> = outline(&spans);
    println!("{}", lines.join("\n"));
    assert_eq!(lines, EXPECTED.lines().collect::<Vec<_>>());
    Ok(())
}

const EXPECTED: &str = r#"execute_tool greet
  gen_ai.operation.name = execute_tool
  gen_ai.tool.call.arguments = {"name":"Grace"}
  gen_ai.tool.call.id = call_1
  gen_ai.tool.call.result = Dear Grace Hopper, +1 555 0100
  gen_ai.tool.description = Writes a greeting.
  gen_ai.tool.name = greet
  gen_ai.tool.type = function
  execute_tool find
    gen_ai.operation.name = execute_tool
    gen_ai.tool.call.arguments = {"name":"Grace"}
    gen_ai.tool.call.id = call_1:1
    gen_ai.tool.call.result = Grace Hopper, +1 555 0100
    gen_ai.tool.description = Looks somebody up in the address book.
    gen_ai.tool.name = find
    gen_ai.tool.type = function
    post_execute no_pins
      hook = no_pins
      said = replaced_value
      station = post_execute
execute_tool greet: error
  error.type = NOBODY
  gen_ai.operation.name = execute_tool
  gen_ai.tool.call.arguments = {"name":"Alan"}
  gen_ai.tool.call.id = call_2
  gen_ai.tool.description = Writes a greeting.
  gen_ai.tool.name = greet
  gen_ai.tool.type = function
  execute_tool find: error
    error.type = NOBODY
    gen_ai.operation.name = execute_tool
    gen_ai.tool.call.arguments = {"name":"Alan"}
    gen_ai.tool.call.id = call_2:1
    gen_ai.tool.description = Looks somebody up in the address book.
    gen_ai.tool.name = find
    gen_ai.tool.type = function
    post_execute no_pins
      hook = no_pins
      said = accepted
      station = post_execute"#;

/// Spans with their attributes, each below its parent, in the order in which they began.
fn outline(spans: &[SpanData]) -> Vec<String> {
    let mut spans: Vec<&SpanData> = spans.iter().collect();
    spans.sort_by_key(|span| span.start_time);
    let mut lines = Vec::new();
    for span in &spans {
        let known = |id| spans.iter().any(|span| span.span_context.span_id() == id);
        if !known(span.parent_span_id) {
            print_below(span, &spans, 0, &mut lines);
        }
    }
    lines
}

fn print_below(span: &SpanData, spans: &[&SpanData], depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    let status = match span.status {
        Status::Error { .. } => ": error",
        _ => "",
    };
    lines.push(format!("{indent}{}{status}", span.name));
    let attributes: BTreeMap<_, _> = span
        .attributes
        .iter()
        .map(|attribute| (attribute.key.as_str(), attribute.value.as_str()))
        .collect();
    for (key, value) in attributes {
        lines.push(format!("{indent}  {key} = {value}"));
    }
    for child in spans {
        if child.parent_span_id == span.span_context.span_id() {
            print_below(child, spans, depth + 1, lines);
        }
    }
}
