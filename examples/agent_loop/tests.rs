//! The loop against a server that speaks the protocol: what it is sent is compared whole.

#[path = "server.rs"]
mod server;

use std::io::Write;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::chat::Client;
use crate::converse::{Agent, Ended};
use crate::terminal::Terminal;
use crate::tools;
use server::{Reply, Server};

/// What was shown. When a text is, something is cancelled.
#[derive(Clone, Default)]
struct Screen {
    shown: Arc<Mutex<String>>,
    trigger: Option<(&'static str, CancellationToken)>,
}

impl Screen {
    fn shown(&self) -> String {
        self.shown.lock().unwrap().clone()
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let text = std::str::from_utf8(bytes).expect("text is shown in one piece");
        let mut shown = self.shown.lock().unwrap();
        shown.push_str(text);
        if let Some((awaited, cancel)) = &self.trigger
            && shown.contains(awaited)
        {
            cancel.cancel();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// An agent for a server, with lines that are typed already.
fn agent(server: &Server, screen: &Screen, typed: &[&str]) -> Agent {
    let (sender, lines) = mpsc::unbounded_channel();
    for line in typed {
        sender.send((*line).to_owned()).unwrap();
    }
    let terminal = Terminal::new(lines, screen.clone());
    let runtime = tools::runtime(terminal.clone()).unwrap();
    let client = Client::new(&server.base, Some("sk-test".to_owned())).unwrap();
    Agent::new(runtime, client, "test-model".to_owned(), terminal)
}

/// The assistant's message as the API wants it back.
fn assistant(content: Option<&str>, calls: &[(&str, &str, &str)]) -> Value {
    let calls: Vec<Value> = calls
        .iter()
        .map(|(id, name, arguments)| {
            json!({
                "id": id,
                "type": "function",
                "function": {"name": name, "arguments": arguments},
            })
        })
        .collect();
    let mut message = json!({"role": "assistant", "content": content});
    if !calls.is_empty() {
        message["tool_calls"] = Value::Array(calls);
    }
    message
}

fn user(content: &str) -> Value {
    json!({"role": "user", "content": content})
}

fn answer(id: &str, content: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": content})
}

/// The tools as the API takes them.
fn tools_sent() -> Value {
    let tool = |name: &str, description: &str, properties: Value, required: Value| {
        json!({
            "type": "function",
            "function": {
                "name": name,
                "description": description,
                "parameters": {
                    "type": "object",
                    "properties": properties,
                    "required": required,
                    "additionalProperties": false,
                },
            },
        })
    };
    let name = json!({"type": "string", "description": "Which one."});
    let text = json!({"type": "string", "description": "What is in it from now on."});
    let seconds = json!({
        "type": "integer",
        "description": "How long, in seconds.",
        "minimum": 0,
        "maximum": 65535,
    });
    json!([
        tool(
            "read_note",
            "Reads a note.",
            json!({"name": name}),
            json!(["name"])
        ),
        tool(
            "write_note",
            "Writes a note, over the one that may be there.",
            json!({"name": name, "text": text}),
            json!(["name", "text"]),
        ),
        tool(
            "wait",
            "Lets time pass.",
            json!({"seconds": seconds}),
            json!(["seconds"])
        ),
    ])
}

/// Id, name and arguments.
type Calls = &'static [(&'static str, &'static str, &'static str)];

const WRITE_A: &str = r#"{"name":"a","text":"Grüße"}"#;
const WRITE_B: &str = r#"{"name":"b","text":"…"}"#;
const SECRET: &str = r#"{"name":"c","text":"the password is 1906"}"#;

/// What the model says, what it calls, and the results it must be sent.
type Turn = (
    Option<&'static str>,
    Calls,
    &'static [(&'static str, &'static str)],
);

/// What the model says in each turn, as it is sent back to it, and what its calls are answered.
const TURNS: &[Turn] = &[
    // An approval, after an answer that is none.
    (
        Some("I write it down – là."),
        &[("c1", "write_note", WRITE_A)],
        &[("c1", "7 bytes written")],
    ),
    // A denial.
    (
        None,
        &[("c2", "write_note", WRITE_B)],
        &[("c2", "Error: approval for tool \"write_note\" was rejected")],
    ),
    // Calls that overlap.
    (
        Some("Both."),
        &[
            ("c3", "read_note", r#"{"name":"a"}"#),
            ("c4", "read_note", r#"{"name": "b"}"#),
        ],
        &[
            ("c3", "Grüße"),
            ("c4", "Error: there is no note \"b\"; there are [\"a\"]"),
        ],
    ),
    // Arguments that do not fit.
    (
        None,
        &[("c5", "read_note", r#"{"nam":"a"}"#)],
        &[(
            "c5",
            "Error: invalid arguments: /name: missing (expected a string)\n\
             /nam: unknown property; did you mean \"name\"?\n\
             tool \"read_note\" takes {\"name\": string}",
        )],
    ),
    // A tool that does not exist.
    (
        None,
        &[("c6", "read_notes", "{}")],
        &[(
            "c6",
            "Error: unknown tool \"read_notes\"; did you mean \"read_note\"?; \
             available: read_note, write_note, wait",
        )],
    ),
    // What a guard forbids, nobody is asked about.
    (
        None,
        &[("c7", "write_note", SECRET)],
        &[("c7", "Error: a note must not hold a password")],
    ),
    // Cut off in the middle of a call.
    (
        Some("Once more."),
        &[("c8", "write_note", "{}")],
        &[(
            "c8",
            "Error: invalid arguments: the JSON is incomplete: it ends inside a string at \
             line 1 column 16; send the whole value again\n\
             tool \"write_note\" takes {\"name\": string, \"text\": string}",
        )],
    ),
    (
        None,
        &[("c9", "wait", r#"{"seconds":0}"#)],
        &[("c9", "0 s later")],
    ),
    // One id for two calls.
    (
        None,
        &[
            ("c10", "read_note", r#"{"name":"a"}"#),
            ("c10_2", "wait", r#"{"seconds":"0"}"#),
        ],
        &[("c10", "Grüße"), ("c10_2", "0 s later")],
    ),
    (Some("Done: Grüße."), &[], &[]),
];

#[tokio::test]
async fn a_conversation_of_ten_turns() {
    let replies = TURNS.iter().enumerate().map(|(turn, (text, calls, _))| {
        let text = text.unwrap_or_default();
        match turn {
            6 => Reply::calls(
                text,
                &[("c8", "write_note", r#"{"name":"c","te"#)],
                "length",
            ),
            8 => Reply::calls(
                text,
                &[calls[0], ("c10", calls[1].1, calls[1].2)],
                "tool_calls",
            ),
            _ if calls.is_empty() => Reply::calls(text, calls, "stop"),
            _ => Reply::calls(text, calls, "tool_calls"),
        }
    });
    let server = Server::start(replies.collect()).await;
    let screen = Screen::default();
    let agent = agent(&server, &screen, &["maybe", "y", "n"]);
    let mut history = Vec::new();
    let ended = agent
        .converse(&mut history, "Greet.", &CancellationToken::new())
        .await
        .unwrap();
    assert_eq!(ended, Ended::Answered);

    // What is sent with each request: all that came before it.
    let mut messages = vec![user("Greet.")];
    let mut expected = Vec::new();
    for (text, calls, results) in TURNS {
        expected.push(json!({
            "model": "test-model",
            "messages": messages,
            "tools": tools_sent(),
            "stream": true,
        }));
        messages.push(assistant(*text, calls));
        messages.extend(results.iter().map(|(id, content)| answer(id, content)));
    }
    let requests = server.requests();
    for request in &requests {
        assert_eq!(request.line, "POST /v1/chat/completions HTTP/1.1");
        assert_eq!(request.key, "Bearer sk-test");
        assert_eq!(request.kind, "application/json");
    }
    let bodies: Vec<Value> = requests.into_iter().map(|request| request.body).collect();
    for (turn, (body, expected)) in bodies.iter().zip(&expected).enumerate() {
        assert_eq!(body, expected, "request {turn}\n{body:#}");
    }
    assert_eq!(bodies.len(), expected.len());
    assert_eq!(history, messages);

    // Everything was shown, and asked as often as it had to be.
    let shown = screen.shown();
    let asked = shown.matches("run it? [y/n] ").count();
    assert_eq!(asked, 3, "{shown}");
    assert!(
        shown.starts_with("I write it down – là.\n[c1 calls write_note]\n"),
        "{shown}"
    );
    assert!(shown.contains("\n[c2 APPROVAL_REJECTED]"), "{shown}");
    assert!(shown.ends_with("Done: Grüße."), "{shown}");
}

#[tokio::test]
async fn a_cancelled_turn_has_one_result_for_each_call() {
    let calls = [
        ("c1", "wait", r#"{"seconds":3600}"#),
        ("c2", "read_note", r#"{"name":"a"}"#),
    ];
    let replies = vec![
        Reply::calls("", &calls, "tool_calls"),
        Reply::calls("As you like.", &[], "stop"),
    ];
    let server = Server::start(replies).await;
    let cancel = CancellationToken::new();
    let screen = Screen {
        trigger: Some(("[  0 % waiting]", cancel.clone())),
        ..Screen::default()
    };
    let agent = agent(&server, &screen, &[]);
    let mut history = Vec::new();
    let ended = agent
        .converse(&mut history, "Wait.", &cancel)
        .await
        .unwrap();
    assert_eq!(ended, Ended::Cancelled);
    let mut expected = vec![
        user("Wait."),
        assistant(None, &calls),
        answer("c1", "Error: tool call aborted"),
        answer("c2", "Error: tool call aborted before dispatch"),
    ];
    assert_eq!(history, expected);

    // The conversation goes on from there.
    let never = CancellationToken::new();
    let ended = agent.converse(&mut history, "Never mind.", &never).await;
    assert_eq!(ended.unwrap(), Ended::Answered);
    expected.push(user("Never mind."));
    assert_eq!(server.requests()[1].body["messages"], json!(expected));
    expected.push(assistant(Some("As you like."), &[]));
    assert_eq!(history, expected);
}

#[tokio::test]
async fn a_question_is_withdrawn_when_the_turn_is_cancelled() {
    let calls = [("c1", "write_note", r#"{"name":"a","text":"b"}"#)];
    let server = Server::start(vec![Reply::calls("", &calls, "tool_calls")]).await;
    let cancel = CancellationToken::new();
    let screen = Screen {
        trigger: Some(("run it? [y/n] ", cancel.clone())),
        ..Screen::default()
    };
    // Nobody types anything, for as long as the test takes.
    let (_typing, lines) = mpsc::unbounded_channel();
    let terminal = Terminal::new(lines, screen.clone());
    let runtime = tools::runtime(terminal.clone()).unwrap();
    let client = Client::new(&server.base, None).unwrap();
    let agent = Agent::new(runtime, client, "test-model".to_owned(), terminal);
    let mut history = Vec::new();
    let ended = agent
        .converse(&mut history, "Write.", &cancel)
        .await
        .unwrap();
    assert_eq!(ended, Ended::Cancelled);
    assert_eq!(
        history[2..],
        [answer("c1", "Error: tool call aborted before dispatch")]
    );
    assert_eq!(server.requests()[0].key, "");
}

#[tokio::test]
async fn half_an_answer_is_no_part_of_the_history() {
    let server = Server::start(vec![Reply::hanging("Well, let me")]).await;
    let cancel = CancellationToken::new();
    let screen = Screen {
        trigger: Some(("Well", cancel.clone())),
        ..Screen::default()
    };
    let agent = agent(&server, &screen, &[]);
    let mut history = Vec::new();
    let ended = agent
        .converse(&mut history, "Talk.", &cancel)
        .await
        .unwrap();
    assert_eq!(ended, Ended::Cancelled);
    assert_eq!(history, [user("Talk.")]);
    // The server is told at once, and need not go on.
    server.hung_up().await;
}

#[tokio::test]
async fn what_the_server_refuses_is_told() {
    let error = json!({"error": {"message": "no such model"}});
    let cut = Reply::calls("I was about", &[], "");
    let server = Server::start(vec![
        Reply::Status("401 Unauthorized", "bad key".to_owned()),
        Reply::Events(vec![error]),
        Reply::Whole(json!({"choices": [{
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": "At once."},
        }]})),
        cut,
    ])
    .await;
    let screen = Screen::default();
    let agent = agent(&server, &screen, &[]);
    let never = CancellationToken::new();
    let mut told = Vec::new();
    for _ in 0..4 {
        let ended = agent.converse(&mut Vec::new(), "Hi.", &never).await;
        told.push(ended.map_err(|error| error.to_string()));
    }
    assert_eq!(
        told,
        [
            Err("the server answered 401 Unauthorized: bad key".to_owned()),
            Err("OpenAI Chat Completions answered with an error: no such model".to_owned()),
            Ok(Ended::Answered),
            Ok(Ended::Answered),
        ]
    );
    assert_eq!(screen.shown(), "I was about\n[the answer was cut off]");
}
