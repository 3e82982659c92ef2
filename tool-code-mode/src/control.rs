//! What the two sides of a run share: the stop flag, the calls in flight, the output so far.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// Why a program is made to stop. The first reason stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Stop {
    Abort = 1,
    Wall = 2,
    Cpu = 3,
    Output = 4,
    Calls = 5,
}

const REASONS: [Stop; 5] = [
    Stop::Abort,
    Stop::Wall,
    Stop::Cpu,
    Stop::Output,
    Stop::Calls,
];

/// Shared by a program's thread and the future that waits for it.
pub(crate) struct Control {
    stop: AtomicU8,
    started: Instant,
    /// When the thread last gave a sign, in milliseconds since `started`, plus one; 0 while it
    /// waits.
    sign: AtomicU64,
    /// Nanoseconds that the thread spent looking out for messages: not the program's time.
    looking: AtomicU64,
    flights: Mutex<Flights>,
    landed: Notify,
    transcript: Mutex<Transcript>,
}

#[derive(Default)]
struct Flights {
    open: usize,
    closed: bool,
}

/// What a program printed, within its budget.
struct Transcript {
    lines: Vec<String>,
    left: usize,
}

impl Control {
    pub(crate) fn new(output: usize) -> Arc<Self> {
        Arc::new(Self {
            stop: AtomicU8::new(0),
            started: Instant::now(),
            sign: AtomicU64::new(0),
            looking: AtomicU64::new(0),
            flights: Mutex::default(),
            landed: Notify::new(),
            transcript: Mutex::new(Transcript {
                lines: Vec::new(),
                left: output,
            }),
        })
    }

    /// Makes the program stop for good.
    pub(crate) fn stop(&self, reason: Stop) {
        let _ = self
            .stop
            .compare_exchange(0, reason as u8, Ordering::AcqRel, Ordering::Acquire);
    }

    pub(crate) fn stopped(&self) -> Option<Stop> {
        let stop = self.stop.load(Ordering::Acquire);
        REASONS.into_iter().find(|reason| *reason as u8 == stop)
    }

    /// The thread computes, and can be reached: it will look at the stop flag again.
    pub(crate) fn give_sign(&self) {
        self.sign.store(self.millis() + 1, Ordering::Relaxed);
    }

    /// The thread waits for a message.
    pub(crate) fn waits(&self) {
        self.sign.store(0, Ordering::Relaxed);
    }

    pub(crate) fn looked_out(&self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.looking.fetch_add(nanos, Ordering::Relaxed);
    }

    pub(crate) fn spent_looking(&self) -> Duration {
        Duration::from_nanos(self.looking.load(Ordering::Relaxed))
    }

    fn millis(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX - 1)
    }

    /// Ready once the thread has computed for `budget` without giving a sign, as in an operation of
    /// the engine that never looks up. Needs tokio's time driver.
    pub(crate) async fn goes_silent_for(&self, budget: Duration) {
        loop {
            let silent = match self.sign.load(Ordering::Relaxed) {
                0 => Duration::ZERO,
                sign => Duration::from_millis((self.millis() + 1).saturating_sub(sign)),
            };
            match budget.checked_sub(silent) {
                Some(left) if !left.is_zero() => tokio::time::sleep(left).await,
                _ => return,
            }
        }
    }

    /// The right to submit one call; `None` once the run is over.
    pub(crate) fn take_off(self: &Arc<Self>) -> Option<Ticket> {
        let mut flights = lock(&self.flights);
        if flights.closed || self.stopped().is_some() {
            return None;
        }
        flights.open += 1;
        Some(Ticket {
            control: Arc::clone(self),
        })
    }

    /// Ready once no call is in flight. From now on none takes off.
    pub(crate) async fn close(&self) {
        lock(&self.flights).closed = true;
        loop {
            let landed = self.landed.notified();
            if lock(&self.flights).open == 0 {
                return;
            }
            landed.await;
        }
    }

    /// Prints a line. What does not fit is cut, and the program is made to stop.
    pub(crate) fn print(&self, line: String) -> Result<(), OverLimit> {
        let mut transcript = lock(&self.transcript);
        let fits = transcript.left.checked_sub(line.len() + 1);
        if let Some(left) = fits {
            transcript.left = left;
            transcript.lines.push(line);
            return Ok(());
        }
        if self.stopped().is_none() {
            let cut = line.floor_char_boundary(transcript.left);
            let omitted = line.len() - cut;
            transcript
                .lines
                .push(format!("{}... ({omitted} bytes omitted)", &line[..cut]));
            transcript.left = 0;
        }
        drop(transcript);
        self.stop(Stop::Output);
        Err(OverLimit)
    }

    /// The bytes that are left for the result.
    pub(crate) fn output_left(&self) -> usize {
        lock(&self.transcript).left
    }

    /// What was printed. A program that still prints is not heard any more.
    pub(crate) fn take_lines(&self) -> Vec<String> {
        let mut transcript = lock(&self.transcript);
        transcript.left = 0;
        std::mem::take(&mut transcript.lines)
    }
}

/// More output than the run may have.
#[derive(Debug)]
pub(crate) struct OverLimit;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One call in flight.
pub(crate) struct Ticket {
    control: Arc<Control>,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        lock(&self.control.flights).open -= 1;
        self.control.landed.notify_waiters();
    }
}
