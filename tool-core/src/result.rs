//! Results: one per call id, always.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

use crate::content::{AdditionalContext, Content, ContentBlock, joined_text};
use crate::error::{ToolError, code};
use crate::id::{CallId, ExecutionToken};
use crate::tool::Tool;
use crate::trail::Trail;
use crate::value::Stored;

/// What came of one call: a value, or an error; and what the model is shown.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use tool_core::{ToolCall, ToolRuntime};
///
/// let runtime = ToolRuntime::builder().build().unwrap();
/// let result = runtime.execute(ToolCall::new("call_1", "missing", "{}")).await;
/// assert!(result.is_error());
/// assert_eq!(result.error().unwrap().code(), "UNKNOWN_TOOL");
/// assert_eq!(result.call_id(), "call_1");
/// # }
/// ```
#[doc(alias = "ToolExecutionResult")]
#[derive(Clone)]
#[must_use = "a result belongs in the message that answers its call"]
pub struct ToolResult {
    /// Boxed: a result is handed on by every station and every wrapper, and each move of it whole
    /// would be a copy.
    pub(crate) parts: Box<Parts>,
}

#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) call_id: CallId,
    pub(crate) outcome: Outcome,
    pub(crate) content: Content,
    pub(crate) meta: Option<Box<Value>>,
    pub(crate) contexts: Vec<AdditionalContext>,
    pub(crate) concludes_turn: bool,
    pub(crate) trail: Option<Arc<Trail>>,
    /// The execution whose pipeline validated and rendered this very result.
    pub(crate) canonical: Option<ExecutionToken>,
    /// Whether this is how a wrapper broke, see [`ToolResult::broken`].
    pub(crate) broken: bool,
    /// Whether the content is something else than the tool made of the value.
    pub(crate) content_replaced: bool,
}

#[derive(Clone)]
pub(crate) enum Outcome {
    Success(Stored),
    Failure(ToolError),
}

impl ToolResult {
    /// A success that a wrapper answers with. The pipeline validates the value and renders it by
    /// the tool's own renderer, so content and meta are the tool's.
    ///
    /// # Errors
    ///
    /// If `value` cannot be written as JSON.
    pub fn success(value: impl Serialize) -> Result<Self, ToolError> {
        let value = serde_json::to_value(value).map_err(|error| {
            ToolError::coded(
                code::INVALID_TOOL_OUTPUT,
                format!("the value is not JSON: {error}"),
            )
        })?;
        Ok(Self::of(
            Outcome::Success(Stored::json(value)),
            Content::Many(Vec::new()),
        ))
    }

    /// A failure that a wrapper answers with, its content `Error: <message>`.
    pub fn failure(error: impl Into<ToolError>) -> Self {
        let error = error.into().or_code(code::TOOL_FAILED);
        let content = Content::text(format!("Error: {error}"));
        Self::of(Outcome::Failure(error), content)
    }

    /// The same failure with other content. On a success it changes nothing: the tool renders.
    pub fn with_content(mut self, content: Vec<ContentBlock>) -> Self {
        self.parts.canonical = None;
        self.parts.broken = false;
        self.parts.content = content.into();
        self
    }

    /// The same failure with a projection for a user interface. On a success it changes nothing.
    pub fn with_meta(mut self, meta: Value) -> Self {
        self.parts.canonical = None;
        self.parts.broken = false;
        self.parts.meta = Some(Box::new(meta));
        self
    }

    /// The same result with one more context for the next user message.
    pub fn with_context(mut self, context: impl Into<AdditionalContext>) -> Self {
        self.parts.canonical = None;
        self.parts.broken = false;
        self.parts.contexts.push(context.into());
        self
    }

    pub(crate) fn of(outcome: Outcome, content: Content) -> Self {
        let parts = Parts {
            call_id: CallId::none(),
            outcome,
            content,
            meta: None,
            contexts: Vec::new(),
            concludes_turn: false,
            trail: None,
            canonical: None,
            broken: false,
            content_replaced: false,
        };
        Self {
            parts: Box::new(parts),
        }
    }

    /// The id of the call this answers.
    pub fn call_id(&self) -> &CallId {
        &self.parts.call_id
    }

    /// Whether the call failed, was denied, blocked or aborted.
    pub fn is_error(&self) -> bool {
        matches!(self.parts.outcome, Outcome::Failure(_))
    }

    /// Why it failed.
    pub fn error(&self) -> Option<&ToolError> {
        match &self.parts.outcome {
            Outcome::Failure(error) => Some(error),
            Outcome::Success(_) => None,
        }
    }

    /// The canonical value of a success, for programs. Its JSON is made when first asked for.
    pub fn value(&self) -> Option<&Value> {
        self.stored().map(Stored::to_json)
    }

    /// The value as the tool's own output type, unless a hook replaced it by JSON.
    pub fn value_as<T: Tool>(&self) -> Option<&T::Output> {
        self.stored()?.downcast()
    }

    /// What the model is shown.
    pub fn content(&self) -> &[ContentBlock] {
        self.parts.content.blocks()
    }

    /// The content as one text: blocks joined by newlines, an image as `[image content]`.
    pub fn text(&self) -> String {
        joined_text(self.content())
    }

    /// Whether the model is shown something else than the tool made of its value: a post hook or
    /// the finalizer replaced the content, or it was cut to its limit.
    ///
    /// Then the value may hold what the content hides. Whoever hands both to a model, as MCP
    /// does, must not hand over this one.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// use tool_core::{PostDecision, ToolCall, ToolRuntime, post_execute, tool};
    ///
    /// /// Reads the secret.
    /// #[tool]
    /// fn secret() -> String { "swordfish".into() }
    ///
    /// #[post_execute(tool = secret)]
    /// async fn hide() -> PostDecision<String> { PostDecision::content("[hidden]") }
    ///
    /// let runtime = ToolRuntime::builder().tool(secret {}).post_execute(hide {}).build().unwrap();
    /// let result = runtime.execute(ToolCall::new("call_1", "secret", "{}")).await;
    /// assert!(result.content_replaced());
    /// assert_eq!(result.text(), "[hidden]");
    /// assert_eq!(result.value().unwrap(), "swordfish");
    /// # }
    /// ```
    pub fn content_replaced(&self) -> bool {
        self.parts.content_replaced
    }

    /// The tool's projection for a user interface. A projected `null` is present.
    pub fn meta(&self) -> Option<&Value> {
        self.parts.meta.as_deref()
    }

    /// What goes into the next user message beside this result.
    pub fn additional_contexts(&self) -> &[AdditionalContext] {
        &self.parts.contexts
    }

    /// Whether the tool said that the turn is over.
    pub fn concludes_turn(&self) -> bool {
        self.parts.concludes_turn
    }

    /// Which station said what, where it was asked for.
    pub fn trail(&self) -> Option<&Trail> {
        self.parts.trail.as_deref()
    }

    /// The value of a success, or why there is none.
    pub(crate) fn into_stored(self) -> Result<Stored, ToolError> {
        match self.parts.outcome {
            Outcome::Success(stored) => Ok(stored),
            Outcome::Failure(error) => Err(error),
        }
    }

    pub(crate) fn stored(&self) -> Option<&Stored> {
        match &self.parts.outcome {
            Outcome::Success(stored) => Some(stored),
            Outcome::Failure(_) => None,
        }
    }
}

impl fmt::Debug for ToolResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ToolResult");
        shown.field("call_id", &self.parts.call_id);
        match &self.parts.outcome {
            Outcome::Success(stored) => shown.field("value", stored),
            Outcome::Failure(error) => shown.field("error", error),
        };
        shown.field("content", &self.content());
        shown.finish_non_exhaustive()
    }
}

/// The result as data: `call_id`, `is_error`, `value` or `error`, `content`, and the rest where present.
impl Serialize for ToolResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("call_id", &self.parts.call_id)?;
        map.serialize_entry("is_error", &self.is_error())?;
        match &self.parts.outcome {
            Outcome::Success(stored) => map.serialize_entry("value", stored.to_json())?,
            Outcome::Failure(error) => map.serialize_entry("error", error)?,
        }
        map.serialize_entry("content", self.content())?;
        if let Some(meta) = &self.parts.meta {
            map.serialize_entry("meta", meta)?;
        }
        if !self.parts.contexts.is_empty() {
            map.serialize_entry("additional_contexts", &self.parts.contexts)?;
        }
        if self.parts.concludes_turn {
            map.serialize_entry("concludes_turn", &true)?;
        }
        if let Some(trail) = &self.parts.trail {
            map.serialize_entry("trail", &**trail)?;
        }
        map.end()
    }
}

impl ToolResult {
    /// Marks what an inner wrapper's breaking looks like to an outer one: passed on, it still
    /// counts as broken; answered with something else, it does not.
    pub(crate) fn broken(mut self) -> Self {
        self.parts.broken = true;
        self
    }

    pub(crate) fn unbroken(self) -> Result<Self, ToolError> {
        match self.parts.outcome {
            Outcome::Failure(error) if self.parts.broken => Err(error),
            _ => Ok(self),
        }
    }
}
