//! Definitions: what is registered. [`ToolDefinition`] is how one is written, `Definition` what the
//! registry made of it: schemas canonical and compiled, ready for any number of calls.

use std::any::TypeId;
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use crate::body::arguments_of;
use crate::card::{PresentCall, PresentResult};
use crate::contain::Sheltered;
use crate::content::{ContentBlock, IntoContent};
use crate::context::Need;
use crate::dialect::Exportable;
use crate::dynamic::DynamicTool;
use crate::error::{Location, ToolError};
use crate::execution::{BoxedArguments, Frozen, RunContext, ToolExecution};
use crate::future::MaybeFuture;
use crate::info::Info;
use crate::intake::Repair;
use crate::output::OutputType;
use crate::param::Refined;
use crate::prepare::Twins;
use crate::result::ToolResult;
use crate::schema::{Canonical, Compiled, SchemaError};
use crate::tool::Tool;
use crate::value::{ErasedValue, Stored};

/// The name Code Mode keeps for itself in every presentation.
pub(crate) const RUN_CODE: &str = "run_code";

/// What a model is sent of a tool, and nothing else: name, description, parameters.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ToolSchema {
    /// The name the model calls it by.
    pub name: String,
    /// What it does, for the model to choose by.
    pub description: String,
    /// A JSON Schema with an object root.
    pub parameters: Arc<Value>,
}

/// Hints about a tool's behaviour, as MCP defines them. Absent means unknown.
///
/// Source: Model Context Protocol 2025-11-25, `ToolAnnotations`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hints {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may destroy what is there.
    pub destructive: Option<bool>,
    /// Calling it twice with the same arguments is as good as once.
    pub idempotent: Option<bool>,
    /// It reaches beyond a closed set of things, such as the web.
    pub open_world: Option<bool>,
}

/// Who may call a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Callers {
    /// The model, by name.
    pub direct: bool,
    /// A Code Mode program.
    pub code: bool,
}

impl Default for Callers {
    fn default() -> Self {
        Self {
            direct: true,
            code: true,
        }
    }
}

/// What happens to a body that runs when its call is cancelled.
///
/// ```
/// use tool_core::{Cancellation, tool};
///
/// /// Can be left anywhere.
/// #[tool(on_cancel = "drop")]
/// async fn fetch() {}
///
/// /// Has something to bring to an end.
/// #[tool]
/// async fn copy(cancellation: &Cancellation) -> u32 {
///     let mut copied = 0;
///     while copied < 1_000 && !cancellation.is_cancelled() {
///         copied += 1;
///     }
///     copied
/// }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnCancel {
    /// It is awaited: it may look at its [`Cancellation`](crate::Cancellation) and stop by itself.
    #[default]
    Wait,
    /// Its future is dropped at the next await.
    Drop,
}

/// Whether a call may overlap others of its batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExecutionMode {
    /// It may.
    Parallel,
    /// It waits for all before it and holds back all after it.
    Exclusive,
}

/// The right to run one body once. Only the pipeline makes one; it is gone when used, and opens
/// no other definition than the one it was made for.
pub(crate) struct Permit {
    definition: *const (),
}

// The pointer is compared, never followed.
impl Permit {
    fn new(body: &Arc<dyn Body>) -> Self {
        Self {
            definition: Arc::as_ptr(body).cast(),
        }
    }

    /// Uses the permit up.
    ///
    /// # Errors
    ///
    /// If it was made for another body than `body`.
    pub(crate) fn redeem<B>(self, body: &B) -> Result<(), ToolError> {
        if std::ptr::eq(self.definition, std::ptr::from_ref(body).cast()) {
            return Ok(());
        }
        Err(ToolError::new(
            "a permit opens only the definition it was made for",
        ))
    }
}

/// What comes of a body: its value behind its type, or its failure.
pub(crate) type BodyOutcome = Result<Arc<dyn ErasedValue>, ToolError>;

/// A body as the pipeline holds it: arguments decoded, then run with a permit.
pub(crate) trait Body: Send + Sync + 'static {
    /// Decodes arguments from the JSON text of an object. Missing optional properties are filled in.
    ///
    /// # Errors
    ///
    /// JSON path and reason of the first thing that does not fit.
    fn decode(&self, text: &str) -> Result<BoxedArguments, ToolError>;

    /// Runs the body. `arguments` is what [`decode`](Self::decode) made of this call's text, or
    /// `None` where the body should decode the text itself.
    fn run<'a>(
        &'a self,
        permit: Permit,
        arguments: Option<BoxedArguments>,
        cx: &'a RunContext,
    ) -> MaybeFuture<'a, BodyOutcome>;
}

/// A call's arguments, as renderers and classifiers see them.
#[derive(Clone, Copy)]
pub(crate) struct CallArguments<'a> {
    pub(crate) frozen: &'a Frozen,
    pub(crate) definition: &'a Definition,
}

impl<'a> CallArguments<'a> {
    /// As JSON.
    pub(crate) fn json(&self) -> &'a Value {
        self.frozen.json()
    }

    /// As the tool's own type; `None` for a tool of another type.
    pub(crate) fn typed<T: Tool>(&self) -> Option<&'a T::Args> {
        arguments_of::<T>(self.frozen.decoded(self.definition)?)
    }
}

pub(crate) type Render =
    Arc<dyn Fn(CallArguments<'_>, &Stored) -> Result<Vec<ContentBlock>, ToolError> + Send + Sync>;
pub(crate) type Project =
    Arc<dyn Fn(CallArguments<'_>, &Stored) -> Result<Value, ToolError> + Send + Sync>;
pub(crate) type Finalize = Arc<
    dyn Fn(&ToolExecution, &ToolResult) -> Result<Option<Vec<ContentBlock>>, ToolError>
        + Send
        + Sync,
>;
pub(crate) type Classify = Arc<dyn Fn(CallArguments<'_>) -> Result<bool, ToolError> + Send + Sync>;

#[derive(Clone, Default)]
pub(crate) enum Concurrency {
    #[default]
    Exclusive,
    Parallel,
    When(Classify),
}

/// Where a schema comes from.
#[derive(Clone)]
pub(crate) enum SchemaSource {
    /// Nobody declared one.
    Missing,
    /// Written by hand, or sent by a server: listed and enforced as given, and not copied.
    Json(Arc<Value>),
    /// Inferred from the types of parameters.
    Parameters(&'static Info),
    /// Inferred from the type of a value.
    Output(OutputType),
}

impl SchemaSource {
    /// The schema, if one was declared, and whether types alone decide.
    pub(crate) fn schema(
        &self,
        refined: Vec<Option<Refined>>,
    ) -> Result<Option<(Arc<Value>, bool)>, SchemaError> {
        let shared = |it: Canonical| (Arc::new(it.schema), it.types_decide);
        Ok(match self {
            Self::Missing => None,
            Self::Json(schema) => Some((schema.clone(), false)),
            Self::Parameters(info) => Some(shared(info.schema(refined)?)),
            Self::Output(output) => Some(shared(output.canonical())),
        })
    }

    /// What is evaluated at each registration, once, and becomes part of the schema.
    pub(crate) fn refined(&self) -> Vec<Option<Refined>> {
        match self {
            Self::Parameters(info) => info.refined(),
            Self::Missing | Self::Json(_) | Self::Output(_) => Vec::new(),
        }
    }
}

/// A typed tool's handle: its type, and the name it has in source.
#[derive(Clone, Copy)]
pub(crate) struct Handle {
    pub(crate) id: TypeId,
    /// What its body returns.
    pub(crate) output: TypeId,
    pub(crate) name: &'static str,
}

/// A tool, as it is registered: made by `#[tool]` or by hand with [`dynamic`](Self::dynamic), and
/// changed here where a registration needs something else than the definition says.
///
/// ```
/// use std::time::Duration;
/// use tool_core::{Tool, ToolRuntime, tool};
///
/// /// Greets somebody.
/// #[tool]
/// fn hello(name: String) -> String {
///     format!("Hello, {name}!")
/// }
///
/// let runtime = ToolRuntime::builder()
///     .tool(hello {}.definition().name("greet").timeout(Duration::from_secs(2)))
///     .build()
///     .unwrap();
/// assert_eq!(runtime.schemas()[0].name, "greet");
/// ```
#[derive(Clone)]
#[must_use = "a definition does nothing until it is registered"]
pub struct ToolDefinition {
    pub(crate) name: Cow<'static, str>,
    pub(crate) title: Option<Cow<'static, str>>,
    pub(crate) description: Cow<'static, str>,
    pub(crate) hints: Hints,
    pub(crate) callers: Callers,
    pub(crate) timeout: Option<Duration>,
    pub(crate) on_cancel: OnCancel,
    pub(crate) concurrency: Concurrency,
    pub(crate) repair: Option<Repair>,
    pub(crate) max_content_bytes: Option<usize>,
    pub(crate) parameters: SchemaSource,
    pub(crate) output: SchemaSource,
    pub(crate) render: Option<Render>,
    pub(crate) project: Option<Project>,
    pub(crate) finalize: Option<Finalize>,
    pub(crate) present_call: Option<PresentCall>,
    pub(crate) present_result: Option<PresentResult>,
    pub(crate) body: Arc<dyn Body>,
    pub(crate) handle: Option<Handle>,
    pub(crate) needs: Vec<Need>,
    pub(crate) location: Location,
    pub(crate) twins: Twins,
}

impl ToolDefinition {
    /// A tool built by hand from JSON Schemas (2020-12) and a closure, listed and enforced as given.
    ///
    /// `parameters` must have an object root; `None` means no parameters. `output` describes the
    /// value of a success; `json!({})` takes any, `None` is refused at registration.
    ///
    /// # Examples
    ///
    /// ```
    /// use serde_json::{Value, json};
    /// use tool_core::ToolDefinition;
    ///
    /// let parameters = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    /// let echo = ToolDefinition::dynamic("echo", "Gives its text back.", parameters, json!({"type": "string"}))
    ///     .handler(|arguments: Value, _cx| async move { Ok::<_, String>(arguments["text"].clone()) });
    /// # let _ = echo;
    /// ```
    #[doc(alias = "defineTool")]
    #[track_caller]
    pub fn dynamic(
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
        parameters: impl Into<Option<Value>>,
        output: impl Into<Option<Value>>,
    ) -> DynamicTool {
        let source = |schema: Option<Value>| match schema {
            None | Some(Value::Null) => SchemaSource::Missing,
            Some(schema) => SchemaSource::Json(Arc::new(schema)),
        };
        DynamicTool {
            name: name.into(),
            description: description.into(),
            parameters: source(parameters.into()),
            output: source(output.into()),
            location: Location::caller(),
        }
    }

    pub(crate) fn new(
        name: Cow<'static, str>,
        description: Cow<'static, str>,
        (parameters, output): (SchemaSource, SchemaSource),
        body: Arc<dyn Body>,
        location: Location,
    ) -> Self {
        Self {
            name,
            title: None,
            description,
            hints: Hints::default(),
            callers: Callers::default(),
            timeout: None,
            on_cancel: OnCancel::default(),
            concurrency: Concurrency::default(),
            repair: None,
            max_content_bytes: None,
            parameters,
            output,
            render: None,
            project: None,
            finalize: None,
            present_call: None,
            present_result: None,
            body,
            handle: None,
            needs: Vec::new(),
            location,
            twins: Twins::default(),
        }
    }

    /// The definition, about to be changed: it is like no other any more.
    pub(crate) fn changed(mut self) -> Self {
        self.twins = Twins::default();
        self
    }

    /// Another name. The runtime takes any; exporters map what a provider would refuse.
    pub fn name(self, name: impl Into<Cow<'static, str>>) -> Self {
        let mut changed = self.changed();
        changed.name = name.into();
        changed
    }

    /// A title for people.
    pub fn title(self, title: impl Into<Cow<'static, str>>) -> Self {
        let mut changed = self.changed();
        changed.title = Some(title.into());
        changed
    }

    /// Another description.
    pub fn description(self, description: impl Into<Cow<'static, str>>) -> Self {
        let mut changed = self.changed();
        changed.description = description.into();
        changed
    }

    /// Hints about its behaviour.
    pub fn hints(self, hints: Hints) -> Self {
        let mut changed = self.changed();
        changed.hints = hints;
        changed
    }

    /// Who may call it.
    pub fn callers(self, callers: Callers) -> Self {
        let mut changed = self.changed();
        changed.callers = callers;
        changed
    }

    /// A time limit, counted from the body's start. Zero is refused at registration.
    pub fn timeout(self, timeout: Duration) -> Self {
        let mut changed = self.changed();
        changed.timeout = Some(timeout);
        changed
    }

    /// What happens to the running body when the call is cancelled.
    pub fn on_cancel(self, on_cancel: OnCancel) -> Self {
        let mut changed = self.changed();
        changed.on_cancel = on_cancel;
        changed
    }

    /// Whether calls may always overlap others of their batch.
    pub fn concurrency_safe(self, safe: bool) -> Self {
        let mut changed = self.changed();
        changed.concurrency = if safe {
            Concurrency::Parallel
        } else {
            Concurrency::Exclusive
        };
        changed
    }

    /// Whether a call may overlap others, decided by its arguments. An error or a panic means no.
    pub fn concurrency_safe_if<R: IntoSafe>(
        self,
        classify: impl Fn(&Value) -> R + Send + Sync + 'static,
    ) -> Self {
        let mut changed = self.changed();
        changed.concurrency = Concurrency::When(Arc::new(move |arguments: CallArguments<'_>| {
            classify(arguments.json()).into_safe()
        }));
        changed
    }

    /// Whether the arguments of this tool are repaired; the runtime's setting otherwise.
    pub fn repair(self, repair: Repair) -> Self {
        let mut changed = self.changed();
        changed.repair = Some(repair);
        changed
    }

    /// How many bytes of text the content of its results may have; the runtime's setting
    /// otherwise. `usize::MAX` lifts that. Zero is refused at registration.
    pub fn max_content_bytes(self, bytes: usize) -> Self {
        let mut changed = self.changed();
        changed.max_content_bytes = Some(bytes);
        changed
    }

    /// How a value becomes content, from arguments and value. Without it a string is shown as it
    /// is and anything else as compact JSON.
    pub fn render<C: IntoContent>(
        self,
        render: impl Fn(&Value, &Value) -> C + Send + Sync + 'static,
    ) -> Self {
        let mut changed = self.changed();
        changed.render = Some(Arc::new(
            move |arguments: CallArguments<'_>, value: &Stored| {
                render(arguments.json(), value.to_json()).into_content()
            },
        ));
        changed
    }

    /// A projection of arguments and value for a user interface. Made for top-level calls only.
    pub fn presentation_meta<R: IntoMeta>(
        self,
        project: impl Fn(&Value, &Value) -> R + Send + Sync + 'static,
    ) -> Self {
        let mut changed = self.changed();
        changed.project = Some(Arc::new(
            move |arguments: CallArguments<'_>, value: &Stored| {
                project(arguments.json(), value.to_json()).into_meta()
            },
        ));
        changed
    }

    /// The last word on a result's content, after all hooks; `None` keeps it.
    pub fn finalize_content<R: IntoFinal>(
        self,
        finalize: impl Fn(&ToolExecution, &ToolResult) -> R + Send + Sync + 'static,
    ) -> Self {
        let mut changed = self.changed();
        changed.finalize = Some(Arc::new(
            move |execution: &ToolExecution, result: &ToolResult| {
                finalize(execution, result).into_final()
            },
        ));
        changed
    }
}

impl fmt::Debug for ToolDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolDefinition")
            .field("name", &self.name)
            .field("location", &self.location)
            .finish_non_exhaustive()
    }
}

/// What can be registered as a tool: a handle (`hello {}`) or a [`ToolDefinition`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "pass a handle such as `hello {{}}` of a `#[tool]` function, or a `ToolDefinition`"
)]
pub trait IntoDefinition {
    /// The definition.
    fn into_definition(self) -> ToolDefinition;
}

impl IntoDefinition for ToolDefinition {
    fn into_definition(self) -> ToolDefinition {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Tool> IntoDefinition for T {
    fn into_definition(self) -> ToolDefinition {
        self.definition()
    }
}

/// What a classifier of concurrency answers: a `bool`, or a `Result` of one.
pub trait IntoSafe {
    /// The answer.
    ///
    /// # Errors
    ///
    /// The classifier's own; it counts as "not safe".
    fn into_safe(self) -> Result<bool, ToolError>;
}

impl IntoSafe for bool {
    fn into_safe(self) -> Result<bool, ToolError> {
        Ok(self)
    }
}

impl<E: Into<ToolError>> IntoSafe for Result<bool, E> {
    fn into_safe(self) -> Result<bool, ToolError> {
        self.map_err(Into::into)
    }
}

/// What a projection for a user interface answers: a JSON value, or a `Result` of one.
pub trait IntoMeta {
    /// The projection.
    ///
    /// # Errors
    ///
    /// The projection's own; the result becomes `INVALID_TOOL_OUTPUT`.
    fn into_meta(self) -> Result<Value, ToolError>;
}

impl IntoMeta for Value {
    fn into_meta(self) -> Result<Value, ToolError> {
        Ok(self)
    }
}

impl<E: Into<ToolError>> IntoMeta for Result<Value, E> {
    fn into_meta(self) -> Result<Value, ToolError> {
        self.map_err(Into::into)
    }
}

/// What a finalizer answers: other content, or `None` to keep it; or a `Result` of that.
pub trait IntoFinal {
    /// The answer.
    ///
    /// # Errors
    ///
    /// The finalizer's own; it becomes the call's failure.
    fn into_final(self) -> Result<Option<Vec<ContentBlock>>, ToolError>;
}

impl IntoFinal for Option<Vec<ContentBlock>> {
    fn into_final(self) -> Result<Option<Vec<ContentBlock>>, ToolError> {
        Ok(self)
    }
}

impl<E: Into<ToolError>> IntoFinal for Result<Option<Vec<ContentBlock>>, E> {
    fn into_final(self) -> Result<Option<Vec<ContentBlock>>, ToolError> {
        self.map_err(Into::into)
    }
}

/// One registration of a tool: another one is another tool, also if it is prepared the same.
pub(crate) struct Definition(Arc<Prepared>);

impl Deref for Definition {
    type Target = Prepared;

    fn deref(&self) -> &Prepared {
        &self.0
    }
}

/// A definition, prepared: what a call needs and nothing to compute any more.
pub(crate) struct Prepared {
    pub(crate) schema: Arc<ToolSchema>,
    pub(crate) compiled_parameters: Compiled,
    /// Whether the parameters' types decide alone whether arguments fit.
    pub(crate) types_decide: bool,
    /// Whether a parameter is a number that need not be an integer.
    pub(crate) has_numbers: bool,
    pub(crate) check_value: CheckValue,
    pub(crate) compiled_output: Compiled,
    pub(crate) settings: Sheltered<ToolDefinition>,
}

/// How a value that the body itself returned is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CheckValue {
    /// Its type decides.
    Types,
    /// Its type decides, but for floats that JSON cannot carry.
    Finite,
    /// The schema decides.
    Schema,
}

impl Definition {
    pub(crate) fn new(prepared: Arc<Prepared>) -> Arc<Self> {
        Arc::new(Self(prepared))
    }
}

impl Prepared {
    pub(crate) fn name(&self) -> &str {
        &self.schema.name
    }

    /// Whether a value is of the type that the tool's own body returns.
    pub(crate) fn is_own_output(&self, stored: &Stored) -> bool {
        let own = self.settings.handle.map(|handle| handle.output);
        own.is_some() && own == stored.erased().map(|value| value.as_any().type_id())
    }

    pub(crate) fn exportable(&self) -> Exportable<'_> {
        let exportable = Exportable::new(
            &self.schema.name,
            &self.schema.description,
            &self.schema.parameters,
        )
        .output(self.compiled_output.schema())
        .hints(self.settings.hints);
        match &self.settings.title {
            Some(title) => exportable.title(title),
            None => exportable,
        }
    }

    pub(crate) fn body(&self) -> &dyn Body {
        &*self.settings.body
    }

    /// Runs the body; the permit is made here and nowhere else.
    pub(crate) fn run<'a>(
        &'a self,
        arguments: Option<BoxedArguments>,
        cx: &'a RunContext,
    ) -> MaybeFuture<'a, BodyOutcome> {
        self.settings
            .body
            .run(Permit::new(&self.settings.body), arguments, cx)
    }
}
