//! What [`epoch`](crate::epoch) is built on. A model checker brings its own in its place.

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use tokio::sync::watch;

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

/// Wakes those who wait for a change.
pub(crate) struct Bell(watch::Sender<()>);

impl Bell {
    pub(crate) fn new() -> Self {
        Self(watch::Sender::new(()))
    }

    pub(crate) fn ring(&self) {
        self.0.send_replace(());
    }

    /// Hears every ring from now on.
    pub(crate) fn listen(&self) -> watch::Receiver<()> {
        self.0.subscribe()
    }
}
