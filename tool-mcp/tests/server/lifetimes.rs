use serde_json::{Value, json};
use tokio::sync::mpsc;
use tool_core::{Cancellation, Restriction, RunContext, State, ToolExecution, ToolRuntime, tool};
use tool_mcp::McpServer;
use tool_mcp::rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientConfig, ProtocolVersion, SubscriptionFilter,
};
use tool_mcp::rmcp::service::{ClientLifecycleMode, ClientServiceExt};

use crate::support::{Seen, Wire};

type Told = mpsc::UnboundedSender<&'static str>;

/// Tells that it runs, and runs until it is cancelled.
#[tool]
async fn linger(told: &State<Told>, cancellation: &Cancellation) -> String {
    let _ = told.send("started");
    cancellation.cancelled().await;
    let _ = told.send("cancelled");
    "too late".into()
}

/// Reports how far it is.
#[tool]
async fn work(cx: &RunContext) -> String {
    cx.progress(0.25, "a quarter");
    cx.progress(0.25, "no further");
    cx.progress(f64::NAN, "lost");
    tokio::task::yield_now().await;
    cx.progress(1.0, "");
    let late = cx.clone();
    tokio::spawn(async move { late.progress(2.0, "after the end") });
    "done".into()
}

/// Says hello.
#[tool]
fn hello() -> String {
    "hello".into()
}

/// Waves.
#[tool]
fn wave() {}

/// Comes late.
#[tool]
fn late() {}

struct Scene {
    runtime: ToolRuntime,
    told: mpsc::UnboundedReceiver<&'static str>,
    results: mpsc::UnboundedReceiver<(String, String)>,
}

fn scene() -> Scene {
    let (tell, told) = mpsc::unbounded_channel();
    let (seen, results) = mpsc::unbounded_channel();
    let runtime = ToolRuntime::builder()
        .state::<Told>(tell)
        .tool(linger {})
        .tool(hello {})
        .on_result(Seen(seen))
        .build()
        .unwrap();
    Scene {
        runtime,
        told,
        results,
    }
}

#[tokio::test]
async fn a_cancelled_request_cancels_its_body_and_is_not_answered() {
    let mut scene = scene();
    let mut wire = Wire::session(&McpServer::new(&scene.runtime)).await;
    wire.request(1, "tools/call", json!({ "name": "linger" }))
        .await;
    assert_eq!(scene.told.recv().await, Some("started"));
    let cancelled = json!({ "requestId": 1, "reason": "changed my mind" });
    wire.notify("notifications/cancelled", cancelled).await;
    assert_eq!(scene.told.recv().await, Some("cancelled"));
    // The pipeline went on to its end: policy and observers saw the call out.
    let result = scene.results.recv().await.unwrap();
    assert_eq!(result, ("linger".to_owned(), "ABORTED".to_owned()));
    // The protocol wants no answer to it; the next one is another's.
    assert_eq!(wire.call(2, "hello", json!({})).await["id"], 2);
}

#[tokio::test(start_paused = true)]
async fn a_client_that_is_gone_cancels_its_bodies() {
    let mut scene = scene();
    let (mut wire, serving) = Wire::client_of(&McpServer::new(&scene.runtime));
    wire.initialize(json!({})).await;
    wire.request(1, "tools/call", json!({ "name": "linger" }))
        .await;
    wire.request(2, "tools/call", json!({ "name": "linger" }))
        .await;
    assert_eq!(scene.told.recv().await, Some("started"));
    assert_eq!(scene.told.recv().await, Some("started"));
    drop(wire);
    assert_eq!(scene.told.recv().await, Some("cancelled"));
    assert_eq!(scene.told.recv().await, Some("cancelled"));
    for _ in 0..2 {
        let result = scene.results.recv().await.unwrap();
        assert_eq!(result, ("linger".to_owned(), "ABORTED".to_owned()));
    }
    serving.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_server_that_is_dropped_cancels_its_bodies() {
    let mut scene = scene();
    let (mut wire, serving) = Wire::client_of(&McpServer::new(&scene.runtime));
    wire.initialize(json!({})).await;
    wire.request(1, "tools/call", json!({ "name": "linger" }))
        .await;
    assert_eq!(scene.told.recv().await, Some("started"));
    serving.abort();
    assert_eq!(scene.told.recv().await, Some("cancelled"));
}

#[tokio::test]
async fn a_client_that_never_speaks_is_no_error() {
    let scene = scene();
    let (wire, serving) = Wire::client_of(&McpServer::new(&scene.runtime));
    drop(wire);
    serving.await.unwrap().unwrap();
}

fn progress(fraction: f64, message: Option<&str>) -> Value {
    let mut params = json!({ "progressToken": "p1", "progress": fraction, "total": 1.0 });
    if let Some(message) = message {
        params["message"] = json!(message);
    }
    json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params })
}

#[tokio::test]
async fn progress_goes_forward_and_ends_before_the_result() {
    let runtime = ToolRuntime::builder()
        .tool(work {})
        .tool(hello {})
        .build()
        .unwrap();
    let mut wire = Wire::session(&McpServer::new(&runtime)).await;
    let params = json!({ "name": "work", "_meta": { "progressToken": "p1" } });
    wire.request(1, "tools/call", params).await;
    assert_eq!(wire.next().await, progress(0.25, Some("a quarter")));
    assert_eq!(wire.next().await, progress(1.0, None));
    assert_eq!(wire.next().await["result"]["content"][0]["text"], "done");
    // Who asks for none gets none, and the late report went nowhere.
    assert_eq!(wire.call(2, "work", json!({})).await["id"], 2);
    assert_eq!(wire.call(3, "hello", json!({})).await["id"], 3);
}

#[tokio::test]
async fn each_session_may_have_a_scope_of_its_own() {
    let runtime = ToolRuntime::builder()
        .tool(hello {})
        .tool(wave {})
        .build()
        .unwrap();
    let (opened, mut ids) = mpsc::unbounded_channel();
    let scopes = runtime.clone();
    let server = McpServer::new(&runtime).scope_per_session(move |session| {
        let scope = scopes.scope(session.id())?;
        let _ = opened.send(session.id().to_owned());
        if session.client_name() == Some("test") {
            scope.restrict(Restriction::deny(["wave"]))?;
        }
        scope.guard(|call: &ToolExecution| {
            (call.name() == "hello")
                .then(|| format!("not in {}", call.scope()?.id()).into())
                .flatten()
        });
        Ok(scope)
    });
    let (mut wire, serving) = Wire::client_of(&server);
    wire.initialize(json!({})).await;
    assert_eq!(wire.tools(1).await.as_array().unwrap().len(), 1);
    let id = ids.recv().await.unwrap();
    let answer = wire.call(2, "hello", json!({})).await;
    let text = format!("Error: not in {id}");
    assert_eq!(answer["result"]["content"][0]["text"], text);

    runtime.register(late {}).unwrap();
    let told = wire.next().await;
    assert_eq!(told["method"], "notifications/tools/list_changed");

    let mut other = Wire::session(&server).await;
    other.tools(1).await;
    assert_ne!(ids.recv().await.unwrap(), id);

    // Its id is taken while the session lives, and free when it has ended.
    assert!(runtime.scope(&id).is_err());
    drop(wire);
    serving.await.unwrap().unwrap();
    assert!(runtime.scope(&id).is_ok());
}

#[tokio::test]
async fn a_session_without_its_scope_says_why() {
    let runtime = ToolRuntime::builder().tool(hello {}).build().unwrap();
    let _taken = runtime.scope("only").unwrap();
    let scopes = runtime.clone();
    let server = McpServer::new(&runtime).scope_per_session(move |_| scopes.scope("only"));
    let mut wire = Wire::session(&server).await;
    let error = json!({
        "code": -32603,
        "message": "the session could not be set up: scope `only` exists already\n\
                    help: keep its handle, or dispose it before making it again",
    });
    assert_eq!(wire.call(1, "hello", json!({})).await["error"], error);
    wire.request(2, "tools/list", json!({})).await;
    assert_eq!(wire.next().await["error"], error);
}

#[tokio::test]
async fn a_session_whose_scope_breaks_is_answered() {
    let runtime = ToolRuntime::builder().tool(hello {}).build().unwrap();
    let server = McpServer::new(&runtime).scope_per_session(|_| panic!("no scope today"));
    let mut wire = Wire::session(&server).await;
    assert_eq!(
        wire.call(1, "hello", json!({})).await["error"],
        json!({ "code": -32603, "message": "the session could not be set up: it panicked" })
    );
}

/// Protocol 2026-07-28 knows no handshake, and list changes only for who listens.
#[tokio::test]
async fn a_client_of_the_newest_protocol_is_served() {
    let runtime = ToolRuntime::builder().tool(hello {}).build().unwrap();
    let (near, far) = tokio::io::duplex(1 << 20);
    let server = McpServer::new(&runtime);
    tokio::spawn(async move { server.serve(far).await });
    let lifecycle = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    let client = ClientConfig::default()
        .serve_with_lifecycle(near, lifecycle)
        .await
        .unwrap();
    let result = client
        .call_tool_once(CallToolRequestParams::new("hello"))
        .await
        .unwrap();
    let CallToolResponse::Complete(result) = result else {
        panic!("{result:?}");
    };
    assert_eq!(
        serde_json::to_value(result.content).unwrap(),
        json!([{ "type": "text", "text": "hello" }])
    );

    let filter = SubscriptionFilter::builder().tools_list_changed().build();
    let mut subscription = client.listen(filter).await.unwrap();
    runtime.register(wave {}).unwrap();
    let told = subscription.next().await.unwrap().unwrap();
    let told = serde_json::to_value(told).unwrap();
    assert_eq!(told["method"], "notifications/tools/list_changed");
    let tools = client.list_all_tools().await.unwrap();
    assert_eq!(tools.len(), 2);
}
