//! Answers that come in pieces.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::error::{WireError, array, items, object, text, unless_error};
use super::{Provider, openai_chat};
use crate::schema::{self, Limits};

/// A streamed answer of OpenAI Chat Completions, put together from its chunks.
///
/// Hand it the JSON of every server-sent event but the last, `[DONE]`; what comes out at the end is a
/// response as [`Provider::read`] takes it. DeepSeek, llama.cpp, vLLM, Ollama and others stream the
/// same way under `/v1/chat/completions`.
///
/// ```
/// use serde_json::json;
/// use tool_core::wire::{Provider, StreamedChat};
///
/// let mut answer = StreamedChat::new(Provider::OpenAiChat);
/// let piece = |delta| json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]});
/// assert_eq!(answer.push(&piece(json!({"role": "assistant", "content": "Let me "})))?, "Let me ");
/// assert_eq!(answer.push(&piece(json!({"content": "look."})))?, "look.");
/// for arguments in ["", "{\"ci", "ty\":\"Lisbon\"}"] {
///     let call = json!({
///         "index": 0,
///         "id": "call_1",
///         "type": "function",
///         "function": {"name": "forecast", "arguments": arguments},
///     });
///     answer.push(&piece(json!({"tool_calls": [call]})))?;
/// }
/// answer.push(&json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}))?;
///
/// let turn = Provider::OpenAiChat.read(&answer.finish())?;
/// assert_eq!(turn.calls()[0].name(), "forecast");
/// # Ok::<(), tool_core::wire::WireError>(())
/// ```
///
/// # Rules
///
/// * Of several choices the first is put together.
/// * Text, reasoning, refusals and arguments are joined. Of any other member the last one counts.
/// * Pieces belong to the call with their `index`. One with another `id` begins a new call, because
///   some servers number every call 0; one without an index goes by its id, or to the last call.
/// * A name that is sent again with every piece is one name.
/// * A stream that ends without a `finish_reason` was cut: it reads like one that reached the limit,
///   so that no half call runs, see [`Turn::is_truncated`](super::Turn::is_truncated).
#[derive(Clone, Debug)]
#[must_use = "the answer is what `finish` gives"]
pub struct StreamedChat {
    provider: Provider,
    message: Map<String, Value>,
    calls: Vec<Call>,
    /// The latest call with an index.
    by_index: HashMap<u64, usize>,
    finish_reason: Option<String>,
}

#[derive(Clone, Debug, Default)]
struct Call {
    id: String,
    name: String,
    arguments: String,
    /// `function` or `custom`.
    kind: Option<String>,
    /// What a server adds, such as Gemini's signatures.
    more: Map<String, Value>,
}

impl StreamedChat {
    /// An answer that has not begun. `provider` is named in errors.
    pub fn new(provider: Provider) -> Self {
        Self {
            provider,
            message: Map::new(),
            calls: Vec::new(),
            by_index: HashMap::new(),
            finish_reason: None,
        }
    }

    /// Takes the next chunk, and gives the text to show that came with it; often none.
    ///
    /// # Errors
    ///
    /// If the chunk reports an error, or is none of Chat Completions.
    pub fn push<'c>(&mut self, chunk: &'c Value) -> Result<&'c str, WireError> {
        const ANY_SIZE: Limits = Limits {
            max_bytes: usize::MAX,
        };
        if schema::check_value(chunk, ANY_SIZE).is_err() {
            return Err(WireError::TooDeep {
                provider: self.provider,
            });
        }
        unless_error(self.provider, chunk)?;
        let choices = array(self.provider, "/choices", chunk.get("choices"))?;
        let first = choices
            .iter()
            .find(|choice| choice.get("index").and_then(Value::as_u64).unwrap_or(0) == 0);
        // The last chunk may tell what was used, and nothing else.
        let Some(choice) = first else {
            return Ok("");
        };
        if let Some(reason) = text(choice, "finish_reason") {
            self.finish_reason = Some(reason.to_owned());
        }
        let delta = match choice.get("delta") {
            None | Some(Value::Null) => return Ok(""),
            delta => object(self.provider, "/choices/0/delta", delta)?,
        };
        for (key, value) in delta.as_object().into_iter().flatten() {
            match key.as_str() {
                "tool_calls" => {}
                "content" | "refusal" | "reasoning_content" | "reasoning" => {
                    join(&mut self.message, key, value);
                }
                _ if value.is_null() => {}
                _ => {
                    self.message.insert(key.clone(), value.clone());
                }
            }
        }
        let path = "/choices/0/delta/tool_calls";
        for (place, piece) in items(self.provider, path, delta.get("tool_calls"))?
            .iter()
            .enumerate()
        {
            object(self.provider, &format!("{path}/{place}"), Some(piece))?;
            self.call_of(piece).take(piece);
        }
        Ok(text(delta, "content").unwrap_or_default())
    }

    /// The call that a piece belongs to, which may begin with it.
    fn call_of(&mut self, piece: &Value) -> &mut Call {
        let id = text(piece, "id").filter(|id| !id.is_empty());
        let index = piece.get("index").and_then(Value::as_u64);
        let known = match (index, id) {
            (Some(index), _) => self.by_index.get(&index).copied(),
            (None, Some(id)) => self.calls.iter().rposition(|call| call.id == id),
            (None, None) => self.calls.len().checked_sub(1),
        };
        let same = known.filter(|&known| {
            let call = &self.calls[known];
            id.is_none_or(|id| call.id.is_empty() || call.id == id)
        });
        let place = same.unwrap_or_else(|| {
            self.calls.push(Call::default());
            self.calls.len() - 1
        });
        if let Some(index) = index {
            self.by_index.insert(index, place);
        }
        &mut self.calls[place]
    }

    /// The whole answer, as if it had come at once.
    pub fn finish(self) -> Value {
        let Self {
            mut message,
            calls,
            finish_reason,
            ..
        } = self;
        message.entry("role").or_insert_with(|| json!("assistant"));
        message.entry("content").or_insert(Value::Null);
        if !calls.is_empty() {
            let calls = calls.into_iter().map(Call::finish).collect();
            message.insert("tool_calls".to_owned(), Value::Array(calls));
        }
        let reason = finish_reason.unwrap_or_else(|| "length".to_owned());
        json!({"choices": [{"index": 0, "message": message, "finish_reason": reason}]})
    }
}

impl Call {
    fn take(&mut self, piece: &Value) {
        for (key, value) in piece.as_object().into_iter().flatten() {
            match (key.as_str(), value) {
                ("index", _) | (_, Value::Null) => {}
                ("id", Value::String(id)) => {
                    if self.id.is_empty() {
                        self.id.clone_from(id);
                    }
                }
                ("type", Value::String(kind)) => self.kind = Some(kind.clone()),
                ("function" | "custom", called) => {
                    if key == "custom" {
                        self.kind.get_or_insert_with(|| key.clone());
                    }
                    let name = text(called, "name").unwrap_or_default();
                    if self.name != name {
                        self.name.push_str(name);
                    }
                    let arguments = called.get("arguments").or_else(|| called.get("input"));
                    match arguments {
                        Some(Value::String(text)) => self.arguments.push_str(text),
                        // Some servers send the object, whole.
                        Some(value) if !value.is_null() => {
                            self.arguments.push_str(&value.to_string());
                        }
                        _ => {}
                    }
                }
                _ => {
                    self.more.insert(key.clone(), value.clone());
                }
            }
        }
    }

    fn finish(self) -> Value {
        let mut call = self.more;
        let kind = self.kind.unwrap_or_else(|| "function".to_owned());
        let (kind, member) = openai_chat::kind_of(&kind);
        let mut called = Map::new();
        called.insert("name".to_owned(), json!(self.name));
        called.insert(
            openai_chat::arguments_key(kind).to_owned(),
            json!(self.arguments),
        );
        call.insert("id".to_owned(), json!(self.id));
        call.insert("type".to_owned(), json!(member));
        call.insert(member.to_owned(), Value::Object(called));
        Value::Object(call)
    }
}

/// Appends a piece of text. The first piece may be `null`.
fn join(message: &mut Map<String, Value>, key: &str, piece: &Value) {
    let Some(piece) = piece.as_str() else { return };
    match message.get_mut(key) {
        Some(Value::String(text)) => text.push_str(piece),
        _ => {
            message.insert(key.to_owned(), json!(piece));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put_together(deltas: &[Value], reason: Option<&str>) -> Value {
        let mut answer = StreamedChat::new(Provider::OpenAiChat);
        for delta in deltas {
            let chunk = json!({"choices": [{"index": 0, "delta": delta}]});
            answer.push(&chunk).unwrap();
        }
        if let Some(reason) = reason {
            let last = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]});
            answer.push(&last).unwrap();
        }
        answer
            .push(&json!({"choices": [], "usage": {"total_tokens": 5}}))
            .unwrap();
        answer.finish()
    }

    fn called(id: &str, name: &str, arguments: &str) -> Value {
        json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
    }

    fn response(message: &Value, reason: &str) -> Value {
        json!({"choices": [{"index": 0, "message": message, "finish_reason": reason}]})
    }

    #[test]
    fn pieces_of_overlapping_calls_are_kept_apart() {
        let deltas = [
            json!({"role": "assistant", "content": null}),
            json!({"content": "a", "reasoning_content": "b"}),
            json!({"content": "c", "reasoning_content": "d", "audio": null}),
            json!({"tool_calls": [
                {"index": 0, "id": "x", "type": "function", "function": {"name": "f", "arguments": ""}},
                {"index": 7, "id": "y", "type": "function", "function": {"name": "g", "arguments": "{"}},
            ]}),
            json!({"tool_calls": [{"index": 7, "function": {"arguments": "}"}}]}),
            json!({"tool_calls": [{"index": 0, "function": {"arguments": "{\"a\""}}]}),
            json!({"tool_calls": [{"index": 0, "function": {"arguments": ":1}"}}]}),
        ];
        assert_eq!(
            put_together(&deltas, Some("tool_calls")),
            response(
                &json!({
                    "role": "assistant",
                    "content": "ac",
                    "reasoning_content": "bd",
                    "tool_calls": [called("x", "f", "{\"a\":1}"), called("y", "g", "{}")],
                }),
                "tool_calls",
            )
        );
    }

    #[test]
    fn servers_that_number_all_calls_alike_or_not_at_all() {
        let whole = |index: Option<u64>, id: &str| {
            let mut call = called(id, "f", "{}");
            if let Some(index) = index {
                call["index"] = json!(index);
            }
            json!({"tool_calls": [call]})
        };
        let expected = response(
            &json!({
                "role": "assistant",
                "content": null,
                "tool_calls": [called("x", "f", "{}"), called("y", "f", "{}")],
            }),
            "stop",
        );
        for index in [Some(0), None] {
            let deltas = [whole(index, "x"), whole(index, "y")];
            assert_eq!(put_together(&deltas, Some("stop")), expected);
        }
        // A piece that says nothing of whose it is, is the last one's.
        let mut first = whole(None, "x");
        first["tool_calls"][0]["function"]["arguments"] = json!("{");
        let rest = json!({"tool_calls": [{"function": {"arguments": "}"}}]});
        let deltas = [first, rest, whole(None, "y")];
        assert_eq!(put_together(&deltas, Some("stop")), expected);
    }

    #[test]
    fn a_name_that_is_sent_again_is_one_name_and_what_servers_add_stays() {
        let piece = |arguments: &str| {
            json!({"tool_calls": [{
                "index": 0,
                "id": "x",
                "function": {"name": "f", "arguments": arguments},
                "extra_content": {"signature": "s"},
            }]})
        };
        let mut call = called("x", "f", "{}");
        call["extra_content"] = json!({"signature": "s"});
        assert_eq!(
            put_together(&[piece("{"), piece("}")], Some("tool_calls")),
            response(
                &json!({"role": "assistant", "content": null, "tool_calls": [call]}),
                "tool_calls",
            )
        );
    }

    #[test]
    fn a_stream_that_breaks_off_reads_as_cut() {
        let deltas = [json!({"tool_calls": [{"index": 0, "id": "x", "function": {"name": "f"}}]})];
        let answer = put_together(&deltas, None);
        let turn = Provider::OpenAiChat.read(&answer).unwrap();
        assert!(turn.is_truncated());
        // Not `{}`, which no argument at all would mean.
        assert_eq!(
            turn.calls()[0].arguments(),
            &crate::RawArguments::Text("{".to_owned())
        );
    }

    #[test]
    fn what_is_no_chunk_is_refused() {
        let mut answer = StreamedChat::new(Provider::DeepSeek);
        for (chunk, problem) in [
            (
                json!({"error": {"message": "overloaded"}}),
                "DeepSeek answered with an error: overloaded",
            ),
            (
                json!({"choices": {}}),
                "not a response of DeepSeek: expected an array at `/choices`, got an object\n\
                 help: pass the whole response, or its message alone",
            ),
            (
                json!({"choices": [{"delta": {"tool_calls": ["f"]}}]}),
                "not a response of DeepSeek: expected an object at \
                 `/choices/0/delta/tool_calls/0`, got a string\n\
                 help: pass the whole response, or its message alone",
            ),
        ] {
            assert_eq!(answer.push(&chunk).unwrap_err().to_string(), problem);
        }
    }
}
