//! From a provider's response to calls, and from their results to the messages that go back.
//!
//! A [`Turn`] is one answer of a model. It is read once and gives the three things a conversation
//! needs, in agreement with each other: the calls to run, the model's own message for the history,
//! and one answer for each call.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use serde_json::{Value, json};
//! use tool_core::wire::Provider;
//! use tool_core::{ToolDefinition, ToolRuntime};
//!
//! let parameters = json!({"type": "object", "properties": {"text": {"type": "string"}}});
//! let echo = ToolDefinition::dynamic("echo", "Repeats.", parameters, json!({"type": "string"}))
//!     .handler(|arguments: Value, _cx| async move { arguments["text"].clone() });
//! let runtime = ToolRuntime::builder().tool(echo).build()?;
//!
//! let mut history = vec![json!({"role": "user", "content": "Say hello."})];
//! // What the provider answered to the history:
//! let response = json!({
//!     "stop_reason": "tool_use",
//!     "role": "assistant",
//!     "content": [
//!         {"type": "tool_use", "id": "toolu_1", "name": "echo", "input": {"text": "hello"}},
//!     ],
//! });
//!
//! let turn = Provider::Anthropic.read(&response)?;
//! let results = runtime.execute_batch(turn.calls()).await;
//! history.extend(turn.replay());
//! history.extend(turn.answers(&results));
//!
//! assert_eq!(
//!     history[2],
//!     json!({
//!         "role": "user",
//!         "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "hello"}],
//!     }),
//! );
//! # Ok(())
//! # }
//! ```
//!
//! # Rules
//!
//! | what | rule |
//! |---|---|
//! | calls | only what the provider marks as a call; nothing is read out of prose |
//! | order | that of the response |
//! | ids | unique in the turn: a missing one is made up, a repeated one gets a suffix, see [`Turn::calls`] |
//! | arguments | the text the model wrote where the provider sends text, else the JSON value |
//! | a cut answer | its last call does not run unless its arguments are visibly complete, see [`Turn::is_truncated`] |
//! | answers | exactly one per call, in order, also for a call without a result; never blank |
//! | failures | flagged where the provider has a flag: Anthropic `is_error`, Gemini `error` in place of `output` |
//! | images, files | sent where the provider takes them; elsewhere a line names kind, MIME type and size, and base64 is never sent as text |
//! | history | valid arguments go back as they came, byte for byte where they are text; others as `{}` or as the object inside them, so that no provider refuses the history |
//! | names | a name that the provider itself would refuse in a history goes back with `_` for each bad character |
//!
//! A refused call goes back with `{}` and not with a marker around what the model wrote, because
//! models repeat the shapes they see in their history. The answer to the call says what was wrong.

mod answer;
mod anthropic;
mod arguments;
mod bound;
mod error;
mod gemini;
mod ids;
mod names;
mod ollama;
mod openai_chat;
mod openai_responses;
mod part;
mod streamed;

#[cfg(test)]
mod tests;

use std::fmt;

use serde_json::Value;

use crate::call::{RawArguments, ToolCall};
use crate::dialect::{Dialect, NameMap};
use crate::digest::sha256_hex;
use crate::id::CallId;
use crate::result::ToolResult;
use crate::schema::{self, Limits};

pub use bound::{bound_content, bound_text};
pub use error::WireError;
pub use streamed::StreamedChat;

/// A provider's format of responses and histories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Provider {
    /// OpenAI Chat Completions, and the many servers that speak it.
    OpenAiChat,
    /// OpenAI Responses.
    OpenAiResponses,
    /// Anthropic Messages.
    Anthropic,
    /// Gemini `generateContent`.
    Gemini,
    /// DeepSeek Chat Completions, where reasoning has to be sent back with calls.
    DeepSeek,
    /// Ollama's own `/api/chat`.
    Ollama,
}

impl Provider {
    /// Every provider.
    pub const ALL: [Self; 6] = [
        Self::OpenAiChat,
        Self::OpenAiResponses,
        Self::Anthropic,
        Self::Gemini,
        Self::DeepSeek,
        Self::Ollama,
    ];

    /// The provider that takes tools exported in a dialect. MCP is a protocol for tools and has
    /// no conversation.
    ///
    /// ```
    /// use tool_core::dialect::Dialect;
    /// use tool_core::wire::Provider;
    ///
    /// assert_eq!(Provider::of(Dialect::Anthropic { strict: true }), Some(Provider::Anthropic));
    /// assert_eq!(Provider::of(Dialect::Mcp), None);
    /// ```
    pub fn of(dialect: Dialect) -> Option<Self> {
        match dialect {
            // llama.cpp's server speaks the format of Chat Completions.
            Dialect::OpenAi { .. } | Dialect::LlamaCpp => Some(Self::OpenAiChat),
            Dialect::OpenAiResponses { .. } => Some(Self::OpenAiResponses),
            Dialect::Anthropic { .. } => Some(Self::Anthropic),
            Dialect::Gemini | Dialect::GeminiJsonSchema => Some(Self::Gemini),
            Dialect::DeepSeek { .. } => Some(Self::DeepSeek),
            Dialect::Ollama => Some(Self::Ollama),
            Dialect::Mcp => None,
        }
    }

    /// Reads a response: the whole body, or the message alone, as it is put together from a stream
    /// (of Chat Completions by [`StreamedChat`]).
    ///
    /// The message alone is what stands in the body at `/choices/0/message`, `/output`,
    /// `/candidates/0/content` or `/message`. It does not say whether it was cut. Of several
    /// choices or candidates the first is read.
    ///
    /// # Errors
    ///
    /// If the response reports an error, is not of this provider's format, or is nested more than
    /// 128 levels deep. What is wrong with a single call is no error here: the call gets its own
    /// answer.
    pub fn read(self, response: &Value) -> Result<Turn, WireError> {
        const ANY_SIZE: Limits = Limits {
            max_bytes: usize::MAX,
        };
        if schema::check_value(response, ANY_SIZE).is_err() {
            return Err(WireError::TooDeep { provider: self });
        }
        let reading = match self {
            Self::OpenAiChat | Self::DeepSeek => openai_chat::read(self, response),
            Self::OpenAiResponses => openai_responses::read(response),
            Self::Anthropic => anthropic::read(response),
            Self::Gemini => gemini::read(response),
            Self::Ollama => ollama::read(response),
        }?;
        let given = reading.found.iter().map(|found| found.id);
        // Part of the made-up ids, so that two turns of a conversation do not share one.
        let ids = ids::unique(given, || sha256_hex(response)[..8].to_owned());
        let calls = reading
            .found
            .iter()
            .zip(ids)
            .map(|(found, id)| Call::new(self, found, id));
        Ok(Turn {
            provider: self,
            calls: calls.collect(),
            message: reading.message.clone(),
            truncated: reading.truncated,
        })
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::OpenAiChat => "OpenAI Chat Completions",
            Self::OpenAiResponses => "OpenAI Responses",
            Self::Anthropic => "Anthropic",
            Self::Gemini => "Gemini",
            Self::DeepSeek => "DeepSeek",
            Self::Ollama => "Ollama",
        })
    }
}

/// One answer of a model: its calls, and what is needed to answer them.
///
/// Made by [`Provider::read`]. The module's documentation shows a round.
#[derive(Clone, Debug)]
#[must_use = "every call of a turn has to be answered"]
pub struct Turn {
    provider: Provider,
    calls: Vec<Call>,
    message: Value,
    truncated: bool,
}

impl Turn {
    /// Maps tools and properties back to their own names, as an export renamed them.
    ///
    /// [`answers`](Self::answers) and [`replay`](Self::replay) keep the names that the model used.
    /// A name that the map does not know stays as it is: the runtime says that there is no such
    /// tool.
    pub fn with_names(mut self, names: &NameMap) -> Self {
        for call in &mut self.calls {
            if let Some(own) = names.original_tool(&call.name) {
                own.clone_into(&mut call.name);
                arguments::restore(&mut call.arguments, |value| {
                    names.restore_arguments(&call.name, value)
                });
            }
        }
        self
    }

    /// Whether the model called anything.
    pub fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Whether the provider cut the answer short: at a token limit, or because of its content.
    ///
    /// The last thing in a cut answer may be half a call. Text that ends too early is refused by
    /// the runtime anyway. Two cases would pass as something that the model did not write: no
    /// text at all, which means `{}`, and an object that a client closed in the model's place.
    /// Both are handed to the runtime as the beginning of an object, so that they are refused as
    /// incomplete.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// The calls in the order of the response, for
    /// [`execute_batch`](crate::ToolRuntime::execute_batch).
    ///
    /// Ids are unique. The first call with an id keeps it. A later one gets `_2`, `_3` and so on,
    /// the first that no other call has: `c1`, `c1_2`. A call without an id gets
    /// `call_<digest>_<n>`, where the digest is that of the response: reading the same response
    /// again gives the same ids, and another response gives others.
    ///
    /// ```
    /// # use serde_json::json;
    /// # use tool_core::wire::Provider;
    /// let call = json!({"type": "tool_use", "id": "c1", "name": "search", "input": {}});
    /// let turn = Provider::Anthropic.read(&json!({"content": [call, call]})).unwrap();
    /// let ids: Vec<_> = turn.calls().iter().map(|call| call.call_id().to_string()).collect();
    /// assert_eq!(ids, ["c1", "c1_2"]);
    /// ```
    pub fn calls(&self) -> Vec<ToolCall> {
        let calls = self.calls.iter();
        calls
            .map(|call| ToolCall::new(&call.id, &*call.name, call.arguments.clone()))
            .collect()
    }

    /// What the model said, to be put into the history before the answers: one message, or the
    /// items of OpenAI Responses. Empty if it said nothing that the provider would take back.
    ///
    /// With OpenAI Responses, send either this or `previous_response_id`, not both. The latter
    /// refers to ids as the provider knows them: it does not go with repeated or missing ids.
    pub fn replay(&self) -> Vec<Value> {
        let message = self.message.clone();
        match self.provider {
            Provider::OpenAiChat => openai_chat::replay(message, &self.calls),
            Provider::DeepSeek => openai_chat::replay_deepseek(message, &self.calls),
            Provider::OpenAiResponses => openai_responses::replay(message, &self.calls),
            Provider::Anthropic => anthropic::replay(message, &self.calls),
            Provider::Gemini => gemini::replay(message, &self.calls),
            Provider::Ollama => ollama::replay(message, &self.calls),
        }
    }

    /// What answers the calls, to be put into the history after [`replay`](Self::replay): one
    /// message or item per call; for Anthropic and Gemini, which want them together, one message
    /// with all. Empty if there were no calls.
    ///
    /// Results are found by their call id, in any order. A call without a result is answered by
    /// an error; a result that belongs to no call of this turn is ignored; of several for one
    /// call, the first counts.
    pub fn answers<'r>(&self, results: impl IntoIterator<Item = &'r ToolResult>) -> Vec<Value> {
        let answers = answer::pair(&self.calls, results);
        match self.provider {
            Provider::OpenAiChat | Provider::DeepSeek => openai_chat::answers(&answers),
            Provider::OpenAiResponses => openai_responses::answers(&answers),
            Provider::Anthropic => anthropic::answers(&answers),
            Provider::Gemini => gemini::answers(&answers),
            Provider::Ollama => ollama::answers(&answers),
        }
    }
}

/// A response, as far as this module looks into it.
struct Reading<'r> {
    /// The message or list of items that goes back into the history.
    message: &'r Value,
    found: Vec<Found<'r>>,
    truncated: bool,
}

/// One call as it stands in a response.
struct Found<'r> {
    id: Option<&'r str>,
    name: &'r str,
    arguments: Option<&'r Value>,
    kind: Kind,
    /// Whether the answer may have ended before this call did.
    cut: bool,
}

/// One call of a turn.
#[derive(Clone, Debug)]
struct Call {
    id: CallId,
    /// Whether the provider sent an id. Those that can do without are not sent made-up ones.
    identified: bool,
    /// The tool's own name.
    name: String,
    /// The name in the history, for the provider to accept.
    sent_name: String,
    arguments: RawArguments,
    kind: Kind,
}

/// What a provider calls a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A function, with JSON arguments.
    Function,
    /// OpenAI's custom tool, with text of any kind. Read as JSON like any other: the runtime
    /// exports no such tools, but every call wants an answer.
    Custom,
}

impl Call {
    fn new(provider: Provider, found: &Found<'_>, id: CallId) -> Self {
        Self {
            id,
            identified: found.id.is_some_and(|id| !ids::is_missing(id)),
            name: found.name.to_owned(),
            sent_name: names::for_history(provider, found.name),
            arguments: arguments::read(found.arguments, found.cut),
            kind: found.kind,
        }
    }
}
