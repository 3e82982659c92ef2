//! Panic containment: what users wrote may panic, the pipeline goes on.
//!
//! The payload is logged and never shown to the model: it may hold anything.

use std::any::Any;
use std::future::Future;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};

/// Something the pipeline called has panicked; the payload went to the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Panicked;

/// Calls `f`; a panic becomes [`Panicked`].
pub(crate) fn contain<T>(f: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(f)).map_err(report)
}

/// Drops `value`; a panic in its `Drop` is logged and goes no further.
pub(crate) fn drop_contained<T>(value: T) {
    // The outcome is the log line: nothing is left to hand to anybody.
    let _ = contain(move || drop(value));
}

fn report(payload: Box<dyn Any + Send>) -> Panicked {
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a value that is no text");
    tracing::error!(panic = text, "user code panicked");
    // A payload is user code as well: its `Drop` may panic in turn, and so may that one's payload.
    // Leaked, it ends there.
    if let Err(another) = catch_unwind(AssertUnwindSafe(move || drop(payload))) {
        std::mem::forget(another);
    }
    Panicked
}

/// What a user made, whose `Drop` may panic. Contained one by one: a second panic while the
/// first unwinds would end the process.
#[derive(Clone)]
pub(crate) struct Sheltered<T>(Option<T>);

impl<T> Sheltered<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Some(value))
    }

    pub(crate) fn into_inner(mut self) -> T {
        self.0.take().expect("it is there until it is taken out")
    }
}

impl<T> Deref for Sheltered<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect("it is there until it is taken out")
    }
}

impl<T> Drop for Sheltered<T> {
    fn drop(&mut self) {
        drop_contained(self.0.take());
    }
}

/// A future whose panics, in a poll or when dropped, end in [`Panicked`].
pub(crate) struct Contained<F>(Option<F>);

impl<F> Contained<F> {
    pub(crate) fn new(future: F) -> Self {
        Self(Some(future))
    }
}

impl<F: Future + Unpin> Future for Contained<F> {
    type Output = Result<F::Output, Panicked>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(future) = &mut self.0 else {
            return Poll::Ready(Err(Panicked));
        };
        let polled = contain(|| Pin::new(future).poll(cx));
        let output = match polled {
            Ok(Poll::Pending) => return Poll::Pending,
            Ok(Poll::Ready(output)) => Ok(output),
            Err(panicked) => Err(panicked),
        };
        drop_contained(self.0.take());
        Poll::Ready(output)
    }
}

impl<F> Drop for Contained<F> {
    fn drop(&mut self) {
        if let Some(future) = self.0.take() {
            drop_contained(future);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::future::MaybeFuture;
    use std::task::Waker;

    struct PanicsOnDrop;

    impl Drop for PanicsOnDrop {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }

    fn poll<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
        Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn a_panic_in_a_poll_ends_the_future() {
        let mut future = Contained::new(MaybeFuture::<'_, ()>::boxed(async {
            panic!("secret {}", 1)
        }));
        assert_eq!(poll(&mut future), Poll::Ready(Err(Panicked)));
        assert_eq!(poll(&mut future), Poll::Ready(Err(Panicked)));
    }

    #[test]
    fn a_panic_in_a_drop_is_contained() {
        let mut waiting = Contained::new(MaybeFuture::<'_, ()>::boxed(async {
            let _held = PanicsOnDrop;
            std::future::pending::<()>().await;
        }));
        assert_eq!(poll(&mut waiting), Poll::Pending);
        drop(waiting);
        drop_contained(PanicsOnDrop);
        drop([Sheltered::new(PanicsOnDrop), Sheltered::new(PanicsOnDrop)]);
        assert_eq!(
            contain(|| std::panic::panic_any(PanicsOnDrop)),
            Err::<(), _>(Panicked)
        );
    }
}
