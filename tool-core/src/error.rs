//! Errors: of a call, as a model sees it, and of a registration, as a programmer sees it.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use serde::Serialize;

/// The stable codes of failed results. A tool, hook or guard may set codes of its own.
pub mod code {
    /// No such tool is visible to the caller.
    pub const UNKNOWN_TOOL: &str = "UNKNOWN_TOOL";
    /// The arguments do not fit the tool's parameters.
    pub const INVALID_ARGS: &str = "INVALID_ARGS";
    /// The call was made by too many bodies inside each other.
    pub const NESTED_TOO_DEEP: &str = "NESTED_TOO_DEEP";
    /// A guard or a pre-execute hook refused the call.
    pub const DENIED: &str = "DENIED";
    /// The approver said no.
    pub const APPROVAL_REJECTED: &str = "APPROVAL_REJECTED";
    /// The approver withdrew the question.
    pub const APPROVAL_CANCELLED: &str = "APPROVAL_CANCELLED";
    /// The approver could not be reached, or broke.
    pub const APPROVAL_UNAVAILABLE: &str = "APPROVAL_UNAVAILABLE";
    /// Cancelled after the body had started.
    pub const ABORTED: &str = "ABORTED";
    /// Cancelled before the body started.
    pub const ABORTED_BEFORE_DISPATCH: &str = "ABORTED_BEFORE_DISPATCH";
    /// The body exceeded its time limit.
    pub const TOOL_TIMEOUT: &str = "TOOL_TIMEOUT";
    /// The body panicked.
    pub const TOOL_PANICKED: &str = "TOOL_PANICKED";
    /// The body returned an error without a code of its own.
    pub const TOOL_FAILED: &str = "TOOL_FAILED";
    /// The value does not fit the output schema, or could not be rendered.
    pub const INVALID_TOOL_OUTPUT: &str = "INVALID_TOOL_OUTPUT";
    /// A hook failed without a code of its own, panicked, or took too long.
    pub const HOOK_FAILED: &str = "HOOK_FAILED";
    /// A post-execute hook blocked the result.
    pub const BLOCKED: &str = "BLOCKED";
    /// A Code Mode program failed.
    pub const CODE_RUN_FAILED: &str = "CODE_RUN_FAILED";
    /// `run_code` was called, and there is nothing to run programs.
    pub const MISSING_CODE_RUNTIME: &str = "MISSING_CODE_RUNTIME";
}

/// Why a call failed: a message for the model and a stable code for programs.
///
/// A tool or a hook returns one to choose its own code; any other error type gets
/// [`TOOL_FAILED`](code::TOOL_FAILED) or [`HOOK_FAILED`](code::HOOK_FAILED).
///
/// ```
/// use tool_core::ToolError;
///
/// let error = ToolError::new("no space left on device").with_code("ENOSPC");
/// assert_eq!(error.to_string(), "no space left on device");
/// assert_eq!(error.code(), "ENOSPC");
/// ```
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ToolError {
    /// Boxed: what may fail is handed on more often than it fails.
    parts: Box<Parts>,
}

#[derive(Clone, PartialEq, Eq, Serialize)]
struct Parts {
    message: String,
    code: Cow<'static, str>,
}

impl ToolError {
    /// A failure without a code of its own.
    pub fn new(message: impl Into<String>) -> Self {
        Self::coded("", message)
    }

    /// The same failure under a code of its own.
    #[must_use]
    pub fn with_code(mut self, code: impl Into<Cow<'static, str>>) -> Self {
        self.parts.code = code.into();
        self
    }

    /// An error with the errors behind it: `it broke: no route to host`.
    pub fn from_std(error: &(dyn std::error::Error + 'static)) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message.push_str(": ");
            message.push_str(&cause.to_string());
            source = cause.source();
        }
        Self::new(message)
    }

    /// What went wrong, in words for the model.
    pub fn message(&self) -> &str {
        &self.parts.message
    }

    /// The stable code; empty only before the pipeline has seen the error.
    pub fn code(&self) -> &str {
        &self.parts.code
    }

    pub(crate) fn coded(code: &'static str, message: impl Into<String>) -> Self {
        let parts = Parts {
            message: message.into(),
            code: Cow::Borrowed(code),
        };
        Self {
            parts: Box::new(parts),
        }
    }

    pub(crate) fn or_code(mut self, code: &'static str) -> Self {
        if self.parts.code.is_empty() {
            self.parts.code = Cow::Borrowed(code);
        }
        self
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolError")
            .field("code", &self.parts.code)
            .field("message", &self.parts.message)
            .finish()
    }
}

impl std::error::Error for ToolError {}

impl From<String> for ToolError {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}

impl From<&str> for ToolError {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}

impl From<std::convert::Infallible> for ToolError {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}

impl From<std::io::Error> for ToolError {
    fn from(error: std::io::Error) -> Self {
        Self::from_std(&error)
    }
}

impl From<serde_json::Error> for ToolError {
    fn from(error: serde_json::Error) -> Self {
        Self::from_std(&error)
    }
}

impl From<Box<dyn std::error::Error + Send + Sync>> for ToolError {
    fn from(error: Box<dyn std::error::Error + Send + Sync>) -> Self {
        Self::from_std(&*error)
    }
}

/// Where something was written: named in errors about registrations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The source file.
    pub file: &'static str,
    /// The line, from 1.
    pub line: u32,
}

impl Location {
    /// The caller's place, through `#[track_caller]` functions.
    #[track_caller]
    pub fn caller() -> Self {
        let place = std::panic::Location::caller();
        Self {
            file: place.file(),
            line: place.line(),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Why a registration was refused. Nothing of what was refused stays behind.
///
/// ```
/// use tool_core::{RegisterError, ToolRuntime, tool};
///
/// /// Greets.
/// #[tool]
/// fn hello(name: String) -> String { format!("Hello, {name}!") }
///
/// let error = ToolRuntime::builder().tool(hello {}).tool(hello {}).build().unwrap_err();
/// assert!(matches!(&error, RegisterError::DuplicateTool { tool, .. } if tool == "hello"));
/// assert!(error.to_string().starts_with("tool `hello` is registered twice: "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// Two tools of one name in one layer.
    #[error(
        "tool `{tool}` is registered twice: {first} and {second}\nhelp: rename one, or register it in a scope, where it shadows the other"
    )]
    #[non_exhaustive]
    DuplicateTool {
        /// The name.
        tool: String,
        /// Where the tool that stays was defined.
        first: Location,
        /// Where the refused one was defined.
        second: Location,
    },
    /// The name belongs to the runtime itself.
    #[error("tool name `{tool}` is reserved for Code Mode ({location})\nhelp: choose another name")]
    #[non_exhaustive]
    ReservedToolName {
        /// The name.
        tool: String,
        /// Where the tool was defined.
        location: Location,
    },
    /// A tool without a name.
    #[error("a tool needs a name ({location})")]
    #[non_exhaustive]
    EmptyToolName {
        /// Where the tool was defined.
        location: Location,
    },
    /// The parameters are not a schema the runtime can enforce.
    #[error("tool `{tool}` has parameters that cannot be enforced: {reason} ({location})")]
    #[non_exhaustive]
    InvalidParameters {
        /// The tool.
        tool: String,
        /// What is wrong with the schema, with its path.
        reason: String,
        /// Where the tool was defined.
        location: Location,
    },
    /// The output schema is not one the runtime can enforce.
    #[error("tool `{tool}` has an output schema that cannot be enforced: {reason} ({location})")]
    #[non_exhaustive]
    InvalidOutputSchema {
        /// The tool.
        tool: String,
        /// What is wrong with the schema, with its path.
        reason: String,
        /// Where the tool was defined.
        location: Location,
    },
    /// A dynamic tool that does not say what it returns.
    #[error(
        "tool `{tool}` declares no output ({location})\nhelp: pass an output schema; `json!({{}})` takes any value"
    )]
    #[non_exhaustive]
    MissingOutput {
        /// The tool.
        tool: String,
        /// Where the tool was defined.
        location: Location,
    },
    /// A time limit of zero.
    #[error(
        "tool `{tool}` has a timeout of {timeout:?}, which must be longer than zero ({location})"
    )]
    #[non_exhaustive]
    InvalidTimeout {
        /// The tool.
        tool: String,
        /// The limit given.
        timeout: Duration,
        /// Where the tool was defined.
        location: Location,
    },
    /// A content limit of zero bytes.
    #[error(
        "tool `{tool}` has a content limit of zero bytes, which must be at least 1 ({location})"
    )]
    #[non_exhaustive]
    InvalidContentLimit {
        /// The tool.
        tool: String,
        /// Where the tool was defined.
        location: Location,
    },
    /// A tool whose context needs a state that the runtime was not given.
    #[error(
        "tool `{tool}` needs `State<{state}>`, which was not given ({location})\nhelp: `.state(...)` on the builder"
    )]
    #[non_exhaustive]
    MissingState {
        /// The tool.
        tool: String,
        /// The state's type.
        state: &'static str,
        /// Where the tool was defined.
        location: Location,
    },
    /// A typed hook that would never run.
    #[error(
        "hook `{hook}` ({location}) is bound to `{tool}`, which is registered nowhere\nhelp: register the tool with the hook, or register the hook where the tool is registered"
    )]
    #[non_exhaustive]
    UnboundHook {
        /// The hook.
        hook: String,
        /// The tool's handle.
        tool: &'static str,
        /// Where the hook was defined.
        location: Location,
    },
    /// A restriction that says nothing.
    #[error(
        "a restriction needs an allow list or a deny list\nhelp: `Restriction::allow([...])` or `Restriction::deny([...])`"
    )]
    EmptyRestriction,
    /// A restriction that names tools its scope does not inherit.
    #[error("the restriction of scope `{scope}` names {}, not inherited by it; inherited: {}", quoted(.names), quoted(.inherited))]
    #[non_exhaustive]
    UnknownRestrictionTarget {
        /// The scope.
        scope: String,
        /// The names that are not inherited, in the order given.
        names: Vec<String>,
        /// What the scope inherits.
        inherited: Vec<String>,
    },
    /// A restriction that names the Code Mode tool.
    #[error(
        "a restriction cannot name `{tool}`, which Code Mode reserves\nhelp: restrict the tools a program may call, or change the presentation"
    )]
    #[non_exhaustive]
    ReservedRestrictionTarget {
        /// The reserved name.
        tool: String,
    },
    /// A second presentation in one scope.
    #[error(
        "scope `{scope}` already has a presentation\nhelp: dispose the first one before declaring another"
    )]
    #[non_exhaustive]
    DuplicatePresentation {
        /// The scope.
        scope: String,
    },
    /// A second approver in one layer.
    #[error(
        "{layer} already has an approver\nhelp: dispose the first one, or register the other in a scope, where it is nearer"
    )]
    #[non_exhaustive]
    DuplicateApprover {
        /// `the runtime`, or the scope.
        layer: String,
    },
    /// A second live scope of one name.
    #[error(
        "scope `{scope}` exists already\nhelp: keep its handle, or dispose it before making it again"
    )]
    #[non_exhaustive]
    DuplicateScope {
        /// The scope.
        scope: String,
    },
    /// A registration in a scope that was disposed.
    #[error("scope `{scope}` was disposed: nothing can be registered in it")]
    #[non_exhaustive]
    DisposedScope {
        /// The scope.
        scope: String,
    },
    /// A presentation through programs, and nothing to run them.
    #[error(
        "presentation `{presentation:?}` needs a code runtime, and there is none\nhelp: give the builder one with `.code_runtime(..)`, or use `Presentation::Native`"
    )]
    #[non_exhaustive]
    MissingCodeRuntime {
        /// The presentation.
        presentation: crate::Presentation,
    },
    /// A setting out of range.
    #[error("`{setting}` {reason}")]
    #[non_exhaustive]
    InvalidConfiguration {
        /// The setting, as it is called on the builder.
        setting: &'static str,
        /// What it must be.
        reason: &'static str,
    },
    /// Several mistakes, in the order they were made.
    #[error("{}", lines(.0))]
    Several(Vec<RegisterError>),
}

impl RegisterError {
    /// The mistakes one by one: those of [`Several`](Self::Several), or this one.
    pub fn all(&self) -> &[RegisterError] {
        match self {
            Self::Several(errors) => errors,
            one => std::slice::from_ref(one),
        }
    }

    pub(crate) fn collect(mut errors: Vec<Self>) -> Result<(), Self> {
        match errors.len() {
            0 => Ok(()),
            1 => Err(errors.remove(0)),
            _ => Err(Self::Several(errors)),
        }
    }
}

fn quoted(names: &[String]) -> String {
    const SHOWN: usize = 20;
    if names.is_empty() {
        return "nothing".to_owned();
    }
    let mut text = names
        .iter()
        .take(SHOWN)
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}

fn lines(errors: &[RegisterError]) -> String {
    errors
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}
