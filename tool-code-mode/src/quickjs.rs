//! Runs on QuickJS: one thread and one fresh engine per program.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tool_core::ProgramOutput;

use crate::bridge::{Host, Message};
use crate::clock::WallClock;
use crate::control::{Control, Stop};
use crate::engine::{self, Ended};
use crate::explain;
use crate::failure::{Failure, FailureKind};
use crate::limits::Limits;
use crate::nesting;
use crate::state::Run;

/// A program that was told to stop and still runs after this is left behind. The engine looks at
/// the flag many thousand times a second, but for a few operations that never do.
const GRACE: Duration = Duration::from_millis(500);

/// TypeScript programs on an embedded QuickJS.
///
/// Cloning is cheap; clones share the count of threads that had to be left behind.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use std::sync::Arc;
/// use serde_json::{Value, json};
/// use tokio_util::sync::CancellationToken;
/// use tool_code_mode::{Host, QuickJs, Reply, SdkTool, Submitted};
///
/// struct Doubler(Value);
///
/// impl Host for Doubler {
///     fn tools(&self) -> Vec<String> {
///         vec!["double".to_owned()]
///     }
///     fn tool(&self, _name: &str) -> Option<SdkTool<'_>> {
///         Some(SdkTool { name: "double", description: "", parameters: &self.0, output: &self.0 })
///     }
///     fn submit(&self, call: Submitted, reply: Reply) {
///         match call.arguments["n"].as_i64() {
///             Some(n) => reply.resolve(json!(n * 2)),
///             None => reply.reject("`n` is missing"),
///         }
///     }
/// }
///
/// let program = "const n: number = await tools.double({ n: 21 }); console.log('done'); return n";
/// let host = Arc::new(Doubler(json!({})));
/// let run = QuickJs::new().run(program.to_owned(), host, CancellationToken::new());
/// assert_eq!(run.await.unwrap().text(), "done\n42");
/// # }
/// ```
#[derive(Clone)]
pub struct QuickJs {
    limits: Limits,
    left_behind: Arc<AtomicUsize>,
    most_left_behind: usize,
    longest_interface: usize,
}

impl Default for QuickJs {
    fn default() -> Self {
        Self {
            limits: Limits::new(),
            left_behind: Arc::default(),
            most_left_behind: 4,
            longest_interface: 64 * 1024,
        }
    }
}

impl QuickJs {
    /// A runtime with the default [`Limits`].
    pub fn new() -> Self {
        Self::default()
    }

    /// What each run may use.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How many threads may be left behind before new runs are refused. A thread is left behind
    /// when its program sits in one of the few operations of the engine that cannot be
    /// interrupted, such as `join` on an array of four billion holes; it goes when that is done.
    #[must_use]
    pub fn most_left_behind(mut self, count: usize) -> Self {
        self.most_left_behind = count.max(1);
        self
    }

    /// Runs `code` to its end: when the future is ready, the run's signal is cancelled and every
    /// [`Reply`](crate::Reply) has been used or dropped. Dropping the future ends the program as well.
    ///
    /// # Errors
    ///
    /// Why the program did not come to its end, in words for a model.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime with its time driver enabled.
    pub fn run(
        &self,
        code: String,
        host: Arc<dyn Host>,
        cancellation: CancellationToken,
    ) -> impl Future<Output = Result<ProgramOutput, Failure>> + Send + use<> {
        run(self.clone(), code, host, cancellation)
    }

    /// How many bytes of declarations a system prompt may have before they are cut to names and
    /// one line each; a program then asks `tools.$describe(name)` for the rest. Default: 64 KiB.
    #[must_use]
    pub fn compact_above(mut self, bytes: usize) -> Self {
        self.longest_interface = bytes;
        self
    }

    pub(crate) fn longest_interface(&self) -> usize {
        self.longest_interface
    }

    /// The threads that are left behind at the moment.
    pub fn left_behind(&self) -> usize {
        self.left_behind.load(Ordering::Acquire)
    }
}

impl fmt::Debug for QuickJs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QuickJs")
            .field("limits", &self.limits)
            .field("left_behind", &self.left_behind())
            .finish_non_exhaustive()
    }
}

async fn run(
    runtime: QuickJs,
    code: String,
    host: Arc<dyn Host>,
    cancellation: CancellationToken,
) -> Result<ProgramOutput, Failure> {
    let limits = runtime.limits;
    if cancellation.is_cancelled() {
        return Err(explain::stopped(Stop::Abort, &limits));
    }
    let stuck = runtime.left_behind();
    if stuck >= runtime.most_left_behind {
        let message = format!(
            "earlier programs still sit in operations that cannot be interrupted ({stuck} of at most \
             {}); no new one is started until one of them ends",
            runtime.most_left_behind
        );
        return Err(Failure::new(FailureKind::Unavailable, message).help("try again later"));
    }
    let room = nesting::stack_for(&code)?;
    let control = Control::new(limits.output_bytes());
    let wall = WallClock::start();
    let (inbox, messages) = mpsc::channel();
    let signal = cancellation.child_token();
    let run = Run {
        host,
        control: Arc::clone(&control),
        inbox: inbox.clone(),
        wall: wall.clone(),
        signal: signal.clone(),
        limits,
    };
    // Also ends the program when this future is dropped.
    let handle = Handle {
        control: Arc::clone(&control),
        signal,
        inbox,
    };
    let (done, ended) = oneshot::channel::<Ended>();
    let counted = Arc::clone(&runtime.left_behind);
    let left_behind = LeftBehind::default();
    let mark = left_behind.clone();
    let spawned = thread::Builder::new()
        .name("code-mode".to_owned())
        .stack_size(engine::STACK + room)
        .spawn(move || {
            let _end = End { mark, counted };
            let ended = engine::run(&code, run, &messages);
            let _ = done.send(ended);
        });
    if spawned.is_err() {
        return Err(Failure::new(
            FailureKind::Unavailable,
            "no thread could be started",
        ));
    }
    let ended = supervise(ended, &control, &wall, &handle, &cancellation, &limits).await;
    let ended = ended.unwrap_or_else(|stop| {
        runtime.left_behind.fetch_add(1, Ordering::AcqRel);
        if !left_behind.is_left() {
            // It ended in this very moment.
            runtime.left_behind.fetch_sub(1, Ordering::AcqRel);
        }
        Err(explain::stopped(stop, &limits))
    });
    // What a cancelled program still made of its cancelled calls is nobody's result.
    let came_to_an_end = match &ended {
        Ok(_) => true,
        Err(failure) => failure.kind() == FailureKind::Exception,
    };
    let ended = match came_to_an_end && cancellation.is_cancelled() {
        true => Err(explain::stopped(Stop::Abort, &limits)),
        false => ended,
    };
    handle.signal.cancel();
    control.close().await;
    engine::finished(ended, &control)
}

/// Waits for the program, and makes it stop when its time is over. `Err` if it does not.
async fn supervise(
    mut ended: oneshot::Receiver<Ended>,
    control: &Control,
    wall: &WallClock,
    handle: &Handle,
    cancellation: &CancellationToken,
    limits: &Limits,
) -> Result<Ended, Stop> {
    let lost = || {
        let message = "the engine ended unexpectedly";
        Err(Failure::new(FailureKind::Unavailable, message))
    };
    let reason = tokio::select! {
        biased;
        ended = &mut ended => return Ok(ended.unwrap_or_else(|_| lost())),
        () = cancellation.cancelled() => Stop::Abort,
        () = wall.reaches(limits.wall_time()) => Stop::Wall,
        () = control.goes_silent_for(limits.cpu_time()) => Stop::Cpu,
    };
    handle.stop(reason);
    match tokio::time::timeout(GRACE, &mut ended).await {
        Ok(ended) => Ok(ended.unwrap_or_else(|_| lost())),
        Err(_) => Err(control.stopped().unwrap_or(reason)),
    }
}

struct Handle {
    control: Arc<Control>,
    signal: CancellationToken,
    inbox: Sender<Message>,
}

impl Handle {
    fn stop(&self, reason: Stop) {
        self.control.stop(reason);
        let _ = self.inbox.send(Message::Wake);
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.stop(Stop::Abort);
        self.signal.cancel();
    }
}

/// Whether a thread ended before or after it was given up: whoever comes second knows.
#[derive(Clone, Default)]
struct LeftBehind(Arc<AtomicUsize>);

const ENDED: usize = 1;
const LEFT: usize = 2;

/// The end of a thread, also by a panic.
struct End {
    mark: LeftBehind,
    counted: Arc<AtomicUsize>,
}

impl Drop for End {
    fn drop(&mut self) {
        if self.mark.0.swap(ENDED, Ordering::AcqRel) == LEFT {
            self.counted.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

impl LeftBehind {
    /// The thread is given up; `false` if it has just ended.
    fn is_left(&self) -> bool {
        self.0
            .compare_exchange(0, LEFT, Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
    }
}
