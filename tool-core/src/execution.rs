//! A call inside the pipeline: what hooks see ([`ToolExecution`]) and what a body gets ([`RunContext`]).

use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value;

use crate::batch::SubCalls;
use crate::body::{Prepared, arguments_of};
use crate::call::{Progress, Request, ToolCall};
use crate::cancellation::Cancellation;
use crate::contain::Sheltered;
use crate::content::AdditionalContext;
use crate::definition::Definition;
use crate::digest;
use crate::error::ToolError;
use crate::id::{CallId, ExecutionToken};
use crate::observe::Running;
use crate::result::ToolResult;
use crate::runtime::Shared;
use crate::scope::Scope;
use crate::tool::Tool;
use crate::trail::Recorder;
use crate::typed_call::{self, TypedCall};

/// Arguments behind their type.
pub(crate) type BoxedArguments = Box<dyn Prepared>;

/// Arguments, frozen: one text, read as often as needed, the same for everybody.
pub(crate) struct Frozen {
    pub(crate) text: String,
    /// Boxed, as what follows: few calls have it, and each has room for it.
    json: OnceLock<Box<Value>>,
    /// Decoded at intake; the body takes them when it starts.
    pub(crate) early: Option<Sheltered<BoxedArguments>>,
    /// Decoded again for whoever asks after that.
    late: OnceLock<Box<Option<Sheltered<BoxedArguments>>>>,
}

impl Frozen {
    pub(crate) fn new(text: String, json: Option<Value>, early: Option<BoxedArguments>) -> Self {
        Self {
            text,
            json: json.map_or_else(OnceLock::new, |json| Box::new(json).into()),
            early: early.map(Sheltered::new),
            late: OnceLock::new(),
        }
    }

    pub(crate) fn into_json(self) -> Option<Value> {
        self.json.into_inner().map(|json| *json)
    }

    /// Puts in what was read.
    pub(crate) fn freeze(
        &mut self,
        text: String,
        json: Option<Value>,
        early: Option<BoxedArguments>,
    ) {
        self.text = text;
        self.early = early.map(Sheltered::new);
        if let Some(json) = json {
            self.json = Box::new(json).into();
        }
    }

    pub(crate) fn json(&self) -> &Value {
        self.json.get_or_init(|| Box::new(self.parse()))
    }

    /// A value of one's own, beside which none is kept for others.
    pub(crate) fn to_json(&self) -> Value {
        match self.json.get() {
            Some(json) => (**json).clone(),
            None => self.parse(),
        }
    }

    fn parse(&self) -> Value {
        // Intake has parsed this text already: it is valid.
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }

    pub(crate) fn decoded(&self, definition: &Definition) -> Option<&dyn Prepared> {
        if let Some(early) = &self.early {
            return Some(&***early);
        }
        let late = self.late.get_or_init(|| {
            let decoded = definition.body().decode(&self.text);
            Box::new(decoded.ok().map(Sheltered::new))
        });
        (**late).as_ref().map(|late| &***late)
    }
}

/// One call inside the pipeline, as every hook sees it: identity and frozen arguments.
///
/// Nothing in it can be changed, so what was approved is what runs.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use serde_json::json;
/// use tool_core::{ToolCall, ToolDefinition, ToolExecution, ToolRuntime};
///
/// let echo = ToolDefinition::dynamic("echo", "Gives it back.", json!({"type": "object"}), json!({}))
///     .handler(|arguments, _cx| async move { Ok::<_, String>(arguments) });
/// let runtime = ToolRuntime::builder()
///     .tool(echo)
///     .guard(|call: &ToolExecution| {
///         (call.arguments()["path"] == "/etc").then(|| format!("{} may not look there", call.name()))
///     })
///     .build()
///     .unwrap();
/// let result = runtime.execute(ToolCall::new("call_1", "echo", r#"{"path":"/etc"}"#)).await;
/// assert_eq!(result.text(), "Error: echo may not look there");
/// # }
/// ```
pub struct ToolExecution {
    pub(crate) request: Request,
    pub(crate) token: ExecutionToken,
    /// How many wrappers are around the body.
    pub(crate) wrappers: AtomicU32,
    pub(crate) arguments: Frozen,
    pub(crate) definition: Option<Arc<Definition>>,
    /// The runtime it is in, from intake on.
    shared: Option<Arc<Shared>>,
    pub(crate) deferred: Deferred,
    pub(crate) concluded: AtomicBool,
    pub(crate) started: AtomicBool,
    pub(crate) nested: AtomicU64,
    pub(crate) recorder: Option<Box<Recorder>>,
    pub(crate) running: Running,
}

/// What a body hands over for the next user message. Most hand over nothing.
#[derive(Default)]
pub(crate) struct Deferred(OnceLock<Box<Mutex<Vec<AdditionalContext>>>>);

impl Deferred {
    fn add(&self, context: AdditionalContext) {
        let contexts = self.0.get_or_init(Box::default);
        let mut contexts = contexts.lock().unwrap_or_else(PoisonError::into_inner);
        contexts.push(context);
    }

    pub(crate) fn take(&self) -> Vec<AdditionalContext> {
        let Some(contexts) = self.0.get() else {
            return Vec::new();
        };
        std::mem::take(&mut *contexts.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl ToolExecution {
    /// The execution that a call will be, before anything was done about it.
    pub(crate) fn new(request: Request) -> Self {
        Self {
            request,
            token: ExecutionToken::mint(),
            wrappers: AtomicU32::new(0),
            arguments: Frozen::new(String::new(), None, None),
            definition: None,
            shared: None,
            deferred: Deferred::default(),
            concluded: AtomicBool::new(false),
            started: AtomicBool::new(false),
            nested: AtomicU64::new(0),
            recorder: None,
            running: Running::default(),
        }
    }

    /// Puts it into a runtime.
    pub(crate) fn enter(&mut self, shared: &Arc<Shared>) {
        self.shared = Some(shared.clone());
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        let shared = self.shared.as_ref();
        shared.expect("an execution is in a runtime from intake on")
    }

    /// The id the model gave.
    pub fn call_id(&self) -> &CallId {
        &self.request.call_id
    }

    /// The id of the outermost call this one serves: its own unless it is nested.
    pub fn root_call_id(&self) -> &CallId {
        self.request.root()
    }

    /// This execution's identity.
    pub fn token(&self) -> ExecutionToken {
        self.token
    }

    /// The identity of the execution that made this call, if one did.
    pub fn parent(&self) -> Option<ExecutionToken> {
        self.request.parent()
    }

    /// The tool's name, as it was called.
    pub fn name(&self) -> &str {
        &self.request.name
    }

    /// The arguments as JSON, repaired and with defaults filled in. Parsed at the first call.
    pub fn arguments(&self) -> &Value {
        self.arguments.json()
    }

    /// The arguments as the JSON text that was frozen at intake.
    pub fn arguments_text(&self) -> &str {
        &self.arguments.text
    }

    /// The arguments as the tool's own type; `None` if this call is of another tool.
    pub fn args<T: Tool>(&self) -> Option<&T::Args> {
        arguments_of::<T>(self.arguments.decoded(self.definition.as_deref()?)?)
    }

    /// The SHA-256 of the arguments' canonical JSON (keys sorted), in hexadecimal.
    ///
    /// Two calls have the same digest if and only if their arguments are equal as JSON.
    pub fn digest(&self) -> String {
        digest::sha256_hex(self.arguments())
    }

    /// The scope the call was made in; `None` for the runtime itself.
    pub fn scope(&self) -> Option<&Scope> {
        self.request.scope.as_ref()
    }

    /// The caller's signal.
    pub fn cancellation(&self) -> &Cancellation {
        &self.request.cancellation
    }

    /// A state the runtime was built with.
    pub fn state<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.shared().states.get::<T>().map(|state| &**state)
    }

    pub(crate) fn has_started(&self) -> bool {
        self.started.load(Ordering::Acquire)
    }
}

impl fmt::Debug for ToolExecution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolExecution")
            .field("call_id", self.call_id())
            .field("name", &self.name())
            .field("arguments", &self.arguments.text)
            .finish_non_exhaustive()
    }
}

/// What a running body may do beside computing: look at its call, hand over context, end the turn, call other tools.
///
/// A body takes it as a `&RunContext` parameter; it is not part of the schema. Everything of [`ToolExecution`] is
/// reachable through it.
///
/// ```
/// use tool_core::{RunContext, tool};
///
/// /// Looks at the clock.
/// #[tool]
/// fn now(cx: &RunContext) -> String {
///     cx.defer_context("the clock runs in UTC");
///     format!("asked by {}", cx.call_id())
/// }
/// ```
#[doc(alias = "ToolRunContext")]
#[derive(Clone)]
pub struct RunContext {
    pub(crate) execution: Arc<ToolExecution>,
    /// What its body should heed, if that is more than the call's own signal.
    cancellation: Option<Cancellation>,
}

impl RunContext {
    pub(crate) fn new(execution: Arc<ToolExecution>, cancellation: Option<Cancellation>) -> Self {
        Self {
            execution,
            cancellation,
        }
    }

    /// The call as hooks see it.
    pub fn execution(&self) -> &ToolExecution {
        &self.execution
    }

    /// The signal this body should heed: the caller's, what wrappers added, and the timeout.
    pub fn cancellation(&self) -> &Cancellation {
        let own = self.execution.cancellation();
        self.cancellation.as_ref().unwrap_or(own)
    }

    /// Hands over content for the next user message. It survives a failure of this body.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), tool_core::RegisterError> {
    /// use tool_core::{RunContext, ToolCall, ToolRuntime, tool};
    ///
    /// /// Opens a file.
    /// #[tool]
    /// fn open(cx: &RunContext, path: String) -> String {
    ///     cx.defer_context(format!("{path} is open in the editor"));
    ///     "opened".into()
    /// }
    ///
    /// let runtime = ToolRuntime::builder().tool(open {}).build()?;
    /// let result = runtime.execute(ToolCall::new("call_1", "open", r#"{"path":"a.md"}"#)).await;
    /// assert_eq!(result.text(), "opened");
    /// let [context] = result.additional_contexts() else { panic!() };
    /// assert_eq!(context.text(), "a.md is open in the editor");
    /// assert_eq!(context.source, "open");
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "deferContext")]
    pub fn defer_context(&self, context: impl Into<AdditionalContext>) {
        let context = context.into().sourced(self.name());
        self.execution.deferred.add(context);
    }

    /// Says that the turn is over, if this call succeeds.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), tool_core::RegisterError> {
    /// use tool_core::{RunContext, ToolCall, ToolRuntime, tool};
    ///
    /// /// Hands the answer in.
    /// #[tool]
    /// fn submit(cx: &RunContext, answer: String) -> String {
    ///     cx.conclude_turn();
    ///     answer
    /// }
    ///
    /// let runtime = ToolRuntime::builder().tool(submit {}).build()?;
    /// let result = runtime.execute(ToolCall::new("call_1", "submit", r#"{"answer":"42"}"#)).await;
    /// assert!(result.concludes_turn());
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "concludeTurn")]
    pub fn conclude_turn(&self) {
        self.execution.concluded.store(true, Ordering::Release);
    }

    /// Reports progress to whoever the call was given a sink by; otherwise it does nothing.
    ///
    /// `fraction` is the part that is done, from 0 to 1.
    pub fn progress(&self, fraction: f64, message: impl Into<String>) {
        if let Some(sink) = &self.execution.request.progress {
            sink.report(Progress {
                call_id: self.call_id().clone(),
                fraction,
                message: message.into(),
            });
        }
    }

    /// Calls another tool with typed arguments through the whole pipeline, as
    /// [`call_by_name`](Self::call_by_name) does, and gets its typed output.
    ///
    /// # Errors
    ///
    /// The failure, as a model would have been told it.
    ///
    /// # Examples
    ///
    /// ```
    /// use tool_core::{RunContext, ToolError, tool};
    ///
    /// /// Adds two numbers.
    /// #[tool(args = AddArgs)]
    /// fn add(a: i64, b: i64) -> i64 { a + b }
    ///
    /// /// Doubles a number.
    /// #[tool]
    /// async fn double(cx: &RunContext, n: i64) -> Result<i64, ToolError> {
    ///     cx.call::<add>(AddArgs { a: n, b: n }).await
    /// }
    /// ```
    pub async fn call<T: TypedCall>(&self, arguments: T::Args) -> Result<T::Output, ToolError> {
        let text = typed_call::arguments_text::<T>(&arguments)?;
        typed_call::output::<T>(self.call_by_name(typed_call::name::<T>(), text).await)
    }

    /// Calls another tool by name through the whole pipeline: same scope and cancel signal, this
    /// call as parent. Contexts and conclusion stay on the result unless the body forwards them.
    ///
    /// Tools that call each other without end are stopped: 32 levels down, earlier with wrappers around
    /// each (seven levels with six), the result is `NESTED_TOO_DEEP`.
    ///
    /// `arguments` is JSON text or a JSON value.
    pub async fn call_by_name(
        &self,
        name: impl AsRef<str>,
        arguments: impl Into<crate::RawArguments>,
    ) -> ToolResult {
        let number = self.execution.nested.fetch_add(1, Ordering::Relaxed) + 1;
        let call_id = format!("{}:{number}", self.call_id());
        self.call_tool(ToolCall::new(call_id, name, arguments))
            .await
    }

    /// Lets the body make many calls without waiting for each: they are started and settled in the
    /// order of their submission, and overlap up to `limit` where that is safe.
    ///
    /// The stream must be polled for anything to happen; dropping it drops what runs.
    pub fn sub_calls(
        &self,
        limit: usize,
    ) -> (
        SubCalls,
        impl futures_util::Stream<Item = ToolResult> + Send + use<>,
    ) {
        SubCalls::new(self.clone(), limit, None)
    }

    /// Calls another tool as [`call_by_name`](Self::call_by_name) does, with a call id of one's own.
    ///
    /// Scope, parent and root of `call` are set here; a signal of its own is fused with this body's.
    pub async fn call_tool(&self, call: ToolCall) -> ToolResult {
        let shared = self.execution.shared().clone();
        let call = call.nested_in(&self.execution, self.cancellation());
        // Boxed: a pipeline inside a pipeline would be a future of unbounded size.
        let nested: crate::future::BoxFuture<'_, ToolResult> =
            Box::pin(async move { crate::pipeline::execute(&shared, call).await });
        nested.await
    }
}

impl Deref for RunContext {
    type Target = ToolExecution;

    fn deref(&self) -> &ToolExecution {
        &self.execution
    }
}

impl fmt::Debug for RunContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RunContext").field(&self.execution).finish()
    }
}
