//! What generated code names, and nothing else. Not part of the public interface: the macros are
//! released together with this crate and pinned to it.

mod hooks;
mod settings;

use serde::Serialize;

pub use self::hooks::{Arg, FromResult, Held, ReadBack, Reviewed, Unit, accepted, started, value};
pub use self::settings::{
    Projection, callers, classify, finalize_content, hints, present_call, present_result,
    presentation_meta, render,
};

// `#[tool]`
pub use crate::body::{Decoded, Receiver, Started, done, pending, prepared};
pub use crate::context::{FromContext, FromExecution, Need};
pub use crate::decode::Source;
pub use crate::definition::{OnCancel, ToolDefinition};
pub use crate::error::{Location, ToolError};
pub use crate::execution::{RunContext, ToolExecution};
pub use crate::info::Info;
pub use crate::output::{Probe, Read, Rule, Ruled, Settle, settle};
pub use crate::param::{Property, Refined, witness};
pub use crate::tool::{Tool, define};
pub use crate::typed_call::{Object, Writes, all};
pub use core::option::Option::{self, None, Some};
pub use core::primitive::str;
pub use core::result::Result::{self, Ok};
pub use core::time::Duration;

/// What holds where no inherent item says otherwise: traits without names, so that nothing is shadowed.
pub mod otherwise {
    pub use super::Unwritten as _;
    pub use crate::output::{Otherwise as _, Unreadable as _};
}

// `#[toolbox]`
pub use crate::toolbox::{Install, Toolbox};
pub use std::sync::Arc;

// Hooks.
pub use crate::from_arg::FromArg;
pub use crate::future::MaybeFuture;
pub use crate::hook::{
    AroundExecute, Decision, Guard, HookInfo, IntoAroundResult, IntoDecision, IntoObserved,
    IntoPostOutcome, IntoVerdict, OnResult, PostDecision, PostExecute, PostOutcome, PreExecute,
    Verdict,
};
pub use crate::pipeline::Next;
pub use crate::result::ToolResult;
pub use core::future::Future;

use crate::param::Witness;

/// A property, refused at its type if JSON cannot carry it.
#[track_caller]
pub const fn property<T>(
    name: &'static str,
    docs: &'static str,
    witness: &'static Witness<T>,
    is_wide: bool,
) -> Property {
    assert!(
        !is_wide,
        "JSON numbers cannot carry 128 bits\nhelp: use `String`"
    );
    Property::new(name, docs, &witness.ty)
}

/// Refuses a default that could never be seen.
#[track_caller]
pub const fn defaultable(is_optional: bool) {
    assert!(
        !is_optional,
        "`default` has no effect on an `Option` parameter\nhelp: an absent `Option` is `None`; remove one of the two"
    );
}

/// A type that a literal string stands for: the default of a `String`, or of a type made from one.
#[diagnostic::on_unimplemented(
    message = "a `{Self}` cannot be made from a string",
    label = "expected a `{Self}`, found a string",
    note = "write a value of the parameter's type: `default = 3`, `default = Unit::Celsius`"
)]
pub trait FromText {
    /// The value.
    fn from_text(text: &'static str) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: From<&'static str>> FromText for T {
    fn from_text(text: &'static str) -> Self {
        text.into()
    }
}

/// A value that is written if its type can be, see [`Unwritten`].
pub struct Written<'a, T>(pub &'a T);

impl<T: Serialize> Written<'_, T> {
    /// Writes it as the property `name`.
    ///
    /// # Errors
    ///
    /// What its `Serialize` says.
    pub fn put(&self, name: &str, object: &mut Object) -> Result<(), ToolError> {
        object.put(name, self.0)
    }

    /// Writes it as the whole object.
    ///
    /// # Errors
    ///
    /// What its `Serialize` says.
    pub fn whole(&self, object: &mut Object) -> Result<(), ToolError> {
        object.whole(self.0)
    }
}

/// The other half of [`Written`]: never called, since such a tool has no typed call.
pub trait Unwritten {
    /// Does nothing.
    ///
    /// # Errors
    ///
    /// Never.
    fn put(&self, _name: &str, _object: &mut Object) -> Result<(), ToolError> {
        Ok(())
    }

    /// Does nothing.
    ///
    /// # Errors
    ///
    /// Never.
    fn whole(&self, _object: &mut Object) -> Result<(), ToolError> {
        Ok(())
    }
}

impl<T> Unwritten for Written<'_, T> {}

// ---- mistakes ----

/// Stands where a function that was refused would be called. Such a crate does not compile.
pub fn stand_in<T>() -> T {
    unreachable!("the function was refused at compile time")
}

/// What is known of a function that was refused.
pub const STAND_IN: &Info = &Info::new(["", "", ""], Location { file: "", line: 0 }, &[], &[]);

/// Where a function stands.
pub const fn at(file: &'static str, line: u32) -> Location {
    Location { file, line }
}

// Engines of programs
pub use crate::lookout::Lookout;
