//! What generated code names, and nothing else. Not part of the public interface: the macros are
//! released together with this crate and pinned to it.

use serde::Serialize;
use serde::de::DeserializeOwned;

// `#[tool]`
pub use crate::context::{FromContext, FromExecution, Need};
pub use crate::definition::{OnCancel, ToolDefinition};
pub use crate::error::{Location, ToolError};
pub use crate::execution::{RunContext, ToolExecution};
pub use crate::output::Read;
pub use crate::output::{Otherwise, Probe, Rule, Ruled, Settle, Unreadable, kind, settle};
pub use crate::param::{Property, Refined, witness};
pub use crate::tool::{
    Info, Object, Parameters, Receiver, Running, Tool, Writes, all, define, done, pending,
};
pub use core::convert::From;
pub use core::option::Option::{self, None, Some};
pub use core::primitive::str;
pub use core::result::Result::{self, Ok};
pub use core::time::Duration;
pub use serde_json::Value;

// `#[toolbox]`
pub use crate::tool::{Install, Toolbox};
pub use std::sync::Arc;

// Hooks.
pub use crate::from_arg::FromArg;
pub use crate::future::MaybeFuture;
pub use crate::hook::{
    AroundExecute, Decision, Guard, HookInfo, IntoAroundResult, IntoDecision, IntoObserved,
    IntoPostOutcome, IntoVerdict, OnResult, PostDecision, PostExecute, PostOutcome, PreExecute,
    Verdict,
};
pub use crate::pipeline::Next;
pub use crate::result::ToolResult;
pub use core::future::Future;

use crate::card::{CallCard, ResultCard};
use crate::content::IntoContent;
use crate::definition::{CallArguments, IntoFinal, IntoMeta, IntoSafe};
use crate::error::code;
use crate::param::{self, AnySlot, Witness};
use crate::value::{ErasedValue, Stored};

/// A property, refused at its type if JSON cannot carry it.
#[expect(clippy::needless_pass_by_value, reason = "a witness is used up")]
#[track_caller]
pub const fn property<T>(
    name: &'static str,
    docs: &'static str,
    witness: Witness<T>,
    is_wide: bool,
) -> Property {
    assert!(
        !is_wide,
        "JSON numbers cannot carry 128 bits\nhelp: use `String`"
    );
    Property::new(name, docs, witness.ty)
}

/// Refuses a default that could never be seen.
#[track_caller]
pub const fn defaultable(is_optional: bool) {
    assert!(
        !is_optional,
        "`default` has no effect on an `Option` parameter\nhelp: an absent `Option` is `None`; remove one of the two"
    );
}

/// The type of all arguments.
#[expect(clippy::needless_pass_by_value, reason = "a witness is used up")]
pub const fn whole<T>(witness: Witness<T>) -> Parameters {
    Parameters::Whole(witness.ty)
}

/// Reads the arguments of a tool into its slots.
///
/// # Errors
///
/// The first thing that does not fit.
pub fn decode(text: &str, info: &Info, slots: &mut [&mut dyn AnySlot]) -> Result<(), ToolError> {
    param::decode(text, info.properties(), slots)
}

/// A value that is written if its type can be, see [`Unwritten`].
pub struct Written<'a, T>(pub &'a T);

impl<T: Serialize> Written<'_, T> {
    /// Writes it as the property `name`.
    ///
    /// # Errors
    ///
    /// What its `Serialize` says.
    pub fn put(&self, name: &str, object: &mut Object) -> Result<(), ToolError> {
        object.put(name, self.0)
    }

    /// Writes it as the whole object.
    ///
    /// # Errors
    ///
    /// What its `Serialize` says.
    pub fn whole(&self, object: &mut Object) -> Result<(), ToolError> {
        object.whole(self.0)
    }
}

/// The other half of [`Written`]: never called, since such a tool has no typed call.
pub trait Unwritten {
    /// Does nothing.
    ///
    /// # Errors
    ///
    /// Never.
    fn put(&self, _name: &str, _object: &mut Object) -> Result<(), ToolError> {
        Ok(())
    }

    /// Does nothing.
    ///
    /// # Errors
    ///
    /// Never.
    fn whole(&self, _object: &mut Object) -> Result<(), ToolError> {
        Ok(())
    }
}

impl<T> Unwritten for Written<'_, T> {}

// ---- settings of a tool ----

/// `read_only`, `destructive`, `idempotent`, `open_world`.
pub fn hints(mut definition: ToolDefinition, hints: [Option<bool>; 4]) -> ToolDefinition {
    let [read_only, destructive, idempotent, open_world] = hints;
    definition.hints = crate::Hints {
        read_only,
        destructive,
        idempotent,
        open_world,
    };
    definition
}

/// `callers = [direct, code]`.
pub fn callers(mut definition: ToolDefinition, direct: bool, code: bool) -> ToolDefinition {
    definition.callers = crate::Callers { direct, code };
    definition
}

/// `concurrency_safe = path`.
pub fn classify<T: Tool, R: IntoSafe>(
    mut definition: ToolDefinition,
    classify: impl Fn(&T::Args) -> R + Send + Sync + 'static,
) -> ToolDefinition {
    let classify =
        move |arguments: CallArguments<'_>| classify(typed_arguments::<T>(arguments)?).into_safe();
    definition.concurrency = crate::definition::Concurrency::When(Arc::new(classify));
    definition
}

/// `render = path`.
pub fn render<T: Tool, C: IntoContent, A>(
    mut definition: ToolDefinition,
    render: impl Projection<T, C, A>,
) -> ToolDefinition {
    definition.render = Some(Arc::new(
        move |arguments: CallArguments<'_>, value: &Stored| {
            project::<T, C, A>(&render, arguments, value)?.into_content()
        },
    ));
    definition
}

/// `presentation_meta = path`.
pub fn presentation_meta<T: Tool, M: IntoMeta, A>(
    mut definition: ToolDefinition,
    meta: impl Projection<T, M, A>,
) -> ToolDefinition {
    definition.project = Some(Arc::new(
        move |arguments: CallArguments<'_>, value: &Stored| {
            project::<T, M, A>(&meta, arguments, value)?.into_meta()
        },
    ));
    definition
}

fn project<T: Tool, R, A>(
    projection: &impl Projection<T, R, A>,
    arguments: CallArguments<'_>,
    value: &Stored,
) -> Result<R, ToolError> {
    let arguments = typed_arguments::<T>(arguments)?;
    let value = held(value, T::READ)?;
    Ok(projection.project(arguments, value.get()))
}

fn typed_arguments<T: Tool>(arguments: CallArguments<'_>) -> Result<&T::Args, ToolError> {
    arguments
        .typed::<T>()
        .ok_or_else(|| ToolError::new("the arguments are those of another tool"))
}

/// A function of the value, or of the arguments and the value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be given the output of this tool",
    label = "its parameters are not those of a renderer",
    note = "write `fn(&Args, &Output)` or `fn(&Output)`, with the tool's own types"
)]
pub trait Projection<T: Tool, R, A>: Send + Sync + 'static {
    /// What is made of them.
    fn project(&self, arguments: &T::Args, value: &T::Output) -> R;
}

/// Marks a function of the value alone.
pub struct OfValue;

/// Marks a function of the arguments and the value.
pub struct OfBoth;

#[diagnostic::do_not_recommend]
impl<T, R, F> Projection<T, R, OfValue> for F
where
    T: Tool,
    F: Fn(&T::Output) -> R + Send + Sync + 'static,
{
    fn project(&self, _: &T::Args, value: &T::Output) -> R {
        self(value)
    }
}

#[diagnostic::do_not_recommend]
impl<T, R, F> Projection<T, R, OfBoth> for F
where
    T: Tool,
    F: Fn(&T::Args, &T::Output) -> R + Send + Sync + 'static,
{
    fn project(&self, arguments: &T::Args, value: &T::Output) -> R {
        self(arguments, value)
    }
}

/// `finalize_content = path`.
pub fn finalize_content<R: IntoFinal>(
    definition: ToolDefinition,
    finalize: impl Fn(&ToolExecution, &ToolResult) -> R + Send + Sync + 'static,
) -> ToolDefinition {
    definition.finalize_content(finalize)
}

/// `present_call = path`.
pub fn present_call<T: Tool>(
    mut definition: ToolDefinition,
    present: impl Fn(&T::Args) -> CallCard + Send + Sync + 'static,
) -> ToolDefinition {
    definition.present_call = Some(Arc::new(move |execution: &ToolExecution| {
        execution.args::<T>().map(&present)
    }));
    definition
}

/// `present_result = path`.
pub fn present_result<T: Tool>(
    mut definition: ToolDefinition,
    present: impl Fn(&T::Args, &ToolResult) -> ResultCard + Send + Sync + 'static,
) -> ToolDefinition {
    definition.present_result = Some(Arc::new(
        move |execution: &ToolExecution, result: &ToolResult| {
            Some(present(execution.args::<T>()?, result))
        },
    ));
    definition
}

// ---- hooks ----

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

/// A parameter of the tool, as the hook takes it.
pub fn arg<'a, S, H: FromArg<'a, S>>(argument: &'a S) -> H {
    H::from_arg(argument)
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

fn held<O: 'static>(stored: &Stored, read: Option<Read<O>>) -> Result<Held<'_, O>, ToolError> {
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

// ---- mistakes ----

/// Stands where a function that was refused would be called. Such a crate does not compile.
pub fn stand_in<T>() -> T {
    unreachable!("the function was refused at compile time")
}

/// What is known of a function that was refused.
pub const STAND_IN: &Info = &Info::new(
    ["", "", ""],
    Location { file: "", line: 0 },
    Parameters::Each(&[]),
    &[],
);

/// Where a function stands.
pub const fn at(file: &'static str, line: u32) -> Location {
    Location { file, line }
}
