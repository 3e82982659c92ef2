//! The client whose call a task runs: for approvers, and for bodies that need more than a result.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use rmcp::RoleServer;
use rmcp::service::{Peer, ServiceError};
use serde_json::Value;

use super::rounds::Rounds;

// Deprecated by the protocol in favour of nothing yet (SEP-2577); clients still ask for it.
#[expect(deprecated)]
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};

tokio::task_local! {
    static CALLER: McpCaller;
}

/// The MCP client whose call the current task runs.
///
/// A body can ask it for input, or for a completion of its model, through [`peer`](Self::peer).
/// What it answers comes from outside, as arguments do.
///
/// ```
/// use tool_core::tool;
/// use tool_mcp::McpCaller;
///
/// /// Says who asks.
/// #[tool]
/// fn who() -> String {
///     let caller = McpCaller::current();
///     let info = caller.and_then(|caller| caller.peer().peer_info());
///     info.map_or("nobody".into(), |info| info.client_info.name.clone())
/// }
/// ```
#[derive(Clone)]
pub struct McpCaller {
    peer: Peer<RoleServer>,
    threshold: Threshold,
    rounds: Option<Arc<Rounds>>,
}

impl McpCaller {
    pub(super) fn new(
        peer: Peer<RoleServer>,
        threshold: Threshold,
        rounds: Option<Arc<Rounds>>,
    ) -> Self {
        Self {
            peer,
            threshold,
            rounds,
        }
    }

    /// For a client that is asked by an answer to its call.
    pub(super) fn rounds(&self) -> Option<&Rounds> {
        self.rounds.as_deref()
    }

    /// The client of the call that this task runs; `None` for a call from elsewhere, and in a task
    /// that the body has spawned.
    pub fn current() -> Option<Self> {
        CALLER.try_with(Clone::clone).ok()
    }

    /// The connection to it: what `rmcp` lets a server ask of a client.
    pub fn peer(&self) -> &Peer<RoleServer> {
        &self.peer
    }

    /// Sends it a log message, if it wants any of this level. The server must have said that it
    /// does, by [`McpServer::logging`](super::McpServer::logging).
    ///
    /// # Errors
    ///
    /// If the connection is gone.
    #[expect(deprecated, reason = "the protocol's own words")]
    pub async fn log(
        &self,
        level: LoggingLevel,
        data: impl Into<Value>,
    ) -> Result<(), ServiceError> {
        if !self.threshold.admits(level) {
            return Ok(());
        }
        let message = LoggingMessageNotificationParam::new(level, data.into());
        self.peer.notify_logging_message(message).await
    }

    /// Runs a call in this client's name.
    pub(super) async fn running<T>(self, call: impl Future<Output = T>) -> T {
        CALLER.scope(self, call).await
    }
}

impl fmt::Debug for McpCaller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpCaller").finish_non_exhaustive()
    }
}

/// The least level of a message that a client wants; none before it has said so and the server
/// does logging at all.
#[derive(Clone)]
pub(super) struct Threshold(Arc<AtomicU8>);

/// Above all levels.
const SILENT: u8 = u8::MAX;

impl Threshold {
    pub(super) fn silent() -> Self {
        Self(Arc::new(AtomicU8::new(SILENT)))
    }

    #[expect(deprecated, reason = "the protocol's own words")]
    pub(super) fn set(&self, level: LoggingLevel) {
        self.0.store(rank(level), Ordering::Relaxed);
    }

    #[expect(deprecated, reason = "the protocol's own words")]
    fn admits(&self, level: LoggingLevel) -> bool {
        rank(level) >= self.0.load(Ordering::Relaxed)
    }
}

/// Source: RFC 5424, severity, turned round.
#[expect(deprecated, reason = "the protocol's own words")]
fn rank(level: LoggingLevel) -> u8 {
    match level {
        LoggingLevel::Debug => 0,
        LoggingLevel::Info => 1,
        LoggingLevel::Notice => 2,
        LoggingLevel::Warning => 3,
        LoggingLevel::Error => 4,
        LoggingLevel::Critical => 5,
        LoggingLevel::Alert => 6,
        LoggingLevel::Emergency => 7,
    }
}
