//! What a program's thread keeps of a run, shared by the functions that the program can call.
//!
//! It holds engine values, so it is emptied before the engine goes: see `Engine`'s `Drop`.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use rquickjs::function::Constructor;
use rquickjs::object::Property;
use rquickjs::{Ctx, Exception, Function, Object, Persistent, Value as JsValue};
use tokio_util::sync::CancellationToken;

use crate::bridge::{Host, Message, Outcome};
use crate::clock::WallClock;
use crate::control::Control;
use crate::limits::Limits;
use crate::lossless::Plain;
use crate::source::Program;
use crate::timers::Timers;
use crate::trace;

/// Everything a run needs from outside.
pub(crate) struct Run {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) control: Arc<Control>,
    pub(crate) inbox: Sender<Message>,
    pub(crate) wall: WallClock,
    pub(crate) signal: CancellationToken,
    pub(crate) limits: Limits,
}

pub(crate) struct State {
    pub(crate) run: Run,
    pub(crate) program: Program,
    /// Set once the prelude has been evaluated.
    pub(crate) world: RefCell<Option<World>>,
    pub(crate) calls: RefCell<Calls>,
    pub(crate) timers: RefCell<Timers>,
    pub(crate) rejections: RefCell<Rejections>,
    /// The stack of the statement that ran into a limit.
    pub(crate) limit_site: RefCell<Option<String>>,
}

/// The prelude's own values.
pub(crate) struct World {
    pub(crate) plain: Plain,
    /// The engine's own `Error`.
    pub(crate) error: Persistent<Constructor<'static>>,
    pub(crate) tool_call_error: Persistent<Constructor<'static>>,
    pub(crate) parts: Persistent<Function<'static>>,
}

#[derive(Default)]
pub(crate) struct Calls {
    pub(crate) submitted: u32,
    /// The next call whose outcome the program gets.
    pub(crate) next: u32,
    pub(crate) pending: BTreeMap<u32, Pending>,
    /// Outcomes that wait for earlier ones.
    pub(crate) ready: BTreeMap<u32, Outcome>,
    /// Bytes, about, of the arguments in flight.
    pub(crate) weight: usize,
}

pub(crate) struct Pending {
    pub(crate) tool: String,
    pub(crate) resolve: Persistent<Function<'static>>,
    pub(crate) reject: Persistent<Function<'static>>,
    /// Made where the call stands, so that its stack names the program's line.
    pub(crate) site: Persistent<Object<'static>>,
    pub(crate) weight: usize,
}

/// Rejected promises that nobody has handled yet.
#[derive(Default)]
pub(crate) struct Rejections {
    list: Vec<(Persistent<JsValue<'static>>, Persistent<JsValue<'static>>)>,
    more: Cell<usize>,
}

/// So many unhandled rejections are kept.
const KEPT: usize = 64;

impl Rejections {
    pub(crate) fn note<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        promise: JsValue<'js>,
        reason: JsValue<'js>,
        handled: bool,
    ) {
        let promise = Persistent::save(ctx, promise);
        if handled {
            self.list.retain(|(known, _)| *known != promise);
        } else if self.list.len() < KEPT {
            self.list.push((promise, Persistent::save(ctx, reason)));
        } else {
            self.more.set(self.more.get() + 1);
        }
    }

    /// The reasons, but for that of the program's own promise, and how many more there were.
    pub(crate) fn take(
        &mut self,
        own: Option<&Persistent<JsValue<'static>>>,
    ) -> (Vec<Persistent<JsValue<'static>>>, usize) {
        let list = std::mem::take(&mut self.list);
        let others = list.into_iter().filter(|(promise, _)| Some(promise) != own);
        (
            others.map(|(_, reason)| reason).collect(),
            self.more.replace(0),
        )
    }
}

impl State {
    pub(crate) fn new(run: Run, program: Program) -> Rc<Self> {
        Rc::new(Self {
            run,
            program,
            world: RefCell::default(),
            calls: RefCell::new(Calls {
                next: 1,
                ..Calls::default()
            }),
            timers: RefCell::default(),
            rejections: RefCell::default(),
            limit_site: RefCell::default(),
        })
    }

    /// Lets go of every engine value.
    pub(crate) fn clear(&self) {
        self.world.take();
        let mut calls = self.calls.take();
        calls.pending.clear();
        self.timers.take();
        self.rejections.take();
    }

    /// The program's calls in flight and timers: something can still happen.
    pub(crate) fn expects_something(&self) -> bool {
        !self.calls.borrow().pending.is_empty() || !self.timers.borrow().is_empty()
    }

    /// An error with the stack of where the program is now. It is made for every call, and only a
    /// call that fails gets a [`failure`](Self::failure) after it, which takes half as long again.
    pub(crate) fn site<'js>(&self, ctx: &Ctx<'js>) -> rquickjs::Result<Object<'js>> {
        let class = self.of_world(|world| world.error.clone())?.restore(ctx)?;
        class.construct(())
    }

    /// A `ToolCallError` with the stack of the call's site, without the bridge's lines.
    ///
    /// Not the site with another prototype: the engine loses count of a prototype that it has no
    /// memory to set, and ends the process when it goes.
    pub(crate) fn failure<'js>(
        &self,
        ctx: &Ctx<'js>,
        site: &Object<'js>,
        tool: &str,
        message: &str,
    ) -> rquickjs::Result<Object<'js>> {
        let class = self.of_world(|world| world.tool_call_error.clone())?;
        let error: Object<'js> = class.restore(ctx)?.construct((tool, message))?;
        let stack = match site.get::<_, Option<String>>("stack") {
            Ok(stack) => stack.unwrap_or_default(),
            Err(_) => {
                ctx.catch();
                String::new()
            }
        };
        let lines = trace::own_lines(&stack);
        error.prop("stack", Property::from(lines).writable().configurable())?;
        Ok(error)
    }

    fn of_world<T>(&self, part: impl FnOnce(&World) -> T) -> rquickjs::Result<T> {
        let world = self.world.borrow();
        world.as_ref().map(part).ok_or(rquickjs::Error::Unknown)
    }

    /// Fails if the program has to stop. Whatever a program can call asks this before it runs
    /// anything in the engine: an interrupt that falls into a call from here is an error that this
    /// side may take for the program's own, and a loop in step with the interrupts would go on.
    pub(crate) fn goes_on(&self, ctx: &Ctx<'_>) -> rquickjs::Result<()> {
        match self.run.control.stopped() {
            None => Ok(()),
            Some(_) => Err(Exception::throw_message(ctx, "the run is over")),
        }
    }

    /// Fails if the engine had no memory for something and nobody was told, such as for the job that
    /// goes on after an `await`.
    pub(crate) fn nothing_was_lost(ctx: &Ctx<'_>) -> rquickjs::Result<()> {
        match ctx.has_exception() {
            true => Err(rquickjs::Error::Exception),
            false => Ok(()),
        }
    }

    /// Remembers where a limit was hit.
    pub(crate) fn mark_limit_site(&self, ctx: &Ctx<'_>) {
        if self.limit_site.borrow().is_some() {
            return;
        }
        let stack = self
            .site(ctx)
            .and_then(|error| error.get::<_, Option<String>>("stack"))
            .unwrap_or_default();
        *self.limit_site.borrow_mut() = stack;
    }
}
