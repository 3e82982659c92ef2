//! Tools built by hand from JSON Schemas and a closure: from a server, a configuration, a plugin.

use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use serde_json::Value;

use crate::body::{Prepared, Receiver, Started};
use crate::definition::{Body, BodyOutcome, Permit, SchemaSource, ToolDefinition};
use crate::error::{Location, ToolError};
use crate::execution::{BoxedArguments, RunContext};
use crate::future::MaybeFuture;
use crate::output::ToolOutput;
use crate::value::ErasedValue;

/// A dynamic tool that has no body yet; [`handler`](Self::handler) completes it.
#[must_use = "a dynamic tool needs a handler"]
pub struct DynamicTool {
    pub(crate) name: Cow<'static, str>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) parameters: SchemaSource,
    pub(crate) output: SchemaSource,
    pub(crate) location: Location,
}

impl DynamicTool {
    /// The body: an async closure from arguments and context to a JSON value, or a `Result` of one.
    ///
    /// It gets arguments that fit the parameters; what it returns is checked against the output schema.
    pub fn handler<F, Fut>(self, handler: F) -> ToolDefinition
    where
        F: Fn(Value, RunContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output: IntoDynamicOutput> + Send + 'static,
    {
        let body = Arc::new(DynamicBody(handler));
        let schemas = (self.parameters, self.output);
        ToolDefinition::new(self.name, self.description, schemas, body, self.location)
    }
}

impl fmt::Debug for DynamicTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynamicTool")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

struct DynamicBody<F>(F);

impl<F, Fut> Body for DynamicBody<F>
where
    F: Fn(Value, RunContext) -> Fut + Send + Sync + 'static,
    Fut: Future<Output: IntoDynamicOutput> + Send + 'static,
{
    fn decode(&self, _text: &str) -> Result<BoxedArguments, ToolError> {
        // Dynamic arguments have no type beyond JSON, and that is read from the execution.
        Ok(Box::new(Untyped))
    }

    fn run<'a>(
        &'a self,
        permit: Permit,
        _arguments: Option<BoxedArguments>,
        cx: &'a RunContext,
    ) -> MaybeFuture<'a, BodyOutcome> {
        if let Err(error) = permit.redeem(self) {
            return MaybeFuture::ready(Err(error));
        }
        let running = (self.0)(cx.arguments().clone(), cx.clone());
        MaybeFuture::boxed(async move { running.await.into_dynamic_output() })
    }
}

/// Arguments that nobody takes: the handler reads the execution's.
struct Untyped;

impl Prepared for Untyped {
    fn start<'a>(&mut self, _: Receiver<'a>, _: &'a RunContext) -> Started<'a> {
        Err(ToolError::new("a dynamic tool is started by its handler"))
    }
}

/// What the handler of a dynamic tool may return: a JSON value, a [`ToolOutput`], or a `Result` of these.
#[diagnostic::on_unimplemented(
    message = "the handler of a dynamic tool cannot return `{Self}`",
    label = "not a JSON value",
    note = "return `serde_json::Value`, `ToolOutput`, or `Result` of these; `serde_json::to_value(x)` makes a value of any `Serialize`"
)]
pub trait IntoDynamicOutput {
    /// The value, or the failure.
    ///
    /// # Errors
    ///
    /// The handler's own.
    fn into_dynamic_output(self) -> BodyOutcome;
}

impl IntoDynamicOutput for Value {
    fn into_dynamic_output(self) -> BodyOutcome {
        Ok(Arc::new(self) as Arc<dyn ErasedValue>)
    }
}

impl IntoDynamicOutput for ToolOutput {
    fn into_dynamic_output(self) -> BodyOutcome {
        Ok(Arc::new(self) as Arc<dyn ErasedValue>)
    }
}

impl<T: IntoDynamicOutput, E: Into<ToolError>> IntoDynamicOutput for Result<T, E> {
    fn into_dynamic_output(self) -> BodyOutcome {
        self.map_err(Into::into)?.into_dynamic_output()
    }
}
