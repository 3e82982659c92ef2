//! Spans: what a call looks like to `tracing`, and through it to OpenTelemetry.
//!
//! The names of the attributes are those of the OpenTelemetry semantic conventions for generative
//! AI, version 1.41.0, "Execute tool span". Without a subscriber that is interested, a span costs
//! the look at its call site: nothing is formatted and nothing allocated.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tracing::field::Empty;
use tracing::{Level, Span, span};

use crate::execution::ToolExecution;
use crate::result::ToolResult;
use crate::trail::{self, Recorder, Said, Station};

/// Where all spans are filed: `tool_core=debug` shows them.
const TARGET: &str = "tool_core";

/// The span of a call, below the one it is made in. `outer` is the call whose body makes it, for
/// bodies that call from a task of their own, where there is no span to be in.
pub(crate) fn call_span(execution: &ToolExecution, outer: Option<&Span>) -> Span {
    macro_rules! call_span {
        ($($parent:tt)*) => {
            span!(
                target: TARGET,
                $($parent)*
                Level::INFO,
                "execute_tool",
                "otel.name" = format_args!("execute_tool {}", execution.name),
                "otel.status_code" = Empty,
                "gen_ai.operation.name" = "execute_tool",
                "gen_ai.tool.name" = &*execution.name,
                "gen_ai.tool.call.id" = execution.call_id.as_str(),
                "gen_ai.tool.type" = "function",
                "gen_ai.tool.description" = description(execution),
                "gen_ai.tool.call.arguments" = Empty,
                "gen_ai.tool.call.result" = Empty,
                "error.type" = Empty,
            )
        };
    }
    match outer {
        Some(outer) if Span::current().is_none() => call_span!(parent: outer,),
        _ => call_span!(),
    }
}

fn description(execution: &ToolExecution) -> Option<&str> {
    let description = &*execution.definition.as_ref()?.schema.description;
    (!description.is_empty()).then_some(description)
}

/// What came of a call. Content is read after every station that can replace it, so that what a
/// hook has taken out is in no span. The value is not: a hook may have replaced the content alone.
pub(crate) fn record_outcome(span: &Span, execution: &ToolExecution, result: &ToolResult) {
    if span.is_disabled() {
        return;
    }
    if let Some(error) = result.error() {
        span.record("error.type", error.code());
        span.record("otel.status_code", "ERROR");
    }
    if execution.shared.settings.trace_content {
        span.record("gen_ai.tool.call.arguments", execution.arguments_text());
        if !result.is_error() {
            span.record("gen_ai.tool.call.result", result.text());
        }
    }
}

/// The span of a running call, for the calls that its body makes. A body may keep its context for
/// longer than the call lasts: then this is empty, and holds no span open.
#[derive(Default)]
pub(crate) struct Running(Mutex<Option<Box<Span>>>);

impl Running {
    pub(crate) fn begin(&self, span: &Span) {
        if !span.is_disabled() {
            *self.lock() = Some(Box::new(span.clone()));
        }
    }

    pub(crate) fn span(&self) -> Option<Box<Span>> {
        self.lock().clone()
    }

    pub(crate) fn end(&self) {
        drop(self.lock().take());
    }

    fn lock(&self) -> MutexGuard<'_, Option<Box<Span>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A station that was entered: its entry in the trail and its span, where anybody wants them.
#[must_use]
pub(crate) struct Opened {
    entry: Option<trail::Opened>,
    /// The hook runs in it.
    pub(crate) span: Span,
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
            span: span!(
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
            ),
        }
    }

    /// The wait for an approver, with a span of its own.
    pub(crate) fn approval(recorder: Option<&Recorder>) -> Self {
        let station = Station::Approval;
        Self {
            entry: recorder.map(|recorder| recorder.open(station, "", None)),
            span: span!(
                target: TARGET,
                Level::DEBUG,
                "approval",
                station = station.as_str(),
                said = Empty,
            ),
        }
    }

    /// What belongs to the tool itself: it is in the span of the call.
    pub(crate) fn own(recorder: Option<&Recorder>, station: Station, name: &str) -> Self {
        Self {
            entry: recorder.map(|recorder| recorder.open(station, name, None)),
            span: Span::none(),
        }
    }

    /// The station has spoken. Reasons are in no span: they may quote arguments.
    pub(crate) fn close(self, recorder: Option<&Recorder>, said: Said, reason: Option<String>) {
        if !self.span.is_disabled() {
            self.span.record("said", said.as_str());
            if let (Said::Failed, Some(code)) = (said, &reason) {
                self.span.record("error.type", code.as_str());
                self.span.record("otel.status_code", "ERROR");
            }
        }
        if let (Some(recorder), Some(entry)) = (recorder, self.entry) {
            recorder.close(entry, said, reason);
        }
    }
}
