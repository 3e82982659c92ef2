//! What is wrong with a response as a whole.

use serde_json::Value;

use super::Provider;
use super::bound::bound_text;
use crate::schema;

/// Why a response cannot be read.
///
/// ```
/// use serde_json::json;
/// use tool_core::wire::Provider;
///
/// let response = json!({"type": "error", "error": {"message": "Overloaded"}});
/// let error = Provider::Anthropic.read(&response).unwrap_err();
/// assert_eq!(error.to_string(), "Anthropic answered with an error: Overloaded");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// The response reports an error.
    #[error("{provider} answered with an error: {message}")]
    #[non_exhaustive]
    Provider {
        /// Whose format it is.
        provider: Provider,
        /// What the provider says, at most 1000 bytes of it.
        message: String,
    },
    /// The response is not of the provider's format.
    #[error(
        "not a response of {provider}: expected {expected} at `{path}`, got {got}\nhelp: pass the whole response, or its message alone"
    )]
    #[non_exhaustive]
    Shape {
        /// Whose format was expected.
        provider: Provider,
        /// Where, as a JSON pointer; empty for the response itself.
        path: String,
        /// What should be there.
        expected: &'static str,
        /// What is there.
        got: &'static str,
    },
    /// The response is nested more than 128 levels deep.
    #[error(
        "the response of {provider} is nested more than {} levels deep",
        schema::MAX_DEPTH
    )]
    #[non_exhaustive]
    TooDeep {
        /// Whose format was expected.
        provider: Provider,
    },
}

/// The response itself, unless it reports an error.
pub(super) fn unless_error(provider: Provider, response: &Value) -> Result<&Value, WireError> {
    const LONGEST: usize = 1000;
    let error = match response.get("error") {
        None | Some(Value::Null) => return Ok(response),
        Some(error) => error,
    };
    let message = error.get("message").unwrap_or(error);
    let message = message
        .as_str()
        .map_or_else(|| message.to_string(), str::to_owned);
    Err(WireError::Provider {
        provider,
        message: bound_text(&message, LONGEST).into_owned(),
    })
}

fn shape(
    provider: Provider,
    path: impl Into<String>,
    expected: &'static str,
    got: Option<&Value>,
) -> WireError {
    let got = got.map_or("nothing", schema::kind_of);
    WireError::Shape {
        provider,
        path: path.into(),
        expected,
        got,
    }
}

/// What has to be an object.
pub(super) fn object<'v>(
    provider: Provider,
    path: &str,
    value: Option<&'v Value>,
) -> Result<&'v Value, WireError> {
    match value {
        Some(object @ Value::Object(_)) => Ok(object),
        other => Err(shape(provider, path, "an object", other)),
    }
}

/// The items of what has to be an array.
pub(super) fn array<'v>(
    provider: Provider,
    path: &str,
    value: Option<&'v Value>,
) -> Result<&'v [Value], WireError> {
    match value {
        Some(Value::Array(items)) => Ok(items),
        other => Err(shape(provider, path, "an array", other)),
    }
}

/// The items of an array that may be absent or `null`.
pub(super) fn items<'v>(
    provider: Provider,
    path: &str,
    value: Option<&'v Value>,
) -> Result<&'v [Value], WireError> {
    match value {
        None | Some(Value::Null) => Ok(&[]),
        present => array(provider, path, present),
    }
}

/// A string member of an object.
pub(super) fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}
