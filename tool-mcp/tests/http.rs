//! Over HTTP, on loopback.
#![cfg(all(feature = "http-client", feature = "http-server"))]

use axum::extract::Request;
use axum::http::Method;
use axum::middleware::{Next, from_fn};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tool_core::{Cancellation, State, ToolCall, ToolRuntime, tool};
use tool_mcp::{HttpOptions, ImportOptions, McpClient, McpServer};

type Told = mpsc::UnboundedSender<&'static str>;

/// Gives a number back.
#[tool]
fn echo(number: u64) -> u64 {
    number
}

/// Tells that it runs, and runs until it is cancelled.
#[tool]
async fn linger(told: &State<Told>, cancellation: &Cancellation) -> String {
    let _ = told.send("started");
    cancellation.cancelled().await;
    let _ = told.send("cancelled");
    "too late".into()
}

/// Waves.
#[tool]
fn wave() -> String {
    "waves".into()
}

struct Served {
    address: String,
    told: mpsc::UnboundedReceiver<&'static str>,
    runtime: ToolRuntime,
    /// One for each stream that a client has opened for notifications.
    streams: mpsc::UnboundedReceiver<()>,
}

async fn serve() -> Served {
    // In a build of the whole workspace an example brings TLS, and then the client wants a provider.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let (tell, told) = mpsc::unbounded_channel();
    let runtime = ToolRuntime::builder()
        .state::<Told>(tell)
        .tool(echo {})
        .tool(linger {})
        .build()
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (opened, streams) = mpsc::unbounded_channel();
    let router = McpServer::new(&runtime)
        .router("/mcp", HttpOptions::new())
        .layer(from_fn(move |request: Request, next: Next| {
            let opened = opened.clone();
            async move {
                let stream = request.method() == Method::GET;
                let response = next.run(request).await;
                if stream {
                    let _ = opened.send(());
                }
                response
            }
        }));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Served {
        address,
        told,
        runtime,
        streams,
    }
}

async fn import(served: &Served) -> (ToolRuntime, McpClient, tool_mcp::Import) {
    let runtime = ToolRuntime::builder().build().unwrap();
    let url = format!("http://{}/mcp", served.address);
    let client = McpClient::http("far", url).await.unwrap();
    let import = client.import(&runtime, ImportOptions::new()).await.unwrap();
    (runtime, client, import)
}

#[tokio::test(flavor = "multi_thread")]
async fn many_calls_over_one_session_are_all_answered() {
    let served = serve().await;
    let (near, _client, _import) = import(&served).await;
    let calls: Vec<_> = (0..200_u64)
        .map(|number| {
            let near = near.clone();
            tokio::spawn(async move {
                let call = ToolCall::new(number.to_string(), "echo", json!({ "number": number }));
                near.execute(call).await.text()
            })
        })
        .collect();
    for (number, call) in calls.into_iter().enumerate() {
        assert_eq!(call.await.unwrap(), number.to_string());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn list_changes_are_heard() {
    let mut served = serve().await;
    let (near, _client, mut import) = import(&served).await;
    // The stream that notifications come on is opened after the handshake; until it stands, the
    // server has nowhere to send them.
    served.streams.recv().await.unwrap();
    served.runtime.register(wave {}).unwrap();
    assert_eq!(import.updated().await.imported.len(), 3);
    let result = near.execute(ToolCall::new("call_1", "wave", "{}")).await;
    assert_eq!(result.text(), "waves");
}

/// One POST on a connection of its own: the connection, with the answer's head still unread.
async fn post(served: &Served, session: Option<&str>, body: Value) -> TcpStream {
    let mut stream = TcpStream::connect(&served.address).await.unwrap();
    let body = body.to_string();
    let session = session.map_or_else(String::new, |id| format!("mcp-session-id: {id}\r\n"));
    let request = format!(
        "POST /mcp HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\n{session}content-length: {}\r\n\r\n{body}",
        served.address,
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

async fn read_until(stream: &mut TcpStream, what: &str) -> String {
    let mut text = String::new();
    let mut buffer = [0; 4096];
    while !text.contains(what) {
        let read = stream.read(&mut buffer).await.unwrap();
        assert_ne!(read, 0, "{text}");
        text.push_str(&String::from_utf8_lossy(&buffer[..read]));
    }
    text
}

/// A client that is killed closes its connections and says nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_breaks_cancels_its_call() {
    let mut served = serve().await;
    let hello = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        },
    });
    let mut stream = post(&served, None, hello).await;
    let answer = read_until(&mut stream, "serverInfo").await;
    let session = answer
        .lines()
        .find_map(|line| line.strip_prefix("mcp-session-id: "))
        .unwrap();
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let mut stream = post(&served, Some(session), ready).await;
    read_until(&mut stream, "202").await;

    let linger = json!({
        "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "name": "linger" },
    });
    let stream = post(&served, Some(session), linger.clone()).await;
    assert_eq!(served.told.recv().await, Some("started"));
    let other = post(
        &served,
        Some(session),
        json!({
            "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": { "name": "linger" },
        }),
    )
    .await;
    assert_eq!(served.told.recv().await, Some("started"));
    drop(stream);
    assert_eq!(served.told.recv().await, Some("cancelled"));
    // The other call is none of its business.
    assert!(served.told.try_recv().is_err());
    drop(other);
    assert_eq!(served.told.recv().await, Some("cancelled"));
}

/// A web page elsewhere cannot reach a local server by a name that it has pointed here.
#[tokio::test]
async fn other_hosts_and_origins_are_refused() {
    let served = serve().await;
    for (host, origin, status) in [
        ("evil.example", "http://localhost:1", "403"),
        ("localhost", "http://evil.example", "403"),
        ("localhost:1", "http://localhost:3000", "406"),
        ("[::1]:1", "http://127.0.0.1", "406"),
    ] {
        let mut stream = TcpStream::connect(&served.address).await.unwrap();
        let request = format!(
            "POST /mcp HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: 2\r\n\r\n{{}}"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert_eq!(answer.split(' ').nth(1), Some(status), "{host} {origin}");
    }
}
