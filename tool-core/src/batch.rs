//! Batches: the calls of one model turn, overlapping where that is safe.
//!
//! One lane runs policy (stations 1, 2 and 6 to 8), one call at a time and in model order; wrappers
//! and bodies (stations 3 to 5) overlap beside it. In every round the lane settles the first
//! unsettled call if its body is done, else starts the next call if it may, else waits for a body.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use futures_util::stream::{FuturesUnordered, Stream, StreamExt as _, unfold};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio_util::sync::CancellationToken;

use crate::call::ToolCall;
use crate::content::AdditionalContext;
use crate::definition::ExecutionMode;
use crate::future::BoxFuture;
use crate::intake::Classified;
use crate::lookout::Lookout;
use crate::pipeline::{self, InFlight, Stage};
use crate::result::ToolResult;
use crate::runtime::Shared;

/// The calls of one model turn, about to run.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use tool_core::{ToolCall, ToolRuntime, tool};
///
/// /// Doubles.
/// #[tool(concurrency_safe)]
/// fn double(n: u32) -> u32 { n * 2 }
///
/// let runtime = ToolRuntime::builder().tool(double {}).build().unwrap();
/// let calls = (1..=3).map(|n| ToolCall::new(format!("call_{n}"), "double", format!(r#"{{"n":{n}}}"#)));
/// let results = runtime.batch(calls).max_parallel(2).run().await;
/// let texts: Vec<_> = results.iter().map(|result| result.text()).collect();
/// assert_eq!(texts, ["2", "4", "6"]);
/// # }
/// ```
#[must_use = "a batch does nothing until it is run"]
pub struct Batch {
    lane: Lane,
}

impl Batch {
    pub(crate) fn new(shared: Arc<Shared>, calls: impl IntoIterator<Item = ToolCall>) -> Self {
        let limit = shared.settings.max_parallel;
        Self {
            lane: Lane::new(shared, limit, calls.into_iter().collect()),
        }
    }

    /// How many calls may overlap; the runtime's setting otherwise. Zero counts as one.
    pub fn max_parallel(mut self, limit: usize) -> Self {
        self.lane.limit = limit.max(1);
        self
    }

    /// Gives all calls one more cancel signal. When it fires, calls that have started are awaited;
    /// the others end as `ABORTED_BEFORE_DISPATCH` without meeting any station.
    pub fn cancel(mut self, token: &CancellationToken) -> Self {
        for call in &mut self.lane.waiting {
            let request = call.request_mut();
            request.cancellation = request.cancellation.fused_with(token.clone());
        }
        self
    }

    /// Runs all calls: one result per call, in the order of the calls.
    pub async fn run(mut self) -> Vec<ToolResult> {
        let mut results = Vec::with_capacity(self.lane.waiting.len());
        while let Some(result) = self.lane.next().await {
            results.push(result);
        }
        results
    }

    /// Runs all calls and yields each result as soon as it and all before it are final.
    /// Dropping the stream drops what runs.
    pub fn stream(self) -> impl Stream<Item = ToolResult> + Send {
        self.lane.into_stream()
    }
}

impl std::fmt::Debug for Batch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Batch")
            .field("waiting", &self.lane.waiting)
            .finish_non_exhaustive()
    }
}

/// What the results of a batch hand to the next user message, once and in model order.
pub fn additional_contexts(results: &[ToolResult]) -> impl Iterator<Item = &AdditionalContext> {
    results.iter().flat_map(ToolResult::additional_contexts)
}

/// Calls that a running body makes one after another without waiting, under the contract of a
/// batch: started and settled in the order of their submission, overlapping where that is safe.
///
/// Made by [`RunContext::sub_calls`](crate::RunContext::sub_calls). When the last clone is dropped
/// and all results were yielded, the stream beside it ends.
#[derive(Clone)]
pub struct SubCalls {
    outer: crate::RunContext,
    queue: UnboundedSender<ToolCall>,
}

impl SubCalls {
    pub(crate) fn new(
        outer: crate::RunContext,
        limit: usize,
        lookout: Option<Lookout>,
    ) -> (Self, impl Stream<Item = ToolResult> + Send + use<>) {
        let (queue, incoming) = mpsc::unbounded_channel();
        let mut lane = Lane::new(
            outer.execution().shared().clone(),
            limit.max(1),
            VecDeque::new(),
        );
        lane.incoming = Some(incoming);
        lane.lookout = lookout;
        (Self { outer, queue }, lane.into_stream())
    }

    /// Submits a call: it is made in the scope of the outer call, with that as its parent. Its
    /// result comes out of the stream, in its turn.
    ///
    /// # Errors
    ///
    /// The call itself, if the stream is gone and nobody would get the result.
    pub fn submit(&self, call: ToolCall) -> Result<(), Box<ToolCall>> {
        let call = call.nested_in(self.outer.execution(), self.outer.cancellation());
        self.queue.send(call).map_err(|refused| Box::new(refused.0))
    }
}

impl std::fmt::Debug for SubCalls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SubCalls")
            .field("outer", &self.outer)
            .finish_non_exhaustive()
    }
}

/// A call that has started and is not yet settled.
struct Started {
    number: usize,
    exclusive: bool,
    /// Wrappers and body are done.
    done: Option<(InFlight, Stage)>,
}

type Running = BoxFuture<'static, (usize, InFlight, Stage)>;

struct Lane {
    shared: Arc<Shared>,
    limit: usize,
    waiting: VecDeque<ToolCall>,
    /// Where more calls come from while the others run.
    incoming: Option<UnboundedReceiver<ToolCall>>,
    /// Looks out for the next call of a program before it sleeps.
    lookout: Option<Lookout>,
    /// In model order; settled from the front.
    started: VecDeque<Started>,
    running: FuturesUnordered<Running>,
    next: usize,
}

impl Lane {
    fn new(shared: Arc<Shared>, limit: usize, waiting: VecDeque<ToolCall>) -> Self {
        Self {
            shared,
            limit,
            waiting,
            incoming: None,
            lookout: None,
            started: VecDeque::new(),
            running: FuturesUnordered::new(),
            next: 0,
        }
    }

    fn into_stream(self) -> impl Stream<Item = ToolResult> + Send + use<> {
        unfold(self, |mut lane| async move {
            let result = lane.next().await?;
            Some((result, lane))
        })
    }

    async fn next(&mut self) -> Option<ToolResult> {
        loop {
            if let Some(done) = self
                .started
                .front_mut()
                .and_then(|started| started.done.take())
            {
                let (mut call, stage) = done;
                let span = call.span.clone();
                let settling = pin!(call.settle(stage));
                let result = self.beside_bodies(span.around_pinned(settling)).await;
                self.started.pop_front();
                return Some(result);
            }
            if let Some(result) = self.skip_cancelled() {
                return Some(result);
            }
            if let Some((call, classified)) = self.may_start() {
                self.start(call, classified).await;
            } else if self.started.is_empty() && self.incoming.is_none() {
                return None;
            } else {
                self.change().await;
            }
        }
    }

    /// Waits until a body ends or a call comes in; or until it is known that none will.
    async fn change(&mut self) {
        if self.running.is_empty()
            && let (Some(lookout), Some(incoming)) = (&mut self.lookout, &mut self.incoming)
        {
            if let Some(call) = lookout.look(|| incoming.try_recv().ok()) {
                self.waiting.push_back(call);
                return;
            }
            let since = Instant::now();
            self.sleep().await;
            if let Some(lookout) = &mut self.lookout {
                lookout.slept(since.elapsed());
            }
            return;
        }
        self.sleep().await;
    }

    async fn sleep(&mut self) {
        poll_fn(|cx| {
            let mut changed = false;
            while let Some(incoming) = &mut self.incoming {
                match incoming.poll_recv(cx) {
                    Poll::Ready(Some(call)) => self.waiting.push_back(call),
                    Poll::Ready(None) => self.incoming = None,
                    Poll::Pending => break,
                }
                changed = true;
            }
            changed |= self.poll_bodies(cx);
            if changed {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
    }

    /// A call that is cancelled before its turn meets no station; those before it come first.
    fn skip_cancelled(&mut self) -> Option<ToolResult> {
        if !self.started.is_empty() {
            return None;
        }
        let call = self
            .waiting
            .pop_front_if(|call| call.request().cancellation.is_cancelled())?;
        let mut result = pipeline::aborted(false);
        result.parts.call_id.clone_from(call.call_id());
        Some(result)
    }

    /// The next call, if it is its turn. It is classified now, whatever it was before.
    fn may_start(&mut self) -> Option<(ToolCall, Classified)> {
        let call = self.waiting.front_mut()?;
        let barrier = self.started.back().is_some_and(|started| started.exclusive);
        if barrier || self.running.len() >= self.limit || call.request().cancellation.is_cancelled()
        {
            return None;
        }
        let classified = if self.started.is_empty() {
            Classified::starting(&self.shared, call)
        } else {
            let classified = Classified::waiting(&self.shared, call);
            if classified.mode == ExecutionMode::Exclusive {
                return None;
            }
            classified
        };
        Some((self.waiting.pop_front()?, classified))
    }

    async fn start(&mut self, call: ToolCall, classified: Classified) {
        let number = self.next;
        self.next += 1;
        let exclusive = classified.mode == ExecutionMode::Exclusive;
        let Classified { view, reading, .. } = classified;
        let (mut call, mut stage) = InFlight::begin(&self.shared, call, view, reading);
        if let Stage::Admit = stage {
            // Not held across the others' bodies: each phase of each call enters its own span.
            let span = call.span.clone();
            let admitting = pin!(call.admit());
            stage = self.beside_bodies(span.around_pinned(admitting)).await;
        }
        let done = if let Stage::Dispatch = stage {
            let body = async move {
                let span = call.span.clone();
                let stage = span.around_pinned(pin!(call.dispatch())).await;
                (number, call, stage)
            };
            self.running.push(Box::pin(body));
            None
        } else {
            Some((call, stage))
        };
        self.started.push_back(Started {
            number,
            exclusive,
            done,
        });
    }

    /// Runs policy while bodies go on.
    async fn beside_bodies<T>(&mut self, policy: impl Future<Output = T>) -> T {
        let mut policy = pin!(policy);
        poll_fn(|cx| {
            self.poll_bodies(cx);
            policy.as_mut().poll(cx)
        })
        .await
    }

    /// Drives the bodies; whether one has ended.
    fn poll_bodies(&mut self, cx: &mut Context<'_>) -> bool {
        let mut any = false;
        while let Poll::Ready(Some(ended)) = self.running.poll_next_unpin(cx) {
            self.note(ended);
            any = true;
        }
        any
    }

    fn note(&mut self, (number, call, stage): (usize, InFlight, Stage)) {
        if let Some(started) = self
            .started
            .iter_mut()
            .find(|started| started.number == number)
        {
            started.done = Some((call, stage));
        }
    }
}
