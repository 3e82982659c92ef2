//! A server on the loopback that answers with what it is given, as real ones do: server-sent events in
//! a chunked body, cut at places that nobody would choose.

use std::io;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// What is answered to one request.
pub(super) enum Reply {
    /// Chunks, and `[DONE]`.
    Events(Vec<Value>),
    /// Chunks, and then nothing.
    Hanging(Vec<Value>),
    /// All at once, as JSON.
    Whole(Value),
    /// Another status, with this text.
    Status(&'static str, String),
}

impl Reply {
    /// Text and calls in small pieces, the pieces of the calls by turns. No reason: it breaks off.
    pub(super) fn calls(text: &str, calls: &[(&str, &str, &str)], reason: &str) -> Self {
        let mut chunks = text_chunks(text);
        for (index, (id, name, _)) in calls.iter().enumerate() {
            let function = json!({"name": name, "arguments": ""});
            let call = json!({"index": index, "id": id, "type": "function", "function": function});
            chunks.push(chunk(&json!({"tool_calls": [call]}), None));
        }
        let characters: Vec<Vec<char>> =
            calls.iter().map(|call| call.2.chars().collect()).collect();
        let longest = characters.iter().map(Vec::len).max().unwrap_or(0);
        for from in (0..longest).step_by(3) {
            for (index, characters) in characters.iter().enumerate() {
                let piece: String = characters.iter().skip(from).take(3).collect();
                let call = json!({"index": index, "function": {"arguments": piece}});
                chunks.push(chunk(&json!({"tool_calls": [call]}), None));
            }
        }
        if !reason.is_empty() {
            chunks.push(chunk(&json!({}), Some(reason)));
            chunks.push(json!({"object": "chat.completion.chunk", "choices": [], "usage": {}}));
        }
        Self::Events(chunks)
    }

    /// The beginning of an answer that never ends.
    pub(super) fn hanging(text: &str) -> Self {
        Self::Hanging(text_chunks(text))
    }
}

fn text_chunks(text: &str) -> Vec<Value> {
    let first = json!({"role": "assistant", "content": null});
    let mut chunks = vec![chunk(&first, None)];
    let characters: Vec<char> = text.chars().collect();
    for piece in characters.chunks(4) {
        let piece: String = piece.iter().collect();
        chunks.push(chunk(&json!({"content": piece}), None));
    }
    chunks
}

fn chunk(delta: &Value, reason: Option<&str>) -> Value {
    json!({
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "model": "test-model",
        "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
    })
}

/// What was received.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) line: String,
    pub(super) key: String,
    pub(super) kind: String,
    pub(super) body: Value,
}

pub(super) struct Server {
    pub(super) base: String,
    requests: Arc<Mutex<Vec<Request>>>,
    hung_up: Arc<Semaphore>,
}

impl Server {
    /// Answers one request with each reply, in order.
    pub(super) async fn start(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/v1/", listener.local_addr().unwrap());
        let requests = Arc::<Mutex<Vec<Request>>>::default();
        let hung_up = Arc::new(Semaphore::new(0));
        let (seen, gone) = (requests.clone(), hung_up.clone());
        tokio::spawn(async move {
            for reply in replies {
                let (mut connection, _) = listener.accept().await.unwrap();
                let request = receive(&mut connection).await;
                seen.lock().unwrap().push(request);
                // A client may hang up in the middle.
                let _ = send(&mut connection, reply).await;
                gone.add_permits(1);
            }
        });
        Self {
            base,
            requests,
            hung_up,
        }
    }

    pub(super) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// Waits until a connection is over.
    pub(super) async fn hung_up(&self) {
        self.hung_up.acquire().await.unwrap().forget();
    }
}

async fn receive(connection: &mut TcpStream) -> Request {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at;
        }
        assert_ne!(connection.read_buf(&mut bytes).await.unwrap(), 0);
    };
    let head = String::from_utf8(bytes[..head_end].to_vec()).unwrap();
    let header = |name: &str| {
        let lines = head.lines().filter_map(|line| line.split_once(": "));
        let found = lines.filter(|(key, _)| key.eq_ignore_ascii_case(name));
        found
            .map(|(_, value)| value.to_owned())
            .next()
            .unwrap_or_default()
    };
    let length: usize = header("content-length").parse().unwrap();
    while bytes.len() < head_end + 4 + length {
        assert_ne!(connection.read_buf(&mut bytes).await.unwrap(), 0);
    }
    Request {
        line: head.lines().next().unwrap_or_default().to_owned(),
        key: header("authorization"),
        kind: header("content-type"),
        body: serde_json::from_slice(&bytes[head_end + 4..]).unwrap(),
    }
}

async fn send(connection: &mut TcpStream, reply: Reply) -> io::Result<()> {
    let (chunks, ends) = match reply {
        Reply::Events(chunks) => (chunks, true),
        Reply::Hanging(chunks) => (chunks, false),
        Reply::Whole(body) => {
            return plain(connection, "200 OK", "application/json", &body.to_string()).await;
        }
        Reply::Status(status, body) => {
            return plain(connection, status, "text/plain", &body).await;
        }
    };
    let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n\
                transfer-encoding: chunked\r\n\r\n";
    connection.write_all(head.as_bytes()).await?;
    // Comments keep connections open; lines end in one way or the other.
    let mut events = ": keep-alive\n\n".to_owned();
    for (number, chunk) in chunks.iter().enumerate() {
        let end = ["\n\n", "\r\n\r\n"][number % 2];
        events.push_str(&format!("data: {chunk}{end}"));
    }
    if ends {
        events.push_str("data: [DONE]\n\n");
    }
    let mut rest = events.as_bytes();
    for size in [1, 2, 3, 5, 7, 11, 13, 64].into_iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (piece, after) = rest.split_at(size.min(rest.len()));
        rest = after;
        let framed = [format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat();
        connection.write_all(&framed).await?;
        connection.flush().await?;
        // What is read is often what was written, and not more.
        tokio::task::yield_now().await;
    }
    if ends {
        connection.write_all(b"0\r\n\r\n").await?;
    } else {
        // Until the client goes away.
        let mut nothing = [0; 1];
        connection.read_exact(&mut nothing).await?;
    }
    Ok(())
}

async fn plain(connection: &mut TcpStream, status: &str, kind: &str, body: &str) -> io::Result<()> {
    let response = format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-type: {kind}\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    connection.write_all(response.as_bytes()).await
}
