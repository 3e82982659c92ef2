use serde_json::{Value, json};
use tool_core::{Callers, Restriction, ToolDefinition, ToolExecution, ToolRuntime, tool};
use tool_mcp::McpServer;

use crate::support::Wire;

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Sum {
    total: i64,
}

/// Adds two numbers.
#[tool(title = "Add", read_only, idempotent)]
fn add(
    /// The first.
    a: i64,
    b: i64,
) -> Sum {
    Sum { total: a + b }
}

/// Says hello.
#[tool]
fn hello() -> String {
    "hello".into()
}

/// Waves.
#[tool]
fn wave() {}

#[tokio::test]
async fn a_session_begins_with_what_the_server_is() {
    let runtime = ToolRuntime::builder().build().unwrap();
    let server = McpServer::new(&runtime)
        .name("greeter", "1.2.3")
        .instructions("Be kind.");
    let (mut wire, _serving) = Wire::client_of(&server);
    let answer = wire.initialize(json!({})).await;
    assert_eq!(
        answer,
        json!({
            "jsonrpc": "2.0",
            "id": "init",
            "result": {
                "protocolVersion": "2025-11-25",
                "capabilities": { "tools": { "listChanged": true } },
                "serverInfo": { "name": "greeter", "version": "1.2.3" },
                "instructions": "Be kind.",
            },
        })
    );
}

#[tokio::test]
async fn tools_are_listed_with_title_hints_and_both_schemas() {
    let runtime = ToolRuntime::builder()
        .tool(add {})
        .tool(hello {})
        .build()
        .unwrap();
    let mut wire = Wire::session(&McpServer::new(&runtime)).await;
    wire.request(1, "tools/list", json!({})).await;
    assert_eq!(
        wire.next().await,
        json!({
            "jsonrpc": "2.0",
            "id": 1,
            "result": { "tools": [
                {
                    "name": "add",
                    "title": "Add",
                    "description": "Adds two numbers.",
                    "inputSchema": {
                        "type": "object",
                        "properties": {
                            "a": {
                                "type": "integer",
                                "description": "The first.",
                                "minimum": i64::MIN,
                                "maximum": i64::MAX,
                            },
                            "b": {
                                "type": "integer",
                                "minimum": i64::MIN,
                                "maximum": i64::MAX,
                            },
                        },
                        "required": ["a", "b"],
                        "additionalProperties": false,
                    },
                    "outputSchema": {
                        "type": "object",
                        "properties": {
                            "total": {
                                "type": "integer",
                                "minimum": i64::MIN,
                                "maximum": i64::MAX,
                            },
                        },
                        "required": ["total"],
                    },
                    "annotations": { "readOnlyHint": true, "idempotentHint": true },
                },
                {
                    "name": "hello",
                    "description": "Says hello.",
                    "inputSchema": {
                        "type": "object",
                        "properties": {},
                        "additionalProperties": false,
                    },
                },
            ] },
        })
    );
}

#[tokio::test]
async fn output_schemas_can_be_left_out() {
    let runtime = ToolRuntime::builder().tool(add {}).build().unwrap();
    let mut wire = Wire::session(&McpServer::new(&runtime).output_schemas(false)).await;
    assert_eq!(wire.tools(1).await[0].get("outputSchema"), None);
}

#[tokio::test]
async fn the_list_has_one_page() {
    let runtime = ToolRuntime::builder().build().unwrap();
    let mut wire = Wire::session(&McpServer::new(&runtime)).await;
    wire.request(1, "tools/list", json!({ "cursor": "2" }))
        .await;
    assert_eq!(
        wire.next().await,
        json!({
            "jsonrpc": "2.0",
            "id": 1,
            "error": { "code": -32602, "message": "unknown cursor \"2\": the list has one page" },
        })
    );
}

fn names(tools: &Value) -> Vec<&str> {
    let tools = tools.as_array().unwrap();
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect()
}

fn list_changed() -> Value {
    json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" })
}

#[tokio::test]
async fn a_changed_list_is_told_and_nothing_else_is() {
    let runtime = ToolRuntime::builder().tool(hello {}).build().unwrap();
    let mut wire = Wire::session(&McpServer::new(&runtime)).await;
    // An answer after `initialized`: what comes from here on is heard.
    assert_eq!(names(&wire.tools(1).await), ["hello"]);

    runtime.guard(|_: &ToolExecution| None::<String>);
    let registered = runtime.register(wave {}).unwrap();
    assert_eq!(wire.next().await, list_changed());
    assert_eq!(names(&wire.tools(2).await), ["hello", "wave"]);

    registered.dispose();
    assert_eq!(wire.next().await, list_changed());
    assert_eq!(names(&wire.tools(3).await), ["hello"]);

    let changed = hello {}.definition().description("Says hi.");
    let scope = runtime.scope("elsewhere").unwrap();
    scope.register(changed).unwrap();
    assert_eq!(names(&wire.tools(4).await), ["hello"]);
}

#[tokio::test]
async fn names_that_the_protocol_refuses_go_out_under_others() {
    let named = |name: &'static str| {
        ToolDefinition::dynamic(name, "Says its name.", None, json!({ "type": "string" }))
            .handler(move |_: Value, _| async move { json!(name) })
    };
    let runtime = ToolRuntime::builder()
        .tool(named("a.b"))
        .tool(named("a/b"))
        .build()
        .unwrap();
    let mut wire = Wire::session(&McpServer::new(&runtime)).await;
    let tools = wire.tools(1).await;
    let listed = names(&tools);
    assert_eq!(listed[0], "a.b");
    assert_ne!(listed[1], "a/b");
    let answer = wire.call(2, listed[1], json!({})).await;
    assert_eq!(answer["result"]["content"][0]["text"], "a/b");
    // It is listed under another name, so this is nobody's.
    let answer = wire.call(3, "a/b", json!({})).await;
    assert_eq!(
        answer["error"],
        json!({ "code": -32602, "message": "unknown tool \"a/b\"" })
    );
}

#[tokio::test]
async fn a_tool_for_programs_alone_is_neither_listed_nor_run() {
    let mut callers = Callers::default();
    callers.direct = false;
    let runtime = ToolRuntime::builder()
        .tool(hello {}.definition().callers(callers))
        .build()
        .unwrap();
    let mut wire = Wire::session(&McpServer::new(&runtime)).await;
    assert_eq!(wire.tools(1).await, json!([]));
    let answer = wire.call(2, "hello", json!({})).await;
    assert_eq!(answer["error"]["code"], -32602);
}

#[tokio::test]
async fn one_scope_is_served_as_it_sees_things() {
    let runtime = ToolRuntime::builder()
        .tool(hello {})
        .tool(wave {})
        .build()
        .unwrap();
    let agent = runtime.scope("agent").unwrap();
    agent.restrict(Restriction::deny(["wave"])).unwrap();
    agent.register(add {}).unwrap();
    let mut wire = Wire::session(&McpServer::new(&runtime).scope(&agent)).await;
    assert_eq!(names(&wire.tools(1).await), ["hello", "add"]);
    let answer = wire.call(2, "wave", json!({})).await;
    assert_eq!(
        answer["error"],
        json!({ "code": -32602, "message": "unknown tool \"wave\"; available: hello, add" })
    );
    let answer = wire.call(3, "add", json!({ "a": 1, "b": 2 })).await;
    assert_eq!(answer["result"]["structuredContent"], json!({ "total": 3 }));
}
