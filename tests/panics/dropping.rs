//! Panics in `Drop`: of what a future holds, of a hook, of a tool, of an approver, of a payload.

use std::future::Ready;
use std::panic::panic_any;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tool_core::{
    Approval, ApprovalRequest, Decision, Next, OnCancel, PostDecision, Registration, ToolExecution,
    ToolResult, ToolRuntime, around_fn,
};

use crate::support::{
    Record, call, code, data, failure, on_paused_clock, panic_now, poll_by_hand, run, success, tool,
};

/// Panics when it is dropped, and writes that down.
struct PanicsOnDrop(Record);

impl Drop for PanicsOnDrop {
    fn drop(&mut self) {
        self.0.add("dropped");
        panic_now()
    }
}

/// Panics when it is dropped, with a payload of the same kind, `0` times over.
struct Onion(usize);

impl Drop for Onion {
    fn drop(&mut self) {
        if self.0 > 0 {
            panic_any(Onion(self.0 - 1));
        }
    }
}

fn tool_panicked() -> Value {
    failure("call_1", "TOOL_PANICKED", "tool \"act\" panicked")
}

#[test]
fn of_what_a_body_holds() {
    let drops = Record::default();
    // Held across an await and dropped at the end of the body: the body panics.
    let held = drops.clone();
    let body = tool("act", move |_, _| {
        let held = held.clone();
        async move {
            let _held = PanicsOnDrop(held);
            crate::support::pending_times(1).await;
            json!("done")
        }
    });
    let runtime = ToolRuntime::builder().tool(body).build().unwrap();
    assert_eq!(
        data(&run(runtime.execute(call("call_1", "act")))),
        tool_panicked()
    );
    assert_eq!(drops.take(), ["dropped"]);
}

/// A body that never ends and whose future panics when it is dropped.
fn endless(drops: &Record) -> tool_core::ToolDefinition {
    let drops = drops.clone();
    tool("act", move |_, _| {
        let held = PanicsOnDrop(drops.clone());
        async move {
            let _held = held;
            std::future::pending::<()>().await;
            json!("never")
        }
    })
}

#[test]
fn of_a_body_that_is_stopped() {
    let drops = Record::default();
    let limited = endless(&drops).timeout(Duration::from_secs(1));
    let result = on_paused_clock(async {
        let runtime = ToolRuntime::builder().tool(limited).build().unwrap();
        runtime.execute(call("call_1", "act")).await
    });
    let message = "tool \"act\" timed out after 1s; it may have taken effect";
    assert_eq!(data(&result), failure("call_1", "TOOL_TIMEOUT", message));
    assert_eq!(drops.take(), ["dropped"]);

    let runtime = ToolRuntime::builder()
        .tool(endless(&drops).on_cancel(OnCancel::Drop))
        .build()
        .unwrap();
    let token = CancellationToken::new();
    let calling = runtime.execute(call("call_1", "act").cancel(token.clone()));
    let result = poll_by_hand(calling, |poll| {
        if poll == 1 {
            token.cancel();
        }
        true
    });
    assert_eq!(
        data(&result.unwrap()),
        failure("call_1", "ABORTED", "tool call aborted")
    );
    assert_eq!(drops.take(), ["dropped"]);
}

#[test]
fn of_a_body_whose_call_is_dropped() {
    let (drops, told) = (Record::default(), Record::default());
    let runtime = ToolRuntime::builder()
        .tool(endless(&drops).concurrency_safe(true))
        .on_result(crate::support::observer(&told))
        .build()
        .unwrap();
    assert!(poll_by_hand(runtime.execute(call("call_1", "act")), |poll| poll == 0).is_none());
    assert_eq!(drops.take(), ["dropped"]);
    assert_eq!(told.take(), ["call_1 ABORTED"]);
    let calls = [call("call_1", "act"), call("call_2", "act")];
    assert!(poll_by_hand(runtime.execute_batch(calls), |poll| poll == 0).is_none());
    assert_eq!(drops.take(), ["dropped", "dropped"]);
    let mut both = told.take();
    both.sort();
    assert_eq!(both, ["call_1 ABORTED", "call_2 ABORTED"]);
}

#[test]
fn of_an_approver_whose_question_is_withdrawn() {
    let drops = Record::default();
    let token = CancellationToken::new();
    let (held, fires) = (drops.clone(), token.clone());
    let runtime = ToolRuntime::builder()
        .tool(tool("act", |_, _| async { json!("done") }))
        .pre_execute(|_: &ToolExecution| Decision::ask("may it?"))
        .approver(move |_: ApprovalRequest| {
            let (held, fires) = (PanicsOnDrop(held.clone()), fires.clone());
            async move {
                let _held = held;
                fires.cancel();
                std::future::pending::<Approval>().await
            }
        })
        .build()
        .unwrap();
    let result = run(runtime.execute(call("call_1", "act").cancel(token)));
    assert_eq!(code(&result), "ABORTED_BEFORE_DISPATCH");
    assert_eq!(drops.take(), ["dropped"]);
}

#[test]
fn of_a_hook_that_hangs() {
    let drops = Record::default();
    let held = drops.clone();
    let result = on_paused_clock(async {
        let runtime = ToolRuntime::builder()
            .tool(tool("act", |_, _| async { json!("done") }))
            .hook_timeout(Duration::from_secs(1))
            .post_execute(move |_: &ToolExecution, _: &ToolResult| {
                let held = PanicsOnDrop(held.clone());
                Box::pin(async move {
                    let _held = held;
                    std::future::pending::<PostDecision>().await
                })
            })
            .build()
            .unwrap();
        runtime.execute(call("call_1", "act")).await
    });
    assert_eq!(code(&result), "HOOK_FAILED");
    assert_eq!(drops.take(), ["dropped"]);
}

/// What is registered, and disposed by the body of a call that still uses it: the call is the last
/// to hold it.
#[test]
#[allow(clippy::too_many_lines, reason = "one arm per kind of registration")]
fn of_what_is_disposed_during_a_call() {
    for kind in [
        "pre",
        "guard",
        "around",
        "post",
        "observer",
        "approver",
        "tool",
        "two guards",
    ] {
        let drops = Record::default();
        let registered = Arc::new(Mutex::new(Vec::<Registration>::new()));
        let disposes = registered.clone();
        let body = tool("act", move |_, _| {
            for registration in disposes.lock().unwrap().drain(..) {
                registration.dispose();
            }
            async { json!("done") }
        });
        let held = || PanicsOnDrop(drops.clone());
        let runtime = ToolRuntime::builder()
            .pre_execute(|_: &ToolExecution| Decision::ask("may it?"))
            .build()
            .unwrap();
        let scope = runtime.scope("agent").unwrap();
        let mut all = Vec::new();
        let guard = || {
            let held = held();
            scope.guard(move |_: &ToolExecution| {
                let _ = &held;
                None::<String>
            })
        };
        if kind != "approver" {
            scope
                .approver(|_: ApprovalRequest| async { Approval::AllowedOnce })
                .unwrap();
        }
        if kind == "tool" {
            let held = held();
            let body = body.finalize_content(move |_, _| {
                let _ = &held;
                None
            });
            all.push(scope.register(body).unwrap());
        } else {
            scope.register(body).unwrap();
        }
        match kind {
            "pre" => {
                let held = held();
                all.push(scope.pre_execute(move |_: &ToolExecution| {
                    let _ = &held;
                    Decision::Allow
                }));
            }
            "guard" => all.push(guard()),
            "two guards" => all.extend([guard(), guard()]),
            "around" => {
                let held = held();
                all.push(scope.around_execute(around_fn(
                    move |_: &ToolExecution, next: Next<'_>| {
                        let _ = &held;
                        Box::pin(async move { Ok(next.run().await) })
                    },
                )));
            }
            "post" => {
                let held = held();
                all.push(
                    scope.post_execute(move |_: &ToolExecution, _: &ToolResult| {
                        let _ = &held;
                        PostDecision::accept()
                    }),
                );
            }
            "observer" => {
                let held = held();
                all.push(scope.on_result(move |_: &ToolExecution, _: &ToolResult| {
                    let _ = &held;
                }));
            }
            "approver" => {
                let held = held();
                all.push(
                    scope
                        .approver(move |_: ApprovalRequest| {
                            let _ = &held;
                            async { Approval::AllowedOnce }
                        })
                        .unwrap(),
                );
            }
            _ => {}
        }
        let count = all.len();
        registered.lock().unwrap().extend(all);
        let result = run(runtime.execute(call("call_1", "act").scope(&scope)));
        assert_eq!(data(&result), success("call_1", json!("done")), "{kind}");
        // Whoever looks next lets go of the old registrations, if the call has not.
        let _ = scope.schemas();
        assert_eq!(drops.take(), vec!["dropped"; count], "{kind}");
    }
}

#[test]
fn of_a_scope_and_of_a_runtime() {
    let drops = Record::default();
    let held = || PanicsOnDrop(drops.clone());
    let runtime = ToolRuntime::builder().build().unwrap();
    let scope = runtime.scope("agent").unwrap();
    for _ in 0..2 {
        let (one, other) = (held(), held());
        scope.guard(move |_: &ToolExecution| {
            let _ = &one;
            None::<String>
        });
        runtime.guard(move |_: &ToolExecution| {
            let _ = &other;
            None::<String>
        });
    }
    scope.dispose();
    let _ = scope.schemas();
    assert_eq!(drops.take(), ["dropped", "dropped"]);
    drop(scope);
    drop(runtime);
    assert_eq!(drops.take(), ["dropped", "dropped"]);
}

#[test]
fn of_a_payload() {
    for layers in [1, 2, 5] {
        let body = tool("act", move |_, _| -> Ready<Value> {
            panic_any(Onion(layers))
        });
        let runtime = ToolRuntime::builder().tool(body).build().unwrap();
        assert_eq!(
            data(&run(runtime.execute(call("call_1", "act")))),
            tool_panicked()
        );
    }
}
