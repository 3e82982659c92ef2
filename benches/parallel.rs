//! Many calls at once: joined, spawned, parked, in a batch.

use std::hint::black_box;

use futures_util::future::join_all;
use tokio::runtime::Runtime;
use tool_benches::claims::Claims;
use tool_benches::count::Counting;
use tool_benches::crowd::{Crowd, joined, spawned};
use tool_benches::measure::{Row, measure, print, rounds};
use tool_benches::paths::yielding;
use tool_benches::work::{SMALL, by_hand, by_hand_yield, one_thread, search};
use tool_core::{Approval, ApprovalRequest, Decision, ToolCall, ToolExecution, ToolRuntime};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    let tokio = one_thread();
    let mut claims = Claims::default();
    crowds(&tokio, &mut claims);
    batches(&tokio, &mut claims);
    claims.print();
}

fn calling(name: &str, runtime: ToolRuntime, tool: &'static str) -> Crowd {
    Crowd::new(name, runtime, move |runtime, _| async move {
        let call = ToolCall::new("call_1", tool, SMALL);
        let result = runtime.execute(call).await;
        assert!(!result.is_error(), "{}", result.text());
        let _ = black_box(result);
    })
}

fn crowds(tokio: &Runtime, claims: &mut Claims) {
    let hand = Crowd::new("hand-written", (), |_, _| async {
        black_box(by_hand_yield(SMALL).await);
    });
    let mut crowds = vec![hand];
    let paths = yielding().into_iter();
    crowds.extend(paths.map(|(name, runtime)| calling(name, runtime, "search_yield")));
    // One round takes a quarter of a second.
    let rounds = rounds().min(7);
    print(
        "one of 10,000 calls that wait once, joined on one thread",
        &joined(&crowds, tokio, rounds),
    );
    print(
        "one of 10,000 calls that wait once, spawned on two threads",
        &spawned(&crowds, rounds),
    );

    let asking = ToolRuntime::builder()
        .tool(search {})
        .pre_execute(|_: &ToolExecution| Decision::ask("may it?"))
        .approver(|_: ApprovalRequest| async {
            tokio::task::yield_now().await;
            Approval::AllowedOnce
        })
        .build()
        .expect("a runtime");
    crowds.push(calling("parked in an approval", asking, "search"));
    println!("\n### 10,000 parked calls\n\n| row | bytes each |\n|---|---|");
    for crowd in &crowds {
        let bytes = crowd.parked(tokio);
        println!("| {} | {bytes:.0} |", crowd.name());
        if crowd.name() != "hand-written" {
            let path = format!("10,000 parked calls: {}", crowd.name());
            claims.number(&path, 1_500.0, " bytes", bytes);
        }
    }
}

fn batches(tokio: &Runtime, claims: &mut Claims) {
    const CALLS: usize = 100;
    let runtime = ToolRuntime::builder().tool(search {}).build();
    let runtime = runtime.expect("a runtime");
    let call = |_| ToolCall::new("call_1", "search", black_box(SMALL));
    let rows = [
        Row::new("100 hand-written, joined", |n| {
            tokio.block_on(async {
                for _ in 0..n {
                    let calls = (0..CALLS).map(|_| by_hand(black_box(SMALL)));
                    black_box(join_all(calls).await);
                }
            });
        }),
        Row::new("a batch of 100, 10 at once", |n| {
            tokio.block_on(async {
                for _ in 0..n {
                    black_box(runtime.execute_batch((0..CALLS).map(call)).await);
                }
            });
        }),
        Row::new("a batch of 100, all at once", |n| {
            tokio.block_on(async {
                for _ in 0..n {
                    let batch = runtime.batch((0..CALLS).map(call)).max_parallel(CALLS);
                    black_box(batch.run().await);
                }
            });
        }),
        Row::new("100 calls of ours, joined", |n| {
            tokio.block_on(async {
                for _ in 0..n {
                    let calls = (0..CALLS).map(|at| runtime.execute(call(at)));
                    black_box(join_all(calls).await);
                }
            });
        }),
    ];
    let figures = measure(&rows, rounds());
    print("100 calls at once", &figures);
    let path = "batch of 100 parallel trivial calls against 100 hand-written joined";
    claims.ratio(path, 2.0, &figures[1], &figures[0]);
}
