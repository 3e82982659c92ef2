use serde_json::json;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tool_core::{
    Cancellation, ContentBlock, Progress, RunContext, State, ToolCall, ToolError, ToolOutput,
    ToolRuntime, tool,
};
use tool_mcp::{ImportOptions, code};

use super::importing::{client_of, empty};

type Told = mpsc::UnboundedSender<&'static str>;

/// Fails.
#[tool]
fn fail() -> Result<String, ToolError> {
    Err("no luck".into())
}

/// Draws.
#[tool]
fn draw() -> ToolOutput {
    ToolOutput::blocks([
        ContentBlock::text("a dot"),
        ContentBlock::image("aW1n", "image/png"),
    ])
}

/// Says much.
#[tool]
fn much() -> String {
    "x".repeat(2_000)
}

/// Tells that it runs, and runs until it is cancelled.
#[tool]
async fn linger(told: &State<Told>, cancellation: &Cancellation) -> String {
    let _ = told.send("started");
    cancellation.cancelled().await;
    let _ = told.send("cancelled");
    "too late".into()
}

/// Reports.
#[tool]
async fn work(cx: &RunContext) -> String {
    cx.progress(0.5, "half");
    "done".into()
}

fn far() -> (ToolRuntime, mpsc::UnboundedReceiver<&'static str>) {
    let (tell, told) = mpsc::unbounded_channel();
    let runtime = ToolRuntime::builder()
        .state::<Told>(tell)
        .tool(fail {})
        .tool(draw {})
        .tool(much {})
        .tool(linger {})
        .tool(work {})
        .build()
        .unwrap();
    (runtime, told)
}

#[tokio::test]
async fn a_remote_failure_is_a_failure_in_its_own_words() {
    let near = empty();
    let client = client_of(&far().0).await;
    client.import(&near, ImportOptions::new()).await.unwrap();
    let result = near.execute(ToolCall::new("call_1", "fail", "{}")).await;
    assert_eq!(
        serde_json::to_value(&result).unwrap(),
        json!({
            "call_id": "call_1",
            "is_error": true,
            "error": { "message": "no luck", "code": "TOOL_FAILED" },
            "content": [{ "type": "text", "text": "Error: no luck" }],
        })
    );
}

#[tokio::test]
async fn blocks_come_through_and_the_value_is_their_text() {
    let near = empty();
    let client = client_of(&far().0).await;
    client.import(&near, ImportOptions::new()).await.unwrap();
    let result = near.execute(ToolCall::new("call_1", "draw", "{}")).await;
    assert_eq!(
        serde_json::to_value(&result).unwrap(),
        json!({
            "call_id": "call_1",
            "is_error": false,
            "value": "a dot",
            "content": [
                { "type": "text", "text": "a dot" },
                { "type": "image", "data": "aW1n", "mimeType": "image/png" },
            ],
        })
    );
}

#[tokio::test]
async fn a_result_that_is_too_long_is_a_failure() {
    let near = empty();
    let client = client_of(&far().0).await;
    let short = ImportOptions::new().max_result_bytes(1_999);
    client.import(&near, short).await.unwrap();
    let result = near.execute(ToolCall::new("call_1", "much", "{}")).await;
    let error = result.error().unwrap();
    assert_eq!(error.code(), code::MCP_RESULT_TOO_LARGE);
    assert_eq!(
        error.message(),
        "the result from MCP server `far` has 2000 bytes, more than 1999; ask for less"
    );
}

#[tokio::test]
async fn a_cancelled_call_is_cancelled_there_too() {
    let near = empty();
    let (far, mut told) = far();
    let client = client_of(&far).await;
    client.import(&near, ImportOptions::new()).await.unwrap();
    let token = CancellationToken::new();
    let call = ToolCall::new("call_1", "linger", "{}").cancel(token.clone());
    let runtime = near.clone();
    let running = tokio::spawn(async move { runtime.execute(call).await });
    assert_eq!(told.recv().await, Some("started"));
    token.cancel();
    assert_eq!(running.await.unwrap().error().unwrap().code(), "ABORTED");
    assert_eq!(told.recv().await, Some("cancelled"));
}

#[tokio::test]
async fn a_dropped_call_is_cancelled_there_too() {
    let near = empty();
    let (far, mut told) = far();
    let client = client_of(&far).await;
    client.import(&near, ImportOptions::new()).await.unwrap();
    let running =
        tokio::spawn(async move { near.execute(ToolCall::new("call_1", "linger", "{}")).await });
    assert_eq!(told.recv().await, Some("started"));
    running.abort();
    assert_eq!(told.recv().await, Some("cancelled"));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_answer_does_not_hold_the_call() {
    let near = empty();
    let (far, mut told) = far();
    let client = client_of(&far).await;
    client.import(&near, ImportOptions::new()).await.unwrap();
    let result = near.execute(ToolCall::new("call_1", "linger", "{}")).await;
    assert_eq!(
        result.text(),
        "Error: tool \"linger\" timed out after 60s; it may have taken effect"
    );
    assert_eq!(told.recv().await, Some("started"));
    assert_eq!(told.recv().await, Some("cancelled"));
}

#[tokio::test]
async fn progress_comes_through() {
    let near = empty();
    let client = client_of(&far().0).await;
    client.import(&near, ImportOptions::new()).await.unwrap();
    let (report, mut reports) = mpsc::unbounded_channel();
    let call = ToolCall::new("call_1", "work", "{}").on_progress(move |progress: Progress| {
        let _ = report.send((
            progress.call_id.to_string(),
            progress.fraction,
            progress.message,
        ));
    });
    assert_eq!(near.execute(call).await.text(), "done");
    let told = reports.recv().await.unwrap();
    assert_eq!(told, ("call_1".to_owned(), 0.5, "half".to_owned()));
}

#[tokio::test]
async fn a_connection_that_is_closed_says_so_at_once() {
    let near = empty();
    let (far, mut told) = far();
    let client = client_of(&far).await;
    client.import(&near, ImportOptions::new()).await.unwrap();
    let runtime = near.clone();
    let running = tokio::spawn(async move {
        runtime
            .execute(ToolCall::new("call_1", "linger", "{}"))
            .await
    });
    assert_eq!(told.recv().await, Some("started"));
    drop(client);
    let gone = "Error: MCP server `far` is gone; the call may have taken effect";
    assert_eq!(running.await.unwrap().text(), gone);
    let result = near.execute(ToolCall::new("call_2", "fail", "{}")).await;
    assert_eq!(result.text(), gone);
    assert_eq!(result.error().unwrap().code(), code::MCP_SERVER_GONE);
}
