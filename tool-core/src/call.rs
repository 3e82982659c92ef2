//! A call as a model makes it, before the pipeline has looked at it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::Value;
use smol_str::SmolStr;
use tokio_util::sync::CancellationToken;

use crate::cancellation::Cancellation;
use crate::contain::contain;
use crate::execution::ToolExecution;
use crate::id::{CallId, ExecutionToken};
use crate::intake::LEVEL;
use crate::observe::MaybeSpan;
use crate::scope::Scope;

/// Arguments as they arrive: the text a model wrote, or a JSON value. Not yet looked at.
#[derive(Clone, Debug, PartialEq)]
pub enum RawArguments {
    /// JSON text, as models send it.
    Text(String),
    /// A JSON value.
    Json(Value),
}

impl RawArguments {
    /// Takes them away.
    pub(crate) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::Text(String::new()))
    }
}

impl From<&str> for RawArguments {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for RawArguments {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Value> for RawArguments {
    fn from(value: Value) -> Self {
        Self::Json(value)
    }
}

impl From<&Value> for RawArguments {
    fn from(value: &Value) -> Self {
        Self::Json(value.clone())
    }
}

/// One call: an id, a tool's name, arguments; and who calls.
///
/// ```
/// use tool_core::ToolCall;
///
/// let call = ToolCall::new("call_1", "hello", r#"{"name":"Ada"}"#);
/// assert_eq!(call.name(), "hello");
/// ```
#[doc(alias = "ToolExecutionInput")]
#[must_use = "a call does nothing until it is executed"]
pub struct ToolCall {
    /// Where it will run: what the pipeline learns of a call is put beside what its caller said, so
    /// that a call is made in one place and never copied. Nobody else has it before it begins.
    pub(crate) execution: Arc<ToolExecution>,
}

/// What its caller says of a call.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) call_id: CallId,
    pub(crate) name: SmolStr,
    pub(crate) arguments: RawArguments,
    pub(crate) scope: Option<Scope>,
    pub(crate) cancellation: Cancellation,
    pub(crate) progress: Option<ProgressSink>,
    /// Where it comes from, if not from a model.
    origin: Option<Box<Origin>>,
    pub(crate) trail: Option<bool>,
    /// Whether a program made it, or a body that a program started.
    pub(crate) in_program: bool,
}

/// What a call that serves another one has of it.
#[derive(Clone, Default)]
pub(crate) struct Origin {
    parent: Option<ExecutionToken>,
    root: Option<CallId>,
    /// The stack around it, see `intake::MAX_NESTING`.
    nesting: u32,
    /// What is held while an approver is asked about it, or about a call it makes.
    pub(crate) asking: Option<Asking>,
    /// The span of the call whose body makes this one.
    pub(crate) span: MaybeSpan,
}

impl Request {
    pub(crate) fn origin(&self) -> Option<&Origin> {
        self.origin.as_deref()
    }

    pub(crate) fn origin_mut(&mut self) -> &mut Origin {
        self.origin.get_or_insert_default()
    }

    pub(crate) fn parent(&self) -> Option<ExecutionToken> {
        self.origin()?.parent
    }

    /// The id of the outermost call.
    pub(crate) fn root(&self) -> &CallId {
        let root = self.origin().and_then(|origin| origin.root.as_ref());
        root.unwrap_or(&self.call_id)
    }

    pub(crate) fn nesting(&self) -> u32 {
        self.origin().map_or(0, |origin| origin.nesting)
    }

    pub(crate) fn asking(&self) -> Option<&Asking> {
        self.origin()?.asking.as_ref()
    }
}

impl ToolCall {
    /// A call. `arguments` is the JSON text a model wrote, or a JSON value; nothing is checked yet.
    pub fn new(
        call_id: impl Into<CallId>,
        name: impl AsRef<str>,
        arguments: impl Into<RawArguments>,
    ) -> Self {
        Self::made(call_id.into(), SmolStr::new(name), arguments.into())
    }

    /// What [`new`](Self::new) does, compiled once.
    fn made(call_id: CallId, name: SmolStr, arguments: RawArguments) -> Self {
        Self::of(Request {
            call_id,
            name,
            arguments,
            scope: None,
            cancellation: Cancellation::never(),
            progress: None,
            origin: None,
            trail: None,
            in_program: false,
        })
    }

    fn of(request: Request) -> Self {
        Self {
            execution: Arc::new(ToolExecution::new(request)),
        }
    }

    pub(crate) fn request(&self) -> &Request {
        &self.execution.request
    }

    pub(crate) fn request_mut(&mut self) -> &mut Request {
        &mut self.execution_mut().request
    }

    pub(crate) fn execution_mut(&mut self) -> &mut ToolExecution {
        Arc::get_mut(&mut self.execution).expect("nobody else has a call that has not begun")
    }

    /// Calls in a scope instead of in the runtime itself.
    pub fn scope(mut self, scope: &Scope) -> Self {
        self.request_mut().scope = Some(scope.clone());
        self
    }

    /// Gives the call a cancel signal. Several are fused: any of them cancels.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), tool_core::RegisterError> {
    /// use tokio_util::sync::CancellationToken;
    /// use tool_core::{ToolCall, ToolRuntime, tool};
    ///
    /// /// Greets.
    /// #[tool]
    /// fn hello(name: String) -> String { format!("Hello, {name}!") }
    ///
    /// let runtime = ToolRuntime::builder().tool(hello {}).build()?;
    /// let stop = CancellationToken::new();
    /// stop.cancel();
    /// let call = ToolCall::new("call_1", "hello", r#"{"name":"Ada"}"#).cancel(stop);
    /// let result = runtime.execute(call).await;
    /// assert_eq!(result.error().unwrap().code(), "ABORTED_BEFORE_DISPATCH");
    /// # Ok(())
    /// # }
    /// ```
    pub fn cancel(mut self, token: CancellationToken) -> Self {
        let request = self.request_mut();
        request.cancellation = request.cancellation.fused_with(token);
        self
    }

    /// Names the execution that this call serves.
    pub fn parent(mut self, parent: ExecutionToken) -> Self {
        self.request_mut().origin_mut().parent = Some(parent);
        self
    }

    /// Names the outermost call that this call serves; without it the call is its own root.
    pub fn root(mut self, root: impl Into<CallId>) -> Self {
        self.request_mut().origin_mut().root = Some(root.into());
        self
    }

    /// Whether the result carries a [`Trail`](crate::Trail), whatever the runtime's default is.
    pub fn trail(mut self, on: bool) -> Self {
        self.request_mut().trail = Some(on);
        self
    }

    /// Receives what the body reports through [`RunContext::progress`](crate::RunContext::progress).
    ///
    /// # Examples
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), tool_core::RegisterError> {
    /// use std::sync::{Arc, Mutex};
    /// use tool_core::{RunContext, ToolCall, ToolRuntime, tool};
    ///
    /// /// Copies.
    /// #[tool]
    /// async fn copy(cx: &RunContext) -> String {
    ///     cx.progress(0.5, "half of it");
    ///     "done".into()
    /// }
    ///
    /// let runtime = ToolRuntime::builder().tool(copy {}).build()?;
    /// let shown = Arc::new(Mutex::new(Vec::new()));
    /// let sink = shown.clone();
    /// let call = ToolCall::new("call_1", "copy", "{}")
    ///     .on_progress(move |progress| sink.lock().unwrap().push((progress.fraction, progress.message)));
    /// runtime.execute(call).await;
    /// assert_eq!(*shown.lock().unwrap(), [(0.5, "half of it".to_owned())]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_progress(mut self, sink: impl Fn(Progress) + Send + Sync + 'static) -> Self {
        self.request_mut().progress = Some(ProgressSink(Arc::new(sink)));
        self
    }

    /// The call's id.
    pub fn call_id(&self) -> &CallId {
        &self.request().call_id
    }

    /// The tool's name.
    pub fn name(&self) -> &str {
        &self.request().name
    }

    /// The arguments as they came.
    pub fn arguments(&self) -> &RawArguments {
        &self.request().arguments
    }

    pub(crate) fn nested_in(mut self, outer: &ToolExecution, signal: &Cancellation) -> Self {
        let inner = self.request_mut();
        inner.scope.clone_from(&outer.request.scope);
        inner.cancellation = inner.cancellation.fused_with_all(signal);
        inner.trail = inner.trail.or(Some(outer.recorder.is_some()));
        inner.in_program |= outer.request.in_program;
        let origin = inner.origin_mut();
        origin.parent = Some(outer.token);
        origin.root = Some(outer.request.root().clone());
        let level = LEVEL.saturating_add(outer.wrappers.load(Ordering::Relaxed));
        origin.nesting = outer.request.nesting().saturating_add(level);
        let asking = || outer.request.asking().cloned();
        origin.asking = origin.asking.take().or_else(asking);
        origin.span = outer.running.span();
        self
    }
}

/// The same call once more: it will be an execution of its own.
impl Clone for ToolCall {
    fn clone(&self) -> Self {
        Self::of(self.request().clone())
    }
}

impl fmt::Debug for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall")
            .field("call_id", self.call_id())
            .field("name", &self.name())
            .field("arguments", self.arguments())
            .finish_non_exhaustive()
    }
}

/// How far a body has come.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// The call that reports.
    pub call_id: CallId,
    /// The part that is done, from 0 to 1, as the body says.
    pub fraction: f64,
    /// What it is doing.
    pub message: String,
}

#[derive(Clone)]
pub(crate) struct ProgressSink(Arc<dyn Fn(Progress) + Send + Sync>);

impl ProgressSink {
    pub(crate) fn report(&self, progress: Progress) {
        (self.0)(progress);
    }
}

/// Makes something that is held as long as an approver is asked.
#[derive(Clone)]
pub(crate) struct Asking(pub(crate) Arc<dyn Fn() -> Box<dyn Send> + Send + Sync>);

impl Asking {
    pub(crate) fn begin(&self) -> Option<Box<dyn Send>> {
        contain(|| (self.0)()).ok()
    }
}
