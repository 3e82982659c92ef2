//! What a body returns, and how it becomes a value or a failure.

use std::any::Any;
use std::borrow::Cow;
use std::convert::Infallible;
use std::error::Error;
use std::fmt::Display;
use std::marker::PhantomData;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::content::{ContentBlock, IntoContent};
use crate::definition::BodyOutcome;
use crate::error::ToolError;
use crate::future::{PollAny, poll_any};
use crate::hook::PostDecision;
use crate::value::ErasedValue;

/// A value for programs, and blocks of the body's own for the model: images, sounds, resources.
///
/// The value goes by the output schema like any other; only the content is not rendered from it.
///
/// ```
/// use tool_core::{ContentBlock, ToolOutput, tool};
///
/// /// Draws a dot.
/// #[tool]
/// fn dot() -> ToolOutput<u32> {
///     ToolOutput::new(1, [ContentBlock::image("iVBORw0KGgo=", "image/png")])
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolOutput<T = Value> {
    value: T,
    /// `None` where it was read back from JSON: then the value is rendered as usual.
    content: Option<Vec<ContentBlock>>,
    failure: Option<ToolError>,
}

impl<T> ToolOutput<T> {
    /// A value, and what the model is shown of it.
    pub fn new(value: T, content: impl IntoContent) -> Self {
        match content.into_content() {
            Ok(content) => Self {
                value,
                content: Some(content),
                failure: None,
            },
            Err(error) => Self {
                value,
                content: None,
                failure: Some(error),
            },
        }
    }

    /// The value.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// What the model is shown.
    pub fn content(&self) -> &[ContentBlock] {
        self.content.as_deref().unwrap_or_default()
    }
}

impl ToolOutput {
    /// Only content: the value for programs is `null`.
    pub fn blocks(content: impl IntoContent) -> Self {
        Self::new(Value::Null, content)
    }
}

// Coherent with the blanket implementation because it is not `Serialize`, and never will be.
impl<T: Serialize + Send + Sync + 'static> ErasedValue for ToolOutput<T> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }

    fn to_json(&self) -> Result<Value, String> {
        serde_json::to_value(&self.value).map_err(|error| error.to_string())
    }

    fn to_text(&self) -> Result<String, String> {
        serde_json::to_string(&self.value).map_err(|error| error.to_string())
    }

    fn to_finite_text(&self) -> Result<String, String> {
        self.value.to_finite_text()
    }

    fn check_finite(&self) -> Result<(), String> {
        self.value.check_finite()
    }

    fn own_content(&self) -> Option<&[ContentBlock]> {
        self.content.as_deref()
    }
}

/// Only the value is read: content is made by a body, not sent.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for ToolOutput<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = T::deserialize(deserializer)?;
        Ok(Self {
            value,
            content: None,
            failure: None,
        })
    }
}

/// A type that a tool can return, alone or as the success of a `Result`.
///
/// Implemented for everything that writes itself as JSON and describes itself as a JSON Schema, and
/// for [`ToolOutput`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a tool",
    label = "the tool returns this",
    note = "return a value that derives `serde::Serialize` and `schemars::JsonSchema`, a `ToolOutput`, or a `Result` of these; it must be `Send + Sync + 'static`"
)]
pub trait Returnable: Send + Sync + Sized + 'static {
    #[doc(hidden)]
    fn erase(self) -> BodyOutcome;
    #[doc(hidden)]
    fn schema(generator: &mut SchemaGenerator) -> Schema;
    #[doc(hidden)]
    fn schema_name() -> Cow<'static, str>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema + Send + Sync + 'static> Returnable for T {
    fn erase(self) -> BodyOutcome {
        Ok(Arc::new(self))
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema + Send + Sync + 'static> Returnable for ToolOutput<T> {
    fn erase(self) -> BodyOutcome {
        match self.failure {
            Some(error) => Err(error),
            None => Ok(Arc::new(self)),
        }
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }
}

/// A type that a tool can fail with: [`ToolError`] keeps its code, a `std::error::Error` shows
/// what is behind it, anything else that is `Display` is shown as it is.
///
/// A [`ToolError`] inside another error, such as `anyhow::Error`, loses its code: only its text is left.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's error",
    label = "the tool fails with this",
    note = "fail with `ToolError`, a `std::error::Error`, or anything that implements `Display`"
)]
pub trait Failing<Tier>: 'static {
    #[doc(hidden)]
    fn failure(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl<E: Display + 'static> Failing<Plain> for E {
    fn failure(self) -> ToolError {
        // A boxed error is no `Error` itself, but it has sources to show.
        let any: &dyn Any = &self;
        if let Some(boxed) = any.downcast_ref::<Box<dyn Error + Send + Sync>>() {
            return ToolError::from_std(&**boxed);
        }
        if let Some(boxed) = any.downcast_ref::<Box<dyn Error>>() {
            return ToolError::from_std(&**boxed);
        }
        // `{:#}` is how `anyhow` and `eyre` show their chain; for others it changes little.
        ToolError::new(format!("{self:#}"))
    }
}

#[diagnostic::do_not_recommend]
impl<E: Error + 'static> Failing<Chained> for E {
    fn failure(self) -> ToolError {
        let any: &dyn Any = &self;
        match any.downcast_ref::<ToolError>() {
            Some(error) => error.clone(),
            None => ToolError::from_std(&self),
        }
    }
}

/// Answers questions about a type where it is written, at compile time: an inherent constant beats
/// one of a trait.
pub struct Probe<T>(PhantomData<T>);

/// What holds for a type that no inherent constant speaks of.
pub trait Otherwise {
    /// 1 if it is a `Result`.
    const FALLIBLE: u8 = 0;
    /// 1 if it is a `Result` whose error has sources.
    const CHAINED: u8 = 0;
    /// Whether it is an `Option`.
    const OPTIONAL: bool = false;
    /// Whether it is an integer that JSON cannot carry.
    const WIDE: bool = false;
    /// Whether it is a decision whose value is JSON.
    const UNTYPED: bool = false;
    /// Whether it can be written as JSON.
    const WRITABLE: bool = false;
}

impl<T> Otherwise for Probe<T> {}

impl<T, E> Probe<Result<T, E>> {
    /// It is a `Result`.
    pub const FALLIBLE: u8 = 1;
}

impl<T, E: Error> Probe<Result<T, E>> {
    /// Its error has sources.
    pub const CHAINED: u8 = 1;
}

impl<T> Probe<Option<T>> {
    /// It is an `Option`.
    pub const OPTIONAL: bool = true;
}

/// JSON numbers have 64 bits. Inside a type of one's own it is the schema that says so.
macro_rules! wide {
    ($($ty:ty),*) => {
        $(
            impl Probe<$ty> {
                /// JSON numbers have 64 bits.
                pub const WIDE: bool = true;
            }
        )*
    };
}

wide!(i128, Option<i128>, Vec<i128>, Option<Vec<i128>>);
wide!(u128, Option<u128>, Vec<u128>, Option<Vec<u128>>);

impl Probe<PostDecision<Value>> {
    /// Its value is JSON.
    pub const UNTYPED: bool = true;
}

impl<E> Probe<Result<PostDecision<Value>, E>> {
    /// Its value is JSON.
    pub const UNTYPED: bool = true;
}

impl<T: Serialize> Probe<T> {
    /// It can be written as JSON.
    pub const WRITABLE: bool = true;
}

/// Reads a value back from JSON, where its type can.
pub type Read<T> = fn(&Value) -> Result<T, ToolError>;

/// As [`Otherwise`], for a constant that names the type.
pub trait Unreadable<T> {
    /// It cannot be read from JSON.
    const READ: Option<Read<T>> = None;
}

impl<T> Unreadable<T> for Probe<T> {}

impl<T: DeserializeOwned> Probe<T> {
    /// Reads it from JSON.
    pub const READ: Option<Read<T>> = Some(|value| T::deserialize(value).map_err(ToolError::from));
}

/// A return type, and what it is. 0: a value. 1: a `Result`. 2: a `Result` whose error has sources.
pub struct Rule<R, const KIND: u8>(PhantomData<fn() -> R>);

/// Marks an error that is only shown.
pub struct Plain;

/// Marks an error that has sources.
pub struct Chained;

/// What a function returns, taken apart.
///
/// The kind keeps the implementations apart, none of which has a bound: serde and schemars
/// implement their traits for `Result` as well, so that bounds could not.
pub trait Ruled {
    /// What the function returns.
    type Returned;
    /// The type of a success.
    type Success;
    /// The type of a failure.
    type Failure;
    /// What is known of the failure.
    type Tier;

    /// The success, or the failure.
    ///
    /// # Errors
    ///
    /// The body's own.
    fn split(returned: Self::Returned) -> Result<Self::Success, Self::Failure>;
}

impl<R> Ruled for Rule<R, 0> {
    type Returned = R;
    type Success = R;
    type Failure = Infallible;
    type Tier = Plain;

    fn split(returned: R) -> Result<R, Infallible> {
        Ok(returned)
    }
}

impl<R, E> Ruled for Rule<Result<R, E>, 1> {
    type Returned = Result<R, E>;
    type Success = R;
    type Failure = E;
    type Tier = Plain;

    fn split(returned: Result<R, E>) -> Result<R, E> {
        returned
    }
}

impl<R, E> Ruled for Rule<Result<R, E>, 2> {
    type Returned = Result<R, E>;
    type Success = R;
    type Failure = E;
    type Tier = Chained;

    fn split(returned: Result<R, E>) -> Result<R, E> {
        returned
    }
}

/// What can be done with a function's return type, without any bound on it.
pub struct Settle<R: Ruled> {
    pub(crate) close: fn(R::Returned) -> BodyOutcome,
    /// Polls a future whose output is what the function returns.
    pub(crate) poll: PollAny<BodyOutcome>,
    pub(crate) output: OutputType,
    /// The success out of an erased value that nobody else holds.
    pub(crate) take: fn(Arc<dyn ErasedValue>) -> Option<R::Success>,
}

/// What is known of the type of a value without the type.
#[derive(Clone, Copy)]
pub(crate) struct OutputType {
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
    pub(crate) name: fn() -> Cow<'static, str>,
}

/// How a return type settles, or the one error about it.
pub const fn settle<R: Ruled>() -> &'static Settle<R>
where
    R::Returned: 'static,
    R::Success: Returnable,
    R::Failure: Failing<R::Tier>,
{
    const {
        &Settle {
            close: close::<R>,
            poll: |future, cx| poll_any(future, cx).map(close::<R>),
            output: OutputType {
                schema: <R::Success as Returnable>::schema,
                name: <R::Success as Returnable>::schema_name,
            },
            take: |value| value.into_any().downcast().ok().and_then(Arc::into_inner),
        }
    }
}

fn close<R: Ruled>(returned: R::Returned) -> BodyOutcome
where
    R::Success: Returnable,
    R::Failure: Failing<R::Tier>,
{
    R::split(returned).map_err(Failing::failure)?.erase()
}
