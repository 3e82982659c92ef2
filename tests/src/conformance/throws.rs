//! How a `throw` of a scenario is played: as an error returned, or as a panic.

use tool_core::ToolError;

use super::tool::Throw;
use super::world::World;

/// How a `throw` is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// As an error returned.
    Errors,
    /// As a panic. Its message may be withheld, and its code be one for panics.
    Panics,
}

impl Pass {
    /// Both, in the order they are played.
    pub const BOTH: [Self; 2] = [Self::Errors, Self::Panics];
}

impl World {
    /// The error of a `throw`; in the pass of panics, the panic itself.
    pub(super) fn throw(&self, throw: &Throw) -> ToolError {
        let error = self.throw_message(&throw.message);
        match &throw.code {
            Some(code) => error.with_code(code.clone()),
            None => error,
        }
    }

    /// The error of a `throw` that has only a message; in the pass of panics, the panic itself.
    pub(super) fn throw_message(&self, message: &str) -> ToolError {
        match self.pass {
            Pass::Errors => ToolError::new(message),
            Pass::Panics => {
                self.marks.noticed().thrown.insert(message.to_owned());
                // Unwinds as a panic does, without a report on stderr for each of hundreds.
                std::panic::resume_unwind(Box::new(message.to_owned()))
            }
        }
    }
}
