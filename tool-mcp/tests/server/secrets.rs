use serde_json::{Value, json};
use tool_core::{
    ContentBlock, PostDecision, RunContext, ToolError, ToolExecution, ToolResult, ToolRuntime,
    ToolRuntimeBuilder, post_execute, tool,
};
use tool_mcp::McpServer;

use crate::support::Wire;

const SECRET: &str = "swordfish";

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct Account {
    user: String,
    token: String,
}

/// Looks an account up.
#[tool]
fn account() -> Account {
    Account {
        user: "ada".into(),
        token: SECRET.into(),
    }
}

/// Looks an account up, and says so in its own words.
#[tool(render = in_words)]
fn worded() -> Account {
    account()
}

fn in_words(account: &Account) -> String {
    format!("{} has a token", account.user)
}

/// Fails with the secret.
#[tool]
fn leak(cx: &RunContext) -> Result<String, ToolError> {
    cx.progress(0.5, "half way");
    Err(ToolError::new(format!("{SECRET} was refused")))
}

fn redacted(result: &ToolResult) -> Option<String> {
    let text = result.text();
    text.contains(SECRET).then(|| text.replace(SECRET, "***"))
}

/// Every message of a session that calls `tool`, and the call's answer.
async fn session(builder: ToolRuntimeBuilder, tool: &str) -> (String, Value) {
    let runtime = builder.build().unwrap();
    let mut wire = Wire::session(&McpServer::new(&runtime)).await;
    wire.tools(1).await;
    let params = json!({ "name": tool, "_meta": { "progressToken": 1 } });
    wire.request(2, "tools/call", params).await;
    loop {
        let mut message = wire.next().await;
        if message["id"] == 2 {
            return (wire.heard, message["result"].take());
        }
    }
}

#[tokio::test]
async fn a_replaced_value_leaves_nothing_of_the_old_one() {
    #[post_execute(tool = account)]
    async fn hide(value: &Account) -> PostDecision<Account> {
        PostDecision::value(Account {
            user: value.user.clone(),
            token: "***".into(),
        })
    }
    let builder = ToolRuntime::builder()
        .tool(account {})
        .post_execute(hide {});
    let (heard, result) = session(builder, "account").await;
    assert!(!heard.contains(SECRET), "{heard}");
    let shown = json!({ "user": "ada", "token": "***" });
    assert_eq!(
        result,
        json!({
            "content": [{ "type": "text", "text": shown.to_string() }],
            "structuredContent": shown,
            "isError": false,
        })
    );
}

/// C89: the redacted text is what reaches `structuredContent`, too.
#[tokio::test]
async fn a_redacted_text_is_the_structured_content() {
    let builder = ToolRuntime::builder().tool(account {}).post_execute(
        |_: &ToolExecution, result: &ToolResult| {
            redacted(result).map_or_else(PostDecision::accept, PostDecision::content)
        },
    );
    let (heard, result) = session(builder, "account").await;
    assert!(!heard.contains(SECRET), "{heard}");
    assert_eq!(
        result,
        json!({
            "content": [{ "type": "text", "text": r#"{"user":"ada","token":"***"}"# }],
            "structuredContent": { "user": "ada", "token": "***" },
            "isError": false,
        })
    );
}

#[tokio::test]
async fn where_the_text_is_no_such_object_there_is_no_structured_content() {
    for shown in ["[hidden]", r#"{"user":"ada"}"#, "[1]"] {
        let builder = ToolRuntime::builder().tool(account {}).post_execute(
            move |_: &ToolExecution, _: &ToolResult| PostDecision::<Value>::content(shown),
        );
        let (heard, result) = session(builder, "account").await;
        assert!(!heard.contains(SECRET), "{heard}");
        assert_eq!(
            result,
            json!({ "content": [{ "type": "text", "text": shown }], "isError": false })
        );
    }
}

/// C93: half of a JSON text is not handed on as JSON, and neither is what was cut off.
#[tokio::test]
async fn a_result_that_was_cut_has_no_structured_content() {
    let builder = ToolRuntime::builder().tool(account {}.definition().max_content_bytes(20));
    let (heard, result) = session(builder, "account").await;
    assert!(!heard.contains(SECRET), "{heard}");
    assert_eq!(result.get("structuredContent"), None);
    assert_eq!(result["isError"], false);
}

#[tokio::test]
async fn a_finalizer_hides_as_a_hook_does() {
    let finalized = account {}
        .definition()
        .finalize_content(|_, _| Some(vec![ContentBlock::text("[hidden]")]));
    let (heard, result) = session(ToolRuntime::builder().tool(finalized), "account").await;
    assert!(!heard.contains(SECRET), "{heard}");
    assert_eq!(
        result,
        json!({ "content": [{ "type": "text", "text": "[hidden]" }], "isError": false })
    );
}

/// What the tool itself says in other words is no secret: its value goes out.
#[tokio::test]
async fn a_tool_that_renders_keeps_its_structured_content() {
    let (_, result) = session(ToolRuntime::builder().tool(worded {}), "worded").await;
    assert_eq!(
        result,
        json!({
            "content": [{ "type": "text", "text": "ada has a token" }],
            "structuredContent": { "user": "ada", "token": SECRET },
            "isError": false,
        })
    );
}

#[tokio::test]
async fn a_failure_is_redacted_as_well() {
    let builder = ToolRuntime::builder().tool(leak {}).post_execute(
        |_: &ToolExecution, result: &ToolResult| {
            redacted(result).map_or_else(PostDecision::accept, PostDecision::content)
        },
    );
    let (heard, result) = session(builder, "leak").await;
    assert!(!heard.contains(SECRET), "{heard}");
    assert_eq!(
        result,
        json!({ "content": [{ "type": "text", "text": "Error: *** was refused" }], "isError": true })
    );
}

#[tokio::test]
async fn a_blocked_result_shows_its_feedback_alone() {
    let builder = ToolRuntime::builder().tool(account {}).post_execute(
        |_: &ToolExecution, _: &ToolResult| PostDecision::<Value>::block("held back"),
    );
    let (heard, result) = session(builder, "account").await;
    assert!(!heard.contains(SECRET), "{heard}");
    assert_eq!(
        result,
        json!({ "content": [{ "type": "text", "text": "held back" }], "isError": true })
    );
}
