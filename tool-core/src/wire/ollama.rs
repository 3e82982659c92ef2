//! Ollama's own API.
//!
//! Sources: Ollama API reference, "Generate a chat message"; Ollama guide "Tool calling".

use serde_json::{Value, json};

use super::answer::Answer;
use super::arguments::replayed_object;
use super::error::{WireError, items, object, text, unless_error};
use super::{Call, Found, Kind, Provider, Reading};

const PROVIDER: Provider = Provider::Ollama;

pub(super) fn read(response: &Value) -> Result<Reading<'_>, WireError> {
    let response = unless_error(PROVIDER, response)?;
    let (message, at) = match response.get("message") {
        None if response.get("role").is_some() => (response, ""),
        message => (object(PROVIDER, "/message", message)?, "/message"),
    };
    let truncated = text(response, "done_reason") == Some("length");
    let path = format!("{at}/tool_calls");
    let calls = items(PROVIDER, &path, message.get("tool_calls"))?;
    let mut found = Vec::with_capacity(calls.len());
    for (index, call) in calls.iter().enumerate() {
        object(PROVIDER, &format!("{path}/{index}"), Some(call))?;
        let function = call.get("function");
        found.push(Found {
            id: text(call, "id"),
            name: function
                .and_then(|function| text(function, "name"))
                .unwrap_or_default(),
            arguments: function.and_then(|function| function.get("arguments")),
            kind: Kind::Function,
            cut: truncated && index + 1 == calls.len(),
        });
    }
    Ok(Reading {
        message,
        found,
        truncated,
    })
}

pub(super) fn replay(message: Value, calls: &[Call]) -> Vec<Value> {
    let Value::Object(mut message) = message else {
        return Vec::new();
    };
    let sent = message.remove("tool_calls");
    if calls.is_empty() {
        if message
            .get("content")
            .and_then(Value::as_str)
            .is_none_or(str::is_empty)
        {
            return Vec::new();
        }
    } else {
        let sent = sent.iter().filter_map(Value::as_array).flatten();
        let calls = sent
            .zip(calls)
            .map(|(sent, call)| replayed(sent, call))
            .collect();
        message.insert("tool_calls".to_owned(), Value::Array(calls));
    }
    message.entry("role").or_insert_with(|| json!("assistant"));
    message.entry("content").or_insert_with(|| json!(""));
    vec![Value::Object(message)]
}

fn replayed(sent: &Value, call: &Call) -> Value {
    let mut replayed = sent.clone();
    if let Some(members) = replayed.as_object_mut() {
        members.remove("id");
    }
    if call.identified {
        replayed["id"] = json!(call.id);
    }
    if !replayed["function"].is_object() {
        replayed["function"] = json!({});
    }
    let arguments = replayed_object(replayed["function"].get("arguments"));
    replayed["function"]["name"] = json!(call.sent_name);
    replayed["function"]["arguments"] = arguments;
    replayed
}

/// One message per call. There is no flag for failures, and content is text alone; calls without
/// ids are paired by their order.
pub(super) fn answers(answers: &[Answer<'_>]) -> Vec<Value> {
    let message = |answer: &Answer<'_>| {
        let name = &answer.call.sent_name;
        let mut message = json!({ "role": "tool", "tool_name": name, "content": answer.text() });
        if answer.call.identified {
            message["tool_call_id"] = json!(answer.call.id);
        }
        message
    };
    answers.iter().map(message).collect()
}
