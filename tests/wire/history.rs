//! What goes back after a refused call, and which results answer which calls: case C70.

use serde_json::{Value, json};
use tool_core::ToolResult;
use tool_core::wire::Provider;

use crate::fixture::{Tools, answered, as_object, call, replayed_calls, response, sends_text};

#[tokio::test]
async fn c70_a_malformed_call_does_not_poison_the_history() {
    for provider in Provider::ALL {
        let calls = [
            call("c1", "say", json!("{\"a\":")),
            call("c2", "say", json!({"text": "hi"})),
        ];
        let tools = Tools::new();
        let turn = provider.read(&response(provider, &calls, false)).unwrap();
        let results = tools.run(&turn).await;
        let replayed = replayed_calls(provider, &turn.replay());
        let arguments: Vec<_> = replayed
            .iter()
            .map(|call| as_object(provider, &call.body))
            .collect();
        assert_eq!(
            arguments,
            [Some(json!({})), Some(json!({"text": "hi"}))],
            "{provider}"
        );

        // The error stays paired with the call.
        let answers = answered(provider, &turn.answers(&results));
        assert_eq!(answers[0].id, replayed[0].id);
        let text = answers[0].body.as_str().unwrap();
        assert!(
            text.starts_with("Error: invalid arguments: /a: the JSON is incomplete"),
            "{text}"
        );
        assert_eq!(
            (&answers[1].id, &answers[1].body),
            (&replayed[1].id, &json!("hi"))
        );
        let flags = matches!(provider, Provider::Anthropic | Provider::Gemini);
        assert_eq!((answers[0].is_error, answers[1].is_error), (flags, false));
    }
}

#[test]
fn c70_valid_arguments_are_replayed_byte_for_byte() {
    let own = "{ \"n\" : 1.50, \"a\":\t\"\\u00e4\", \"big\": 18446744073709551616 }";
    for provider in Provider::ALL
        .into_iter()
        .filter(|provider| sends_text(*provider))
    {
        let body = response(provider, &[call("c1", "say", json!(own))], false);
        let turn = provider.read(&body).unwrap();
        assert_eq!(
            replayed_calls(provider, &turn.replay())[0].body,
            own,
            "{provider}"
        );
    }
}

#[test]
fn names_that_were_never_exported_go_back_as_the_provider_accepts_them() {
    for provider in Provider::ALL {
        let body = response(
            provider,
            &[call("c1", "browser tabs/open", json!({}))],
            false,
        );
        let turn = provider.read(&body).unwrap();
        assert_eq!(turn.calls()[0].name(), "browser tabs/open");
        let name = replayed_calls(provider, &turn.replay())[0].name.clone();
        let kept = provider == Provider::Ollama;
        let expected = if kept {
            "browser tabs/open"
        } else {
            "browser_tabs_open"
        };
        assert_eq!(name.as_deref(), Some(expected));
        if let Some(answer) = &answered(provider, &turn.answers(&[]))[0].name {
            assert_eq!(answer, expected, "{provider}");
        }
    }
}

#[tokio::test]
async fn results_are_paired_by_id_in_any_order() {
    for provider in Provider::ALL {
        let text = |text: &str| json!({ "text": text });
        let calls = [
            call("c1", "say", text("one")),
            call("c2", "say", text("two")),
            call("c3", "say", text("three")),
        ];
        let tools = Tools::new();
        let turn = provider.read(&response(provider, &calls, false)).unwrap();
        let mut results = tools.run(&turn).await;
        results.reverse();
        results.retain(|result| result.call_id() != "c2");
        results.push(ToolResult::failure("of no call"));
        // A second result for the first call.
        let twice = provider.read(&response(provider, &[call("c1", "fail", json!({}))], false));
        results.extend(tools.run(&twice.unwrap()).await);

        let answers = answered(provider, &turn.answers(&results));
        let bodies: Vec<&Value> = answers.iter().map(|answer| &answer.body).collect();
        let missing = "Error: this call has no result; it may not have been executed";
        assert_eq!(bodies, ["one", missing, "three"], "{provider}");
    }
}

#[test]
fn a_message_without_content_goes_back_with_the_key() {
    for (provider, content) in [
        (Provider::OpenAiChat, json!(null)),
        (Provider::Ollama, json!("")),
    ] {
        let message = json!({ "role": "assistant", "tool_calls": [{ "id": "c1" }] });
        let replay = provider.read(&message).unwrap().replay();
        assert_eq!(replay[0].get("content"), Some(&content), "{provider}");
    }
}
