use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tool_core::{Decision, State, ToolExecution, ToolRuntime, tool};
use tool_mcp::{AskClient, McpServer};

use crate::support::Wire;

/// Deletes a file.
#[tool(destructive)]
fn delete(path: String, runs: &State<Arc<AtomicUsize>>) -> String {
    runs.fetch_add(1, Ordering::SeqCst);
    format!("{path} is gone")
}

struct Scene {
    server: McpServer,
    runs: Arc<AtomicUsize>,
}

fn scene(approver: bool) -> Scene {
    let runs = Arc::new(AtomicUsize::new(0));
    let mut builder = ToolRuntime::builder()
        .state(runs.clone())
        .tool(delete {})
        .pre_execute(|_: &ToolExecution| Decision::ask("it cannot be undone"));
    if approver {
        builder = builder.approver(AskClient::new());
    }
    let server = McpServer::new(&builder.build().unwrap());
    Scene { server, runs }
}

async fn ask(scene: &Scene) -> (Wire, Value) {
    let forms = json!({ "elicitation": { "form": {} } });
    let mut wire = Wire::session_with(&scene.server, forms).await;
    let params = json!({ "name": "delete", "arguments": { "path": "a.txt" } });
    wire.request(1, "tools/call", params).await;
    let question = wire.next().await;
    (wire, question)
}

async fn answered(answer: Value) -> (Value, usize) {
    let scene = scene(true);
    let (mut wire, question) = ask(&scene).await;
    wire.respond(&question, answer).await;
    let mut answer = wire.next().await;
    (answer["result"].take(), scene.runs.load(Ordering::SeqCst))
}

fn failed(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }], "isError": true })
}

#[tokio::test]
async fn the_client_is_asked_by_a_form() {
    let (_wire, mut question) = ask(&scene(true)).await;
    question["id"].take();
    question["params"]["_meta"].take();
    assert_eq!(
        question,
        json!({
            "jsonrpc": "2.0",
            "id": null,
            "method": "elicitation/create",
            "params": {
                "_meta": null,
                "mode": "form",
                "message": "May tool \"delete\" run with {\"path\":\"a.txt\"}?\nit cannot be undone",
                "requestedSchema": {
                    "type": "object",
                    "properties": {
                        "approve": { "type": "boolean", "title": "Let it run, this once" },
                    },
                    "required": ["approve"],
                },
            },
        })
    );
}

#[tokio::test]
async fn a_ticked_form_lets_the_call_run() {
    let answer = json!({ "action": "accept", "content": { "approve": true } });
    let text = json!({
        "content": [{ "type": "text", "text": "a.txt is gone" }],
        "isError": false,
    });
    assert_eq!(answered(answer).await, (text, 1));
}

#[tokio::test]
async fn nothing_else_does() {
    let rejected = failed("Error: approval for tool \"delete\" was rejected");
    for answer in [
        json!({ "action": "accept", "content": { "approve": false } }),
        json!({ "action": "accept", "content": {} }),
        json!({ "action": "accept", "content": { "approve": "true" } }),
        json!({ "action": "accept" }),
        json!({ "action": "decline" }),
    ] {
        assert_eq!(answered(answer).await, (rejected.clone(), 0));
    }
    let cancelled = failed("Error: approval for tool \"delete\" was cancelled");
    assert_eq!(
        answered(json!({ "action": "cancel" })).await,
        (cancelled, 0)
    );
}

#[tokio::test]
async fn who_cannot_be_asked_gets_a_clear_failure() {
    // The client takes no forms.
    let scene = scene(true);
    let mut wire = Wire::session(&scene.server).await;
    let answer = wire.call(1, "delete", json!({ "path": "a.txt" })).await;
    let text = "Error: tool \"delete\" requires approval, but the approver is unavailable";
    assert_eq!(answer["result"], failed(text));
    assert_eq!(scene.runs.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn without_an_approver_the_call_is_denied_for_the_reason_of_the_question() {
    let scene = scene(false);
    let forms = json!({ "elicitation": { "form": {} } });
    let mut wire = Wire::session_with(&scene.server, forms).await;
    let answer = wire.call(1, "delete", json!({ "path": "a.txt" })).await;
    assert_eq!(answer["result"], failed("Error: it cannot be undone"));
    assert_eq!(scene.runs.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_question_is_withdrawn_with_its_call() {
    let scene = scene(true);
    let (mut wire, question) = ask(&scene).await;
    wire.notify("notifications/cancelled", json!({ "requestId": 1 }))
        .await;
    let withdrawn = wire.next().await;
    assert_eq!(withdrawn["method"], "notifications/cancelled");
    assert_eq!(withdrawn["params"]["requestId"], question["id"]);
    // Too late.
    let yes = json!({ "action": "accept", "content": { "approve": true } });
    wire.respond(&question, yes).await;
    assert!(wire.tools(2).await.is_array());
    assert_eq!(scene.runs.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn long_arguments_are_shown_in_part_and_named_in_whole() {
    let scene = scene(true);
    let forms = json!({ "elicitation": {} });
    let mut wire = Wire::session_with(&scene.server, forms).await;
    let params = json!({ "name": "delete", "arguments": { "path": "ü".repeat(5_000) } });
    wire.request(1, "tools/call", params).await;
    let question = wire.next().await;
    let message = question["params"]["message"].as_str().unwrap();
    assert!(message.len() < 2_300, "{}", message.len());
    assert!(
        message.contains("… (8012 more bytes; SHA-256 of all: "),
        "{message}"
    );
}
