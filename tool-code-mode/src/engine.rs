//! One program on its own thread: a fresh engine, its event loop, and what came of it.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use rquickjs::context::EvalOptions;
use rquickjs::promise::PromiseState;
use rquickjs::{Context, Ctx, Function, Persistent, Promise, Runtime, Value as JsValue};
use tool_core::__private::Lookout;
use tool_core::ProgramOutput;

use crate::bridge::Message;
use crate::calls;
use crate::control::{Control, Stop};
use crate::erase::{self, SyntaxError};
use crate::explain;
use crate::facts::Facts;
use crate::failure::{Failure, FailureKind};
use crate::inspect;
use crate::lossless;
use crate::source::{self, FILE, Program};
use crate::state::{Run, State};
use crate::trace::{self, Thrown};
use crate::wide::Shape;
use crate::world;

/// The engine's own stack. 4 MiB is some 6 000 calls deep, a quarter of that in debug builds.
pub(crate) const STACK: usize = 4 << 20;

/// After the program has ended, so many jobs that it left behind still run.
const LEFTOVERS: usize = 10_000;

/// How a program ended, before its output is added.
pub(crate) type Ended = Result<Option<serde_json::Value>, Failure>;

/// Runs `program` to its end. Returns when the engine is gone.
pub(crate) fn run(program: &str, run: Run, messages: &Receiver<Message>) -> Ended {
    let program = Program::new(source::unfenced(program));
    let control = Arc::clone(&run.control);
    control.give_sign();
    let erased = match erase::erase(&program) {
        Ok(erased) => erased,
        Err(error) => return Err(syntax_failure(&program, &error)),
    };
    if let Some(stop) = control.stopped() {
        return Err(explain::stopped(stop, &run.limits));
    }
    let engine = Engine::new(program, erased.facts, run).map_err(|_| unavailable())?;
    let ended = engine.live(erased.javascript, messages);
    engine.note_rejections();
    control.waits();
    ended
}

fn unavailable() -> Failure {
    Failure::new(FailureKind::Unavailable, "the engine could not be started")
}

fn syntax_failure(program: &Program, error: &SyntaxError) -> Failure {
    let mut failure = Failure::new(
        FailureKind::Exception,
        format!("SyntaxError: {}", error.message),
    );
    let parts = failure.parts_mut();
    parts.frames = vec![format!("at {}", error.at)];
    parts.line = program
        .line(error.at.line)
        .map(|text| (error.at.line, text));
    parts.help = error.hint.map(str::to_owned);
    failure
}

struct Engine {
    facts: Facts,
    state: Rc<State>,
    /// Before `runtime`, which must be the last to go.
    main: std::cell::RefCell<Option<Persistent<Promise<'static>>>>,
    context: Context,
    runtime: Runtime,
}

impl Drop for Engine {
    fn drop(&mut self) {
        // The engine insists that nobody holds a value of it when it goes.
        self.main.take();
        self.state.clear();
    }
}

impl Engine {
    fn new(program: Program, facts: Facts, run: Run) -> rquickjs::Result<Self> {
        let runtime = Runtime::new()?;
        runtime.set_max_stack_size(STACK);
        let context = Context::full(&runtime)?;
        let limits = run.limits;
        let control = Arc::clone(&run.control);
        let state = State::new(run, program);
        // From here on the values in `state` go before the engine, whatever happens.
        let engine = Self {
            facts,
            state,
            main: None.into(),
            context,
            runtime,
        };
        engine
            .context
            .with(|ctx| world::install(&ctx, &engine.state))?;
        let rejected = Rc::clone(&engine.state);
        engine
            .runtime
            .set_host_promise_rejection_tracker(Some(Box::new(
                move |ctx, promise, reason, handled| {
                    if let Ok(mut rejections) = rejected.rejections.try_borrow_mut() {
                        rejections.note(&ctx, promise, reason, handled);
                    }
                },
            )));
        // Not before: an engine that cannot allocate its own world aborts.
        engine.runtime.set_memory_limit(limits.heap_bytes());
        engine
            .runtime
            .set_gc_threshold((limits.heap_bytes() / 8).max(256 << 10));
        engine
            .runtime
            .set_interrupt_handler(Some(interrupt(control, limits.cpu_time())));
        Ok(engine)
    }

    fn live(&self, javascript: String, messages: &Receiver<Message>) -> Ended {
        let control = &self.state.run.control;
        control.give_sign();
        self.start(javascript)?;
        let mut lookout = Lookout::new();
        loop {
            self.drain()?;
            if let Some(ended) = self.ended() {
                return ended;
            }
            if self.fire_timers()? {
                continue;
            }
            if !self.state.expects_something() {
                return Err(self.stuck());
            }
            control.waits();
            let message = self.wait(messages, &mut lookout);
            control.give_sign();
            if let Some(Message::Settled { number, outcome }) = message {
                calls::arrive(&self.state, number, outcome);
            }
            while let Ok(message) = messages.try_recv() {
                if let Message::Settled { number, outcome } = message {
                    calls::arrive(&self.state, number, outcome);
                }
            }
            self.check()?;
            self.context.with(|ctx| {
                calls::deliver(&self.state, &ctx)
                    .map(drop)
                    .map_err(|_| self.caught(&ctx))
            })?;
        }
    }

    fn start(&self, javascript: String) -> Result<(), Failure> {
        let promise = self.context.with(|ctx| {
            let mut options = EvalOptions::default();
            options.filename = Some(FILE.to_owned());
            let program = ctx.eval_with_options::<Function<'_>, _>(javascript, options);
            match program.and_then(|program| program.call::<_, Promise<'_>>(())) {
                Ok(promise) => Ok(Persistent::save(&ctx, promise)),
                Err(_) => Err(self.caught(&ctx)),
            }
        })?;
        *self.main.borrow_mut() = Some(promise);
        Ok(())
    }

    /// Runs jobs until none is left, the program has ended, or it is made to stop.
    fn drain(&self) -> Result<(), Failure> {
        let mut leftovers = 0;
        for job in 0_usize.. {
            self.check()?;
            match self.runtime.execute_pending_job() {
                Ok(false) => break,
                Ok(true) => self
                    .context
                    .with(|ctx| State::nothing_was_lost(&ctx).map_err(|_| self.caught(&ctx)))?,
                Err(exception) => {
                    // Only what cannot be caught comes out of a job: interrupts, and no memory.
                    let failure = exception.0.with(|ctx| {
                        let thrown = ctx.catch();
                        let thrown = trace::describe(&self.state, &ctx, &thrown);
                        let stops = self.state.run.control.stopped().is_some()
                            || thrown.is_out_of_memory(self.facts.may_throw_null());
                        stops.then(|| self.failed(&thrown))
                    });
                    if let Some(failure) = failure {
                        return Err(failure);
                    }
                }
            }
            if leftovers > 0 || (job % 64 == 63 && self.is_settled()) {
                leftovers += 1;
                if leftovers > LEFTOVERS {
                    break;
                }
            }
        }
        self.check()
    }

    fn is_settled(&self) -> bool {
        self.with_main(|_, main| main.state() != PromiseState::Pending)
            .unwrap_or(false)
    }

    fn with_main<T>(&self, look: impl for<'js> FnOnce(&Ctx<'js>, Promise<'js>) -> T) -> Option<T> {
        let main = self.main.borrow().clone()?;
        self.context
            .with(|ctx| Some(look(&ctx, main.restore(&ctx).ok()?)))
    }

    /// What the program returned or threw; `None` while it is pending.
    fn ended(&self) -> Option<Ended> {
        self.with_main(|ctx, main| match main.state() {
            PromiseState::Pending => None,
            PromiseState::Resolved => Some(match main.result::<JsValue<'_>>() {
                Some(Ok(value)) => self.returned(ctx, &value),
                _ => Ok(None),
            }),
            PromiseState::Rejected => {
                let _ = main.result::<JsValue<'_>>();
                Some(Err(self.caught(ctx)))
            }
        })?
    }

    fn returned<'js>(&self, ctx: &Ctx<'js>, value: &JsValue<'js>) -> Ended {
        if value.is_undefined() {
            return Ok(None);
        }
        let budget = self.state.run.control.output_left();
        let taken = match self.state.world.borrow().as_ref() {
            Some(world) => lossless::snapshot(ctx, &world.plain, value, Shape::unknown(), budget),
            None => return Err(unavailable()),
        };
        if self.state.run.control.stopped().is_some() {
            return Err(self.caught(ctx));
        }
        match taken {
            Ok(snapshot) => Ok(Some(snapshot.value)),
            Err(lossy) => Err(explain::not_returnable(
                &lossy,
                &self.facts,
                &self.state.program,
                &self.state.run.limits,
            )),
        }
    }

    /// Calls the timers that are due; `true` if there were any. As in other worlds, what a timer
    /// throws ends the program.
    fn fire_timers(&self) -> Result<bool, Failure> {
        let now = Instant::now();
        let mut any = false;
        loop {
            let Some(timer) = self.state.timers.borrow_mut().take_due(now) else {
                return Ok(any);
            };
            any = true;
            self.context
                .with(|ctx| timer.fire(&ctx).map_err(|_| self.caught(&ctx)))?;
            self.drain()?;
        }
    }

    /// The next message; `None` when the next timer is due before.
    fn wait(&self, messages: &Receiver<Message>, lookout: &mut Lookout) -> Option<Message> {
        let looked = Instant::now();
        let seen = lookout.look(|| messages.try_recv().ok());
        self.state.run.control.looked_out(looked.elapsed());
        if seen.is_some() {
            return seen;
        }
        let next = self.state.timers.borrow().next();
        let since = Instant::now();
        let message = match next {
            None => messages.recv().ok(),
            Some(due) => {
                let left = due.saturating_duration_since(since);
                messages.recv_timeout(left).ok()
            }
        };
        lookout.slept(since.elapsed());
        message
    }

    /// Fails if the program has to stop.
    fn check(&self) -> Result<(), Failure> {
        let run = &self.state.run;
        if run.signal.is_cancelled() {
            run.control.stop(Stop::Abort);
        }
        if run.control.stopped().is_none() {
            return Ok(());
        }
        Err(self.context.with(|ctx| {
            let thrown = Thrown {
                message: String::new(),
                frames: calls::waiting_for(&self.state, &ctx)
                    .into_iter()
                    .next()
                    .map(|(_, frames)| frames)
                    .unwrap_or_default(),
                is_error: false,
                is_null: false,
            };
            self.failed(&thrown)
        }))
    }

    /// The failure of what the engine has just thrown.
    fn caught(&self, ctx: &Ctx<'_>) -> Failure {
        let thrown = ctx.catch();
        let thrown = trace::describe(&self.state, ctx, &thrown);
        self.failed(&thrown)
    }

    fn failed(&self, thrown: &Thrown) -> Failure {
        let run = &self.state.run;
        let site = self.state.limit_site.borrow();
        let known = explain::Known {
            program: &self.state.program,
            facts: &self.facts,
            limits: &run.limits,
            stop: run.control.stopped(),
            limit_site: site.as_deref(),
            host: &*run.host,
        };
        explain::failed(thrown, &known)
    }

    fn stuck(&self) -> Failure {
        explain::stuck(&self.facts, &self.state.program)
    }

    /// Rejections that nobody handled are printed last: the program went on without them.
    fn note_rejections(&self) {
        let main = self.main.borrow().clone();
        self.context.with(|ctx| {
            let own = main.and_then(|main| main.restore(&ctx).ok());
            let own = own.map(|own| Persistent::save(&ctx, own.into_value()));
            let (reasons, more) = self.state.rejections.borrow_mut().take(own.as_ref());
            let more = more + reasons.len().saturating_sub(5);
            for reason in reasons.into_iter().take(5) {
                let Ok(reason) = reason.restore(&ctx) else {
                    continue;
                };
                let shown = source::shortened(&inspect::top(&self.state, &ctx, &reason), 500);
                self.print_note(format!("unhandled rejection: {shown}"));
            }
            if more > 0 {
                self.print_note(format!("unhandled rejections: {more} more"));
            }
        });
    }

    fn print_note(&self, note: String) {
        let control = &self.state.run.control;
        if note.len() < control.output_left() {
            let _ = control.print(note);
        }
    }
}

/// Asked by the engine every few thousand steps: `true` ends the program, and no `catch` or
/// `finally` of it runs.
fn interrupt(control: Arc<Control>, budget: Duration) -> Box<dyn FnMut() -> bool> {
    let start = ThreadTime::now();
    Box::new(move || {
        control.give_sign();
        if control.stopped().is_none() && start.elapsed() > budget + control.spent_looking() {
            control.stop(Stop::Cpu);
        }
        control.stopped().is_some()
    })
}

/// The completion or failure of a run, with everything it printed.
pub(crate) fn finished(ended: Ended, control: &Control) -> Result<ProgramOutput, Failure> {
    let logs = control.take_lines();
    match ended {
        Ok(result) => Ok(ProgramOutput::new(logs, result)),
        Err(mut failure) => {
            failure.parts_mut().logs = logs;
            Err(failure)
        }
    }
}
