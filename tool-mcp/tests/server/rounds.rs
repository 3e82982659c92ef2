//! Approvals of clients that a server cannot call: protocol 2026-07-28.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tool_core::{Decision, RunContext, State, ToolExecution, ToolRuntime, tool};
use tool_mcp::rmcp::model::{
    CallToolRequestParams, CallToolResponse, ClientCapabilities, ClientConfig, ElicitRequestParams,
    ElicitResult, ErrorData, Implementation, ProtocolVersion,
};
use tool_mcp::rmcp::service::{
    ClientLifecycleMode, ClientServiceExt, RequestContext, RunningService,
};
use tool_mcp::rmcp::{ClientHandler, RoleClient};
use tool_mcp::{AskClient, McpServer};

/// Deletes a file.
#[tool(destructive, args = DeleteArgs)]
fn delete(path: String, runs: &State<Arc<AtomicUsize>>) -> String {
    runs.fetch_add(1, Ordering::SeqCst);
    format!("{path} is gone")
}

/// Keeps a file.
#[tool]
fn keep(path: String, runs: &State<Arc<AtomicUsize>>) -> String {
    runs.fetch_add(1, Ordering::SeqCst);
    format!("{path} is kept")
}

/// Deletes by another.
#[tool]
async fn tidy(cx: &RunContext) -> Result<String, tool_core::ToolError> {
    cx.call::<delete>(DeleteArgs {
        path: "a.txt".into(),
    })
    .await
}

/// A person who answers every form alike, and remembers what they were asked.
#[derive(Clone)]
struct Person {
    forms: bool,
    answer: Value,
    asked: Arc<Mutex<Vec<String>>>,
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let capabilities = match self.forms {
            true => ClientCapabilities::builder().enable_elicitation().build(),
            false => ClientCapabilities::default(),
        };
        ClientConfig::new(capabilities, Implementation::new("test", "1.0.0"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else {
            panic!("{request:?}");
        };
        self.asked.lock().unwrap().push(message);
        Ok(serde_json::from_value(self.answer.clone()).unwrap())
    }
}

struct Scene {
    client: RunningService<RoleClient, Person>,
    runs: Arc<AtomicUsize>,
    asked: Arc<Mutex<Vec<String>>>,
}

async fn scene(forms: bool, answer: Value) -> Scene {
    let runs = Arc::new(AtomicUsize::new(0));
    let runtime = ToolRuntime::builder()
        .state(runs.clone())
        .tool(delete {})
        .tool(keep {})
        .tool(tidy {})
        .pre_execute(|call: &ToolExecution| match call.name() {
            "tidy" => Decision::Allow,
            _ => Decision::ask("it cannot be undone"),
        })
        .approver(AskClient::new())
        .build()
        .unwrap();
    let (near, far) = tokio::io::duplex(1 << 20);
    let server = McpServer::new(&runtime);
    tokio::spawn(async move { server.serve(far).await });
    let lifecycle = ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    };
    let asked = Arc::new(Mutex::new(Vec::new()));
    let person = Person {
        forms,
        answer,
        asked: asked.clone(),
    };
    let client = person.serve_with_lifecycle(near, lifecycle).await.unwrap();
    Scene {
        client,
        runs,
        asked,
    }
}

fn call(tool: &'static str, arguments: Value) -> CallToolRequestParams {
    let Value::Object(arguments) = arguments else {
        panic!("{arguments}");
    };
    CallToolRequestParams::new(tool).with_arguments(arguments)
}

impl Scene {
    /// What comes of a call in the end, how often the body ran, and what the person was asked.
    async fn call(&self, tool: &'static str, arguments: Value) -> (Value, usize, Vec<String>) {
        let result = self.client.call_tool(call(tool, arguments)).await.unwrap();
        let said = json!([result.is_error, result.content[0]]);
        let asked = std::mem::take(&mut *self.asked.lock().unwrap());
        (said, self.runs.load(Ordering::SeqCst), asked)
    }
}

fn said(is_error: bool, text: &str) -> Value {
    json!([is_error, { "type": "text", "text": text }])
}

fn asked() -> Vec<String> {
    let question = "May tool \"delete\" run with {\"path\":\"a.txt\"}?\nit cannot be undone";
    vec![question.to_owned()]
}

#[tokio::test]
async fn a_call_comes_again_with_its_approval() {
    let yes = json!({ "action": "accept", "content": { "approve": true } });
    let scene = scene(true, yes).await;
    let arguments = json!({ "path": "a.txt" });
    assert_eq!(
        scene.call("delete", arguments.clone()).await,
        (said(false, "a.txt is gone"), 1, asked())
    );
    // It was for once.
    assert_eq!(
        scene.call("delete", arguments).await,
        (said(false, "a.txt is gone"), 2, asked())
    );
}

#[tokio::test]
async fn a_call_that_is_not_approved_does_not_run() {
    for (answer, outcome) in [
        (json!({ "action": "decline" }), "rejected"),
        (json!({ "action": "accept" }), "rejected"),
        (json!({ "action": "cancel" }), "cancelled"),
    ] {
        let scene = scene(true, answer).await;
        let text = format!("Error: approval for tool \"delete\" was {outcome}");
        assert_eq!(
            scene.call("delete", json!({ "path": "a.txt" })).await,
            (said(true, &text), 0, asked())
        );
    }
}

#[tokio::test]
async fn who_takes_no_forms_gets_a_clear_failure() {
    let scene = scene(false, Value::Null).await;
    let text = "Error: tool \"delete\" requires approval, but the approver is unavailable";
    assert_eq!(
        scene.call("delete", json!({ "path": "a.txt" })).await,
        (said(true, text), 0, Vec::new())
    );
}

/// The body that makes the call has begun, and would begin again in the next round.
#[tokio::test]
async fn a_call_inside_a_body_cannot_be_asked_about() {
    let yes = json!({ "action": "accept", "content": { "approve": true } });
    let scene = scene(true, yes).await;
    let text = "Error: tool \"delete\" requires approval, but the approver is unavailable";
    assert_eq!(
        scene.call("tidy", json!({})).await,
        (said(true, text), 0, Vec::new())
    );
}

/// Whoever forges a second round gets no further than by an answer to the very question.
#[tokio::test]
async fn an_answer_lets_nothing_else_run() {
    let scene = scene(true, Value::Null).await;
    let first = call("delete", json!({ "path": "a.txt" }));
    let answered = scene.client.call_tool_once(first).await.unwrap();
    let CallToolResponse::InputRequired(required) = answered else {
        panic!("{answered:?}");
    };
    let questions = required.input_requests.unwrap();
    let [key] = questions.keys().collect::<Vec<_>>()[..] else {
        panic!("{questions:?}");
    };
    let yes = json!({ "action": "accept", "content": { "approve": true } });
    for (tool, arguments, key, answer) in [
        // Other arguments, another tool, another question, an answer that is none.
        (
            "delete",
            json!({ "path": "b.txt" }),
            key.as_str(),
            yes.clone(),
        ),
        ("keep", json!({ "path": "a.txt" }), key, yes.clone()),
        ("delete", json!({ "path": "a.txt" }), "delete", yes.clone()),
        ("delete", json!({ "path": "a.txt" }), key, json!("yes")),
    ] {
        let answers = [(key.to_owned(), answer)].into();
        let again = call(tool, arguments).with_input_responses(answers);
        let answered = scene.client.call_tool_once(again).await.unwrap();
        match answered {
            CallToolResponse::InputRequired(_) => {}
            CallToolResponse::Complete(result) => assert_eq!(result.is_error, Some(true)),
            other => panic!("{other:?}"),
        }
        assert_eq!(scene.runs.load(Ordering::SeqCst), 0);
    }
    let answers = [(key.clone(), yes)].into();
    let again = call("delete", json!({ "path": "a.txt" })).with_input_responses(answers);
    let answered = scene.client.call_tool_once(again).await.unwrap();
    assert!(
        matches!(answered, CallToolResponse::Complete(_)),
        "{answered:?}"
    );
    assert_eq!(scene.runs.load(Ordering::SeqCst), 1);
}
