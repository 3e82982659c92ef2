//! Calls without a model.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;

use super::sample::{SampleError, sample};
use super::script::ScriptedModel;
use crate::call::{RawArguments, ToolCall};
use crate::definition::IntoDefinition;
use crate::result::ToolResult;
use crate::runtime::{ToolRuntime, ToolRuntimeBuilder};
use crate::scope::Scope;
use crate::typed_call::{self, TypedCall};

/// Runs tools through the whole pipeline: calls are named `call_1`, `call_2` and so on, and every
/// result has its trail.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use serde_json::json;
/// use tool_core::testing::Harness;
/// use tool_core::tool;
///
/// /// Adds two numbers.
/// #[tool(args = AddArgs)]
/// fn add(a: i64, b: i64) -> i64 { a + b }
///
/// let harness = Harness::tool(add {});
/// // As a model calls it: text or JSON, right or wrong.
/// let result = harness.call("add", json!({"a": 1, "b": "2"})).await;
/// assert_eq!(result.text(), "3");
/// // As a program calls it.
/// let result = harness.call_typed::<add>(AddArgs { a: 1, b: 2 }).await;
/// assert_eq!(result.value_as::<add>(), Some(&3));
/// # }
/// ```
pub struct Harness {
    runtime: ToolRuntime,
    scope: Option<Scope>,
    calls: AtomicU64,
}

impl Harness {
    /// One tool alone.
    ///
    /// # Panics
    ///
    /// If it cannot be registered, with all that is wrong.
    #[track_caller]
    pub fn tool(tool: impl IntoDefinition) -> Self {
        Self::new(ToolRuntime::builder().tool(tool))
    }

    /// A whole pipeline: tools, hooks, states and settings.
    ///
    /// # Panics
    ///
    /// If it cannot be built, with all that is wrong.
    #[track_caller]
    pub fn new(builder: ToolRuntimeBuilder) -> Self {
        match builder.build() {
            Ok(runtime) => Self::of(&runtime),
            Err(error) => panic!("the runtime under test cannot be built: {error}"),
        }
    }

    /// A runtime that is there, such as the one of the application.
    pub fn of(runtime: &ToolRuntime) -> Self {
        Self {
            runtime: runtime.clone(),
            scope: None,
            calls: AtomicU64::new(0),
        }
    }

    /// Calls in a scope instead of in the runtime itself.
    #[must_use]
    pub fn scope(mut self, scope: &Scope) -> Self {
        self.scope = Some(scope.clone());
        self
    }

    /// The runtime under test.
    pub fn runtime(&self) -> &ToolRuntime {
        &self.runtime
    }

    /// Calls a tool by name. Arguments are JSON text or a JSON value, and may be wrong.
    pub async fn call(
        &self,
        tool: impl AsRef<str>,
        arguments: impl Into<RawArguments>,
    ) -> ToolResult {
        self.run(self.prepare(tool, arguments)).await
    }

    /// Calls a tool with typed arguments.
    pub async fn call_typed<T: TypedCall>(&self, arguments: T::Args) -> ToolResult {
        match typed_call::arguments_text::<T>(&arguments) {
            Ok(text) => self.call(typed_call::name::<T>(), text).await,
            Err(error) => ToolResult::failure(error),
        }
    }

    /// Calls a tool with arguments made from its schema, see [`sample`].
    ///
    /// # Panics
    ///
    /// If there is no such tool, or no arguments are found that fit.
    pub async fn call_sample(&self, tool: &str) -> ToolResult {
        match self.sample(tool) {
            Ok(arguments) => self.call(tool, arguments).await,
            Err(error) => panic!("tool `{tool}` cannot be called with a sample: {error}"),
        }
    }

    /// Arguments that fit a tool's schema.
    ///
    /// # Errors
    ///
    /// If there is no such tool, or none are found.
    pub fn sample(&self, tool: &str) -> Result<Value, SampleError> {
        let catalog = match &self.scope {
            Some(scope) => scope.catalog(),
            None => self.runtime.catalog(),
        };
        match catalog.iter().find(|schema| schema.name == tool) {
            Some(schema) => sample(&schema.parameters),
            None => Err(SampleError::no_tool(
                tool,
                catalog.iter().map(|schema| &*schema.name),
            )),
        }
    }

    /// A call with the next id, the scope and a trail, to which more may be added before it
    /// is [`run`](Self::run): a signal, a progress sink.
    pub fn prepare(&self, tool: impl AsRef<str>, arguments: impl Into<RawArguments>) -> ToolCall {
        let number = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        self.adopt(ToolCall::new(format!("call_{number}"), tool, arguments))
    }

    /// Runs a call.
    pub async fn run(&self, call: ToolCall) -> ToolResult {
        self.runtime.execute(call).await
    }

    /// Plays what is left of a script: the calls of each turn as one batch. Ask the script afterwards
    /// whether it [`is complete`](ScriptedModel::assert_complete).
    ///
    /// # Panics
    ///
    /// At the first turn whose results are not the expected ones.
    pub async fn play(&self, model: &mut ScriptedModel) {
        while let Some(calls) = model.next_calls() {
            let calls = calls.into_iter().map(|call| self.adopt(call));
            let results = self.runtime.execute_batch(calls).await;
            model.answer(&results);
        }
    }

    fn adopt(&self, call: ToolCall) -> ToolCall {
        let call = call.trail(true);
        match &self.scope {
            Some(scope) => call.scope(scope),
            None => call,
        }
    }
}

impl fmt::Debug for Harness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Harness")
            .field("runtime", &self.runtime)
            .field("scope", &self.scope)
            .finish_non_exhaustive()
    }
}
