//! Many runs that end badly: each gives a result in bounded time, and the next one is clean.

mod common;

use std::sync::Arc;
use std::time::{Duration, Instant};

use common::{Kit, KitHost, engine, limited, run_on};
use tokio_util::sync::CancellationToken;
use tool_code_mode::{FailureKind, Limits};

/// Programs that never end by themselves, each busy in another part of the engine.
const ENDLESS: &[&str] = &[
    "for (;;) {}",
    "async function* g() { for (let i = 0; ; i++) yield i } for await (const x of g()) {}",
    "const o = { get x() { return this.x2 }, x2: 1 }; for (;;) o.x",
    "const p = new Proxy({}, { get: (t, k) => k, has: () => true }); for (;;) { p.a; 'b' in p }",
    "for (;;) [5, 3, 1, 4].sort((a, b) => a - b)",
    "for (;;) eval('1 + 1')",
    "for (;;) 'abcabc'.replace(/b(c)/g, (m, c) => c + m)",
    "for (;;) { try { null.x } catch { try { try { throw 1 } finally {} } catch {} } }",
    "const flood = () => Promise.resolve().then(flood); await flood()",
    "for (;;) await tools.echo({ value: [1, { a: 'b' }] })",
    "for (;;) await Promise.allSettled([tools.echo({}), tools.fail({}), tools.echo({ bad: undefined })])",
    "for (;;) structuredClone({ a: [1, new Map([[1, new Set([2])]])] })",
    "for (;;) new URL('https://user:pass@example.com:8080/a/../b?x=1#y').href",
    "for (;;) await new Promise(done => setTimeout(done, 0))",
];

/// A small generator, so that a failing run can be repeated.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_interrupts_at_random_moments() {
    let engine = limited(Limits::new().calls(1_000_000));
    let mut dice = Dice(0x5eed);
    for round in 0..1_000_usize {
        let program = ENDLESS[round % ENDLESS.len()];
        let token = CancellationToken::new();
        let host = Arc::new(KitHost(Arc::new(Kit::usual())));
        let run = tokio::spawn(engine.run(program.to_owned(), host, token.clone()));
        tokio::time::sleep(Duration::from_micros(100 + dice.roll(3_000))).await;
        let start = Instant::now();
        token.cancel();
        let failure = run.await.expect("joined").expect_err(program);
        assert_eq!(
            failure.kind(),
            FailureKind::Abort,
            "{round} {program}: {failure}"
        );
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "{round} {program}"
        );
    }
    assert_eq!(engine.left_behind(), 0);
    let after = run_on(
        &engine,
        Kit::usual(),
        "return await tools.echo({value: 'clean'})",
    )
    .await;
    assert_eq!(after.expect("ran").text(), "clean");
}

/// Programs that take memory in many shapes.
const GREEDY: &[&str] = &[
    "const a = []; for (;;) a.push({ x: a.length })",
    "let a: any = null; for (;;) { const b = a; a = () => b }",
    "const m = new Map(); for (let i = 0; ; i++) m.set({}, 'v' + i)",
    "const ps = []; for (;;) ps.push(new Promise(() => {}))",
    "let p: any = {}; for (;;) p = new Proxy(p, {})",
    "const r = []; for (;;) r.push(new RegExp('(a|b)+c{2,3}' + r.length))",
    "let s = 'x'; for (;;) { s += s; s.split('') }",
    "const ps = []; for (;;) { ps.push(tools.echo({ value: 'x'.repeat(1000) })); if (ps.length % 50 == 0) await ps.at(-1) }",
    "const held = []; try { for (;;) held.push('x'.repeat(5000) + held.length) } catch (e) { for (;;) held.push([e]) }",
    "const f = (n: number): any => n ? [f(n - 1), f(n - 1)] : {}; return f(40)",
    "const gens = []; for (;;) { const g = (function* () { yield gens })(); g.next(); gens.push(g) }",
    "const all = []; for (;;) { all.push(new Error('e' + all.length)) }",
];

/// The engine drops the job after an `await` without a word when it has no memory for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_job_is_lost_for_want_of_memory() {
    let program = "const ps = []; for (;;) { ps.push(tools.echo({ value: 'x'.repeat(1000) })); if (ps.length % 5 == 0) await ps.at(-1) }";
    let mut dice = Dice(0xbeef);
    for round in 0..60 {
        let heap = (512 << 10) + usize::try_from(dice.roll(1 << 20)).expect("small");
        let engine = limited(Limits::new().heap(heap).calls(1_000_000));
        let failure = run_on(&engine, Kit::usual(), program)
            .await
            .expect_err(program);
        let kind = failure.kind();
        assert_eq!(kind, FailureKind::OutOfMemory, "{round}: {failure}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_runs_out_of_memory() {
    let mut dice = Dice(0xfeed);
    for round in 0..500_usize {
        let program = GREEDY[round % GREEDY.len()];
        let heap = (1 << 20) + usize::try_from(dice.roll(5 << 20)).expect("small");
        let engine = limited(Limits::new().heap(heap).calls(1_000_000));
        let start = Instant::now();
        let failure = run_on(&engine, Kit::usual(), program)
            .await
            .expect_err(program);
        assert_eq!(
            failure.kind(),
            FailureKind::OutOfMemory,
            "{round} {program}: {failure}"
        );
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "{round} {program}"
        );
    }
    let after = run_on(
        &engine(),
        Kit::usual(),
        "return await tools.echo({value: 'clean'})",
    )
    .await;
    assert_eq!(after.expect("ran").text(), "clean");
}
