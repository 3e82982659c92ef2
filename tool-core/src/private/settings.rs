//! What `#[tool(...)]` sets beside name and description.

use std::sync::Arc;

use super::hooks::held;
use crate::card::{CallCard, ResultCard};
use crate::content::IntoContent;
use crate::definition::{
    CallArguments, Concurrency, IntoFinal, IntoMeta, IntoSafe, ToolDefinition,
};
use crate::error::ToolError;
use crate::execution::ToolExecution;
use crate::result::ToolResult;
use crate::tool::Tool;
use crate::value::Stored;

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
    definition.concurrency = Concurrency::When(Arc::new(classify));
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
