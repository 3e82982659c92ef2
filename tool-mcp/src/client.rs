//! The client: the tools of another server, under one's own policy.

mod apply;
mod import;
mod list;
mod remote;
mod report;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleClient;
use rmcp::handler::client::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, Implementation, ProgressNotificationParam, ProgressToken,
};
use rmcp::service::{NotificationContext, Peer, RunningServiceCancellationToken, ServiceExt};
use rmcp::transport::{IntoTransport, TokioChildProcess};
use tokio::process::Command;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tool_core::RunContext;

pub use import::{Import, ImportError, ImportOptions, ImportTarget};
pub use report::{ImportReport, ImportedTool, RefusedTool};

/// The codes of failures that come of a remote tool and not of this side's pipeline.
///
/// What the remote itself calls a failure keeps [`TOOL_FAILED`](tool_core::code::TOOL_FAILED).
pub mod code {
    /// The server refused the request, or its answer is not what the protocol says.
    pub const MCP_PROTOCOL: &str = "MCP_PROTOCOL";
    /// The connection to the server is closed: it ended, crashed, or was never reached.
    pub const MCP_SERVER_GONE: &str = "MCP_SERVER_GONE";
    /// The result is longer than the import allows.
    pub const MCP_RESULT_TOO_LARGE: &str = "MCP_RESULT_TOO_LARGE";
}

/// A connection to an MCP server, whose tools can be imported.
///
/// It lives as long as this value: dropped, it is closed, and what was imported answers that the
/// server is gone.
///
/// ```no_run
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use tokio::process::Command;
/// use tool_core::{ToolExecution, ToolRuntime};
/// use tool_mcp::{ImportOptions, McpClient};
///
/// let runtime = ToolRuntime::builder()
///     .guard(|call: &ToolExecution| {
///         call.name().contains("delete").then(|| "nothing is deleted here".to_owned())
///     })
///     .build()?;
/// let mut command = Command::new("npx");
/// command.args(["-y", "@modelcontextprotocol/server-filesystem", "."]);
/// let files = McpClient::spawn("files", command).await?;
/// let import = files.import(&runtime, ImportOptions::new().prefix("files_")).await?;
/// println!("{}", import.report());
/// # Ok(())
/// # }
/// ```
#[must_use = "a connection closes when it is dropped"]
pub struct McpClient {
    remote: Remote,
    stop: Option<RunningServiceCancellationToken>,
}

/// What tools and followers share of a connection. Keeps nothing alive.
#[derive(Clone)]
pub(crate) struct Remote {
    /// What the server is called in messages.
    pub(crate) label: Arc<str>,
    pub(crate) peer: Peer<RoleClient>,
    pub(crate) hearing: Hearing,
    /// Fires when the connection is closed, by whichever side.
    pub(crate) closed: CancellationToken,
}

/// What a server says unasked.
#[derive(Clone)]
pub(crate) struct Hearing {
    listed: Arc<watch::Sender<()>>,
    running: Arc<Mutex<HashMap<ProgressToken, RunContext>>>,
}

impl Hearing {
    fn new() -> Self {
        Self {
            listed: Arc::new(watch::Sender::new(())),
            running: Arc::default(),
        }
    }

    /// Rings at each `notifications/tools/list_changed`.
    pub(crate) fn list_changed(&self) -> watch::Receiver<()> {
        self.listed.subscribe()
    }

    /// Passes progress on to the call that waits for it, until what is returned is dropped.
    pub(crate) fn progress_for(&self, token: ProgressToken, cx: RunContext) -> Listening {
        self.running().insert(token.clone(), cx);
        Listening {
            hearing: self.clone(),
            token,
        }
    }

    fn running(&self) -> std::sync::MutexGuard<'_, HashMap<ProgressToken, RunContext>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) struct Listening {
    hearing: Hearing,
    token: ProgressToken,
}

impl Drop for Listening {
    fn drop(&mut self) {
        let removed = self.hearing.running().remove(&self.token);
        drop(removed);
    }
}

impl ClientHandler for Hearing {
    fn get_info(&self) -> ClientConfig {
        let name = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), name)
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.listed.send_replace(());
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        let waiting = self.running().get(&params.progress_token).cloned();
        if let Some(cx) = waiting {
            cx.progress(fraction(&params), params.message.unwrap_or_default());
        }
    }
}

/// The part that is done, from 0 to 1. A server that does not know its total has no part to tell:
/// what it sends then counts only if it is one by itself.
fn fraction(params: &ProgressNotificationParam) -> f64 {
    let part = match params.total {
        Some(total) if total > 0.0 => params.progress / total,
        _ => params.progress,
    };
    part.clamp(0.0, 1.0)
}

impl McpClient {
    /// Connects over any transport of `rmcp`. `label` names the server in messages.
    ///
    /// # Errors
    ///
    /// If the server does not shake hands as the protocol says, or not within 30 seconds.
    pub async fn connect<T, E, A>(
        label: impl Into<String>,
        transport: T,
    ) -> Result<Self, ConnectError>
    where
        T: IntoTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        let label = label.into();
        let hearing = Hearing::new();
        // Boxed: the handshake's future is of some 20 kB.
        let connecting = Box::pin(hearing.clone().serve(transport));
        let running = match tokio::time::timeout(list::PATIENCE, connecting).await {
            Ok(Ok(running)) => running,
            Ok(Err(error)) => {
                let source = Box::new(error);
                return Err(ConnectError::Handshake { label, source });
            }
            Err(_) => return Err(ConnectError::Silent { label }),
        };
        let remote = Remote {
            label: label.into(),
            peer: running.peer().clone(),
            hearing,
            closed: CancellationToken::new(),
        };
        let stop = Some(running.cancellation_token());
        let closed = remote.closed.clone().drop_guard();
        tokio::spawn(async move {
            let _ended = running.waiting().await;
            drop(closed);
        });
        Ok(Self { remote, stop })
    }

    /// Starts a server as a child process and connects to its standard input and output; its
    /// standard error is this process's. The child ends with the connection.
    ///
    /// # Errors
    ///
    /// If it cannot be started, or as [`connect`](Self::connect).
    pub async fn spawn(label: impl Into<String>, command: Command) -> Result<Self, ConnectError> {
        let label = label.into();
        match TokioChildProcess::new(command) {
            Ok(child) => Self::connect(label, child).await,
            Err(source) => Err(ConnectError::Spawn { label, source }),
        }
    }

    /// Connects to a server that speaks streamable HTTP, such as `http://127.0.0.1:8000/mcp`.
    ///
    /// An `https` address needs one of `rmcp`'s TLS features, such as
    /// `rmcp = { version = "3", features = ["reqwest"] }` beside this crate. For headers of your
    /// own, such as a token, [`connect`](Self::connect) over a transport of `rmcp`.
    ///
    /// # Errors
    ///
    /// As [`connect`](Self::connect).
    #[cfg(feature = "http-client")]
    pub async fn http(
        label: impl Into<String>,
        address: impl Into<Arc<str>>,
    ) -> Result<Self, ConnectError> {
        use rmcp::transport::StreamableHttpClientTransport;
        let transport = StreamableHttpClientTransport::from_uri(address);
        Self::connect(label, transport).await
    }

    /// Registers the server's tools in a runtime or a scope, and follows what the server changes.
    ///
    /// Tools that cannot be registered are refused one by one and named in the
    /// [report](Import::report); the others work. Each imported tool is a tool like any other: its
    /// calls pass all stations. It never overlaps others of a batch unless the import trusts the
    /// server's hints.
    ///
    /// # Errors
    ///
    /// If the server cannot list its tools. Nothing was registered then.
    pub async fn import(
        &self,
        target: impl Into<ImportTarget>,
        options: ImportOptions,
    ) -> Result<Import, ImportError> {
        Import::start(self.remote.clone(), target.into(), options).await
    }

    /// What the server calls itself, if it says.
    pub fn server_name(&self) -> Option<String> {
        let info = self.remote.peer.peer_info()?;
        info.server_info.as_ref().map(|server| server.name.clone())
    }

    /// Whether the connection is closed, by whichever side.
    pub fn is_closed(&self) -> bool {
        self.remote.closed.is_cancelled()
    }

    /// Waits until the connection is closed, by whichever side.
    pub async fn closed(&self) {
        self.remote.closed.cancelled().await;
    }

    /// Closes the connection and waits for it; a child process has ended then.
    pub async fn close(mut self) {
        self.stop();
        self.closed().await;
    }

    fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            stop.cancel();
        }
    }
}

impl Drop for McpClient {
    fn drop(&mut self) {
        self.stop();
    }
}

impl fmt::Debug for McpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpClient")
            .field("label", &self.remote.label)
            .field("closed", &self.is_closed())
            .finish_non_exhaustive()
    }
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The command could not be started.
    #[error("MCP server `{label}` could not be started: {source}")]
    #[non_exhaustive]
    Spawn {
        /// What the server is called here.
        label: String,
        /// Why.
        source: std::io::Error,
    },
    /// What came was not the beginning of an MCP session.
    #[error("MCP server `{label}` did not begin a session: {source}")]
    #[non_exhaustive]
    Handshake {
        /// What the server is called here.
        label: String,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Nothing came for 30 seconds.
    #[error("MCP server `{label}` did not answer within 30s")]
    #[non_exhaustive]
    Silent {
        /// What the server is called here.
        label: String,
    },
}
