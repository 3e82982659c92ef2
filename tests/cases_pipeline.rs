//! Faults that users of such systems reported, by number: execution, guards, hooks, results.

#[path = "cases/outputs.rs"]
mod outputs;
mod support;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tool_core::{
    Approval, ApprovalRequest, Decision, OnCancel, PostDecision, RegisterError, RunContext, State,
    ToolCall, ToolError, ToolExecution, ToolResult, ToolRuntime, tool,
};

use support::{
    Gauge, Record, call, code, data, done, failure, observer, on_paused_clock, panic_now,
    pending_times, poll_by_hand, run, success, tool as dynamic,
};

/// A counter that a panicking tool holds locked.
#[derive(Default)]
struct Counter(Mutex<u32>);

/// Panics.
#[tool]
fn boom() -> String {
    panic_now()
}

/// Panics later.
#[tool]
async fn boom_later() -> String {
    pending_times(1).await;
    panic_now()
}

/// Panics with a lock in its hand.
#[tool]
fn boom_locked(counter: &State<Counter>) -> String {
    let _held = counter.0.lock();
    panic_now()
}

/// Counts.
#[tool]
fn count(counter: &State<Counter>) -> u32 {
    let mut counter = counter
        .0
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    *counter += 1;
    *counter
}

#[test]
fn c71_panic_in_a_tool() {
    let reviewed = Record::default();
    let reviews = reviewed.clone();
    let runtime = ToolRuntime::builder()
        .hook_timeout(None)
        .state(Counter::default())
        .tool(boom {})
        .tool(boom_later {})
        .tool(boom_locked {})
        .tool(count {})
        .post_execute(move |call: &ToolExecution, result: &ToolResult| {
            reviews.add(format!("{} {}", call.name(), code(result)));
            PostDecision::accept()
        })
        .build()
        .unwrap();
    for name in ["boom", "boom_later", "boom_locked", "boom"] {
        let result = run(runtime.execute(call("call_1", name)));
        let message = format!("tool \"{name}\" panicked");
        assert_eq!(data(&result), failure("call_1", "TOOL_PANICKED", &message));
        assert_eq!(reviewed.take(), [format!("{name} TOOL_PANICKED")]);
    }
    let counted = run(runtime.execute(call("call_2", "count")));
    assert_eq!(data(&counted), success("call_2", json!(1)));
}

#[test]
fn c72_never_ending_tool() {
    let held = Gauge::default();
    let inside = held.clone();
    let hang = dynamic("hang", move |_, _| {
        let inside = inside.clone();
        async move {
            let _inside = inside.enter();
            std::future::pending::<()>().await;
            json!("never")
        }
    });
    let limit = Duration::from_millis(100);
    let (result, took) = on_paused_clock(async {
        let runtime = ToolRuntime::builder()
            .tool(hang.timeout(limit))
            .pre_execute(|_: &ToolExecution| Decision::ask("may it?"))
            .approver(|_: ApprovalRequest| async {
                tokio::time::sleep(Duration::from_hours(1)).await;
                Approval::AllowedOnce
            })
            .build()
            .unwrap();
        let start = Instant::now();
        (
            runtime.execute(call("call_1", "hang")).await,
            start.elapsed(),
        )
    });
    let message = "tool \"hang\" timed out after 100ms; it may have taken effect";
    assert_eq!(data(&result), failure("call_1", "TOOL_TIMEOUT", message));
    assert_eq!(
        took.as_millis(),
        3_600_000 + 100 + 100,
        "the approval, the limit, the grace"
    );
    assert_eq!((held.most(), held.now()), (1, 0), "the future is dropped");
}

#[test]
fn c73_cancellation_must_drop_work() {
    let (held, told) = (Gauge::default(), Record::default());
    let semaphore = Arc::new(tokio::sync::Semaphore::new(50));
    let (inside, permits) = (held.clone(), semaphore.clone());
    let works = dynamic("works", move |_, _| {
        let (inside, permits) = (inside.clone(), permits.clone());
        async move {
            let _permit = permits.acquire().await.unwrap();
            let _inside = inside.enter();
            std::future::pending::<()>().await;
            json!("delivered")
        }
    });
    let runtime = ToolRuntime::builder()
        .max_parallel(50)
        .tool(works.concurrency_safe(true).on_cancel(OnCancel::Drop))
        .on_result(observer(&told))
        .build()
        .unwrap();
    let calls = |token: &CancellationToken| -> Vec<ToolCall> {
        (0..50)
            .map(|n| call(&n.to_string(), "works").cancel(token.clone()))
            .collect()
    };
    let aborted: Vec<_> = (0..50).map(|n| format!("{n} ABORTED")).collect();
    // Cancelled: all fifty come back at once.
    let token = CancellationToken::new();
    let results = poll_by_hand(runtime.execute_batch(calls(&token)), |poll| {
        if poll == 1 {
            assert_eq!((held.now(), semaphore.available_permits()), (50, 0));
            token.cancel();
        }
        true
    });
    let aborted_result = |n: usize| failure(&n.to_string(), "ABORTED", "tool call aborted");
    let expected: Vec<_> = (0..50).map(aborted_result).collect();
    assert_eq!(
        results.unwrap().iter().map(data).collect::<Vec<_>>(),
        expected
    );
    assert_eq!((held.now(), semaphore.available_permits()), (0, 50));
    assert_eq!(told.take(), aborted);
    // Dropped: nothing is left.
    let dropped = poll_by_hand(
        runtime.execute_batch(calls(&CancellationToken::new())),
        |poll| poll == 0,
    );
    assert!(dropped.is_none());
    assert_eq!((held.now(), semaphore.available_permits()), (0, 50));
    let mut told = told.take();
    told.sort_by_key(|line| line.split(' ').next().unwrap().parse::<usize>().unwrap());
    assert_eq!(told, aborted);
}

#[test]
fn c74_one_failure_and_its_siblings() {
    let runtime = ToolRuntime::builder()
        .hook_timeout(None)
        .tool(boom_later {}.definition().concurrency_safe(true))
        .tool(
            dynamic("works", |_, _| async {
                pending_times(50).await;
                json!("done")
            })
            .concurrency_safe(true),
        )
        .tool(
            dynamic("fails", |_, _| async {
                Err::<Value, _>(ToolError::new("no luck"))
            })
            .concurrency_safe(true),
        )
        .build()
        .unwrap();
    let results = run(runtime.execute_batch([
        call("a", "works"),
        call("b", "fails"),
        ToolCall::new("c", "works", "[1]"),
        call("d", "missing"),
        call("e", "boom_later"),
    ]));
    assert_eq!(data(&results[0]), success("a", json!("done")));
    assert_eq!(data(&results[1]), failure("b", "TOOL_FAILED", "no luck"));
    let invalid = "invalid arguments: expected an object, got an array\ntool \"works\" takes {}";
    assert_eq!(data(&results[2]), failure("c", "INVALID_ARGS", invalid));
    let unknown = "unknown tool \"missing\"; available: boom_later, works, fails";
    assert_eq!(data(&results[3]), failure("d", "UNKNOWN_TOOL", unknown));
    assert_eq!(
        data(&results[4]),
        failure("e", "TOOL_PANICKED", "tool \"boom_later\" panicked")
    );
    assert_eq!(results.len(), 5);
}

#[test]
fn c76_unknown_tool() {
    let (ran, hooked) = (Record::default(), Record::default());
    let (guarded, decided) = (hooked.clone(), hooked.clone());
    let tools = (0..30).map(|n| {
        let name: &'static str = Box::leak(format!("tool_{n}").into_boxed_str());
        done(name, &ran)
    });
    let runtime = ToolRuntime::builder()
        .tool(done("search", &ran))
        .tools(tools)
        .guard(move |call: &ToolExecution| {
            guarded.add(call.name());
            None::<String>
        })
        .pre_execute(move |call: &ToolExecution| {
            decided.add(call.name());
            Decision::Allow
        })
        .build()
        .unwrap();
    let results = run(runtime.execute_batch([call("call_1", "serch"), call("call_2", "search")]));
    let listed: Vec<_> = (0..19).map(|n| format!("tool_{n}")).collect();
    let message = format!(
        "unknown tool \"serch\"; did you mean \"search\"?; available: search, {} and 11 more",
        listed.join(", ")
    );
    assert_eq!(
        data(&results[0]),
        failure("call_1", "UNKNOWN_TOOL", &message)
    );
    assert_eq!(data(&results[1]), success("call_2", json!("done")));
    assert_eq!(ran.lines(), ["search"]);
    assert_eq!(
        hooked.lines(),
        ["search", "search"],
        "no policy sees a name that is none"
    );
}

#[test]
fn c78_an_empty_name_is_refused() {
    let nameless = dynamic("", |_, _| async { json!(1) });
    let error = ToolRuntime::builder().tool(nameless).build().unwrap_err();
    assert!(
        matches!(error, RegisterError::EmptyToolName { .. }),
        "{error}"
    );
    // Any other name is the runtime's to take, and the exporters' to map.
    for name in ["a.b", "a/b", "größe", "1st", "a b"] {
        let runtime = ToolRuntime::builder()
            .tool(dynamic(name, |_, _| async { json!(1) }))
            .build()
            .unwrap();
        assert_eq!(
            data(&run(runtime.execute(call("call_1", name)))),
            success("call_1", json!(1))
        );
    }
}

#[test]
fn c80_same_name_from_two_sources() {
    let ran = Record::default();
    let twice = ToolRuntime::builder()
        .tool(done("search", &ran))
        .tool(dynamic("search", |_, _| async { json!("other") }))
        .build()
        .unwrap_err();
    let RegisterError::DuplicateTool {
        tool,
        first,
        second,
        ..
    } = &twice
    else {
        panic!("{twice}");
    };
    assert_eq!(tool, "search");
    assert_ne!(first, second, "both places are named");
    // Later, too, and what was refused is not there.
    let runtime = ToolRuntime::builder()
        .tool(done("search", &ran))
        .build()
        .unwrap();
    let several = [
        dynamic("another", |_, _| async { json!("other") }).description("n"),
        done("search", &ran).description("m"),
    ];
    let refused = runtime.register_all(several).unwrap_err();
    assert!(
        matches!(refused, RegisterError::DuplicateTool { .. }),
        "{refused}"
    );
    assert_eq!(runtime.schemas().len(), 1);
    // What is approved for one does not hold for the other: a shadow is asked about by itself.
    let asked = Record::default();
    let asks = asked.clone();
    runtime.pre_execute(|_: &ToolExecution| Decision::Ask(None));
    runtime
        .approver(move |ask: ApprovalRequest| {
            asks.add(ask.tool);
            std::future::ready(Approval::AllowedOnce)
        })
        .unwrap();
    let agent = runtime.scope("agent").unwrap();
    agent
        .register(dynamic("search", |_, _| async { json!("other") }))
        .unwrap();
    let outside = run(runtime.execute(call("call_1", "search")));
    let inside = run(runtime.execute(call("call_2", "search").scope(&agent)));
    assert_eq!(data(&outside), success("call_1", json!("done")));
    assert_eq!(data(&inside), success("call_2", json!("other")));
    assert_eq!(asked.lines(), ["search", "search"]);
}

#[test]
fn c81_deny_beats_ask_and_allow_in_any_order() {
    let [allow, ask, deny] = [
        Decision::Allow,
        Decision::ask("?"),
        Decision::deny("not ever"),
    ];
    let chains = [
        [&ask, &deny],
        [&deny, &ask],
        [&allow, &deny],
        [&deny, &allow],
    ]
    .map(|it| it.map(Clone::clone));
    for chain in chains {
        let (ran, asked) = (Record::default(), Record::default());
        let asks = asked.clone();
        let runtime = chain
            .into_iter()
            .fold(ToolRuntime::builder(), |builder, decision| {
                builder.pre_execute(move |_: &ToolExecution| decision.clone())
            })
            .tool(done("act", &ran))
            .approver(move |_: ApprovalRequest| {
                asks.add("asked");
                std::future::ready(Approval::AllowedOnce)
            })
            .build()
            .unwrap();
        let result = run(runtime.execute(call("call_1", "act")));
        assert_eq!(data(&result), failure("call_1", "DENIED", "not ever"));
        assert_eq!((asked.lines(), ran.lines()), (vec![], vec![]));
    }
}

#[test]
fn c82_denial_really_stops_execution() {
    let (ran, reviewed) = (Record::default(), Record::default());
    let reviews = reviewed.clone();
    let runtime = ToolRuntime::builder()
        .tools(["one", "two", "three"].map(|name| done(name, &ran).concurrency_safe(true)))
        .tool(dynamic("outer", |_, cx: RunContext| async move {
            json!(cx.call_by_name("two", "{}").await.text())
        }))
        .guard(|call: &ToolExecution| (call.name() == "two").then_some("two is closed"))
        .post_execute(move |call: &ToolExecution, result: &ToolResult| {
            reviews.add(format!("{} {}", call.name(), code(result)));
            PostDecision::accept()
        })
        .build()
        .unwrap();
    let denied = |id: &str| failure(id, "DENIED", "two is closed");
    assert_eq!(
        data(&run(runtime.execute(call("call_1", "two")))),
        denied("call_1")
    );
    assert_eq!(reviewed.take(), ["two DENIED"]);

    let calls = || ["one", "two", "three"].map(|name| call(name, name));
    let expected = [
        success("one", json!("done")),
        denied("two"),
        success("three", json!("done")),
    ];
    let batch = run(runtime.execute_batch(calls()));
    assert_eq!(batch.iter().map(data).collect::<Vec<_>>(), expected);
    let streamed: Vec<_> = run(runtime.batch(calls()).stream().collect());
    assert_eq!(streamed.iter().map(data).collect::<Vec<_>>(), expected);

    let nested = run(runtime.execute(call("call_2", "outer")));
    assert_eq!(
        data(&nested),
        success("call_2", json!("Error: two is closed"))
    );
    assert_eq!(ran.lines(), ["one", "three", "one", "three"]);
}

#[test]
fn c89_hook_replaces_the_output_of_a_failure() {
    let told = Record::default();
    let tells = told.clone();
    let redacts = |_: &ToolExecution, result: &ToolResult| {
        let redacted = result.text().replace("abc", "***");
        if result.is_error() {
            // Blocked, not only shown otherwise: message and code go as well.
            PostDecision::block(redacted)
        } else {
            PostDecision::value(json!(redacted))
        }
    };
    let runtime = ToolRuntime::builder()
        .tool(dynamic("works", |_, _| async { json!("token=abc") }))
        .tool(dynamic("fails", |_, _| async {
            Err::<Value, _>("token=abc")
        }))
        .post_execute(redacts)
        .on_result(move |_: &ToolExecution, result: &ToolResult| tells.add(format!("{result:?}")))
        .build()
        .unwrap();
    let works = run(runtime.execute(call("call_1", "works")));
    assert_eq!(data(&works), success("call_1", json!("token=***")));
    let fails = run(runtime.execute(call("call_2", "fails")));
    let mut expected = failure("call_2", "BLOCKED", "Error: token=***");
    expected["content"] = json!([{"type": "text", "text": "Error: token=***"}]);
    assert_eq!(data(&fails), expected);
    for line in told.lines() {
        assert!(!line.contains("abc"), "{line}");
    }
}

#[test]
fn c91_approval_mixed_with_free_calls() {
    for (answer, expected) in [
        (Approval::AllowedOnce, success("cleanup", json!("done"))),
        (
            Approval::Rejected,
            failure(
                "cleanup",
                "APPROVAL_REJECTED",
                "approval for tool \"cleanup\" was rejected",
            ),
        ),
    ] {
        let ran = Record::default();
        let runtime = ToolRuntime::builder()
            .hook_timeout(None)
            .tool(done("cleanup", &ran))
            .tool(done("diag", &ran).concurrency_safe(true))
            .pre_execute(|call: &ToolExecution| match call.name() {
                "cleanup" => Decision::ask("it deletes"),
                _ => Decision::Allow,
            })
            .approver(move |_: ApprovalRequest| async move {
                pending_times(20).await;
                answer
            })
            .build()
            .unwrap();
        for calls in [["cleanup", "diag"], ["diag", "cleanup"]] {
            let results = run(runtime.execute_batch(calls.map(|name| call(name, name))));
            let of = |name| match name {
                "cleanup" => expected.clone(),
                _ => success("diag", json!("done")),
            };
            assert_eq!(results.iter().map(data).collect::<Vec<_>>(), calls.map(of));
            let ran = ran.take();
            let times = |name: &str| ran.iter().filter(|it| *it == name).count();
            assert_eq!(times("diag"), 1, "once in total");
            assert_eq!(
                times("cleanup"),
                usize::from(answer == Approval::AllowedOnce)
            );
        }
    }
}
