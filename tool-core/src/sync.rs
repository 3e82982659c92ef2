//! What [`epoch`](crate::epoch) is built on. A model checker brings its own in its place.

use std::sync::Arc;

use arc_swap::ArcSwapOption;

pub(crate) use std::sync::atomic::{AtomicU64, Ordering};

/// A place for one shared value, read without waiting.
pub(crate) struct Slot<T>(ArcSwapOption<T>);

impl<T> Slot<T> {
    pub(crate) fn empty() -> Self {
        Self(ArcSwapOption::empty())
    }

    pub(crate) fn load(&self) -> Option<Arc<T>> {
        self.0.load_full()
    }

    pub(crate) fn store(&self, value: Arc<T>) {
        self.0.store(Some(value));
    }
}
