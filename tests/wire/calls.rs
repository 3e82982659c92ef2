//! From responses to calls that the runtime runs or refuses: cases C49, C50, C57, C58, C67, C68.

use serde_json::{Value, json};
use tool_core::dialect::{Dialect, Exportable, export};
use tool_core::wire::Provider;
use tool_core::{RawArguments, ToolResult};

use crate::fixture::{
    Tools, Wanted, answered, as_object, call, replayed_calls, response, sends_text,
};

async fn run(provider: Provider, calls: &[Wanted], cut: bool) -> (usize, Vec<ToolResult>) {
    let tools = Tools::new();
    let turn = provider.read(&response(provider, calls, cut)).unwrap();
    assert_eq!(turn.is_truncated(), cut);
    let results = tools.run(&turn).await;
    (tools.ran(), results)
}

fn refusals(results: &[ToolResult]) -> Vec<&str> {
    results
        .iter()
        .map(|result| result.error().unwrap().message())
        .collect()
}

#[tokio::test]
async fn c49_no_arguments_are_an_empty_object() {
    for provider in Provider::ALL {
        for nothing in [
            None,
            Some(json!("")),
            Some(json!("  ")),
            Some(json!("null")),
            Some(json!(null)),
        ] {
            let one = |name: &str| Wanted {
                id: Some("c1".to_owned()),
                name: name.to_owned(),
                arguments: nothing.clone(),
            };
            let (ran, results) = run(provider, &[one("free")], false).await;
            assert_eq!(
                (ran, results[0].is_error()),
                (1, false),
                "{provider}: {nothing:?}"
            );
            let (ran, results) = run(provider, &[one("say")], false).await;
            assert_eq!(ran, 0);
            let message = refusals(&results)[0];
            assert!(
                message.contains("/text: missing"),
                "{provider}: {nothing:?}: {message}"
            );
        }
    }
}

#[tokio::test]
async fn c50_arguments_that_are_no_object_are_refused_and_replayed_as_one() {
    for provider in Provider::ALL {
        for other in [
            json!([1, 2]),
            json!("[1,2]"),
            json!("\"x\""),
            json!(5),
            json!("true"),
            json!([]),
        ] {
            let calls = [
                call("c1", "area", other.clone()),
                call("c2", "free", json!({})),
            ];
            let (ran, results) = run(provider, &calls, false).await;
            assert_eq!(ran, 1, "{provider}: {other}");
            let message = results[0].error().unwrap().message();
            assert!(message.contains("expected an object, got "), "{message}");
            assert!(!results[1].is_error());
            let turn = provider.read(&response(provider, &calls, false)).unwrap();
            let replayed = replayed_calls(provider, &turn.replay());
            assert_eq!(
                as_object(provider, &replayed[0].body),
                Some(json!({})),
                "{provider}: {other}"
            );
        }
    }
}

#[tokio::test]
async fn c57_a_fence_is_taken_off_and_other_liberties_are_refused() {
    for provider in Provider::ALL {
        let fenced = json!("```json\n{\"w\":1,\"h\":2}\n```");
        let calls = [call("c1", "area", fenced)];
        let (ran, results) = run(provider, &calls, false).await;
        assert_eq!((ran, results[0].text()), (1, "2".to_owned()));
        let turn = provider.read(&response(provider, &calls, false)).unwrap();
        let replayed = replayed_calls(provider, &turn.replay());
        assert_eq!(
            as_object(provider, &replayed[0].body),
            Some(json!({"w": 1, "h": 2}))
        );

        for liberty in [
            "{\"w\":1,\"h\":2,}",
            "\u{feff}{\"w\":1,\"h\":2}",
            "{\"w\":1 /*c*/,\"h\":2}",
            "{'w':1,'h':2}",
        ] {
            let calls = [call("c1", "area", json!(liberty))];
            let (ran, results) = run(provider, &calls, false).await;
            assert_eq!(ran, 0);
            assert!(
                refusals(&results)[0].contains(" line 1 column "),
                "{:?}",
                refusals(&results)
            );
            let turn = provider.read(&response(provider, &calls, false)).unwrap();
            let replayed = replayed_calls(provider, &turn.replay());
            assert_eq!(
                as_object(provider, &replayed[0].body),
                Some(json!({})),
                "{liberty}"
            );
        }
    }
}

#[tokio::test]
async fn c58_cut_arguments_are_refused_whatever_the_reason_to_finish() {
    let text = "{\"text\":\"hello wor";
    for provider in Provider::ALL {
        for cut in [false, true] {
            let calls = [
                call("c1", "free", json!({})),
                call("c2", "say", json!(text)),
            ];
            let (ran, results) = run(provider, &calls, cut).await;
            assert_eq!(ran, 1, "{provider}, cut: {cut}");
            let message = results[1].error().unwrap().message();
            assert!(message.contains("the JSON is incomplete"), "{message}");
            let turn = provider.read(&response(provider, &calls, cut)).unwrap();
            // The raw text is kept for diagnosis.
            assert_eq!(turn.calls()[1].arguments(), &RawArguments::from(text));
        }
    }
}

#[tokio::test]
async fn c58_the_last_call_of_a_cut_answer_runs_only_if_it_is_visibly_complete() {
    for provider in Provider::ALL {
        // No text, or an object that a client may have closed: nobody knows what was to come.
        for unknown in [
            None,
            Some(json!("")),
            Some(json!({})),
            Some(json!({"text": "hello wor"})),
        ] {
            let last = Wanted {
                id: Some("c2".to_owned()),
                name: "say".to_owned(),
                arguments: unknown,
            };
            let (ran, results) = run(provider, &[call("c1", "free", json!({})), last], true).await;
            assert_eq!(ran, 1, "{provider}");
            let message = results[1].error().unwrap().message();
            assert!(message.contains("the JSON is incomplete"), "{message}");
        }
        let whole = json!("{\"text\":\"hello\"}");
        let (ran, results) = run(provider, &[call("c1", "say", whole)], true).await;
        assert_eq!(
            (ran, results[0].text()),
            (1, "hello".to_owned()),
            "{provider}"
        );
    }
    // A call that something follows was finished.
    let response = json!({
        "content": [
            {"type": "tool_use", "id": "c1", "name": "say", "input": {"text": "hello"}},
            {"type": "text", "text": "and th"},
        ],
        "stop_reason": "max_tokens",
    });
    let tools = Tools::new();
    let turn = Provider::Anthropic.read(&response).unwrap();
    assert_eq!(tools.run(&turn).await[0].text(), "hello");
}

#[tokio::test]
async fn c67_nothing_is_read_out_of_prose() {
    let prose = "<function=say>{\"text\":\"x\"}</function>\n\
        {\"tool\":\"say\",\"arguments\":{\"text\":\"x\"}}\n\
        {\"type\":\"tool_use\",\"id\":\"c1\",\"name\":\"say\",\"input\":{\"text\":\"x\"}}\n\
        <tool_call>{\"name\":\"say\",\"arguments\":{\"text\":\"x\"}}</tool_call>";
    let message = json!({ "type": "output_text", "text": prose });
    for (provider, response) in [
        (
            Provider::OpenAiChat,
            json!({ "role": "assistant", "content": prose }),
        ),
        (
            Provider::DeepSeek,
            json!({ "role": "assistant", "content": prose }),
        ),
        (
            Provider::OpenAiResponses,
            json!([{ "type": "message", "role": "assistant", "content": [message] }]),
        ),
        (
            Provider::Anthropic,
            json!({ "content": [{ "type": "text", "text": prose }] }),
        ),
        (Provider::Anthropic, json!({ "content": prose })),
        (
            Provider::Gemini,
            json!({ "role": "model", "parts": [{ "text": prose }] }),
        ),
        (
            Provider::Ollama,
            json!({ "role": "assistant", "content": prose }),
        ),
    ] {
        let tools = Tools::new();
        let turn = provider.read(&response).unwrap();
        assert!(!turn.has_calls());
        assert_eq!(tools.run(&turn).await.len(), 0);
        assert_eq!(tools.ran(), 0);
        assert!(json!(turn.replay()).to_string().contains("<function=say>"));
    }
}

#[tokio::test]
async fn c68_missing_and_repeated_ids_become_unique_and_lose_no_call() {
    for provider in Provider::ALL {
        let text = |text: &str| json!({ "text": text });
        let calls = [
            call("c1", "say", text("a")),
            call("c1", "say", text("b")),
            call("", "say", text("c")),
            Wanted {
                id: None,
                name: "say".to_owned(),
                arguments: Some(text("d")),
            },
        ];
        let body = response(provider, &calls, false);
        let turn = provider.read(&body).unwrap();
        let ids: Vec<String> = turn
            .calls()
            .iter()
            .map(|call| call.call_id().to_string())
            .collect();
        assert_eq!(ids[..2], ["c1", "c1_2"]);
        let stem = ids[2].strip_suffix("_1").unwrap();
        assert_eq!(ids[3], format!("{stem}_2"));
        let digest = stem.strip_prefix("call_").unwrap();
        assert!(
            digest.len() == 8 && digest.bytes().all(|b| b.is_ascii_hexdigit()),
            "{digest}"
        );

        // The same response has the same ids, another one has others.
        let again = provider.read(&body).unwrap();
        assert!(
            again
                .calls()
                .iter()
                .zip(&ids)
                .all(|(call, id)| call.call_id() == id.as_str())
        );
        let mut other = body.clone();
        other["created"] = json!(1);
        let other = provider.read(&other).unwrap();
        assert_ne!(other.calls()[2].call_id(), ids[2].as_str());

        let tools = Tools::new();
        let answers = turn.answers(&tools.run(&turn).await);
        let answers = answered(provider, &answers);
        let bodies: Vec<&Value> = answers.iter().map(|answer| &answer.body).collect();
        assert_eq!(bodies, ["a", "b", "c", "d"]);
        assert_eq!(tools.ran(), 4);
    }
}

#[tokio::test]
async fn a_call_without_a_name_or_arguments_at_all_is_answered() {
    for (provider, response) in [
        (
            Provider::OpenAiChat,
            json!({ "role": "assistant", "tool_calls": [{ "id": "c1" }] }),
        ),
        (
            Provider::OpenAiResponses,
            json!([{ "type": "function_call", "call_id": "c1" }]),
        ),
        (
            Provider::Anthropic,
            json!({ "content": [{ "type": "tool_use", "id": "c1" }] }),
        ),
        (
            Provider::Gemini,
            json!({ "parts": [{ "functionCall": { "id": "c1" } }] }),
        ),
        (
            Provider::Ollama,
            json!({ "role": "assistant", "tool_calls": [{ "id": "c1" }] }),
        ),
    ] {
        let tools = Tools::new();
        let turn = provider.read(&response).unwrap();
        let results = tools.run(&turn).await;
        assert!(refusals(&results)[0].starts_with("unknown tool \"\""));
        let replayed = replayed_calls(provider, &turn.replay());
        assert_eq!(replayed[0].id.as_deref(), Some("c1"));
        assert_eq!(replayed[0].name.as_deref(), Some("unnamed"));
        assert_eq!(as_object(provider, &replayed[0].body), Some(json!({})));
        assert_eq!(answered(provider, &turn.answers(&results)).len(), 1);
    }
}

#[test]
fn names_and_properties_are_mapped_back_for_the_runtime_and_kept_in_the_history() {
    let parameters = json!({
        "type": "object",
        "properties": { "filter[id]": { "type": "string" }, "limit": { "type": "integer" } },
        "required": ["filter[id]"],
        "additionalProperties": false,
    })
    .into();
    for dialect in Dialect::ALL {
        let Some(provider) = Provider::of(dialect) else {
            continue;
        };
        let export = export(
            [Exportable::new("files.read", "Reads.", &parameters)],
            dialect,
        );
        let sent = export.names.exported_tool("files.read").unwrap();
        let key = export.names.exported_property("files.read", "filter[id]");
        let arguments = json!({ key: "7" });
        let arguments = if sends_text(provider) {
            json!(arguments.to_string())
        } else {
            arguments
        };
        let calls = [
            call("c1", sent, arguments.clone()),
            call("c2", "other", json!("{}")),
        ];
        let turn = provider.read(&response(provider, &calls, false)).unwrap();
        let turn = turn.with_names(&export.names);

        let mapped = &turn.calls()[0];
        assert_eq!(mapped.name(), "files.read", "{dialect}");
        let read = match mapped.arguments() {
            RawArguments::Text(text) => serde_json::from_str(text).unwrap(),
            RawArguments::Json(value) => value.clone(),
        };
        assert_eq!(read, json!({ "filter[id]": "7" }), "{dialect}");
        assert_eq!(turn.calls()[1].name(), "other");

        let replayed = &replayed_calls(provider, &turn.replay())[0];
        assert_eq!(replayed.name.as_deref(), Some(sent));
        assert_eq!(replayed.body, arguments, "{dialect}");
    }
}

#[test]
fn a_null_that_a_strict_export_asked_for_is_taken_away() {
    let parameters = json!({
        "type": "object",
        "properties": { "q": { "type": "string" }, "limit": { "type": "integer" } },
        "required": ["q"],
    })
    .into();
    let export = export(
        [Exportable::new("find", "Finds.", &parameters)],
        Dialect::OpenAi { strict: true },
    );
    let given = "{\"q\": \"x\", \"limit\": null}";
    let body = response(
        Provider::OpenAiChat,
        &[call("c1", "find", json!(given))],
        false,
    );
    let turn = Provider::OpenAiChat
        .read(&body)
        .unwrap()
        .with_names(&export.names);
    assert_eq!(
        turn.calls()[0].arguments(),
        &RawArguments::Json(json!({ "q": "x" }))
    );
    assert_eq!(
        replayed_calls(Provider::OpenAiChat, &turn.replay())[0].body,
        given
    );
}
