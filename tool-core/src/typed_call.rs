//! Typed calls: arguments to JSON on the way in, the output from it on the way out.

use std::sync::Arc;

use serde_json::Value;

use crate::error::{ToolError, code};
use crate::result::ToolResult;
use crate::tool::Tool;

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
