//! The registry's views under every interleaving of readers and a writer.
//!
//! The very source of the runtime, on the model checker's atomics.

use std::sync::Arc as StdArc;

use loom::sync::Arc;
use loom::thread;

mod sync {
    use std::sync::Arc;

    pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};

    /// Nobody waits here.
    pub(crate) struct Bell;

    impl Bell {
        pub(crate) fn new() -> Self {
            Self
        }

        pub(crate) fn ring(&self) {
            let Self = self;
        }
    }

    /// As the runtime's: each load and store is one step.
    pub(crate) struct Slot<T>(loom::sync::Mutex<Option<Arc<T>>>);

    impl<T> Slot<T> {
        pub(crate) fn empty() -> Self {
            Self(loom::sync::Mutex::new(None))
        }

        pub(crate) fn load(&self) -> Option<Arc<T>> {
            self.0.lock().unwrap().clone()
        }

        pub(crate) fn store(&self, value: Arc<T>) {
            *self.0.lock().unwrap() = Some(value);
        }
    }
}

#[path = "../tool-core/src/epoch.rs"]
mod epoch;

use epoch::{Cached, Epoch, Stamped};
use sync::Slot;

struct View {
    epoch: u64,
    layers: [u64; 2],
}

impl Stamped for View {
    fn epoch(&self) -> u64 {
        self.epoch
    }
}

/// Two layers, as the runtime's and a scope's own.
struct Registry {
    layers: [Slot<u64>; 2],
    epoch: Epoch,
    cached: Cached<View>,
}

impl Registry {
    fn new() -> Self {
        let layers = [Slot::empty(), Slot::empty()];
        for layer in &layers {
            layer.store(StdArc::new(0));
        }
        Self {
            layers,
            epoch: Epoch::new(),
            cached: Cached::new(),
        }
    }

    fn change(&self, layer: usize, to: u64) {
        self.layers[layer].store(StdArc::new(to));
        self.epoch.advance();
    }

    fn view(&self) -> [u64; 2] {
        let load = |layer: usize| *self.layers[layer].load().unwrap();
        self.cached
            .get(&self.epoch, |epoch| View {
                epoch,
                layers: [load(0), load(1)],
            })
            .layers
    }
}

#[test]
fn a_change_that_has_come_back_is_in_every_later_view() {
    loom::model(|| {
        let registry = Arc::new(Registry::new());
        let writer = thread::spawn({
            let registry = registry.clone();
            move || {
                registry.change(0, 1);
                assert_eq!(registry.view()[0], 1, "the writer sees what it wrote");
            }
        });
        let before = registry.view()[0];
        let after = registry.view()[0];
        assert!(before <= after, "a reader never goes back");
        writer.join().unwrap();
        assert_eq!(registry.view(), [1, 0]);
    });
}

#[test]
fn two_writers_of_two_layers_are_both_seen() {
    let mut model = loom::model::Builder::new();
    // Three threads: all interleavings with up to three preemptions.
    model.preemption_bound = Some(3);
    model.check(|| {
        let registry = Arc::new(Registry::new());
        let writers = [0, 1].map(|layer| {
            let registry = registry.clone();
            thread::spawn(move || {
                registry.change(layer, 1);
                assert_eq!(registry.view()[layer], 1);
            })
        });
        for writer in writers {
            writer.join().unwrap();
        }
        assert_eq!(registry.view(), [1, 1]);
    });
}
