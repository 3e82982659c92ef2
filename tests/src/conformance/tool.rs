//! The vocabulary of tools: definitions, bodies and their steps.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::scenario::Registration;

/// A tool.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolEntry {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// A JSON Schema.
    pub parameters: Value,
    /// Where it is registered; absent: in the runtime.
    pub scope: Option<String>,
    /// The registration's label.
    pub label: Option<String>,
    /// Without effect: arguments are always checked.
    pub checked_arguments: Option<bool>,
    /// What it returns; absent: refused.
    pub output: Option<OutputEntry>,
    /// What it does when it is called.
    pub body: Body,
    /// The last word on content.
    pub finalize: Option<Finalizer>,
    /// Its time limit in milliseconds.
    pub timeout_ms: Option<f64>,
    /// Whether calls may overlap.
    pub concurrency_safe: Option<Safety>,
}

impl ToolEntry {
    /// The label, or what stands for it.
    pub fn label(&self) -> String {
        match (&self.label, &self.scope) {
            (Some(label), _) => label.clone(),
            (None, Some(scope)) => format!("{scope}/{}", self.name),
            (None, None) => self.name.clone(),
        }
    }
}

/// What a tool returns and how it is shown.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputEntry {
    /// A JSON Schema.
    pub schema: Value,
    /// Value to content; absent: refused, as if there were no output.
    pub render: Option<Renderer>,
    /// Value to metadata.
    pub presentation_meta: Option<MetaProjector>,
}

/// Whether calls of a tool may overlap others.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Safety {
    /// Always or never.
    Always(bool),
    /// If an argument equals.
    WhenArg(SafeWhenArg),
    /// The classifier breaks.
    Throw(SafeThrow),
}

/// Safe if and only if the argument equals.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SafeWhenArg {
    /// The argument, and what it must be.
    pub when_arg: ArgEquals,
}

/// A classifier that breaks.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SafeThrow {
    /// Its message.
    pub throw: String,
}

/// A condition on one argument.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArgEquals {
    /// A JSON pointer into the arguments.
    pub pointer: String,
    /// What must be there.
    pub equals: Value,
}

/// Value to content.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Renderer {
    /// One text block: the string itself, other values as compact JSON.
    TextOfValue {},
    /// One text block made of a template.
    Template {
        /// The template.
        template: String,
    },
    /// These blocks.
    Blocks {
        /// The blocks.
        blocks: Vec<Block>,
    },
    /// It breaks.
    Throw {
        /// Its message.
        message: String,
    },
}

/// Value to metadata.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum MetaProjector {
    /// Always this.
    Const {
        /// The metadata.
        value: Value,
    },
    /// The value itself.
    Value {},
    /// A string made of a template.
    Template {
        /// The template.
        template: String,
    },
    /// It breaks.
    Throw {
        /// Its message.
        message: String,
    },
}

/// The last word on content.
#[derive(Clone, Debug)]
pub struct Finalizer {
    /// The outcome it acts on; absent: any.
    pub is_error: Option<bool>,
    /// What it does.
    pub kind: FinalizerKind,
}

/// What a finalizer does.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum FinalizerKind {
    /// Nothing.
    Keep {},
    /// Other content.
    Replace {
        /// The content.
        blocks: Vec<Block>,
    },
    /// One more text block.
    Append {
        /// Its text.
        text: String,
    },
    /// It breaks.
    Throw(Throw),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FinalizerWhen {
    is_error: Option<bool>,
}

impl<'de> Deserialize<'de> for Finalizer {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        let mut map = Map::deserialize(deserializer)?;
        let when = map
            .remove("when")
            .map(serde_json::from_value::<FinalizerWhen>);
        let when = when.transpose().map_err(D::Error::custom)?;
        let kind = serde_json::from_value(Value::Object(map)).map_err(D::Error::custom)?;
        Ok(Self {
            is_error: when.and_then(|when| when.is_error),
            kind,
        })
    }
}

/// A failure. With a code it is a coded one; the name is never compared.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Throw {
    /// What went wrong.
    pub message: String,
    /// The error's name.
    pub name: Option<String>,
    /// Its code.
    pub code: Option<String>,
}

/// A block of content.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Block {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// An opaque image.
    Image {
        /// What tells it from others.
        r#ref: String,
    },
}

/// What a tool does: steps, perhaps some failures, and one end.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "RawBody")]
pub struct Body {
    /// Done in order.
    pub steps: Vec<Step>,
    /// Failures of the first invocations.
    pub fail_first: Option<FailFirst>,
    /// How it ends.
    pub end: End,
}

/// The first invocations of a definition fail.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailFirst {
    /// How many.
    pub times: usize,
    /// With what.
    pub throw: Throw,
}

/// How a body ends.
#[derive(Clone, Debug)]
pub enum End {
    /// With a value.
    Return(Value),
    /// With the argument at a JSON pointer; `null` if it is absent.
    ReturnArg(String),
    /// With the value of an earlier nested call; `null` if it failed.
    ReturnNested(String),
    /// With a failure.
    Throw(Throw),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawBody {
    #[serde(default)]
    steps: Vec<Step>,
    fail_first: Option<FailFirst>,
    #[serde(default, deserialize_with = "present")]
    r#return: Option<Value>,
    return_arg: Option<String>,
    return_nested: Option<String>,
    throw: Option<Throw>,
}

impl TryFrom<RawBody> for Body {
    type Error = &'static str;

    fn try_from(raw: RawBody) -> Result<Self, Self::Error> {
        let ends = [
            raw.r#return.map(End::Return),
            raw.return_arg.map(End::ReturnArg),
            raw.return_nested.map(End::ReturnNested),
            raw.throw.map(End::Throw),
        ];
        let mut ends = ends.into_iter().flatten();
        match (ends.next(), ends.next()) {
            (Some(end), None) => Ok(Self {
                steps: raw.steps,
                fail_first: raw.fail_first,
                end,
            }),
            _ => Err("a body needs exactly one end"),
        }
    }
}

/// Takes a value that is present, `null` included: absent stays `None`.
pub(super) fn present<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// What a body or a hook does on its way.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Step {
    /// Hands a context over.
    DeferContext {
        /// Its text.
        text: String,
    },
    /// Says that the turn is over.
    ConcludeTurn {},
    /// Sets a latch.
    SetLatch {
        /// The latch.
        latch: String,
    },
    /// Waits until a latch is set.
    WaitLatch {
        /// The latch.
        latch: String,
    },
    /// Takes a few milliseconds.
    Pause {},
    /// Waits until the signal fires.
    WaitForCancel {},
    /// Ends a registration.
    Dispose {
        /// Its label.
        label: String,
    },
    /// Registers something.
    Register(Box<Registration>),
    /// Calls another tool.
    CallTool(NestedCall),
}

impl Step {
    /// Whether a hook may do it, too.
    pub fn is_for_hooks(&self) -> bool {
        matches!(
            self,
            Self::SetLatch { .. }
                | Self::WaitLatch { .. }
                | Self::Pause {}
                | Self::Dispose { .. }
                | Self::Register(_)
        )
    }
}

/// A call that a body makes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NestedCall {
    /// The call's id.
    pub call_id: String,
    /// The tool.
    pub name: String,
    /// Its arguments; absent: none.
    #[serde(default = "no_arguments")]
    pub arguments: Value,
    /// Whether its contexts become the body's.
    #[serde(default)]
    pub forward_contexts: bool,
    /// Whether its conclusion becomes the body's.
    #[serde(default)]
    pub forward_conclusion: bool,
    /// What its failure means.
    #[serde(default)]
    pub on_error: OnError,
}

fn no_arguments() -> Value {
    Value::Object(Map::new())
}

/// What the failure of a nested call means for the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnError {
    /// The body fails with the nested message.
    #[default]
    Throw,
    /// Nothing.
    Ignore,
}
