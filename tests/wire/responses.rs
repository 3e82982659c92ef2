//! Responses without anything to answer, and what is no response at all.

use serde_json::{Value, json};
use tool_core::wire::Provider;

#[test]
fn an_answer_that_says_nothing_leaves_nothing_to_put_back() {
    let thinking = json!([{ "type": "thinking", "thinking": "Hm.", "signature": "EqQB" }]);
    let reasoning = json!([{ "id": "rs_1", "type": "reasoning", "summary": [] }]);
    for (provider, response) in [
        (
            Provider::OpenAiChat,
            json!({ "role": "assistant", "content": null, "tool_calls": [] }),
        ),
        (
            Provider::DeepSeek,
            json!({ "role": "assistant", "content": "", "reasoning_content": "Hm." }),
        ),
        (
            Provider::OpenAiResponses,
            json!({ "status": "incomplete", "output": reasoning }),
        ),
        (
            Provider::Anthropic,
            json!({ "content": thinking, "stop_reason": "max_tokens" }),
        ),
        (
            Provider::Anthropic,
            json!({ "content": [], "stop_reason": "end_turn" }),
        ),
        (
            Provider::Gemini,
            json!({ "promptFeedback": { "blockReason": "SAFETY" } }),
        ),
        (
            Provider::Gemini,
            json!({ "candidates": [{ "finishReason": "MALFORMED_FUNCTION_CALL" }] }),
        ),
        (
            Provider::Ollama,
            json!({ "message": { "role": "assistant", "content": "" } }),
        ),
    ] {
        let turn = provider.read(&response).unwrap();
        assert!(!turn.has_calls(), "{response}");
        assert_eq!(turn.replay(), [] as [Value; 0], "{response}");
        assert_eq!(turn.answers(&[]), [] as [Value; 0], "{response}");
    }
}

#[test]
fn what_is_no_response_is_refused_with_its_path() {
    let chat = "OpenAI Chat Completions: expected an";
    for (provider, response, problem) in [
        (
            Provider::OpenAiChat,
            json!({}),
            format!("{chat} array at `/choices`, got nothing"),
        ),
        (
            Provider::OpenAiChat,
            json!({ "choices": [] }),
            format!("{chat} object at `/choices/0/message`, got nothing"),
        ),
        (
            Provider::DeepSeek,
            json!({ "choices": [{ "message": { "tool_calls": [5] } }] }),
            "DeepSeek: expected an object at `/choices/0/message/tool_calls/0`, got a number"
                .into(),
        ),
        (
            Provider::OpenAiResponses,
            json!({ "status": "completed" }),
            "OpenAI Responses: expected an array at `/output`, got nothing".into(),
        ),
        (
            Provider::Anthropic,
            json!({ "content": 5 }),
            "Anthropic: expected an array at `/content`, got a number".into(),
        ),
        (
            Provider::Gemini,
            json!("hi"),
            "Gemini: expected an array at `/candidates`, got nothing".into(),
        ),
        (
            Provider::Ollama,
            json!({ "message": "hi" }),
            "Ollama: expected an object at `/message`, got a string".into(),
        ),
    ] {
        let help = "help: pass the whole response, or its message alone";
        let error = provider.read(&response).unwrap_err().to_string();
        assert_eq!(error, format!("not a response of {problem}\n{help}"));
    }
}

#[test]
fn an_error_of_the_provider_is_told_in_its_words() {
    let failed = json!({ "code": "server_error", "message": "Oops" });
    for (provider, response, message) in [
        (
            Provider::OpenAiChat,
            json!({ "error": { "message": "Rate limit reached", "type": "requests" } }),
            "OpenAI Chat Completions answered with an error: Rate limit reached",
        ),
        (
            Provider::OpenAiChat,
            json!({ "error": { "message": "No quota" }, "choices": [] }),
            "OpenAI Chat Completions answered with an error: No quota",
        ),
        (
            Provider::OpenAiResponses,
            json!({ "status": "failed", "output": [], "error": failed }),
            "OpenAI Responses answered with an error: Oops",
        ),
        (
            Provider::Gemini,
            json!({ "error": { "code": 400, "message": "API key not valid" } }),
            "Gemini answered with an error: API key not valid",
        ),
        (
            Provider::Ollama,
            json!({ "error": "model not found" }),
            "Ollama answered with an error: model not found",
        ),
    ] {
        assert_eq!(provider.read(&response).unwrap_err().to_string(), message);
    }
    let long = json!({ "error": { "message": "x".repeat(1 << 20) } });
    assert!(Provider::Ollama.read(&long).unwrap_err().to_string().len() < 1100);
}

#[test]
fn a_response_nested_too_deep_is_refused_and_overflows_no_stack() {
    let mut deep = json!({});
    for _ in 0..200 {
        deep = json!({ "content": [deep] });
    }
    for provider in Provider::ALL {
        let error = provider.read(&deep).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("the response of {provider} is nested more than 128 levels deep")
        );
    }
}
