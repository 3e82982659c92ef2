//! C111, C112: programs that do not end by themselves.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use tool_code_mode::{FailureKind, Limits};

use crate::common::{Kit, limited, run, run_on};

async fn ends_in_time(program: &str) {
    let engine = limited(Limits::new().cpu(Duration::from_millis(150)));
    let beats = Arc::new(AtomicUsize::new(0));
    let heart = tokio::spawn({
        let beats = Arc::clone(&beats);
        async move {
            loop {
                tokio::time::sleep(Duration::from_millis(5)).await;
                beats.fetch_add(1, Ordering::SeqCst);
            }
        }
    });
    let start = Instant::now();
    let failure = run_on(&engine, Kit::usual(), program)
        .await
        .expect_err(program);
    heart.abort();
    assert_eq!(failure.kind(), FailureKind::Timeout, "{program}: {failure}");
    assert_eq!(
        failure.message(),
        "the program computed for more than 150ms",
        "{program}"
    );
    assert!(start.elapsed() < Duration::from_secs(20), "{program}");
    assert!(
        beats.load(Ordering::SeqCst) >= 3,
        "the host stood still: {program}"
    );
    let after = run_on(&engine, Kit::usual(), "return typeof leftover")
        .await
        .expect("runs again");
    assert_eq!(after.result(), Some(&json!("undefined")));
}

/// C111: endless synchronous programs.
#[tokio::test]
async fn c111_endless_loops_end() {
    for program in [
        "globalThis.leftover = 1; while (true) {}",
        "for (;;) Math.sqrt(2)",
        "/^(a+)+$/.test('a'.repeat(40) + 'b')",
        "/(x+x+)+y/.test('x'.repeat(60))",
        "[3, 1, 2].sort(() => { while (true) {} })",
        "JSON.stringify({ toJSON() { for (;;) {} } })",
    ] {
        ends_in_time(program).await;
    }
}

/// However many steps of the engine a round has: an interrupt may not fall between the two sides.
#[tokio::test]
async fn c111_endless_calls_end() {
    for round in [
        "tools.echo({})",
        "tools.echo({}), 1 + 1",
        "tools.echo({}), Math.abs(1)",
        "tools.echo({}).catch(() => 1)",
        "tools.echo({}), Math.abs(1), Math.abs(1)",
        "tools.echo({}), (() => 1)(), (() => 1)(), (() => 1)()",
    ] {
        let program = format!("for (;;) {{ try {{ {round} }} catch {{}} }}");
        let failure = run(&program).await.expect_err("too many calls");
        assert_eq!(failure.kind(), FailureKind::CallLimit, "{round}");
        assert_eq!(failure.message(), "the program made more than 500 calls");
        assert_eq!(failure.line(), Some(1), "{round}");
    }
}

/// The same for what a program can call beside the tools.
#[tokio::test]
async fn c111_endless_use_of_the_world_ends() {
    for program in [
        "for (;;) console.assert(true)",
        "for (;;) try { tools.$describe('x') } catch {}",
        "for (;;) try { setTimeout() } catch {}",
        "for (;;) try { console.log({ get x() { for (;;) {} } }) } catch {}",
        "for (;;) try { fetch } catch {}",
        "for (;;) structuredClone([1])",
        "for (;;) clearTimeout(setTimeout(() => 1, 1000))",
        "for (;;) try { tools.echo(1, 2) } catch {}",
        "for (;;) try { await tools.echo({ get x() { for (;;) {} } }) } catch {}",
        "for (;;) try { await tools.echo(undefined) } catch {}",
    ] {
        ends_in_time(program).await;
    }
}

/// C112: no `catch`, `finally` or job outlives the end.
#[tokio::test]
async fn c112_the_end_cannot_be_caught() {
    for program in [
        "await 0; while (true) {}",
        "await Promise.resolve().then(() => { while (1) {} })",
        "while (true) { try { while (true) {} } catch {} }",
        "try { while (1) {} } finally { while (1) {} }",
        "try { while (1) {} } finally { return 'won' }",
        "(function flood() { Promise.resolve().then(flood) })(); await new Promise(() => {})",
        "const flood = () => queueMicrotask(flood); flood(); await tools.forever()",
        "tools.forever(); for (;;) {}",
        "await (async () => { for (;;) {} })().catch(() => 'won')",
        "for await (const x of (async function* () { for (;;) yield 1 })()) {}",
        "setTimeout(() => { for (;;) {} }, 0); await tools.forever()",
        "return { get x() { for (;;) {} } }",
    ] {
        ends_in_time(program).await;
    }
}
