//! The cancel signal: at every station, fused on its way in, and what bodies do about it.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tool_core::{
    Approval, ApprovalRequest, Decision, Next, OnCancel, PostDecision, RunContext, ToolExecution,
    ToolResult, ToolRuntime, around_fn,
};

use crate::support::{
    Gauge, Record, call, code, data, failure, observer, pending_times, poll_by_hand, run, tool,
};

/// Fires its token when a station of this name is reached.
#[derive(Clone)]
struct Trigger {
    at: &'static str,
    token: CancellationToken,
    record: Record,
}

impl Trigger {
    fn reach(&self, station: &'static str) {
        self.record.add(station);
        if self.at == station {
            self.token.cancel();
        }
    }
}

/// Runs one call that is cancelled `at` a station: its code, and the stations that were reached.
fn cancelled(at: &'static str, body_fails: bool) -> (ToolResult, Vec<String>) {
    let trigger = Trigger {
        at,
        token: CancellationToken::new(),
        record: Record::default(),
    };
    let on = || trigger.clone();
    let (pre, guard, approver, around) = (on(), on(), on(), on());
    let (body, render, post, finalizer, observed) = (on(), on(), on(), on(), on());
    let tool = tool("act", move |_, cx: RunContext| {
        body.reach("body");
        cx.defer_context("deferred");
        async move {
            if body_fails {
                Err("no luck")
            } else {
                Ok(json!("done"))
            }
        }
    })
    .render(move |_, _| {
        render.reach("render");
        "rendered"
    })
    .finalize_content(move |_, _| {
        finalizer.reach("finalizer");
        None
    });
    let runtime = ToolRuntime::builder()
        .hook_timeout(None)
        .tool(tool)
        .pre_execute(move |_: &ToolExecution| {
            pre.reach("pre");
            Decision::ask("may it?")
        })
        .guard(move |_: &ToolExecution| {
            guard.reach("guard");
            None::<String>
        })
        .approver(move |_: ApprovalRequest| {
            approver.reach("approver");
            async { Approval::AllowedOnce }
        })
        .around_execute(around_fn(move |_: &ToolExecution, next: Next<'_>| {
            let around = around.clone();
            Box::pin(async move {
                around.reach("wrapper, before");
                let result = next.run().await;
                around.reach("wrapper, after");
                Ok(result)
            })
        }))
        .post_execute(move |_: &ToolExecution, _: &ToolResult| {
            post.reach("post");
            PostDecision::accept()
        })
        .on_result(move |_: &ToolExecution, _: &ToolResult| observed.reach("observer"))
        .build()
        .unwrap();
    trigger.reach("intake");
    let result = run(runtime.execute(call("call_1", "act").cancel(trigger.token.clone())));
    (result, trigger.record.lines())
}

fn aborted(code: &str, with_context: bool) -> Value {
    let message = match code {
        "ABORTED" => "tool call aborted",
        _ => "tool call aborted before dispatch",
    };
    let mut data = failure("call_1", code, message);
    if with_context {
        data["additional_contexts"] =
            json!([{"content": [{"type": "text", "text": "deferred"}], "source": "act"}]);
    }
    data
}

#[test]
fn cancelled_at_every_station() {
    let before: &[&str] = &["finalizer", "observer"];
    let unasked: &[&str] = &["pre", "guard", "post", "finalizer", "observer"];
    let asked: &[&str] = &["pre", "guard", "approver", "post", "finalizer", "observer"];
    let second_guard = &["pre", "guard", "approver", "guard"][..];
    let undispatched = [
        second_guard,
        &[
            "wrapper, before",
            "wrapper, after",
            "post",
            "finalizer",
            "observer",
        ],
    ]
    .concat();
    let whole = [
        second_guard,
        &[
            "wrapper, before",
            "body",
            "render",
            "wrapper, after",
            "post",
            "finalizer",
            "observer",
        ],
    ]
    .concat();
    let never = aborted("ABORTED_BEFORE_DISPATCH", false);
    let started = aborted("ABORTED", true);
    let mut done = json!({
        "call_id": "call_1",
        "is_error": false,
        "value": "done",
        "content": [{"type": "text", "text": "rendered"}],
    });
    done["additional_contexts"] = started["additional_contexts"].clone();
    let table: [(&str, &[&str], &Value); 12] = [
        ("intake", before, &never),
        ("pre", unasked, &never),
        ("guard", unasked, &never),
        ("approver", asked, &never),
        ("wrapper, before", &undispatched, &never),
        ("body", &whole, &started),
        ("render", &whole, &started),
        ("wrapper, after", &whole, &started),
        ("post", &whole, &started),
        ("finalizer", &whole, &done),
        ("observer", &whole, &done),
        ("nowhere", &whole, &done),
    ];
    for (at, stations, expected) in table {
        let (result, reached) = cancelled(at, false);
        assert_eq!(data(&result), *expected, "cancelled at {at}");
        assert_eq!(reached[0], "intake");
        assert_eq!(reached[1..], *stations, "cancelled at {at}");
    }
}

#[test]
fn a_failure_keeps_its_own_error() {
    for at in [
        "body",
        "wrapper, after",
        "post",
        "finalizer",
        "observer",
        "nowhere",
    ] {
        let (result, _) = cancelled(at, true);
        let mut expected = failure("call_1", "TOOL_FAILED", "no luck");
        expected["additional_contexts"] = aborted("", true)["additional_contexts"].clone();
        assert_eq!(data(&result), expected, "cancelled at {at}");
    }
}

#[test]
fn a_denial_that_settles_after_the_cancellation_stays_a_denial() {
    let token = CancellationToken::new();
    let fires = token.clone();
    let record = Record::default();
    let runtime = ToolRuntime::builder()
        .tool(crate::support::done("act", &record))
        .pre_execute(move |_: &ToolExecution| {
            fires.cancel();
            Decision::Allow
        })
        .guard(|_: &ToolExecution| Some("no"))
        .build()
        .unwrap();
    let result = run(runtime.execute(call("call_1", "act").cancel(token)));
    assert_eq!(data(&result), failure("call_1", "DENIED", "no"));
    assert_eq!(record.lines(), [""; 0]);
}

#[test]
fn a_wrapper_cannot_detach_the_caller() {
    let caller = CancellationToken::new();
    let record = Record::default();
    let runtime = ToolRuntime::builder()
        .tool(tool("act", |_, cx: RunContext| async move {
            cx.cancellation().cancelled().await;
            json!("stopped by itself")
        }))
        .around_execute(around_fn(|_: &ToolExecution, next: Next<'_>| {
            // A fresh signal, as if nothing else could stop what is inside.
            Box::pin(async move { Ok(next.cancel(CancellationToken::new()).run().await) })
        }))
        .on_result(observer(&record))
        .build()
        .unwrap();
    let calling = runtime.execute(call("call_1", "act").cancel(caller.clone()));
    let result = poll_by_hand(calling, |poll| {
        if poll == 1 {
            caller.cancel();
        }
        true
    });
    // It is pending without being woken until the caller cancels: a poll by hand would say so.
    assert_eq!(data(&result.unwrap()), aborted("ABORTED", false));
    assert_eq!(record.lines(), ["call_1 ABORTED"]);
}

#[test]
fn a_wrappers_own_signal_aborts() {
    for (early, expected) in [(true, "ABORTED_BEFORE_DISPATCH"), (false, "ABORTED")] {
        let token = CancellationToken::new();
        let (fires, given) = (token.clone(), token.clone());
        let runtime = ToolRuntime::builder()
            .tool(tool("act", move |_, cx: RunContext| {
                fires.cancel();
                let stopped = cx.cancellation().is_cancelled();
                async move { json!(stopped) }
            }))
            .around_execute(around_fn(move |_: &ToolExecution, next: Next<'_>| {
                let token = given.clone();
                if early {
                    token.cancel();
                }
                Box::pin(async move {
                    let next = next.cancel(token);
                    assert_eq!(next.cancellation().is_cancelled(), early);
                    Ok(next.run().await)
                })
            }))
            .build()
            .unwrap();
        let result = run(runtime.execute(call("call_1", "act")));
        assert_eq!(data(&result), aborted(expected, false));
    }
}

#[test]
fn an_inner_wrapper_hears_the_signal_of_an_outer_one() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let notes = heard.clone();
    let runtime = ToolRuntime::builder()
        .tool(tool("act", |_, _| async { json!("done") }))
        .around_execute(around_fn(|_: &ToolExecution, next: Next<'_>| {
            let token = CancellationToken::new();
            token.cancel();
            Box::pin(async move {
                let _aborted = next.cancel(token).run().await;
                ToolResult::success("rescued")
            })
        }))
        .around_execute(around_fn(move |_: &ToolExecution, next: Next<'_>| {
            notes
                .lock()
                .unwrap()
                .push(next.cancellation().is_cancelled());
            Box::pin(async move { Ok(next.run().await) })
        }))
        .build()
        .unwrap();
    let result = run(runtime.execute(call("call_1", "act")));
    assert_eq!(result.value(), Some(&json!("rescued")));
    assert_eq!(*heard.lock().unwrap(), [true]);
}

/// A body that never ends by itself; `Some` of its result if the call ended within some polls.
fn never_ending(on_cancel: OnCancel, looks: bool) -> (Option<ToolResult>, Gauge, Record) {
    let (gauge, record) = (Gauge::default(), Record::default());
    let inside = gauge.clone();
    let token = CancellationToken::new();
    let body = tool("act", move |_, cx: RunContext| {
        let inside = inside.clone();
        async move {
            let _inside = inside.enter();
            if looks {
                cx.cancellation().cancelled().await;
            } else {
                pending_times(usize::MAX).await;
            }
            json!("stopped by itself")
        }
    });
    let runtime = ToolRuntime::builder()
        .tool(body.on_cancel(on_cancel))
        .on_result(observer(&record))
        .build()
        .unwrap();
    let calling = runtime.execute(call("call_1", "act").cancel(token.clone()));
    let result = poll_by_hand(calling, |poll| {
        if poll == 1 {
            token.cancel();
        }
        poll < 100
    });
    (result, gauge, record)
}

#[test]
fn a_body_is_awaited_or_dropped_as_its_tool_says() {
    let (result, gauge, record) = never_ending(OnCancel::Drop, false);
    assert_eq!(data(&result.unwrap()), aborted("ABORTED", false));
    assert_eq!(gauge.now(), 0);
    assert_eq!(record.lines(), ["call_1 ABORTED"]);

    let (result, gauge, record) = never_ending(OnCancel::Wait, false);
    assert!(result.is_none(), "it is awaited for as long as it takes");
    assert_eq!(gauge.now(), 0, "dropped with the call");
    assert_eq!(record.lines(), ["call_1 ABORTED"]);

    for on_cancel in [OnCancel::Drop, OnCancel::Wait] {
        let (result, gauge, _) = never_ending(on_cancel, true);
        assert_eq!(data(&result.unwrap()), aborted("ABORTED", false));
        assert_eq!(gauge.now(), 0);
    }
}

#[test]
fn a_body_that_fails_when_told_to_stop_keeps_its_error() {
    let token = CancellationToken::new();
    let body = tool("act", |_, cx: RunContext| async move {
        cx.cancellation().cancelled().await;
        Err::<Value, _>("half of it is written")
    });
    let runtime = ToolRuntime::builder().tool(body).build().unwrap();
    let calling = runtime.execute(call("call_1", "act").cancel(token.clone()));
    let result = poll_by_hand(calling, |poll| {
        if poll == 1 {
            token.cancel();
        }
        true
    });
    let expected = failure("call_1", "TOOL_FAILED", "half of it is written");
    assert_eq!(data(&result.unwrap()), expected);
}

#[test]
fn any_of_several_signals_cancels() {
    for fired in 0..3 {
        let tokens = [(); 3].map(|()| CancellationToken::new());
        tokens[fired].cancel();
        let runtime = ToolRuntime::builder()
            .tool(tool("act", |_, _| async { json!(1) }))
            .build()
            .unwrap();
        let one = tokens.iter().fold(call("call_1", "act"), |call, token| {
            call.cancel(token.clone())
        });
        assert_eq!(code(&run(runtime.execute(one))), "ABORTED_BEFORE_DISPATCH");
    }
}
