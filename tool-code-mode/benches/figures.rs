//! The figures of Code Mode, beside a loop written by hand on the same engine.
//!
//! `cargo bench --bench figures` prints medians of all rounds. The hand-written loop keeps the engine
//! on one thread, without limits, types or a pipeline: it shows what the bridge adds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use rquickjs::{Context, Function, Promise, Runtime};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tool_code_mode::{Host, QuickJs, Reply, SdkTool, Submitted};

/// Answers at once, or after 50 ms.
struct Tools {
    schema: Value,
    tasks: tokio::sync::mpsc::UnboundedSender<(Submitted, Reply)>,
}

impl Tools {
    fn start() -> Arc<Self> {
        let (tasks, mut calls) = tokio::sync::mpsc::unbounded_channel::<(Submitted, Reply)>();
        tokio::spawn(async move {
            while let Some((call, reply)) = calls.recv().await {
                if call.tool == "add" {
                    let sum = call.arguments["a"].as_i64().unwrap_or(0) + 1;
                    reply.resolve(json!(sum));
                } else {
                    tokio::spawn(async move {
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        reply.resolve(json!("late"));
                    });
                }
            }
        });
        let schema = json!({"type": "object", "properties": {"a": {"type": "integer", "maximum": 9, "minimum": 0}}});
        Arc::new(Self { schema, tasks })
    }
}

impl Host for Tools {
    fn tools(&self) -> Vec<String> {
        vec!["add".to_owned(), "late".to_owned()]
    }

    fn tool(&self, name: &str) -> Option<SdkTool<'_>> {
        let name = if name == "add" { "add" } else { "late" };
        Some(SdkTool {
            name,
            description: "",
            parameters: &self.schema,
            output: &self.schema,
        })
    }

    fn submit(&self, call: Submitted, reply: Reply) {
        let _ = self.tasks.send((call, reply));
    }
}

async fn timed(engine: &QuickJs, host: &Arc<Tools>, program: &str) -> Duration {
    let host: Arc<dyn Host> = Arc::clone(host) as _;
    let start = Instant::now();
    let done = engine
        .run(program.to_owned(), host, CancellationToken::new())
        .await;
    let time = start.elapsed();
    done.expect("the program runs");
    time
}

/// A fresh engine and `calls` calls of a function that answers in the same thread.
fn by_hand(calls: usize) -> Duration {
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
        assert_eq!(sum, i64::try_from(calls).expect("small"));
    });
    drop(context);
    drop(runtime);
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
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

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let engine = QuickJs::new().limits(tool_code_mode::Limits::new().calls(10_000));
        let host = Tools::start();
        let (mut cold, mut hand, mut one, mut computed, mut hand_one, mut wide) =
            (vec![], vec![], vec![], vec![], vec![], vec![]);
        // Interleaved, so that a busy moment of the machine hits both sides.
        for _ in 0..200 {
            cold.push(timed(&engine, &host, COLD).await);
            hand.push(by_hand(3));
        }
        for _ in 0..20 {
            let start = ProcessTime::now();
            let few = timed(&engine, &host, &sequential(0)).await;
            let few_computed = start.elapsed();
            let start = ProcessTime::now();
            let many = timed(&engine, &host, &sequential(2_000)).await;
            computed.push(start.elapsed().saturating_sub(few_computed) / 2_000);
            one.push(many.saturating_sub(few) / 2_000);
            let few = by_hand(0);
            hand_one.push(by_hand(2_000).saturating_sub(few) / 2_000);
        }
        for _ in 0..10 {
            let program = "await Promise.all(Array.from({ length: 100 }, () => tools.late({})))";
            wide.push(timed(&engine, &host, program).await);
        }
        let line = |name: &str, times: Vec<Duration>, limit: &str| {
            println!("{name:<58} {:>10.1?}   {limit}", median(times));
        };
        line(
            "cold run, 9 lines of TypeScript, 3 calls",
            cold,
            "at most 1.5 ms",
        );
        line("  by hand: fresh engine, 3 calls, same thread", hand, "");
        line(
            "one sequential call through the bridge",
            one,
            "at most 15 us",
        );
        line("  of it computed, on all threads", computed, "");
        line("  by hand: one sequential call, same thread", hand_one, "");
        line("100 parallel calls of 50 ms", wide, "at most 70 ms");
    });
}

fn sequential(calls: usize) -> String {
    format!("let n = 0; for (let i = 0; i < {calls}; i++) await tools.add({{ a: 1 }})")
}
