//! Servers that do not keep to the protocol, or not to their word.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::DuplexStream;
use tool_core::{ToolCall, ToolRuntime};
use tool_mcp::{ImportOptions, McpClient, code};

use super::importing::empty;
use crate::support::Wire;

/// A server's end: it shakes hands, and lists `tools`.
async fn serve(far: DuplexStream, tools: Value) -> Wire {
    let mut wire = Wire::over(far);
    let hello = wire.next().await;
    assert_eq!(hello["method"], "initialize");
    wire.respond(
        &hello,
        json!({
            "protocolVersion": "2025-11-25",
            "capabilities": { "tools": { "listChanged": true } },
            "serverInfo": { "name": "scripted", "version": "0" },
        }),
    )
    .await;
    assert_eq!(wire.next().await["method"], "notifications/initialized");
    let list = wire.next().await;
    assert_eq!(list["method"], "tools/list");
    wire.respond(&list, json!({ "tools": tools })).await;
    wire
}

async fn imported(tools: Value) -> (ToolRuntime, McpClient, tool_mcp::Import, Wire) {
    let (near, far) = tokio::io::duplex(1 << 20);
    let serving = tokio::spawn(serve(far, tools));
    let client = McpClient::connect("far", near).await.unwrap();
    let runtime = empty();
    let import = client.import(&runtime, ImportOptions::new()).await.unwrap();
    (runtime, client, import, serving.await.unwrap())
}

/// What comes of a call that the server answers with `result`.
async fn called(tool: Value, answer: Value) -> Value {
    let (runtime, _client, _import, mut wire) = imported(json!([tool])).await;
    let running =
        tokio::spawn(async move { runtime.execute(ToolCall::new("call_1", "act", "{}")).await });
    let call = wire.next().await;
    assert_eq!(call["params"]["name"], "act");
    let mut answer = answer;
    answer["jsonrpc"] = json!("2.0");
    answer["id"] = call["id"].clone();
    wire.send(answer).await;
    let mut result = serde_json::to_value(running.await.unwrap()).unwrap();
    result.as_object_mut().unwrap().remove("call_id");
    result
}

fn act() -> Value {
    json!({ "name": "act", "inputSchema": { "type": "object" } })
}

fn structured() -> Value {
    let mut tool = act();
    tool["outputSchema"] = json!({
        "type": "object",
        "properties": { "n": { "type": "integer" } },
        "required": ["n"],
    });
    tool
}

fn failure(code: &str, message: &str) -> Value {
    json!({
        "is_error": true,
        "error": { "message": message, "code": code },
        "content": [{ "type": "text", "text": format!("Error: {message}") }],
    })
}

#[tokio::test]
async fn bad_tools_are_refused_one_by_one() {
    let nothing = json!({ "type": "object" });
    let (runtime, _client, import, _wire) = imported(json!([
        { "name": "good", "inputSchema": { "type": "object", "properties": {} } },
        { "name": "no_schema" },
        { "name": "schema_is_text", "inputSchema": "object" },
        { "inputSchema": nothing },
        7,
        { "name": "", "inputSchema": nothing },
        { "name": "bell\u{7}", "inputSchema": nothing },
        { "name": "good", "inputSchema": nothing },
        { "name": "run_code", "inputSchema": nothing },
        { "name": "long".repeat(70), "inputSchema": nothing },
        { "name": "wordy", "description": "x".repeat(20_000), "inputSchema": nothing },
        { "name": "cyclic", "inputSchema": {
            "$ref": "#/$defs/A", "$defs": { "A": { "$ref": "#/$defs/A" } },
        } },
        { "name": "far_away", "inputSchema": {
            "type": "object", "properties": { "x": { "$ref": "https://example.org/x.json" } },
        } },
        { "name": "regex", "inputSchema": {
            "type": "object", "properties": { "x": { "type": "string", "pattern": "[" } },
        } },
        { "name": "array", "inputSchema": { "type": "array" } },
        { "name": "bad_output", "inputSchema": nothing, "outputSchema": { "type": 7 } },
        { "name": "last", "inputSchema": nothing },
    ]))
    .await;
    let report = import.report();
    let names: Vec<&str> = report.imported.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["good", "last"]);
    let refused: Vec<&str> = report.refused.iter().map(|tool| &*tool.remote).collect();
    let long = "long".repeat(70);
    assert_eq!(
        refused,
        [
            "",
            "bell\u{7}",
            "good",
            "run_code",
            long.as_str(),
            "wordy",
            "cyclic",
            "far_away",
            "regex",
            "array",
            "bad_output",
            "no_schema",
            "schema_is_text",
            "#4",
            "#5",
        ]
    );
    assert_eq!(runtime.schemas().len(), 2);
    for tool in &report.refused {
        assert!(
            !tool.reason.is_empty() && tool.reason.len() < 1_000,
            "{tool:?}"
        );
    }
}

/// What many servers send: another draft of JSON Schema, and no properties.
#[tokio::test]
async fn schemas_as_servers_write_them_are_taken() {
    let (runtime, _client, import, _wire) = imported(json!([
        { "name": "zod", "inputSchema": {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": { "path": { "type": "string" } },
            "required": ["path"],
            "additionalProperties": false,
        } },
        { "name": "bare", "inputSchema": { "type": "object" } },
    ]))
    .await;
    assert_eq!(
        import.report().to_string(),
        "`zod` as `zod`\n`bare` as `bare`"
    );
    let result = runtime.execute(ToolCall::new("call_1", "zod", "{}")).await;
    assert_eq!(result.error().unwrap().code(), "INVALID_ARGS");
}

#[tokio::test]
async fn structured_content_must_keep_to_its_schema() {
    let content = json!([{ "type": "text", "text": "one" }]);
    let answer = json!({ "result": { "content": content, "structuredContent": { "n": 1 } } });
    assert_eq!(
        called(structured(), answer).await,
        json!({ "is_error": false, "value": { "n": 1 }, "content": content })
    );
    let answer = json!({ "result": { "content": content, "structuredContent": { "n": "1" } } });
    assert_eq!(
        called(structured(), answer).await,
        failure(
            "INVALID_TOOL_OUTPUT",
            "tool \"act\" returned invalid output: /n: expected an integer, got \"1\"\n\
             expected {\"n\": integer}"
        )
    );
    let answer = json!({ "result": { "content": content } });
    assert_eq!(
        called(structured(), answer).await,
        failure(
            "MCP_PROTOCOL",
            "MCP server `far` declares an output schema and sent no structured content"
        )
    );
    // The schema binds successes only.
    let answer = json!({ "result": { "content": content, "isError": true } });
    assert_eq!(
        called(structured(), answer).await,
        failure("TOOL_FAILED", "one")
    );
    // Without content the model is shown the value.
    let answer = json!({ "result": { "content": [], "structuredContent": { "n": 2 } } });
    assert_eq!(
        called(structured(), answer).await["content"],
        json!([{ "type": "text", "text": r#"{"n":2}"# }])
    );
}

#[tokio::test]
async fn odd_answers_are_read_as_far_as_they_go() {
    let answer = json!({ "result": { "content": [
        { "type": "text", "text": "kept" },
        { "type": "hologram", "light": 1 },
        { "type": "resource_link", "uri": "file:///a.md", "name": "a", "mimeType": "text/markdown" },
    ] } });
    assert_eq!(
        called(act(), answer).await,
        json!({
            "is_error": false,
            "value": "kept\n[hologram content]\na (text/markdown): file:///a.md",
            "content": [
                { "type": "text", "text": "kept" },
                { "type": "text", "text": "[hologram content]" },
                { "type": "text", "text": "a (text/markdown): file:///a.md" },
            ],
        })
    );
    assert_eq!(
        called(act(), json!({ "result": {} })).await,
        json!({ "is_error": false, "value": "", "content": [] })
    );
    assert_eq!(
        called(
            act(),
            json!({ "result": { "content": [], "isError": true } })
        )
        .await,
        failure("TOOL_FAILED", "the remote tool failed and did not say why")
    );
    assert_eq!(
        called(
            act(),
            json!({ "error": { "code": -32602, "message": "unknown tool" } })
        )
        .await,
        failure(
            "MCP_PROTOCOL",
            "MCP server `far` refused the call: unknown tool (-32602)"
        )
    );
}

#[tokio::test]
async fn a_server_that_dies_fails_its_calls() {
    let (runtime, client, _import, mut wire) = imported(json!([act()])).await;
    let near = runtime.clone();
    let running =
        tokio::spawn(async move { near.execute(ToolCall::new("call_1", "act", "{}")).await });
    wire.next().await;
    drop(wire);
    let gone = "Error: MCP server `far` is gone; the call may have taken effect";
    assert_eq!(running.await.unwrap().text(), gone);
    client.closed().await;
    assert!(client.is_closed());
    let result = runtime.execute(ToolCall::new("call_2", "act", "{}")).await;
    assert_eq!(result.text(), gone);
    assert_eq!(result.error().unwrap().code(), code::MCP_SERVER_GONE);
}

#[tokio::test]
async fn pages_are_read_to_the_end_and_not_in_circles() {
    async fn import(pages: Vec<Value>) -> Result<String, String> {
        let (near, far) = tokio::io::duplex(1 << 20);
        let serving = tokio::spawn(async move {
            let mut pages = pages.into_iter();
            let mut wire = Wire::over(far);
            let hello = wire.next().await;
            let info = json!({
                "protocolVersion": "2025-11-25",
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "scripted", "version": "0" },
            });
            wire.respond(&hello, info).await;
            wire.next().await;
            for page in &mut pages {
                let list = wire.next().await;
                wire.respond(&list, page).await;
            }
            wire
        });
        let client = McpClient::connect("far", near).await.unwrap();
        let imported = client.import(&empty(), ImportOptions::new()).await;
        let _wire = serving.await.unwrap();
        match imported {
            Ok(import) => Ok(import.report().to_string()),
            Err(error) => Err(error.to_string()),
        }
    }
    let tool = |name: &str| json!({ "name": name, "inputSchema": { "type": "object" } });
    let page = |name: &str, next: &str| json!({ "tools": [tool(name)], "nextCursor": next });
    assert_eq!(
        import(vec![
            page("a", "2"),
            page("b", "3"),
            json!({ "tools": [tool("c")] })
        ])
        .await,
        Ok("`a` as `a`\n`b` as `b`\n`c` as `c`".to_owned())
    );
    assert_eq!(
        import(vec![page("a", "2"), page("b", "2")]).await,
        Err("MCP server `far` cannot be imported: its list of tools goes round in circles".into())
    );
    assert_eq!(
        import(vec![json!({ "tool": [] })]).await,
        Err(
            "MCP server `far` cannot be imported: it answered `tools/list` without a list of tools"
                .into()
        )
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_silent_is_not_waited_for() {
    let (near, far) = tokio::io::duplex(1 << 20);
    let error = McpClient::connect("far", near).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "MCP server `far` did not answer within 30s"
    );
    drop(far);

    let (near, far) = tokio::io::duplex(1 << 20);
    let client = tokio::spawn(async move { McpClient::connect("far", near).await.unwrap() });
    let mut wire = Wire::over(far);
    let hello = wire.next().await;
    let info = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "serverInfo": { "name": "scripted", "version": "0" },
    });
    wire.respond(&hello, info).await;
    let client = client.await.unwrap();
    let error = client
        .import(&empty(), ImportOptions::new())
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "MCP server `far` cannot be imported: it did not list its tools within 30s"
    );
}

#[tokio::test]
async fn a_command_that_is_no_server_is_named() {
    let missing = tokio::process::Command::new("no-such-mcp-server");
    let error = McpClient::spawn("far", missing).await.unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("MCP server `far` could not be started: "),
        "{text}"
    );
    // One that ends at once.
    let ends = tokio::process::Command::new("true");
    let connecting = McpClient::spawn("far", ends);
    let error = tokio::time::timeout(Duration::from_secs(20), connecting);
    let text = error.await.unwrap().unwrap_err().to_string();
    assert!(
        text.starts_with("MCP server `far` did not begin a session: "),
        "{text}"
    );
}

/// A list that cannot be read any more leaves what was there, and says so.
#[tokio::test]
async fn a_broken_update_leaves_the_last_list() {
    let (runtime, _client, mut import, mut wire) = imported(json!([act()])).await;
    wire.notify("notifications/tools/list_changed", json!({}))
        .await;
    let list = wire.next().await;
    wire.send(json!({
        "jsonrpc": "2.0",
        "id": list["id"],
        "error": { "code": -32603, "message": "out of order" },
    }))
    .await;
    let report = import.updated().await;
    assert_eq!(
        report.to_string(),
        "`act` as `act`\nnot up to date: it did not list its tools: Mcp error: -32603: out of order"
    );
    assert_eq!(runtime.schemas().len(), 1);
}
