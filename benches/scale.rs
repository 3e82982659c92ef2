//! What a call and a scope cost when there is much of everything: tools, hooks, scopes.

use std::collections::HashMap;
use std::future::Future;
use std::hint::black_box;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;
use tokio::runtime::Runtime;
use tool_benches::claims::Claims;
use tool_benches::count::{Counting, live};
use tool_benches::measure::{Row, Spread, measure, print, rounds};
use tool_benches::work::{SMALL, by_hand, search};
use tool_core::{
    Next, PostDecision, Scope, ToolCall, ToolDefinition, ToolExecution, ToolResult, ToolRuntime,
    ToolRuntimeBuilder, around_execute, guard, post_execute, tool,
};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    let tokio = tool_benches::work::one_thread();
    let mut claims = Claims::default();
    tools(&tokio, &mut claims);
    hooks(&tokio, &mut claims);
    making_scopes(&tokio, &mut claims);
    calls_in_scopes(&tokio, &mut claims);
    claims.print();
}

fn named(name: String) -> ToolDefinition {
    search {}.definition().name(name)
}

fn with_tools(count: usize) -> ToolRuntime {
    ToolRuntime::builder()
        .tools((0..count).map(|n| named(format!("search_{n}"))))
        .build()
        .expect("a runtime")
}

/// A row of calls: in a scope, or in the runtime itself.
fn calling<'a>(
    tokio: &'a Runtime,
    row: &str,
    runtime: &'a ToolRuntime,
    scope: Option<&'a Scope>,
    tool: &'a str,
) -> Row<'a> {
    let call = move || {
        let call = ToolCall::new("call_1", tool, black_box(SMALL));
        match scope {
            Some(scope) => call.scope(scope),
            None => call,
        }
    };
    tokio.block_on(async {
        let result = runtime.execute(call()).await;
        assert_eq!(result.text(), by_hand(SMALL).await, "{row}");
    });
    Row::new(row, move |n| {
        tokio.block_on(async {
            for _ in 0..n {
                let _ = black_box(runtime.execute(call()).await);
            }
        });
    })
}

fn hand_written(tokio: &Runtime) -> Row<'_> {
    Row::new("hand-written", |n| {
        tokio.block_on(async {
            for _ in 0..n {
                black_box(by_hand(black_box(SMALL)).await);
            }
        });
    })
}

type Text<'a> = Pin<Box<dyn Future<Output = String> + Send + 'a>>;
type Boxed = Arc<dyn for<'a> Fn(&'a str) -> Text<'a> + Send + Sync>;
type GuardByHand = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// The least a registry can be: a map from names to functions.
fn map(count: usize) -> HashMap<String, Boxed> {
    let function: Boxed = Arc::new(|text| Box::pin(by_hand(text)));
    (0..count)
        .map(|n| (format!("search_{n}"), function.clone()))
        .collect()
}

fn tools(tokio: &Runtime, claims: &mut Claims) {
    let sizes = [10, 10_000];
    let maps = sizes.map(map);
    let runtimes = sizes.map(with_tools);
    let last = sizes.map(|count| format!("search_{}", count - 1));
    let mut rows = vec![hand_written(tokio)];
    for ((count, map), last) in sizes.iter().zip(&maps).zip(&last) {
        rows.push(Row::new(
            format!("a map of {count} boxed functions"),
            move |n| {
                tokio.block_on(async {
                    for _ in 0..n {
                        black_box(map[black_box(&**last)](black_box(SMALL)).await);
                    }
                });
            },
        ));
    }
    for ((count, runtime), last) in sizes.iter().zip(&runtimes).zip(&last) {
        let row = format!("a runtime of {count} tools");
        rows.push(calling(tokio, &row, runtime, None, last));
    }
    let figures = measure(&rows, rounds());
    print("one call, by size of the registry", &figures);
    claims.ratio(
        "call at 10,000 registered tools against 10",
        1.15,
        &figures[4],
        &figures[3],
    );

    let many = &runtimes[1];
    let schemas = many.schemas();
    let figures = measure(
        &[
            Row::new("by hand: a list of shared schemas", |n| {
                for _ in 0..n {
                    black_box(black_box(&schemas).clone());
                }
            }),
            Row::new("by hand: a list of copies", |n| {
                for _ in 0..n {
                    let copies: Vec<(String, String, Value)> = black_box(&schemas)
                        .iter()
                        .map(|it| {
                            let parameters = Value::clone(&it.parameters);
                            (it.name.clone(), it.description.clone(), parameters)
                        })
                        .collect();
                    black_box(copies);
                }
            }),
            Row::new("`schemas()`", |n| {
                for _ in 0..n {
                    black_box(black_box(many).schemas());
                }
            }),
        ],
        rounds(),
    );
    print("listing 10,000 tools", &figures);
    claims.ratio(
        "`schemas()` of 10,000 tools against copying them",
        0.15,
        &figures[2],
        &figures[1],
    );
}

/// A tool that nobody calls.
#[tool]
fn other() -> String {
    String::new()
}

#[guard(tool = other)]
fn no_other() -> Option<String> {
    None
}

#[around_execute(tool = other)]
async fn around_other(next: Next<'_>) -> ToolResult {
    next.run().await
}

#[post_execute(tool = other)]
fn after_other(value: &String) -> PostDecision<String> {
    let _ = value;
    PostDecision::accept()
}

fn hooks(tokio: &Runtime, claims: &mut Claims) {
    let runtimes = [0, 1_000].map(|count| {
        let mut builder = ToolRuntime::builder().tool(search {}).tool(other {});
        for _ in 0..count {
            builder = builder
                .guard(no_other {})
                .around_execute(around_other {})
                .post_execute(after_other {});
        }
        builder.build().expect("a runtime")
    });
    let rows = [
        hand_written(tokio),
        calling(tokio, "no hooks", &runtimes[0], None, "search"),
        calling(
            tokio,
            "3,000 hooks of another tool",
            &runtimes[1],
            None,
            "search",
        ),
    ];
    let figures = measure(&rows, rounds());
    print("one call, by hooks of other tools", &figures);
    claims.ratio(
        "3,000 hooks that do not apply to the tool called, against none",
        1.03,
        &figures[2],
        &figures[1],
    );
}

/// A runtime of a hundred tools, where sessions come and go.
fn shared_tools() -> ToolRuntimeBuilder {
    ToolRuntime::builder().tools((0..100).map(|n| named(format!("search_{n}"))))
}

fn never(_: &ToolExecution) -> Option<String> {
    None
}

fn session(runtime: &ToolRuntime, id: &str, own: &ToolDefinition) -> Scope {
    let scope = runtime.scope(id).expect("an id of its own");
    scope.register(own.clone()).expect("a name of its own");
    scope.guard(never);
    scope
}

fn making_scopes(tokio: &Runtime, claims: &mut Claims) {
    const KEPT: usize = 1_000;
    let runtime = shared_tools().build().expect("a runtime");
    let own = named("own".to_owned());
    let ids: Vec<String> = (0..KEPT).map(|n| format!("session_{n}")).collect();
    let shared: Arc<HashMap<String, Boxed>> = Arc::new(map(100));
    let function: Boxed = Arc::new(|text| Box::pin(by_hand(text)));
    let make_by_hand = |_: &String| {
        let own = HashMap::from([("own".to_owned(), function.clone())]);
        let guards: Vec<GuardByHand> = vec![Arc::new(|_| None)];
        (shared.clone(), own, guards)
    };
    let make = |id: &String| session(&runtime, id, &own);
    let make_typed = |id: &String| {
        let scope = runtime.scope(id).expect("an id of its own");
        scope.register(search {}).expect("a name of its own");
        scope.guard(never);
        scope
    };
    let figures = measure(
        &[
            making(
                &ids,
                "by hand: a pointer, a map of one, a list of one",
                &make_by_hand,
            ),
            making(&ids, "a scope with one own tool and one guard", &make),
            making(&ids, "the same, the tool from its handle", &make_typed),
            making(&ids, "a scope alone", &|id: &String| runtime.scope(id)),
        ],
        rounds(),
    );
    print("making one of 1,000 sessions", &figures);
    let microseconds = Spread::of(figures[1].nanoseconds.iter().map(|it| it / 1e3));
    claims.spread(
        "a scope with one own tool and one guard",
        1.0,
        " us",
        microseconds,
    );
    let bytes = bytes_each(&ids, &make);
    println!(
        "\nbytes each: {:.0} by hand, {bytes:.0} a scope with a tool and a guard, {:.0} with the tool from its handle, {:.0} a scope alone",
        bytes_each(&ids, &make_by_hand),
        bytes_each(&ids, &make_typed),
        bytes_each(&ids, &|id: &String| runtime.scope(id)),
    );
    claims.number("the same, memory", 1_000.0, " bytes", bytes);
    let scope = session(&runtime, "called", &own);
    let call = || ToolCall::new("call_1", "own", SMALL).scope(&scope);
    let _ = tokio.block_on(runtime.execute(call()));
    let before = live();
    let scopes: Vec<Scope> = ids.iter().map(make).collect();
    for scope in &scopes {
        let call = ToolCall::new("call_1", "own", SMALL).scope(scope);
        let _ = tokio.block_on(runtime.execute(call));
    }
    let each = (live() - before) as f64 / KEPT as f64;
    println!("bytes each after a call in it: {each:.0}");
}

/// Makes things until there are as many as ids; those of one round are dropped after its time.
fn making<'a, T>(ids: &'a [String], row: &str, make: &'a impl Fn(&String) -> T) -> Row<'a> {
    Row::timed(row, move |n| {
        let mut took = std::time::Duration::ZERO;
        let mut left = usize::try_from(n).expect("a small number");
        while left > 0 {
            let now = left.min(ids.len());
            let mut kept = Vec::with_capacity(now);
            let began = Instant::now();
            kept.extend(ids[..now].iter().map(make));
            took += began.elapsed();
            drop(kept);
            left -= now;
        }
        took
    })
}

fn bytes_each<T>(ids: &[String], make: &impl Fn(&String) -> T) -> f64 {
    let mut kept = Vec::with_capacity(ids.len());
    let before = live();
    kept.extend(ids.iter().map(make));
    (live() - before) as f64 / ids.len() as f64
}

fn chain(runtime: &ToolRuntime, length: usize, guarded: bool) -> Scope {
    let name = |depth: usize| format!("{length}_{guarded}_{depth}");
    let mut scope = runtime.scope(name(1)).expect("an id of its own");
    let guard = |scope: &Scope| {
        if guarded {
            scope.guard(never);
        }
    };
    guard(&scope);
    for depth in 2..=length {
        scope = scope.child(name(depth)).expect("an id of its own");
        guard(&scope);
    }
    scope
}

fn calls_in_scopes(tokio: &Runtime, claims: &mut Claims) {
    let own = named("own".to_owned());
    let few = shared_tools().build().expect("a runtime");
    let only = session(&few, "session", &own);
    let many = shared_tools().build().expect("a runtime");
    let sessions: Vec<Scope> = (0..1_000)
        .map(|n| session(&many, &format!("session_{n}"), &own))
        .collect();
    let last = sessions.last();
    let chains = [(1, false), (5, false), (1, true), (5, true)]
        .map(|(length, guarded)| chain(&few, length, guarded));
    let row = |name: &str, scope| calling(tokio, name, &few, Some(scope), "search_99");
    let rows = [
        hand_written(tokio),
        calling(tokio, "in the only scope", &few, Some(&only), "own"),
        calling(tokio, "in the 1,000th scope", &many, last, "own"),
        row("in one scope", &chains[0]),
        row("in a chain of 5", &chains[1]),
        row("in one scope that has a guard", &chains[2]),
        row("in a chain of 5 that have a guard each", &chains[3]),
    ];
    let figures = measure(&rows, rounds());
    print("one call, by scopes", &figures);
    claims.ratio(
        "call in the 1,000th scope against the only one",
        1.1,
        &figures[2],
        &figures[1],
    );
    claims.ratio(
        "call in a chain of 5 scopes against 1",
        1.3,
        &figures[4],
        &figures[3],
    );
    claims.ratio("the same, a guard in each", 1.3, &figures[6], &figures[5]);
}
