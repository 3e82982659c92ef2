//! Programs over MCP, as a client of the official SDK meets them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tokio::sync::mpsc;
use tool_code_mode::QuickJs;
use tool_core::{
    ContentBlock, Presentation, State, ToolOutput, ToolRuntime, ToolRuntimeBuilder, guard, tool,
};
use tool_mcp::McpServer;
use tool_mcp::rmcp::model::{CallToolRequestParams, ClientConfig, Tool};
use tool_mcp::rmcp::service::{RunningService, ServiceError};
use tool_mcp::rmcp::{RoleClient, ServiceExt};

use crate::support::Seen;

/// Adds.
#[tool(concurrency_safe)]
fn add(a: i64, b: i64, runs: &State<Arc<AtomicUsize>>) -> i64 {
    runs.fetch_add(1, Ordering::SeqCst);
    a + b
}

/// Draws.
#[tool]
fn draw() -> ToolOutput {
    ToolOutput::blocks([ContentBlock::image("aW1n", "image/png")])
}

/// Thirteen is unlucky.
#[guard(tool = add)]
fn not_thirteen(a: i64) -> Option<&'static str> {
    (a == 13).then_some("13 is not added to anything")
}

type Client = RunningService<RoleClient, ClientConfig>;

fn builder(runs: &Arc<AtomicUsize>) -> ToolRuntimeBuilder {
    ToolRuntime::builder()
        .state(runs.clone())
        .tool(add {})
        .tool(draw {})
        .guard(not_thirteen {})
        .code_runtime(QuickJs::new())
}

async fn client_of(server: McpServer) -> Client {
    let (near, far) = tokio::io::duplex(1 << 20);
    tokio::spawn(async move { server.serve(far).await });
    ClientConfig::default().serve(near).await.unwrap()
}

async fn served(presentation: Presentation) -> (Client, Arc<AtomicUsize>) {
    let runs = Arc::default();
    let runtime = builder(&runs).presentation(presentation).build().unwrap();
    (client_of(McpServer::new(&runtime)).await, runs)
}

async fn names(client: &Client) -> Vec<String> {
    let tools = client.list_all_tools().await.unwrap();
    tools.iter().map(|tool| tool.name.to_string()).collect()
}

async fn call(
    client: &Client,
    tool: &'static str,
    arguments: Value,
) -> Result<Value, ServiceError> {
    let Value::Object(arguments) = arguments else {
        panic!("{arguments}");
    };
    let params = CallToolRequestParams::new(tool).with_arguments(arguments);
    let result = client.call_tool(params).await?;
    let mut result = serde_json::to_value(result).unwrap();
    result.as_object_mut().unwrap().remove("resultType");
    Ok(result)
}

async fn run(client: &Client, code: &str) -> Value {
    let arguments = json!({ "code": code, "description": "tries it" });
    call(client, "run_code", arguments).await.unwrap()
}

#[tokio::test]
async fn programs_alone_are_listed_with_what_they_may_call() {
    let (client, _) = served(Presentation::Code).await;
    let tools: Vec<Tool> = client.list_all_tools().await.unwrap();
    let [run_code] = &tools[..] else {
        panic!("{tools:?}");
    };
    assert_eq!(run_code.name, "run_code");
    let description = run_code.description.as_deref().unwrap();
    // A client has no system prompt of this server's.
    for part in [
        "Runs a TypeScript program that calls the other tools.",
        "Only `run_code` can be called directly.",
        "declare const tools",
        "add",
        "draw",
    ] {
        assert!(description.contains(part), "{part}: {description}");
    }
    assert_eq!(
        json!(run_code.input_schema["required"]),
        json!(["code", "description"])
    );
    let output = run_code.output_schema.as_deref().unwrap();
    assert_eq!(json!(output["required"]), json!(["logs"]));
}

#[tokio::test]
async fn a_program_runs_under_policy() {
    let (client, runs) = served(Presentation::Code).await;
    let code = "
        console.log(await tools.add({ a: 1, b: 2 }));
        try { await tools.add({ a: 13, b: 1 }) } catch (error) { console.log(error.message) }
        return { sum: await tools.add({ a: 20, b: 3 }) };
    ";
    let value = json!({
        "logs": ["3", "13 is not added to anything"],
        "result": { "sum": 23 },
    });
    let text = "3\n13 is not added to anything\n{\n  \"sum\": 23\n}";
    assert_eq!(
        run(&client, code).await,
        json!({
            "content": [{ "type": "text", "text": text }],
            "structuredContent": value,
            "isError": false,
        })
    );
    assert_eq!(runs.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_program_that_fails_is_a_failed_result() {
    let (client, runs) = served(Presentation::Code).await;
    let result = run(
        &client,
        "console.log('so far');\nawait tools.add({ a: 13, b: 1 })",
    )
    .await;
    assert_eq!(result["isError"], true);
    assert_eq!(result["structuredContent"], Value::Null);
    let text = result["content"][0]["text"].as_str().unwrap();
    for part in ["exception", "13 is not added to anything", "so far", "2"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(runs.load(Ordering::SeqCst), 0);

    let blank = json!({ "code": "return 1", "description": " " });
    let result = call(&client, "run_code", blank).await.unwrap();
    assert_eq!(result["isError"], true);
}

#[tokio::test]
async fn images_of_a_program_follow_its_result() {
    let (client, _) = served(Presentation::Code).await;
    let result = run(&client, "await tools.draw({}); return 'drawn'").await;
    assert_eq!(
        result,
        json!({
            "content": [
                { "type": "text", "text": "drawn" },
                { "type": "image", "data": "aW1n", "mimeType": "image/png" },
            ],
            "structuredContent": { "logs": [], "result": "drawn" },
            "isError": false,
        })
    );
}

/// The refusal says the way round; hooks do not hear of it, and observers do.
#[tokio::test]
async fn a_tool_that_only_programs_may_call_is_refused() {
    let (seen, mut results) = mpsc::unbounded_channel();
    let runs = Arc::default();
    let runtime = builder(&runs)
        .presentation(Presentation::Code)
        .guard(|_: &tool_core::ToolExecution| -> Option<String> { panic!("a hook was asked") })
        .on_result(Seen(seen))
        .build()
        .unwrap();
    let client = client_of(McpServer::new(&runtime)).await;
    let error = call(&client, "add", json!({ "a": 1, "b": 2 }))
        .await
        .unwrap_err();
    let ServiceError::McpError(error) = error else {
        panic!("{error}");
    };
    assert_eq!(error.code.0, -32602);
    assert_eq!(
        error.message,
        "unknown tool \"add\": only `run_code` is callable directly; call `add` from inside a \
         `run_code` program instead"
    );
    assert_eq!(runs.load(Ordering::SeqCst), 0);
    let heard = results.recv().await.unwrap();
    assert_eq!(heard, ("add".to_owned(), "UNKNOWN_TOOL".to_owned()));
}

#[tokio::test]
async fn both_ways_are_served_side_by_side() {
    let (client, runs) = served(Presentation::Both).await;
    assert_eq!(names(&client).await, ["add", "draw", "run_code"]);
    let direct = call(&client, "add", json!({ "a": 1, "b": 2 }))
        .await
        .unwrap();
    assert_eq!(direct["content"], json!([{ "type": "text", "text": "3" }]));
    let program = run(&client, "return await tools.add({ a: 1, b: 2 })").await;
    assert_eq!(program["content"], json!([{ "type": "text", "text": "3" }]));
    let denied = call(&client, "add", json!({ "a": 13, "b": 2 }))
        .await
        .unwrap();
    assert_eq!(
        denied["content"],
        json!([{ "type": "text", "text": "Error: 13 is not added to anything" }])
    );
    assert_eq!(runs.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_scope_is_served_as_it_is_presented() {
    let runs = Arc::default();
    let runtime = builder(&runs).build().unwrap();
    let scope = runtime.scope("agent").unwrap();
    let presented = scope.present_as(Presentation::Code).unwrap();
    let inside = client_of(McpServer::new(&runtime).scope(&scope)).await;
    let outside = client_of(McpServer::new(&runtime)).await;
    assert_eq!(names(&inside).await, ["run_code"]);
    assert_eq!(names(&outside).await, ["add", "draw"]);
    let program = run(&inside, "return await tools.add({ a: 1, b: 2 })").await;
    assert_eq!(
        program["structuredContent"],
        json!({ "logs": [], "result": 3 })
    );
    assert!(
        call(&inside, "add", json!({ "a": 1, "b": 2 }))
            .await
            .is_err()
    );
    let hidden = json!({ "code": "return 1", "description": "tries it" });
    assert!(call(&outside, "run_code", hidden).await.is_err());

    presented.dispose();
    assert_eq!(names(&inside).await, ["add", "draw"]);
}

/// No silent fallback: where programs are to be offered and nothing runs them, there is no list.
#[tokio::test]
async fn without_a_code_runtime_there_is_no_list() {
    let runs: Arc<AtomicUsize> = Arc::default();
    let runtime = ToolRuntime::builder()
        .state(runs)
        .tool(add {})
        .presentation(Presentation::Both)
        .build()
        .unwrap();
    let client = client_of(McpServer::new(&runtime)).await;
    let error = client.list_all_tools().await.unwrap_err();
    let ServiceError::McpError(error) = error else {
        panic!("{error}");
    };
    assert_eq!(error.code.0, -32603);
    assert!(error.message.contains("code runtime"), "{}", error.message);
    let result = run(&client, "return 1").await;
    assert_eq!(
        result,
        json!({
            "content": [{
                "type": "text",
                "text": "Error: `run_code` cannot run anything: this runtime has no code runtime",
            }],
            "isError": true,
        })
    );
}
