//! The figures of Code Mode, beside a loop written by hand on the same engine.
//!
//! `cargo bench -p tool-code-mode --bench figures` prints the median, the least and the most of all
//! rounds. Programs run as a model's call of `run_code`, and their calls meet the whole pipeline. The
//! loop written by hand keeps the engine on one thread, without limits, types or a pipeline: it
//! shows what these cost.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use rquickjs::{Context, Function, Promise, Runtime};
use serde_json::json;
use tool_code_mode::{Limits, QuickJs};
use tool_core::{Presentation, ToolCall, ToolRuntime, tool};

/// One more.
#[tool(concurrency_safe)]
fn add(#[arg(range = 0..=9)] a: u32) -> u32 {
    a + 1
}

/// Answers after 50 ms.
#[tool(concurrency_safe)]
async fn late() -> &'static str {
    tokio::time::sleep(Duration::from_millis(50)).await;
    "late"
}

async fn timed(tools: &ToolRuntime, name: &str, arguments: serde_json::Value) -> Duration {
    let call = ToolCall::new("call_1", name, arguments);
    let start = Instant::now();
    let result = tools.execute(call).await;
    let time = start.elapsed();
    assert!(!result.is_error(), "{}", result.text());
    time
}

async fn program(tools: &ToolRuntime, code: &str) -> Duration {
    let arguments = json!({"code": code, "description": "measures"});
    timed(tools, "run_code", arguments).await
}

/// One call of the model's own.
async fn direct(tools: &ToolRuntime, calls: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        timed(tools, "add", json!({"a": 1})).await;
    }
    start.elapsed() / calls
}

/// A fresh engine and `calls` calls of a function that answers in the same thread.
fn by_hand(calls: u32) -> Duration {
    let start = Instant::now();
    let runtime = Runtime::new().expect("a runtime");
    let context = Context::full(&runtime).expect("a context");
    context.with(|ctx| {
        let add = Function::new(ctx.clone(), |n: i64| n + 1).expect("a function");
        ctx.globals().set("add", add).expect("a global");
    });
    let code = format!(
        "(async () => {{ let n = 0; for (let i = 0; i < {calls}; i++) n = await add(n); return n }})()"
    );
    let main = context.with(|ctx| {
        let promise: Promise<'_> = ctx.eval(code).expect("it runs");
        rquickjs::Persistent::save(&ctx, promise)
    });
    while runtime.execute_pending_job().expect("no job fails") {}
    context.with(|ctx| {
        let sum: i64 = main
            .restore(&ctx)
            .expect("same engine")
            .finish()
            .expect("it ended");
        assert_eq!(sum, i64::from(calls));
    });
    drop(context);
    drop(runtime);
    start.elapsed()
}

/// Median, least and most.
fn spread(mut times: Vec<Duration>) -> [Duration; 3] {
    times.sort_unstable();
    [times[times.len() / 2], times[0], times[times.len() - 1]]
}

const COLD: &str = "\
interface Sum { n: number }
let n: number = 0;
for (const step of [1, 2, 3] as const) {
  n = (await tools.add({ a: n })) as number;
}
const sum: Sum = { n };
console.log('sum', sum);
return sum;";

const WIDE: &str = "await Promise.all(Array.from({ length: 100 }, () => tools.late({})))";

/// Calls of one program.
const MANY: u32 = 2_000;

fn main() {
    let workers = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    println!("on two workers:");
    workers.block_on(async { tokio::spawn(figures()).await.expect("it ran") });
    let current = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    println!("on the current thread:");
    current.block_on(figures());
}

async fn figures() {
    let tools = ToolRuntime::builder()
        .tool(add {})
        .tool(late {})
        .presentation(Presentation::Both)
        .code_runtime(QuickJs::new().limits(Limits::new().calls(10_000)))
        .max_parallel_sub_calls(100)
        .build()
        .expect("it builds");
    let (mut cold, mut hand) = (vec![], vec![]);
    // Interleaved, so that a busy moment of the machine hits both sides.
    for _ in 0..200 {
        cold.push(program(&tools, COLD).await);
        hand.push(by_hand(3));
    }
    let (mut one, mut computed, mut direct_one, mut hand_one) = (vec![], vec![], vec![], vec![]);
    for _ in 0..20 {
        let start = ProcessTime::now();
        let few = program(&tools, &sequential(0)).await;
        let few_computed = start.elapsed();
        let start = ProcessTime::now();
        let many = program(&tools, &sequential(MANY)).await;
        computed.push(start.elapsed().saturating_sub(few_computed) / MANY);
        let direct = direct(&tools, MANY).await;
        one.push((many.saturating_sub(few) / MANY).saturating_sub(direct));
        direct_one.push(direct);
        let few = by_hand(0);
        hand_one.push(by_hand(MANY).saturating_sub(few) / MANY);
    }
    let mut wide = vec![];
    for _ in 0..10 {
        wide.push(program(&tools, WIDE).await);
    }
    let line = |name: &str, times: Vec<Duration>, limit: &str| {
        let [median, least, most] = spread(times);
        println!("{name:<55} {median:>9.1?} [{least:.1?}, {most:.1?}]  {limit}");
    };
    line("cold run, 9 lines of TypeScript, 3 calls", cold, "(1.5 ms)");
    line("  by hand: fresh engine, 3 calls, same thread", hand, "");
    line("a sequential call, over a direct one", one, "(15 us)");
    line("  the whole of it computed, on all threads", computed, "");
    line("  a direct call", direct_one, "");
    line("  by hand: a sequential call, same thread", hand_one, "");
    line("100 parallel calls of 50 ms", wide, "(70 ms)");
}

fn sequential(calls: u32) -> String {
    format!("let n = 0; for (let i = 0; i < {calls}; i++) await tools.add({{ a: 1 }})")
}
