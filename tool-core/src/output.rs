//! What a body returns, and how it becomes a value or a failure.

use std::any::Any;
use std::borrow::Cow;
use std::error::Error;
use std::fmt::Display;
use std::marker::PhantomData;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::content::{ContentBlock, IntoContent};
use crate::definition::BodyOutcome;
use crate::error::ToolError;
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
    value: Arc<T>,
    content: Vec<ContentBlock>,
    failure: Option<ToolError>,
}

impl<T> ToolOutput<T> {
    /// A value, and what the model is shown of it.
    pub fn new(value: T, content: impl IntoContent) -> Self {
        match content.into_content() {
            Ok(content) => Self { value: value.into(), content, failure: None },
            Err(error) => Self { value: value.into(), content: Vec::new(), failure: Some(error) },
        }
    }

    /// The value.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// What the model is shown.
    pub fn content(&self) -> &[ContentBlock] {
        &self.content
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
        &*self.value
    }

    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self.value.clone()
    }

    fn to_json(&self) -> Result<Value, String> {
        serde_json::to_value(&*self.value).map_err(|error| error.to_string())
    }

    fn to_text(&self) -> Result<String, String> {
        serde_json::to_string(&*self.value).map_err(|error| error.to_string())
    }

    fn check_finite(&self) -> Result<(), String> {
        self.value.check_finite()
    }

    fn own_content(&self) -> Option<&[ContentBlock]> {
        Some(&self.content)
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
pub trait Returnable: 'static {
    /// The value that programs and hooks get.
    type Value: Send + Sync + 'static;

    #[doc(hidden)]
    fn erase(self) -> BodyOutcome;
    #[doc(hidden)]
    fn schema(generator: &mut SchemaGenerator) -> Schema;
    #[doc(hidden)]
    fn schema_name() -> Cow<'static, str>;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema + Send + Sync + 'static> Returnable for T {
    type Value = T;

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

impl<T: Serialize + JsonSchema + Send + Sync + 'static> Returnable for ToolOutput<T> {
    type Value = T;

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
pub trait Failing<const CHAINED: bool>: 'static {
    #[doc(hidden)]
    fn failure(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl<E: Display + 'static> Failing<false> for E {
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
impl<E: Error + 'static> Failing<true> for E {
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
    /// Whether it is a `Result`.
    const FALLIBLE: bool = false;
    /// Whether it is a `Result` whose error has sources.
    const CHAINED: bool = false;
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
    pub const FALLIBLE: bool = true;
}

impl<T, E: Error> Probe<Result<T, E>> {
    /// Its error has sources.
    pub const CHAINED: bool = true;
}

impl<T> Probe<Option<T>> {
    /// It is an `Option`.
    pub const OPTIONAL: bool = true;
}

impl Probe<i128> {
    /// JSON numbers have 64 bits.
    pub const WIDE: bool = true;
}

impl Probe<u128> {
    /// JSON numbers have 64 bits.
    pub const WIDE: bool = true;
}

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

/// How the return type of a function settles into a value or a failure.
///
/// The two constants keep the implementations apart: serde and schemars implement their traits for
/// `Result` as well.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a tool",
    label = "the tool returns this",
    note = "return a value that derives `serde::Serialize` and `schemars::JsonSchema`, a `ToolOutput`, or a `Result` of these; it must be `Send + Sync + 'static`"
)]
pub trait Returned<const FALLIBLE: bool, const CHAINED: bool> {
    /// The rule, for code that does not know the constants.
    type Settle;
}

impl<R: Returnable, const CHAINED: bool> Returned<false, CHAINED> for R {
    type Settle = Always<R>;
}

impl<R, E, const CHAINED: bool> Returned<true, CHAINED> for Result<R, E>
where
    R: Returnable,
    E: Failing<CHAINED>,
{
    type Settle = OrFailure<R, E, CHAINED>;
}

/// A rule that turns what a function returned into a success or a failure.
pub trait Settle {
    /// What the function returns.
    type Returned;
    /// The value of a success.
    type Value: Send + Sync + 'static;
    /// What a success is before it is erased.
    type Success: Returnable<Value = Self::Value>;

    /// The success, or the failure.
    ///
    /// # Errors
    ///
    /// The body's own.
    fn settle(returned: Self::Returned) -> Result<Self::Success, ToolError>;
}

/// Every return is a success.
pub struct Always<R>(PhantomData<R>);

impl<R: Returnable> Settle for Always<R> {
    type Returned = R;
    type Value = R::Value;
    type Success = R;

    fn settle(returned: R) -> Result<R, ToolError> {
        Ok(returned)
    }
}

/// A `Result`.
pub struct OrFailure<R, E, const CHAINED: bool>(PhantomData<(R, E)>);

impl<R: Returnable, E: Failing<CHAINED>, const CHAINED: bool> Settle for OrFailure<R, E, CHAINED> {
    type Returned = Result<R, E>;
    type Value = R::Value;
    type Success = R;

    fn settle(returned: Result<R, E>) -> Result<R, ToolError> {
        returned.map_err(Failing::failure)
    }
}
