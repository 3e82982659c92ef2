//! Streamable HTTP: one `axum` route.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use rmcp::model::Extensions;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::McpServer;

/// How a server is reached over HTTP.
///
/// By default only from this machine: a request must name `localhost`, `127.0.0.1` or `[::1]` as its host,
/// and one that comes from a web page must come from a page there. That keeps other sites from
/// reaching a local server through a browser (DNS rebinding).
///
/// ```
/// use tool_core::ToolRuntime;
/// use tool_mcp::{HttpOptions, McpServer};
///
/// let runtime = ToolRuntime::builder().build()?;
/// let options = HttpOptions::new().host("tools.example").max_body_bytes(1 << 20);
/// let router: axum::Router = McpServer::new(&runtime).router("/mcp", options);
/// # let _ = router;
/// # Ok::<(), tool_core::RegisterError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "options do nothing by themselves"]
pub struct HttpOptions {
    hosts: Vec<String>,
    origins: Vec<String>,
    max_body_bytes: usize,
    shutdown: CancellationToken,
}

impl Default for HttpOptions {
    fn default() -> Self {
        let local = ["localhost", "127.0.0.1", "[::1]"];
        Self {
            hosts: local.map(str::to_owned).into(),
            origins: local.map(|host| format!("http://{host}:*")).into(),
            max_body_bytes: 4 * 1024 * 1024,
            shutdown: CancellationToken::new(),
        }
    }
}

impl HttpOptions {
    /// The default: from this machine only.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets requests name this host, too, such as `tools.example.com` or `10.0.0.5:8000`.
    pub fn host(mut self, host: impl Into<String>) -> Self {
        self.hosts.push(host.into());
        self
    }

    /// Lets web pages of this origin in, too, such as `https://app.example.com:443`. A `*` for the
    /// port takes any.
    pub fn origin(mut self, origin: impl Into<String>) -> Self {
        self.origins.push(origin.into());
        self
    }

    /// How many bytes a request may have. Default: 4 MiB.
    pub fn max_body_bytes(mut self, bytes: usize) -> Self {
        self.max_body_bytes = bytes;
        self
    }

    /// Ends all sessions when `token` fires.
    pub fn shutdown(mut self, token: CancellationToken) -> Self {
        self.shutdown = token;
        self
    }
}

impl McpServer {
    /// The server as a router with one route, for clients that speak streamable HTTP.
    ///
    /// Serve it with `axum`, alone or merged into another router, below whatever layers: TLS and
    /// authentication are not done here. A call whose client is gone (its response is no longer
    /// read) is cancelled at once.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn serve(runtime: tool_core::ToolRuntime) -> std::io::Result<()> {
    /// use tool_mcp::{HttpOptions, McpServer};
    ///
    /// let router = McpServer::new(&runtime).router("/mcp", HttpOptions::new());
    /// let listener = tokio::net::TcpListener::bind("127.0.0.1:8000").await?;
    /// axum::serve(listener, router).await
    /// # }
    /// ```
    pub fn router(&self, path: &str, options: HttpOptions) -> Router {
        let config = StreamableHttpServerConfig::default()
            .with_allowed_hosts(options.hosts)
            .with_allowed_origins(options.origins)
            .with_max_request_body_bytes(options.max_body_bytes)
            .with_cancellation_token(options.shutdown);
        let server = self.clone();
        let service = StreamableHttpService::new(
            move || Ok(server.session()),
            Arc::new(LocalSessionManager::default()),
            config,
        );
        Router::new()
            .route_service(path, service)
            .layer(from_fn(watch_client))
    }
}

/// Fires when the client of a request no longer reads its response.
#[derive(Clone)]
struct ClientGone(CancellationToken);

/// The signal of the request that a call came with.
pub(super) fn client_gone(extensions: &Extensions) -> Option<CancellationToken> {
    let request = extensions.get::<Parts>()?;
    let ClientGone(token) = request.extensions.get::<ClientGone>()?;
    Some(token.clone())
}

async fn watch_client(mut request: Request, next: Next) -> Response {
    let gone = CancellationToken::new();
    // Held by this future first and by the response's body then: whichever is dropped.
    let guard = gone.clone().drop_guard();
    request.extensions_mut().insert(ClientGone(gone));
    let response = next.run(request).await;
    response.map(|body| {
        Body::new(Watched {
            body,
            _guard: guard,
        })
    })
}

/// A body that tells when it is dropped. After its end that cancels nothing any more.
struct Watched {
    body: Body,
    _guard: DropGuard,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}
