//! The vocabulary of guards, hooks and observers.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::tool::{ArgEquals, Block, Step, Throw, present};

/// A guard, hook or observer: where it is registered, when it acts, and what it does.
#[derive(Clone, Debug)]
pub struct Hook<K> {
    /// The registration's label.
    pub label: String,
    /// Where it is registered; absent: in the runtime.
    pub scope: Option<String>,
    /// When it acts; otherwise it abstains or delegates without a mark.
    pub when: When,
    /// What it does between its mark and its decision.
    pub steps: Vec<Step>,
    /// What it decides.
    pub kind: K,
}

/// What all hooks have, whatever their kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Common {
    label: String,
    scope: Option<String>,
    #[serde(default)]
    when: When,
    #[serde(default)]
    steps: Vec<Step>,
}

impl<'de, K: DeserializeOwned> Deserialize<'de> for Hook<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut of_kind = Map::deserialize(deserializer)?;
        // A flattened kind could not refuse unknown words, so the two parts are read apart.
        let common = ["label", "scope", "when", "steps"]
            .into_iter()
            .filter_map(|key| of_kind.remove_entry(key))
            .collect();
        let common: Common =
            serde_json::from_value(Value::Object(common)).map_err(D::Error::custom)?;
        let kind = serde_json::from_value(Value::Object(of_kind))
            .map_err(|error| D::Error::custom(format!("hook `{}`: {error}", common.label)))?;
        if !common.steps.iter().all(Step::is_for_hooks) {
            return Err(D::Error::custom(format!(
                "hook `{}` has a step that only bodies may do",
                common.label
            )));
        }
        let Common {
            label,
            scope,
            when,
            steps,
        } = common;
        Ok(Self {
            label,
            scope,
            when,
            steps,
            kind,
        })
    }
}

/// When a hook acts: if all given parts hold.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// The tool's name.
    pub tool: Option<String>,
    /// The call's id.
    pub call: Option<String>,
    /// What an argument must be.
    pub arg: Option<ArgEquals>,
    /// The outcome, where there is one.
    pub is_error: Option<bool>,
}

/// What a guard says.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum GuardKind {
    /// No.
    Deny {
        /// Why.
        reason: String,
    },
    /// Nothing.
    Abstain {},
    /// It breaks.
    Throw(Throw),
}

/// What a pre-execute hook says.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum PreKind {
    /// Nothing.
    Delegate {},
    /// Yes, as far as it is concerned.
    Allow {},
    /// No.
    Deny {
        /// Why.
        reason: String,
    },
    /// Somebody else shall decide.
    Ask {
        /// Why.
        reason: Option<String>,
    },
    /// It breaks.
    Throw(Throw),
}

/// What a wrapper does.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum AroundKind {
    /// Returns the inner result untouched.
    PassThrough {
        /// Done after the exit mark.
        #[serde(default)]
        exit_steps: Vec<Step>,
    },
    /// Answers in the body's place.
    ShortCircuit {
        /// The answer.
        result: GivenResult,
    },
    /// Breaks before it delegates.
    Throw(Throw),
    /// Breaks after it delegated.
    DelegateThenThrow(Throw),
    /// Answers after it delegated.
    DelegateThenReturn {
        /// The answer.
        result: GivenResult,
    },
    /// Adds contexts to the inner result.
    DelegateThenAddContexts {
        /// The contexts.
        additional_contexts: Vec<String>,
    },
    /// Delegates again while the outcome is a failure.
    RetryFailures {
        /// At most so many times more.
        times: usize,
    },
    /// Answers with the final result of an earlier call.
    ReturnResultOf {
        /// The call.
        call: String,
    },
    /// Delegates with a signal of its own.
    ReplaceSignal {
        /// The signal.
        signal: Signal,
        /// The answer if that signal has fired.
        then_return_if_cancelled: Option<GivenResult>,
    },
}

/// A wrapper's own signal.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Signal {
    /// It never fires.
    Fresh,
    /// It has fired.
    AlreadyCancelled,
    /// It fires when this call's trace gets the mark.
    CancelAt(String),
}

/// A result that a wrapper makes.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "RawResult")]
pub struct GivenResult {
    /// Value or failure.
    pub outcome: Result<Value, GivenError>,
    /// What the model is shown; ignored on a success.
    pub content: Option<Vec<Block>>,
    /// Its projection; ignored on a success.
    pub meta: Option<Value>,
    /// Its contexts.
    pub additional_contexts: Vec<String>,
}

/// The failure of a result that a wrapper makes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenError {
    /// What went wrong.
    pub message: String,
    /// Name and code.
    pub info: Option<Info>,
}

/// Name and code of a failure.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Info {
    /// Never compared.
    pub name: Option<String>,
    /// The code.
    pub code: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawResult {
    is_error: bool,
    #[serde(default, deserialize_with = "present")]
    value: Option<Value>,
    error: Option<GivenError>,
    content: Option<Vec<Block>>,
    #[serde(default, deserialize_with = "present")]
    meta: Option<Value>,
    #[serde(default)]
    additional_contexts: Vec<String>,
}

impl TryFrom<RawResult> for GivenResult {
    type Error = &'static str;

    fn try_from(raw: RawResult) -> Result<Self, Self::Error> {
        let outcome = match (raw.is_error, raw.value, raw.error) {
            (false, Some(value), None) => Ok(value),
            (true, None, Some(error)) => Err(error),
            _ => return Err("a result has a value, or `is_error: true` and an error"),
        };
        let RawResult {
            content,
            meta,
            additional_contexts,
            ..
        } = raw;
        Ok(Self {
            outcome,
            content,
            meta,
            additional_contexts,
        })
    }
}

/// What a post-execute hook says.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum PostKind {
    /// Nothing.
    Delegate {},
    /// Accepts the result so far, perhaps with something in its place.
    Accept {
        /// Other content.
        content: Option<Vec<Block>>,
        /// Another value.
        #[serde(default, deserialize_with = "present")]
        value: Option<Value>,
        /// Contexts to add.
        #[serde(default)]
        additional_contexts: Vec<String>,
    },
    /// Blocks the result.
    Block {
        /// What the model is shown instead.
        feedback: Vec<Block>,
        /// Contexts to keep.
        #[serde(default)]
        additional_contexts: Vec<String>,
    },
    /// It breaks.
    Throw(Throw),
}

/// What an observer does.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ObserverKind {
    /// It looks.
    Observe {},
    /// It breaks.
    Throw {
        /// Its message.
        #[serde(default = "observer_broke")]
        message: String,
        /// Never compared.
        name: Option<String>,
        /// Never compared.
        code: Option<String>,
    },
}

fn observer_broke() -> String {
    "observer broke".to_owned()
}
