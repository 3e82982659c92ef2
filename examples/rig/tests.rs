use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rig_core::tool::{ToolErrorKind, ToolOutput as RigOutput};
use tool_core::{ContentBlock, Restriction, RunContext, ToolDefinition, ToolError};

use super::*;

fn bridged(runtime: &ToolRuntime, name: &str) -> DynamicTool {
    let mut tools = tools_for_rig(runtime, None);
    let at = tools.iter().position(|tool| &**tool.name() == name);
    tools.swap_remove(at.expect(name))
}

fn of(definition: ToolDefinition) -> ToolRuntime {
    ToolRuntime::builder().tool(definition).build().unwrap()
}

#[tokio::test]
async fn a_definition_is_what_a_model_is_sent() {
    let runtime = runtime().unwrap();
    let definition = bridged(&runtime, "find_contact").definition();
    assert_eq!(&*definition.name, "find_contact");
    assert_eq!(
        definition.description,
        "Looks somebody up in the address book."
    );
    assert_eq!(
        definition.parameters,
        json!({
            "type": "object",
            "properties": { "name": { "type": "string", "description": "A first name." } },
            "required": ["name"],
            "additionalProperties": false,
        })
    );
}

#[tokio::test]
async fn a_call_by_rig_passes_the_whole_pipeline() {
    let runtime = runtime().unwrap();
    let tool = bridged(&runtime, "find_contact");

    // The post hook has had its say.
    let output = tool.execute(json!({"name": "Grace"})).await.unwrap();
    assert_eq!(output.as_text(), Some("Grace Hopper, +1 555 0100"));

    // So has the guard; and a model can read why.
    let denied = tool.execute(json!({"name": "Alan"})).await.unwrap_err();
    assert!(denied.is_refusal());
    assert_eq!(denied.kind(), ToolErrorKind::PermissionDenied);
    assert_eq!(denied.code(), Some("DENIED"));
    assert_eq!(denied.message(), "Alan does not want to be found");
    assert_eq!(
        denied.model_feedback(),
        Some("Error: Alan does not want to be found")
    );

    // And intake.
    let invalid = tool.execute(json!({"nam": "Grace"})).await.unwrap_err();
    assert_eq!(invalid.kind(), ToolErrorKind::InvalidArgs);
    assert!(invalid.message().contains("name"), "{invalid}");

    let failed = tool.execute(json!({"name": "Kurt"})).await.unwrap_err();
    assert_eq!(failed.kind(), ToolErrorKind::Other);
    assert_eq!(failed.code(), Some("TOOL_FAILED"));
    assert_eq!(failed.message(), "nobody is called Kurt");
    let source = failed.downcast_ref::<ToolError>().unwrap();
    assert_eq!(source.code(), "TOOL_FAILED");
}

#[tokio::test]
async fn a_scope_is_called_as_a_scope() {
    let runtime = runtime().unwrap();
    let session = runtime.scope("session").unwrap();
    let before = tools_for_rig(&runtime, Some(&session));
    session.restrict(Restriction::deny(["transfer"])).unwrap();

    let names: Vec<String> = tools_for_rig(&runtime, Some(&session))
        .iter()
        .map(|tool| tool.name().to_string())
        .collect();
    assert_eq!(names, ["find_contact", "currency"]);
    let live: Vec<bool> = before.iter().map(DynamicTool::is_live).collect();
    assert_eq!(live, [true, false, true]);
    let gone = before[1]
        .execute(json!({"to": "Ada", "amount": 1}))
        .await
        .unwrap_err();
    assert_eq!(gone.kind(), ToolErrorKind::NotFound);
    assert_eq!(gone.code(), Some("UNKNOWN_TOOL"));
}

#[tokio::test]
async fn values_images_and_contexts_reach_rig() {
    let runtime = of(
        ToolDefinition::dynamic("draw", "Draws.", None, json!({})).handler(
            |_: Value, cx: RunContext| async move {
                cx.defer_context("the user likes dots");
                let image = ContentBlock::image("aWNvbg==", "image/png");
                let sound = ContentBlock::audio("c291bmQ=", "audio/wav");
                tool_core::ToolOutput::blocks(vec![image, sound])
            },
        ),
    );
    let output = bridged(&runtime, "draw").execute(json!({})).await.unwrap();
    assert_eq!(
        json!(output),
        json!([
            {
                "type": "image",
                "data": { "type": "base64", "value": "aWNvbg==" },
                "media_type": "png",
            },
            { "type": "text", "text": "[audio content]" },
            { "type": "text", "text": "the user likes dots" },
        ])
    );

    let value = json!({"sent": 5, "to": "Ada"});
    let shown = value.clone();
    let runtime = of(
        ToolDefinition::dynamic("send", "Sends.", None, json!({})).handler(move |_: Value, _| {
            let value = shown.clone();
            async move { value }
        }),
    );
    let tool = bridged(&runtime, "send");
    let output = tool.execute(json!({})).await.unwrap();
    assert_eq!(output.as_json(), Some(&value));

    // Where policy shows something else, the value behind it is not sent.
    runtime.post_execute(|_: &ToolExecution, _: &tool_core::ToolResult| {
        PostDecision::<Value>::content("[hidden]")
    });
    let output = tool.execute(json!({})).await.unwrap();
    assert_eq!(output.as_text(), Some("[hidden]"));
}

struct Flag(Arc<AtomicBool>);

impl Drop for Flag {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn a_call_that_rig_drops_is_dropped_here() {
    let dropped = Arc::new(AtomicBool::new(false));
    let seen = dropped.clone();
    let runtime = of(
        ToolDefinition::dynamic("wait", "Waits.", None, json!({})).handler(move |_: Value, _| {
            let flag = Flag(seen.clone());
            async move {
                let _flag = flag;
                std::future::pending::<Value>().await
            }
        }),
    );
    let tool = bridged(&runtime, "wait");
    let mut call = Box::pin(tool.execute(json!({})));
    assert!(futures_util::poll!(&mut call).is_pending());
    assert!(!dropped.load(Ordering::SeqCst));
    drop(call);
    assert!(dropped.load(Ordering::SeqCst));
}

#[tokio::test]
async fn a_tool_of_rig_is_under_policy_here() {
    let runtime = runtime().unwrap();
    let mut seen = Vec::new();
    for (to, amount) in [
        ("Ada", json!(20)),
        ("Ada", json!(600)),
        ("Ada", json!(5_000)),
        ("Ada", json!(0)),
    ] {
        let arguments = json!({ "to": to, "amount": amount });
        let result = runtime
            .execute(ToolCall::new("call_1", "transfer", arguments))
            .await;
        let code = result.error().map(|error| error.code().to_owned());
        seen.push((code, result.text(), result.value().cloned()));
    }
    let invalid = seen.pop().unwrap();
    assert_eq!(invalid.0.as_deref(), Some("INVALID_ARGS"));
    assert!(invalid.1.contains("amount"), "{}", invalid.1);
    let failure = |code: &str, text: &str| (Some(code.to_owned()), text.to_owned(), None);
    assert_eq!(
        seen,
        [
            (
                None,
                r#"{"sent":20,"to":"Ada"}"#.to_owned(),
                Some(json!({"sent": 20, "to": "Ada"})),
            ),
            failure(
                "RATE_LIMITED",
                "Error: the bank sends 500 a day; try again tomorrow",
            ),
            failure("DENIED", "Error: 5000 is too much to send without asking"),
        ]
    );
}

/// There and back, a failure is what it was.
#[tokio::test]
async fn every_kind_of_failure_keeps_its_text_and_kind() {
    for kind in [
        ToolErrorKind::InvalidArgs,
        ToolErrorKind::Timeout,
        ToolErrorKind::Cancelled,
        ToolErrorKind::NotFound,
        ToolErrorKind::PermissionDenied,
        ToolErrorKind::RateLimited,
        ToolErrorKind::Provider,
        ToolErrorKind::Network,
        ToolErrorKind::Other,
    ] {
        let name = ToolName::new("fail").unwrap();
        let failing = DynamicTool::new(name, "Fails.", json!({"type": "object"}), move |_| {
            Box::pin(async move { Err(ToolExecutionError::new(kind, format!("it was {kind}"))) })
        });
        let runtime = of(from_dynamic(failing));
        let back = bridged(&runtime, "fail")
            .execute(json!({}))
            .await
            .unwrap_err();
        assert_eq!(
            (back.kind(), back.message()),
            (kind, format!("it was {kind}").as_str())
        );
    }

    // Ours, by way of `rig`, and registered here again.
    for own in [
        "DENIED",
        "APPROVAL_REJECTED",
        "UNKNOWN_TOOL",
        "ABORTED",
        "ENOSPC",
        "BLOCKED",
    ] {
        let failing =
            ToolDefinition::dynamic("fail", "Fails.", None, json!({})).handler(
                move |_: Value, _| async move {
                    Err::<Value, _>(ToolError::new("it broke").with_code(own))
                },
            );
        let runtime = of(from_dynamic(bridged(&of(failing), "fail")));
        let result = runtime.execute(ToolCall::new("call_1", "fail", "{}")).await;
        let error = result.error().unwrap();
        assert_eq!((error.code(), error.message()), (own, "it broke"));
        assert_eq!(result.text(), "Error: it broke");
    }
}

/// What the author of a `rig` tool keeps for operators is not shown to a model here either.
#[tokio::test]
async fn what_rig_keeps_from_models_stays_kept() {
    let name = ToolName::new("fail").unwrap();
    let failing = DynamicTool::new(name, "Fails.", json!({"type": "object"}), |_| {
        Box::pin(async {
            let inner = std::io::Error::other("password=swordfish");
            Err(ToolExecutionError::from_error(inner))
        })
    });
    let runtime = of(from_dynamic(failing));
    let result = runtime.execute(ToolCall::new("call_1", "fail", "{}")).await;
    assert_eq!(result.text(), "Error: the tool failed");
}

#[tokio::test]
async fn outputs_of_rig_keep_their_blocks() {
    let name = ToolName::new("look").unwrap();
    let image = json!({
        "type": "image",
        "data": { "type": "base64", "value": "aWNvbg==" },
        "media_type": "png",
    });
    let text = json!({ "type": "text", "text": "a dot" });
    let output: RigOutput = serde_json::from_value(json!([image, text])).unwrap();
    let looking = DynamicTool::new(name, "Looks.", json!({"type": "object"}), move |_| {
        let output = output.clone();
        Box::pin(async move { Ok(output) })
    });
    let runtime = of(from_dynamic(looking));
    let result = runtime.execute(ToolCall::new("call_1", "look", "{}")).await;
    assert_eq!(
        result.content(),
        [
            ContentBlock::image("aWNvbg==", "image/png"),
            ContentBlock::text("a dot"),
        ]
    );
    assert_eq!(result.value(), Some(&json!("a dot")));
}

/// Whoever calls, the tool can look the call up.
#[tokio::test]
async fn a_rig_tool_knows_the_call_it_serves() {
    let name = ToolName::new("who").unwrap();
    let asking = DynamicTool::new_with_context(
        name,
        "Says the id of the call.",
        json!({"type": "object"}),
        |context, _| {
            let cx = context.scope::<RunContext>();
            Box::pin(async move { Ok(RigOutput::text(cx.unwrap().call_id().to_string())) })
        },
    );
    let runtime = of(from_dynamic(asking));
    let result = runtime.execute(ToolCall::new("call_7", "who", "{}")).await;
    assert_eq!(result.text(), "call_7");
}
