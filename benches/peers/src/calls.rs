//! One call: text in, text out.

use std::future::Future;
use std::hint::black_box;
use std::time::Instant;

use serde_json::Value;
use tokio::runtime::Runtime;
use tool_benches::claims::{Claims, one_call};
use tool_benches::measure::{Row, measure, print, ratio};
use tool_benches::paths::runtimes;
use tool_benches::work::{SMALL, big, by_hand};
use tool_core::ToolCall;

use crate::floor::{Floor, Named, by_way_of_json};
#[cfg(feature = "peers")]
use crate::peers::{adk, mcp, rig, tools_rs};

/// A row of calls, made of their numbers and the text.
fn row<'a, F: Future>(
    tokio: &'a Runtime,
    text: &'a str,
    name: &str,
    call: impl Fn(u64, &'a str) -> F + 'a,
) -> Row<'a> {
    Row::new(name, move |times| {
        tokio.block_on(async {
            for id in 0..times {
                let _ = black_box(call(id, black_box(text)).await);
            }
        });
    })
}

#[cfg(feature = "peers")]
const MCP: &str = "rmcp 3.11, structured result";

pub fn calls(tokio: &Runtime, rounds: usize) {
    let named = Named::new(["search".to_owned()]);
    let floor = Floor::new();
    let runtimes = runtimes();
    #[cfg(feature = "peers")]
    let (mcp, rig, collection, adk) = (
        tokio.block_on(mcp::Host::new()),
        rig::set(),
        tools_rs::collection(),
        adk::Host::new(),
    );
    let mut claims = Claims::default();
    let mut tables = Vec::new();
    for (title, text, rounds) in [
        ("small", SMALL.to_owned(), rounds),
        ("large", big(), rounds / 2 + 1),
    ] {
        let text = &*text;
        let (named, floor) = (&named, &floor);
        let mut rows = vec![row(tokio, text, "hand-written", |_, it| by_hand(it))];
        for (name, runtime) in &runtimes {
            rows.push(row(tokio, text, name, move |_, it| {
                runtime.execute(ToolCall::new("call_1", "search", it))
            }));
        }
        rows.extend([
            row(tokio, text, "by name, in a box", |_, it| {
                named.call("search", it)
            }),
            row(tokio, text, "by way of JSON values", |_, it| {
                by_way_of_json(it)
            }),
            row(tokio, text, "floor: typed policy (F5)", |_, it| {
                floor.typed(it)
            }),
            row(
                tokio,
                text,
                "floor: policy that reads JSON, post on text (F8)",
                |_, it| floor.on_text(it),
            ),
            row(tokio, text, "floor: JSON values, no hooks (F0)", |_, it| {
                floor.json(it, false, false)
            }),
            row(
                tokio,
                text,
                "floor: JSON values, all of it (F3)",
                |_, it| floor.json(it, true, true),
            ),
        ]);
        #[cfg(feature = "peers")]
        {
            let (mcp, rig, collection, adk) = (&mcp, &rig, &collection, &adk);
            rows.extend([
                row(tokio, text, MCP, |id, it| mcp.call(id, "search", it)),
                row(tokio, text, "rmcp 3.11, text", |id, it| {
                    mcp.call(id, "search_text", it)
                }),
                row(tokio, text, "rig-core 0.44", |_, it| {
                    rig::call(rig, "search", it)
                }),
                row(tokio, text, "tools-rs 0.3", |_, it| {
                    tools_rs::call(collection, "search", it)
                }),
                row(tokio, text, "adk-tool 2.3", |_, it| adk.call("search", it)),
            ]);
        }
        let figures = measure(&rows, rounds);
        print(&format!("one call, {title}, {rounds} rounds"), &figures);
        tables.push(figures);
    }
    let [small, large] = &*tables else {
        unreachable!("there are two sizes")
    };
    one_call(&mut claims, small, large);
    #[cfg(feature = "peers")]
    {
        let find = |name: &str| small.iter().find(|it| it.name == name).expect("a row");
        let ours = find("typed policy");
        claims.spread(
            "typed policy against rmcp's structured result",
            0.5,
            "",
            ratio(ours, find(MCP)),
        );
    }
    claims.print();
}

/// Nanoseconds of one call, for a program that measures beside this one.
pub fn one(tokio: &Runtime, size: &str, path: &str) -> f64 {
    let (text, times) = match size {
        "small" => (SMALL.to_owned(), 10_000),
        _ => (big(), 150),
    };
    let runtimes = runtimes();
    let runtime = runtimes.iter().find(|(name, _)| *name == path);
    let call = async || match runtime {
        Some((_, runtime)) => {
            let call = ToolCall::new("call_1", "search", black_box(&*text));
            let _ = black_box(runtime.execute(call).await);
        }
        None => {
            black_box(by_hand(black_box(&text)).await);
        }
    };
    tokio.block_on(async {
        for _ in 0..times / 5 {
            call().await;
        }
        let began = Instant::now();
        for _ in 0..times {
            call().await;
        }
        began.elapsed().as_nanos() as f64 / f64::from(times)
    })
}

/// All rows answer the same.
pub fn check(tokio: &Runtime) {
    tokio.block_on(async {
        let json = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
        let want = json(&by_hand(SMALL).await);
        let floor = Floor::new();
        let mut answers = vec![
            (
                "by name",
                Named::new(["search".to_owned()])
                    .call("search", SMALL)
                    .await,
            ),
            ("by way of JSON", by_way_of_json(SMALL).await),
            ("F5", floor.typed(SMALL).await.expect("F5")),
            ("F8", floor.on_text(SMALL).await.expect("F8")),
            ("F0", floor.json(SMALL, false, false).await.expect("F0").1),
            ("F3", floor.json(SMALL, true, true).await.expect("F3").1),
        ];
        for (name, runtime) in runtimes() {
            let result = runtime
                .execute(ToolCall::new("call_1", "search", SMALL))
                .await;
            assert!(!result.is_error(), "{name}");
            answers.push((name, result.text()));
        }
        #[cfg(feature = "peers")]
        {
            let mcp = mcp::Host::new().await;
            let structured = mcp.call(1, "search", SMALL).await.structured_content;
            answers.extend([
                ("rmcp", structured.expect("structured content").to_string()),
                ("rig", rig::call(&rig::set(), "search", SMALL).await),
                (
                    "tools-rs",
                    tools_rs::call(&tools_rs::collection(), "search", SMALL).await,
                ),
                ("adk", adk::Host::new().call("search", SMALL).await),
            ]);
        }
        for (name, answer) in &answers {
            assert_eq!(json(answer), want, "{name}");
        }
        println!("{} rows answer the same", answers.len());
    });
}
