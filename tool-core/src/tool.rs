//! Typed tools: what `#[tool]` implements, and how a handle becomes a definition.

use std::any::TypeId;
use std::sync::Arc;

use crate::body::{Decoded, Receiver, Shared, Started, TypedBody};
use crate::decode::Source;
use crate::definition::{Handle, ToolDefinition};
use crate::error::{ToolError, code};
use crate::execution::{RunContext, ToolExecution};
use crate::hook::HookInfo;
use crate::info::{Info, Typed};
use crate::output::{Read, Ruled, Settle};
use crate::prepare::Twins;
use crate::typed_call::Object;

/// A typed tool. `#[tool]` implements it for the handle it makes of a function: `hello {}` is a value
/// of it, `hello` its name in `tool = hello`, `execution.args::<hello>()` and `result.value_as::<hello>()`.
///
/// ```
/// use tool_core::{Tool, tool};
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// assert_eq!(add(1, 2), 3);
/// let definition = add {}.definition().title("Addition");
/// # let _ = definition;
/// # fn output<T: Tool<Output = i64>>(_: T) {}
/// # output(add {});
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a typed tool",
    label = "not the handle of a `#[tool]` function",
    note = "name the function itself: `hello` for `#[tool] fn hello(..)`"
)]
pub trait Tool: Sized + Send + Sync + 'static {
    /// The arguments: one public field for each parameter, or the type of `#[args]`.
    type Args: Send + Sync + 'static;

    /// The value of a success.
    type Output: 'static;

    /// How it is registered; its methods change what the attribute says.
    fn definition(self) -> ToolDefinition {
        define::<Self>(None)
    }

    /// What the function returns, and what that is.
    #[doc(hidden)]
    type Rule: Ruled<Success = Self::Output>;

    #[doc(hidden)]
    const SETTLE: &'static Settle<Self::Rule>;

    #[doc(hidden)]
    const INFO: &'static Info;

    /// Reads the output back from JSON, where its type can.
    #[doc(hidden)]
    const READ: Option<Read<Self::Output>> = None;

    #[doc(hidden)]
    const TYPED: &'static Typed = &Typed {
        info: Self::INFO,
        output: Self::SETTLE.output,
        decode: Self::decode,
        handle: Handle {
            id: TypeId::of::<Self>(),
            output: TypeId::of::<Self::Output>(),
            name: Self::INFO.handle,
        },
    };

    #[doc(hidden)]
    fn decode(source: &mut Source<'_>) -> Decoded;

    #[doc(hidden)]
    fn encode(_arguments: &Self::Args, _object: &mut Object) -> Result<(), ToolError> {
        Ok(())
    }

    #[doc(hidden)]
    fn start<'a>(arguments: Self::Args, receiver: Receiver<'a>, cx: &'a RunContext) -> Started<'a>;

    /// What the attribute says beside name and description.
    #[doc(hidden)]
    fn settings(definition: ToolDefinition) -> ToolDefinition {
        definition
    }

    // What a typed hook asks its tool for. All of it goes through the trait's own path, so that a
    // type that is no tool is one error.

    #[doc(hidden)]
    fn bind(hook: HookInfo) -> HookInfo {
        hook.bound_to::<Self>()
    }

    /// The arguments, after the body: a call that failed at intake has none.
    #[doc(hidden)]
    fn seen(execution: &ToolExecution) -> Option<&Self::Args> {
        execution.args::<Self>()
    }

    /// The arguments, before the body: they are there, or the call would not have come so far.
    #[doc(hidden)]
    fn arguments(execution: &ToolExecution) -> Result<&Self::Args, ToolError> {
        execution.args::<Self>().ok_or_else(|| {
            ToolError::coded(
                code::HOOK_FAILED,
                "the arguments are not those of the hook's tool",
            )
        })
    }
}

/// The definition of a tool. `receiver` is the instance its method is called on.
pub fn define<T: Tool>(receiver: Option<Shared>) -> ToolDefinition {
    let alone = receiver.is_none();
    let mut definition = T::settings(definition(T::TYPED, receiver));
    if alone {
        definition.twins = Twins::OfHandle(TypeId::of::<T>());
    }
    definition
}

fn definition(typed: &'static Typed, receiver: Option<Shared>) -> ToolDefinition {
    let info = typed.info;
    let mut definition = ToolDefinition::new(
        info.name.into(),
        info.description.into(),
        typed.schemas(),
        Arc::new(TypedBody::new(typed, receiver)),
        info.location,
    );
    definition.needs = info.needs.iter().filter_map(|need| need()).collect();
    definition.handle = Some(typed.handle);
    definition
}

/// A list of definitions, from handles: what `.tools(..)` takes.
///
/// ```
/// use tool_core::{ToolRuntime, tool, tools};
///
/// mod math {
///     /// Adds.
///     #[tool_core::tool]
///     pub fn add(a: i64, b: i64) -> i64 {
///         a + b
///     }
/// }
///
/// /// Negates.
/// #[tool]
/// fn negate(a: i64) -> i64 {
///     -a
/// }
///
/// let runtime = ToolRuntime::builder().tools(tools![math::add, negate]).build().unwrap();
/// assert_eq!(runtime.schemas().len(), 2);
/// ```
#[macro_export]
macro_rules! tools {
    ($($($path:ident)::+ $({})?),* $(,)?) => {
        [$($crate::IntoDefinition::into_definition($($path)::+ {})),*]
    };
}
