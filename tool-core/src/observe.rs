//! Spans: what a call looks like to `tracing`, and through it to OpenTelemetry.
//!
//! The names of the attributes are those of the OpenTelemetry semantic conventions for generative
//! AI, version 1.41.0, "Execute tool span". Without a subscriber that is interested, a span costs
//! the look at its call site: nothing is formatted and nothing allocated.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use tracing::field::Empty;
use tracing::level_filters::LevelFilter;
use tracing::span::Entered;
use tracing::{Level, Span, span};

use crate::execution::ToolExecution;
use crate::result::ToolResult;
use crate::trail::{self, Recorder, Said, Station};

/// Where all spans are filed: `tool_core=debug` shows them.
const TARGET: &str = "tool_core";

/// A span that somebody is interested in; otherwise nothing, which is small and costs nothing.
#[derive(Clone, Default)]
pub(crate) struct MaybeSpan(Option<Arc<Span>>);

impl MaybeSpan {
    /// A span of this level. Most often nobody listens at all: then it is not even described.
    fn at(level: Level, describe: impl FnOnce() -> Span) -> Self {
        if level > LevelFilter::current() {
            return Self::default();
        }
        let span = describe();
        Self((!span.is_disabled()).then(|| Arc::new(span)))
    }

    pub(crate) fn is_some(&self) -> bool {
        self.0.is_some()
    }

    fn get(&self) -> Option<&Span> {
        self.0.as_deref()
    }

    pub(crate) fn enter(&self) -> Option<Entered<'_>> {
        self.get().map(Span::enter)
    }

    /// Polls and drops a future inside.
    pub(crate) fn around<F: Future + Unpin>(&self, future: F) -> InSpan<F> {
        InSpan {
            future: Some(future),
            span: self.clone(),
        }
    }

    /// The same of a future that stays where it is: these are large, and each move is a copy.
    pub(crate) fn around_pinned<'a, F: Future>(
        &'a self,
        mut future: Pin<&'a mut F>,
    ) -> impl Future<Output = F::Output> + use<'a, F> {
        poll_fn(move |cx| {
            let _entered = self.enter();
            future.as_mut().poll(cx)
        })
    }
}

/// A future inside a span.
pub(crate) struct InSpan<F> {
    future: Option<F>,
    span: MaybeSpan,
}

impl<F: Future + Unpin> Future for InSpan<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let Self { future, span } = &mut *self;
        let _entered = span.enter();
        let future = future.as_mut().expect("it is there until it is dropped");
        Pin::new(future).poll(cx)
    }
}

impl<F> Drop for InSpan<F> {
    fn drop(&mut self) {
        let _entered = self.span.enter();
        self.future = None;
    }
}

/// The span of a call, below the one it is made in. `outer` is the call whose body makes it, for
/// bodies that call from a task of their own, where there is no span to be in.
pub(crate) fn call_span(execution: &ToolExecution, outer: &MaybeSpan) -> MaybeSpan {
    macro_rules! call_span {
        ($($parent:tt)*) => {
            span!(
                target: TARGET,
                $($parent)*
                Level::INFO,
                "execute_tool",
                "otel.name" = format_args!("execute_tool {}", execution.name()),
                "otel.status_code" = Empty,
                "gen_ai.operation.name" = "execute_tool",
                "gen_ai.tool.name" = execution.name(),
                "gen_ai.tool.call.id" = execution.call_id().as_str(),
                "gen_ai.tool.type" = "function",
                "gen_ai.tool.description" = description(execution),
                "gen_ai.tool.call.arguments" = Empty,
                "gen_ai.tool.call.result" = Empty,
                "error.type" = Empty,
            )
        };
    }
    MaybeSpan::at(Level::INFO, || match outer.get() {
        Some(outer) if Span::current().is_none() => call_span!(parent: outer,),
        _ => call_span!(),
    })
}

fn description(execution: &ToolExecution) -> Option<&str> {
    let description = &*execution.definition.as_ref()?.schema.description;
    (!description.is_empty()).then_some(description)
}

/// What came of a call. Content is read after every station that can replace it, so that what a
/// hook has taken out is in no span. The value is not: a hook may have replaced the content alone.
pub(crate) fn record_outcome(span: &MaybeSpan, execution: &ToolExecution, result: &ToolResult) {
    let Some(span) = span.get() else {
        return;
    };
    if let Some(error) = result.error() {
        span.record("error.type", error.code());
        span.record("otel.status_code", "ERROR");
    }
    if execution.shared().settings.trace_content {
        span.record("gen_ai.tool.call.arguments", execution.arguments_text());
        if !result.is_error() {
            span.record("gen_ai.tool.call.result", result.text());
        }
    }
}

/// The span of a running call, for the calls that its body makes. A body may keep its context for
/// longer than the call lasts: then this is empty, and holds no span open.
#[derive(Default)]
pub(crate) struct Running(Mutex<MaybeSpan>);

impl Running {
    pub(crate) fn begin(&self, span: &MaybeSpan) {
        *self.lock() = span.clone();
    }

    pub(crate) fn span(&self) -> MaybeSpan {
        self.lock().clone()
    }

    pub(crate) fn end(&self) {
        *self.lock() = MaybeSpan::default();
    }

    fn lock(&self) -> MutexGuard<'_, MaybeSpan> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A station that was entered: its entry in the trail and its span, where anybody wants them.
#[must_use]
pub(crate) struct Opened {
    entry: Option<trail::Opened>,
    /// The hook runs in it.
    pub(crate) span: MaybeSpan,
}

impl Opened {
    /// A hook, with a span of its own.
    pub(crate) fn hook(
        recorder: Option<&Recorder>,
        station: Station,
        hook: &str,
        scope: Option<&str>,
    ) -> Self {
        Self {
            entry: recorder.map(|recorder| recorder.open(station, hook, scope)),
            span: MaybeSpan::at(Level::DEBUG, || {
                span!(
                    target: TARGET,
                    Level::DEBUG,
                    "hook",
                    "otel.name" = format_args!("{station} {hook}"),
                    "otel.status_code" = Empty,
                    station = station.as_str(),
                    hook,
                    scope,
                    said = Empty,
                    "error.type" = Empty,
                )
            }),
        }
    }

    /// The wait for an approver, with a span of its own.
    pub(crate) fn approval(recorder: Option<&Recorder>) -> Self {
        let station = Station::Approval;
        Self {
            entry: recorder.map(|recorder| recorder.open(station, "", None)),
            span: MaybeSpan::at(Level::DEBUG, || {
                span!(
                    target: TARGET,
                    Level::DEBUG,
                    "approval",
                    station = station.as_str(),
                    said = Empty,
                )
            }),
        }
    }

    /// What belongs to the tool itself: it is in the span of the call.
    pub(crate) fn own(recorder: Option<&Recorder>, station: Station, name: &str) -> Self {
        Self {
            entry: recorder.map(|recorder| recorder.open(station, name, None)),
            span: MaybeSpan::default(),
        }
    }

    /// Does something inside the span.
    pub(crate) fn in_scope<T>(&self, f: impl FnOnce() -> T) -> T {
        let _entered = self.span.enter();
        f()
    }

    /// The station has spoken. Reasons are in no span: they may quote arguments.
    pub(crate) fn close(self, recorder: Option<&Recorder>, said: Said, reason: Option<String>) {
        if let Some(span) = self.span.get() {
            span.record("said", said.as_str());
            if let (Said::Failed, Some(code)) = (said, &reason) {
                span.record("error.type", code.as_str());
                span.record("otel.status_code", "ERROR");
            }
        }
        if let (Some(recorder), Some(entry)) = (recorder, self.entry) {
            recorder.close(entry, said, reason);
        }
    }
}
