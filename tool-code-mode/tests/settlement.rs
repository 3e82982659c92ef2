//! How a run ends: order of delivery, calls in flight, cancellation, the wall clock.

mod common;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use common::{Kit, KitHost, engine, limited, run, run_on, value};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tool_code_mode::{FailureKind, Host, Limits, QuickJs, Reply, SdkTool, Submitted};

/// A host whose calls are answered by the test itself, one tool `f`.
struct Manual {
    schema: Value,
    calls: mpsc::UnboundedSender<(Submitted, Reply)>,
}

impl Host for Manual {
    fn tools(&self) -> Vec<String> {
        vec!["f".to_owned()]
    }

    fn tool(&self, _name: &str) -> Option<SdkTool<'_>> {
        let schema = &self.schema;
        Some(SdkTool {
            name: "f",
            description: "",
            parameters: schema,
            output: schema,
        })
    }

    fn submit(&self, call: Submitted, reply: Reply) {
        self.calls.send((call, reply)).expect("the test listens");
    }
}

fn manual() -> (Arc<Manual>, mpsc::UnboundedReceiver<(Submitted, Reply)>) {
    let (calls, received) = mpsc::unbounded_channel();
    (
        Arc::new(Manual {
            schema: json!({}),
            calls,
        }),
        received,
    )
}

#[tokio::test]
async fn values_arrive_in_the_order_of_the_calls() {
    let (host, mut calls) = manual();
    let program = "const order = [];
        await Promise.all([0, 1, 2].map(n => tools.f({n}).then(v => order.push(v))));
        return order";
    let run = tokio::spawn(engine().run(program.to_owned(), host, CancellationToken::new()));
    let mut replies = Vec::new();
    for number in 1..=3 {
        let (call, reply) = calls.recv().await.expect("a call");
        assert_eq!(
            (call.number, call.arguments),
            (number, json!({"n": number - 1}))
        );
        replies.push(reply);
    }
    for (at, reply) in replies.into_iter().enumerate().rev() {
        reply.resolve(json!(at));
    }
    assert_eq!(
        run.await.expect("joined").expect("ran").result(),
        Some(&json!([0, 1, 2]))
    );
}

#[tokio::test]
async fn a_run_ends_after_its_calls() {
    let (host, mut calls) = manual();
    let program = "tools.f({}); return 'left early'".to_owned();
    let run = tokio::spawn(engine().run(program, host, CancellationToken::new()));
    let (call, reply) = calls.recv().await.expect("a call");
    call.cancellation.cancelled().await;
    assert!(!run.is_finished(), "the call is still in flight");
    reply.reject("tool call aborted");
    assert_eq!(
        run.await.expect("joined").expect("ran").text(),
        "left early"
    );
}

#[tokio::test]
async fn a_dropped_reply_fails_the_call() {
    let (host, mut calls) = manual();
    let program = "try { await tools.f() } catch (e) { return [e.toolName, e.message] }".to_owned();
    let run = tokio::spawn(engine().run(program, host, CancellationToken::new()));
    drop(calls.recv().await.expect("a call"));
    let done = run.await.expect("joined").expect("ran");
    assert_eq!(done.result(), Some(&json!(["f", "tool call abandoned"])));
}

#[tokio::test]
async fn a_host_that_panics_fails_the_call() {
    struct Panics(Value);
    impl Host for Panics {
        fn tools(&self) -> Vec<String> {
            vec!["f".to_owned()]
        }
        fn tool(&self, _name: &str) -> Option<SdkTool<'_>> {
            Some(SdkTool {
                name: "f",
                description: "",
                parameters: &self.0,
                output: &self.0,
            })
        }
        fn submit(&self, _call: Submitted, _reply: Reply) {
            panic!("host bug")
        }
    }
    let program = "try { await tools.f() } catch (e) { return e.message }".to_owned();
    let run = engine().run(
        program,
        Arc::new(Panics(json!({}))),
        CancellationToken::new(),
    );
    assert_eq!(
        run.await.expect("ran").result(),
        Some(&json!("tool call abandoned"))
    );
}

#[tokio::test]
async fn arguments_that_do_not_fit_show_the_signature() {
    let schema =
        json!({"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]});
    let (calls, mut received) = mpsc::unbounded_channel();
    let host = Arc::new(Manual { schema, calls });
    let program = "try { await tools.f({}) } catch (e) { return e.message }".to_owned();
    let run = tokio::spawn(engine().run(program, host, CancellationToken::new()));
    received
        .recv()
        .await
        .expect("a call")
        .1
        .reject_arguments("invalid arguments: /n: missing");
    assert_eq!(
        run.await.expect("joined").expect("ran").text(),
        "invalid arguments: /n: missing\ntools.f(args: { n: number }): Promise<{ n: number }>"
    );
}

#[tokio::test]
async fn cancelling_ends_a_waiting_program() {
    let (host, mut calls) = manual();
    let token = CancellationToken::new();
    let program =
        "console.log('one');\ntry { await tools.f() } catch {} return 'unreached'".to_owned();
    let run = tokio::spawn(engine().run(program, host, token.clone()));
    let (call, reply) = calls.recv().await.expect("a call");
    token.cancel();
    call.cancellation.cancelled().await;
    reply.reject("tool call aborted");
    let failure = run.await.expect("joined").expect_err("cancelled");
    assert_eq!(failure.kind(), FailureKind::Abort);
    assert_eq!(failure.logs(), ["one"]);
    assert!(
        failure
            .to_string()
            .starts_with("code run failed (abort): the caller cancelled the run")
    );
}

#[tokio::test]
async fn cancelling_ends_a_hot_program() {
    let token = CancellationToken::new();
    let kit = Arc::new(Kit::usual());
    let program = "tools.echo({}); for (;;) {}".to_owned();
    let host = Arc::new(KitHost(Arc::clone(&kit)));
    let run = tokio::spawn(engine().run(program, host, token.clone()));
    while kit.ended.lock().expect("ended").is_empty() {
        tokio::task::yield_now().await;
    }
    token.cancel();
    let failure = run.await.expect("joined").expect_err("cancelled");
    assert_eq!(failure.kind(), FailureKind::Abort);
    assert_eq!(failure.line(), Some(1));
}

#[tokio::test]
async fn cancelled_before_the_start_nothing_runs() {
    let token = CancellationToken::new();
    token.cancel();
    let kit = Arc::new(Kit::usual());
    let host = Arc::new(KitHost(Arc::clone(&kit)));
    let failure = engine()
        .run("tools.echo({})".to_owned(), host, token)
        .await
        .expect_err("cancelled");
    assert_eq!(failure.kind(), FailureKind::Abort);
    assert_eq!(kit.called(), [""; 0]);
}

#[tokio::test]
async fn dropping_the_run_ends_the_program() {
    let (host, mut calls) = manual();
    let program = "await tools.f(); for (;;) {}".to_owned();
    let run = tokio::spawn(engine().run(program, Arc::clone(&host) as _, CancellationToken::new()));
    let (call, reply) = calls.recv().await.expect("a call");
    run.abort();
    assert!(run.await.expect_err("aborted").is_cancelled());
    call.cancellation.cancelled().await;
    reply.resolve(json!(1));
    while Arc::strong_count(&host) > 1 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn the_wall_clock_ends_a_waiting_program() {
    let engine = limited(Limits::new().wall(Duration::from_millis(80)));
    let failure = run_on(&engine, Kit::usual(), "const a = 1\nawait tools.forever()").await;
    assert_eq!(
        failure.expect_err("too long").to_string(),
        "code run failed (timeout): the run took more than 80ms\n    at program.ts:2:13\n  \
         2 | await tools.forever()\nhelp: start independent calls together with `Promise.all`, or \
         do less in one program"
    );
}

#[tokio::test]
async fn waiting_costs_no_computing_time() {
    let engine = limited(Limits::new().cpu(Duration::from_millis(150)));
    let program = "await tools.slow({ms: 400}); return 'done'";
    assert_eq!(
        run_on(&engine, Kit::usual(), program)
            .await
            .expect("ran")
            .text(),
        "done"
    );
}

#[tokio::test]
async fn the_wall_clock_stands_still_while_paused() {
    let (host, mut calls) = manual();
    let engine = limited(Limits::new().wall(Duration::from_millis(200)));
    let program = "return tools.f()".to_owned();
    let run = tokio::spawn(engine.run(program, host, CancellationToken::new()));
    let (_, reply) = calls.recv().await.expect("a call");
    let clock = reply.wall_clock();
    let (first, second) = (reply.pause_wall_clock(), clock.pause());
    let spent = clock.elapsed();
    tokio::time::sleep(Duration::from_millis(400)).await;
    drop(first);
    assert_eq!(clock.elapsed(), spent);
    drop(second);
    reply.resolve(json!("allowed"));
    assert_eq!(run.await.expect("joined").expect("ran").text(), "allowed");
}

#[tokio::test]
async fn the_wall_clock_goes_on_after_a_pause() {
    let (host, mut calls) = manual();
    let engine = limited(Limits::new().wall(Duration::from_millis(100)));
    let program = "return tools.f()".to_owned();
    let run = tokio::spawn(engine.run(program, host, CancellationToken::new()));
    let (call, reply) = calls.recv().await.expect("a call");
    drop(reply.pause_wall_clock());
    call.cancellation.cancelled().await;
    drop(reply);
    assert_eq!(
        run.await.expect("joined").expect_err("too long").kind(),
        FailureKind::Timeout
    );
}

/// An operation of the engine that never looks up: the run ends at its deadline all the same, and
/// the thread is counted until it is done.
#[tokio::test]
async fn a_thread_that_cannot_be_stopped_is_left_behind() {
    let engine = limited(Limits::new().wall(Duration::from_millis(200))).most_left_behind(1);
    let start = Instant::now();
    // Some seconds, with the C code optimised or not.
    let power = if cfg!(debug_assertions) { 24 } else { 28 };
    let program = format!("console.log('before'); return Array(2 ** {power}).join('').length");
    let failure = run_on(&engine, Kit::usual(), &program)
        .await
        .expect_err("stuck");
    assert_eq!(failure.kind(), FailureKind::Timeout);
    assert_eq!(failure.logs(), ["before"]);
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(engine.left_behind(), 1);
    let refused = run_on(&engine, Kit::usual(), "return 1")
        .await
        .expect_err("refused");
    assert_eq!(
        refused.to_string(),
        "code run failed (unavailable): earlier programs still sit in operations that cannot be \
         interrupted (1 of at most 1); no new one is started until one of them ends\n\
         help: try again later"
    );
    while engine.left_behind() > 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(
        run_on(&engine, Kit::usual(), "return 1")
            .await
            .expect("ran")
            .text(),
        "1"
    );
}

#[tokio::test]
async fn parallel_runs_do_not_meet() {
    let engine = engine();
    let runs: Vec<_> = (0..8)
        .map(|n| {
            let host = Arc::new(KitHost(Arc::new(Kit::usual())));
            let program = format!(
                "globalThis.mine = {n}; await tools.slow({{ms: 20}}); console.log(mine); return mine"
            );
            tokio::spawn(engine.run(program, host, CancellationToken::new()))
        })
        .collect();
    for (n, run) in runs.into_iter().enumerate() {
        assert_eq!(
            run.await.expect("joined").expect("ran").text(),
            format!("{n}\n{n}")
        );
    }
}

#[tokio::test]
async fn nothing_survives_a_run() {
    let polluted = "
        Object.prototype.x = 1; Array.prototype.push = () => 0; JSON.parse = () => 'forged';
        JSON.stringify = () => 'forged'; Promise.prototype.then = () => 'forged';
        Object.defineProperty(Object.prototype, 'secret', { set() { throw 'seen' } });
        Object.keys = () => []; globalThis.kept = 1;
        Function.prototype.call = () => 'forged'; Error.prepareStackTrace = () => 'forged';
        Object.getPrototypeOf = () => null; Array.isArray = () => false;
        return 1";
    assert_eq!(value(polluted).await, 1);
    let clean = "return [({}).x, typeof kept, [].push(1), JSON.stringify([1]), (await tools.echo({value: {a: 1}}))]
        .map(v => v === undefined ? 'undefined' : v)";
    assert_eq!(
        value(clean).await,
        json!(["undefined", "undefined", 1, "[1]", {"a": 1}])
    );
}

#[tokio::test]
async fn pollution_does_not_reach_the_bridge() {
    let program = "const map = new Map([[1, 2]]);
        Object.defineProperty(Object.prototype, 'secret', { set(v) { console.log('seen', v) } });
        Array.prototype[Symbol.iterator] = function* () { yield 'forged' };
        Array.prototype.push = () => 0; JSON.parse = () => 'forged'; JSON.stringify = () => 'forged';
        Object.prototype.toJSON = () => 'forged'; Object.keys = () => ['forged'];
        Object.defineProperty = () => { throw 'forged' };
        const args = await tools.args({ secret: [1, { deep: 'x' }], list: [1, 2] });
        let message; try { await tools.fail({ message: 'real' }) } catch (e) { message = e.message }
        console.log(args.list, map);
        return { args, message }";
    let done = run(program).await.expect("ran");
    assert_eq!(
        done.result(),
        Some(&json!({
            "args": {"secret": [1, {"deep": "x"}], "list": [1, 2]},
            "message": "real",
        }))
    );
    assert_eq!(done.logs(), ["[ 1, 2 ] Map(1) { 1 => 2 }"]);
}

#[tokio::test]
async fn a_tool_removed_during_a_run_is_for_the_host_to_refuse() {
    let gone = Arc::new(Mutex::new(false));
    let flag = Arc::clone(&gone);
    let kit = Kit::usual().tool("once", move |_| {
        let was = std::mem::replace(&mut *flag.lock().expect("flag"), true);
        async move {
            if was {
                Err("unknown tool \"once\"".to_owned())
            } else {
                Ok(json!(1))
            }
        }
    });
    let program = "const first = await tools.once(); try { await tools.once() } catch (e) { return [first, e.message] }";
    let done = run_on(&engine(), kit, program).await.expect("ran");
    assert_eq!(done.result(), Some(&json!([1, "unknown tool \"once\""])));
}

#[tokio::test]
async fn engines_share_their_count_through_clones() {
    let engine: QuickJs = engine();
    assert_eq!(engine.clone().left_behind(), engine.left_behind());
}
