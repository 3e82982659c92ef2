use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use tokio::sync::mpsc;
use tool_core::{
    ContentBlock, ResourceContents, RunContext, State, ToolError, ToolExecution, ToolOutput,
    ToolRuntime, guard, tool,
};
use tool_mcp::McpServer;

use crate::support::{Seen, Wire};

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Point {
    x: i64,
    label: &'static str,
}

/// Gives a point.
#[tool]
fn point(x: i64) -> Point {
    Point { x, label: "here" }
}

/// Gives text.
#[tool]
fn say(text: String) -> String {
    text
}

/// Gives a list.
#[tool]
fn list() -> Vec<u8> {
    vec![1, 2]
}

/// Gives every kind of block.
#[tool]
fn blocks() -> ToolOutput {
    ToolOutput::blocks([
        ContentBlock::text("a caption"),
        ContentBlock::image("aW1n", "image/png"),
        ContentBlock::audio("c25k", "audio/wav"),
        ContentBlock::resource(
            "file:///a.md",
            Some("text/markdown".into()),
            ResourceContents::Text("# A".into()),
        ),
        ContentBlock::resource("file:///a.bin", None, ResourceContents::Blob("AAE=".into())),
    ])
}

/// Fails.
#[tool]
fn fail() -> Result<String, ToolError> {
    Err("no luck".into())
}

/// Panics.
#[tool]
fn burst() -> String {
    panic!("the secret cause")
}

/// Fails as if it did not exist.
#[tool]
fn pretend() -> Result<String, ToolError> {
    Err(ToolError::new("unknown tool \"other\"").with_code("UNKNOWN_TOOL"))
}

/// Leaves a note.
#[tool]
fn note(cx: &RunContext) -> Point {
    cx.defer_context("mind the gap");
    Point {
        x: 0,
        label: "noted",
    }
}

/// Counts its runs.
#[tool]
fn count(runs: &State<Arc<AtomicUsize>>, _n: Option<u8>) -> usize {
    runs.fetch_add(1, Ordering::SeqCst) + 1
}

#[guard(tool = count)]
fn never() -> Option<String> {
    Some("not today".to_owned())
}

async fn result_of(
    runtime: &ToolRuntime,
    tool: &str,
    arguments: serde_json::Value,
) -> serde_json::Value {
    let mut wire = Wire::session(&McpServer::new(runtime)).await;
    let mut answer = wire.call(1, tool, arguments).await;
    assert_eq!(answer["id"], 1);
    answer["result"].take()
}

/// The result that is `value`, and its text: byte for byte what the structured content is.
fn structured(value: serde_json::Value) -> serde_json::Value {
    let text = value.to_string();
    json!({
        "content": [{ "type": "text", "text": text }],
        "structuredContent": value,
        "isError": false,
    })
}

fn runtime() -> ToolRuntime {
    ToolRuntime::builder()
        .state(Arc::new(AtomicUsize::new(0)))
        .tools([
            tool_core::IntoDefinition::into_definition(point {}),
            tool_core::IntoDefinition::into_definition(say {}),
            tool_core::IntoDefinition::into_definition(list {}),
            tool_core::IntoDefinition::into_definition(blocks {}),
            tool_core::IntoDefinition::into_definition(fail {}),
            tool_core::IntoDefinition::into_definition(burst {}),
            tool_core::IntoDefinition::into_definition(pretend {}),
            tool_core::IntoDefinition::into_definition(note {}),
            tool_core::IntoDefinition::into_definition(count {}),
        ])
        .build()
        .unwrap()
}

/// C101: the text is compact JSON of exactly the structured content.
#[tokio::test]
async fn an_object_is_structured_content_and_its_text() {
    assert_eq!(
        result_of(&runtime(), "point", json!({ "x": 7 })).await,
        structured(json!({ "x": 7, "label": "here" }))
    );
}

/// C98: text is text, also where it looks like JSON; and it is sent once.
#[tokio::test]
async fn a_text_is_sent_once_and_as_it_is() {
    for text in ["a\n\"b\"", r#"{"looks":"like JSON"}"#, ""] {
        assert_eq!(
            result_of(&runtime(), "say", json!({ "text": text })).await,
            json!({ "content": [{ "type": "text", "text": text }], "isError": false })
        );
    }
}

#[tokio::test]
async fn what_is_no_object_is_text_alone() {
    assert_eq!(
        result_of(&runtime(), "list", json!({})).await,
        json!({ "content": [{ "type": "text", "text": "[1,2]" }], "isError": false })
    );
}

/// C96: bytes are in their block, and nowhere else.
#[tokio::test]
async fn images_sounds_and_resources_are_blocks() {
    assert_eq!(
        result_of(&runtime(), "blocks", json!({})).await,
        json!({
            "content": [
                { "type": "text", "text": "a caption" },
                { "type": "image", "data": "aW1n", "mimeType": "image/png" },
                { "type": "audio", "data": "c25k", "mimeType": "audio/wav" },
                { "type": "resource", "resource": {
                    "uri": "file:///a.md", "mimeType": "text/markdown", "text": "# A",
                } },
                { "type": "resource", "resource": { "uri": "file:///a.bin", "blob": "AAE=" } },
            ],
            "isError": false,
        })
    );
}

#[tokio::test]
async fn contexts_follow_the_content() {
    let mut expected = structured(json!({ "x": 0, "label": "noted" }));
    let context = json!({ "type": "text", "text": "mind the gap" });
    expected["content"].as_array_mut().unwrap().push(context);
    assert_eq!(result_of(&runtime(), "note", json!({})).await, expected);
}

/// C77, at one sight: an unknown name is an error of the protocol, because there is no tool to answer
/// for; what a model can mend is a result that it can read, and bad arguments reach no body.
#[tokio::test]
async fn c77_only_an_unknown_name_is_an_error_of_the_protocol() {
    let runs = Arc::new(AtomicUsize::new(0));
    let runtime = ToolRuntime::builder()
        .state(runs.clone())
        .tool(count {})
        .tool(fail {})
        .tool(burst {})
        .build()
        .unwrap();
    let mut wire = Wire::session(&McpServer::new(&runtime)).await;
    let unknown = wire.call(1, "missing", json!({})).await;
    assert_eq!(
        unknown,
        json!({
            "jsonrpc": "2.0",
            "id": 1,
            "error": {
                "code": -32602,
                "message": "unknown tool \"missing\"; available: count, fail, burst",
            },
        })
    );
    let invalid = "Error: invalid arguments: /_n: expected an integer or null, got \"many\"\n\
                   tool \"count\" takes {\"_n\"?: integer | null}";
    for (id, tool, arguments, text) in [
        (2, "count", json!({ "_n": "many" }), invalid),
        (3, "fail", json!({}), "Error: no luck"),
        (4, "burst", json!({}), "Error: tool \"burst\" panicked"),
    ] {
        assert_eq!(
            wire.call(id, tool, arguments).await,
            json!({
                "jsonrpc": "2.0",
                "id": id,
                "result": { "content": [{ "type": "text", "text": text }], "isError": true },
            })
        );
    }
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

/// C77: also a failure that looks like a missing tool is a result.
#[tokio::test]
async fn failures_are_results() {
    let runtime = runtime();
    let failed =
        |text: &str| json!({ "content": [{ "type": "text", "text": text }], "isError": true });
    assert_eq!(
        result_of(&runtime, "fail", json!({})).await,
        failed("Error: no luck")
    );
    assert_eq!(
        result_of(&runtime, "burst", json!({})).await,
        failed("Error: tool \"burst\" panicked")
    );
    assert_eq!(
        result_of(&runtime, "pretend", json!({})).await,
        failed("Error: unknown tool \"other\"")
    );
    assert_eq!(
        result_of(&runtime, "say", json!({ "txt": "a" })).await,
        failed(
            "Error: invalid arguments: /text: missing (expected a string)\n\
             /txt: unknown property; did you mean \"text\"?\n\
             tool \"say\" takes {\"text\": string}"
        )
    );
}

#[tokio::test]
async fn an_unknown_name_is_an_error_of_the_protocol_and_observers_hear_of_it() {
    let (seen, mut results) = mpsc::unbounded_channel();
    let runtime = ToolRuntime::builder()
        .tool(say {})
        .on_result(Seen(seen))
        .build()
        .unwrap();
    let mut wire = Wire::session(&McpServer::new(&runtime)).await;
    assert_eq!(
        wire.call(1, "sya", json!({})).await, // typos: ignore
        json!({
            "jsonrpc": "2.0",
            "id": 1,
            "error": {
                "code": -32602,
                "message": "unknown tool \"sya\"; did you mean \"say\"?; available: say", // typos: ignore
            },
        })
    );
    let heard = results.recv().await.unwrap();
    assert_eq!(heard, ("sya".to_owned(), "UNKNOWN_TOOL".to_owned())); // typos: ignore
}

/// C82: a denial stops the call over MCP as everywhere.
#[tokio::test]
async fn a_denied_call_does_not_run() {
    let runs = Arc::new(AtomicUsize::new(0));
    let runtime = ToolRuntime::builder()
        .state(runs.clone())
        .tool(count {})
        .guard(never {})
        .build()
        .unwrap();
    assert_eq!(
        result_of(&runtime, "count", json!({})).await,
        json!({ "content": [{ "type": "text", "text": "Error: not today" }], "isError": true })
    );
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn absent_arguments_are_none() {
    let runtime = runtime();
    let mut wire = Wire::session(&McpServer::new(&runtime)).await;
    wire.request(1, "tools/call", json!({ "name": "list" }))
        .await;
    assert_eq!(wire.next().await["result"]["isError"], false);
}

/// Every call gets its one answer, whatever the others do.
#[tokio::test]
async fn many_calls_at_once_are_all_answered() {
    let runtime = runtime();
    let mut wire = Wire::session(&McpServer::new(&runtime)).await;
    for id in 0..200 {
        let (name, arguments) = match id % 4 {
            0 => ("say", json!({ "text": id.to_string() })),
            1 => ("fail", json!({})),
            2 => ("missing", json!({})),
            _ => ("say", json!({})),
        };
        let params = json!({ "name": name, "arguments": arguments });
        wire.request(id, "tools/call", params).await;
    }
    let mut answered = Vec::new();
    for _ in 0..200 {
        let answer = wire.next().await;
        let id = answer["id"].as_u64().unwrap();
        match id % 4 {
            0 => assert_eq!(answer["result"]["content"][0]["text"], id.to_string()),
            2 => assert_eq!(answer["error"]["code"], -32602),
            _ => assert_eq!(answer["result"]["isError"], true),
        }
        answered.push(id);
    }
    answered.sort_unstable();
    assert_eq!(answered, (0..200).collect::<Vec<_>>());
}

/// The call's id tells sessions and requests apart.
#[tokio::test]
async fn a_call_is_named_by_its_session_and_request() {
    let (ids, mut heard) = mpsc::unbounded_channel();
    let runtime = ToolRuntime::builder()
        .tool(say {})
        .guard(move |call: &ToolExecution| {
            let _gone = ids.send(call.call_id().to_string());
            None::<String>
        })
        .build()
        .unwrap();
    let server = McpServer::new(&runtime);
    let mut one = Wire::session(&server).await;
    let mut two = Wire::session(&server).await;
    one.call(5, "say", json!({ "text": "" })).await;
    two.call(5, "say", json!({ "text": "" })).await;
    let (first, second) = (heard.recv().await.unwrap(), heard.recv().await.unwrap());
    assert!(
        first.ends_with(":5") && second.ends_with(":5"),
        "{first} {second}"
    );
    assert_ne!(first, second);
}
