//! Typed tools: what `#[tool]` implements, and how a handle becomes a definition.

use std::any::{Any, TypeId};
use std::borrow::Cow;
use std::future::Future;
use std::sync::Arc;

use schemars::generate::Contract;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

use crate::context::Need;
use crate::definition::{
    Body, BodyOutcome, Handle, IntoDefinition, Permit, SchemaSource, ToolDefinition,
};
use crate::error::{Location, ToolError, code};
use crate::execution::{BoxedArguments, RunContext, ToolExecution};
use crate::future::MaybeFuture;
use crate::hook::{AroundExecute, Guard, HookInfo, OnResult, PostExecute, PreExecute};
use crate::output::{Read, Ruled, Settle};
use crate::param::{ParameterType, Property};
use crate::result::ToolResult;
use crate::runtime::ToolRuntimeBuilder;
use crate::schema::canonical::{self, Canonical};
use crate::schema::validate::SchemaError;

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
    const SETTLE: Settle<Self::Rule>;

    #[doc(hidden)]
    const INFO: &'static Info;

    /// Reads the output back from JSON, where its type can.
    #[doc(hidden)]
    const READ: Option<Read<Self::Output>> = None;

    #[doc(hidden)]
    fn decode(text: &str) -> Result<Self::Args, ToolError>;

    #[doc(hidden)]
    fn encode(_arguments: &Self::Args, _object: &mut Object) -> Result<(), ToolError> {
        Ok(())
    }

    #[doc(hidden)]
    fn start<'a>(
        arguments: Self::Args,
        receiver: Receiver<'a>,
        cx: &'a RunContext,
    ) -> Result<Running<'a>, ToolError>;

    /// What the attribute says beside name and description.
    #[doc(hidden)]
    fn settings(definition: ToolDefinition) -> ToolDefinition {
        definition
    }

    #[doc(hidden)]
    fn handle() -> Handle {
        Handle {
            id: TypeId::of::<Self>(),
            name: Self::INFO.handle,
        }
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

/// A tool that can be called with typed arguments: they have a name, `#[tool(args = HelloArgs)]`, and
/// each can be written as JSON.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be called with typed arguments",
    label = "no typed call",
    note = "name the arguments, `#[tool(args = HelloArgs)]`, and derive `serde::Serialize` for the type of each"
)]
pub trait TypedCall: Tool {}

#[diagnostic::do_not_recommend]
impl<T: Writes<true>> TypedCall for T {}

/// Whether every argument can be written as JSON.
pub trait Writes<const ALL: bool>: Tool {}

/// Whether all are true.
pub const fn all(flags: &[bool]) -> bool {
    let mut index = 0;
    while index < flags.len() {
        if !flags[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// A body that has started.
pub type Running<'a> = MaybeFuture<'a, BodyOutcome>;

/// An instance that the tools of a toolbox share.
pub(crate) type Shared = Arc<dyn Any + Send + Sync>;

/// What a tool is known by before it is registered: a table, no code.
pub struct Info {
    name: &'static str,
    handle: &'static str,
    description: &'static str,
    location: Location,
    parameters: Parameters,
    needs: &'static [fn() -> Option<Need>],
}

/// The parameters of a tool.
#[derive(Clone, Copy)]
pub enum Parameters {
    /// One property each.
    Each(&'static [Property]),
    /// One type for all.
    Whole(ParameterType),
}

impl Info {
    /// A tool called `name` whose handle is called `handle`.
    pub const fn new(
        [name, handle, description]: [&'static str; 3],
        location: Location,
        parameters: Parameters,
        needs: &'static [fn() -> Option<Need>],
    ) -> Self {
        Self {
            name,
            handle,
            description,
            location,
            parameters,
            needs,
        }
    }

    pub(crate) fn properties(&self) -> &'static [Property] {
        match self.parameters {
            Parameters::Each(properties) => properties,
            Parameters::Whole(_) => &[],
        }
    }

    fn schema(&self) -> Result<Canonical, SchemaError> {
        let mut generator = canonical::generator(Contract::Deserialize);
        match self.parameters {
            Parameters::Each(properties) => {
                let mut schemas = Vec::with_capacity(properties.len());
                for property in properties {
                    schemas.push(
                        property
                            .schema(&mut generator)
                            .map_err(|error| SchemaError {
                                path: String::new(),
                                reason: format!(
                                    "the default or an example of `{}`: {error}",
                                    property.name
                                ),
                            })?,
                    );
                }
                canonical::assemble(&schemas, generator.take_definitions(true))
            }
            Parameters::Whole(ty) => {
                let root = (ty.schema)(&mut generator).to_value();
                let root = with_definitions(root, generator.take_definitions(true));
                canonical::canonical_object(root, &(ty.name)())
            }
        }
    }
}

fn with_definitions(mut root: Value, definitions: Map<String, Value>) -> Value {
    if let (Value::Object(keywords), false) = (&mut root, definitions.is_empty()) {
        keywords.insert("$defs".to_owned(), Value::Object(definitions));
    }
    root
}

/// The definition of a tool. `receiver` is the instance its method is called on.
pub fn define<T: Tool>(receiver: Option<Shared>) -> ToolDefinition {
    let parts = Parts {
        info: T::INFO,
        schemas: (|| T::INFO.schema(), output_schema::<T>),
        decode: |text| Ok(Box::new(T::decode(text)?)),
        run: run::<T>,
    };
    let mut definition = parts.define(receiver);
    definition.handle = Some(T::handle());
    T::settings(definition)
}

fn output_schema<T: Tool>() -> Result<Canonical, SchemaError> {
    output_schema_of(T::SETTLE.schema, T::SETTLE.schema_name)
}

#[expect(clippy::unnecessary_wraps, reason = "a schema of parameters may fail")]
fn output_schema_of(
    schema: fn(&mut SchemaGenerator) -> Schema,
    name: fn() -> Cow<'static, str>,
) -> Result<Canonical, SchemaError> {
    let mut generator = canonical::generator(Contract::Serialize);
    let root = schema(&mut generator).to_value();
    let root = with_definitions(root, generator.take_definitions(true));
    let schema = canonical::canonical_output(root, &name());
    let types_decide = crate::schema::holds_by_type(&schema);
    Ok(Canonical {
        schema,
        types_decide,
    })
}

type SchemaFn = fn() -> Result<Canonical, SchemaError>;
type RunFn = for<'a> fn(Receiver<'a>, Option<BoxedArguments>, &'a RunContext) -> Running<'a>;

/// A tool behind plain function pointers, so that what follows is compiled once.
struct Parts {
    info: &'static Info,
    schemas: (SchemaFn, SchemaFn),
    decode: fn(&str) -> Result<BoxedArguments, ToolError>,
    run: RunFn,
}

impl Parts {
    fn define(self, receiver: Option<Shared>) -> ToolDefinition {
        let Self {
            info,
            schemas: (parameters, output),
            decode,
            run,
        } = self;
        let schemas = (SchemaSource::Typed(parameters), SchemaSource::Typed(output));
        let body = Arc::new(TypedBody {
            decode,
            run,
            receiver,
        });
        let mut definition = ToolDefinition::new(
            info.name.into(),
            info.description.into(),
            schemas,
            body,
            info.location,
        );
        definition.needs = info.needs.iter().filter_map(|need| need()).collect();
        definition
    }
}

struct TypedBody {
    decode: fn(&str) -> Result<BoxedArguments, ToolError>,
    run: RunFn,
    receiver: Option<Shared>,
}

impl Body for TypedBody {
    fn decode(&self, text: &str) -> Result<BoxedArguments, ToolError> {
        (self.decode)(text)
    }

    fn run<'a>(
        &'a self,
        permit: Permit,
        arguments: Option<BoxedArguments>,
        cx: &'a RunContext,
    ) -> Running<'a> {
        match permit.redeem(self) {
            Ok(()) => (self.run)(Receiver(self.receiver.as_deref()), arguments, cx),
            Err(error) => MaybeFuture::ready(Err(error)),
        }
    }
}

fn run<'a, T: Tool>(
    receiver: Receiver<'a>,
    arguments: Option<BoxedArguments>,
    cx: &'a RunContext,
) -> Running<'a> {
    let arguments = match arguments.map(BoxedArguments::downcast::<T::Args>) {
        Some(Ok(arguments)) => Ok(*arguments),
        _ => T::decode(cx.execution().arguments_text()),
    };
    let running = arguments.and_then(|arguments| T::start(arguments, receiver, cx));
    running.unwrap_or_else(|error| MaybeFuture::ready(Err(error)))
}

/// What a sync body has returned.
pub fn done<T: Tool>(returned: <T::Rule as Ruled>::Returned) -> Running<'static> {
    MaybeFuture::ready((T::SETTLE.close)(returned))
}

/// What an async body will return. The one allocation of a call.
pub fn pending<'a, T: Tool>(
    body: impl Future<Output = <T::Rule as Ruled>::Returned> + Send + 'a,
) -> Running<'a> {
    MaybeFuture::boxed(async move { (T::SETTLE.close)(body.await) })
}

/// The instance a method is called on.
#[derive(Clone, Copy)]
pub struct Receiver<'a>(Option<&'a (dyn Any + Send + Sync)>);

impl<'a> Receiver<'a> {
    /// The instance.
    ///
    /// # Errors
    ///
    /// If the definition was made without one.
    pub fn get<S: 'static>(self) -> Result<&'a S, ToolError> {
        let instance = self.0.and_then(|instance| instance.downcast_ref());
        instance.ok_or_else(|| ToolError::new("the tool has lost the toolbox it belongs to"))
    }
}

/// An object of arguments in the making, as JSON text.
#[derive(Default)]
pub struct Object {
    text: String,
    /// Whether a brace is still open: properties are put in one by one.
    open: bool,
}

impl Object {
    /// Takes a value for the property `name`.
    ///
    /// # Errors
    ///
    /// What its `Serialize` says.
    pub fn put<T: serde::Serialize>(&mut self, name: &str, value: &T) -> Result<(), ToolError> {
        let value = serde_json::to_string(value).map_err(unwritable)?;
        self.text.push(if self.open { ',' } else { '{' });
        self.open = true;
        self.text.push_str(&Value::from(name).to_string());
        self.text.push(':');
        self.text.push_str(&value);
        Ok(())
    }

    /// Takes a value for all properties at once.
    ///
    /// # Errors
    ///
    /// What its `Serialize` says.
    pub fn whole<T: serde::Serialize>(&mut self, value: &T) -> Result<(), ToolError> {
        self.text = serde_json::to_string(value).map_err(unwritable)?;
        Ok(())
    }

    fn finish(mut self) -> String {
        if self.open {
            self.text.push('}');
        }
        // Blank arguments are an empty object.
        self.text
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
fn unwritable(error: serde_json::Error) -> ToolError {
    ToolError::coded(
        code::INVALID_ARGS,
        format!("the arguments cannot be written as JSON: {error}"),
    )
}

/// Installs tools and hooks; what [`Toolbox::install`] fills: a builder, the runtime or a scope.
pub trait Install: Sized {
    /// Takes a tool.
    #[must_use]
    fn tool(self, tool: impl IntoDefinition) -> Self;
    /// Takes a guard.
    #[must_use]
    fn guard(self, hook: impl Guard) -> Self;
    /// Takes a pre-execute hook.
    #[must_use]
    fn pre_execute(self, hook: impl PreExecute) -> Self;
    /// Takes an around-execute hook.
    #[must_use]
    fn around_execute(self, hook: impl AroundExecute) -> Self;
    /// Takes a post-execute hook.
    #[must_use]
    fn post_execute(self, hook: impl PostExecute) -> Self;
    /// Takes an observer.
    #[must_use]
    fn on_result(self, hook: impl OnResult) -> Self;
}

/// A value whose methods are tools, which share it. `#[toolbox]` on an `impl` block implements it.
///
/// ```
/// use tool_core::{ToolCall, ToolRuntime, toolbox};
///
/// struct Weather {
///     unit: char,
/// }
///
/// #[toolbox(prefix = "weather_")]
/// impl Weather {
///     /// The forecast for a city.
///     #[tool(read_only)]
///     async fn forecast(&self, city: String) -> String {
///         format!("{city}: 20 {}", self.unit)
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let runtime = ToolRuntime::builder().toolbox(Weather { unit: 'C' }).build().unwrap();
/// let call = ToolCall::new("call_1", "weather_forecast", r#"{"city":"Oslo"}"#);
/// assert_eq!(runtime.execute(call).await.text(), "Oslo: 20 C");
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a toolbox",
    label = "no tools here",
    note = "put `#[toolbox]` on the `impl` block whose methods are tools"
)]
pub trait Toolbox: Send + Sync + 'static {
    /// Hands every tool and hook to `into`.
    fn install<I: Install>(self, into: I) -> I;
}

/// The arguments of a typed call, as JSON text.
pub(crate) fn arguments_text<T: Tool>(arguments: &T::Args) -> Result<String, ToolError> {
    let mut object = Object::default();
    T::encode(arguments, &mut object)?;
    Ok(object.finish())
}

/// The name a typed tool has unless its registration says otherwise.
pub(crate) fn name<T: Tool>() -> &'static str {
    T::INFO.name
}

/// The output of a typed call.
///
/// A value that a hook replaced by JSON, or that somebody else still holds, is read from its JSON.
pub(crate) fn output<T: Tool>(result: ToolResult) -> Result<T::Output, ToolError> {
    let read = |json: &Value| {
        let read = T::READ.ok_or_else(|| {
            ToolError::coded(
                code::INVALID_TOOL_OUTPUT,
                "the value is only there as JSON, and its type cannot be read from that: derive `serde::Deserialize`",
            )
        })?;
        read(json)
    };
    let stored = result.into_stored()?;
    if stored.downcast::<T::Output>().is_none() {
        return read(stored.to_json());
    }
    let Some(value) = stored.into_typed() else {
        return read(&Value::Null);
    };
    if Arc::strong_count(&value) > 1 {
        // An observer or a wrapper has kept the result.
        return read(&value.to_json().map_err(ToolError::new)?);
    }
    (T::SETTLE.take)(value)
        .ok_or_else(|| ToolError::new("the value of a typed call was kept by somebody else"))
}

/// The runtime's builder takes what a toolbox holds.
impl Install for ToolRuntimeBuilder {
    fn tool(self, tool: impl IntoDefinition) -> Self {
        Self::tool(self, tool)
    }

    fn guard(self, hook: impl Guard) -> Self {
        Self::guard(self, hook)
    }

    fn pre_execute(self, hook: impl PreExecute) -> Self {
        Self::pre_execute(self, hook)
    }

    fn around_execute(self, hook: impl AroundExecute) -> Self {
        Self::around_execute(self, hook)
    }

    fn post_execute(self, hook: impl PostExecute) -> Self {
        Self::post_execute(self, hook)
    }

    fn on_result(self, hook: impl OnResult) -> Self {
        Self::on_result(self, hook)
    }
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
    ($($($path:ident)::+),* $(,)?) => {
        [$($crate::IntoDefinition::into_definition($($path)::+ {})),*]
    };
}
