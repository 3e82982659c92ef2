//! Gemini.
//!
//! Sources: Gemini API reference, "Generating content", `Candidate`, `FunctionCall`,
//! `FunctionResponse`; Gemini guides "Function calling", "Thought signatures".

use serde_json::{Value, json};

use super::answer::Answer;
use super::arguments::replayed_object;
use super::error::{WireError, array, items, object, text, unless_error};
use super::{Call, Found, Kind, Provider, Reading};

const PROVIDER: Provider = Provider::Gemini;

pub(super) fn read(response: &Value) -> Result<Reading<'_>, WireError> {
    let nothing = Reading {
        message: &Value::Null,
        found: Vec::new(),
        truncated: false,
    };
    let response = unless_error(PROVIDER, response)?;
    let (content, reason, at) = match response.get("candidates") {
        None if response.get("parts").is_some() => (Some(response), None, ""),
        // A prompt that was blocked has feedback and no candidates.
        None if response.get("promptFeedback").is_some() => return Ok(nothing),
        candidates => match array(PROVIDER, "/candidates", candidates)?.first() {
            None => return Ok(nothing),
            Some(candidate) => {
                let reason = text(candidate, "finishReason");
                (candidate.get("content"), reason, "/candidates/0/content")
            }
        },
    };
    let truncated = matches!(
        reason,
        Some("MAX_TOKENS" | "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII")
    );
    // A candidate may have a reason to finish and nothing else.
    let Some(content) = content else {
        return Ok(Reading {
            truncated,
            ..nothing
        });
    };
    let content = object(PROVIDER, at, Some(content))?;
    let parts = items(PROVIDER, &format!("{at}/parts"), content.get("parts"))?;
    let calls = parts.iter().enumerate().filter_map(|(index, part)| {
        let call = call_of(part)?;
        Some(Found {
            id: text(call, "id"),
            name: text(call, "name").unwrap_or_default(),
            arguments: call.get("args"),
            kind: Kind::Function,
            cut: truncated && index + 1 == parts.len(),
        })
    });
    Ok(Reading {
        message: content,
        found: calls.collect(),
        truncated,
    })
}

fn call_of(part: &Value) -> Option<&Value> {
    part.get("functionCall").filter(|call| call.is_object())
}

/// All parts, with the thought signatures on them: a call that comes back without its signature is
/// refused.
pub(super) fn replay(content: Value, calls: &[Call]) -> Vec<Value> {
    let Value::Object(mut content) = content else {
        return Vec::new();
    };
    let Some(Value::Array(mut parts)) = content.remove("parts") else {
        return Vec::new();
    };
    let mut calls = calls.iter();
    for part in &mut parts {
        if call_of(part).is_some()
            && let Some(call) = calls.next()
            && let Some(members) = part["functionCall"].as_object_mut()
        {
            members.remove("id");
            if call.identified {
                members.insert("id".to_owned(), json!(call.id));
            }
            let arguments = replayed_object(members.get("args"));
            members.insert("args".to_owned(), arguments);
            members.insert("name".to_owned(), json!(call.sent_name));
        }
    }
    // A part without content is refused; empty text may carry a signature.
    parts.retain(|part| text(part, "text") != Some("") || part.get("thoughtSignature").is_some());
    if parts.is_empty() {
        return Vec::new();
    }
    vec![json!({ "role": "model", "parts": parts })]
}

/// All answers in one message: "the number of function response parts is equal to the number of
/// function call parts of the function call turn". Calls without ids are paired by their order.
///
/// The content goes as one string. Gemini takes a `$ref` key anywhere in a response for a
/// reference to an attached file and refuses the request if there is none of that name, so that a
/// tool that returns a JSON Schema could end a conversation. Inside a string it is only text.
pub(super) fn answers(answers: &[Answer<'_>]) -> Vec<Value> {
    if answers.is_empty() {
        return Vec::new();
    }
    let parts: Vec<_> = answers.iter().map(part).collect();
    vec![json!({ "role": "user", "parts": parts })]
}

fn part(answer: &Answer<'_>) -> Value {
    let key = if answer.is_error { "error" } else { "output" };
    let mut response = json!({ "name": answer.call.sent_name, "response": { key: answer.text() } });
    if answer.call.identified {
        response["id"] = json!(answer.call.id);
    }
    json!({ "functionResponse": response })
}
