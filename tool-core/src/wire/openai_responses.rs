//! OpenAI Responses.
//!
//! Sources: OpenAI API reference, "Create a model response", `function_call` and
//! `function_call_output`; OpenAI guides "Function calling", "Reasoning models", "Images and
//! vision".

use serde_json::{Value, json};

use super::answer::Answer;
use super::arguments::replayed_text;
use super::error::{WireError, array, text, unless_error};
use super::part::{Accepts, Part, all_text};
use super::{Call, Found, Kind, Provider, Reading};

const PROVIDER: Provider = Provider::OpenAiResponses;

const ACCEPTS: Accepts = Accepts {
    images: &["image/png", "image/jpeg", "image/webp", "image/gif"],
    documents: &["application/pdf"],
};

pub(super) fn read(response: &Value) -> Result<Reading<'_>, WireError> {
    let (output, at) = match response {
        Value::Array(_) => (Some(response), ""),
        response => {
            let output = unless_error(PROVIDER, response)?.get("output");
            (output, "/output")
        }
    };
    let truncated = matches!(text(response, "status"), Some("incomplete" | "cancelled"));
    let items = array(PROVIDER, at, output)?;
    let calls = items.iter().enumerate().filter_map(|(index, item)| {
        let kind = kind(item)?;
        Some(Found {
            id: text(item, "call_id"),
            name: text(item, "name").unwrap_or_default(),
            arguments: item.get(arguments_key(kind)),
            kind,
            cut: truncated && index + 1 == items.len()
                || text(item, "status") == Some("incomplete"),
        })
    });
    Ok(Reading {
        message: output.unwrap_or(&Value::Null),
        found: calls.collect(),
        truncated,
    })
}

fn kind(item: &Value) -> Option<Kind> {
    match text(item, "type") {
        Some("function_call") => Some(Kind::Function),
        Some("custom_tool_call") => Some(Kind::Custom),
        _ => None,
    }
}

fn arguments_key(kind: Kind) -> &'static str {
    match kind {
        Kind::Function => "arguments",
        Kind::Custom => "input",
    }
}

/// All items, reasoning included, which has to go back with the calls it led to.
pub(super) fn replay(output: Value, calls: &[Call]) -> Vec<Value> {
    let Value::Array(mut output) = output else {
        return Vec::new();
    };
    let mut calls = calls.iter();
    for item in &mut output {
        if let Some(kind) = kind(item)
            && let Some(call) = calls.next()
        {
            let key = arguments_key(kind);
            item["call_id"] = json!(call.id);
            item["name"] = json!(call.sent_name);
            item[key] = match kind {
                Kind::Function => json!(replayed_text(item.get(key))),
                // Any text is valid.
                Kind::Custom => json!(item[key].as_str().unwrap_or_default()),
            };
        }
    }
    // Reasoning of an answer that was cut before it said anything is refused: it "was provided
    // without its required following item".
    while output
        .last()
        .is_some_and(|item| text(item, "type") == Some("reasoning"))
    {
        output.pop();
    }
    output
}

/// One item per call. There is no flag for failures.
pub(super) fn answers(answers: &[Answer<'_>]) -> Vec<Value> {
    let item = |answer: &Answer<'_>| {
        let kind = match answer.call.kind {
            Kind::Function => "function_call_output",
            Kind::Custom => "custom_tool_call_output",
        };
        let parts = answer.parts(&ACCEPTS);
        let output = match all_text(&parts) {
            Some(text) => json!(text),
            None => parts.iter().map(part).collect(),
        };
        json!({ "type": kind, "call_id": answer.call.id, "output": output })
    };
    answers.iter().map(item).collect()
}

fn part(part: &Part<'_>) -> Value {
    match part {
        Part::Text(text) => json!({ "type": "input_text", "text": text }),
        Part::Image { data, mime_type } => json!({
            "type": "input_image",
            "image_url": format!("data:{mime_type};base64,{data}"),
        }),
        Part::Document {
            data,
            mime_type,
            name,
        } => json!({
            "type": "input_file",
            "filename": name,
            "file_data": format!("data:{mime_type};base64,{data}"),
        }),
    }
}
