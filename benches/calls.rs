//! One call: what policy costs beside the same work written by hand.

use std::hint::black_box;

use serde_json::Value;
use tool_benches::claims::{Claims, one_call};
use tool_benches::count::Counting;
use tool_benches::measure::{Row, measure, print, rounds};
use tool_benches::paths::runtimes;
use tool_benches::work::{self, by_hand};
use tool_core::ToolCall;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime of one thread");
    let runtimes = runtimes();
    let rounds = rounds();
    let mut tables = Vec::new();
    for (title, text) in [("small", work::SMALL.to_owned()), ("large", work::big())] {
        let text = &*text;
        for (name, runtime) in &runtimes {
            let call = ToolCall::new("call_1", "search", text);
            let result = tokio.block_on(runtime.execute(call));
            assert!(!result.is_error(), "{name}: {}", result.text());
            let value: Value = serde_json::from_str(&result.text()).expect("JSON");
            let by_hand: Value =
                serde_json::from_str(&tokio.block_on(by_hand(text))).expect("JSON");
            assert_eq!(value, by_hand, "{name}");
        }
        let mut rows = vec![Row::new("hand-written", |n| {
            tokio.block_on(async {
                for _ in 0..n {
                    black_box(by_hand(black_box(text)).await);
                }
            });
        })];
        for (name, runtime) in &runtimes {
            let tokio = &tokio;
            rows.push(Row::new(*name, move |n| {
                tokio.block_on(async {
                    for _ in 0..n {
                        let call = ToolCall::new("call_1", "search", black_box(text));
                        let _ = black_box(runtime.execute(call).await);
                    }
                });
            }));
        }
        let figures = measure(&rows, rounds);
        print(&format!("one call, {title}, {rounds} rounds"), &figures);
        tables.push(figures);
    }
    let [small, large] = &*tables else {
        unreachable!("there are two sizes")
    };
    let mut claims = Claims::default();
    one_call(&mut claims, small, large);
    claims.print();
}
