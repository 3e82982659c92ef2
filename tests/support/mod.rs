//! What the tests of the pipeline share: an executor that polls by hand, tools and hooks that keep
//! a record, and futures that wait for a while.

#![allow(dead_code, reason = "every test target uses a part of it")]

use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use serde_json::{Value, json};
use tool_core::{RunContext, ToolCall, ToolDefinition, ToolError, ToolExecution, ToolResult};

/// What a panic of the tests carries: no result may ever show it.
pub(crate) const PAYLOAD: &str = "the payload of a panic";

/// Panics with [`PAYLOAD`]. The first one also makes such panics silent: there are thousands.
pub(crate) fn panic_now() -> ! {
    static SILENT: std::sync::Once = std::sync::Once::new();
    SILENT.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if info.payload_as_str() != Some(PAYLOAD) {
                loud(info);
            }
        }));
    });
    panic!("{PAYLOAD}")
}

/// A waker that remembers whether it was woken.
#[derive(Default)]
pub(crate) struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}

/// Polls `future` to its end on this thread. `before` runs before each poll and is told its number,
/// from 0; when it says `false` the future is dropped and `None` comes back.
///
/// A future that is pending although nobody woke it is a lost wake-up, and fails the test.
pub(crate) fn poll_by_hand<F: Future>(
    future: F,
    mut before: impl FnMut(usize) -> bool,
) -> Option<F::Output> {
    let flag = Arc::new(Flag::default());
    let waker = Waker::from(flag.clone());
    let mut future = pin!(future);
    for number in 0..100_000 {
        if !before(number) {
            return None;
        }
        assert!(
            number == 0 || flag.0.swap(false, Ordering::AcqRel),
            "nobody will wake it"
        );
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return Some(output),
            Poll::Pending => {}
        }
    }
    panic!("still pending after 100,000 polls");
}

/// Polls `future` to its end on this thread.
pub(crate) fn run<F: Future>(future: F) -> F::Output {
    poll_by_hand(future, |_| true).expect("it is not dropped")
}

/// Runs `future` on a runtime of one thread whose clock stands still: sleeping takes no time.
pub(crate) fn on_paused_clock<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime of one thread")
        .block_on(future)
}

/// Is pending `n` times and wakes itself.
pub(crate) fn pending_times(n: usize) -> impl Future<Output = ()> + Send {
    PendingTimes(n)
}

struct PendingTimes(usize);

impl Future for PendingTimes {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.0 == 0 {
            return Poll::Ready(());
        }
        self.0 -= 1;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

/// Lines that tools and hooks write down, in order.
#[derive(Clone, Default)]
pub(crate) struct Record(Arc<Mutex<Vec<String>>>);

impl Record {
    pub(crate) fn add(&self, line: impl Into<String>) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(line.into());
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The lines so far, which are then forgotten.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How many lines are exactly this one.
    pub(crate) fn count(&self, line: &str) -> usize {
        self.lines().iter().filter(|&it| it == line).count()
    }
}

/// An observer that writes down `<call id> <code>`, or `<call id> ok`.
pub(crate) fn observer(
    record: &Record,
) -> impl Fn(&ToolExecution, &ToolResult) + Send + Sync + use<> {
    let record = record.clone();
    move |call, result| {
        assert_eq!(call.call_id(), result.call_id());
        record.add(format!("{} {}", result.call_id(), code(result)));
    }
}

/// `ok`, or the code of the failure.
pub(crate) fn code(result: &ToolResult) -> &str {
    result.error().map_or("ok", ToolError::code)
}

/// The result as data.
pub(crate) fn data(result: &ToolResult) -> Value {
    serde_json::to_value(result).expect("a result is data")
}

/// The data of a success that shows `value` as its content.
pub(crate) fn success(call_id: &str, value: impl Into<Value>) -> Value {
    let value = value.into();
    let text = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    json!({
        "call_id": call_id,
        "is_error": false,
        "value": value,
        "content": [{"type": "text", "text": text}],
    })
}

/// The data of a failure that shows `Error: <message>`.
pub(crate) fn failure(call_id: &str, code: &str, message: &str) -> Value {
    json!({
        "call_id": call_id,
        "is_error": true,
        "error": {"message": message, "code": code},
        "content": [{"type": "text", "text": format!("Error: {message}")}],
    })
}

/// A tool called `name` that takes any object and gives any value.
#[track_caller]
pub(crate) fn tool<F, Fut, R>(name: &'static str, body: F) -> ToolDefinition
where
    F: Fn(Value, RunContext) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = R> + Send + 'static,
    R: tool_core::IntoDynamicOutput + 'static,
{
    ToolDefinition::dynamic(name, "For tests.", json!({"type": "object"}), json!({})).handler(body)
}

/// A tool that answers `"done"` and writes its name down.
#[track_caller]
pub(crate) fn done(name: &'static str, record: &Record) -> ToolDefinition {
    let record = record.clone();
    tool(name, move |_, _| {
        record.add(name);
        async { json!("done") }
    })
}

/// A call without arguments.
pub(crate) fn call(call_id: &str, name: &str) -> ToolCall {
    ToolCall::new(call_id, name, "{}")
}

/// How many of something are there now, and how many there were at most.
#[derive(Clone, Default)]
pub(crate) struct Gauge(Arc<(AtomicUsize, AtomicUsize)>);

impl Gauge {
    /// One more, until what comes back is dropped.
    pub(crate) fn enter(&self) -> Inside {
        let now = self.0.0.fetch_add(1, Ordering::AcqRel) + 1;
        self.0.1.fetch_max(now, Ordering::AcqRel);
        Inside(self.clone())
    }

    pub(crate) fn now(&self) -> usize {
        self.0.0.load(Ordering::Acquire)
    }

    pub(crate) fn most(&self) -> usize {
        self.0.1.load(Ordering::Acquire)
    }
}

/// One of what a [`Gauge`] counts.
pub(crate) struct Inside(Gauge);

impl Drop for Inside {
    fn drop(&mut self) {
        self.0.0.0.fetch_sub(1, Ordering::AcqRel);
    }
}
