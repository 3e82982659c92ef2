//! Approvals: somebody outside decides about a call that a pre-execute hook asked about.

use std::future::Future;

use serde_json::Value;

use crate::cancellation::Cancellation;
use crate::contain::Sheltered;
use crate::future::BoxFuture;
use crate::id::CallId;

/// A question to an [`Approver`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// The call that waits.
    pub call_id: CallId,
    /// The tool it would run.
    pub tool: String,
    /// With these arguments: frozen, so what is approved is what runs.
    pub arguments: Value,
    /// The SHA-256 of the arguments' canonical JSON, in hexadecimal.
    pub digest: String,
    /// Why it is asked.
    pub reason: Option<String>,
    /// Fires when nobody wants the answer any more. The runtime withdraws the question by itself.
    pub cancellation: Cancellation,
}

/// An answer to an [`ApprovalRequest`]. Only the first lets the call run, and only this one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Approval {
    /// Yes, once.
    AllowedOnce,
    /// No.
    Rejected,
    /// The question was withdrawn.
    Cancelled,
    /// Nobody could be asked.
    Unavailable,
}

/// Who is asked when a pre-execute hook says [`Decision::Ask`](crate::Decision::Ask).
///
/// A panic counts as [`Approval::Unavailable`]. A closure will do as well.
///
/// ```
/// use tool_core::{Approval, ApprovalRequest, Approver, ToolRuntime};
///
/// struct Terminal;
///
/// impl Approver for Terminal {
///     async fn request(&self, ask: ApprovalRequest) -> Approval {
///         println!("{} wants to run with {}", ask.tool, ask.arguments);
///         Approval::Rejected
///     }
/// }
///
/// let runtime = ToolRuntime::builder().approver(Terminal).build().unwrap();
/// # let _ = runtime;
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an approver",
    label = "not an approver",
    note = "implement `Approver`, or pass a closure `|ask: ApprovalRequest| async move {{ Approval::Rejected }}`"
)]
pub trait Approver: Send + Sync + 'static {
    /// Answers the question, whenever the answer comes.
    fn request(&self, ask: ApprovalRequest) -> impl Future<Output = Approval> + Send;
}

#[diagnostic::do_not_recommend]
impl<F, A> Approver for F
where
    F: Fn(ApprovalRequest) -> A + Send + Sync + 'static,
    A: Future<Output = Approval> + Send,
{
    async fn request(&self, ask: ApprovalRequest) -> Approval {
        self(ask).await
    }
}

/// An approver behind its type.
pub(crate) trait ApproverObject: Send + Sync {
    fn request(&self, ask: ApprovalRequest) -> BoxFuture<'_, Approval>;
}

impl<A: Approver> ApproverObject for Sheltered<A> {
    fn request(&self, ask: ApprovalRequest) -> BoxFuture<'_, Approval> {
        Box::pin(Approver::request(&**self, ask))
    }
}
