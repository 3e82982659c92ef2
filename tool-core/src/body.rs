//! The body of a typed tool: arguments that were read, and what comes of them.

use std::any::Any;
use std::future::Future;
use std::sync::Arc;

use crate::decode::Source;
use crate::definition::{Body, BodyOutcome, Permit};
use crate::error::ToolError;
use crate::execution::{BoxedArguments, RunContext};
use crate::future::{MaybeFuture, Settling};
use crate::info::Typed;
use crate::output::Ruled;
use crate::tool::Tool;

/// An instance that the tools of a toolbox share.
pub(crate) type Shared = Arc<dyn Any + Send + Sync>;

/// Arguments behind their type, which know how to start the body they are for.
pub trait Prepared: Any + Send + Sync {
    /// Starts the body, which takes the arguments away.
    ///
    /// # Errors
    ///
    /// If the call lacks what the body takes by reference.
    fn start<'a>(&mut self, receiver: Receiver<'a>, cx: &'a RunContext) -> Started<'a>;
}

/// The arguments of a tool; none once its body has taken them.
pub(crate) struct Arguments<T: Tool>(Option<T::Args>);

impl<T: Tool> Prepared for Arguments<T> {
    fn start<'a>(&mut self, receiver: Receiver<'a>, cx: &'a RunContext) -> Started<'a> {
        match self.0.take() {
            Some(arguments) => T::start(arguments, receiver, cx),
            None => Err(taken()),
        }
    }
}

#[cold]
fn taken() -> ToolError {
    ToolError::new("the arguments were taken by another body")
}

/// What reading arguments gives: nothing if they do not fit.
pub type Decoded = Option<Box<dyn Prepared>>;

/// The arguments of `T`, read.
pub fn prepared<T: Tool>(arguments: T::Args) -> Decoded {
    Some(Box::new(Arguments::<T>(Some(arguments))))
}

/// The arguments of `T`, if these are.
pub(crate) fn arguments_of<T: Tool>(prepared: &dyn Prepared) -> Option<&T::Args> {
    let prepared: &dyn Any = prepared;
    prepared.downcast_ref::<Arguments<T>>()?.0.as_ref()
}

/// A body that has started.
pub(crate) type Running<'a> = MaybeFuture<'a, BodyOutcome>;

/// A body that has started, or the reason why it could not.
pub type Started<'a> = Result<Running<'a>, ToolError>;

/// What a sync body has returned.
///
/// # Errors
///
/// Never: a failure is what the body comes to.
pub fn done<T: Tool>(returned: <T::Rule as Ruled>::Returned) -> Started<'static> {
    Ok(MaybeFuture::ready((T::SETTLE.close)(returned)))
}

/// What an async body will return. The future is boxed as it is.
///
/// # Errors
///
/// Never: a failure is what the body comes to.
pub fn pending<'a, T: Tool>(
    body: impl Future<Output = <T::Rule as Ruled>::Returned> + Send + 'a,
) -> Started<'a> {
    let settling = Settling::new(Box::new(body), T::SETTLE.poll);
    Ok(MaybeFuture::Settling(settling))
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

/// A typed tool behind its table, so that what follows is compiled once.
pub(crate) struct TypedBody {
    typed: &'static Typed,
    receiver: Option<Shared>,
}

impl TypedBody {
    pub(crate) fn new(typed: &'static Typed, receiver: Option<Shared>) -> Self {
        Self { typed, receiver }
    }
}

impl Body for TypedBody {
    fn decode(&self, text: &str) -> Result<BoxedArguments, ToolError> {
        let mut source = Source::new(text, self.typed.info.properties());
        let read = (self.typed.decode)(&mut source);
        source.finish(read)
    }

    fn run<'a>(
        &'a self,
        permit: Permit,
        arguments: Option<BoxedArguments>,
        cx: &'a RunContext,
    ) -> Running<'a> {
        let start = || {
            permit.redeem(self)?;
            let mut arguments = match arguments {
                Some(arguments) => arguments,
                None => self.decode(cx.execution().arguments_text())?,
            };
            arguments.start(Receiver(self.receiver.as_deref()), cx)
        };
        start().unwrap_or_else(|error| MaybeFuture::ready(Err(error)))
    }
}
