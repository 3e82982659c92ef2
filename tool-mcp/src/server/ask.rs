//! Approvals over elicitation: the client that made the call is asked.

use rmcp::model::{
    BooleanSchema, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationSchema, ServerRequest,
};
use rmcp::service::ElicitationMode;
use tool_core::{Approval, ApprovalRequest, Approver};

use super::caller::McpCaller;
use crate::withdraw;

/// How many bytes of a call's arguments a question shows.
const SHOWN: usize = 2_000;

/// The property of the form that a person ticks.
const APPROVE: &str = "approve";

/// An approver that asks the user of the MCP client whose call it is, by a form (elicitation).
///
/// Only ticking the form's box and sending it approves. A client that takes no forms, and a call
/// that came from elsewhere than MCP count as [`Approval::Unavailable`]. A question whose call is
/// cancelled is withdrawn.
///
/// From protocol 2026-07-28 on a server cannot ask while a call waits. There the question is the
/// answer to the call, and the client makes the call again with what its user said: hooks before the
/// question run once more, and observers hear of a call that ended as [`Approval::Cancelled`]. A
/// call that a body makes cannot be asked about that way and counts as [`Approval::Unavailable`].
///
/// ```
/// use tool_core::{Decision, ToolExecution, ToolRuntime, tool};
/// use tool_mcp::{AskClient, McpServer};
///
/// /// Deletes a file.
/// #[tool(destructive)]
/// fn delete(path: String) {}
///
/// let runtime = ToolRuntime::builder()
///     .tool(delete {})
///     .pre_execute(|call: &ToolExecution| {
///         Decision::ask(format!("{} cannot be undone", call.name()))
///     })
///     .approver(AskClient::new())
///     .build()
///     .unwrap();
/// let server = McpServer::new(&runtime);
/// # let _ = server;
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct AskClient {}

impl AskClient {
    /// An approver. It holds nothing: which client to ask goes by the call.
    pub fn new() -> Self {
        Self {}
    }
}

impl Approver for AskClient {
    async fn request(&self, ask: ApprovalRequest) -> Approval {
        let Some(caller) = McpCaller::current() else {
            return Approval::Unavailable;
        };
        if let Some(rounds) = caller.rounds() {
            return rounds.ask(&ask, form(&ask));
        }
        let client = caller.peer();
        let modes = client.supported_elicitation_modes();
        if !modes.contains(&ElicitationMode::Form) {
            return Approval::Unavailable;
        }
        let request = ServerRequest::ElicitRequest(ElicitRequest::new(form(&ask)));
        match withdraw::request(client, request, |_| ()).await {
            Ok(ClientResult::ElicitResult(answer)) => approval(&answer),
            Ok(_) => Approval::Unavailable,
            Err(error) => {
                tracing::warn!(tool = ask.tool, %error, "a client could not be asked for approval");
                Approval::Unavailable
            }
        }
    }
}

fn form(ask: &ApprovalRequest) -> ElicitRequestParams {
    let mut message = format!("May tool {:?} run with {}?", ask.tool, arguments(ask));
    if let Some(reason) = &ask.reason {
        message = format!("{message}\n{reason}");
    }
    let requested_schema = ElicitationSchema::builder()
        .required_bool_with(APPROVE, |_| {
            BooleanSchema::new().title("Let it run, this once")
        })
        .build_unchecked();
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message,
        requested_schema,
    }
}

fn arguments(ask: &ApprovalRequest) -> String {
    let mut text = ask.arguments.to_string();
    if text.len() > SHOWN {
        let end = text.floor_char_boundary(SHOWN);
        let more = text.len() - end;
        text.truncate(end);
        text.push_str(&format!(
            "… ({more} more bytes; SHA-256 of all: {})",
            ask.digest
        ));
    }
    text
}

/// A form that was sent without its box ticked is a no.
pub(super) fn approval(answer: &ElicitResult) -> Approval {
    match answer.action {
        ElicitationAction::Accept => {
            let ticked = answer.content.as_ref().and_then(|form| form.get(APPROVE));
            if ticked == Some(&serde_json::Value::Bool(true)) {
                Approval::AllowedOnce
            } else {
                Approval::Rejected
            }
        }
        ElicitationAction::Cancel => Approval::Cancelled,
        _ => Approval::Rejected,
    }
}
