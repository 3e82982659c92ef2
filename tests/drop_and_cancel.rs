//! Calls that nobody wants any more: dropped, cancelled at any station, or out of time.

#[path = "drop_and_cancel/cancelled.rs"]
mod cancelled;
mod support;
#[path = "drop_and_cancel/time.rs"]
mod time;

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

use futures_util::StreamExt as _;
use serde_json::json;
use tokio::sync::Semaphore;
use tool_core::{
    Approval, ApprovalRequest, Decision, Next, PostDecision, ToolExecution, ToolResult,
    ToolRuntime, around_fn,
};

use support::{Gauge, Record, call, code, observer, pending_times, poll_by_hand, tool};

/// A runtime every station of which can be pending, and what its bodies hold.
struct Waiting {
    runtime: ToolRuntime,
    told: Record,
    bodies: Gauge,
    permits: Arc<Semaphore>,
}

impl Waiting {
    fn new() -> Self {
        let told = Record::default();
        let bodies = Gauge::default();
        let permits = Arc::new(Semaphore::new(3));
        let (inside, held) = (bodies.clone(), permits.clone());
        let body = tool("waits", move |_, _| {
            let (inside, held) = (inside.clone(), held.clone());
            async move {
                let _permit = held.acquire().await.unwrap();
                let _inside = inside.enter();
                pending_times(3).await;
                json!("done")
            }
        });
        let runtime = ToolRuntime::builder()
            .hook_timeout(None)
            .tool(body.concurrency_safe(true))
            .pre_execute(|_: &ToolExecution| {
                Box::pin(async {
                    pending_times(1).await;
                    Decision::ask("may it?")
                })
            })
            .approver(|_: ApprovalRequest| async {
                pending_times(2).await;
                Approval::AllowedOnce
            })
            .around_execute(around_fn(|_: &ToolExecution, next: Next<'_>| {
                Box::pin(async move {
                    pending_times(1).await;
                    let result = next.run().await;
                    pending_times(1).await;
                    Ok(result)
                })
            }))
            .post_execute(|_: &ToolExecution, _: &ToolResult| {
                Box::pin(async {
                    pending_times(2).await;
                    PostDecision::accept()
                })
            })
            .on_result(observer(&told))
            .build()
            .unwrap();
        Self {
            runtime,
            told,
            bodies,
            permits,
        }
    }

    fn assert_nothing_is_left(&self) {
        assert_eq!(self.bodies.now(), 0, "a body is left");
        assert_eq!(self.permits.available_permits(), 3, "a permit is held");
    }
}

/// How many polls it takes until the output is there.
fn polls<F: Future>(future: F) -> usize {
    let polls = AtomicUsize::new(0);
    poll_by_hand(future, |number| {
        polls.store(number + 1, Ordering::Relaxed);
        true
    });
    polls.into_inner()
}

#[test]
fn calls_dropped_at_any_await_point_leave_nothing_and_are_told_once() {
    let waiting = Waiting::new();
    let whole = polls(waiting.runtime.execute(call("whole", "waits")));
    assert_eq!(waiting.told.take(), ["whole ok"]);
    assert_eq!(whole, 11, "ten await points");
    let mut expected = Vec::new();
    for number in 0..1000 {
        let call_id = format!("call_{number}");
        let drop_at = 1 + number % (whole - 1);
        let calling = waiting.runtime.execute(call(&call_id, "waits"));
        assert!(poll_by_hand(calling, |poll| poll != drop_at).is_none());
        waiting.assert_nothing_is_left();
        // One wait in the pre hook, two in the approver, one in the wrapper; then the body.
        let code = if drop_at <= 4 {
            "ABORTED_BEFORE_DISPATCH"
        } else {
            "ABORTED"
        };
        expected.push(format!("{call_id} {code}"));
    }
    assert_eq!(waiting.told.lines(), expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn aborted_tasks_leave_nothing_and_are_told_once() {
    let waiting = Arc::new(Waiting::new());
    let mut tasks = Vec::new();
    for number in 0..1000 {
        let waiting = waiting.clone();
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let task = tokio::spawn(async move {
            let mut calling = pin!(waiting.runtime.execute(call(&format!("{number}"), "waits")));
            // A call has begun when it was polled; then some polls more, and never to its end.
            for _ in 0..=number % 8 {
                let polled =
                    std::future::poll_fn(|cx| Poll::Ready(calling.as_mut().poll(cx))).await;
                assert!(polled.is_pending(), "ten await points");
            }
            begun.send(()).unwrap();
            std::future::pending::<()>().await;
        });
        tasks.push((task, has_begun));
    }
    for (task, has_begun) in tasks {
        has_begun.await.unwrap();
        task.abort();
        assert!(task.await.unwrap_err().is_cancelled());
    }
    waiting.assert_nothing_is_left();
    let told = waiting.told.lines();
    assert_eq!(told.len(), 1000);
    for number in 0..1000 {
        let once = ["ABORTED", "ABORTED_BEFORE_DISPATCH"]
            .map(|code| waiting.told.count(&format!("{number} {code}")));
        assert_eq!(once.iter().sum::<usize>(), 1, "call {number}");
    }
}

#[test]
fn a_call_that_never_began_is_not_told() {
    let waiting = Waiting::new();
    drop(waiting.runtime.execute(call("call_1", "waits")));
    drop(waiting.runtime.execute_batch([call("call_1", "waits")]));
    assert_eq!(waiting.told.lines(), [""; 0]);
}

#[test]
fn dropped_batches_leave_nothing_and_tell_every_call_that_began() {
    let calls = || (0..8).map(|number| call(&format!("call_{number}"), "waits"));
    let waiting = Waiting::new();
    let whole = polls(waiting.runtime.batch(calls()).max_parallel(4).run());
    let complete: Vec<_> = (0..8).map(|number| format!("call_{number} ok")).collect();
    assert_eq!(waiting.told.take(), complete);
    for drop_at in 1..whole {
        let batch = waiting.runtime.batch(calls()).max_parallel(4);
        assert!(poll_by_hand(batch.run(), |poll| poll != drop_at).is_none());
        waiting.assert_nothing_is_left();
        check_told(&waiting.told.take(), None);
    }
}

#[test]
fn dropped_streams_leave_nothing_and_tell_every_call_that_began() {
    let calls = || (0..8).map(|number| call(&format!("call_{number}"), "waits"));
    let waiting = Waiting::new();
    for taken in 0..8 {
        let mut stream = Box::pin(waiting.runtime.batch(calls()).max_parallel(4).stream());
        let results: Vec<_> = support::run(stream.as_mut().take(taken).collect());
        let codes: Vec<_> = results.iter().map(code).collect();
        assert_eq!(codes, vec!["ok"; taken]);
        drop(stream);
        waiting.assert_nothing_is_left();
        check_told(&waiting.told.take(), Some(taken));
    }
}

/// The calls that were told: the first ones as `ok` (those that had come back, where that is
/// known), the rest as aborted; each once, and none beyond the first that never began.
fn check_told(told: &[String], came_back: Option<usize>) {
    let mut numbers: Vec<_> = told
        .iter()
        .map(|line| {
            let (call_id, code) = line.split_once(' ').unwrap();
            (
                call_id
                    .strip_prefix("call_")
                    .unwrap()
                    .parse::<usize>()
                    .unwrap(),
                code,
            )
        })
        .collect();
    numbers.sort_unstable();
    let ids: Vec<_> = numbers.iter().map(|(number, _)| *number).collect();
    assert_eq!(
        ids,
        (0..ids.len()).collect::<Vec<_>>(),
        "each once, without gaps"
    );
    let finished = numbers.iter().take_while(|(_, code)| *code == "ok").count();
    assert!(
        numbers[finished..]
            .iter()
            .all(|(_, code)| code.starts_with("ABORTED")),
        "{told:?}"
    );
    assert!(
        came_back.is_none_or(|came_back| came_back == finished),
        "{told:?}"
    );
}
