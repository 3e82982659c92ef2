//! Views that are made once and kept until something they were made of has changed.
//!
//! Writers change first and advance the epoch then; readers read the epoch first and look then. So a
//! view may be newer than its stamp says, never older, and whoever has seen a change come back from
//! its writer gets no view without it. Checked exhaustively over all interleavings in the tests.

use std::sync::Arc;

use super::sync::{AtomicU64, Bell, Ordering, Slot};

/// Counts changes, and rings at each.
pub(crate) struct Epoch {
    count: AtomicU64,
    pub(crate) bell: Bell,
}

impl Epoch {
    pub(crate) fn new() -> Self {
        Self {
            count: AtomicU64::new(0),
            bell: Bell::new(),
        }
    }

    pub(crate) fn now(&self) -> u64 {
        self.count.load(Ordering::Acquire)
    }

    /// Says that a change is in place.
    pub(crate) fn advance(&self) {
        self.count.fetch_add(1, Ordering::Release);
        self.bell.ring();
    }
}

/// Something that knows the epoch it was made in.
pub(crate) trait Stamped {
    fn epoch(&self) -> u64;
}

/// The last view that was made.
pub(crate) struct Cached<T>(Slot<T>);

impl<T: Stamped> Cached<T> {
    pub(crate) fn new() -> Self {
        Self(Slot::empty())
    }

    /// The view of now: the last one, or one that `make` makes for the epoch it is given.
    pub(crate) fn get(&self, epoch: &Epoch, make: impl FnOnce(u64) -> T) -> Arc<T> {
        let now = epoch.now();
        if let Some(last) = self.0.load()
            && last.epoch() == now
        {
            return last;
        }
        let view = Arc::new(make(now));
        // A slower reader may put an older view over a newer one: its stamp gives it away.
        self.0.store(view.clone());
        view
    }
}
