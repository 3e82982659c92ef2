//! The trail: which station said what, in which order, and how long it took. Data, not logs.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Serialize, Serializer};

/// A place in the pipeline that has a say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Station {
    /// Arguments read, repaired, checked and frozen; the tool looked up.
    Intake,
    /// Station 1.
    PreExecute,
    /// The wait for an approver, between stations 1 and 2.
    Approval,
    /// Station 2.
    Guard,
    /// Station 3.
    AroundExecute,
    /// Station 4.
    Body,
    /// Station 5.
    Output,
    /// Station 6.
    PostExecute,
    /// Station 7.
    FinalizeContent,
    /// Station 8.
    OnResult,
}

impl Station {
    /// Its name as it is serialised, such as `pre_execute`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Intake => "intake",
            Self::PreExecute => "pre_execute",
            Self::Approval => "approval",
            Self::Guard => "guard",
            Self::AroundExecute => "around_execute",
            Self::Body => "body",
            Self::Output => "output",
            Self::PostExecute => "post_execute",
            Self::FinalizeContent => "finalize_content",
            Self::OnResult => "on_result",
        }
    }
}

impl fmt::Display for Station {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a station said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Said {
    /// Intake took the call; a post hook the result.
    Accepted,
    /// Intake mended the arguments first; the reason says how.
    Repaired,
    /// Intake took no such call: unknown tool, or arguments that do not fit.
    Refused,
    /// A pre-execute hook let it pass.
    Allowed,
    /// A pre-execute hook wants the approver asked.
    Asked,
    /// A pre-execute hook or a guard ended the call.
    Denied,
    /// A guard had nothing against it.
    Abstained,
    /// The approver allowed it, once.
    Granted,
    /// The approver said no.
    Rejected,
    /// The question was withdrawn.
    Cancelled,
    /// No approver, or a broken one.
    Unavailable,
    /// A body or wrapper came back with a success.
    Succeeded,
    /// A body, wrapper, renderer or hook failed; the reason is the code.
    Failed,
    /// It was stopped by the cancel signal.
    Aborted,
    /// A post hook or the finalizer put other content in its place.
    ReplacedContent,
    /// A post hook put another value in its place.
    ReplacedValue,
    /// A post hook blocked the result.
    Blocked,
    /// The finalizer kept the content.
    Kept,
    /// An observer was told.
    Observed,
}

impl Said {
    /// Its name as it is serialised, such as `replaced_content`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Repaired => "repaired",
            Self::Refused => "refused",
            Self::Allowed => "allowed",
            Self::Asked => "asked",
            Self::Denied => "denied",
            Self::Abstained => "abstained",
            Self::Granted => "granted",
            Self::Rejected => "rejected",
            Self::Cancelled => "cancelled",
            Self::Unavailable => "unavailable",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Aborted => "aborted",
            Self::ReplacedContent => "replaced_content",
            Self::ReplacedValue => "replaced_value",
            Self::Blocked => "blocked",
            Self::Kept => "kept",
            Self::Observed => "observed",
        }
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One thing that one station said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TrailEntry {
    /// Where.
    pub station: Station,
    /// Which hook; the tool's name for body, output and finalizer; empty for intake.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub hook: String,
    /// The scope the hook is registered in; absent for the runtime itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// What it said; absent if it was dropped before it could.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<Said>,
    /// Why: a denial's or question's reason, a failure's code, the repairs made. Never a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How long it took, what it wraps included. Serialised as whole nanoseconds.
    #[serde(rename = "nanos", serialize_with = "nanos")]
    pub duration: Duration,
}

/// Serde wants a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn nanos<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
}

/// What all stations said of one call, in the order in which they were asked.
///
/// Asked for with [`ToolCall::trail`](crate::ToolCall::trail) or on the builder; costs nothing otherwise.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use tool_core::{Said, Station, ToolCall, ToolExecution, ToolRuntime, tool};
///
/// /// Greets.
/// #[tool]
/// fn hello() -> String { "hello".into() }
///
/// let runtime = ToolRuntime::builder()
///     .tool(hello {})
///     .guard(|_: &ToolExecution| Some("not today"))
///     .build()
///     .unwrap();
/// let result = runtime.execute(ToolCall::new("call_1", "hello", "{}").trail(true)).await;
/// let trail = result.trail().unwrap();
/// assert_eq!(trail.entries()[1].station, Station::Guard);
/// assert_eq!(trail.entries()[1].said, Some(Said::Denied));
/// assert_eq!(trail.entries()[1].reason.as_deref(), Some("not today"));
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Trail {
    entries: Vec<TrailEntry>,
}

impl Trail {
    /// The entries, in the order in which the stations were entered.
    pub fn entries(&self) -> &[TrailEntry] {
        &self.entries
    }
}

/// One line per entry: station, hook and scope, what it said, why, and the time it took.
impl fmt::Display for Trail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, entry) in self.entries.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{:?}", entry.station)?;
            if !entry.hook.is_empty() {
                write!(f, " {}", entry.hook)?;
            }
            if let Some(scope) = &entry.scope {
                write!(f, " in {scope}")?;
            }
            match entry.said {
                Some(said) => write!(f, ": {said:?}")?,
                None => f.write_str(": dropped")?,
            }
            if let Some(reason) = &entry.reason {
                write!(f, " ({reason})")?;
            }
            write!(f, " in {:?}", entry.duration)?;
        }
        Ok(())
    }
}

/// Collects a trail while its call runs.
#[derive(Debug, Default)]
pub(crate) struct Recorder(Mutex<Vec<Recorded>>);

#[derive(Debug)]
struct Recorded {
    entry: TrailEntry,
    since: Instant,
}

/// An entry that was opened and waits for what is said. A number and no more: a call holds it while
/// it waits.
#[must_use]
pub(crate) struct Opened(u32);

impl Recorder {
    pub(crate) fn open(&self, station: Station, hook: &str, scope: Option<&str>) -> Opened {
        let mut recorded = self.lock();
        let opened = Opened(u32::try_from(recorded.len()).unwrap_or(u32::MAX));
        recorded.push(Recorded {
            entry: TrailEntry {
                station,
                hook: hook.to_owned(),
                scope: scope.map(str::to_owned),
                said: None,
                reason: None,
                duration: Duration::ZERO,
            },
            since: Instant::now(),
        });
        opened
    }

    #[expect(clippy::needless_pass_by_value, reason = "an entry is closed once")]
    pub(crate) fn close(&self, opened: Opened, said: Said, reason: Option<String>) {
        if let Some(Recorded { entry, since }) = self.lock().get_mut(opened.0 as usize) {
            entry.said = Some(said);
            entry.reason = reason;
            entry.duration = since.elapsed();
        }
    }

    pub(crate) fn trail(&self) -> Trail {
        let recorded = self.lock();
        Trail {
            entries: recorded.iter().map(|it| it.entry.clone()).collect(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Recorded>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{Said, Station};

    #[test]
    fn names_are_those_of_the_serialised_form() {
        use Said as S;
        use Station as At;
        for station in [
            At::Intake,
            At::PreExecute,
            At::Approval,
            At::Guard,
            At::AroundExecute,
            At::Body,
            At::Output,
            At::PostExecute,
            At::FinalizeContent,
            At::OnResult,
        ] {
            assert_eq!(serde_json::json!(station), station.as_str());
        }
        for said in [
            S::Accepted,
            S::Repaired,
            S::Refused,
            S::Allowed,
            S::Asked,
            S::Denied,
            S::Abstained,
            S::Granted,
            S::Rejected,
            S::Cancelled,
            S::Unavailable,
            S::Succeeded,
            S::Failed,
            S::Aborted,
            S::ReplacedContent,
            S::ReplacedValue,
            S::Blocked,
            S::Kept,
            S::Observed,
        ] {
            assert_eq!(serde_json::json!(said), said.as_str());
        }
    }
}
