//! What a hook takes, and what it may return.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::context::{FromExecution, Need};
use crate::error::{ToolError, code};
use crate::execution::ToolExecution;
use crate::from_arg::FromArg;
use crate::future::MaybeFuture;
use crate::hook::{PostDecision, PostOutcome};
use crate::output::Read;
use crate::result::ToolResult;
use crate::value::{ErasedValue, Stored};

/// A value: the body's own, or read from the JSON that a hook put in its place.
pub enum Held<'a, T> {
    /// The body's own.
    Own(&'a T),
    /// Read again.
    Read(T),
}

impl<T> Held<'_, T> {
    /// The value.
    pub fn get(&self) -> &T {
        match self {
            Self::Own(value) => value,
            Self::Read(value) => value,
        }
    }
}

/// A parameter of the tool, to be taken as the hook does.
pub struct Arg<'a, S>(pub &'a S);

impl<'a, S> Arg<'a, S> {
    /// The parameter, as the hook takes it.
    pub fn take<H: FromArg<'a, S>>(self) -> H {
        H::from_arg(self.0)
    }
}

/// An output that a hook can look at also after another hook has replaced it by JSON.
#[diagnostic::on_unimplemented(
    message = "the value of this tool, a `{Self}`, cannot be read back from JSON",
    label = "another hook may have replaced it by JSON",
    note = "derive `serde::Deserialize` for it, or take `result: &ToolResult` and look at its JSON"
)]
pub trait ReadBack: Sized + 'static {
    /// Reads it.
    ///
    /// # Errors
    ///
    /// What its `Deserialize` says.
    fn read(json: &Value) -> Result<Self, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + 'static> ReadBack for T {
    fn read(json: &Value) -> Result<Self, ToolError> {
        T::deserialize(json).map_err(ToolError::from)
    }
}

/// The value of a success, for a hook that takes it; `None` for a failure.
///
/// # Errors
///
/// If a hook replaced it by JSON that cannot be read as the tool's output.
pub fn value<O: ReadBack>(result: &ToolResult) -> Result<Option<Held<'_, O>>, ToolError> {
    result
        .stored()
        .map(|stored| held(stored, Some(O::read)))
        .transpose()
}

pub(super) fn held<O: 'static>(
    stored: &Stored,
    read: Option<Read<O>>,
) -> Result<Held<'_, O>, ToolError> {
    if let Some(value) = stored.downcast::<O>() {
        return Ok(Held::Own(value));
    }
    let read = read.ok_or_else(|| {
        ToolError::coded(
            code::INVALID_TOOL_OUTPUT,
            "a hook replaced the value by JSON, and the tool's output cannot be read from that: derive `serde::Deserialize`",
        )
    })?;
    read(stored.to_json()).map(Held::Read)
}

/// What a hook after the body can take by reference: anything of [`FromExecution`], and the result.
#[diagnostic::on_unimplemented(
    message = "`&{Self}` is not context for a hook",
    label = "not context, and not a parameter",
    note = "a hook takes `&ToolExecution`, `&ToolResult`, `&State<T>`, `&CallId`, or any `&T` where `T: FromExecution`"
)]
pub trait FromResult: 'static {
    /// Finds it.
    ///
    /// # Errors
    ///
    /// If this execution has none; the hook fails with it.
    fn from_result<'a>(
        execution: &'a ToolExecution,
        result: &'a ToolResult,
    ) -> Result<&'a Self, ToolError>;

    /// The state without which it can never be found.
    fn need() -> Option<Need> {
        None
    }
}

#[diagnostic::do_not_recommend]
impl<T: FromExecution> FromResult for T {
    fn from_result<'a>(
        execution: &'a ToolExecution,
        _: &'a ToolResult,
    ) -> Result<&'a Self, ToolError> {
        T::from_execution(execution)
    }

    fn need() -> Option<Need> {
        <T as FromExecution>::need()
    }
}

impl FromResult for ToolResult {
    fn from_result<'a>(
        _: &'a ToolExecution,
        result: &'a ToolResult,
    ) -> Result<&'a Self, ToolError> {
        Ok(result)
    }
}

/// What a typed post-execute hook may return: a decision whose value is the tool's output, or JSON.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a decision about a result of this tool",
    label = "the tool's output is `{Output}`",
    note = "return `PostDecision<{Output}>`, `PostDecision`, or a `Result` of one of these"
)]
pub trait Reviewed<Output, const UNTYPED: bool> {
    /// The decision.
    ///
    /// # Errors
    ///
    /// The hook's own.
    fn reviewed(self) -> Result<PostOutcome, ToolError>;
}

impl<Output: ErasedValue + 'static> Reviewed<Output, false> for PostDecision<Output> {
    fn reviewed(self) -> Result<PostOutcome, ToolError> {
        PostOutcome::typed(self)
    }
}

impl<Output> Reviewed<Output, true> for PostDecision<Value> {
    fn reviewed(self) -> Result<PostOutcome, ToolError> {
        PostOutcome::json(self)
    }
}

impl<D, E, Output, const UNTYPED: bool> Reviewed<Output, UNTYPED> for Result<D, E>
where
    D: Reviewed<Output, UNTYPED>,
    E: Into<ToolError>,
{
    fn reviewed(self) -> Result<PostOutcome, ToolError> {
        self.map_err(Into::into)?.reviewed()
    }
}

/// The answer of a hook that started, or the reason why it could not.
pub fn started<T>(
    hook: Result<MaybeFuture<'_, Result<T, ToolError>>, ToolError>,
) -> MaybeFuture<'_, Result<T, ToolError>> {
    hook.unwrap_or_else(|error| MaybeFuture::ready(Err(error)))
}

/// A result that stays as it is: what a hook that has nothing to look at says.
pub fn accepted() -> PostOutcome {
    PostOutcome {
        action: crate::hook::PostAction::Accept,
        contexts: Vec::new(),
    }
}

/// What an observer says.
pub type Unit = ();
