//! Anthropic Messages.
//!
//! Sources: Anthropic API reference, "Messages"; Anthropic guides "How to implement tool use",
//! "Handling stop reasons", "Extended thinking", "Vision", "PDF support".

use serde_json::{Value, json};

use super::answer::Answer;
use super::arguments::replayed_object;
use super::error::{WireError, array, text, unless_error};
use super::part::{Accepts, Part, all_text};
use super::{Call, Found, Kind, Provider, Reading};

const PROVIDER: Provider = Provider::Anthropic;

const ACCEPTS: Accepts = Accepts {
    images: &["image/jpeg", "image/png", "image/gif", "image/webp"],
    documents: &["application/pdf"],
};

pub(super) fn read(response: &Value) -> Result<Reading<'_>, WireError> {
    let content = unless_error(PROVIDER, response)?.get("content");
    let truncated = matches!(
        text(response, "stop_reason"),
        Some("max_tokens" | "model_context_window_exceeded" | "refusal")
    );
    let blocks = match content {
        // A message put together by hand may have a text in place of blocks.
        Some(Value::String(_)) => &[],
        content => array(PROVIDER, "/content", content)?,
    };
    let calls = blocks
        .iter()
        .enumerate()
        .filter(|(_, block)| is_call(block));
    let found = calls.map(|(index, block)| Found {
        id: text(block, "id"),
        name: text(block, "name").unwrap_or_default(),
        arguments: block.get("input"),
        kind: Kind::Function,
        cut: truncated && index + 1 == blocks.len(),
    });
    let message = content.unwrap_or(&Value::Null);
    Ok(Reading {
        message,
        found: found.collect(),
        truncated,
    })
}

/// Not `server_tool_use` and `mcp_tool_use`, which the provider runs and answers itself.
fn is_call(block: &Value) -> bool {
    text(block, "type") == Some("tool_use")
}

/// Role and content alone: "extra inputs are not permitted".
pub(super) fn replay(content: Value, calls: &[Call]) -> Vec<Value> {
    let content = match content {
        Value::String(text) if !text.trim().is_empty() => json!(text),
        Value::Array(blocks) => {
            let blocks = replayed(blocks, calls);
            if blocks.is_empty() {
                return Vec::new();
            }
            json!(blocks)
        }
        _ => return Vec::new(),
    };
    vec![json!({ "role": "assistant", "content": content })]
}

fn replayed(mut blocks: Vec<Value>, calls: &[Call]) -> Vec<Value> {
    let mut calls = calls.iter();
    for block in &mut blocks {
        if is_call(block)
            && let Some(call) = calls.next()
        {
            block["id"] = json!(call.id);
            block["name"] = json!(call.sent_name);
            block["input"] = replayed_object(block.get("input"));
        }
    }
    // "Text content blocks must be non-empty", but models write such.
    blocks.retain(|block| {
        let is_text = text(block, "type") == Some("text");
        !is_text || text(block, "text").is_some_and(|text| !text.trim().is_empty())
    });
    // "The final block in an assistant message cannot be `thinking`", which it is if the answer
    // was cut before it said anything.
    let thinks =
        |block: &Value| matches!(text(block, "type"), Some("thinking" | "redacted_thinking"));
    while blocks.last().is_some_and(thinks) {
        blocks.pop();
    }
    blocks
}

/// All answers in one message: the results of a turn have to follow it together.
pub(super) fn answers(answers: &[Answer<'_>]) -> Vec<Value> {
    if answers.is_empty() {
        return Vec::new();
    }
    let results: Vec<_> = answers.iter().map(result).collect();
    vec![json!({ "role": "user", "content": results })]
}

fn result(answer: &Answer<'_>) -> Value {
    // "All content must be type `text` if `is_error` is true".
    let parts = answer.parts(if answer.is_error {
        &Accepts::TEXT
    } else {
        &ACCEPTS
    });
    let content = match all_text(&parts) {
        Some(text) => json!(text),
        None => parts.iter().map(part).collect(),
    };
    let mut result =
        json!({ "type": "tool_result", "tool_use_id": answer.call.id, "content": content });
    if answer.is_error {
        result["is_error"] = json!(true);
    }
    result
}

fn part(part: &Part<'_>) -> Value {
    let source = |data: &str, mime_type: &str| {
        json!({
            "type": "base64",
            "media_type": mime_type,
            "data": data,
        })
    };
    match part {
        Part::Text(text) => json!({ "type": "text", "text": text }),
        Part::Image { data, mime_type } => {
            json!({ "type": "image", "source": source(data, mime_type) })
        }
        Part::Document {
            data, mime_type, ..
        } => {
            json!({ "type": "document", "source": source(data, mime_type) })
        }
    }
}
