//! Waiting with a limit: for a body, which may be asked to stop, and for a hook, which may not.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Sleep, sleep};
use tokio_util::sync::CancellationToken;

use crate::cancellation::Cancellation;

/// Why a body was dropped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// The call was cancelled, and the tool says that its body may be dropped then.
    Cancelled,
    /// It took longer than this, and did not stop within the grace period.
    Expired(Duration),
}

/// Runs a body to its end, or drops it: `grace` after its time limit, at which the limit's token
/// is cancelled; at once when `droppable` fires.
pub(crate) async fn drive<F: Future + Unpin>(
    mut body: F,
    limit: Option<&(Duration, CancellationToken)>,
    grace: Duration,
    droppable: Option<&Cancellation>,
) -> Result<F::Output, Stopped> {
    if limit.is_none() && droppable.is_none() {
        return Ok(body.await);
    }
    let mut cancelled = pin!(async {
        match droppable {
            Some(cancellation) => cancellation.cancelled().await,
            None => std::future::pending().await,
        }
    });
    let mut clock = Clock::default();
    poll_fn(|cx| {
        if let Poll::Ready(output) = Pin::new(&mut body).poll(cx) {
            return Poll::Ready(Ok(output));
        }
        if let Some((limit, token)) = limit {
            if !token.is_cancelled() {
                if clock.poll(*limit, cx).is_pending() {
                    return poll_cancelled(cancelled.as_mut(), cx);
                }
                token.cancel();
                clock = Clock::default();
                // The body may end right away now that it is told.
                if let Poll::Ready(output) = Pin::new(&mut body).poll(cx) {
                    return Poll::Ready(Ok(output));
                }
            }
            return clock
                .poll(grace, cx)
                .map(|()| Err(Stopped::Expired(*limit)));
        }
        poll_cancelled(cancelled.as_mut(), cx)
    })
    .await
}

fn poll_cancelled<T>(
    cancelled: Pin<&mut impl Future<Output = ()>>,
    cx: &mut Context<'_>,
) -> Poll<Result<T, Stopped>> {
    cancelled.poll(cx).map(|()| Err(Stopped::Cancelled))
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
