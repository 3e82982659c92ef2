//! What a body or a hook may take by reference beside its arguments.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::cancellation::Cancellation;
use crate::error::ToolError;
use crate::execution::{RunContext, ToolExecution};
use crate::id::CallId;

/// A value the runtime was given once, for every tool and hook that asks for it.
///
/// Given with `.state(db)` on the builder, taken as `&State<Db>`; derefs to the value.
///
/// ```
/// use tool_core::{State, ToolCall, ToolRuntime, tool};
///
/// struct Db(&'static str);
///
/// /// Names the database.
/// #[tool]
/// fn which(db: &State<Db>) -> String {
///     db.0.to_owned()
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let runtime = ToolRuntime::builder().state(Db("main")).tool(which {}).build().unwrap();
/// let result = runtime.execute(ToolCall::new("call_1", "which", "{}")).await;
/// assert_eq!(result.text(), "main");
/// # }
/// ```
pub struct State<T>(T);

impl<T> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: fmt::Debug> fmt::Debug for State<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("State").field(&self.0).finish()
    }
}

/// The states of a runtime, by type.
#[derive(Clone, Default)]
pub(crate) struct States(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl States {
    pub(crate) fn insert<T: Send + Sync + 'static>(&mut self, state: T) {
        self.0.insert(TypeId::of::<T>(), Arc::new(State(state)));
    }

    pub(crate) fn get<T: Send + Sync + 'static>(&self) -> Option<&State<T>> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref()
    }

    pub(crate) fn has(&self, id: TypeId) -> bool {
        self.0.contains_key(&id)
    }
}

/// A state that a tool or hook cannot do without.
#[derive(Clone, Copy, Debug)]
pub struct Need {
    pub(crate) id: TypeId,
    pub(crate) name: &'static str,
}

impl Need {
    /// The need for a `State<T>`.
    pub fn state<T: 'static>() -> Self {
        Self {
            id: TypeId::of::<T>(),
            name: type_name::<T>(),
        }
    }
}

/// A type that a hook can take by reference: [`State`], [`CallId`], [`ToolExecution`], or one of
/// your own that it finds in them. A body can take it too.
///
/// ```
/// use tool_core::{FromExecution, ToolError, ToolExecution};
///
/// struct Tenant(String);
///
/// impl FromExecution for Tenant {
///     fn from_execution(execution: &ToolExecution) -> Result<&Self, ToolError> {
///         execution.state::<Tenant>().ok_or_else(|| "no tenant".into())
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`&{Self}` is not context for a hook",
    label = "not context, and not a parameter",
    note = "a hook takes `&ToolExecution`, `&State<T>`, `&CallId`, or any `&T` where `T: FromExecution`"
)]
pub trait FromExecution: Send + Sync + 'static {
    /// Finds it.
    ///
    /// # Errors
    ///
    /// If this execution has none; the hook fails with it.
    fn from_execution(execution: &ToolExecution) -> Result<&Self, ToolError>;

    /// The state without which it can never be found; missing, the registration is refused.
    fn need() -> Option<Need> {
        None
    }
}

/// A type that a body can take by reference: anything of [`FromExecution`], [`RunContext`], [`Cancellation`].
#[diagnostic::on_unimplemented(
    message = "`&{Self}` is not context, and an argument must be owned",
    label = "neither context nor an argument",
    note = "take an owned value for an argument of the model: `String` for `&str`, `Vec<T>` for `&[T]`",
    note = "context is `&RunContext`, `&State<T>` (given with `.state(value)`), `&Cancellation`, `&CallId`, or any `&T` where `T: FromContext`"
)]
pub trait FromContext: Send + Sync + 'static {
    /// Finds it.
    ///
    /// # Errors
    ///
    /// If this call has none; the call fails with it.
    fn from_context(cx: &RunContext) -> Result<&Self, ToolError>;

    /// The state without which it can never be found; missing, the registration is refused.
    fn need() -> Option<Need> {
        None
    }
}

#[diagnostic::do_not_recommend]
impl<T: FromExecution> FromContext for T {
    fn from_context(cx: &RunContext) -> Result<&Self, ToolError> {
        T::from_execution(cx.execution())
    }

    fn need() -> Option<Need> {
        <T as FromExecution>::need()
    }
}

impl FromContext for RunContext {
    fn from_context(cx: &RunContext) -> Result<&Self, ToolError> {
        Ok(cx)
    }
}

impl FromContext for Cancellation {
    fn from_context(cx: &RunContext) -> Result<&Self, ToolError> {
        Ok(cx.cancellation())
    }
}

impl FromExecution for ToolExecution {
    fn from_execution(execution: &ToolExecution) -> Result<&Self, ToolError> {
        Ok(execution)
    }
}

impl FromExecution for CallId {
    fn from_execution(execution: &ToolExecution) -> Result<&Self, ToolError> {
        Ok(execution.call_id())
    }
}

impl<T: Send + Sync + 'static> FromExecution for State<T> {
    fn from_execution(execution: &ToolExecution) -> Result<&Self, ToolError> {
        execution
            .shared()
            .states
            .get::<T>()
            .ok_or_else(|| format!("`State<{}>` was not given", type_name::<T>()).into())
    }

    fn need() -> Option<Need> {
        Some(Need::state::<T>())
    }
}
