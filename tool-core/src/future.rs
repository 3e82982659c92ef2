//! Futures as the pipeline holds them: ready at once, or boxed.

use std::any::Any;
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
    /// The answer will be made of what another future gives.
    Settling(Settling<'a, T>),
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

/// A future as somebody else wrote it, and how an answer is made of its output.
///
/// A wrapping `async` block would be a second state machine per future; this is one function, and
/// `poll` is compiled once for each type of output.
pub struct Settling<'a, T> {
    future: Pin<Box<dyn AnyFuture + 'a>>,
    poll: PollAny<T>,
}

/// Polls a future behind its type, and makes an answer of its output.
pub(crate) type PollAny<T> =
    for<'a, 'f, 'c, 'w> fn(Pin<&'f mut (dyn AnyFuture + 'a)>, &'c mut Context<'w>) -> Poll<T>;

impl<'a, T> Settling<'a, T> {
    /// `poll` knows the output of `future`.
    pub(crate) fn new(future: Box<dyn AnyFuture + 'a>, poll: PollAny<T>) -> Self {
        Self {
            future: Box::into_pin(future),
            poll,
        }
    }
}

/// A future whose output is named by nobody.
pub(crate) trait AnyFuture: Send {
    /// Polls it; `output` is an `Option` of its output's type, and filled at the end.
    fn poll_into(self: Pin<&mut Self>, cx: &mut Context<'_>, output: &mut dyn Any);
}

impl<F: Future<Output: 'static> + Send> AnyFuture for F {
    fn poll_into(self: Pin<&mut Self>, cx: &mut Context<'_>, output: &mut dyn Any) {
        fill(self.poll(cx), output);
    }
}

fn fill<R: 'static>(polled: Poll<R>, output: &mut dyn Any) {
    if let Poll::Ready(value) = polled
        && let Some(output) = output.downcast_mut::<Option<R>>()
    {
        *output = Some(value);
    }
}

/// Polls a future whose output is an `R`.
pub(crate) fn poll_any<R: 'static>(
    future: Pin<&mut (dyn AnyFuture + '_)>,
    cx: &mut Context<'_>,
) -> Poll<R> {
    let mut output: Option<R> = None;
    future.poll_into(cx, &mut output);
    output.map_or(Poll::Pending, Poll::Ready)
}

// No field is ever pinned in place: a boxed future is a pointer, `Ready` is moved out.
impl<T> Unpin for MaybeFuture<'_, T> {}

impl<T> Future for MaybeFuture<'_, T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        match &mut *self {
            Self::Ready(answer) => {
                Poll::Ready(answer.take().expect("a future is not polled after its end"))
            }
            Self::Boxed(future) => future.as_mut().poll(cx),
            Self::Settling(Settling { future, poll }) => poll(future.as_mut(), cx),
        }
    }
}
