//! A run's wall clock, which stands still while somebody is asked for an approval.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// The wall clock of one run. Clones are the same clock.
#[derive(Clone)]
pub struct WallClock {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    /// Paused or resumed.
    changed: Notify,
}

struct State {
    /// Time that counted, up to `since`.
    spent: Duration,
    /// Since when it runs; `None` while it stands still.
    since: Option<Instant>,
    pauses: usize,
}

impl WallClock {
    pub(crate) fn start() -> Self {
        let state = State {
            spent: Duration::ZERO,
            since: Some(Instant::now()),
            pauses: 0,
        };
        Self {
            shared: Arc::new(Shared {
                state: Mutex::new(state),
                changed: Notify::new(),
            }),
        }
    }

    /// Stops the clock until the guard is dropped. With several guards it runs again after the last.
    pub fn pause(&self) -> Paused {
        self.with(|state| {
            state.pauses += 1;
            if let Some(since) = state.since.take() {
                state.spent += since.elapsed();
            }
        });
        Paused {
            clock: self.clone(),
        }
    }

    /// The time that counted so far.
    pub fn elapsed(&self) -> Duration {
        self.with(|state| state.elapsed())
    }

    /// Ready once `budget` is used up. Needs tokio's time driver.
    pub(crate) async fn reaches(&self, budget: Duration) {
        loop {
            let changed = self.shared.changed.notified();
            let (spent, runs) = self.with(|state| (state.elapsed(), state.since.is_some()));
            let Some(left) = budget.checked_sub(spent).filter(|left| !left.is_zero()) else {
                return;
            };
            if runs {
                tokio::select! {
                    () = changed => {}
                    () = tokio::time::sleep(left) => {}
                }
            } else {
                changed.await;
            }
        }
    }

    fn with<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        look(
            &mut self
                .shared
                .state
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }
}

impl State {
    fn elapsed(&self) -> Duration {
        self.spent + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

impl fmt::Debug for WallClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WallClock")
            .field("elapsed", &self.elapsed())
            .finish_non_exhaustive()
    }
}

/// A run's wall clock stands still while this exists.
#[derive(Debug)]
#[must_use = "the clock runs again as soon as this is dropped"]
pub struct Paused {
    clock: WallClock,
}

impl Drop for Paused {
    fn drop(&mut self) {
        self.clock.with(|state| {
            state.pauses -= 1;
            if state.pauses == 0 {
                state.since = Some(Instant::now());
            }
        });
        self.clock.shared.changed.notify_waiters();
    }
}
