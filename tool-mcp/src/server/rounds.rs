//! Questions to clients that a server cannot call: they are the answer, and the client comes again.
//!
//! Source: Model Context Protocol 2026-07-28, multi round-trip requests.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitResult, InputRequest, InputRequests,
    InputRequiredResult, InputResponses,
};
use rmcp::service::RequestContext;
use tool_core::{Approval, ApprovalRequest, CallId, ToolCall, ToolResult, code};

use super::ask::approval;

/// One round of a call: what the client has answered, and what it is asked.
///
/// Nothing is kept between rounds. An answer names the tool and the digest of the arguments that it
/// is about, so that it lets nothing else run.
pub(super) struct Rounds {
    call_id: CallId,
    answers: InputResponses,
    questions: Mutex<InputRequests>,
}

impl Rounds {
    /// `None` for a client that is asked while its call waits, and for one that takes no forms.
    pub(super) fn of(
        call: &ToolCall,
        answers: Option<InputResponses>,
        context: &RequestContext<RoleServer>,
    ) -> Option<Arc<Self>> {
        if context.protocol_version()?.has_initialize() {
            return None;
        }
        let takes = context.client_capabilities()?.elicitation?;
        // A client that does not say which kind it takes takes forms.
        if takes.form.is_none() && takes.url.is_some() {
            return None;
        }
        Some(Arc::new(Self {
            call_id: call.call_id().clone(),
            answers: answers.unwrap_or_default(),
            questions: Mutex::new(BTreeMap::new()),
        }))
    }

    /// The client's answer; without one the question is noted, and this round is over.
    ///
    /// A call that a body makes cannot wait for another round: the body would run twice.
    pub(super) fn ask(&self, ask: &ApprovalRequest, form: ElicitRequestParams) -> Approval {
        if ask.call_id != self.call_id {
            return Approval::Unavailable;
        }
        let key = format!("{} {}", ask.tool, ask.digest);
        let Some(answer) = self.answers.get(&key) else {
            let question = InputRequest::Elicitation(ElicitRequest::new(form));
            self.questions().insert(key, question);
            return Approval::Cancelled;
        };
        match serde_json::from_value::<ElicitResult>(answer.clone()) {
            Ok(answer) => approval(&answer),
            Err(error) => {
                tracing::warn!(tool = ask.tool, %error, "an answer to a form cannot be read");
                Approval::Unavailable
            }
        }
    }

    /// What the client is asked, if that is what the call has ended with.
    pub(super) fn asked(&self, result: &ToolResult) -> Option<InputRequiredResult> {
        let withdrawn = |code| code == code::APPROVAL_CANCELLED;
        if !result.error().is_some_and(|error| withdrawn(error.code())) {
            return None;
        }
        let questions = std::mem::take(&mut *self.questions());
        (!questions.is_empty()).then(|| InputRequiredResult::from_input_requests(questions))
    }

    fn questions(&self) -> std::sync::MutexGuard<'_, InputRequests> {
        self.questions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
