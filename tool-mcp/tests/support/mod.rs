//! Both ends of a connection, in memory and word for word.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tool_core::{OnResult, ToolExecution, ToolResult};
use tool_mcp::{McpServer, ServeError};

/// One end of a connection, in JSON: it knows no protocol but that of the test.
pub(crate) struct Wire {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    writer: WriteHalf<DuplexStream>,
    /// Everything that came, as it came.
    pub(crate) heard: String,
}

impl Wire {
    pub(crate) fn over(stream: DuplexStream) -> Self {
        let (reader, writer) = tokio::io::split(stream);
        Self {
            lines: BufReader::new(reader).lines(),
            writer,
            heard: String::new(),
        }
    }

    /// The two ends of a new connection.
    pub(crate) fn pair() -> (Self, DuplexStream) {
        let (near, far) = tokio::io::duplex(1 << 20);
        (Self::over(near), far)
    }

    /// A client of `server` that has not said anything.
    pub(crate) fn client_of(server: &McpServer) -> (Self, JoinHandle<Result<(), ServeError>>) {
        let (wire, far) = Self::pair();
        let server = server.clone();
        (wire, tokio::spawn(async move { server.serve(far).await }))
    }

    /// A client of `server` that has shaken hands.
    pub(crate) async fn session(server: &McpServer) -> Self {
        Self::session_with(server, json!({})).await
    }

    /// A client of `server` that has shaken hands and said what it can do.
    pub(crate) async fn session_with(server: &McpServer, capabilities: Value) -> Self {
        let (mut wire, _serving) = Self::client_of(server);
        wire.initialize(capabilities).await;
        wire
    }

    /// Shakes hands, and returns the answer.
    pub(crate) async fn initialize(&mut self, capabilities: Value) -> Value {
        self.send(json!({
            "jsonrpc": "2.0",
            "id": "init",
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-11-25",
                "capabilities": capabilities,
                "clientInfo": { "name": "test", "version": "1.0.0" },
            },
        }))
        .await;
        let answer = self.next().await;
        self.notify("notifications/initialized", json!({})).await;
        answer
    }

    pub(crate) async fn send(&mut self, message: Value) {
        let line = format!("{message}\n");
        self.writer.write_all(line.as_bytes()).await.unwrap();
    }

    pub(crate) async fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }))
            .await;
    }

    pub(crate) async fn request(&mut self, id: u64, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
            .await;
    }

    pub(crate) async fn respond(&mut self, to: &Value, result: Value) {
        self.send(json!({ "jsonrpc": "2.0", "id": to["id"], "result": result }))
            .await;
    }

    /// The next message, whatever it is.
    pub(crate) async fn next(&mut self) -> Value {
        // Long enough for any machine: a test that would wait for ever fails instead.
        let line = timeout(Duration::from_mins(2), self.lines.next_line()).await;
        let line = line.expect("something comes").unwrap();
        let line = line.expect("the other side is there");
        self.heard.push_str(&line);
        self.heard.push('\n');
        serde_json::from_str(&line).unwrap()
    }

    /// Waits for the other side to hang up; panics on anything else it says.
    pub(crate) async fn hung_up(&mut self) {
        let line = self.lines.next_line().await.unwrap();
        assert_eq!(line, None);
    }

    /// Calls a tool, and returns the answer: the very next message.
    pub(crate) async fn call(&mut self, id: u64, name: &str, arguments: Value) -> Value {
        let params = json!({ "name": name, "arguments": arguments });
        self.request(id, "tools/call", params).await;
        self.next().await
    }

    /// The tools that are listed.
    pub(crate) async fn tools(&mut self, id: u64) -> Value {
        self.request(id, "tools/list", json!({})).await;
        let mut answer = self.next().await;
        answer["result"]["tools"].take()
    }
}

/// Tells the test of final results: the tool's name, and the code or `ok`.
pub(crate) struct Seen(pub(crate) mpsc::UnboundedSender<(String, String)>);

impl OnResult for Seen {
    fn observe(
        &self,
        execution: &ToolExecution,
        result: &ToolResult,
    ) -> Result<(), tool_core::ToolError> {
        let code = result.error().map_or("ok", |error| error.code());
        let _gone = self.0.send((execution.name().to_owned(), code.to_owned()));
        Ok(())
    }
}
