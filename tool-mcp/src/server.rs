//! The server: a runtime, or a scope of it, for MCP clients.

mod answer;
mod ask;
mod caller;
mod catalog;
#[cfg(feature = "http-server")]
mod http;
mod progress;
mod rounds;
mod session;

use std::fmt;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::service::{ServerInitializeError, ServiceExt};
use rmcp::transport::IntoTransport;
use tool_core::{RegisterError, Scope, ToolRuntime};

pub use ask::AskClient;
pub use caller::McpCaller;
#[cfg(feature = "http-server")]
pub use http::HttpOptions;
pub use session::{McpSession, SessionInfo};

use catalog::Live;

/// Serves the tools of a runtime, each call through the whole pipeline.
///
/// A cheap handle: clones serve the same.
///
/// ```no_run
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use tool_core::{ToolRuntime, tool};
/// use tool_mcp::McpServer;
///
/// /// Greets somebody by name.
/// #[tool]
/// fn hello(name: String) -> String {
///     format!("Hello, {name}!")
/// }
///
/// let runtime = ToolRuntime::builder().tool(hello {}).build()?;
/// McpServer::new(&runtime).name("greeter", "1.0.0").serve_stdio().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use = "a server does nothing until it serves"]
pub struct McpServer {
    settings: Settings,
    places: Places,
}

/// What a client is told about the server.
#[derive(Clone)]
struct Settings {
    name: String,
    version: String,
    instructions: Option<String>,
    output_schemas: bool,
    logging: bool,
}

/// Opens the scope of one session.
type OpenScope = dyn Fn(&SessionInfo<'_>) -> Result<Scope, RegisterError> + Send + Sync;

/// Where the calls of a session are made.
#[derive(Clone)]
enum Places {
    /// All sessions in the same place.
    Shared(Arc<Live>),
    /// Each in a scope of its own.
    PerSession(ToolRuntime, Arc<OpenScope>),
}

impl McpServer {
    /// Serves what is registered in the runtime itself.
    pub fn new(runtime: &ToolRuntime) -> Self {
        let settings = Settings {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            instructions: None,
            output_schemas: true,
            logging: false,
        };
        let live = Live::new(runtime.clone(), None, settings.output_schemas);
        Self {
            settings,
            places: Places::Shared(Arc::new(live)),
        }
    }

    /// Serves what `scope` sees, under the policy that holds there. It must be of this runtime.
    pub fn scope(mut self, scope: &Scope) -> Self {
        let runtime = self.runtime();
        let live = Live::new(runtime, Some(scope.clone()), self.settings.output_schemas);
        self.places = Places::Shared(Arc::new(live));
        self
    }

    /// Opens a scope for each session, at its first request, and disposes it when the session ends.
    ///
    /// Restrict it by who the client is, or give it a guard of its own. A session whose scope
    /// cannot be opened gets that error in answer to every request. Over HTTP, protocol 2026-07-28
    /// has no sessions: there each request is one.
    ///
    /// # Examples
    ///
    /// ```
    /// use tool_core::{Restriction, ToolRuntime, tool};
    /// use tool_mcp::McpServer;
    ///
    /// /// Reads.
    /// #[tool]
    /// fn read() -> String { String::new() }
    ///
    /// /// Writes.
    /// #[tool]
    /// fn write() -> String { String::new() }
    ///
    /// let runtime = ToolRuntime::builder().tool(read {}).tool(write {}).build()?;
    /// let scopes = runtime.clone();
    /// let server = McpServer::new(&runtime).scope_per_session(move |session| {
    ///     let scope = scopes.scope(session.id())?;
    ///     if session.client_name() != Some("my-editor") {
    ///         scope.restrict(Restriction::deny(["write"]))?;
    ///     }
    ///     Ok(scope)
    /// });
    /// # let _ = server;
    /// # Ok::<(), tool_core::RegisterError>(())
    /// ```
    pub fn scope_per_session(
        mut self,
        open: impl Fn(&SessionInfo<'_>) -> Result<Scope, RegisterError> + Send + Sync + 'static,
    ) -> Self {
        self.places = Places::PerSession(self.runtime(), Arc::new(open));
        self
    }

    /// What the server calls itself. Default: this crate's name and version.
    pub fn name(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.settings.name = name.into();
        self.settings.version = version.into();
        self
    }

    /// What a model should know about using these tools together.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.settings.instructions = Some(instructions.into());
        self
    }

    /// Whether tools are listed with their output schemas. Default: yes.
    ///
    /// A client that was told one expects structured content with every success, and some refuse a
    /// result without. Where a post hook replaces the text of a result by one that is no JSON of
    /// that schema, there is none. Turn it off for such hooks, or let them replace the value.
    pub fn output_schemas(mut self, listed: bool) -> Self {
        self.settings.output_schemas = listed;
        if let Places::Shared(live) = &self.places {
            self.places = Places::Shared(Arc::new(live.listing_output(listed)));
        }
        self
    }

    /// Whether clients are told that tools may send them log messages, which they do by
    /// [`McpCaller::log`]. Default: no.
    pub fn logging(mut self, logging: bool) -> Self {
        self.settings.logging = logging;
        self
    }

    /// One session, for `rmcp`'s own ways to serve. [`serve`](Self::serve) and `router` make them
    /// by themselves.
    pub fn session(&self) -> McpSession {
        McpSession::new(self.settings.clone(), self.places.clone())
    }

    /// Serves one session over any transport of `rmcp`, until the client is gone.
    ///
    /// Calls that still run then have five seconds to end before they are cancelled: a pipe that
    /// closes after its last request still gets its answers. Dropping the future ends the session.
    ///
    /// # Errors
    ///
    /// If the client never shook hands. One that leaves without a word is no error.
    pub async fn serve<T, E, A>(&self, transport: T) -> Result<(), ServeError>
    where
        T: IntoTransport<RoleServer, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        // Boxed: the handshake's future is of some 20 kB.
        let running = match Box::pin(self.session().serve(transport)).await {
            Ok(running) => running,
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(ServeError::Handshake(Box::new(error))),
        };
        match running.waiting().await {
            Ok(_) => Ok(()),
            Err(error) => Err(ServeError::Broken(Box::new(error))),
        }
    }

    /// Serves one session over standard input and output, until the input ends.
    ///
    /// Nothing else may write to standard output meanwhile.
    ///
    /// # Errors
    ///
    /// As [`serve`](Self::serve).
    pub async fn serve_stdio(&self) -> Result<(), ServeError> {
        self.serve(rmcp::transport::stdio()).await
    }

    fn runtime(&self) -> ToolRuntime {
        match &self.places {
            Places::Shared(live) => live.runtime().clone(),
            Places::PerSession(runtime, _) => runtime.clone(),
        }
    }
}

impl fmt::Debug for McpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpServer")
            .field("name", &self.settings.name)
            .field("version", &self.settings.version)
            .finish_non_exhaustive()
    }
}

/// Why a session ended badly.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The client did not begin as the protocol says.
    #[error("the client did not begin an MCP session: {0}")]
    Handshake(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The session broke in the middle.
    #[error("the MCP session broke: {0}")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
}
