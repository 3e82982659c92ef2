//! C117: what a model may wish for, and what it may use.

use std::time::Duration;

use tool_code_mode::{FailureKind, Limits};

use crate::common::{Kit, limited, run, run_on};

/// C117: what a model may wish for, and what it may use.
#[tokio::test]
async fn c117_memory_output_and_calls_are_bounded() {
    let heap = limited(Limits::new().heap(16 << 20));
    for program in [
        "const a = []; for (;;) a.push('x'.repeat(1e6))",
        "return 'x'.repeat(2 ** 29)",
        "let a: any = null; for (;;) a = {a}",
        "const m = new Map(); for (let i = 0; ; i++) m.set(i, [i])",
        "new Array(1e9).fill(0)",
        "new Uint8Array(2 ** 30)",
    ] {
        let failure = run_on(&heap, Kit::usual(), program)
            .await
            .expect_err(program);
        assert_eq!(
            failure.kind(),
            FailureKind::OutOfMemory,
            "{program}: {failure}"
        );
        assert_eq!(
            failure.message(),
            "the program held more than 16 MiB",
            "{program}"
        );
    }

    let failure = run("let b = 1n; for (;;) b = b << 1000000n")
        .await
        .expect_err("an integer without end");
    assert_eq!(
        failure.message(),
        "RangeError: BigInt is too large to allocate"
    );

    let failure = run("let s = 'x'; for (;;) s += s + 'y'")
        .await
        .expect_err("a string without end");
    assert_eq!(
        (failure.kind(), failure.message()),
        (
            FailureKind::OutOfMemory,
            "the program made a string of more than 2**30 - 1 characters"
        )
    );

    let failure = run("for (let i = 0; i < 100; i++) console.log('x'.repeat(1e6))")
        .await
        .expect_err("log");
    assert_eq!(failure.kind(), FailureKind::OutputLimit);
    assert_eq!(failure.message(), "the program printed more than 1 MiB");
    assert_eq!(failure.line(), Some(1));
    let logs: usize = failure.logs().iter().map(String::len).sum();
    assert!(logs <= (1 << 20) + 40, "{logs}");
    assert!(
        failure
            .logs()
            .last()
            .is_some_and(|last| last.ends_with("... (951425 bytes omitted)"))
    );

    let failure = run("for (let i = 0; i < 1e6; i++) tools.echo({})")
        .await
        .expect_err("calls");
    assert_eq!(failure.kind(), FailureKind::CallLimit);
}

#[tokio::test]
async fn c117_a_result_has_a_size() {
    let failure = run("console.log('a'); return 'x'.repeat(2 ** 20)")
        .await
        .expect_err("size");
    assert_eq!(failure.kind(), FailureKind::OutputLimit);
    assert_eq!(
        failure.message(),
        "the program printed and returned more than 1 MiB"
    );
    assert_eq!(failure.logs(), ["a"]);
}

#[test]
fn c117_wishes_shorten_and_never_lengthen() {
    let host = Limits::new();
    for wish in [1e12, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(host.wished_wall_ms(wish), host, "{wish}");
    }
    for (wish, ms) in [(0.0, 1), (1.0, 1), (2_500.0, 2_500), (600_000.0, 600_000)] {
        let wished = host.wished_wall_ms(wish).wall_time();
        assert_eq!(wished, Duration::from_millis(ms), "{wish}");
    }
    let most = Limits::new()
        .cpu(Duration::MAX)
        .wall(Duration::MAX)
        .heap(usize::MAX)
        .output(usize::MAX)
        .arguments(usize::MAX)
        .calls(u32::MAX);
    assert_eq!(most.cpu_time(), Duration::from_hours(1));
    assert_eq!(most.wall_time(), Duration::from_hours(24));
    assert_eq!(most.heap_bytes(), 4 << 30);
    assert_eq!(most.output_bytes(), 1 << 30);
    assert_eq!(most.argument_bytes(), 1 << 30);
    assert_eq!(most.call_count(), 1_000_000);
    let least = Limits::new()
        .cpu(Duration::ZERO)
        .wall(Duration::ZERO)
        .heap(0)
        .output(0)
        .arguments(0)
        .calls(0);
    assert_eq!(least.cpu_time(), Duration::from_millis(1));
    assert_eq!(least.wall_time(), Duration::from_millis(1));
    assert_eq!(least.heap_bytes(), 1 << 20);
    assert_eq!(least.output_bytes(), 1 << 10);
    assert_eq!(least.argument_bytes(), 1 << 10);
    assert_eq!(least.call_count(), 0);
}
