//! Panics: whatever a user wrote panics wherever it runs, and the process, the call and its
//! siblings go on. What the panic carried goes to nobody.

#[path = "panics/dropping.rs"]
mod dropping;
mod support;
#[path = "panics/typed.rs"]
mod typed;

use std::future::Ready;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use tool_core::{
    Approval, ApprovalRequest, Approver, AroundExecute, Decision, ExecutionMode, Guard, Next,
    PostDecision, PostExecute, PreExecute, ToolDefinition, ToolError, ToolExecution, ToolResult,
    ToolRuntime, ToolRuntimeBuilder, Verdict, around_fn,
};

use support::{
    PAYLOAD, Record, call, code, data, done, failure, observer, panic_now, run, success, tool,
};

/// The value of a body that panics.
fn panics() -> Value {
    panic_now()
}

/// A hook of any kind that panics in its future.
struct Panics;

impl PreExecute for Panics {
    async fn decide(&self, _: &ToolExecution) -> Result<Decision, ToolError> {
        panic_now()
    }
}

impl Guard for Panics {
    async fn check(&self, _: &ToolExecution) -> Result<Verdict, ToolError> {
        panic_now()
    }
}

impl AroundExecute for Panics {
    async fn around(&self, _: &ToolExecution, _: Next<'_>) -> Result<ToolResult, ToolError> {
        panic_now()
    }
}

impl PostExecute for Panics {
    async fn review(&self, _: &ToolExecution, _: &ToolResult) -> Result<PostDecision, ToolError> {
        panic_now()
    }
}

impl Approver for Panics {
    async fn request(&self, _: ApprovalRequest) -> Approval {
        panic_now()
    }
}

/// A value that cannot be written.
struct PanicsWhenWritten;

impl Serialize for PanicsWhenWritten {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        panic_now()
    }
}

/// A runtime with a tool that works, and what `with` adds.
fn runtime(
    tool: ToolDefinition,
    told: &Record,
    with: impl FnOnce(ToolRuntimeBuilder) -> ToolRuntimeBuilder,
) -> ToolRuntime {
    let builder = ToolRuntime::builder().hook_timeout(None).tool(tool);
    with(builder).on_result(observer(told)).build().unwrap()
}

/// Runs a call of a tool called `act` whose body is there to be reached, and asserts the outcome:
/// what the model gets, and whether the body ran.
fn check(
    expected: &Value,
    body_runs: bool,
    with: impl FnOnce(ToolRuntimeBuilder) -> ToolRuntimeBuilder,
) {
    let (ran, told) = (Record::default(), Record::default());
    let runtime = runtime(done("act", &ran), &told, with);
    let result = run(runtime.execute(call("call_1", "act")));
    assert_eq!(data(&result), *expected);
    assert_eq!(ran.lines().len(), usize::from(body_runs));
    assert_eq!(told.lines(), [format!("call_1 {}", code(&result))]);
}

/// Runs a call of this tool called `act` and asserts what the model gets.
fn check_tool(tool: ToolDefinition, expected: &Value) {
    let told = Record::default();
    let runtime = runtime(tool, &told, |builder| builder);
    let result = run(runtime.execute(call("call_1", "act")));
    assert_eq!(data(&result), *expected);
    assert_eq!(told.lines(), [format!("call_1 {}", code(&result))]);
}

fn hook_panicked(hook: &str) -> Value {
    failure("call_1", "HOOK_FAILED", &format!("hook `{hook}` panicked"))
}

fn works(name: &'static str) -> ToolDefinition {
    done(name, &Record::default())
}

#[test]
fn a_body() {
    let expected = failure("call_1", "TOOL_PANICKED", "tool \"act\" panicked");
    // Before it is a future, in its first poll, and later.
    check_tool(
        tool("act", |_, _| -> Ready<Value> { panic_now() }),
        &expected,
    );
    check_tool(tool("act", |_, _| async { panics() }), &expected);
    check_tool(
        tool("act", |_, _| async {
            support::pending_times(2).await;
            panics()
        }),
        &expected,
    );
}

#[test]
fn a_renderer() {
    let message = "tool \"act\" returned invalid output: render failed: it panicked";
    let renders = works("act").render(|_, _| -> String { panic_now() });
    check_tool(renders, &failure("call_1", "INVALID_TOOL_OUTPUT", message));
}

#[test]
fn a_projection() {
    let message = "tool \"act\" returned invalid output: presentation_meta failed: it panicked";
    let projects = works("act").presentation_meta(|_, _| -> Value { panic_now() });
    check_tool(projects, &failure("call_1", "INVALID_TOOL_OUTPUT", message));
}

#[test]
fn a_finalizer() {
    let message = "the finalizer of tool \"act\" panicked";
    let finalizes = works("act")
        .finalize_content(|_, _| -> Option<Vec<tool_core::ContentBlock>> { panic_now() });
    check_tool(finalizes, &failure("call_1", "HOOK_FAILED", message));
}

#[test]
fn a_classifier() {
    let told = Record::default();
    let classified = works("act").concurrency_safe_if(|_| -> bool { panic_now() });
    let runtime = runtime(classified, &told, |builder| builder);
    assert_eq!(
        runtime.execution_mode(&call("call_1", "act")),
        ExecutionMode::Exclusive
    );
    let results = run(runtime.execute_batch([call("call_1", "act"), call("call_2", "act")]));
    let expected = [
        success("call_1", json!("done")),
        success("call_2", json!("done")),
    ];
    assert_eq!(results.iter().map(data).collect::<Vec<_>>(), expected);
}

#[test]
fn a_pre_execute_hook() {
    check(&hook_panicked("Panics"), false, |builder| {
        builder.pre_execute(Panics)
    });
    check(&hook_panicked("a_pre_execute_hook"), false, |builder| {
        builder.pre_execute(|_: &ToolExecution| -> Decision { panic_now() })
    });
}

#[test]
fn a_guard() {
    check(&hook_panicked("Panics"), false, |builder| {
        builder.guard(Panics)
    });
    check(&hook_panicked("a_guard"), false, |builder| {
        builder.guard(|_: &ToolExecution| -> Option<String> { panic_now() })
    });
}

#[test]
fn an_around_execute_hook() {
    check(&hook_panicked("Panics"), false, |builder| {
        builder.around_execute(Panics)
    });
    for after in [false, true] {
        let wrap = around_fn(move |_: &ToolExecution, next: Next<'_>| {
            Box::pin(async move {
                if after {
                    let _result = next.run().await;
                }
                panic_now()
            })
        });
        check(&hook_panicked("an_around_execute_hook"), after, |builder| {
            builder.around_execute(wrap)
        });
    }
    let wrap = around_fn(|_: &ToolExecution, _: Next<'_>| panic_now());
    check(&hook_panicked("an_around_execute_hook"), false, |builder| {
        builder.around_execute(wrap)
    });
}

#[test]
fn an_outer_wrapper_may_answer_for_an_inner_one_that_panicked() {
    let rescue = || {
        around_fn(|_: &ToolExecution, next: Next<'_>| {
            Box::pin(async move {
                let result = next.run().await;
                assert_eq!(code(&result), "HOOK_FAILED");
                ToolResult::success("rescued")
            })
        })
    };
    check(&success("call_1", json!("rescued")), false, |builder| {
        builder.around_execute(rescue()).around_execute(Panics)
    });
    let passes = || {
        around_fn(|_: &ToolExecution, next: Next<'_>| Box::pin(async move { Ok(next.run().await) }))
    };
    check(&hook_panicked("Panics"), false, |builder| {
        builder.around_execute(passes()).around_execute(Panics)
    });
}

#[test]
fn a_post_execute_hook() {
    check(&hook_panicked("Panics"), true, |builder| {
        builder.post_execute(Panics)
    });
    check(&hook_panicked("a_post_execute_hook"), true, |builder| {
        builder.post_execute(|_: &ToolExecution, _: &ToolResult| -> PostDecision { panic_now() })
    });
}

#[test]
fn an_observer() {
    let told = Record::default();
    check(&success("call_1", json!("done")), true, |builder| {
        builder
            .on_result(|_: &ToolExecution, _: &ToolResult| -> () { panic_now() })
            .on_result(observer(&told))
    });
    assert_eq!(told.lines(), ["call_1 ok"], "the next observer is told");
}

#[test]
fn an_approver() {
    let message = "tool \"act\" requires approval, but the approver is unavailable";
    let expected = failure("call_1", "APPROVAL_UNAVAILABLE", message);
    let asks = |builder: ToolRuntimeBuilder| {
        builder.pre_execute(|_: &ToolExecution| Decision::ask("may it?"))
    };
    check(&expected, false, |builder| asks(builder).approver(Panics));
    check(&expected, false, |builder| {
        asks(builder).approver(|_: ApprovalRequest| -> Ready<Approval> { panic_now() })
    });
}

#[test]
fn a_value_that_a_hook_writes() {
    let wrap = || {
        around_fn(|_: &ToolExecution, _: Next<'_>| {
            Box::pin(async { ToolResult::success(PanicsWhenWritten) })
        })
    };
    check(
        &hook_panicked("a_value_that_a_hook_writes"),
        false,
        |builder| builder.around_execute(wrap()),
    );
    check(
        &hook_panicked("a_value_that_a_hook_writes"),
        true,
        |builder| {
            builder.post_execute(|_: &ToolExecution, _: &ToolResult| {
                PostDecision::json(PanicsWhenWritten)
            })
        },
    );
}

#[test]
fn a_sink_of_progress_is_the_bodys() {
    let told = Record::default();
    let reports = tool("act", |_, cx| async move {
        cx.progress(0.5, "half way");
        json!("done")
    });
    let runtime = runtime(reports, &told, |builder| builder);
    let calling = call("call_1", "act").on_progress(|_| panic_now());
    let result = run(runtime.execute(calling));
    assert_eq!(
        data(&result),
        failure("call_1", "TOOL_PANICKED", "tool \"act\" panicked")
    );
}

#[test]
fn siblings_in_a_batch_go_on() {
    let told = Record::default();
    let bad = tool("panics", |_, _| async {
        support::pending_times(1).await;
        panics()
    });
    let slow = tool("slow", |_, _| async {
        support::pending_times(5).await;
        json!("done")
    });
    let runtime = runtime(bad.concurrency_safe(true), &told, |builder| {
        builder.tool(slow.concurrency_safe(true))
    });
    let calls = ["slow", "panics", "slow", "panics"];
    let calls = calls
        .iter()
        .enumerate()
        .map(|(n, name)| call(&format!("call_{n}"), name));
    let results = run(runtime.execute_batch(calls));
    let panicked = |id| failure(id, "TOOL_PANICKED", "tool \"panics\" panicked");
    let expected = [
        success("call_0", json!("done")),
        panicked("call_1"),
        success("call_2", json!("done")),
        panicked("call_3"),
    ];
    assert_eq!(results.iter().map(data).collect::<Vec<_>>(), expected);
    // And the runtime goes on.
    assert_eq!(code(&run(runtime.execute(call("call_4", "slow")))), "ok");
}

#[test]
fn the_trail_says_that_it_failed_and_not_why() {
    let told = Record::default();
    let bad = works("act").render(|_, _| -> String { panic_now() });
    let runtime = runtime(bad, &told, |builder| {
        builder.post_execute(Panics).trail(true)
    });
    let result = run(runtime.execute(call("call_1", "act")));
    let trail: Vec<_> = result
        .trail()
        .unwrap()
        .entries()
        .iter()
        .map(|entry| {
            let (station, said) = (entry.station, entry.said.unwrap());
            format!(
                "{station:?} {said:?} {}",
                entry.reason.as_deref().unwrap_or("-")
            )
        })
        .collect();
    let expected = [
        "Intake Accepted -",
        "Body Succeeded -",
        "Output Failed INVALID_TOOL_OUTPUT",
        "PostExecute Failed HOOK_FAILED",
        "OnResult Observed -",
    ];
    assert_eq!(trail, expected);
    assert!(!format!("{result:?}").contains(PAYLOAD));
}
