//! The vocabulary of expectations.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::policy::Info;
use super::tool::present;

/// What the reference was seen to do. A missing section: nothing of that kind was observed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// By call id, nested calls too.
    #[serde(default)]
    pub results: BTreeMap<String, ExpectedResult>,
    /// By call id, the marks in order.
    #[serde(default)]
    pub traces: BTreeMap<String, Vec<String>>,
    /// The global order of the marks asked for.
    pub timeline: Option<Vec<String>>,
    /// The largest number of bodies open at once.
    pub peak_bodies: Option<usize>,
    /// By call id, parent and root.
    pub lineage: Option<BTreeMap<String, Lineage>>,
    /// By id, `parallel` or `exclusive`.
    #[serde(default)]
    pub execution_modes: BTreeMap<String, String>,
    /// By id.
    #[serde(default)]
    pub snapshots: BTreeMap<String, Value>,
    /// By id.
    #[serde(default)]
    pub batches: BTreeMap<String, BatchOutcome>,
    /// The questions that reached an answerer.
    #[serde(default)]
    pub approval_requests: Vec<Request>,
    /// The refused registrations, in order.
    #[serde(default)]
    pub registration_errors: Vec<Refusal>,
}

/// A result.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedResult {
    /// Whether the call failed.
    pub is_error: bool,
    /// Whether its batch never started it.
    #[serde(default)]
    pub skipped: bool,
    /// The value of a success.
    #[serde(default, deserialize_with = "present")]
    pub value: Option<Value>,
    /// The error of a failure.
    pub error: Option<ExpectedError>,
    /// What the model is shown.
    pub content: Option<Vec<ExpectedBlock>>,
    /// The projection; `null` differs from absent.
    #[serde(default, deserialize_with = "present")]
    pub meta: Option<Value>,
    /// The contexts as texts.
    #[serde(default)]
    pub additional_contexts: Vec<String>,
    /// Whether it ended the turn.
    #[serde(default)]
    pub concludes_turn: bool,
}

/// An error, in one of three forms: an exact message, the lead of one, or the rule that was broken.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedError {
    /// The exact message.
    pub message: Option<String>,
    /// How the message begins; the rest is the implementation's.
    pub message_lead: Option<String>,
    /// The reference's message.
    pub message_info: Option<String>,
    /// Which rule was broken.
    pub error_kind: Option<ErrorKind>,
    /// Name and code.
    pub info: Option<Info>,
    /// A word the message contains.
    pub message_must_name: Option<String>,
}

/// The rule that a failed call broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// The approver said no.
    ApprovalRejected,
    /// The approver withdrew.
    ApprovalCancelled,
    /// The approver could not be reached, or broke.
    ApprovalUnavailable,
    /// There is no approver.
    ApprovalMissing,
    /// A post hook replaced both value and content.
    PostValueAndContent,
    /// A post hook replaced the value of a failed call.
    PostValueOnFailure,
    /// A block whose feedback has no text.
    BlockedWithoutText,
    /// Programs were presented, but none can be run.
    MissingCodeRuntime,
    /// A program without a description.
    BlankDescription,
}

impl ErrorKind {
    /// The code of results that break this rule.
    pub fn code(self) -> &'static str {
        use tool_core::code;
        match self {
            Self::ApprovalRejected => code::APPROVAL_REJECTED,
            Self::ApprovalCancelled => code::APPROVAL_CANCELLED,
            Self::ApprovalUnavailable => code::APPROVAL_UNAVAILABLE,
            Self::ApprovalMissing => code::DENIED,
            Self::PostValueAndContent | Self::PostValueOnFailure => code::HOOK_FAILED,
            Self::BlockedWithoutText => code::BLOCKED,
            Self::MissingCodeRuntime => code::MISSING_CODE_RUNTIME,
            Self::BlankDescription => code::INVALID_ARGS,
        }
    }
}

/// A block of content.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ExpectedBlock {
    /// Text, exact or told by its origin.
    Text {
        /// The exact text.
        text: Option<String>,
        /// `Error: ` and the implementation's own message.
        #[serde(default)]
        text_from_error: bool,
        /// A text of the implementation's choice.
        text_kind: Option<TextKind>,
    },
    /// An opaque image.
    Image {
        /// What tells it from others.
        r#ref: String,
    },
}

/// A text of the implementation's choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextKind {
    /// It says that a program printed and returned nothing.
    NoProgramOutput,
}

/// Parent and root of a call.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lineage {
    /// The call it was made by.
    pub parent: String,
    /// The outermost call.
    pub root: String,
}

/// What came of a batch.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchOutcome {
    /// The calls in the order of their results.
    pub committed: Vec<String>,
    /// Those that met no station.
    pub skipped: Vec<String>,
    /// All contexts, in the order handed back.
    pub contexts: Vec<String>,
    /// Whether a result ended the turn.
    pub concluded: bool,
}

/// A question that reached an answerer.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The call.
    pub call_id: String,
    /// The tool.
    pub tool: String,
    /// Why it was asked.
    pub reason: Option<String>,
}

/// A refused registration.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// Its label.
    pub label: String,
    /// Why.
    pub error_kind: RefusalKind,
    /// The offending names, where there are some.
    pub names: Option<Vec<String>>,
}

/// Why a registration was refused.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    /// The name is taken in this layer.
    DuplicateTool,
    /// The name belongs to the runtime.
    ReservedToolName,
    /// The output schema cannot be enforced.
    UnsupportedOutputSchema,
    /// The parameters cannot be enforced.
    UnsupportedParameters,
    /// There is no output.
    MissingOutput,
    /// The time limit is none.
    InvalidTimeout,
    /// A restriction without a scope.
    UnscopedRestriction,
    /// A restriction without a list.
    EmptyRestriction,
    /// A restriction names what is not inherited.
    UnknownRestrictionTarget,
    /// A restriction names the program tool.
    ReservedRestrictionTarget,
    /// A presentation without a scope.
    UnscopedPresentation,
    /// A second presentation of one scope.
    DuplicatePresentation,
    /// A setting out of range.
    InvalidConfiguration,
    /// One that scenarios have no word for.
    #[serde(skip)]
    Unforeseen(String),
}
