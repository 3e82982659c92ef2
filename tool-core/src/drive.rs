//! Waiting with a limit: for a body, which may be asked to stop, and for a hook, which may not.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Sleep, sleep};
use tokio_util::sync::CancellationToken;

use crate::cancellation::Cancellation;
use crate::future::BoxFuture;

/// Why a body was dropped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// The call was cancelled, and the tool says that its body may be dropped then.
    Cancelled,
    /// It took longer than this, and did not stop within the grace period.
    Expired(Duration),
}

/// Runs a body to its end, or until it is to be dropped: `grace` after its time limit, at which the
/// limit's token is cancelled; at once when `droppable` fires.
///
/// Written out: as an `async fn` it would keep its arguments twice.
pub(crate) struct Drive<'a, F> {
    body: &'a mut F,
    limit: Option<&'a (Duration, CancellationToken)>,
    grace: Duration,
    clock: Clock,
    signal: Signal<'a>,
}

impl<'a, F: Future + Unpin> Drive<'a, F> {
    pub(crate) fn new(
        body: &'a mut F,
        limit: Option<&'a (Duration, CancellationToken)>,
        grace: Duration,
        droppable: Option<&'a Cancellation>,
    ) -> Self {
        Self {
            body,
            limit,
            grace,
            clock: Clock::default(),
            signal: Signal {
                cancellation: droppable,
                fired: None,
            },
        }
    }

    fn poll_signal(&mut self, cx: &mut Context<'_>) -> Poll<Result<F::Output, Stopped>> {
        self.signal.poll(cx).map(|()| Err(Stopped::Cancelled))
    }
}

impl<F: Future + Unpin> Future for Drive<'_, F> {
    type Output = Result<F::Output, Stopped>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        if let Poll::Ready(output) = Pin::new(&mut *this.body).poll(cx) {
            return Poll::Ready(Ok(output));
        }
        let Some((limit, token)) = this.limit else {
            return this.poll_signal(cx);
        };
        if !token.is_cancelled() {
            if this.clock.poll(*limit, cx).is_pending() {
                return this.poll_signal(cx);
            }
            token.cancel();
            this.clock = Clock::default();
            // The body may end right away now that it is told.
            if let Poll::Ready(output) = Pin::new(&mut *this.body).poll(cx) {
                return Poll::Ready(Ok(output));
            }
        }
        let overdue = this.clock.poll(this.grace, cx);
        overdue.map(|()| Err(Stopped::Expired(*limit)))
    }
}

/// A signal that is listened to when first waited for, as a [`Clock`] is made.
struct Signal<'a> {
    cancellation: Option<&'a Cancellation>,
    fired: Option<BoxFuture<'a, ()>>,
}

impl Signal<'_> {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let signal = self.cancellation.filter(|signal| signal.can_fire());
        let Some(cancellation) = signal else {
            return Poll::Pending;
        };
        self.fired
            .get_or_insert_with(|| Box::pin(cancellation.cancelled()))
            .as_mut()
            .poll(cx)
    }
}

/// Awaits `future` for at most `limit`; the limit comes back if it passes.
pub(crate) async fn within<F: Future + Unpin>(
    limit: Option<Duration>,
    mut future: F,
) -> Result<F::Output, Duration> {
    let Some(limit) = limit else {
        return Ok(future.await);
    };
    let mut clock = Clock::default();
    poll_fn(|cx| {
        if let Poll::Ready(output) = Pin::new(&mut future).poll(cx) {
            return Poll::Ready(Ok(output));
        }
        clock.poll(limit, cx).map(|()| Err(limit))
    })
    .await
}

/// A timer that is made when first waited for: what is ready at once needs none.
#[derive(Default)]
struct Clock(Option<Pin<Box<Sleep>>>);

impl Clock {
    fn poll(&mut self, time: Duration, cx: &mut Context<'_>) -> Poll<()> {
        self.0
            .get_or_insert_with(|| Box::pin(sleep(time)))
            .as_mut()
            .poll(cx)
    }
}
