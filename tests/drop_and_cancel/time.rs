//! Time limits, on a clock that stands still unless everybody waits for it.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tool_core::{
    Approval, ApprovalRequest, Decision, Guard, Next, OnCancel, PostDecision, PostExecute,
    RunContext, ToolDefinition, ToolError, ToolExecution, ToolResult, ToolRuntime, Verdict,
    around_fn,
};

use crate::support::{
    Gauge, Record, call, data, done, failure, observer, on_paused_clock, success, tool,
};

const SECOND: Duration = Duration::from_secs(1);

fn timed_out() -> Value {
    let message = "tool \"act\" timed out after 1s; it may have taken effect";
    failure("call_1", "TOOL_TIMEOUT", message)
}

/// Runs one call of `tool`, limited to a second, with a grace of a tenth: its result as data, and
/// how long it took.
fn limited(tool: ToolDefinition) -> (Value, Duration) {
    on_paused_clock(async {
        let runtime = ToolRuntime::builder()
            .tool(tool.timeout(SECOND))
            .grace(SECOND / 10)
            .build()
            .unwrap();
        let start = Instant::now();
        let result = runtime.execute(call("call_1", "act")).await;
        (data(&result), start.elapsed())
    })
}

#[test]
fn a_body_that_ignores_the_signal_is_dropped_after_the_grace() {
    for on_cancel in [OnCancel::Wait, OnCancel::Drop] {
        let gauge = Gauge::default();
        let inside = gauge.clone();
        let body = tool("act", move |_, _| {
            let inside = inside.clone();
            async move {
                let _inside = inside.enter();
                std::future::pending::<()>().await;
                json!("never")
            }
        });
        let (result, took) = limited(body.on_cancel(on_cancel));
        assert_eq!(result, timed_out());
        assert_eq!((gauge.most(), gauge.now()), (1, 0), "the body is dropped");
        assert_eq!(took.as_millis(), 1100, "the limit and the grace");
    }
}

#[test]
fn a_body_that_heeds_the_signal_ends_within_the_grace() {
    let record = Record::default();
    let ends = record.clone();
    let body = tool("act", move |_, cx: RunContext| {
        let ends = ends.clone();
        async move {
            cx.cancellation().cancelled().await;
            sleep(SECOND / 20).await;
            ends.add("ended");
            json!("too late to count")
        }
    });
    let (result, took) = limited(body);
    assert_eq!(result, timed_out());
    assert_eq!(took.as_millis(), 1050);
    assert_eq!(record.lines(), ["ended"]);
}

#[test]
fn a_body_that_is_told_to_stop_may_say_more_than_that_it_timed_out() {
    let body = tool("act", |_, cx: RunContext| async move {
        cx.cancellation().cancelled().await;
        Err::<Value, _>(ToolError::new("3 of 5 files are written").with_code("PARTLY"))
    });
    let (result, took) = limited(body);
    assert_eq!(
        result,
        failure("call_1", "PARTLY", "3 of 5 files are written")
    );
    assert_eq!(took.as_millis(), 1000);
}

#[test]
fn a_body_in_time_is_none_the_worse() {
    let body = tool("act", |_, cx: RunContext| async move {
        sleep(SECOND * 999 / 1000).await;
        json!(cx.cancellation().is_cancelled())
    });
    let (result, took) = limited(body);
    assert_eq!(result, success("call_1", json!(false)));
    assert_eq!(took.as_millis(), 999);
}

#[test]
fn a_dropped_body_keeps_what_it_deferred() {
    let body = tool("act", |_, cx: RunContext| async move {
        cx.defer_context("half way");
        std::future::pending::<()>().await;
        json!("never")
    });
    let (result, _) = limited(body);
    let mut expected = timed_out();
    expected["additional_contexts"] =
        json!([{"content": [{"type": "text", "text": "half way"}], "source": "act"}]);
    assert_eq!(result, expected);
}

#[test]
fn the_limit_counts_from_the_bodys_start() {
    let result = on_paused_clock(async {
        let record = Record::default();
        let runtime = ToolRuntime::builder()
            .tool(done("act", &record).timeout(SECOND))
            .pre_execute(|_: &ToolExecution| {
                Box::pin(async {
                    sleep(2 * SECOND).await;
                    Decision::ask("may it?")
                })
            })
            .approver(|_: ApprovalRequest| async {
                // Longer than any limit there is, also that of hooks.
                sleep(3600 * SECOND).await;
                Approval::AllowedOnce
            })
            .around_execute(around_fn(|_: &ToolExecution, next: Next<'_>| {
                Box::pin(async move {
                    sleep(2 * SECOND).await;
                    Ok(next.run().await)
                })
            }))
            .build()
            .unwrap();
        runtime.execute(call("call_1", "act")).await
    });
    assert_eq!(data(&result), success("call_1", json!("done")));
}

#[test]
fn the_limit_counts_per_attempt_of_a_retry() {
    let record = Record::default();
    let attempts = record.clone();
    let (result, took) = on_paused_clock(async {
        let body = tool("act", move |_, cx: RunContext| {
            let attempts = attempts.clone();
            async move {
                attempts.add("attempt");
                if attempts.lines().len() < 3 {
                    std::future::pending::<()>().await;
                }
                sleep(SECOND * 9 / 10).await;
                json!(cx.cancellation().is_cancelled())
            }
        });
        let runtime = ToolRuntime::builder()
            .tool(body.timeout(SECOND))
            .grace(SECOND / 10)
            .around_execute(around_fn(|_: &ToolExecution, mut next: Next<'_>| {
                Box::pin(async move {
                    loop {
                        let result = next.attempt().await;
                        if result
                            .error()
                            .is_none_or(|error| error.code() != "TOOL_TIMEOUT")
                        {
                            return Ok(result);
                        }
                    }
                })
            }))
            .build()
            .unwrap();
        let start = Instant::now();
        (
            data(&runtime.execute(call("call_1", "act")).await),
            start.elapsed(),
        )
    });
    assert_eq!(
        result,
        success("call_1", json!(false)),
        "a fresh signal for every attempt"
    );
    assert_eq!(record.lines(), ["attempt"; 3]);
    assert_eq!(took.as_millis(), 1100 + 1100 + 900);
}

#[test]
fn the_callers_signal_cuts_a_limited_body_short() {
    for (on_cancel, heeds) in [(OnCancel::Drop, false), (OnCancel::Wait, true)] {
        let (result, took) = on_paused_clock(async {
            let token = CancellationToken::new();
            let body = tool("act", move |_, cx: RunContext| async move {
                if heeds {
                    cx.cancellation().cancelled().await;
                } else {
                    std::future::pending::<()>().await;
                }
                json!("never counts")
            });
            let runtime = ToolRuntime::builder()
                .tool(body.timeout(SECOND).on_cancel(on_cancel))
                .build()
                .unwrap();
            let start = Instant::now();
            let calling = runtime.execute(call("call_1", "act").cancel(token.clone()));
            let cancelling = async {
                sleep(SECOND / 2).await;
                token.cancel();
            };
            let (result, ()) = tokio::join!(calling, cancelling);
            (data(&result), start.elapsed())
        });
        assert_eq!(result, failure("call_1", "ABORTED", "tool call aborted"));
        assert_eq!(took.as_millis(), 500);
    }
}

struct Hangs;

impl Guard for Hangs {
    async fn check(&self, _: &ToolExecution) -> Result<Verdict, ToolError> {
        std::future::pending::<()>().await;
        Ok(Verdict::Abstain)
    }
}

impl PostExecute for Hangs {
    async fn review(&self, _: &ToolExecution, _: &ToolResult) -> Result<PostDecision, ToolError> {
        std::future::pending::<()>().await;
        Ok(PostDecision::accept())
    }
}

#[test]
fn a_hook_that_hangs_fails_the_call() {
    let record = Record::default();
    for station in ["pre", "guard", "post"] {
        let (result, took) = on_paused_clock(async {
            let builder = ToolRuntime::builder()
                .tool(done("act", &record))
                .on_result(observer(&record))
                .hook_timeout(5 * SECOND);
            let builder = match station {
                "pre" => builder
                    .pre_execute(|_: &ToolExecution| Box::pin(std::future::pending::<Decision>())),
                "guard" => builder.guard(Hangs),
                _ => builder.post_execute(Hangs),
            };
            let runtime = builder.build().unwrap();
            let start = Instant::now();
            (
                data(&runtime.execute(call("call_1", "act")).await),
                start.elapsed(),
            )
        });
        let hook = if station == "pre" {
            "a_hook_that_hangs_fails_the_call"
        } else {
            "Hangs"
        };
        let message = format!("hook `{hook}` did not answer within 5s");
        assert_eq!(result, failure("call_1", "HOOK_FAILED", &message));
        assert_eq!(took, 5 * SECOND);
        let body_ran = station == "post";
        let mut told = vec!["done"; 0];
        told.extend(body_ran.then_some("act"));
        told.push("call_1 HOOK_FAILED");
        assert_eq!(record.take(), told, "{station}");
    }
}

#[test]
fn without_a_limit_a_hook_may_take_its_time() {
    let (result, took) = on_paused_clock(async {
        let record = Record::default();
        let runtime = ToolRuntime::builder()
            .tool(done("act", &record))
            .hook_timeout(None)
            .pre_execute(|_: &ToolExecution| {
                Box::pin(async {
                    sleep(86_400 * SECOND).await;
                    Decision::Allow
                })
            })
            .build()
            .unwrap();
        let start = Instant::now();
        (
            data(&runtime.execute(call("call_1", "act")).await),
            start.elapsed(),
        )
    });
    assert_eq!(result, success("call_1", json!("done")));
    assert_eq!(took, 86_400 * SECOND);
}
