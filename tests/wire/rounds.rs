//! One whole round with each provider, in the shapes that its API really sends.

use serde_json::{Value, json};
use tool_core::wire::{Provider, Turn};

use crate::fixture::Tools;

/// Reads, runs, and gives the history that goes back.
async fn round(provider: Provider, response: Value) -> (Turn, Vec<Value>, Vec<Value>) {
    let tools = Tools::new();
    let turn = provider.read(&response).unwrap();
    let results = tools.run(&turn).await;
    let (replay, answers) = (turn.replay(), turn.answers(&results));
    (turn, replay, answers)
}

#[tokio::test]
async fn openai_chat() {
    let arguments = "{\"text\": \"a\\nb\",\n \"text2\": 1}";
    let (turn, replay, answers) = round(
        Provider::OpenAiChat,
        json!({
            "id": "chatcmpl-AbC",
            "object": "chat.completion",
            "created": 1_741_570_283,
            "model": "gpt-5.1",
            "choices": [{
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": null,
                    "tool_calls": [
                        {
                            "id": "call_1",
                            "type": "function",
                            "function": { "name": "say", "arguments": "{ \"text\" : \"hi\" }" },
                        },
                        {
                            "id": "call_2",
                            "type": "function",
                            "function": { "name": "say", "arguments": arguments },
                        },
                    ],
                    "refusal": null,
                    "annotations": [],
                },
                "logprobs": null,
                "finish_reason": "tool_calls",
            }],
            "usage": { "prompt_tokens": 82, "completion_tokens": 17, "total_tokens": 99 },
        }),
    )
    .await;
    assert!(turn.has_calls() && !turn.is_truncated());
    assert_eq!(
        replay,
        [json!({
            "role": "assistant",
            "content": null,
            "annotations": [],
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": { "name": "say", "arguments": "{ \"text\" : \"hi\" }" },
                },
                {
                    "id": "call_2",
                    "type": "function",
                    "function": { "name": "say", "arguments": arguments },
                },
            ],
        })]
    );
    assert_eq!(
        answers[0],
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "hi" })
    );
    assert_eq!(answers[1]["tool_call_id"], "call_2");
    let refused = answers[1]["content"].as_str().unwrap();
    assert!(
        refused.starts_with("Error: invalid arguments: ") && refused.contains("text2"),
        "{refused}"
    );
    assert_eq!(answers.len(), 2);
}

#[tokio::test]
async fn openai_chat_message_put_together_from_a_stream() {
    let (_, replay, answers) = round(
        Provider::OpenAiChat,
        json!({
            "content": "Let me see.",
            "tool_calls": [{
                "index": 0,
                "id": "call_1",
                "function": { "name": "free", "arguments": "" },
                "extra_content": { "google": { "thought_signature": "c2ln" } },
            }],
        }),
    )
    .await;
    assert_eq!(
        replay,
        [json!({
            "role": "assistant",
            "content": "Let me see.",
            "tool_calls": [{
                "id": "call_1",
                "type": "function",
                "function": { "name": "free", "arguments": "{}" },
                "extra_content": { "google": { "thought_signature": "c2ln" } },
            }],
        })]
    );
    let answer = json!({ "role": "tool", "tool_call_id": "call_1", "content": "(no output)" });
    assert_eq!(answers, [answer]);
}

#[tokio::test]
async fn openai_custom_tools_are_answered_as_calls() {
    let custom = json!({ "name": "sql", "input": "SELECT 1" });
    let message = json!({
        "role": "assistant",
        "content": null,
        "tool_calls": [{ "id": "call_1", "type": "custom", "custom": custom }],
    });
    let (_, replay, answers) = round(Provider::OpenAiChat, message.clone()).await;
    assert_eq!(replay, [message]);
    assert_eq!(answers[0]["tool_call_id"], "call_1");
    assert!(
        answers[0]["content"]
            .as_str()
            .unwrap()
            .starts_with("Error: unknown tool \"sql\"")
    );

    let item = json!({
        "type": "custom_tool_call",
        "id": "ctc_1",
        "call_id": "call_1",
        "name": "sql",
        "input": "SELECT 1",
    });
    let (_, replay, answers) = round(Provider::OpenAiResponses, json!([item])).await;
    assert_eq!(replay, [item]);
    assert_eq!(answers[0]["type"], "custom_tool_call_output");
    assert_eq!(answers[0]["call_id"], "call_1");
}

#[tokio::test]
async fn openai_responses() {
    let reasoning =
        json!({ "id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "gAAA" });
    let call = |id: &str, name: &str, arguments: &str| {
        json!({
            "id": format!("fc_{id}"),
            "type": "function_call",
            "status": "completed",
            "call_id": format!("call_{id}"),
            "name": name,
            "arguments": arguments,
        })
    };
    let (turn, replay, answers) = round(
        Provider::OpenAiResponses,
        json!({
            "id": "resp_67ca",
            "object": "response",
            "status": "completed",
            "error": null,
            "incomplete_details": null,
            "output": [reasoning, call("1", "say", "{\"text\":\"hi\"}"), call("2", "fail", "{}")],
        }),
    )
    .await;
    assert!(!turn.is_truncated());
    assert_eq!(
        replay,
        [
            reasoning,
            call("1", "say", "{\"text\":\"hi\"}"),
            call("2", "fail", "{}")
        ]
    );
    assert_eq!(
        answers,
        [
            json!({ "type": "function_call_output", "call_id": "call_1", "output": "hi" }),
            json!({
                "type": "function_call_output",
                "call_id": "call_2",
                "output": "Error: disk full",
            }),
        ]
    );
}

#[tokio::test]
async fn anthropic() {
    let thinking = json!({ "type": "thinking", "thinking": "Hm.", "signature": "EqQB" });
    let search = json!({
        "type": "server_tool_use",
        "id": "srvtoolu_1",
        "name": "web_search",
        "input": { "query": "x" },
    });
    let say =
        json!({ "type": "tool_use", "id": "toolu_1", "name": "say", "input": {"text": "hi"} });
    let fail = json!({ "type": "tool_use", "id": "toolu_2", "name": "fail", "input": {} });
    let (_, replay, answers) = round(
        Provider::Anthropic,
        json!({
            "id": "msg_01Aq9w938a90dw8q",
            "type": "message",
            "role": "assistant",
            "model": "claude-opus-4-5",
            "content": [thinking, search, {"type": "text", "text": ""}, say, fail],
            "stop_reason": "tool_use",
            "stop_sequence": null,
            "usage": { "input_tokens": 472, "output_tokens": 87 },
        }),
    )
    .await;
    assert_eq!(
        replay,
        [json!({ "role": "assistant", "content": [thinking, search, say, fail] })]
    );
    assert_eq!(
        answers,
        [json!({
            "role": "user",
            "content": [
                { "type": "tool_result", "tool_use_id": "toolu_1", "content": "hi" },
                {
                    "type": "tool_result",
                    "tool_use_id": "toolu_2",
                    "content": "Error: disk full",
                    "is_error": true,
                },
            ],
        })]
    );
}

#[tokio::test]
async fn gemini_without_ids() {
    let say = json!({
        "functionCall": { "name": "say", "args": {"text": "hi"} },
        "thoughtSignature": "CtwFAVSoXO4",
    });
    let (_, replay, answers) = round(
        Provider::Gemini,
        json!({
            "candidates": [{
                "content": {
                    "parts": [say, { "functionCall": { "name": "free" } }],
                    "role": "model",
                },
                "finishReason": "STOP",
                "index": 0,
            }],
            "modelVersion": "gemini-2.5-flash",
            "responseId": "3oFnaYc",
        }),
    )
    .await;
    assert_eq!(
        replay,
        [json!({
            "role": "model",
            "parts": [say, { "functionCall": { "name": "free", "args": {} } }],
        })]
    );
    assert_eq!(
        answers,
        [json!({
            "role": "user",
            "parts": [
                { "functionResponse": { "name": "say", "response": { "output": "hi" } } },
                { "functionResponse": { "name": "free", "response": { "output": "(no output)" } } },
            ],
        })]
    );
}

#[tokio::test]
async fn gemini_with_ids() {
    let (_, replay, answers) = round(
        Provider::Gemini,
        json!({ "role": "model", "parts": [
            { "functionCall": { "id": "a", "name": "fail", "args": {} } },
            { "functionCall": { "id": "a", "name": "say", "args": {"text": "hi"} } },
            { "text": "", "thoughtSignature": "CtwF" },
            { "text": "" },
        ] }),
    )
    .await;
    assert_eq!(
        replay,
        [json!({ "role": "model", "parts": [
            { "functionCall": { "id": "a", "name": "fail", "args": {} } },
            { "functionCall": { "id": "a_2", "name": "say", "args": {"text": "hi"} } },
            { "text": "", "thoughtSignature": "CtwF" },
        ] })]
    );
    assert_eq!(
        answers,
        [json!({ "role": "user", "parts": [
            { "functionResponse": {
                "id": "a",
                "name": "fail",
                "response": { "error": "Error: disk full" },
            } },
            { "functionResponse": { "id": "a_2", "name": "say", "response": { "output": "hi" } } },
        ] })]
    );
}

#[tokio::test]
async fn deepseek_gets_reasoning_back_with_calls_and_not_without() {
    let call = json!({
        "index": 0,
        "id": "call_00_A",
        "type": "function",
        "function": { "name": "say", "arguments": "{\"text\":\"hi\"}" },
    });
    let response = |reasoning: Value, calls: Value| {
        json!({ "id": "930c60df", "choices": [{
            "index": 0,
            "message": {
                "role": "assistant",
                "content": "Well.",
                "reasoning_content": reasoning,
                "tool_calls": calls,
            },
            "finish_reason": "stop",
        }] })
    };
    let (_, replay, answers) =
        round(Provider::DeepSeek, response(json!("Hm."), json!([call]))).await;
    let mut replayed = call.clone();
    replayed.as_object_mut().unwrap().remove("index");
    assert_eq!(
        replay,
        [json!({
            "role": "assistant",
            "content": "Well.",
            "reasoning_content": "Hm.",
            "tool_calls": [replayed],
        })]
    );
    let answer = json!({ "role": "tool", "tool_call_id": "call_00_A", "content": "hi" });
    assert_eq!(answers, [answer]);

    let (_, replay, _) = round(Provider::DeepSeek, response(json!(null), json!([call]))).await;
    assert_eq!(replay[0]["reasoning_content"], "");

    let (_, replay, answers) = round(Provider::DeepSeek, response(json!("Hm."), json!([]))).await;
    assert_eq!(replay, [json!({ "role": "assistant", "content": "Well." })]);
    assert_eq!(answers, [] as [Value; 0]);
}

#[tokio::test]
async fn ollama_without_and_with_ids() {
    let (_, replay, answers) = round(
        Provider::Ollama,
        json!({
            "model": "qwen3",
            "created_at": "2025-10-17T23:14:07.414671Z",
            "message": {
                "role": "assistant",
                "content": "",
                "thinking": "Hm.",
                "tool_calls": [
                    { "function": { "index": 0, "name": "say", "arguments": {"text": "hi"} } },
                    { "id": "call_b", "function": { "name": "fail", "arguments": {} } },
                ],
            },
            "done": true,
            "done_reason": "stop",
        }),
    )
    .await;
    assert_eq!(
        replay,
        [json!({
            "role": "assistant",
            "content": "",
            "thinking": "Hm.",
            "tool_calls": [
                { "function": { "index": 0, "name": "say", "arguments": {"text": "hi"} } },
                { "id": "call_b", "function": { "name": "fail", "arguments": {} } },
            ],
        })]
    );
    assert_eq!(
        answers,
        [
            json!({ "role": "tool", "tool_name": "say", "content": "hi" }),
            json!({
                "role": "tool",
                "tool_name": "fail",
                "tool_call_id": "call_b",
                "content": "Error: disk full",
            }),
        ]
    );
}
