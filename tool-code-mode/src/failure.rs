//! How a run fails, and the text a model reads about it.

use std::fmt;

/// Which rule ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureKind {
    /// The program threw, cannot be parsed, or waits for something that cannot happen.
    Exception,
    /// It used up its computing time or its wall clock.
    Timeout,
    /// The caller cancelled the run.
    Abort,
    /// It held more than its heap allows.
    OutOfMemory,
    /// What it returned is not JSON.
    InvalidOutput,
    /// It printed or returned more than its output allows.
    OutputLimit,
    /// It made more calls than it may.
    CallLimit,
    /// No engine could be had for it.
    Unavailable,
}

impl FailureKind {
    /// The kind as messages spell it, such as `out-of-memory`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exception => "exception",
            Self::Timeout => "timeout",
            Self::Abort => "abort",
            Self::OutOfMemory => "out-of-memory",
            Self::InvalidOutput => "invalid-output",
            Self::OutputLimit => "output-limit",
            Self::CallLimit => "call-limit",
            Self::Unavailable => "unavailable",
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Why a run failed. Its `Display` is what the model reads:
///
/// ```text
/// code run failed (exception): TypeError: cannot read property 'name' of undefined
///     at program.ts:3:22
///   3 | console.log(users[7].name)
/// help: ...
/// printed before:
/// 7 users
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(Box<Parts>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) kind: FailureKind,
    pub(crate) message: String,
    /// Stack lines, innermost first, such as `at pick (program.ts:3:12)`.
    pub(crate) frames: Vec<String>,
    /// The program's line that `frames` begin with.
    pub(crate) line: Option<(usize, String)>,
    pub(crate) help: Option<String>,
    pub(crate) logs: Vec<String>,
}

impl Failure {
    pub(crate) fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self(Box::new(Parts {
            kind,
            message: message.into(),
            frames: Vec::new(),
            line: None,
            help: None,
            logs: Vec::new(),
        }))
    }

    pub(crate) fn parts_mut(&mut self) -> &mut Parts {
        &mut self.0
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    /// Which rule ended the run.
    pub fn kind(&self) -> FailureKind {
        self.0.kind
    }

    /// What happened, on one line or more, without the program's line and its output.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The line of the program where it happened, counted from 1, where that is known.
    pub fn line(&self) -> Option<usize> {
        self.0.line.as_ref().map(|(number, _)| *number)
    }

    /// What the program had printed.
    pub fn logs(&self) -> &[String] {
        &self.0.logs
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "code run failed ({}): {}", self.0.kind, self.0.message)?;
        for frame in &self.0.frames {
            write!(f, "\n    {frame}")?;
        }
        if let Some((number, text)) = &self.0.line {
            write!(f, "\n  {number} | {text}")?;
        }
        if let Some(help) = &self.0.help {
            write!(f, "\nhelp: {help}")?;
        }
        if !self.0.logs.is_empty() {
            write!(f, "\nprinted before:\n{}", self.0.logs.join("\n"))?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}
