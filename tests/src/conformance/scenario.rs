//! The vocabulary of scenario files: what is registered, and what happens then.
//!
//! Every type refuses words it does not know, so that no part of a scenario is silently ignored.

use serde::Deserialize;
use serde_json::Value;

use super::expect::Expect;
use super::policy::{AroundKind, GuardKind, Hook, ObserverKind, PostKind, PreKind};
use super::tool::ToolEntry;

/// One scenario: a registry, what is done with it, and what the reference was seen to do.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// `theme/name`.
    pub id: String,
    /// The intent, in one sentence.
    pub title: String,
    /// How tools are presented where a scope declares nothing else.
    #[serde(default)]
    pub mode: Mode,
    /// How many calls of one program may overlap.
    pub max_parallel_sub_calls: Option<Value>,
    /// Whether programs can be run.
    #[serde(default)]
    pub code_runtime: bool,
    /// Parents come first.
    #[serde(default)]
    pub scopes: Vec<ScopeEntry>,
    /// Absent: there is no approver.
    pub approval: Option<Approval>,
    /// Tools, registered first.
    #[serde(default)]
    pub tools: Vec<ToolEntry>,
    /// Presentations of scopes.
    #[serde(default)]
    pub present_as: Vec<PresentationEntry>,
    /// Restrictions of scopes.
    #[serde(default)]
    pub restrictions: Vec<RestrictionEntry>,
    /// Station 2.
    #[serde(default)]
    pub guards: Vec<Hook<GuardKind>>,
    /// Station 1.
    #[serde(default)]
    pub pre_execute: Vec<Hook<PreKind>>,
    /// Station 3.
    #[serde(default)]
    pub around: Vec<Hook<AroundKind>>,
    /// Station 6.
    #[serde(default)]
    pub post_execute: Vec<Hook<PostKind>>,
    /// Station 8.
    #[serde(default)]
    pub result_observers: Vec<Hook<ObserverKind>>,
    /// What happens after the setup, one after another.
    pub steps: Vec<Action>,
    /// Extra observations.
    #[serde(default)]
    pub measure: Vec<Measure>,
    /// The kinds of marks whose global order is observed.
    pub timeline: Option<Vec<String>>,
    /// The recording.
    pub expect: Expect,
}

/// How tools are presented to a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Each by name.
    #[default]
    Native,
    /// Through programs.
    Code,
    /// Both.
    Both,
}

/// A scope.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScopeEntry {
    /// Its id.
    pub id: String,
    /// The scope it is below; absent: the runtime.
    pub parent: Option<String>,
}

/// The approval service.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    /// What it answers.
    pub outcome: Outcome,
}

/// What an approval service answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Outcome {
    /// Yes, once.
    #[serde(rename = "allowed-once")]
    AllowedOnce,
    /// No.
    #[serde(rename = "rejected")]
    Rejected,
    /// The question was withdrawn.
    #[serde(rename = "cancelled")]
    Cancelled,
    /// Nobody could be asked.
    #[serde(rename = "unavailable")]
    Unavailable,
    /// The answerer breaks.
    #[serde(rename = "throw")]
    Throw,
    /// It never answers.
    #[serde(rename = "wait_for_cancel")]
    WaitForCancel,
    /// There is a service, and nobody behind it.
    #[serde(rename = "no_answerer")]
    NoAnswerer,
    /// The service says no by itself.
    #[serde(rename = "policy_never")]
    PolicyNever,
}

/// An extra observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// How many bodies were open at once.
    PeakBodies,
    /// Parent and root of every call that has a parent.
    Lineage,
}

/// Something that happens after the setup.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// One call, run to its end.
    Call(CallAction),
    /// The calls of one model turn.
    Batch(BatchAction),
    /// Whether a batch would let the call overlap.
    ExecutionMode {
        /// The observation's id.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        arguments: Value,
        /// Where it is called.
        scope: Option<String>,
        /// The call it serves.
        parent: Option<String>,
    },
    /// What a scope sees.
    Snapshot {
        /// The observation's id.
        id: String,
        /// The scope that looks.
        scope: Option<String>,
        /// What it looks at.
        view: View,
    },
    /// One more registration.
    Register(Box<Registration>),
    /// The end of a registration.
    Dispose {
        /// Its label.
        label: String,
    },
    /// The end of all registrations of a scope.
    DisposeScope {
        /// The scope.
        scope: String,
    },
}

/// One call.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallAction {
    /// The call's id.
    pub call_id: String,
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub arguments: Value,
    /// Where it is called.
    pub scope: Option<String>,
    /// The earlier call that it serves.
    pub parent: Option<String>,
    /// When its signal fires.
    pub cancel: Option<Cancel>,
}

/// The calls of one model turn.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchAction {
    /// The observation's id.
    pub id: String,
    /// Where all are called.
    pub scope: Option<String>,
    /// The calls, in model order.
    pub calls: Vec<BatchCall>,
    /// How many may overlap.
    pub max_parallel: Option<usize>,
    /// When their signal fires.
    pub cancel: Option<Cancel>,
}

/// One call of a batch.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchCall {
    /// The call's id.
    pub call_id: String,
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub arguments: Value,
}

/// When a caller's signal fires.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cancel {
    /// `start`, or a mark.
    pub at: String,
    /// The call whose trace gets the mark; absent: this one, or any of the batch.
    pub call: Option<String>,
}

/// What a snapshot shows.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// The visible tools.
    Catalog,
    /// What a model is offered.
    Offered,
}

/// One registration, of whatever kind.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    tag = "kind",
    content = "entry",
    rename_all = "snake_case",
    deny_unknown_fields
)]
pub enum Registration {
    /// A tool.
    Tool(Box<ToolEntry>),
    /// A presentation.
    PresentAs(PresentationEntry),
    /// A restriction.
    Restriction(RestrictionEntry),
    /// A guard.
    Guard(Hook<GuardKind>),
    /// A pre-execute hook.
    PreExecute(Hook<PreKind>),
    /// A wrapper.
    Around(Hook<AroundKind>),
    /// A post-execute hook.
    PostExecute(Hook<PostKind>),
    /// An observer.
    ResultObserver(Hook<ObserverKind>),
}

/// The presentation of one scope.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PresentationEntry {
    /// The registration's label.
    pub label: String,
    /// The scope; absent: refused.
    pub scope: Option<String>,
    /// How its tools are presented.
    pub mode: Mode,
}

/// A restriction of what one scope inherits.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestrictionEntry {
    /// The registration's label.
    pub label: String,
    /// The scope; absent: refused.
    pub scope: Option<String>,
    /// Only these.
    pub allow: Option<Vec<String>>,
    /// None of these.
    pub deny: Option<Vec<String>>,
}
