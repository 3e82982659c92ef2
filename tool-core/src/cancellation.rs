//! The signal that a caller no longer wants the result.

use std::fmt;
use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::task::Poll;

use tokio_util::sync::CancellationToken;

/// Whether a call is still wanted: the caller's signal, fused with whatever wrappers and timeouts add.
///
/// A body takes it as a `&Cancellation` parameter. It is cooperative: a body that never looks is awaited to its end.
/// Cloning is cheap. Signals can be added, never removed, so nothing on the way can detach the caller.
///
/// ```
/// use tokio_util::sync::CancellationToken;
/// use tool_core::Cancellation;
///
/// let token = CancellationToken::new();
/// let cancellation = Cancellation::from(token.clone());
/// assert!(!cancellation.is_cancelled());
/// token.cancel();
/// assert!(cancellation.is_cancelled());
/// ```
#[doc(alias = "AbortSignal")]
#[derive(Clone, Default)]
pub struct Cancellation {
    signals: Signals,
}

#[derive(Clone, Default)]
enum Signals {
    #[default]
    Never,
    One(CancellationToken),
    /// A vector and no slice: a signal is held in many places, and is small so.
    Many(Arc<Vec<CancellationToken>>),
}

impl Cancellation {
    /// A signal that never fires.
    pub fn never() -> Self {
        Self::default()
    }

    /// Whether any of the fused signals has fired.
    pub fn is_cancelled(&self) -> bool {
        self.tokens().iter().any(CancellationToken::is_cancelled)
    }

    /// Whether it has a signal that may fire.
    pub(crate) fn can_fire(&self) -> bool {
        !self.tokens().is_empty()
    }

    /// Waits until one of the fused signals fires; forever if none can.
    pub async fn cancelled(&self) {
        match self.tokens() {
            [] => std::future::pending().await,
            [token] => token.cancelled().await,
            tokens => {
                let mut waits: Vec<_> = tokens
                    .iter()
                    .map(|token| Box::pin(token.cancelled()))
                    .collect();
                poll_fn(|cx| {
                    let fired = waits
                        .iter_mut()
                        .any(|wait| wait.as_mut().poll(cx).is_ready());
                    if fired {
                        Poll::Ready(())
                    } else {
                        Poll::Pending
                    }
                })
                .await;
            }
        }
    }

    /// Runs `future` until it ends or the signal fires; `None` if the signal was first.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// use tool_core::Cancellation;
    ///
    /// assert_eq!(Cancellation::never().run_until_cancelled(async { 5 }).await, Some(5));
    /// # }
    /// ```
    pub async fn run_until_cancelled<F: Future>(&self, future: F) -> Option<F::Output> {
        let mut cancelled = std::pin::pin!(self.cancelled());
        let mut future = std::pin::pin!(future);
        poll_fn(|cx| {
            if cancelled.as_mut().poll(cx).is_ready() {
                return Poll::Ready(None);
            }
            future.as_mut().poll(cx).map(Some)
        })
        .await
    }

    /// The same signal, which `token` can fire too.
    #[must_use]
    pub fn fused_with(&self, token: CancellationToken) -> Self {
        let signals = match &self.signals {
            Signals::Never => Signals::One(token),
            _ => {
                let tokens = self.tokens().iter().cloned().chain([token]);
                Signals::Many(Arc::new(tokens.collect()))
            }
        };
        Self { signals }
    }

    pub(crate) fn fused_with_all(&self, other: &Cancellation) -> Self {
        match (&self.signals, &other.signals) {
            (Signals::Never, _) => other.clone(),
            (_, Signals::Never) => self.clone(),
            _ => {
                let tokens = self
                    .tokens()
                    .iter()
                    .chain(other.tokens())
                    .cloned()
                    .collect();
                Self {
                    signals: Signals::Many(Arc::new(tokens)),
                }
            }
        }
    }

    fn tokens(&self) -> &[CancellationToken] {
        match &self.signals {
            Signals::Never => &[],
            Signals::One(token) => std::slice::from_ref(token),
            Signals::Many(tokens) => tokens,
        }
    }
}

impl From<CancellationToken> for Cancellation {
    fn from(token: CancellationToken) -> Self {
        Self {
            signals: Signals::One(token),
        }
    }
}

impl From<&CancellationToken> for Cancellation {
    fn from(token: &CancellationToken) -> Self {
        token.clone().into()
    }
}

impl From<&Cancellation> for Cancellation {
    fn from(cancellation: &Cancellation) -> Self {
        cancellation.clone()
    }
}

impl fmt::Debug for Cancellation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancellation")
            .field("is_cancelled", &self.is_cancelled())
            .finish()
    }
}
