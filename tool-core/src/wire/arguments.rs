//! Arguments: as the provider sent them to the runtime, and back into the history.

use serde_json::{Map, Value};

use crate::call::RawArguments;
use crate::schema::{self, Limits};

const ANY_SIZE: Limits = Limits {
    max_bytes: usize::MAX,
};

/// What the runtime is given: text as text, anything else as JSON.
///
/// Text is also taken where a provider sends objects, because a client that puts a stream together
/// may leave the pieces as text.
pub(super) fn read(sent: Option<&Value>, cut: bool) -> RawArguments {
    let arguments = match sent {
        None | Some(Value::Null) => RawArguments::Text(String::new()),
        Some(Value::String(text)) => RawArguments::Text(text.clone()),
        Some(value) => RawArguments::Json(value.clone()),
    };
    if cut {
        incomplete(arguments)
    } else {
        arguments
    }
}

/// The arguments of a call that may not have been finished. A text shows by itself whether it is
/// complete, but for no text, which means `{}`; an object may have been closed by a client.
fn incomplete(arguments: RawArguments) -> RawArguments {
    match arguments {
        RawArguments::Text(text) if schema::is_blank(&text) => RawArguments::Text("{".to_owned()),
        RawArguments::Json(value) if value.is_object() => {
            let mut text = value.to_string();
            text.pop();
            RawArguments::Text(text)
        }
        other => other,
    }
}

/// Applies `restore` to arguments that are an object. Text that says the same stays text.
pub(super) fn restore(arguments: &mut RawArguments, restore: impl FnOnce(Value) -> Value) {
    let value = match arguments {
        RawArguments::Json(value) if value.is_object() => std::mem::take(value),
        RawArguments::Json(_) => return,
        RawArguments::Text(text) => match object(text) {
            Some(object) => object,
            None => return,
        },
    };
    match arguments {
        RawArguments::Json(place) => *place = restore(value),
        RawArguments::Text(_) => {
            let restored = restore(value.clone());
            if restored != value {
                *arguments = RawArguments::Json(restored);
            }
        }
    }
}

/// For a history that wants text: one that parses as an object, the model's own if it does.
pub(super) fn replayed_text(sent: Option<&Value>) -> String {
    match sent {
        Some(Value::String(text)) if serde_json::from_str::<Map<String, Value>>(text).is_ok() => {
            text.clone()
        }
        other => replayed_object(other).to_string(),
    }
}

/// For a history that wants an object: the model's own, or the one inside a text.
pub(super) fn replayed_object(sent: Option<&Value>) -> Value {
    let inside = match sent {
        Some(value @ Value::Object(_)) => Some(value.clone()),
        Some(Value::String(text)) => {
            object(text).or_else(|| serde_json::from_str(text).ok().map(Value::Object))
        }
        _ => None,
    };
    inside.unwrap_or_else(|| Value::Object(Map::new()))
}

/// The object that the runtime would read from a text, with one code fence or one layer of string
/// around it taken off.
fn object(text: &str) -> Option<Value> {
    let (value, _) = schema::repair_root(text, ANY_SIZE).ok()?;
    value.is_object().then_some(value)
}
