//! Before and after the calls: tools for a provider, and a provider's answer.

use std::hint::black_box;
use std::sync::Arc;

use serde_json::{Value, json};
use tool_benches::count::Counting;
use tool_benches::measure::{Row, measure, print, rounds};
use tool_benches::work::{SMALL, search};
use tool_core::dialect::Dialect;
use tool_core::wire::Provider;
use tool_core::{ToolRuntime, ToolSchema};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    export();
    answers();
}

/// What somebody would write who knows that these tools fit as they are.
fn by_hand(tools: &[Arc<ToolSchema>]) -> Vec<Value> {
    let tool = |it: &Arc<ToolSchema>| {
        json!({
            "type": "function",
            "function": {
                "name": it.name,
                "description": it.description,
                "parameters": *it.parameters,
            },
        })
    };
    tools.iter().map(tool).collect()
}

fn export() {
    let tools = (0..1_000).map(|n| search {}.definition().name(format!("search_{n}")));
    let runtime = ToolRuntime::builder().tools(tools).build();
    let runtime = runtime.expect("a runtime");
    let schemas = runtime.schemas();
    let mut rows = vec![Row::new("by hand: OpenAI, nothing checked", |n| {
        for _ in 0..n {
            black_box(by_hand(black_box(&schemas)));
        }
    })];
    for dialect in Dialect::ALL {
        let runtime = &runtime;
        rows.push(Row::new(format!("`{dialect}`"), move |n| {
            for _ in 0..n {
                black_box(black_box(runtime).export(dialect));
            }
        }));
    }
    // A row takes milliseconds, whatever its time in a round is.
    let figures = measure(&rows, rounds().min(11));
    print("exporting 1,000 tools", &figures);
}

/// Two calls, as each provider sends them.
fn response(provider: Provider) -> Value {
    let arguments: Value = serde_json::from_str(SMALL).expect("JSON");
    match provider {
        Provider::Anthropic => json!({
            "role": "assistant",
            "stop_reason": "tool_use",
            "content": [
                {"type": "text", "text": "I look it up."},
                {"type": "tool_use", "id": "toolu_1", "name": "search", "input": arguments},
                {"type": "tool_use", "id": "toolu_2", "name": "search", "input": arguments},
            ],
        }),
        Provider::OpenAiResponses => json!({
            "status": "completed",
            "output": [
                {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "search", "arguments": SMALL},
                {"type": "function_call", "id": "fc_2", "call_id": "call_2", "name": "search", "arguments": SMALL},
            ],
        }),
        Provider::Gemini => json!({
            "candidates": [{"finishReason": "STOP", "content": {"role": "model", "parts": [
                {"functionCall": {"name": "search", "args": arguments}},
                {"functionCall": {"name": "search", "args": arguments}},
            ]}}],
        }),
        Provider::Ollama => json!({
            "done": true,
            "done_reason": "stop",
            "message": {"role": "assistant", "content": "", "tool_calls": [
                {"function": {"name": "search", "arguments": arguments}},
                {"function": {"name": "search", "arguments": arguments}},
            ]},
        }),
        _ => json!({
            "choices": [{"finish_reason": "tool_calls", "message": {
                "role": "assistant",
                "content": null,
                "tool_calls": [
                    {"id": "call_1", "type": "function", "function": {"name": "search", "arguments": SMALL}},
                    {"id": "call_2", "type": "function", "function": {"name": "search", "arguments": SMALL}},
                ],
            }}],
        }),
    }
}

/// Names and arguments of an answer of OpenAI, and nothing that is in the way looked at.
fn calls_by_hand(response: &Value) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let calls = response["choices"][0]["message"]["tool_calls"].as_array();
    let call = |it: &Value| {
        let function = &it["function"];
        (
            text(&it["id"]),
            text(&function["name"]),
            text(&function["arguments"]),
        )
    };
    calls.into_iter().flatten().map(call).collect()
}

fn answers() {
    let texts: Vec<(Provider, String)> = Provider::ALL
        .into_iter()
        .map(|provider| (provider, response(provider).to_string()))
        .collect();
    let (_, openai) = &texts[0];
    let mut rows = vec![Row::new("by hand: OpenAI, text to calls", |n| {
        for _ in 0..n {
            let response: Value = serde_json::from_str(black_box(openai)).expect("JSON");
            black_box(calls_by_hand(&response));
        }
    })];
    for (provider, text) in &texts {
        let read = move || {
            let response: Value = serde_json::from_str(black_box(text)).expect("JSON");
            provider.read(&response).expect("an answer").calls()
        };
        assert_eq!(read().len(), 2, "{provider:?}");
        rows.push(Row::new(format!("{provider:?}"), move |n| {
            for _ in 0..n {
                black_box(read());
            }
        }));
    }
    print(
        "reading an answer with two calls",
        &measure(&rows, rounds()),
    );
}
