use serde_json::{Value, json};
use tool_core::dialect::Dialect;
use tool_core::{
    ExecutionMode, Restriction, ToolCall, ToolDefinition, ToolExecution, ToolRuntime, tool,
};
use tool_mcp::{Import, ImportOptions, McpClient, McpServer};

/// Reads.
#[tool(read_only, title = "Read")]
fn read(path: String) -> String {
    format!("<{path}>")
}

/// Writes.
#[tool(destructive)]
fn write(path: String) -> String {
    path
}

/// Lists.
#[tool]
fn list() -> String {
    "listed".into()
}

pub(crate) fn empty() -> ToolRuntime {
    ToolRuntime::builder().build().unwrap()
}

fn remote() -> ToolRuntime {
    ToolRuntime::builder()
        .tool(read {})
        .tool(write {})
        .build()
        .unwrap()
}

pub(crate) async fn client_of(runtime: &ToolRuntime) -> McpClient {
    let (near, far) = tokio::io::duplex(1 << 20);
    let server = McpServer::new(runtime).name("far", "1.0.0");
    tokio::spawn(async move { server.serve(far).await });
    McpClient::connect("far", near).await.unwrap()
}

fn names(runtime: &ToolRuntime) -> Vec<String> {
    let schemas = runtime.schemas();
    schemas.iter().map(|schema| schema.name.clone()).collect()
}

fn imported(import: &Import) -> Vec<(String, String)> {
    let report = import.report();
    let tools = report.imported.iter();
    tools
        .map(|tool| (tool.remote.clone(), tool.name.clone()))
        .collect()
}

#[tokio::test]
async fn tools_are_imported_under_a_prefix_and_called_through_the_pipeline() {
    let near = ToolRuntime::builder()
        .guard(|call: &ToolExecution| {
            (call.arguments()["path"] == "/etc").then(|| format!("{} may not", call.name()))
        })
        .build()
        .unwrap();
    let client = client_of(&remote()).await;
    assert_eq!(client.server_name().as_deref(), Some("far"));
    let import = client
        .import(&near, ImportOptions::new().prefix("far_"))
        .await
        .unwrap();
    assert_eq!(
        import.report().to_string(),
        "`read` as `far_read`\n`write` as `far_write`"
    );
    assert_eq!(names(&near), ["far_read", "far_write"]);

    let call = |id, path: &str| ToolCall::new(id, "far_read", json!({ "path": path }));
    let result = near.execute(call("call_1", "a")).await;
    assert_eq!(
        serde_json::to_value(&result).unwrap(),
        json!({
            "call_id": "call_1",
            "is_error": false,
            "value": "<a>",
            "content": [{ "type": "text", "text": "<a>" }],
        })
    );
    let result = near.execute(call("call_2", "/etc")).await;
    assert_eq!(result.text(), "Error: far_read may not");
    let result = near
        .execute(ToolCall::new("call_3", "far_read", "{}"))
        .await;
    assert_eq!(result.error().unwrap().code(), "INVALID_ARGS");
}

#[tokio::test]
async fn hints_are_dropped_unless_they_are_trusted() {
    let client = client_of(&remote()).await;
    let call = ToolCall::new("call_1", "read", json!({ "path": "a" }));

    let near = empty();
    client.import(&near, ImportOptions::new()).await.unwrap();
    assert_eq!(near.execution_mode(&call), ExecutionMode::Exclusive);
    let exported = near.export(Dialect::Mcp).tools;
    assert_eq!(exported[0]["title"], "Read");
    assert_eq!(exported[0].get("annotations"), None);
    assert_eq!(exported[1].get("annotations"), None);

    let near = empty();
    let trusting = ImportOptions::new().trust_hints(true);
    client.import(&near, trusting).await.unwrap();
    assert_eq!(near.execution_mode(&call), ExecutionMode::Parallel);
    let exported = near.export(Dialect::Mcp).tools;
    assert_eq!(exported[0]["annotations"], json!({ "readOnlyHint": true }));
    assert_eq!(
        exported[1]["annotations"],
        json!({ "destructiveHint": true })
    );
    let call = ToolCall::new("call_2", "write", json!({ "path": "a" }));
    assert_eq!(near.execution_mode(&call), ExecutionMode::Exclusive);
}

#[tokio::test]
async fn what_the_server_adds_changes_and_removes_is_followed() {
    let far = remote();
    let near = empty();
    let client = client_of(&far).await;
    let mut import = client.import(&near, ImportOptions::new()).await.unwrap();
    let added = far.register(list {}).unwrap();
    let report = import.updated().await;
    assert_eq!(report.imported.len(), 3);
    assert_eq!(names(&near), ["read", "write", "list"]);
    let result = near.execute(ToolCall::new("call_1", "list", "{}")).await;
    assert_eq!(result.text(), "listed");

    added.dispose();
    import.updated().await;
    assert_eq!(names(&near), ["read", "write"]);
    let result = near.execute(ToolCall::new("call_2", "list", "{}")).await;
    assert_eq!(result.error().unwrap().code(), "UNKNOWN_TOOL");

    let again = far.register(list {}).unwrap();
    import.updated().await;
    again.dispose();
    far.register(list {}.definition().description("Lists, and more."))
        .unwrap();
    // Two changes may be told as one.
    while near.schemas().last().unwrap().description != "Lists, and more." {
        import.updated().await;
    }
    assert_eq!(names(&near), ["read", "write", "list"]);
}

#[tokio::test]
async fn a_name_that_is_taken_is_refused_and_named() {
    let near = ToolRuntime::builder().tool(read {}).build().unwrap();
    let client = client_of(&remote()).await;
    let import = client.import(&near, ImportOptions::new()).await.unwrap();
    assert_eq!(
        import.report().to_string(),
        "`write` as `write`\n`read`: refused: tool `read` is registered here already"
    );
    // A scope's tool would hide the one that everybody knows by this name.
    let agent = near.scope("agent").unwrap();
    let import = client.import(&agent, ImportOptions::new()).await.unwrap();
    assert_eq!(imported(&import), []);
    assert_eq!(import.report().refused.len(), 2);
}

#[tokio::test]
async fn an_import_into_a_scope_is_there_alone() {
    let near = empty();
    let agent = near.scope("agent").unwrap();
    let client = client_of(&remote()).await;
    client.import(&agent, ImportOptions::new()).await.unwrap();
    assert_eq!(names(&near), Vec::<String>::new());
    let child = agent.child("child").unwrap();
    child.restrict(Restriction::deny(["write"])).unwrap();
    assert_eq!(child.schemas().len(), 1);
    let call = ToolCall::new("call_1", "write", json!({ "path": "a" }));
    let result = near.execute(call.clone().scope(&child)).await;
    assert_eq!(result.error().unwrap().code(), "UNKNOWN_TOOL");
    assert_eq!(near.execute(call.scope(&agent)).await.text(), "a");
}

#[tokio::test]
async fn no_more_tools_are_taken_than_allowed() {
    let near = empty();
    let client = client_of(&remote()).await;
    let one = ImportOptions::new().max_tools(1);
    let import = client.import(&near, one).await.unwrap();
    assert_eq!(
        import.report().to_string(),
        "`read` as `read`\n`write`: refused: the server lists more than 1 tools"
    );
}

#[tokio::test]
async fn a_disposed_import_leaves_nothing() {
    let far = remote();
    let near = empty();
    let client = client_of(&far).await;
    let import = client.import(&near, ImportOptions::new()).await.unwrap();
    import.dispose().await;
    assert_eq!(names(&near), Vec::<String>::new());
    // Also when the server is gone.
    let import = client.import(&near, ImportOptions::new()).await.unwrap();
    client.close().await;
    assert_eq!(names(&near), ["read", "write"]);
    import.dispose().await;
    assert_eq!(names(&near), Vec::<String>::new());
}

/// A policy in front of another server: import, guard, serve again.
#[tokio::test]
async fn what_is_imported_can_be_served_again() {
    let point = ToolDefinition::dynamic(
        "point",
        "Gives a point.",
        json!({ "type": "object", "properties": { "x": { "type": "integer" } } }),
        json!({ "type": "object", "properties": { "x": { "type": "integer" } }, "required": ["x"] }),
    )
    .handler(|arguments: Value, _| async move { arguments });
    let far = ToolRuntime::builder().tool(point).build().unwrap();
    let middle = ToolRuntime::builder()
        .guard(|call: &ToolExecution| {
            (call.arguments()["x"] == 13).then(|| "not thirteen".to_owned())
        })
        .build()
        .unwrap();
    let client = client_of(&far).await;
    client.import(&middle, ImportOptions::new()).await.unwrap();
    assert_eq!(
        middle.export(Dialect::Mcp).tools,
        far.export(Dialect::Mcp).tools
    );
    let mut wire = crate::support::Wire::session(&McpServer::new(&middle)).await;
    assert_eq!(
        wire.call(1, "point", json!({ "x": 1 })).await["result"],
        json!({
            "content": [{ "type": "text", "text": r#"{"x":1}"# }],
            "structuredContent": { "x": 1 },
            "isError": false,
        })
    );
    assert_eq!(
        wire.call(2, "point", json!({ "x": 13 })).await["result"],
        json!({ "content": [{ "type": "text", "text": "Error: not thirteen" }], "isError": true })
    );
}
