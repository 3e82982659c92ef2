//! OpenAI Chat Completions, and DeepSeek, which differs in what it wants back.
//!
//! Sources: OpenAI API reference, "Create chat completion"; OpenAI guide "Function calling";
//! DeepSeek guide "Thinking Mode", "Tool Calls".

use serde_json::{Map, Value, json};

use super::answer::Answer;
use super::arguments::replayed_text;
use super::error::{WireError, array, items, object, text, unless_error};
use super::{Call, Found, Kind, Provider, Reading};

pub(super) fn read(provider: Provider, response: &Value) -> Result<Reading<'_>, WireError> {
    let (message, reason, at) = match response.get("choices") {
        Some(choices) => {
            let choice = choices.get(0);
            let message = choice.and_then(|choice| choice.get("message"));
            if message.is_none() {
                unless_error(provider, response)?;
            }
            let reason = choice.and_then(|choice| text(choice, "finish_reason"));
            (message, reason, "/choices/0/message")
        }
        None => (Some(unless_error(provider, response)?), None, ""),
    };
    let message = object(provider, at, message)?;
    let says = ["role", "content", "tool_calls"]
        .iter()
        .any(|key| message.get(key).is_some());
    if !says {
        array(provider, "/choices", None)?;
    }
    // Both reasons end an answer in the middle of a word.
    let truncated = matches!(reason, Some("length" | "content_filter"));
    let path = format!("{at}/tool_calls");
    let calls = items(provider, &path, message.get("tool_calls"))?;
    let mut found = Vec::with_capacity(calls.len());
    for (index, call) in calls.iter().enumerate() {
        object(provider, &format!("{path}/{index}"), Some(call))?;
        let (kind, member) = kind(call);
        let called = call.get(member);
        found.push(Found {
            id: text(call, "id"),
            name: called
                .and_then(|called| text(called, "name"))
                .unwrap_or_default(),
            arguments: called.and_then(|called| called.get(arguments_key(kind))),
            kind,
            // Calls come after the message's text.
            cut: truncated && index + 1 == calls.len(),
        });
    }
    Ok(Reading {
        message,
        found,
        truncated,
    })
}

fn kind(call: &Value) -> (Kind, &'static str) {
    kind_of(text(call, "type").unwrap_or_default())
}

/// What a `type` stands for, and the member that holds the call.
pub(super) fn kind_of(word: &str) -> (Kind, &'static str) {
    match word {
        "custom" => (Kind::Custom, "custom"),
        _ => (Kind::Function, "function"),
    }
}

pub(super) fn arguments_key(kind: Kind) -> &'static str {
    match kind {
        Kind::Function => "arguments",
        Kind::Custom => "input",
    }
}

pub(super) fn replay(message: Value, calls: &[Call]) -> Vec<Value> {
    let Value::Object(mut message) = message else {
        return Vec::new();
    };
    let sent = message.remove("tool_calls");
    // A member that a response sets to `null` may be unknown to the server that wrote it:
    // `function_call`, `audio`.
    message.retain(|_, member| !member.is_null());
    if calls.is_empty() {
        let says = |key| text_is_present(&message, key);
        if !says("content") && !says("refusal") {
            return Vec::new();
        }
    } else {
        let sent = sent.iter().filter_map(Value::as_array).flatten();
        // An empty list is refused: "[] is too short".
        let calls = sent
            .zip(calls)
            .map(|(sent, call)| replayed(sent, call))
            .collect();
        message.insert("tool_calls".to_owned(), Value::Array(calls));
    }
    message.entry("role").or_insert_with(|| json!("assistant"));
    // Some servers refuse a message without the key.
    message.entry("content").or_insert(Value::Null);
    vec![Value::Object(message)]
}

/// Reasoning goes back, even if it is empty, with a message that calls tools: the request is
/// refused without it. It stays out of any other message, where it is ignored.
pub(super) fn replay_deepseek(mut message: Value, calls: &[Call]) -> Vec<Value> {
    const REASONING: &str = "reasoning_content";
    if let Some(members) = message.as_object_mut() {
        if calls.is_empty() {
            members.remove(REASONING);
        } else if let Some(reasoning @ Value::Null) = members.get_mut(REASONING) {
            *reasoning = json!("");
        }
    }
    replay(message, calls)
}

fn text_is_present(message: &Map<String, Value>, key: &str) -> bool {
    match message.get(key) {
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(parts)) => !parts.is_empty(),
        _ => false,
    }
}

fn replayed(sent: &Value, call: &Call) -> Value {
    let mut replayed = sent.clone();
    if let Some(members) = replayed.as_object_mut() {
        // Pieces of a stream are numbered, calls are not.
        members.remove("index");
    }
    let (kind, member) = kind(sent);
    let key = arguments_key(kind);
    let arguments = sent.get(member).and_then(|called| called.get(key));
    replayed["id"] = json!(call.id);
    replayed["type"] = json!(member);
    if !replayed[member].is_object() {
        replayed[member] = json!({});
    }
    replayed[member]["name"] = json!(call.sent_name);
    replayed[member][key] = match kind {
        Kind::Function => json!(replayed_text(arguments)),
        // Any text is valid.
        Kind::Custom => json!(arguments.and_then(Value::as_str).unwrap_or_default()),
    };
    replayed
}

/// One message per call. There is no flag for failures, and content is text alone.
pub(super) fn answers(answers: &[Answer<'_>]) -> Vec<Value> {
    let message = |answer: &Answer<'_>| {
        json!({
            "role": "tool",
            "tool_call_id": answer.call.id,
            "content": answer.text(),
        })
    };
    answers.iter().map(message).collect()
}
