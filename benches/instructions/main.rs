//! Runs one kind of work and nothing beside it, to be counted: see `.ci/instructions`.
//!
//! `instructions` lists the kinds, each with the one it is compared with; `instructions KIND TIMES`
//! does it and prints how often memory was taken each time.

#[cfg(target_arch = "x86_64")]
mod fixed;

use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::process::ExitCode;
use std::task::{Context, Poll, Waker};

use futures_util::future::join_all;
use tool_benches::paths::runtimes;
use tool_benches::work::{SMALL, big, by_hand, search};
use tool_core::{ToolCall, ToolExecution, ToolRuntime};

#[cfg(target_arch = "x86_64")]
#[global_allocator]
static ALLOCATOR: fixed::Fixed = fixed::Fixed::new();

/// A kind of work: its name, what it is compared with, and itself, some times.
struct Kind {
    name: String,
    beside: &'static str,
    work: Box<dyn Fn(usize)>,
}

/// None of the work waits, so that it needs no executor: that would be counted, too.
fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => unreachable!("the work does not wait"),
    }
}

const HAND: &str = "hand-written";
const HAND_LARGE: &str = "hand-written, large";
const HAND_JOINED: &str = "100 hand-written, joined";

fn kinds() -> Vec<Kind> {
    let mut kinds = Vec::new();
    let mut kind = |name: &str, beside, work: Box<dyn Fn(usize)>| {
        kinds.push(Kind {
            name: name.to_owned(),
            beside,
            work,
        });
    };
    for (name, suffix, text) in [(HAND, "", SMALL.to_owned()), (HAND_LARGE, ", large", big())] {
        let given = text.clone();
        let by_hand = move |times| {
            for _ in 0..times {
                black_box(ready(by_hand(black_box(&given))));
            }
        };
        kind(name, name, Box::new(by_hand));
        for (path, runtime) in runtimes() {
            let given = text.clone();
            let call = move |times| {
                for _ in 0..times {
                    let call = ToolCall::new("call_1", "search", black_box(&*given));
                    let _ = black_box(ready(runtime.execute(call)));
                }
            };
            kind(&format!("{path}{suffix}"), name, Box::new(call));
        }
    }
    let joined = |times| {
        for _ in 0..times {
            black_box(ready(join_all((0..100).map(|_| by_hand(black_box(SMALL))))));
        }
    };
    kind(HAND_JOINED, HAND_JOINED, Box::new(joined));
    let runtime = ToolRuntime::builder().tool(search {}).build();
    let runtime = runtime.expect("a runtime");
    let batched = runtime.clone();
    let batch = move |times| {
        for _ in 0..times {
            let call = |_| ToolCall::new("call_1", "search", black_box(SMALL));
            let batch = batched.batch((0..100).map(call)).max_parallel(100);
            black_box(ready(batch.run()));
        }
    };
    kind("batch of 100", HAND_JOINED, Box::new(batch));
    let scope = move |times| {
        for _ in 0..times {
            let scope = runtime.scope("session").expect("an id of its own");
            scope.register(search {}).expect("a name of its own");
            scope.guard(|_: &ToolExecution| None::<String>);
            black_box(scope);
        }
    };
    kind("a scope with a tool and a guard", HAND, Box::new(scope));
    kinds
}

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let kinds = kinds();
    let [name, times] = &*given else {
        for kind in kinds {
            println!("{}\t{}", kind.name, kind.beside);
        }
        return ExitCode::SUCCESS;
    };
    let kind = kinds.iter().find(|kind| kind.name == *name);
    let (Some(kind), Ok(times)) = (kind, times.parse::<usize>()) else {
        eprintln!("usage: instructions [KIND TIMES]");
        return ExitCode::FAILURE;
    };
    let before = allocations();
    (kind.work)(times);
    println!("{}", allocations() - before);
    ExitCode::SUCCESS
}

#[cfg(target_arch = "x86_64")]
fn allocations() -> u64 {
    ALLOCATOR.allocations()
}

#[cfg(not(target_arch = "x86_64"))]
fn allocations() -> u64 {
    0
}
