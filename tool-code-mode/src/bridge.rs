//! The boundary between a program and whoever runs its calls.
//!
//! A program's call is [`Submitted`] to the [`Host`] in the order of the program, together with a
//! [`Reply`] that may be used at any time and on any thread. The program gets the values in the
//! order of its calls, whatever the order of the replies.

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::clock::{Paused, WallClock};
use crate::control::Ticket;
use crate::sdk::{self, SdkTool};

/// The world of one run: the tools that its program sees, and what becomes of its calls.
///
/// Both are asked on the program's own thread and must not block.
pub trait Host: Send + Sync + 'static {
    /// The names of the tools, in any order. A tool that is not named here cannot be called.
    fn tools(&self) -> Vec<String>;

    /// What is known of one of them, for signatures and for 64-bit integers.
    fn tool(&self, name: &str) -> Option<SdkTool<'_>>;

    /// Takes a call over. Calls come in the program's order; it is the host that decides which of
    /// them overlap. A host that drops `reply` fails the call.
    fn submit(&self, call: Submitted, reply: Reply);
}

/// One call of a program, on its way to the pipeline.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Submitted {
    /// 1 for the first call of the run that was submitted, without gaps.
    pub number: u32,
    /// The tool's own name, as it is registered.
    pub tool: String,
    /// The arguments, a snapshot taken at the call. Any JSON; `tools.f()` sends `{}`.
    pub arguments: Value,
    /// The run's signal: it fires with the caller's, and when the program ends for any reason.
    pub cancellation: CancellationToken,
}

/// What a call came to, or why not.
pub(crate) type Outcome = Result<Value, String>;

/// What reaches a program's thread.
pub(crate) enum Message {
    Settled {
        number: u32,
        outcome: Outcome,
    },
    /// Look at the flags again.
    Wake,
}

/// The one answer to a call.
pub struct Reply {
    number: u32,
    tool: String,
    host: Arc<dyn Host>,
    wall: WallClock,
    inbox: Option<Sender<Message>>,
    /// The run ends when the last of these is gone.
    _ticket: Ticket,
}

impl Reply {
    pub(crate) fn new(
        call: &Submitted,
        host: &Arc<dyn Host>,
        wall: &WallClock,
        inbox: &Sender<Message>,
        ticket: Ticket,
    ) -> Self {
        Self {
            number: call.number,
            tool: call.tool.clone(),
            host: Arc::clone(host),
            wall: wall.clone(),
            inbox: Some(inbox.clone()),
            _ticket: ticket,
        }
    }

    /// The call succeeded with `value`: what the program's `await` gives.
    pub fn resolve(self, value: Value) {
        self.settle(Ok(value));
    }

    /// The call failed: the program's `await` throws a `ToolCallError` with this message.
    pub fn reject(self, message: impl Into<String>) {
        self.settle(Err(message.into()));
    }

    /// The arguments do not fit the tool: as [`reject`](Self::reject), and the message goes on with
    /// the tool's signature.
    pub fn reject_arguments(self, message: impl Into<String>) {
        let mut message = message.into();
        if let Some(tool) = self.host.tool(&self.tool) {
            message.push('\n');
            message.push_str(&sdk::signature(&tool));
        }
        self.settle(Err(message));
    }

    /// Stops the run's wall clock until the guard is dropped, as while an approval is waited for.
    pub fn pause_wall_clock(&self) -> Paused {
        self.wall.pause()
    }

    /// A handle on the run's wall clock that outlives the reply.
    pub fn wall_clock(&self) -> WallClock {
        self.wall.clone()
    }

    fn settle(mut self, outcome: Outcome) {
        if let Some(inbox) = self.inbox.take() {
            // Nobody listens any more once the program has ended.
            let _ = inbox.send(Message::Settled {
                number: self.number,
                outcome,
            });
        }
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        if let Some(inbox) = self.inbox.take() {
            let outcome = Err("tool call abandoned".to_owned());
            let _ = inbox.send(Message::Settled {
                number: self.number,
                outcome,
            });
        }
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply")
            .field("number", &self.number)
            .field("tool", &self.tool)
            .finish_non_exhaustive()
    }
}
