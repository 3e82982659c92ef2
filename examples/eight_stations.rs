//! One tool, and what policy can do to it: a guard that refuses, a guard that abstains and changes
//! nothing about that, and a post-execute hook in its three ways.

#![expect(clippy::unused_async, reason = "a tool that would wait for something")]

use serde_json::{Value, json};
use tool_core::{
    PostDecision, RegisterError, ToolCall, ToolExecution, ToolResult, ToolRuntime,
    ToolRuntimeBuilder, guard, post_execute, tool,
};

/// Greets somebody by name.
#[tool]
async fn hello(
    /// Who to greet.
    name: String,
) -> String {
    format!("Hello, {name}!")
}

/// Refuses to greet the world.
#[guard(tool = hello)]
fn not_world(name: &str) -> Option<String> {
    (name == "World").then(|| format!("greeting {name:?} is not allowed"))
}

/// Would like to let everything pass. A guard cannot: saying nothing is not allowing.
#[guard]
fn lenient(_call: &ToolExecution) -> Option<String> {
    None
}

/// The model reads something shorter; programs keep the value.
#[post_execute]
fn shorten(_call: &ToolExecution, _result: &ToolResult) -> PostDecision {
    PostDecision::content("[long output]")
}

/// Programs and the model get another value; it is rendered again.
#[post_execute(tool = hello)]
fn replace() -> PostDecision<String> {
    PostDecision::value("REPLACED".to_owned())
}

/// The result is held back; only the feedback stays.
#[post_execute]
async fn hold_back(_call: &ToolExecution, result: &ToolResult) -> PostDecision {
    if result.text().contains("World") {
        PostDecision::block("the result names a restricted person: held back")
    } else {
        PostDecision::accept()
    }
}

/// Calls `hello("World")` under the policy that `with` adds, prints the result and compares it.
async fn show(
    title: &str,
    with: impl FnOnce(ToolRuntimeBuilder) -> ToolRuntimeBuilder,
    expected: Value,
) -> Result<(), RegisterError> {
    let runtime = with(ToolRuntime::builder().tool(hello {})).build()?;
    let call = ToolCall::new("call_1", "hello", r#"{"name":"World"}"#);
    let result = json!(runtime.execute(call).await);
    println!("--- {title} ---\n{result:#}\n");
    assert_eq!(result, expected);
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), RegisterError> {
    let denied = json!({
        "call_id": "call_1",
        "is_error": true,
        "error": {"message": "greeting \"World\" is not allowed", "code": "DENIED"},
        "content": [{"type": "text", "text": "Error: greeting \"World\" is not allowed"}],
    });
    show(
        "a guard refuses",
        |it| it.guard(not_world {}),
        denied.clone(),
    )
    .await?;
    show(
        "a second guard abstains: still refused",
        |it| it.guard(not_world {}).guard(lenient {}),
        denied,
    )
    .await?;
    show(
        "post-execute replaces the content: the value is untouched",
        |it| it.post_execute(shorten {}),
        json!({
            "call_id": "call_1",
            "is_error": false,
            "value": "Hello, World!",
            "content": [{"type": "text", "text": "[long output]"}],
        }),
    )
    .await?;
    show(
        "post-execute replaces the value: the content is rendered again",
        |it| it.post_execute(replace {}),
        json!({
            "call_id": "call_1",
            "is_error": false,
            "value": "REPLACED",
            "content": [{"type": "text", "text": "REPLACED"}],
        }),
    )
    .await?;
    show(
        "post-execute blocks: the value is gone, the feedback stays",
        |it| it.post_execute(hold_back {}),
        json!({
            "call_id": "call_1",
            "is_error": true,
            "error": {
                "message": "the result names a restricted person: held back",
                "code": "BLOCKED",
            },
            "content": [
                {"type": "text", "text": "the result names a restricted person: held back"},
            ],
        }),
    )
    .await
}
