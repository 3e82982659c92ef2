//! The limit of what a model is shown: case C93, through the pipeline.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tool_core::{
    ContentBlock, PostDecision, RegisterError, Said, Station, ToolCall, ToolDefinition,
    ToolExecution, ToolResult, ToolRuntime, ToolRuntimeBuilder,
};

/// `log {}` returns a text of 1 MB that ends in `error: boom`.
fn log() -> ToolDefinition {
    let parameters = json!({ "type": "object", "properties": {} });
    ToolDefinition::dynamic(
        "log",
        "Gives a log.",
        parameters,
        json!({ "type": "string" }),
    )
    .handler(|_: Value, _cx| async { json!(text()) })
}

fn text() -> String {
    "ok\n".repeat(333_333) + "error: boom"
}

async fn run(builder: ToolRuntimeBuilder) -> ToolResult {
    let call = ToolCall::new("c1", "log", "{}").trail(true);
    builder.build().unwrap().execute(call).await
}

fn is_bounded(text: &str, limit: usize) -> bool {
    text.len() <= limit && text.contains(" bytes omitted ...]") && text.ends_with("error: boom")
}

#[tokio::test]
async fn c93_content_is_bounded_and_the_value_is_whole() {
    let seen = Arc::new(Mutex::new(String::new()));
    let observed = seen.clone();
    let builder = ToolRuntime::builder()
        .tool(log())
        .max_content_bytes(1_000)
        .on_result(move |_: &ToolExecution, result: &ToolResult| {
            *observed.lock().unwrap() = result.text();
        });
    let result = run(builder).await;
    assert!(is_bounded(&result.text(), 1_000), "{}", result.text());
    assert_eq!(result.value(), Some(&json!(text())));
    assert_eq!(*seen.lock().unwrap(), result.text());
    let entries = result.trail().unwrap().entries();
    let entry = entries
        .iter()
        .find(|entry| entry.station == Station::FinalizeContent)
        .unwrap();
    assert_eq!(entry.said, Some(Said::ReplacedContent));
    assert_eq!(entry.reason.as_deref(), Some("limit of 1000 bytes"));
}

#[tokio::test]
async fn content_within_the_limit_is_left_alone() {
    let limit = text().len();
    let result = run(ToolRuntime::builder().tool(log()).max_content_bytes(limit)).await;
    assert_eq!(result.text(), text());
    let entries = result.trail().unwrap().entries();
    assert!(
        entries
            .iter()
            .all(|entry| entry.station != Station::FinalizeContent)
    );
    assert_eq!(run(ToolRuntime::builder().tool(log())).await.text(), text());
}

#[tokio::test]
async fn a_tools_own_limit_wins() {
    let narrow = ToolRuntime::builder()
        .tool(log().max_content_bytes(200))
        .max_content_bytes(1_000);
    assert!(is_bounded(&run(narrow).await.text(), 200));
    let lifted = ToolRuntime::builder()
        .tool(log().max_content_bytes(usize::MAX))
        .max_content_bytes(1_000);
    assert_eq!(run(lifted).await.text(), text());
}

#[tokio::test]
async fn whatever_makes_the_content_is_bounded() {
    let finalized = log().finalize_content(|_, _| Some(vec![ContentBlock::text(text())]));
    let result = run(ToolRuntime::builder()
        .tool(finalized)
        .max_content_bytes(300))
    .await;
    assert!(is_bounded(&result.text(), 300));

    let replaced = ToolRuntime::builder()
        .tool(log())
        .max_content_bytes(300)
        .post_execute(|_: &ToolExecution, _: &ToolResult| PostDecision::<Value>::content(text()));
    assert!(is_bounded(&run(replaced).await.text(), 300));

    let parameters = json!({ "type": "object", "properties": {} });
    let failing = ToolDefinition::dynamic("log", "Fails.", parameters, json!({}))
        .handler(|_: Value, _cx| async { Err::<Value, _>(text()) });
    let result = run(ToolRuntime::builder().tool(failing).max_content_bytes(300)).await;
    assert!(is_bounded(&result.text(), 300) && result.text().starts_with("Error: ok\n"));
    assert_eq!(result.error().unwrap().message(), text());
}

#[test]
fn a_limit_of_zero_is_refused() {
    let error = ToolRuntime::builder()
        .max_content_bytes(0)
        .build()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`max_content_bytes` must be at least 1; `None` means no limit"
    );
    let error = ToolRuntime::builder()
        .tool(log().max_content_bytes(0))
        .build()
        .unwrap_err();
    assert!(matches!(error, RegisterError::InvalidContentLimit { .. }));
    assert!(
        error
            .to_string()
            .starts_with("tool `log` has a content limit of zero bytes")
    );
}
