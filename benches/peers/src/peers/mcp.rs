//! rmcp: the router of a server.

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, JsonObject, NumberOrString,
};
use rmcp::service::{Peer, RequestContext, RoleServer, serve_directly};
use rmcp::{tool, tool_router};
use tool_benches::work::{SearchArgs, SearchOut, body};

#[derive(Clone)]
pub struct Server;

#[tool_router(server_handler, vis = "pub")]
impl Server {
    /// Searches.
    #[tool(name = "search")]
    async fn search(&self, Parameters(it): Parameters<SearchArgs>) -> Json<SearchOut> {
        Json(body(&it.query, it.limit, &it.tags))
    }

    /// Searches, and shows text.
    #[tool(name = "search_text")]
    async fn search_text(&self, Parameters(it): Parameters<SearchArgs>) -> String {
        serde_json::to_string(&body(&it.query, it.limit, &it.tags)).expect("JSON")
    }

    /// Searches, and lets others run in between.
    #[tool(name = "search_yield")]
    async fn search_yield(&self, Parameters(it): Parameters<SearchArgs>) -> Json<SearchOut> {
        tokio::task::yield_now().await;
        Json(body(&it.query, it.limit, &it.tags))
    }
}

pub struct Host {
    server: Server,
    peer: Peer<RoleServer>,
    pub router: ToolRouter<Server>,
}

impl Host {
    /// A peer comes from a running server only: one over a pipe that nobody writes to.
    pub async fn new() -> Self {
        let (near, far) = tokio::io::duplex(64);
        let running = serve_directly::<RoleServer, _, _, _, _>(Server, near, None);
        let peer = running.peer().clone();
        std::mem::forget((running, far));
        Self {
            server: Server,
            peer,
            router: Server::tool_router(),
        }
    }

    pub async fn call(&self, id: u64, name: &'static str, text: &str) -> CallToolResult {
        self.call_in(&self.router, id, name, text).await
    }

    pub async fn call_in(
        &self,
        router: &ToolRouter<Server>,
        id: u64,
        name: &'static str,
        text: &str,
    ) -> CallToolResult {
        let arguments: JsonObject = serde_json::from_str(text).expect("JSON");
        let params = CallToolRequestParams::new(name).with_arguments(arguments);
        let context =
            RequestContext::new(NumberOrString::Number(id.cast_signed()), self.peer.clone());
        let call = ToolCallContext::new(&self.server, params, context);
        match router.call(call).await.expect("an answer") {
            CallToolResponse::Complete(result) => result.into(),
            _ => unreachable!("the tools answer at once"),
        }
    }

    /// A router of many tools.
    pub fn many(names: &[&'static str]) -> ToolRouter<Server> {
        let search = Server::tool_router().map["search"].clone();
        let mut router = ToolRouter::new();
        for name in names {
            let mut route = search.clone();
            route.attr.name = (*name).into();
            route.attr.input_schema = JsonObject::clone(&route.attr.input_schema).into();
            router.add_route(route);
        }
        router
    }
}
