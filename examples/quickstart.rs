//! The program of the README, word for word.
#![expect(clippy::unused_async, reason = "a tool that would wait for something")]

use tool_core::{PostDecision, ToolCall, ToolRuntime, guard, post_execute, tool};

/// Greets somebody by name.
#[tool(timeout = "5s", concurrency_safe)]
async fn hello(
    /// Who to greet.
    name: String,
) -> String {
    format!("Hello, {name}!")
}

/// Nobody greets the whole world.
#[guard(tool = hello)]
fn not_world(name: &str) -> Option<String> {
    (name == "World").then(|| format!("greeting {name:?} is not allowed"))
}

/// Shouting is for the program, not for the model.
#[post_execute(tool = hello)]
async fn calm_down(value: &str) -> PostDecision<String> {
    PostDecision::value(value.replace('!', "."))
}

#[tokio::main]
async fn main() -> Result<(), tool_core::RegisterError> {
    let runtime = ToolRuntime::builder()
        .tool(hello {})
        .guard(not_world {})
        .post_execute(calm_down {})
        .build()?;
    let result = runtime
        .execute(ToolCall::new("call_1", "hello", r#"{"name":"Ada"}"#))
        .await;
    assert_eq!(result.text(), "Hello, Ada.");
    let result = runtime
        .execute(ToolCall::new("call_2", "hello", r#"{"name":"World"}"#))
        .await;
    assert_eq!(result.text(), r#"Error: greeting "World" is not allowed"#);
    Ok(())
}
