//! Futures as the pipeline holds them: ready at once, or boxed.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A boxed future that may move between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a hook or a body hands back: its answer, or a future of it.
///
/// A synchronous hook costs no allocation; only a future that can wait is boxed.
pub enum MaybeFuture<'a, T> {
    /// The answer; `None` once it was taken by a poll.
    Ready(Option<T>),
    /// The answer will come.
    Boxed(BoxFuture<'a, T>),
}

impl<'a, T> MaybeFuture<'a, T> {
    /// An answer that is already there.
    pub fn ready(answer: T) -> Self {
        Self::Ready(Some(answer))
    }

    /// An answer that must be waited for.
    pub fn boxed(future: impl Future<Output = T> + Send + 'a) -> Self {
        Self::Boxed(Box::pin(future))
    }
}

// No field is ever pinned in place: `Boxed` is a pointer, `Ready` is moved out.
impl<T> Unpin for MaybeFuture<'_, T> {}

impl<T> Future for MaybeFuture<'_, T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        match &mut *self {
            Self::Ready(answer) => {
                Poll::Ready(answer.take().expect("a future is not polled after its end"))
            }
            Self::Boxed(future) => future.as_mut().poll(cx),
        }
    }
}
