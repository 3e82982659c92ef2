//! Calls that bodies make: identity, what they share with their caller, and what stays their own.

mod support;

use std::future::{Future as _, poll_fn};
use std::sync::{Arc, Mutex};
use std::task::Poll;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tool_core::{
    ExecutionToken, Next, RunContext, Said, Station, ToolCall, ToolExecution, ToolResult,
    ToolRuntime, around_fn,
};

use support::{Record, call, code, data, done, failure, observer, run, success, tool};

/// Who a call was, as a guard saw it.
#[derive(Clone, Debug, PartialEq)]
struct Identity {
    name: String,
    call_id: String,
    root: String,
    token: ExecutionToken,
    parent: Option<ExecutionToken>,
    scope: Option<String>,
}

/// A guard that keeps every call's identity.
fn identities(
    seen: &Arc<Mutex<Vec<Identity>>>,
) -> impl Fn(&ToolExecution) -> Option<String> + use<> {
    let seen = seen.clone();
    move |call| {
        seen.lock().unwrap().push(Identity {
            name: call.name().to_owned(),
            call_id: call.call_id().to_string(),
            root: call.root_call_id().to_string(),
            token: call.token(),
            parent: call.parent(),
            scope: call.scope().map(|scope| scope.id().to_owned()),
        });
        None
    }
}

/// A tool that calls `inner` and answers with its text.
fn calls(name: &'static str, inner: &'static str) -> tool_core::ToolDefinition {
    tool(name, move |_, cx| async move {
        json!(cx.call_by_name(inner, "{}").await.text())
    })
}

#[test]
fn a_nested_call_has_its_own_token_and_its_callers_root_and_scope() {
    let seen = Arc::default();
    let record = Record::default();
    let runtime = ToolRuntime::builder()
        .tool(calls("outer", "middle"))
        .tool(calls("middle", "inner"))
        .tool(done("inner", &record))
        .guard(identities(&seen))
        .build()
        .unwrap();
    let agent = runtime.scope("agent").unwrap();
    let result = run(runtime.execute(call("call_1", "outer").scope(&agent)));
    assert_eq!(data(&result), success("call_1", json!("done")));
    let seen = seen.lock().unwrap();
    let [outer, middle, inner] = &seen[..] else {
        panic!("three calls: {seen:?}")
    };
    let of = |name: &str, call_id: &str, token, parent| Identity {
        name: name.to_owned(),
        call_id: call_id.to_owned(),
        root: "call_1".to_owned(),
        token,
        parent,
        scope: Some("agent".to_owned()),
    };
    assert_eq!(*outer, of("outer", "call_1", outer.token, None));
    assert_eq!(
        *middle,
        of("middle", "call_1:1", middle.token, Some(outer.token))
    );
    assert_eq!(
        *inner,
        of("inner", "call_1:1:1", inner.token, Some(middle.token))
    );
    assert!(outer.token != middle.token && middle.token != inner.token);
}

#[test]
fn calls_of_one_body_are_numbered() {
    let record = Record::default();
    let twice = tool("twice", |_, cx: RunContext| async move {
        let first = cx.call_by_name("inner", "{}").await;
        let second = cx.call_by_name("inner", json!({})).await;
        json!([first.call_id(), second.call_id()])
    });
    let runtime = ToolRuntime::builder()
        .tool(twice)
        .tool(done("inner", &record))
        .build()
        .unwrap();
    let result = run(runtime.execute(call("call_1", "twice")));
    assert_eq!(result.value(), Some(&json!(["call_1:1", "call_1:2"])));
}

#[test]
fn a_call_from_outside_with_a_parent_is_its_own_root() {
    let seen = Arc::default();
    let record = Record::default();
    let runtime = ToolRuntime::builder()
        .tool(done("inner", &record))
        .guard(identities(&seen))
        .build()
        .unwrap();
    let _first = run(runtime.execute(call("call_1", "inner")));
    let parent = seen.lock().unwrap()[0].token;
    let _second = run(runtime.execute(call("call_2", "inner").parent(parent)));
    let _third = run(runtime.execute(call("call_3", "inner").parent(parent).root("call_1")));
    let seen = seen.lock().unwrap();
    assert_eq!(
        (seen[1].parent, seen[1].root.as_str()),
        (Some(parent), "call_2")
    );
    assert_eq!(
        (seen[2].parent, seen[2].root.as_str()),
        (Some(parent), "call_1")
    );
}

#[test]
fn a_nested_call_passes_the_whole_pipeline() {
    let record = Record::default();
    let (pre, guard, around, post) = (
        record.clone(),
        record.clone(),
        record.clone(),
        record.clone(),
    );
    let runtime = ToolRuntime::builder()
        .tool(calls("outer", "inner"))
        .tool(done("inner", &record))
        .pre_execute(move |call: &ToolExecution| {
            pre.add(format!("pre {}", call.name()));
            tool_core::Decision::Allow
        })
        .guard(move |call: &ToolExecution| {
            guard.add(format!("guard {}", call.name()));
            None::<String>
        })
        .around_execute(around_fn(move |call: &ToolExecution, next: Next<'_>| {
            around.add(format!("around {}", call.name()));
            Box::pin(async move { Ok(next.run().await) })
        }))
        .post_execute(move |call: &ToolExecution, _: &ToolResult| {
            post.add(format!("post {}", call.name()));
            tool_core::PostDecision::accept()
        })
        .on_result(observer(&record))
        .build()
        .unwrap();
    let result = run(runtime.execute(call("call_1", "outer")));
    assert_eq!(code(&result), "ok");
    let stations = [
        "pre outer",
        "guard outer",
        "around outer",
        "pre inner",
        "guard inner",
        "around inner",
        "inner",
        "post inner",
        "call_1:1 ok",
        "post outer",
        "call_1 ok",
    ];
    assert_eq!(record.lines(), stations);
}

#[test]
fn a_guard_of_the_scope_forbids_nested_calls() {
    let record = Record::default();
    let runtime = ToolRuntime::builder()
        .tool(calls("outer", "inner"))
        .tool(done("inner", &record))
        .build()
        .unwrap();
    let agent = runtime.scope("agent").unwrap();
    agent.guard(|call: &ToolExecution| (call.name() == "inner").then_some("not from here"));
    let result = run(runtime.execute(call("call_1", "outer").scope(&agent)));
    assert_eq!(
        data(&result),
        success("call_1", json!("Error: not from here"))
    );
    assert_eq!(record.lines(), [""; 0]);
    let result = run(runtime.execute(call("call_1", "outer")));
    assert_eq!(data(&result), success("call_1", json!("done")));
}

#[test]
fn scope_parent_and_root_of_a_nested_call_cannot_be_chosen() {
    let seen = Arc::default();
    let record = Record::default();
    let outer = tool("outer", |_, cx: RunContext| async move {
        let forged = ToolCall::new("mine", "inner", "{}").root("somebody else's");
        json!(cx.call_tool(forged).await.call_id())
    });
    let runtime = ToolRuntime::builder()
        .tool(outer)
        .tool(done("inner", &record))
        .guard(identities(&seen))
        .build()
        .unwrap();
    let result = run(runtime.execute(call("call_1", "outer")));
    assert_eq!(result.value(), Some(&json!("mine")));
    let seen = seen.lock().unwrap();
    assert_eq!(seen[1].root, "call_1");
    assert_eq!(seen[1].parent, Some(seen[0].token));
}

#[test]
fn a_nested_call_is_cancelled_with_its_caller() {
    let record = Record::default();
    let token = CancellationToken::new();
    let fires = token.clone();
    let outer = tool("outer", move |_, cx: RunContext| {
        let fires = fires.clone();
        async move {
            let before = cx.call_by_name("inner", "{}").await;
            fires.cancel();
            let after = cx.call_by_name("inner", "{}").await;
            // The failure is the body's own, so the cancelled call keeps it.
            Err::<Value, _>(format!("{} then {}", code(&before), code(&after)))
        }
    });
    let runtime = ToolRuntime::builder()
        .tool(outer)
        .tool(done("inner", &record))
        .on_result(observer(&record))
        .build()
        .unwrap();
    let result = run(runtime.execute(call("call_1", "outer").cancel(token)));
    let message = "ok then ABORTED_BEFORE_DISPATCH";
    assert_eq!(data(&result), failure("call_1", "TOOL_FAILED", message));
    let told = [
        "inner",
        "call_1:1 ok",
        "call_1:2 ABORTED_BEFORE_DISPATCH",
        "call_1 TOOL_FAILED",
    ];
    assert_eq!(record.lines(), told);
}

#[test]
fn a_signal_of_its_own_cancels_only_the_nested_call() {
    let record = Record::default();
    let outer = tool("outer", |_, cx: RunContext| async move {
        let token = CancellationToken::new();
        token.cancel();
        let nested = ToolCall::new("nested", "inner", "{}").cancel(token);
        json!(code(&cx.call_tool(nested).await))
    });
    let runtime = ToolRuntime::builder()
        .tool(outer)
        .tool(done("inner", &record))
        .build()
        .unwrap();
    let result = run(runtime.execute(call("call_1", "outer")));
    assert_eq!(
        data(&result),
        success("call_1", json!("ABORTED_BEFORE_DISPATCH"))
    );
}

#[test]
fn a_wrappers_signal_reaches_nested_calls() {
    let record = Record::default();
    let runtime = ToolRuntime::builder()
        .tool(tool("outer", |_, cx: RunContext| async move {
            let nested = cx.call_by_name("waits", "{}").await;
            Err::<Value, _>(code(&nested).to_owned())
        }))
        .tool(tool("waits", |_, cx: RunContext| async move {
            cx.cancellation().cancelled().await;
            json!("stopped by itself")
        }))
        .around_execute(around_fn(|call: &ToolExecution, next: Next<'_>| {
            let outermost = call.parent().is_none();
            Box::pin(async move {
                if !outermost {
                    return Ok(next.run().await);
                }
                let token = CancellationToken::new();
                let mut inside = std::pin::pin!(next.cancel(token.clone()).run());
                let early = poll_fn(|cx| Poll::Ready(inside.as_mut().poll(cx).is_ready())).await;
                assert!(!early, "the nested body waits for the signal");
                token.cancel();
                Ok(inside.await)
            })
        }))
        .on_result(observer(&record))
        .build()
        .unwrap();
    let result = run(runtime.execute(call("call_1", "outer")));
    assert_eq!(data(&result), failure("call_1", "TOOL_FAILED", "ABORTED"));
    assert_eq!(record.lines(), ["call_1:1 ABORTED", "call_1 TOOL_FAILED"]);
}

#[test]
fn contexts_and_conclusion_stay_on_the_nested_result_unless_forwarded() {
    let speaks = tool("speaks", |_, cx: RunContext| {
        cx.defer_context("from within");
        cx.conclude_turn();
        async { json!("done") }
    });
    let keeps = tool("keeps", |_, cx: RunContext| async move {
        cx.call_by_name("speaks", "{}")
            .await
            .value()
            .cloned()
            .unwrap()
    });
    let forwards = tool("forwards", |_, cx: RunContext| async move {
        let nested = cx.call_by_name("speaks", "{}").await;
        for context in nested.additional_contexts() {
            cx.defer_context(context.clone());
        }
        if nested.concludes_turn() {
            cx.conclude_turn();
        }
        json!("done")
    });
    let runtime = ToolRuntime::builder()
        .tool(speaks)
        .tool(keeps)
        .tool(forwards)
        .build()
        .unwrap();
    let kept = run(runtime.execute(call("call_1", "keeps")));
    assert_eq!(data(&kept), success("call_1", json!("done")));
    let forwarded = run(runtime.execute(call("call_2", "forwards")));
    let mut expected = success("call_2", json!("done"));
    // A context keeps the name of the tool that made it.
    expected["additional_contexts"] =
        json!([{"content": [{"type": "text", "text": "from within"}], "source": "speaks"}]);
    expected["concludes_turn"] = json!(true);
    assert_eq!(data(&forwarded), expected);
}

#[test]
fn meta_is_made_for_top_level_calls_only() {
    let record = Record::default();
    let projections = record.clone();
    let shown = done("shown", &record).presentation_meta(move |_, value| {
        projections.add("projected");
        json!({ "shows": value })
    });
    let outer = tool("outer", |_, cx: RunContext| async move {
        json!(cx.call_by_name("shown", "{}").await.meta())
    });
    let runtime = ToolRuntime::builder()
        .tool(shown)
        .tool(outer)
        .build()
        .unwrap();
    let nested = run(runtime.execute(call("call_1", "outer")));
    assert_eq!(data(&nested), success("call_1", Value::Null));
    assert_eq!(record.take(), ["shown"]);
    let top = run(runtime.execute(call("call_2", "shown")));
    let mut expected = success("call_2", json!("done"));
    expected["meta"] = json!({"shows": "done"});
    assert_eq!(data(&top), expected);
    assert_eq!(record.take(), ["shown", "projected"]);
}

#[test]
fn a_nested_call_has_a_trail_of_its_own_if_its_caller_has_one() {
    let record = Record::default();
    let trails = Arc::new(Mutex::new(Vec::new()));
    let keeps = trails.clone();
    let runtime = ToolRuntime::builder()
        .tool(calls("outer", "inner"))
        .tool(done("inner", &record))
        .on_result(move |call: &ToolExecution, result: &ToolResult| {
            let stations = result.trail().map(|trail| {
                trail
                    .entries()
                    .iter()
                    .map(|it| (it.station, it.said))
                    .collect::<Vec<_>>()
            });
            keeps
                .lock()
                .unwrap()
                .push((call.name().to_owned(), stations));
        })
        .build()
        .unwrap();
    let _ = run(runtime.execute(call("call_1", "outer")));
    let _ = run(runtime.execute(call("call_2", "outer").trail(true)));
    let stations = Some(vec![
        (Station::Intake, Some(Said::Accepted)),
        (Station::Body, Some(Said::Succeeded)),
        (Station::Output, Some(Said::Succeeded)),
    ]);
    let told = |name: &str, trail: &Option<Vec<_>>| (name.to_owned(), trail.clone());
    assert_eq!(
        *trails.lock().unwrap(),
        [
            told("inner", &None),
            told("outer", &None),
            told("inner", &stations),
            told("outer", &stations),
        ]
    );
}

/// A tool that calls itself `depth` times and answers how deep it came.
fn recursive() -> tool_core::ToolDefinition {
    tool("recursive", |arguments: Value, cx: RunContext| async move {
        let depth = arguments["depth"].as_u64().unwrap();
        if depth == 0 {
            return Ok(json!(0));
        }
        let nested = cx
            .call_by_name("recursive", json!({"depth": depth - 1}))
            .await;
        match nested.error() {
            None => Ok(json!(nested.value().unwrap().as_u64().unwrap() + 1)),
            Some(error) => Err(error.clone()),
        }
    })
}

/// Runs the tool that calls itself, through this many wrappers at each level.
fn recurse(depth: u64, wrappers: usize) -> (ToolResult, Vec<String>) {
    let told = Record::default();
    let pass = || {
        around_fn(|_: &ToolExecution, next: Next<'_>| Box::pin(async move { Ok(next.run().await) }))
    };
    let runtime = (0..wrappers)
        .fold(ToolRuntime::builder(), |builder, _| {
            builder.around_execute(pass())
        })
        .hook_timeout(None)
        .tool(recursive())
        .on_result(observer(&told))
        .build()
        .unwrap();
    let calling = ToolCall::new("call_1", "recursive", json!({ "depth": depth }));
    (run(runtime.execute(calling)), told.lines())
}

#[test]
fn the_fewer_wrappers_the_deeper_calls_may_be_nested() {
    for (depth, wrappers) in [(32, 0), (15, 2), (7, 6), (4, 10), (2, 20), (1, 31)] {
        let (result, told) = recurse(depth, wrappers);
        assert_eq!(
            data(&result),
            success("call_1", json!(depth)),
            "{wrappers} wrappers"
        );
        assert_eq!(told.len() as u64, depth + 1);
        let (deeper, _) = recurse(depth + 1, wrappers);
        assert_eq!(
            deeper.error().unwrap().code(),
            "NESTED_TOO_DEEP",
            "{wrappers} wrappers"
        );
    }
}

#[test]
fn deeper_calls_are_refused_and_the_process_lives_on() {
    let message = "tool \"recursive\" was not called: tools call each other too deeply here";
    for depth in [8, 1_000, 1_000_000] {
        let (result, told) = recurse(depth, 6);
        assert_eq!(data(&result), failure("call_1", "NESTED_TOO_DEEP", message));
        let told_of: Vec<_> = (0..9)
            .rev()
            .map(|level| format!("call_1{} NESTED_TOO_DEEP", ":1".repeat(level)))
            .collect();
        assert_eq!(
            told, told_of,
            "each level is told once, the innermost first"
        );
    }
}
