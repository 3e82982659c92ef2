//! Many calls at once, each of which waits once: on one thread, spawned on two, and parked.

use std::hint::black_box;

use tokio::runtime::Runtime;
use tool_benches::crowd::{Crowd, joined, spawned};
use tool_benches::measure::print;
use tool_benches::paths::yielding;
use tool_benches::work::{SMALL, by_hand_yield};
use tool_core::ToolCall;

use crate::peers::{adk, mcp, rig, tools_rs};

const TOOL: &str = "search_yield";

pub fn parallel(tokio: &Runtime, rounds: usize) {
    let mut crowds = vec![Crowd::new("hand-written", (), |_, _| async {
        black_box(by_hand_yield(SMALL).await);
    })];
    for (name, runtime) in yielding() {
        crowds.push(Crowd::new(name, runtime, |it, _| async move {
            let _ = black_box(it.execute(ToolCall::new("call_1", TOOL, SMALL)).await);
        }));
    }
    let mcp = tokio.block_on(mcp::Host::new());
    crowds.extend([
        Crowd::new("rmcp 3.11", mcp, |it, id| async move {
            black_box(it.call(id.into(), TOOL, SMALL).await);
        }),
        Crowd::new("rig-core 0.44", rig::set(), |it, _| async move {
            black_box(rig::call(&it, TOOL, SMALL).await);
        }),
        Crowd::new("tools-rs 0.3", tools_rs::collection(), |it, _| async move {
            black_box(tools_rs::call(&it, TOOL, SMALL).await);
        }),
        Crowd::new("adk-tool 2.3", adk::Host::new(), |it, _| async move {
            black_box(it.call(TOOL, SMALL).await);
        }),
    ]);
    let rounds = rounds.min(9);
    print(
        "one of 10,000 calls that wait once, joined on one thread",
        &joined(&crowds, tokio, rounds),
    );
    print(
        "one of 10,000 calls that wait once, spawned on two threads",
        &spawned(&crowds, rounds),
    );
    println!("\n### 10,000 parked calls\n\n| row | bytes each |\n|---|---|");
    for crowd in &crowds {
        println!("| {} | {:.0} |", crowd.name(), crowd.parked(tokio));
    }
}
