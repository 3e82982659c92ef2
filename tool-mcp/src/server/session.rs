//! One session: the protocol's requests, answered by the pipeline.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, Implementation, JsonObject,
    ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig,
    ServerNotification, SubscriptionFilter, Tool, ToolListChangedNotification,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{Peer, RoleServer};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use tool_core::{Scope, ToolCall, ToolResult};

use super::answer::{answer, is_unknown, unknown_tool};
use super::caller::{McpCaller, Threshold};
use super::catalog::{Live, Watch};
use super::progress::report;
use super::rounds::Rounds;
use super::{Places, Settings};

/// Numbers sessions, so that calls and scopes of two servers of one runtime have different names.
static SESSIONS: AtomicU64 = AtomicU64::new(1);

/// One session of a [`McpServer`](super::McpServer): an `rmcp` handler for one client.
pub struct McpSession {
    settings: Settings,
    places: Places,
    id: String,
    place: OnceLock<Result<Place, String>>,
    /// Looks since the session began, so that no change falls between the first list and the
    /// first who waits for another. `None` once somebody waits.
    watch: Mutex<Option<Watch>>,
    /// The least log message that the client wants.
    threshold: Threshold,
    /// Ends what runs beside the session's requests.
    ended: CancellationToken,
}

/// Where the session's calls are made.
struct Place {
    live: Arc<Live>,
    /// The scope that ends with the session.
    own: Option<Scope>,
}

/// Who has opened a session, for [`scope_per_session`](super::McpServer::scope_per_session).
///
/// What a client says of itself is no proof. Behind a layer that authenticates, look at what that
/// layer left in the extensions of the HTTP request.
#[derive(Debug)]
pub struct SessionInfo<'a> {
    id: &'a str,
    client: Option<Implementation>,
    #[cfg(feature = "http-server")]
    request: Option<&'a axum::http::request::Parts>,
}

impl SessionInfo<'_> {
    /// A name for the session, no other's in this process. Do for the id of a scope.
    pub fn id(&self) -> &str {
        self.id
    }

    /// What the client calls itself.
    pub fn client_name(&self) -> Option<&str> {
        self.client.as_ref().map(|client| client.name.as_str())
    }

    /// The version that the client says it has.
    pub fn client_version(&self) -> Option<&str> {
        self.client.as_ref().map(|client| client.version.as_str())
    }

    /// The HTTP request that opened it, without its body; `None` over other transports.
    #[cfg(feature = "http-server")]
    pub fn http_request(&self) -> Option<&axum::http::request::Parts> {
        self.request
    }
}

impl McpSession {
    pub(super) fn new(settings: Settings, places: Places) -> Self {
        let number = SESSIONS.fetch_add(1, Ordering::Relaxed);
        let watch = match &places {
            Places::Shared(live) => Some(Watch::new(live)),
            // There is nothing to look at before the scope is there.
            Places::PerSession(..) => None,
        };
        Self {
            settings,
            places,
            id: format!("mcp-{number}"),
            place: OnceLock::new(),
            watch: Mutex::new(watch),
            threshold: Threshold::silent(),
            ended: CancellationToken::new(),
        }
    }

    /// Where calls are made. A scope of the session's own is opened by the first who asks.
    fn live(&self, context: &RequestContext<RoleServer>) -> Result<&Arc<Live>, ErrorData> {
        let place = self.place.get_or_init(|| match &self.places {
            Places::Shared(live) => Ok(Place {
                live: live.clone(),
                own: None,
            }),
            Places::PerSession(runtime, open) => {
                let info = SessionInfo {
                    id: &self.id,
                    client: context.client_info(),
                    #[cfg(feature = "http-server")]
                    request: context.extensions.get(),
                };
                // A panic here would leave the request unanswered.
                let opened = catch_unwind(AssertUnwindSafe(|| open(&info)));
                let scope = match opened {
                    Ok(opened) => opened.map_err(|error| error.to_string())?,
                    Err(_) => return Err("it panicked".to_owned()),
                };
                let listed = self.settings.output_schemas;
                let live = Live::new(runtime.clone(), Some(scope.clone()), listed);
                let live = Arc::new(live);
                // Later protocols tell of changes only who listens.
                let version = context.protocol_version();
                if version.is_none_or(|version| version.has_initialize()) {
                    self.announce_changes(Watch::new(&live), context.peer.clone());
                }
                Ok(Place {
                    live,
                    own: Some(scope),
                })
            }
        });
        match place {
            Ok(place) => Ok(&place.live),
            Err(error) => {
                tracing::error!(
                    session = self.id,
                    error,
                    "a session's scope cannot be opened"
                );
                Err(ErrorData::internal_error(
                    format!("the session could not be set up: {error}"),
                    None,
                ))
            }
        }
    }

    /// The call as the pipeline takes it: under the session's name, cancelled with its request.
    fn call(
        &self,
        live: &Live,
        name: &str,
        arguments: Value,
        context: &RequestContext<RoleServer>,
    ) -> ToolCall {
        let id = format!("{}:{}", self.id, context.id);
        let mut call = ToolCall::new(id, name, arguments).cancel(context.ct.clone());
        if let Some(scope) = live.scope() {
            call = call.scope(scope);
        }
        #[cfg(feature = "http-server")]
        if let Some(gone) = super::http::client_gone(&context.extensions) {
            call = call.cancel(gone);
        }
        call
    }

    async fn execute(
        &self,
        live: &Live,
        call: ToolCall,
        rounds: Option<&Arc<Rounds>>,
        context: &RequestContext<RoleServer>,
    ) -> ToolResult {
        let running = |call| {
            let rounds = rounds.cloned();
            let caller = McpCaller::new(context.peer.clone(), self.threshold.clone(), rounds);
            caller.running(live.runtime().execute(call))
        };
        match context.meta.get_progress_token() {
            None => running(call).await,
            Some(token) => {
                let (call, reports) = report(call, &context.peer, token);
                reports.send_during(running(call)).await
            }
        }
    }
}

impl ServerHandler for McpSession {
    fn get_info(&self) -> ServerConfig {
        let mut capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .build();
        let settings = &self.settings;
        if settings.logging {
            capabilities.logging = Some(JsonObject::new());
        }
        let mut info = ServerConfig::new(capabilities)
            .with_server_info(Implementation::new(&settings.name, &settings.version))
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE);
        info.instructions.clone_from(&settings.instructions);
        info
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if let Some(cursor) = request.and_then(|request| request.cursor) {
            let message = format!("unknown cursor {cursor:?}: the list has one page");
            return Err(ErrorData::invalid_params(message, None));
        }
        let catalog = self.live(&context)?.catalog();
        if let Some(wrong) = catalog.wrong() {
            return Err(ErrorData::internal_error(wrong.to_owned(), None));
        }
        Ok(ListToolsResult::with_all_items(catalog.tools().to_vec()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let live = match (&self.places, self.place.get()) {
            (Places::Shared(live), _) => live,
            (_, Some(Ok(place))) => &place.live,
            _ => return None,
        };
        live.catalog().get(name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let live = self.live(&context)?;
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let catalog = live.catalog();
        let Some(name) = catalog.own_name(&request.name) else {
            let call = self.call(live, &request.name, arguments, &context);
            // Where there is no such tool at all, hooks and observers hear of the attempt. One
            // that is there and not listed must not run.
            let result = match live.runtime().check(&call) {
                Err(error) if error.code() == tool_core::code::UNKNOWN_TOOL => {
                    Some(self.execute(live, call, None, &context).await)
                }
                _ => None,
            };
            return Err(unknown_tool(&request.name, result.as_ref()));
        };
        let call = self.call(live, name, arguments, &context);
        let rounds = Rounds::of(&call, request.input_responses, &context);
        let result = self.execute(live, call, rounds.as_ref(), &context).await;
        if let Some(asked) = rounds.and_then(|rounds| rounds.asked(&result)) {
            return Ok(asked.into());
        }
        if is_unknown(&result) && live.catalog().get(&request.name).is_none() {
            // It was taken away meanwhile.
            return Err(unknown_tool(&request.name, Some(&result)));
        }
        Ok(answer(&result, catalog.get(&request.name)).into())
    }

    #[expect(deprecated, reason = "the protocol's own words")]
    async fn set_level(
        &self,
        request: rmcp::model::SetLevelRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        if !self.settings.logging {
            return Err(ErrorData::method_not_found::<
                rmcp::model::SetLevelRequestMethod,
            >());
        }
        self.threshold.set(request.level);
        Ok(())
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        // A scope of its own is opened, and watched, by the first request.
        if let Some(watch) = self.take_watch() {
            self.announce_changes(watch, context.peer);
        }
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let ours = SubscriptionFilter::builder().tools_list_changed().build();
        Some(requested.intersection(&ours))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let live = self.live(context.request_context())?;
        let mut watch = self.take_watch().unwrap_or_else(|| Watch::new(live));
        loop {
            tokio::select! {
                biased;
                () = context.cancelled() => return Ok(()),
                changed = watch.changed() => {
                    let notification = ToolListChangedNotification::default();
                    let notification = ServerNotification::from(notification);
                    if !changed || context.sink().send(notification).await.is_err() {
                        return Ok(());
                    }
                }
            }
        }
    }
}

impl McpSession {
    fn take_watch(&self) -> Option<Watch> {
        let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        watch.take()
    }

    /// Sends `notifications/tools/list_changed` until the session ends.
    fn announce_changes(&self, mut watch: Watch, peer: Peer<RoleServer>) {
        let ended = self.ended.clone();
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    biased;
                    () = ended.cancelled() => return,
                    changed = watch.changed() => {
                        if !changed || peer.notify_tool_list_changed().await.is_err() {
                            return;
                        }
                    }
                }
            }
        });
    }
}

impl Drop for McpSession {
    fn drop(&mut self) {
        self.ended.cancel();
        if let Some(Ok(Place {
            own: Some(scope), ..
        })) = self.place.get()
        {
            scope.dispose();
        }
    }
}

impl fmt::Debug for McpSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpSession")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
