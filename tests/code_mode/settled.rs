//! The calls of a program: their order, what is left of them, and how a run ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tokio::sync::{Notify, oneshot};
use tokio_util::sync::CancellationToken;
use tool_core::{
    Approval, ApprovalRequest, Approver, ContentBlock, Decision, PostDecision, Presentation,
    ProgramCall, ProgramOutput, ToolError, ToolExecution, ToolOutput, ToolResult, ToolRuntime,
    ToolRuntimeBuilder, additional_contexts,
};

use super::support::{
    PAYLOAD, Record, call, data, done, failure, observer, on_paused_clock, panic_now, tool,
};
use super::{ask, returned, run_code, scripted, submit};

fn builder(record: &Record) -> ToolRuntimeBuilder {
    ToolRuntime::builder()
        .presentation(Presentation::Code)
        .on_result(observer(record))
}

/// A tool that writes down that it began, and waits for its signal.
fn waiting(record: &Record) -> tool_core::ToolDefinition {
    let record = record.clone();
    tool("waiting", move |_, cx| {
        let record = record.clone();
        async move {
            record.add("waiting begins");
            cx.cancellation().cancelled().await;
            record.add("waiting ends");
            json!("partial")
        }
    })
}

#[test]
fn what_still_runs_is_told_and_awaited_and_what_waits_never_starts() {
    let record = Record::default();
    let ends = record.clone();
    let runtime = builder(&record)
        .tools([waiting(&record), done("later", &record)])
        .code_runtime(scripted(move |program| {
            let record = ends.clone();
            async move {
                let running = submit(&program, "waiting");
                let waits = submit(&program, "later");
                // Until the body runs.
                while record.count("waiting begins") == 0 {
                    tokio::task::yield_now().await;
                }
                let told = record.clone();
                tokio::spawn(async move {
                    for answer in [running, waits] {
                        let outcome = answer.await.expect("every call is answered");
                        told.add(outcome.unwrap_err().code());
                    }
                });
                record.add("program ends");
                returned(1)
            }
        }))
        .build()
        .unwrap();
    let result = on_paused_clock(async {
        let result = runtime.execute(run_code("c")).await;
        tokio::task::yield_now().await;
        result
    });
    assert_eq!(result.text(), "1");
    assert_eq!(
        record.take(),
        [
            "waiting begins",
            "program ends",
            "waiting ends",
            "c:code:1 ABORTED",
            "c ok",
            "ABORTED",
            "ABORTED_BEFORE_DISPATCH",
        ]
    );
}

#[test]
fn a_call_after_the_end_is_answered_and_never_made() {
    let record = Record::default();
    let (send, receive) = oneshot::channel();
    let send = std::sync::Mutex::new(Some(send));
    let runtime = builder(&record)
        .tool(done("late", &record))
        .code_runtime(scripted(move |program| {
            let send = send.lock().unwrap().take();
            async move {
                let _ = send.unwrap().send(program);
                returned(Value::Null)
            }
        }))
        .build()
        .unwrap();
    let outcome = on_paused_clock(async {
        let _ended = runtime.execute(run_code("c")).await;
        ask(&receive.await.unwrap(), "late").await
    });
    assert_eq!(
        outcome.unwrap_err().to_string(),
        "tool \"late\" was not called: the run is over"
    );
    assert_eq!(record.take(), ["c ok"]);
}

#[test]
fn outcomes_come_in_the_order_of_the_calls() {
    let record = Record::default();
    let gate = Arc::new(Notify::new());
    let (opens, waits) = (gate.clone(), gate);
    let slow = tool("slow", move |_, _| {
        let gate = waits.clone();
        async move {
            gate.notified().await;
            json!("slow")
        }
    });
    let quick = tool("quick", move |_, _| {
        opens.notify_one();
        async { json!("quick") }
    });
    let answers = record.clone();
    let runtime = builder(&record)
        .tools([slow.concurrency_safe(true), quick.concurrency_safe(true)])
        .code_runtime(scripted(move |program| {
            let record = answers.clone();
            async move {
                let order = Arc::new(AtomicUsize::new(0));
                let mut all = Vec::new();
                for name in ["slow", "quick", "missing"] {
                    let (done, is_done) = oneshot::channel();
                    let (order, record) = (order.clone(), record.clone());
                    program.submit(ProgramCall::new(name, json!({})), move |outcome| {
                        let place = order.fetch_add(1, Ordering::AcqRel);
                        let outcome = outcome.map_or_else(|it| it.to_string(), |it| it.to_string());
                        record.add(format!("{place}: {outcome}"));
                        let _ = done.send(());
                    });
                    all.push(is_done);
                }
                for one in all {
                    one.await.unwrap();
                }
                returned(Value::Null)
            }
        }))
        .build()
        .unwrap();
    let _ended = on_paused_clock(runtime.execute(run_code("c")));
    assert_eq!(
        record.take(),
        [
            // Refused without a number, before anything else happened.
            "0: unknown tool \"missing\"",
            "c:code:1 ok",
            "1: \"slow\"",
            "c:code:2 ok",
            "2: \"quick\"",
            "c ok",
        ]
    );
}

#[test]
fn calls_may_come_from_another_thread() {
    let record = Record::default();
    let runtime = builder(&record)
        .tool(done("far", &record))
        .code_runtime(scripted(|program| async move {
            let (send, receive) = oneshot::channel();
            std::thread::spawn(move || {
                program.submit(ProgramCall::new("far", json!({})), move |outcome| {
                    let _ = send.send(outcome);
                });
            });
            returned(receive.await.unwrap()?)
        }))
        .build()
        .unwrap();
    assert_eq!(
        on_paused_clock(runtime.execute(run_code("c"))).text(),
        "done"
    );
}

#[test]
fn the_caller_cancels_the_program_and_its_calls() {
    let record = Record::default();
    let token = CancellationToken::new();
    let cancels = token.clone();
    let runtime = builder(&record)
        .tool(waiting(&record))
        .code_runtime(scripted(move |program| {
            let token = cancels.clone();
            async move {
                let running = submit(&program, "waiting");
                token.cancel();
                program.cancellation().cancelled().await;
                let outcome = running.await.unwrap();
                Err::<ProgramOutput, _>(outcome.unwrap_err().message().into())
            }
        }))
        .build()
        .unwrap();
    let result = on_paused_clock(runtime.execute(run_code("c").cancel(token)));
    let message = "tool call aborted before dispatch";
    assert_eq!(data(&result), failure("c", "CODE_RUN_FAILED", message));
    assert_eq!(record.take(), ["c CODE_RUN_FAILED"]);
}

#[test]
fn a_dropped_run_is_over_for_everybody() {
    let record = Record::default();
    let (over, is_over) = oneshot::channel();
    let over = std::sync::Mutex::new(Some(over));
    let begun = record.clone();
    let runtime = builder(&record)
        .tool(waiting(&record))
        .code_runtime(scripted(move |program| {
            let over = over.lock().unwrap().take().unwrap();
            let _ = over.send((program.cancellation().clone(), submit(&program, "waiting")));
            std::future::pending()
        }))
        .build()
        .unwrap();
    let outcome = on_paused_clock(async move {
        let running = runtime.execute(run_code("c"));
        let begins = async {
            while begun.count("waiting begins") == 0 {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            _ = running => unreachable!("the program never ends"),
            () = begins => {}
        }
        let (token, answer) = is_over.await.unwrap();
        assert!(token.is_cancelled());
        answer.await.unwrap()
    });
    assert_eq!(outcome.unwrap_err().code(), "ABORTED");
    assert_eq!(
        record.take(),
        ["waiting begins", "c:code:1 ABORTED", "c ABORTED"]
    );
}

#[test]
fn a_runtime_that_panics_fails_the_call_and_nothing_else() {
    let record = Record::default();
    let panics_at_once = scripted(|_| -> std::future::Ready<_> { panic_now() });
    let panics_later = scripted(|program| async move {
        let _running = submit(&program, "waiting");
        tokio::task::yield_now().await;
        panic_now()
    });
    let panics_on_an_answer = scripted(|program| async move {
        program.submit(ProgramCall::new("done", json!({})), |_| panic_now());
        returned(ask(&program, "done").await?)
    });
    let tools = [waiting(&record), done("done", &record)];
    let text = |builder: ToolRuntimeBuilder| {
        let runtime = builder.tools(tools.clone()).build().unwrap();
        on_paused_clock(runtime.execute(run_code("c"))).text()
    };
    let panicked = "Error: tool \"run_code\" panicked";
    assert_eq!(
        text(builder(&record).code_runtime(panics_at_once)),
        panicked
    );
    assert_eq!(record.take(), ["c TOOL_PANICKED"]);
    assert_eq!(text(builder(&record).code_runtime(panics_later)), panicked);
    assert_eq!(
        record.take(),
        ["waiting begins", "c:code:1 ABORTED", "c TOOL_PANICKED"]
    );
    assert_eq!(
        text(builder(&record).code_runtime(panics_on_an_answer)),
        "done"
    );
    assert!(!record.lines().concat().contains(PAYLOAD));
}

/// Grants, and looks at how many guards are held meanwhile.
struct Watcher(Arc<AtomicUsize>, Record);

impl Approver for Watcher {
    async fn request(&self, ask: ApprovalRequest) -> Approval {
        tokio::task::yield_now().await;
        let held = self.0.load(Ordering::Acquire);
        self.1.add(format!("{} asked, {held} held", ask.call_id));
        Approval::AllowedOnce
    }
}

struct Held(Arc<AtomicUsize>);

impl Held {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Self(count.clone())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

#[test]
fn a_clock_can_stand_still_while_somebody_is_asked() {
    let record = Record::default();
    let held = Arc::new(AtomicUsize::new(0));
    let outer = tool("outer", |_, cx| async move {
        json!(cx.call_by_name("risky", "{}").await.text())
    });
    let holds = held.clone();
    let runtime = builder(&record)
        .tools([outer, done("risky", &record)])
        .pre_execute(|call: &ToolExecution| match call.name() {
            "risky" => Decision::ask("really?"),
            _ => Decision::Allow,
        })
        .approver(Watcher(held.clone(), record.clone()))
        .code_runtime(scripted(move |program| {
            let held = holds.clone();
            async move {
                for tool in ["risky", "outer"] {
                    let (answer, answered) = oneshot::channel();
                    let held = held.clone();
                    let call =
                        ProgramCall::new(tool, json!({})).while_asking(move || Held::new(&held));
                    program.submit(call, move |outcome| {
                        let _ = answer.send(outcome);
                    });
                    answered.await.unwrap()?;
                }
                returned(held.load(Ordering::Acquire))
            }
        }))
        .build()
        .unwrap();
    assert_eq!(on_paused_clock(runtime.execute(run_code("c"))).text(), "0");
    assert_eq!(
        record.take(),
        [
            "c:code:1 asked, 1 held",
            "risky",
            "c:code:1 ok",
            "c:code:2:1 asked, 1 held",
            "risky",
            "c:code:2:1 ok",
            "c:code:2 ok",
            "c ok",
        ]
    );
}

#[test]
fn contexts_images_and_the_end_of_the_turn_ride_on_the_run() {
    let record = Record::default();
    let picture = tool("picture", |_, cx| async move {
        cx.defer_context("said by the picture");
        cx.conclude_turn();
        let image = ContentBlock::image("aGk=", "image/png");
        ToolOutput::new(json!("drawn"), vec![ContentBlock::text("look"), image])
    });
    let fails = tool("fails", |_, cx| async move {
        cx.defer_context("said by the failure");
        Err::<Value, _>("no luck")
    });
    let runtime = builder(&record)
        .tools([picture, fails])
        .code_runtime(scripted(|program| async move {
            let value = ask(&program, "picture").await?;
            let error: Result<Value, ToolError> = ask(&program, "fails").await;
            returned(json!([value, error.unwrap_err().message()]))
        }))
        .build()
        .unwrap();
    let results = [on_paused_clock(runtime.execute(run_code("c")))];
    assert!(results[0].concludes_turn());
    let contexts: Vec<_> = additional_contexts(&results)
        .map(|context| {
            let kinds: Vec<_> = context.content.iter().map(ContentBlock::kind).collect();
            format!(
                "{} from {}: {}",
                kinds.join("+"),
                context.source,
                context.text()
            )
        })
        .collect();
    assert_eq!(
        contexts,
        [
            "text+image from run_code: look\n[image content]",
            "text from picture: said by the picture",
            "text from fails: said by the failure",
        ]
    );
}

#[test]
fn no_program_inside_a_program() {
    let record = Record::default();
    let detour = tool("detour", |_, cx| async move {
        let arguments = json!({"code": "", "description": "Again"});
        json!(cx.call_by_name("run_code", arguments).await.text())
    });
    let runtime = builder(&record)
        .presentation(Presentation::Both)
        .tool(detour)
        .code_runtime(scripted(|program| async move {
            let direct = ask(&program, "run_code").await.unwrap_err();
            let within = ask(&program, "detour").await?;
            returned(json!([direct.to_string(), within]))
        }))
        .build()
        .unwrap();
    let result = on_paused_clock(runtime.execute(run_code("c")));
    assert_eq!(
        result.value().unwrap()["result"],
        json!([
            "unknown tool \"run_code\"",
            "Error: unknown tool \"run_code\": a program cannot run another one"
        ])
    );
    // A body that no program started may run one.
    let result = on_paused_clock(runtime.execute(call("d", "detour")));
    assert!(
        result.text().contains("cannot run another one"),
        "{}",
        result.text()
    );
    assert!(record.lines().contains(&"d:1 ok".to_owned()));
}

#[test]
fn policy_has_the_last_word_on_a_run() {
    let record = Record::default();
    let runtime = builder(&record)
        .max_content_bytes(1_000)
        .code_runtime(scripted(|_| async {
            Ok(ProgramOutput::new(
                vec!["printed".to_owned()],
                json!("secret"),
            ))
        }))
        .post_execute(|call: &ToolExecution, _: &ToolResult| match call.name() {
            "run_code" => PostDecision::value(json!({"logs": ["printed"], "result": {"a": [1]}})),
            _ => PostDecision::accept(),
        })
        .build()
        .unwrap();
    let result = on_paused_clock(runtime.execute(run_code("c")));
    assert_eq!(result.text(), "printed\n{\n  \"a\": [\n    1\n  ]\n}");
}
