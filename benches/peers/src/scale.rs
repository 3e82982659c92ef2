//! Ten thousand tools, and a thousand sessions.

use std::hint::black_box;
use std::time::Instant;

use rig_agent::tool::ToolSet;
use tokio::runtime::Runtime;
use tool_benches::claims::Claims;
use tool_benches::count::live;
use tool_benches::measure::{Row, measure, print};
use tool_benches::work::{SMALL, by_hand, search};
use tool_core::{ToolCall, ToolExecution, ToolRuntime};

use crate::floor::Named;
use crate::peers::{mcp, rig};

pub fn scale(tokio: &Runtime, rounds: usize) {
    let host = tokio.block_on(mcp::Host::new());
    let mut claims = Claims::default();
    for count in [10, 10_000] {
        let names: Vec<&'static str> = (0..count)
            .map(|n| &*Box::leak(format!("search_{n}").into_boxed_str()))
            .collect();
        let last = names[count - 1];
        let named = Named::new(names.iter().map(|&it| it.to_owned()));
        let tools = names.iter().map(|&it| search {}.definition().name(it));
        let ours = ToolRuntime::builder()
            .tools(tools)
            .build()
            .expect("a runtime");
        let router = mcp::Host::many(&names);
        let set = ToolSet::from_dynamic_tools(names.iter().map(|it| rig::named(it)).collect());
        let rows = [
            Row::new("hand-written", |n| {
                tokio.block_on(async {
                    for _ in 0..n {
                        black_box(by_hand(black_box(SMALL)).await);
                    }
                });
            }),
            Row::new("a map of boxed functions", |n| {
                tokio.block_on(async {
                    for _ in 0..n {
                        black_box(named.call(last, black_box(SMALL)).await);
                    }
                });
            }),
            Row::new("ours, no hooks", |n| {
                tokio.block_on(async {
                    for _ in 0..n {
                        let call = ToolCall::new("call_1", last, black_box(SMALL));
                        let _ = black_box(ours.execute(call).await);
                    }
                });
            }),
            Row::new("rmcp 3.11", |n| {
                tokio.block_on(async {
                    for id in 0..n {
                        black_box(host.call_in(&router, id, last, black_box(SMALL)).await);
                    }
                });
            }),
            Row::new("rig-core 0.44", |n| {
                tokio.block_on(async {
                    for _ in 0..n {
                        black_box(rig::call(&set, last, black_box(SMALL)).await);
                    }
                });
            }),
        ];
        print(
            &format!("one call among {count} tools"),
            &measure(&rows, rounds.min(15)),
        );
        let lists = [
            Row::new("rmcp 3.11: `list_all`", |n| {
                for _ in 0..n {
                    black_box(black_box(&router).list_all());
                }
            }),
            Row::new("ours: `schemas`", |n| {
                for _ in 0..n {
                    black_box(black_box(&ours).schemas());
                }
            }),
            Row::new("rig-core 0.44: `tool_definitions`", |n| {
                for _ in 0..n {
                    black_box(black_box(&set).tool_definitions());
                }
            }),
        ];
        let figures = measure(&lists, rounds.min(9));
        print(&format!("listing {count} tools"), &figures);
        if count == 10_000 {
            let path = "`schemas()` of 10,000 tools against rmcp's listing";
            claims.ratio(path, 0.15, &figures[1], &figures[0]);
        }
    }
    sessions();
    claims.print();
}

/// The others have no scopes: a session with a tool of its own is a copy of the registry.
fn sessions() {
    let names: Vec<&'static str> = (0..100)
        .map(|n| &*Box::leak(format!("search_{n}").into_boxed_str()))
        .collect();
    let tools = names.iter().map(|&it| search {}.definition().name(it));
    let ours = ToolRuntime::builder()
        .tools(tools)
        .build()
        .expect("a runtime");
    let router = mcp::Host::many(&names);
    let own_route = mcp::Host::many(&["own"]).map["own"].clone();
    let set = ToolSet::from_dynamic_tools(names.iter().map(|it| rig::named(it)).collect());
    let own = rig::named("own");
    println!("\n### making one of 1,000 sessions over 100 tools\n");
    println!("| row | ns, least of 5 | bytes |\n|---|---|---|");
    sessions_of("ours: a scope with a tool and a guard", |n| {
        let scope = ours
            .scope(format!("session_{n}"))
            .expect("an id of its own");
        scope.register(search {}).expect("a name of its own");
        scope.guard(|_: &ToolExecution| None::<String>);
        scope
    });
    sessions_of("rmcp 3.11: a copy of the router, and a tool", |_| {
        let mut session = router.clone();
        session.add_route(own_route.clone());
        session
    });
    sessions_of("rig-core 0.44: a copy of the set, and a tool", |_| {
        let mut session = set.clone();
        session.add_dynamic_tool(own.clone());
        session
    });
}

fn sessions_of<T>(row: &str, make: impl Fn(usize) -> T) {
    const COUNT: usize = 1_000;
    let mut least = f64::INFINITY;
    let mut bytes = 0;
    for _ in 0..5 {
        let mut kept = Vec::with_capacity(COUNT);
        let before = live();
        let began = Instant::now();
        kept.extend((0..COUNT).map(&make));
        least = least.min(began.elapsed().as_nanos() as f64 / COUNT as f64);
        bytes = live() - before;
    }
    println!(
        "| {row} | {least:.0} | {:.0} |",
        bytes as f64 / COUNT as f64
    );
}
