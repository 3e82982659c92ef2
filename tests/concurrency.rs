//! Registrations that change while 10,000 calls run on several threads. Each test keeps an order
//! of changes under which a whole view cannot break a rule, and a torn one would.

mod support;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::json;
use tool_core::{
    Restriction, Scope, ToolDefinition, ToolExecution, ToolResult, ToolRuntime, ToolSchema,
};

use support::{Gauge, Record, call, code, done, pending_times, run, tool};

const CALLERS: usize = 4;
/// Calls per caller and test.
const CALLS: usize = 2500;

/// Raised when the callers are done, also if one of them fails: no writer may go on for ever.
#[derive(Default)]
struct Over(AtomicBool);

impl Over {
    fn is(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

struct Raise<'a>(&'a Over);

impl Drop for Raise<'_> {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Release);
    }
}

/// Runs `write` over and over on threads of their own while `CALLERS` threads make `rounds` of
/// calls each; a caller goes on until `enough` says so.
fn while_calling(
    rounds: usize,
    writers: &[&(dyn Fn() + Sync)],
    one_call: impl Fn(usize) + Sync,
    enough: impl Fn() -> bool + Sync,
) {
    let over = Over::default();
    thread::scope(|threads| {
        for write in writers {
            // One that fails ends its thread, and with it the scope and the test.
            threads.spawn(|| {
                while !over.is() {
                    write();
                }
            });
        }
        let callers: Vec<_> = (0..CALLERS)
            .map(|caller| {
                let (one_call, enough) = (&one_call, &enough);
                threads.spawn(move || {
                    for number in 0.. {
                        if number >= rounds && (enough() || number >= 100 * rounds) {
                            break;
                        }
                        one_call(caller * 1_000_000 + number);
                    }
                })
            })
            .collect();
        let _raise = Raise(&over);
        let failed = callers
            .into_iter()
            .map(thread::ScopedJoinHandle::join)
            .any(|it| it.is_err());
        assert!(!failed, "a caller failed");
    });
}

/// How often each outcome came.
#[derive(Default)]
struct Tally {
    ok: AtomicUsize,
    denied: AtomicUsize,
    unknown: AtomicUsize,
}

impl Tally {
    fn count(&self, result: &ToolResult) {
        let counter = match code(result) {
            "ok" => &self.ok,
            "DENIED" => &self.denied,
            "UNKNOWN_TOOL" => &self.unknown,
            other => panic!("{other}: {}", result.text()),
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether these outcomes, and no others, came at least once: success, denial, unknown tool.
    fn met(&self, outcomes: [bool; 3]) -> bool {
        self.all().map(|count| count > 0) == outcomes
    }

    fn all(&self) -> [usize; 3] {
        [&self.ok, &self.denied, &self.unknown].map(|it| it.load(Ordering::Relaxed))
    }
}

/// Several tools of one generation, told apart by their descriptions.
fn generation(number: usize) -> Vec<ToolDefinition> {
    ["a", "b", "c"]
        .map(|name| {
            tool(name, move |_, _| async move { json!(number) })
                .description(format!("generation {number}"))
        })
        .into()
}

#[test]
fn tools_that_are_registered_together_are_seen_together() {
    let runtime = ToolRuntime::builder().build().unwrap();
    let scope = runtime.scope("agent").unwrap();
    let below = scope.child("below").unwrap();
    let generations = AtomicUsize::new(0);
    let write = || {
        let number = generations.fetch_add(1, Ordering::Relaxed);
        let registered = match number % 2 {
            0 => runtime.register_all(generation(number)),
            _ => scope.register_all(generation(number)),
        };
        thread::yield_now();
        registered.unwrap().dispose();
    };
    let look = || {
        for seen in [runtime.schemas(), scope.schemas(), below.schemas()] {
            assert!(seen.is_empty() || seen.len() == 3, "{seen:?}");
            let together = |it: &Arc<ToolSchema>| it.description == seen[0].description;
            assert!(seen.iter().all(together), "{seen:?}");
        }
    };
    let tally = Tally::default();
    while_calling(
        CALLS,
        &[&write, &look],
        |number| {
            look();
            let result = run(runtime.execute(call(&number.to_string(), "b").scope(&below)));
            tally.count(&result);
        },
        || tally.met([true, false, true]),
    );
}

/// A guard comes before the tool it guards and goes after it: whoever finds the tool meets the guard.
fn guarded(
    place_guard: impl Fn(&ToolRuntime, &Scope) -> tool_core::Registration + Sync,
    place_tool: impl Fn(&ToolRuntime, &Scope, ToolDefinition) -> tool_core::Registration + Sync,
) {
    let ran = Record::default();
    let runtime = ToolRuntime::builder().hook_timeout(None).build().unwrap();
    let scope = runtime.scope("agent").unwrap();
    // Something that makes calls wait between intake and guards.
    runtime.pre_execute(|_: &ToolExecution| {
        Box::pin(async {
            pending_times(1).await;
            thread::yield_now();
            tool_core::Decision::Allow
        })
    });
    let write = || {
        let guard = place_guard(&runtime, &scope);
        let tool = place_tool(&runtime, &scope, done("dangerous", &ran));
        thread::yield_now();
        tool.dispose();
        guard.dispose();
    };
    let tally = Tally::default();
    while_calling(
        CALLS / 2,
        &[&write],
        |number| {
            let one = call(&number.to_string(), "dangerous").scope(&scope);
            tally.count(&run(runtime.execute(one)));
        },
        || tally.met([false, true, true]),
    );
    assert_eq!(ran.lines(), [""; 0], "it ran unguarded");
    assert_eq!(tally.all()[0], 0);
}

fn forbids(call: &ToolExecution) -> Option<&'static str> {
    (call.name() == "dangerous").then_some("never")
}

#[test]
fn a_tool_is_never_seen_without_its_guard_in_one_layer() {
    guarded(
        |runtime, _| runtime.guard(forbids),
        |runtime, _, tool| runtime.register(tool).unwrap(),
    );
    guarded(
        |_, scope| scope.guard(forbids),
        |_, scope, tool| scope.register(tool).unwrap(),
    );
}

#[test]
fn a_tool_is_never_seen_without_its_guard_in_two_layers() {
    guarded(
        |runtime, _| runtime.guard(forbids),
        |_, scope, tool| scope.register(tool).unwrap(),
    );
    guarded(
        |_, scope| scope.guard(forbids),
        |runtime, _, tool| runtime.register(tool).unwrap(),
    );
}

#[test]
fn a_restriction_that_stands_is_never_missed() {
    let ran = Record::default();
    let runtime = ToolRuntime::builder()
        .tool(done("other", &ran))
        .build()
        .unwrap();
    let scope = runtime.scope("agent").unwrap();
    // There is always one restriction that hides `rm`: the next is made before the last is ended.
    let removed = Record::default();
    runtime.register(done("rm", &removed)).unwrap();
    let standing = Mutex::new(scope.restrict(Restriction::deny(["rm"])).unwrap());
    let write = || {
        let mut standing = standing.lock().unwrap();
        let next = scope.restrict(Restriction::allow(["other"])).unwrap();
        std::mem::replace(&mut *standing, next).dispose();
        thread::yield_now();
        let next = scope.restrict(Restriction::deny(["rm"])).unwrap();
        std::mem::replace(&mut *standing, next).dispose();
    };
    let tally = Tally::default();
    while_calling(
        CALLS / 2,
        &[&write],
        |number| {
            assert_eq!(scope.schemas().len(), 1);
            for name in ["rm", "other"] {
                let one = call(&number.to_string(), name).scope(&scope);
                tally.count(&run(runtime.execute(one)));
            }
        },
        || true,
    );
    assert_eq!(removed.lines(), [""; 0]);
    let [ok, denied, unknown] = tally.all();
    assert_eq!((ok, denied), (unknown, 0));
}

/// What a thread has registered, its next call meets; what it has disposed, it does not: however
/// many others change other things meanwhile.
#[test]
fn every_thread_reads_what_it_wrote() {
    // Seven calls each.
    const ROUNDS: usize = CALLS / 7;
    let (ran, told) = (Record::default(), Arc::new(AtomicUsize::new(0)));
    let counts = told.clone();
    let bodies = Gauge::default();
    let inside = bodies.clone();
    let runtime = ToolRuntime::builder()
        .tool(tool("global", move |_, _| {
            let inside = inside.clone();
            async move {
                let _inside = inside.enter();
                pending_times(1).await;
                json!("done")
            }
        }))
        .on_result(move |_: &ToolExecution, _: &ToolResult| {
            counts.fetch_add(1, Ordering::Relaxed);
        })
        .build()
        .unwrap();
    let churn = || {
        let guard = runtime.guard(|_: &ToolExecution| None::<String>);
        let tools = runtime.register_all(generation(0)).unwrap();
        tools.dispose();
        guard.dispose();
    };
    // Somebody who makes views of everybody's scopes at any moment, also in the middle of a change.
    let scopes = Mutex::new(HashMap::new());
    let look = || {
        let all: Vec<Scope> = scopes.lock().unwrap().values().cloned().collect();
        for scope in all {
            let _ = scope.schemas();
        }
    };
    let calls = AtomicUsize::new(0);
    let execute = |name: &str, scope: &Scope| {
        calls.fetch_add(1, Ordering::Relaxed);
        code(&run(runtime.execute(call("call", name).scope(scope)))).to_owned()
    };
    while_calling(
        ROUNDS,
        &[&churn, &look],
        |number| {
            let scope = runtime.scope(format!("agent {number}")).unwrap();
            let below = scope.child(format!("below {number}")).unwrap();
            scopes
                .lock()
                .unwrap()
                .insert(thread::current().id(), below.clone());
            assert_eq!(execute("global", &below), "ok");
            let guard = scope.guard(|_: &ToolExecution| Some("no"));
            assert_eq!(execute("global", &below), "DENIED");
            guard.dispose();
            let own = scope.register(done("own", &ran)).unwrap();
            assert_eq!(execute("own", &below), "ok");
            let hidden = below.restrict(Restriction::deny(["own"])).unwrap();
            assert_eq!(execute("own", &below), "UNKNOWN_TOOL");
            assert_eq!(execute("own", &scope), "ok");
            hidden.dispose();
            assert_eq!(execute("own", &below), "ok");
            if number % 2 == 0 {
                own.dispose();
            } else {
                scope.dispose();
            }
            assert_eq!(execute("own", &below), "UNKNOWN_TOOL");
        },
        || true,
    );
    assert_eq!(
        told.load(Ordering::Relaxed),
        calls.into_inner(),
        "one notification per call"
    );
    assert_eq!(bodies.now(), 0);
    assert_eq!(ran.lines().len(), 3 * CALLERS * ROUNDS);
}
