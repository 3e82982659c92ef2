//! Questions and answers: how pre-execute hooks combine, who is asked, when, and what counts.

mod support;

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tool_core::{
    Approval, ApprovalRequest, Decision, Scope, ToolCall, ToolExecution, ToolResult, ToolRuntime,
    ToolRuntimeBuilder,
};

use support::{
    Record, call, code, data, done, failure, observer, panic_now, pending_times, poll_by_hand, run,
    success,
};

/// An approver that writes down what it is asked.
fn approver(
    record: &Record,
    answer: Approval,
) -> impl Fn(ApprovalRequest) -> std::future::Ready<Approval> + Send + Sync + use<> {
    let record = record.clone();
    move |ask| {
        record.add(format!("asked: {}", ask.reason.as_deref().unwrap_or("-")));
        std::future::ready(answer)
    }
}

fn decides(
    record: &Record,
    name: &'static str,
    decision: Decision,
) -> impl Fn(&ToolExecution) -> Decision + Send + Sync + use<> {
    let record = record.clone();
    move |_| {
        record.add(name);
        decision.clone()
    }
}

fn decision(name: &str) -> Decision {
    match name {
        "allow" => Decision::Allow,
        "ask" => Decision::ask("may it?"),
        "deny" => Decision::deny("it may not"),
        other => unreachable!("{other}"),
    }
}

/// Runs a call through these pre hooks, with an approver that grants: the result, whether
/// somebody was asked, and which hooks were.
fn through(hooks: &[&'static str]) -> (Value, bool, Vec<String>) {
    let (ran, asked, hooked) = (Record::default(), Record::default(), Record::default());
    let runtime = hooks
        .iter()
        .fold(ToolRuntime::builder(), |builder, &name| {
            builder.pre_execute(decides(&hooked, name, decision(name)))
        })
        .tool(done("act", &ran))
        .approver(approver(&asked, Approval::AllowedOnce))
        .build()
        .unwrap();
    let result = run(runtime.execute(call("call_1", "act")));
    assert_eq!(ran.lines().len(), usize::from(!result.is_error()));
    (data(&result), !asked.lines().is_empty(), hooked.lines())
}

#[test]
fn hooks_combine_as_a_lattice() {
    let names = ["allow", "ask", "deny"];
    // All chains of up to three: deny beats ask beats allow, wherever they stand.
    let mut chains: Vec<Vec<&'static str>> = vec![vec![]];
    for length in 0..3 {
        let longer: Vec<_> = chains
            .iter()
            .filter(|chain| chain.len() == length)
            .flat_map(|chain| names.map(|name| [&chain[..], &[name]].concat()))
            .collect();
        chains.extend(longer);
    }
    assert_eq!(chains.len(), 1 + 3 + 9 + 27);
    for chain in chains {
        let denied_at = chain.iter().position(|&name| name == "deny");
        let asks = denied_at.is_none() && chain.contains(&"ask");
        let expected = match denied_at {
            Some(_) => failure("call_1", "DENIED", "it may not"),
            None => success("call_1", json!("done")),
        };
        // The first denial stops the chain.
        let hooked = denied_at.map_or(chain.len(), |at| at + 1);
        let (result, asked, hooks) = through(&chain);
        assert_eq!(result, expected, "{chain:?}");
        assert_eq!(asked, asks, "{chain:?}");
        assert_eq!(hooks, chain[..hooked], "{chain:?}");
    }
}

#[test]
fn the_first_question_is_the_one_that_is_asked() {
    let (ran, asked) = (Record::default(), Record::default());
    let runtime = ToolRuntime::builder()
        .tool(done("act", &ran))
        .pre_execute(|_: &ToolExecution| Decision::Allow)
        .pre_execute(|_: &ToolExecution| Decision::Ask(None))
        .pre_execute(|_: &ToolExecution| Decision::ask("second"))
        .approver(approver(&asked, Approval::AllowedOnce))
        .build()
        .unwrap();
    assert_eq!(code(&run(runtime.execute(call("call_1", "act")))), "ok");
    assert_eq!(asked.lines(), ["asked: -"], "once");
}

/// Something an approver does that is known only after it is registered.
type Late = Arc<Mutex<Option<Box<dyn Fn() + Send>>>>;

/// A runtime, a scope, and one below it, with a tool that is there for all.
fn chain(builder: ToolRuntimeBuilder, ran: &Record) -> (ToolRuntime, Scope, Scope) {
    let runtime = builder.tool(done("act", ran)).build().unwrap();
    let session = runtime.scope("session").unwrap();
    let agent = session.child("agent").unwrap();
    (runtime, session, agent)
}

#[test]
fn hooks_of_several_scopes_are_asked_from_the_farthest() {
    let (ran, hooked) = (Record::default(), Record::default());
    let (runtime, session, agent) = chain(ToolRuntime::builder(), &ran);
    // Registered from the nearest on, to tell the order of layers from that of registration.
    agent.pre_execute(decides(&hooked, "agent 1", Decision::Allow));
    agent.pre_execute(decides(&hooked, "agent 2", Decision::deny("agent says no")));
    session.pre_execute(decides(&hooked, "session 1", Decision::Allow));
    session.pre_execute(decides(&hooked, "session 2", Decision::ask("session asks")));
    runtime.pre_execute(decides(&hooked, "global", Decision::Allow));

    let in_agent = run(runtime.execute(call("call_1", "act").scope(&agent)));
    assert_eq!(
        data(&in_agent),
        failure("call_1", "DENIED", "agent says no")
    );
    assert_eq!(
        hooked.take(),
        ["global", "session 1", "session 2", "agent 1", "agent 2"]
    );
    // Nobody is there to be asked: the reason of the question is the reason of the denial.
    let in_session = run(runtime.execute(call("call_2", "act").scope(&session)));
    assert_eq!(
        data(&in_session),
        failure("call_2", "DENIED", "session asks")
    );
    assert_eq!(hooked.take(), ["global", "session 1", "session 2"]);
    let in_runtime = run(runtime.execute(call("call_3", "act")));
    assert_eq!(data(&in_runtime), success("call_3", json!("done")));
    assert_eq!(hooked.take(), ["global"]);
    assert_eq!(ran.lines(), ["act"]);
}

#[test]
fn the_nearest_approver_is_asked() {
    let (ran, asked) = (Record::default(), Record::default());
    let builder = ToolRuntime::builder().pre_execute(|_: &ToolExecution| Decision::Ask(None));
    let (runtime, session, agent) = chain(builder, &ran);
    let says = |name: &'static str| {
        let asked = asked.clone();
        move |_: ApprovalRequest| {
            asked.add(name);
            std::future::ready(Approval::AllowedOnce)
        }
    };
    let who = |scope: Option<&Scope>| {
        let one = call("call_1", "act");
        let result = run(runtime.execute(match scope {
            Some(scope) => one.scope(scope),
            None => one,
        }));
        (code(&result).to_owned(), asked.take())
    };
    let ok = |name: &str| ("ok".to_owned(), vec![name.to_owned()]);
    let nobody = || ("DENIED".to_owned(), Vec::new());
    assert_eq!([who(None), who(Some(&agent))], [nobody(), nobody()]);
    let global = runtime.approver(says("global")).unwrap();
    assert_eq!([who(None), who(Some(&agent))], [ok("global"), ok("global")]);
    let of_agent = agent.approver(says("agent")).unwrap();
    session.approver(says("session")).unwrap();
    let all = [who(None), who(Some(&session)), who(Some(&agent))];
    assert_eq!(all, [ok("global"), ok("session"), ok("agent")]);
    of_agent.dispose();
    assert_eq!(who(Some(&agent)), ok("session"));
    global.dispose();
    assert_eq!([who(None), who(Some(&session))], [nobody(), ok("session")]);
    // One per layer.
    let refused = session.approver(says("another")).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "scope `session` already has an approver\nhelp: dispose the first one, or register the \
         other in a scope, where it is nearer"
    );
}

#[test]
fn nobody_is_asked_about_what_a_guard_forbids() {
    let (ran, asked) = (Record::default(), Record::default());
    let runtime = ToolRuntime::builder()
        .tool(done("act", &ran))
        .pre_execute(|_: &ToolExecution| Decision::ask("may it?"))
        .guard(|_: &ToolExecution| Some("forbidden"))
        .approver(approver(&asked, Approval::AllowedOnce))
        .build()
        .unwrap();
    let result = run(runtime.execute(call("call_1", "act")));
    assert_eq!(data(&result), failure("call_1", "DENIED", "forbidden"));
    assert_eq!((asked.lines(), ran.lines()), (vec![], vec![]));
}

#[test]
fn a_guard_registered_while_the_question_is_open_denies() {
    for in_scope in [false, true] {
        let ran = Record::default();
        let registers: Late = Arc::default();
        let register = registers.clone();
        let builder = ToolRuntime::builder()
            .pre_execute(|_: &ToolExecution| Decision::ask("may it?"))
            .approver(move |_: ApprovalRequest| {
                register.lock().unwrap().as_ref().unwrap()();
                std::future::ready(Approval::AllowedOnce)
            });
        let (runtime, session, agent) = chain(builder, &ran);
        let (to_runtime, to_scope) = (runtime.clone(), session);
        *registers.lock().unwrap() = Some(Box::new(move || {
            let guard = |_: &ToolExecution| Some("closed meanwhile");
            if in_scope {
                to_scope.guard(guard)
            } else {
                to_runtime.guard(guard)
            };
        }));
        let result = run(runtime.execute(call("call_1", "act").scope(&agent)));
        assert_eq!(
            data(&result),
            failure("call_1", "DENIED", "closed meanwhile")
        );
        assert_eq!(ran.lines(), [""; 0]);
    }
}

#[test]
fn a_tool_replaced_while_the_question_is_open_does_not_run() {
    let ran = Record::default();
    let replaces: Late = Arc::default();
    let replace = replaces.clone();
    let runtime = ToolRuntime::builder()
        .pre_execute(|_: &ToolExecution| Decision::ask("may it?"))
        .approver(move |_: ApprovalRequest| {
            replace.lock().unwrap().as_ref().unwrap()();
            std::future::ready(Approval::AllowedOnce)
        })
        .build()
        .unwrap();
    let registration = runtime.register(done("act", &ran)).unwrap();
    let (target, again) = (runtime.clone(), ran.clone());
    *replaces.lock().unwrap() = Some(Box::new(move || {
        registration.dispose();
        target.register(done("act", &again)).unwrap();
    }));
    // What was approved is not what would run.
    let result = run(runtime.execute(call("call_1", "act")));
    assert_eq!(code(&result), "UNKNOWN_TOOL");
    assert_eq!(ran.lines(), [""; 0]);
}

#[test]
fn the_request_says_what_would_run() {
    let ran = Record::default();
    let request: Arc<Mutex<Option<ApprovalRequest>>> = Arc::default();
    let keeps = request.clone();
    let digests = Record::default();
    let seen = digests.clone();
    let runtime = ToolRuntime::builder()
        .tool(done("act", &ran))
        .pre_execute(|_: &ToolExecution| Decision::ask("it costs money"))
        .approver(move |ask: ApprovalRequest| {
            *keeps.lock().unwrap() = Some(ask);
            std::future::ready(Approval::AllowedOnce)
        })
        .on_result(move |call: &ToolExecution, _: &ToolResult| seen.add(call.digest()))
        .build()
        .unwrap();
    let arguments = r#"{"b": [1, 2], "a": "ü"}"#;
    let result = run(runtime.execute(ToolCall::new("call_1", "act", arguments)));
    assert_eq!(code(&result), "ok");
    let ask = request.lock().unwrap().take().unwrap();
    assert_eq!(ask.call_id, "call_1");
    assert_eq!(ask.tool, "act");
    assert_eq!(ask.arguments, json!({"a": "ü", "b": [1, 2]}));
    assert_eq!(ask.reason.as_deref(), Some("it costs money"));
    assert!(!ask.cancellation.is_cancelled());
    // printf '{"a":"ü","b":[1,2]}' | sha256sum
    let digest = "815fc624760d8eb5090c0da64ed49386a8da3a0ef36c4a331d131430f76e6530";
    assert_eq!(ask.digest, digest);
    assert_eq!(digests.lines(), [digest]);
}

#[test]
fn only_a_grant_runs() {
    let table = [
        (Approval::AllowedOnce, success("call_1", json!("done"))),
        (
            Approval::Rejected,
            failure(
                "call_1",
                "APPROVAL_REJECTED",
                "approval for tool \"act\" was rejected",
            ),
        ),
        (
            Approval::Cancelled,
            failure(
                "call_1",
                "APPROVAL_CANCELLED",
                "approval for tool \"act\" was cancelled",
            ),
        ),
        (
            Approval::Unavailable,
            failure(
                "call_1",
                "APPROVAL_UNAVAILABLE",
                "tool \"act\" requires approval, but the approver is unavailable",
            ),
        ),
    ];
    for (answer, expected) in table {
        let (ran, asked, told) = (Record::default(), Record::default(), Record::default());
        let runtime = ToolRuntime::builder()
            .tool(done("act", &ran))
            .pre_execute(|_: &ToolExecution| Decision::ask("may it?"))
            .approver(approver(&asked, answer))
            .on_result(observer(&told))
            .build()
            .unwrap();
        let result = run(runtime.execute(call("call_1", "act")));
        assert_eq!(data(&result), expected);
        assert_eq!(
            ran.lines().len(),
            usize::from(answer == Approval::AllowedOnce)
        );
        assert_eq!(asked.take(), ["asked: may it?"]);
        assert_eq!(told.lines(), [format!("call_1 {}", code(&result))]);
        // A grant is for one call.
        let _ = run(runtime.execute(call("call_2", "act")));
        assert_eq!(asked.take(), ["asked: may it?"]);
    }
}

#[test]
fn without_an_approver_the_question_is_a_denial() {
    let stock = "tool \"act\" requires approval, and there is nobody to give it";
    for (ask, message) in [
        (Decision::ask("may it?"), "may it?"),
        (Decision::Ask(None), stock),
    ] {
        let ran = Record::default();
        let runtime = ToolRuntime::builder()
            .tool(done("act", &ran))
            .pre_execute(move |_: &ToolExecution| ask.clone())
            .build()
            .unwrap();
        let result = run(runtime.execute(call("call_1", "act")));
        assert_eq!(data(&result), failure("call_1", "DENIED", message));
        assert_eq!(ran.lines(), [""; 0]);
    }
}

#[test]
fn a_broken_approver_is_unavailable() {
    let message = "tool \"act\" requires approval, but the approver is unavailable";
    for waits in [0, 2] {
        let ran = Record::default();
        let runtime = ToolRuntime::builder()
            .hook_timeout(None)
            .tool(done("act", &ran))
            .pre_execute(|_: &ToolExecution| Decision::ask("may it?"))
            .approver(move |_: ApprovalRequest| async move {
                pending_times(waits).await;
                panic_now()
            })
            .build()
            .unwrap();
        let result = run(runtime.execute(call("call_1", "act")));
        assert_eq!(
            data(&result),
            failure("call_1", "APPROVAL_UNAVAILABLE", message)
        );
        assert_eq!(ran.lines(), [""; 0]);
    }
}

#[test]
fn a_question_that_is_open_at_the_cancellation_is_withdrawn() {
    // It never answers, it answers at the same moment, or it looks at the signal and answers.
    for answers in ["never", "at once", "when it hears"] {
        let (ran, told) = (Record::default(), Record::default());
        let token = CancellationToken::new();
        let fires = token.clone();
        let runtime = ToolRuntime::builder()
            .tool(done("act", &ran))
            .pre_execute(|_: &ToolExecution| Decision::ask("may it?"))
            .approver(move |ask: ApprovalRequest| {
                let fires = fires.clone();
                async move {
                    match answers {
                        "never" => std::future::pending().await,
                        "at once" => fires.cancel(),
                        _ => ask.cancellation.cancelled().await,
                    }
                    Approval::AllowedOnce
                }
            })
            .on_result(observer(&told))
            .build()
            .unwrap();
        let calling = runtime.execute(call("call_1", "act").cancel(token.clone()));
        let result = poll_by_hand(calling, |poll| {
            if poll == 1 {
                token.cancel();
            }
            true
        })
        .unwrap();
        let message = "tool call aborted before dispatch";
        assert_eq!(
            data(&result),
            failure("call_1", "ABORTED_BEFORE_DISPATCH", message)
        );
        assert_eq!(ran.lines(), [""; 0], "{answers}");
        assert_eq!(told.lines(), ["call_1 ABORTED_BEFORE_DISPATCH"]);
    }
}

#[test]
fn nobody_is_asked_after_the_cancellation() {
    let (ran, asked) = (Record::default(), Record::default());
    let outcome = |approved: bool| {
        let token = CancellationToken::new();
        let fires = token.clone();
        let mut builder =
            ToolRuntime::builder()
                .tool(done("act", &ran))
                .pre_execute(move |_: &ToolExecution| {
                    fires.cancel();
                    Decision::ask("may it?")
                });
        if approved {
            builder = builder.approver(approver(&asked, Approval::AllowedOnce));
        }
        let runtime = builder.build().unwrap();
        data(&run(runtime.execute(call("call_1", "act").cancel(token))))
    };
    let message = "tool call aborted before dispatch";
    assert_eq!(
        outcome(true),
        failure("call_1", "ABORTED_BEFORE_DISPATCH", message)
    );
    // The denial for want of an approver stands.
    assert_eq!(outcome(false), failure("call_1", "DENIED", "may it?"));
    assert_eq!((asked.lines(), ran.lines()), (vec![], vec![]));
}

#[test]
fn nobody_is_asked_about_a_call_that_could_not_run() {
    let asked = Record::default();
    let runtime = ToolRuntime::builder()
        .tool(done("act", &asked))
        .pre_execute(|_: &ToolExecution| Decision::ask("may it?"))
        .approver(approver(&asked, Approval::AllowedOnce))
        .build()
        .unwrap();
    let unknown = run(runtime.execute(call("call_1", "other")));
    let invalid = run(runtime.execute(ToolCall::new("call_2", "act", "[]")));
    assert_eq!(
        [code(&unknown), code(&invalid)],
        ["UNKNOWN_TOOL", "INVALID_ARGS"]
    );
    assert_eq!(asked.lines(), [""; 0]);
}
