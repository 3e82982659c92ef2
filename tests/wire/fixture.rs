//! Tools to call, responses to read, and what of a history goes together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tool_core::wire::{Provider, Turn};
use tool_core::{ContentBlock, ToolDefinition, ToolResult, ToolRuntime};

/// A runtime, and how many bodies of it have run.
pub(crate) struct Tools {
    pub(crate) runtime: ToolRuntime,
    ran: Arc<AtomicUsize>,
}

impl Tools {
    /// `say {text}` shows its text; `free {}` needs nothing and says nothing; `area {w, h}` takes
    /// integers; `fail {}` fails.
    pub(crate) fn new() -> Self {
        let ran = Arc::new(AtomicUsize::new(0));
        let tool = |name: &'static str, properties: Value, required: Value, output: &str| {
            let parameters = json!({
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": false,
            });
            ToolDefinition::dynamic(name, "A tool.", parameters, json!({ "type": output }))
        };
        let counted = |ran: &Arc<AtomicUsize>| {
            let ran = ran.clone();
            move || ran.fetch_add(1, Ordering::Relaxed)
        };
        let count = counted(&ran);
        let say = tool(
            "say",
            json!({"text": {"type": "string"}}),
            json!(["text"]),
            "string",
        )
        .handler(move |arguments: Value, _cx| {
            count();
            async move { arguments["text"].clone() }
        });
        let count = counted(&ran);
        let free = tool("free", json!({}), json!([]), "string").handler(move |_: Value, _cx| {
            count();
            async { json!("") }
        });
        let count = counted(&ran);
        let sides = json!({"w": {"type": "integer"}, "h": {"type": "integer"}});
        let area =
            tool("area", sides, json!(["w", "h"]), "integer").handler(move |sides: Value, _cx| {
                count();
                async move { json!(sides["w"].as_i64().unwrap() * sides["h"].as_i64().unwrap()) }
            });
        let count = counted(&ran);
        let fail = tool("fail", json!({}), json!([]), "string").handler(move |_: Value, _cx| {
            count();
            async { Err::<Value, _>("disk full") }
        });
        let runtime = ToolRuntime::builder()
            .tools([say, free, area, fail])
            .build()
            .unwrap();
        Self { runtime, ran }
    }

    pub(crate) fn ran(&self) -> usize {
        self.ran.load(Ordering::Relaxed)
    }

    pub(crate) async fn run(&self, turn: &Turn) -> Vec<ToolResult> {
        self.runtime.execute_batch(turn.calls()).await
    }
}

/// A runtime with one tool `show {}` that shows `blocks`.
pub(crate) fn showing(blocks: Vec<ContentBlock>) -> ToolRuntime {
    let parameters = json!({"type": "object", "properties": {}});
    let show = ToolDefinition::dynamic("show", "Shows.", parameters, json!({}))
        .handler(|_: Value, _cx| async { json!(null) })
        .render(move |_, _| blocks.clone());
    ToolRuntime::builder().tool(show).build().unwrap()
}

/// One call, as a test writes it down.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    /// `None`: the key is absent.
    pub(crate) arguments: Option<Value>,
}

pub(crate) fn call(id: &str, name: &str, arguments: Value) -> Wanted {
    Wanted {
        id: Some(id.to_owned()),
        name: name.to_owned(),
        arguments: Some(arguments),
    }
}

/// A response with these calls, as the provider would send it. Arguments are put in as they are:
/// text and objects alike.
pub(crate) fn response(provider: Provider, calls: &[Wanted], cut: bool) -> Value {
    let with = |mut object: Value, key: &str, value: Option<Value>| {
        if let Some(value) = value {
            object[key] = value;
        }
        object
    };
    let id = |call: &Wanted| call.id.as_ref().map(|id| json!(id));
    let each = |make: &dyn Fn(&Wanted) -> Value| calls.iter().map(make).collect::<Vec<_>>();
    match provider {
        Provider::OpenAiChat | Provider::DeepSeek => {
            let calls = each(&|call| {
                let function = json!({ "name": call.name });
                let function = with(function, "arguments", call.arguments.clone());
                with(
                    json!({ "type": "function", "function": function }),
                    "id",
                    id(call),
                )
            });
            json!({
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "choices": [{
                    "index": 0,
                    "message": { "role": "assistant", "content": null, "tool_calls": calls },
                    "finish_reason": if cut { "length" } else { "tool_calls" },
                }],
            })
        }
        Provider::OpenAiResponses => {
            let items = each(&|call| {
                let item = json!({ "type": "function_call", "id": "fc_1", "name": call.name });
                let item = with(item, "arguments", call.arguments.clone());
                with(item, "call_id", id(call))
            });
            let status = if cut { "incomplete" } else { "completed" };
            json!({ "id": "resp_1", "status": status, "error": null, "output": items })
        }
        Provider::Anthropic => {
            let blocks = each(&|call| {
                let block = json!({ "type": "tool_use", "name": call.name });
                with(with(block, "input", call.arguments.clone()), "id", id(call))
            });
            json!({
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "content": blocks,
                "stop_reason": if cut { "max_tokens" } else { "tool_use" },
            })
        }
        Provider::Gemini => {
            let parts = each(&|call| {
                let function = with(json!({ "name": call.name }), "args", call.arguments.clone());
                json!({ "functionCall": with(function, "id", id(call)) })
            });
            json!({
                "candidates": [{
                    "content": { "role": "model", "parts": parts },
                    "finishReason": if cut { "MAX_TOKENS" } else { "STOP" },
                }],
                "responseId": "r1",
            })
        }
        Provider::Ollama => {
            let calls = each(&|call| {
                let function = json!({ "name": call.name });
                let function = with(function, "arguments", call.arguments.clone());
                with(json!({ "function": function }), "id", id(call))
            });
            json!({
                "model": "qwen3",
                "message": { "role": "assistant", "content": "", "tool_calls": calls },
                "done": true,
                "done_reason": if cut { "length" } else { "stop" },
            })
        }
        other => panic!("no response of {other}"),
    }
}

/// A call or an answer in a history: its id, its tool's name where there is one, and the rest.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) id: Option<String>,
    pub(crate) name: Option<String>,
    /// Arguments of a call; content of an answer.
    pub(crate) body: Value,
    pub(crate) is_error: bool,
}

fn entry(id: &Value, name: &Value, body: &Value, is_error: bool) -> Entry {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    Entry {
        id: text(id),
        name: text(name),
        body: body.clone(),
        is_error,
    }
}

/// The calls in a replayed message.
pub(crate) fn replayed_calls(provider: Provider, replay: &[Value]) -> Vec<Entry> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let first = || replay.first().cloned().unwrap_or_default();
    match provider {
        Provider::OpenAiChat | Provider::DeepSeek | Provider::Ollama => {
            let calls = list(&first()["tool_calls"]);
            let of = |call: &Value| {
                let function = &call["function"];
                entry(
                    &call["id"],
                    &function["name"],
                    &function["arguments"],
                    false,
                )
            };
            calls.iter().map(of).collect()
        }
        Provider::OpenAiResponses => {
            let calls = replay.iter().filter(|item| item["type"] == "function_call");
            let of =
                |item: &Value| entry(&item["call_id"], &item["name"], &item["arguments"], false);
            calls.map(of).collect()
        }
        Provider::Anthropic => {
            let blocks = list(&first()["content"]);
            let calls = blocks.iter().filter(|block| block["type"] == "tool_use");
            calls
                .map(|c| entry(&c["id"], &c["name"], &c["input"], false))
                .collect()
        }
        Provider::Gemini => {
            let parts = list(&first()["parts"]);
            let calls = parts.iter().filter_map(|part| part.get("functionCall"));
            calls
                .map(|c| entry(&c["id"], &c["name"], &c["args"], false))
                .collect()
        }
        other => panic!("no history of {other}"),
    }
}

/// The answers in the messages that go back.
pub(crate) fn answered(provider: Provider, answers: &[Value]) -> Vec<Entry> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let first = || answers.first().cloned().unwrap_or_default();
    match provider {
        Provider::OpenAiChat | Provider::DeepSeek | Provider::Ollama => {
            let of = |m: &Value| entry(&m["tool_call_id"], &m["tool_name"], &m["content"], false);
            answers.iter().map(of).collect()
        }
        Provider::OpenAiResponses => answers
            .iter()
            .map(|i| entry(&i["call_id"], &i["name"], &i["output"], false))
            .collect(),
        Provider::Anthropic => {
            assert!(answers.len() <= 1, "all results in one message");
            let of = |r: &Value| {
                entry(
                    &r["tool_use_id"],
                    &r["name"],
                    &r["content"],
                    r["is_error"] == true,
                )
            };
            list(&first()["content"]).iter().map(of).collect()
        }
        Provider::Gemini => {
            assert!(answers.len() <= 1, "all responses in one message");
            let of = |part: &Value| {
                let response = &part["functionResponse"];
                let error = response["response"].get("error");
                let body = error.unwrap_or(&response["response"]["output"]);
                entry(&response["id"], &response["name"], body, error.is_some())
            };
            list(&first()["parts"]).iter().map(of).collect()
        }
        other => panic!("no history of {other}"),
    }
}

/// Arguments in a history as the object that the provider makes of them.
pub(crate) fn as_object(provider: Provider, arguments: &Value) -> Option<Value> {
    let object = match provider {
        Provider::OpenAiChat | Provider::DeepSeek | Provider::OpenAiResponses => {
            serde_json::from_str(arguments.as_str()?).ok()?
        }
        _ => arguments.clone(),
    };
    object.is_object().then_some(object)
}

/// Whether arguments go over the wire as text.
pub(crate) fn sends_text(provider: Provider) -> bool {
    matches!(
        provider,
        Provider::OpenAiChat | Provider::DeepSeek | Provider::OpenAiResponses
    )
}

/// Every string in a JSON value.
pub(crate) fn strings<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
        Value::Object(members) => members.values().for_each(|member| strings(member, found)),
        _ => {}
    }
}
