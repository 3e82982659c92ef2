//! `setTimeout`: a program's own timers, on its own thread.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use rquickjs::function::{Opt, Rest};
use rquickjs::{Coerced, Ctx, Exception, Function, Object, Persistent, Value as JsValue};

use crate::state::State;

/// So many timers may be set at once.
const MOST: usize = 10_000;

/// The longest a timer waits: longer than any run.
const FOREVER: f64 = 172_800_000.0;

/// What a program has set, the next first.
#[derive(Default)]
pub(crate) struct Timers {
    last: u32,
    due: BTreeMap<(Instant, u32), Timer>,
}

pub(crate) struct Timer {
    function: Persistent<Function<'static>>,
    arguments: Vec<Persistent<JsValue<'static>>>,
}

impl Timers {
    pub(crate) fn is_empty(&self) -> bool {
        self.due.is_empty()
    }

    /// When the next one is due.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.due.keys().next().map(|(due, _)| *due)
    }

    /// The next one, if it is due.
    pub(crate) fn take_due(&mut self, now: Instant) -> Option<Timer> {
        let first = self.due.first_entry()?;
        (first.key().0 <= now).then(|| first.remove())
    }
}

impl Timer {
    /// Calls what was set.
    pub(crate) fn fire(self, ctx: &Ctx<'_>) -> rquickjs::Result<()> {
        let arguments = self.arguments.into_iter();
        let arguments: Vec<JsValue<'_>> = arguments
            .map(|argument| argument.restore(ctx))
            .collect::<rquickjs::Result<_>>()?;
        let function = self.function.restore(ctx)?;
        function.call::<_, JsValue<'_>>((Rest(arguments),))?;
        Ok(())
    }
}

/// Makes `setTimeout` and `clearTimeout`.
pub(crate) fn install<'js>(
    ctx: &Ctx<'js>,
    state: &Rc<State>,
    host: &Object<'js>,
) -> rquickjs::Result<()> {
    let set = {
        let state = Rc::clone(state);
        move |ctx: Ctx<'js>,
              function: JsValue<'js>,
              delay: Opt<Coerced<f64>>,
              arguments: Rest<JsValue<'js>>| {
            state.goes_on(&ctx)?;
            let Some(function) = function.into_function() else {
                return Err(Exception::throw_type(
                    &ctx,
                    "setTimeout takes a function first",
                ));
            };
            let mut timers = state.timers.borrow_mut();
            if timers.due.len() >= MOST {
                let message = format!("more than {MOST} timers are set");
                return Err(Exception::throw_range(&ctx, &message));
            }
            let delay = delay.0.map_or(0.0, |delay| delay.0);
            let delay = if delay.is_nan() {
                0.0
            } else {
                delay.clamp(0.0, FOREVER)
            };
            let delay = Duration::from_secs_f64(delay / 1_000.0);
            timers.last += 1;
            let id = timers.last;
            let timer = Timer {
                function: Persistent::save(&ctx, function),
                arguments: arguments
                    .0
                    .into_iter()
                    .map(|argument| Persistent::save(&ctx, argument))
                    .collect(),
            };
            timers.due.insert((Instant::now() + delay, id), timer);
            Ok(id)
        }
    };
    let clear = {
        let state = Rc::clone(state);
        move |id: Opt<JsValue<'js>>| {
            let id = id.0.and_then(|id| id.as_number());
            state
                .timers
                .borrow_mut()
                .due
                .retain(|(_, known), _| Some(f64::from(*known)) != id);
        }
    };
    host.set(
        "setTimeout",
        Function::new(ctx.clone(), set)?.with_name("setTimeout")?,
    )?;
    host.set(
        "clearTimeout",
        Function::new(ctx.clone(), clear)?.with_name("clearTimeout")?,
    )
}
