//! `instructions PATH TIMES`: runs one path of a call, and nothing beside it.
//!
//! `PATH` is `0` for the work written by hand, else the number of a path of `tool_benches::paths`.

use std::hint::black_box;

use tool_benches::paths::runtimes;
use tool_benches::work::{SMALL, by_hand};
use tool_core::ToolCall;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|it| it.parse::<usize>());
    let (Some(Ok(path)), Some(Ok(times))) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: instructions PATH TIMES");
        std::process::exit(2);
    };
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime of one thread");
    let runtimes = runtimes();
    tokio.block_on(async {
        for _ in 0..times {
            let text = black_box(SMALL);
            if path == 0 {
                black_box(by_hand(text).await);
                continue;
            }
            let call = ToolCall::new("call_1", "search", text);
            let _ = black_box(runtimes[path - 1].1.execute(call).await);
        }
    });
}
