//! The runtime: what is registered for everybody, the settings, and the way in.

use std::any::TypeId;
use std::collections::HashSet;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::approval::{Approver, ApproverObject};
use crate::batch::Batch;
use crate::call::ToolCall;
use crate::code_mode::{self, CodeRuntime, Offer, SharedRuntime};
use crate::contain::Sheltered;
use crate::context::States;
use crate::definition::{Definition, ExecutionMode, IntoDefinition, ToolDefinition, ToolSchema};
use crate::dialect::{Dialect, Export, export};
use crate::epoch::{Cached, Epoch};
use crate::error::{Location, RegisterError, ToolError};
use crate::hook::{AroundExecute, Guard, HookInfo, OnResult, PostExecute, PreExecute};
use crate::intake::{self, CheckedArguments, Limits, Repair};
use crate::lookup;
use crate::pipeline;
use crate::prepare::Workshop;
use crate::presentation::Presentation;
use crate::registry::{
    AroundObject, GuardObject, Hook, Hooks, Layer, LayerCell, OnResultObject, PostObject,
    PreObject, View, entry_ids,
};
use crate::result::ToolResult;
use crate::scope::{Scope, registering};
use crate::toolbox::Toolbox;
use crate::typed_call::{self, TypedCall};

/// Tools, policy and settings: every call a model makes goes through [`execute`](Self::execute).
///
/// A cheap handle: clones share everything.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), tool_core::RegisterError> {
/// use tool_core::{ToolCall, ToolRuntime, tool};
///
/// /// Greets somebody by name.
/// #[tool]
/// fn hello(
///     /// Who to greet.
///     name: String,
/// ) -> String {
///     format!("Hello, {name}!")
/// }
///
/// let runtime = ToolRuntime::builder().tool(hello {}).build()?;
/// let result = runtime.execute(ToolCall::new("call_1", "hello", r#"{"name":"Ada"}"#)).await;
/// assert_eq!(result.text(), "Hello, Ada!");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ToolRuntime {
    pub(crate) shared: Arc<Shared>,
}

/// What all handles of one runtime share.
pub(crate) struct Shared {
    pub(crate) global: LayerCell,
    /// Moves on with every change of any layer.
    pub(crate) epoch: Epoch,
    view: Cached<View>,
    scopes: Mutex<HashSet<Arc<str>>>,
    pub(crate) states: States,
    pub(crate) workshop: Workshop,
    pub(crate) settings: Settings,
    pub(crate) code_runtime: Option<SharedRuntime>,
    /// In no layer: it can be neither shadowed nor restricted.
    pub(crate) run_code: Arc<Definition>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) presentation: Presentation,
    pub(crate) max_parallel: usize,
    pub(crate) max_parallel_sub_calls: usize,
    pub(crate) repair: Repair,
    pub(crate) trail: bool,
    pub(crate) trace_content: bool,
    pub(crate) hook_timeout: Option<Duration>,
    pub(crate) grace: Duration,
    pub(crate) limits: Limits,
    pub(crate) max_content_bytes: Option<usize>,
}

impl Settings {
    /// Whether the arguments of this tool are mended.
    pub(crate) fn repair_of(&self, definition: &Definition) -> bool {
        definition.settings.repair.unwrap_or(self.repair) == Repair::On
    }

    /// How many bytes of text the results of this tool may show; of no tool, if there is none.
    pub(crate) fn max_content_bytes_of(&self, definition: Option<&Definition>) -> Option<usize> {
        definition
            .and_then(|definition| definition.settings.max_content_bytes)
            .or(self.max_content_bytes)
    }
}

impl Shared {
    /// How the tools of this view are presented.
    pub(crate) fn presentation(&self, view: &View) -> Presentation {
        view.presentation.unwrap_or(self.settings.presentation)
    }

    /// The layers a call in `scope` sees now.
    pub(crate) fn view(&self, scope: Option<&Scope>) -> Arc<View> {
        if let Some(scope) = scope {
            return scope.view();
        }
        self.view.get(&self.epoch, |epoch| {
            View::new(epoch, Box::new([self.global.load()]))
        })
    }

    pub(crate) fn reserve_scope(&self, id: &str) -> Result<Arc<str>, RegisterError> {
        let mut scopes = self.scopes.lock().unwrap_or_else(PoisonError::into_inner);
        if scopes.contains(id) {
            return Err(RegisterError::DuplicateScope {
                scope: id.to_owned(),
            });
        }
        let id: Arc<str> = id.into();
        scopes.insert(id.clone());
        Ok(id)
    }

    pub(crate) fn release_scope(&self, id: &str) {
        self.scopes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(id);
    }
}

pub(crate) fn schemas_of(shared: &Shared, view: &View) -> Vec<Arc<ToolSchema>> {
    lookup::presented(shared, view)
        .into_iter()
        .map(|definition| definition.schema.clone())
        .collect()
}

pub(crate) fn catalog_of(shared: &Shared, view: &View) -> Vec<Arc<ToolSchema>> {
    lookup::catalog(shared, view)
        .into_iter()
        .map(|definition| definition.schema.clone())
        .collect()
}

pub(crate) fn export_of(shared: &Shared, view: &View, dialect: Dialect) -> Export {
    let presented = lookup::presented(shared, view);
    export(
        presented
            .into_iter()
            .map(|definition| definition.exportable()),
        dialect,
    )
}

impl ToolRuntime {
    /// A runtime to be filled and [`build`](ToolRuntimeBuilder::build)t.
    pub fn builder() -> ToolRuntimeBuilder {
        ToolRuntimeBuilder::default()
    }

    /// Runs one call through the eight stations. There is always a result, and it carries the call's id.
    ///
    /// Dropping the future drops the body; observers are then told of an `ABORTED` result.
    pub fn execute(&self, call: ToolCall) -> impl Future<Output = ToolResult> + Send {
        // Not an `async fn` around another: the call would be moved once more.
        pipeline::execute(&self.shared, call)
    }

    /// Calls a tool with typed arguments, through the whole pipeline, and gets its typed output.
    ///
    /// The tool needs a name for its arguments, `#[tool(args = HelloArgs)]`. The call is made in the
    /// runtime itself; its id is `typed:` and a number.
    ///
    /// # Errors
    ///
    /// The failure, as a model would have been told it.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// use tool_core::{ToolRuntime, tool};
    ///
    /// /// Adds two numbers.
    /// #[tool(args = AddArgs)]
    /// fn add(a: i64, b: i64) -> i64 { a + b }
    ///
    /// let runtime = ToolRuntime::builder().tool(add {}).build().unwrap();
    /// assert_eq!(runtime.call::<add>(AddArgs { a: 1, b: 2 }).await, Ok(3));
    /// # }
    /// ```
    pub async fn call<T: TypedCall>(&self, arguments: T::Args) -> Result<T::Output, ToolError> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let text = typed_call::arguments_text::<T>(&arguments)?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let call = ToolCall::new(format!("typed:{number}"), typed_call::name::<T>(), text);
        typed_call::output::<T>(self.execute(call).await)
    }

    /// Runs the calls of one model turn, in model order: one result per call, in the same order.
    ///
    /// Calls that are safe to overlap do, up to `max_parallel`; any other waits for all before it
    /// and holds back all after it.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), tool_core::RegisterError> {
    /// use tool_core::{ToolCall, ToolRuntime, tool};
    ///
    /// /// Greets.
    /// #[tool]
    /// fn hello(name: String) -> String { format!("Hello, {name}!") }
    ///
    /// let runtime = ToolRuntime::builder().tool(hello {}).build()?;
    /// let results = runtime
    ///     .execute_batch([
    ///         ToolCall::new("call_1", "hello", r#"{"name":"Ada"}"#),
    ///         ToolCall::new("call_2", "hello", r#"{"nom":"Grace"}"#),
    ///     ])
    ///     .await;
    /// assert_eq!(results[0].text(), "Hello, Ada!");
    /// // One result per call, in their order, whatever became of the others.
    /// assert_eq!(results[1].call_id(), "call_2");
    /// assert_eq!(results[1].error().unwrap().code(), "INVALID_ARGS");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn execute_batch(
        &self,
        calls: impl IntoIterator<Item = ToolCall>,
    ) -> Vec<ToolResult> {
        self.batch(calls).run().await
    }

    /// The same with a limit, a signal or a stream of one's own.
    pub fn batch(&self, calls: impl IntoIterator<Item = ToolCall>) -> Batch {
        Batch::new(self.shared.clone(), calls)
    }

    /// A scope directly below the runtime.
    ///
    /// # Errors
    ///
    /// If a live scope of this runtime has this id.
    ///
    /// # Examples
    ///
    /// ```
    /// use tool_core::{ToolRuntime, tool};
    ///
    /// /// Greets.
    /// #[tool]
    /// fn hello(name: String) -> String { format!("Hello, {name}!") }
    ///
    /// let runtime = ToolRuntime::builder().build()?;
    /// let session = runtime.scope("session 7")?;
    /// session.register(hello {})?;
    /// assert_eq!(session.schemas().len(), 1);
    /// assert_eq!(runtime.schemas().len(), 0);
    ///
    /// assert!(runtime.scope("session 7").is_err());
    /// session.dispose();
    /// assert!(runtime.scope("session 7").is_ok());
    /// # Ok::<(), tool_core::RegisterError>(())
    /// ```
    pub fn scope(&self, id: impl AsRef<str>) -> Result<Scope, RegisterError> {
        Scope::open(&self.shared, id.as_ref(), None)
    }

    /// The global tools that a model is sent by name, in registration order; shared, not copied.
    ///
    /// What that is depends on the [`Presentation`]: in `Code` it is `run_code` alone, and
    /// [`offer`](Self::offer) has the text that makes the model able to use it.
    pub fn schemas(&self) -> Vec<Arc<ToolSchema>> {
        schemas_of(&self.shared, &self.shared.view(None))
    }

    /// All global tools, in registration order, whoever may call them; and last `run_code`, if the
    /// presentation has it.
    pub fn catalog(&self) -> Vec<Arc<ToolSchema>> {
        catalog_of(&self.shared, &self.shared.view(None))
    }

    /// What a model is told of the global tools: by name, and in its system prompt.
    ///
    /// # Errors
    ///
    /// If the presentation needs a code runtime, and there is none.
    pub fn offer(&self) -> Result<Offer, RegisterError> {
        Offer::new(&self.shared, &self.shared.view(None))
    }

    /// The global tools as a provider takes them, with a report of what its dialect cannot express.
    pub fn export(&self, dialect: Dialect) -> Export {
        export_of(&self.shared, &self.shared.view(None), dialect)
    }

    /// Reads a call's arguments as intake does, and runs nothing: no hook, no body.
    ///
    /// # Errors
    ///
    /// `UNKNOWN_TOOL` or `INVALID_ARGS`, in the words a model would be told.
    ///
    /// # Examples
    ///
    /// ```
    /// use tool_core::{ToolCall, ToolRuntime, tool};
    ///
    /// /// Waits.
    /// #[tool]
    /// fn wait(seconds: u32) -> String { format!("{seconds} s later") }
    ///
    /// let runtime = ToolRuntime::builder().tool(wait {}).build().unwrap();
    /// let checked = runtime.check(&ToolCall::new("call_1", "wait", r#"{"seconds":"5"}"#)).unwrap();
    /// assert_eq!(checked.arguments["seconds"], 5);
    /// assert_eq!(checked.repairs, [r#"/seconds: read the string "5" as 5"#]);
    /// ```
    pub fn check(&self, call: &ToolCall) -> Result<CheckedArguments, ToolError> {
        intake::check_call(&self.shared, call)
    }

    /// Whether a batch would let this call overlap others. Nothing runs but the tool's classifier.
    pub fn execution_mode(&self, call: &ToolCall) -> ExecutionMode {
        intake::execution_mode(&self.shared, call)
    }

    fn target(&self) -> &Arc<Shared> {
        &self.shared
    }
}

registering!(ToolRuntime);

impl fmt::Debug for ToolRuntime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolRuntime")
            .field("settings", &self.shared.settings)
            .finish_non_exhaustive()
    }
}

/// A runtime in the making. Every mistake is reported by [`build`](Self::build), all at once.
///
/// ```
/// use std::time::Duration;
/// use tool_core::{Repair, ToolExecution, ToolRuntime, tool};
///
/// /// Greets.
/// #[tool]
/// fn hello(name: String) -> String { format!("Hello, {name}!") }
///
/// let runtime = ToolRuntime::builder()
///     .tool(hello {})
///     .guard(|call: &ToolExecution| (call.name() == "rm").then_some("nothing is removed here"))
///     .repair(Repair::Off)
///     .max_parallel(4)
///     .hook_timeout(Duration::from_secs(5))
///     .max_content_bytes(16 * 1024)
///     .build()?;
/// assert_eq!(runtime.schemas().len(), 1);
/// # Ok::<(), tool_core::RegisterError>(())
/// ```
#[must_use = "a builder does nothing until `build()`"]
pub struct ToolRuntimeBuilder {
    states: States,
    tools: Vec<ToolDefinition>,
    guards: Vec<Arc<Hook<dyn GuardObject>>>,
    pre: Vec<Arc<Hook<dyn PreObject>>>,
    around: Vec<Arc<Hook<dyn AroundObject>>>,
    post: Vec<Arc<Hook<dyn PostObject>>>,
    observers: Vec<Arc<Hook<dyn OnResultObject>>>,
    approvers: Vec<Arc<dyn ApproverObject>>,
    hooks: Vec<(HookInfo, Location)>,
    code_runtime: Option<SharedRuntime>,
    settings: Settings,
}

impl Default for ToolRuntimeBuilder {
    fn default() -> Self {
        Self {
            states: States::default(),
            tools: Vec::new(),
            guards: Vec::new(),
            pre: Vec::new(),
            around: Vec::new(),
            post: Vec::new(),
            observers: Vec::new(),
            approvers: Vec::new(),
            hooks: Vec::new(),
            code_runtime: None,
            settings: Settings {
                presentation: Presentation::Native,
                max_parallel: 10,
                max_parallel_sub_calls: 10,
                repair: Repair::On,
                trail: false,
                trace_content: false,
                hook_timeout: Some(Duration::from_mins(1)),
                grace: Duration::from_millis(100),
                limits: Limits::default(),
                max_content_bytes: None,
            },
        }
    }
}

impl ToolRuntimeBuilder {
    /// Gives a value to every tool and hook that takes `&State<T>`. A second of the same type replaces the first.
    pub fn state<T: Send + Sync + 'static>(mut self, state: T) -> Self {
        self.states.insert(state);
        self
    }

    /// Registers a tool for everybody.
    pub fn tool(self, tool: impl IntoDefinition) -> Self {
        self.defined(tool.into_definition())
    }

    /// What [`tool`](Self::tool) does, compiled once.
    fn defined(mut self, tool: ToolDefinition) -> Self {
        self.tools.push(tool);
        self
    }

    /// Registers tools for everybody, such as `tools![hello, search]`.
    pub fn tools(mut self, tools: impl IntoIterator<Item = impl IntoDefinition>) -> Self {
        self.tools
            .extend(tools.into_iter().map(IntoDefinition::into_definition));
        self
    }

    /// Registers the tools and hooks of a toolbox, which share the instance.
    pub fn toolbox(self, toolbox: impl Toolbox) -> Self {
        toolbox.install(self)
    }

    /// Registers a guard for everybody (station 2).
    #[track_caller]
    pub fn guard(mut self, guard: impl Guard) -> Self {
        let info = self.note(guard.__info());
        self.guards.push(Arc::new(Hook::new(&info, None, guard)));
        self
    }

    /// Registers a pre-execute hook for everybody (station 1).
    #[track_caller]
    pub fn pre_execute(mut self, hook: impl PreExecute) -> Self {
        let info = self.note(hook.__info());
        self.pre.push(Arc::new(Hook::new(&info, None, hook)));
        self
    }

    /// Registers an around-execute hook for everybody (station 3); the first is outermost.
    #[track_caller]
    pub fn around_execute(mut self, hook: impl AroundExecute) -> Self {
        let info = self.note(hook.__info());
        self.around.push(Arc::new(Hook::new(&info, None, hook)));
        self
    }

    /// Registers a post-execute hook for everybody (station 6).
    #[track_caller]
    pub fn post_execute(mut self, hook: impl PostExecute) -> Self {
        let info = self.note(hook.__info());
        self.post.push(Arc::new(Hook::new(&info, None, hook)));
        self
    }

    /// Registers an observer of all final results (station 8).
    #[track_caller]
    pub fn on_result(mut self, observer: impl OnResult) -> Self {
        let info = self.note(observer.__info());
        self.observers
            .push(Arc::new(Hook::new(&info, None, observer)));
        self
    }

    /// Says who is asked when a pre-execute hook asks.
    pub fn approver(mut self, approver: impl Approver) -> Self {
        self.approvers.push(Arc::new(Sheltered::new(approver)));
        self
    }

    /// Says what runs the programs of `run_code`. A second one replaces the first.
    pub fn code_runtime(mut self, runtime: impl CodeRuntime) -> Self {
        self.code_runtime = Some(Arc::new(Sheltered::new(Box::new(runtime))));
        self
    }

    /// How tools are presented where a scope declares nothing else. Default: native, the only one that
    /// needs no [`code_runtime`](Self::code_runtime).
    pub fn presentation(mut self, presentation: Presentation) -> Self {
        self.settings.presentation = presentation;
        self
    }

    /// How many calls of a batch may overlap. Default: 10. Zero is refused.
    pub fn max_parallel(mut self, limit: usize) -> Self {
        self.settings.max_parallel = limit;
        self
    }

    /// How many calls of one program may overlap. Default: 10. Zero is refused.
    pub fn max_parallel_sub_calls(mut self, limit: usize) -> Self {
        self.settings.max_parallel_sub_calls = limit;
        self
    }

    /// Whether arguments are repaired where that is certain. Default: on.
    pub fn repair(mut self, repair: Repair) -> Self {
        self.settings.repair = repair;
        self
    }

    /// Whether results carry a trail where the call does not say. Default: no.
    pub fn trail(mut self, on: bool) -> Self {
        self.settings.trail = on;
        self
    }

    /// Whether the span of a call carries its arguments and what the model is shown of its success.
    /// They are written after every station that can replace content, so that what a post hook or
    /// the finalizer takes out is in no span. Default: no, for they may hold personal data.
    pub fn trace_content(mut self, on: bool) -> Self {
        self.settings.trace_content = on;
        self
    }

    /// How long an async guard, pre-execute or post-execute hook may take; then it has failed, and
    /// the call with it. `None` lets it hang. Default: 60 s. Zero is refused.
    pub fn hook_timeout(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.settings.hook_timeout = limit.into();
        self
    }

    /// How long a body that has exceeded its timeout may take to stop by itself. Default: 100 ms.
    pub fn grace(mut self, grace: Duration) -> Self {
        self.settings.grace = grace;
        self
    }

    /// The largest arguments taken, in bytes of JSON text. Default: 1 MiB.
    pub fn max_argument_bytes(mut self, bytes: usize) -> Self {
        self.settings.limits.max_bytes = bytes;
        self
    }

    /// How many bytes of text the content of a result may have, where a tool does not say. The rest
    /// is cut out of the middle, see [`bound_content`](crate::wire::bound_content); values stay
    /// whole. `None` shows everything. Default: `None`. Zero is refused.
    pub fn max_content_bytes(mut self, bytes: impl Into<Option<usize>>) -> Self {
        self.settings.max_content_bytes = bytes.into();
        self
    }

    /// Checks everything and makes the runtime.
    ///
    /// # Errors
    ///
    /// Every mistake at once, see [`RegisterError::all`].
    pub fn build(self) -> Result<ToolRuntime, RegisterError> {
        let mut errors = Vec::new();
        if self.settings.max_parallel == 0 {
            errors.push(RegisterError::InvalidConfiguration {
                setting: "max_parallel",
                reason: "must be at least 1",
            });
        }
        if self.settings.max_parallel_sub_calls == 0 {
            errors.push(RegisterError::InvalidConfiguration {
                setting: "max_parallel_sub_calls",
                reason: "must be at least 1",
            });
        }
        if self
            .settings
            .hook_timeout
            .is_some_and(|limit| limit.is_zero())
        {
            errors.push(RegisterError::InvalidConfiguration {
                setting: "hook_timeout",
                reason: "must be longer than zero; `None` means no limit",
            });
        }
        if self.settings.max_content_bytes == Some(0) {
            errors.push(RegisterError::InvalidConfiguration {
                setting: "max_content_bytes",
                reason: "must be at least 1; `None` means no limit",
            });
        }
        let handles = self.tools.iter().filter_map(|tool| tool.handle);
        let handles: HashSet<TypeId> = handles.map(|handle| handle.id).collect();
        for (hook, registered_at) in &self.hooks {
            errors.extend(self.check_hook(hook, *registered_at, &handles));
        }
        let workshop = Workshop::default();
        let mut definitions = Vec::with_capacity(self.tools.len());
        for tool in self.tools {
            match workshop.prepare(tool, &self.states) {
                Ok(definition) => definitions.push(definition),
                Err(error) => errors.push(error),
            }
        }
        let mut layer = Layer {
            guards: Hooks::of(self.guards),
            pre: Hooks::of(self.pre),
            around: Hooks::of(self.around),
            post: Hooks::of(self.post),
            observers: Hooks::of(self.observers),
            ..Layer::default()
        };
        let ids = entry_ids(definitions.len());
        if let Err(error) = layer.add_tools(definitions, ids) {
            errors.extend(error.all().iter().cloned());
        }
        let mut approvers = self.approvers.into_iter();
        layer.approver = approvers
            .next()
            .map(|approver| (entry_ids(1).start, approver));
        if approvers.next().is_some() {
            errors.push(RegisterError::DuplicateApprover {
                layer: "the runtime".to_owned(),
            });
        }
        RegisterError::collect(errors)?;
        Ok(ToolRuntime {
            shared: Arc::new(Shared {
                global: LayerCell::of(layer),
                epoch: Epoch::new(),
                view: Cached::new(),
                scopes: Mutex::default(),
                run_code: code_mode::definition(
                    self.code_runtime.as_ref(),
                    self.settings.max_parallel_sub_calls,
                ),
                states: self.states,
                workshop,
                settings: self.settings,
                code_runtime: self.code_runtime,
            }),
        })
    }

    #[track_caller]
    fn note(&mut self, info: HookInfo) -> HookInfo {
        self.hooks.push((info.clone(), Location::caller()));
        info
    }

    /// A hook bound to a tool that is not here would silently never run; one whose state is
    /// missing would fail every call.
    fn check_hook(
        &self,
        hook: &HookInfo,
        registered_at: Location,
        handles: &HashSet<TypeId>,
    ) -> Vec<RegisterError> {
        let location = hook.location.unwrap_or(registered_at);
        let mut errors = Vec::new();
        if let Some(bound) = hook.bound.filter(|bound| !handles.contains(&bound.id)) {
            errors.push(RegisterError::UnboundHook {
                hook: hook.name.to_owned(),
                tool: bound.name,
                location,
            });
        }
        for need in hook.needs.iter().filter_map(|need| need()) {
            if !self.states.has(need.id) {
                errors.push(RegisterError::MissingState {
                    tool: hook.name.to_owned(),
                    state: need.name,
                    location,
                });
            }
        }
        errors
    }
}

impl fmt::Debug for ToolRuntimeBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolRuntimeBuilder")
            .field("tools", &self.tools)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
