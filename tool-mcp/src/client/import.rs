//! Imports: what was registered of a server, kept up with it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tool_core::{Scope, ToolRuntime};

use super::Remote;
use super::apply::Registered;
use super::list::list;
use super::report::ImportReport;

/// Where tools are imported to: a runtime or a scope.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ImportTarget {
    /// The runtime itself: for everybody.
    Runtime(ToolRuntime),
    /// A scope: for it and below.
    Scope(Scope),
}

impl From<&ToolRuntime> for ImportTarget {
    fn from(runtime: &ToolRuntime) -> Self {
        Self::Runtime(runtime.clone())
    }
}

impl From<&Scope> for ImportTarget {
    fn from(scope: &Scope) -> Self {
        Self::Scope(scope.clone())
    }
}

/// How tools are imported. The default trusts the server with nothing.
///
/// ```
/// use std::time::Duration;
/// use tool_mcp::ImportOptions;
///
/// let options = ImportOptions::new()
///     .prefix("files_")
///     .timeout(Duration::from_secs(10))
///     .max_tools(50);
/// # let _ = options;
/// ```
#[derive(Clone, Debug)]
#[must_use = "options do nothing by themselves"]
pub struct ImportOptions {
    pub(super) prefix: String,
    pub(super) trust_hints: bool,
    pub(super) timeout: Option<Duration>,
    pub(super) max_tools: usize,
    pub(super) max_result_bytes: usize,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            prefix: String::new(),
            trust_hints: false,
            timeout: Some(Duration::from_mins(1)),
            max_tools: 1_000,
            max_result_bytes: 4 * 1024 * 1024,
        }
    }
}

impl ImportOptions {
    /// No prefix, hints untrusted, a minute for a call, 1,000 tools, results of up to 4 MiB.
    pub fn new() -> Self {
        Self::default()
    }

    /// What is put before each name, such as `github_`.
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Whether what the server says of its tools is believed. Default: no.
    ///
    /// Believed, its hints become the tools' own, and a tool that it calls read-only may overlap
    /// others of a batch. Not believed, the hints are dropped: no policy here can be led by them,
    /// and nobody is handed them on.
    ///
    /// Source: Model Context Protocol 2025-11-25, `ToolAnnotations`: "Clients should never make
    /// tool use decisions based on `ToolAnnotations` received from untrusted servers."
    pub fn trust_hints(mut self, trusted: bool) -> Self {
        self.trust_hints = trusted;
        self
    }

    /// How long a call may take. Default: a minute; `None` is for ever. Zero refuses every tool.
    pub fn timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.timeout = timeout.into();
        self
    }

    /// How many tools are taken. Default: 1,000. Those after them are refused.
    pub fn max_tools(mut self, most: usize) -> Self {
        self.max_tools = most;
        self
    }

    /// How many bytes a result may have in all. Default: 4 MiB. A longer one is a failure.
    pub fn max_result_bytes(mut self, most: usize) -> Self {
        self.max_result_bytes = most;
        self
    }
}

/// The tools of one server in one place.
///
/// It follows the server: when the server says that its list has changed, new tools are
/// registered, missing ones disposed, and changed ones replaced. Dropping this leaves all that in
/// place; it ends with the connection, which leaves the tools to answer that the server is gone.
pub struct Import {
    reports: watch::Receiver<Arc<ImportReport>>,
    stop: CancellationToken,
}

impl Import {
    pub(super) async fn start(
        remote: Remote,
        target: ImportTarget,
        options: ImportOptions,
    ) -> Result<Self, ImportError> {
        // Heard from before the first look, so that no change falls in between.
        let list_changed = remote.hearing.list_changed();
        let mut registered = Registered::new(remote.clone(), target, options);
        let listing = list(&remote, registered.most()).await?;
        let report = registered.update(listing);
        let (sender, reports) = watch::channel(Arc::new(report));
        let stop = CancellationToken::new();
        let follower = Follower {
            remote,
            registered,
            sender,
            stop: stop.clone(),
        };
        tokio::spawn(follower.follow(list_changed));
        Ok(Self { reports, stop })
    }

    /// What came of the server's newest list.
    pub fn report(&self) -> Arc<ImportReport> {
        self.reports.borrow().clone()
    }

    /// Waits until a newer list was taken in, and tells what came of it.
    pub async fn updated(&mut self) -> Arc<ImportReport> {
        if self.reports.changed().await.is_err() {
            // Nothing follows the server any more.
            return std::future::pending().await;
        }
        self.reports.borrow_and_update().clone()
    }

    /// Disposes all tools of this import, and stops following the server.
    pub async fn dispose(mut self) {
        self.stop.cancel();
        // The follower says when it is done by an empty report, or by being gone.
        let _gone = self
            .reports
            .wait_for(|report| report.imported.is_empty() && report.refused.is_empty())
            .await;
    }
}

impl fmt::Debug for Import {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Import").field(&self.report()).finish()
    }
}

/// Keeps what is registered what the server lists.
struct Follower {
    remote: Remote,
    registered: Registered,
    sender: watch::Sender<Arc<ImportReport>>,
    stop: CancellationToken,
}

impl Follower {
    async fn follow(mut self, mut list_changed: watch::Receiver<()>) {
        loop {
            tokio::select! {
                biased;
                () = self.stop.cancelled() => return self.dispose(),
                () = self.remote.closed.cancelled() => break,
                changed = list_changed.changed() => {
                    if changed.is_err() {
                        return;
                    }
                    self.update().await;
                }
            }
        }
        // The tools stay, and say that the server is gone, until somebody disposes them.
        tokio::select! {
            biased;
            () = self.stop.cancelled() => self.dispose(),
            () = self.sender.closed() => {}
        }
    }

    async fn update(&mut self) {
        let report = match list(&self.remote, self.registered.most()).await {
            Ok(listing) => self.registered.update(listing),
            Err(error) => {
                let server = &self.remote.label;
                tracing::warn!(%server, %error, "an import is not up to date");
                let mut report = ImportReport::clone(&self.sender.borrow());
                report.stale = Some(error.reason);
                report
            }
        };
        self.sender.send_replace(Arc::new(report));
    }

    fn dispose(&mut self) {
        self.registered.dispose();
        self.sender.send_replace(Arc::default());
    }
}

/// Why nothing was imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("MCP server `{label}` cannot be imported: {reason}")]
#[non_exhaustive]
pub struct ImportError {
    /// What the server is called here.
    pub label: String,
    /// What went wrong.
    pub reason: String,
}
