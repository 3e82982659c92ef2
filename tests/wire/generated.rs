//! For any calls and any results: one answer per call, in order, with unique ids, and a history
//! whose arguments every provider can read.

use std::collections::HashSet;

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_core::wire::Provider;

use crate::fixture::{Tools, Wanted, answered, as_object, replayed_calls, response, sends_text};

fn ids() -> impl Strategy<Value = Option<String>> {
    prop_oneof![
        Just(None),
        prop::sample::select(vec!["", " ", "c1", "c1_2", "c2"]).prop_map(|id| Some(id.to_owned())),
        "[a-zé:.]{0,50}".prop_map(Some),
    ]
}

fn arguments() -> impl Strategy<Value = Option<Value>> {
    let texts = vec![
        "",
        " ",
        "null",
        "{}",
        "{\"text\":\"a\"}",
        "{ \"text\" : \"a\" }",
        "{\"text\":",
        "[1,2]",
        "5",
        "\"{\\\"text\\\":\\\"a\\\"}\"",
        "```json\n{\"text\":\"a\"}\n```",
        "{\"a\":1,\"a\":2}",
        "{\"a\":1e999}",
        "{\"a\":\"\\ud800\"}",
        "{\"text\":\"a\"}{}",
    ];
    prop_oneof![
        Just(None),
        Just(Some(json!(null))),
        Just(Some(json!({"text": "a"}))),
        Just(Some(json!([{"text": "a"}]))),
        Just(Some(json!(5))),
        prop::sample::select(texts).prop_map(|text| Some(json!(text))),
        "\\PC{0,20}".prop_map(|text| Some(json!(text))),
    ]
}

fn calls() -> impl Strategy<Value = Vec<Wanted>> {
    let names = prop_oneof![
        prop::sample::select(vec!["say", "free", "fail", "area", "", "no such/tool"])
            .prop_map(str::to_owned),
        "\\PC{0,80}",
    ];
    let call = (ids(), names, arguments()).prop_map(|(id, name, arguments)| Wanted {
        id,
        name,
        arguments,
    });
    prop::collection::vec(call, 0..6)
}

proptest! {
    // Each case is a round with every provider.
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn every_call_has_one_answer_and_every_history_can_be_read(
        calls in calls(),
        cut in any::<bool>(),
        kept in prop::collection::vec(any::<bool>(), 6),
        reversed in any::<bool>(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        for provider in Provider::ALL {
            let tools = Tools::new();
            let turn = provider.read(&response(provider, &calls, cut)).unwrap();
            let read = turn.calls();
            prop_assert_eq!(read.len(), calls.len());
            let unique: HashSet<_> = read.iter().map(|call| call.call_id().clone()).collect();
            prop_assert_eq!(unique.len(), calls.len());
            for (call, wanted) in read.iter().zip(&calls) {
                prop_assert_eq!(call.name(), &wanted.name);
            }

            let mut results = runtime.block_on(tools.run(&turn));
            let mut kept = kept.iter();
            results.retain(|_| *kept.next().unwrap());
            if reversed {
                results.reverse();
            }
            let replay = turn.replay();
            let replayed = replayed_calls(provider, &replay);
            let answers = answered(provider, &turn.answers(&results));
            prop_assert_eq!(answers.len(), calls.len());
            prop_assert_eq!(replayed.len(), calls.len());
            for (index, (call, answer)) in replayed.iter().zip(&answers).enumerate() {
                // The answer belongs to the call.
                prop_assert_eq!(&call.id, &answer.id);
                let sent = call.id.as_deref();
                prop_assert!(sent.is_none_or(|sent| read[index].call_id() == sent));
                prop_assert!(answer.body.as_str().is_some_and(|text| !text.trim().is_empty()));
                let id = read[index].call_id();
                let result = results.iter().find(|result| result.call_id() == id);
                if let Some(result) = result.filter(|result| !result.text().trim().is_empty()) {
                    prop_assert_eq!(&answer.body, &json!(result.text()));
                }
                if matches!(provider, Provider::Anthropic | Provider::Gemini) {
                    let failed = result.is_none_or(tool_core::ToolResult::is_error);
                    prop_assert_eq!(answer.is_error, failed);
                }
                // The provider can read the arguments: the model's own, if these are an object.
                let object = as_object(provider, &call.body);
                prop_assert!(object.is_some(), "{}", call.body);
                if let Some(own) = &calls[index].arguments
                    && as_object(provider, own).is_some()
                {
                    prop_assert_eq!(&call.body, own);
                }
            }
            let required = sends_text(provider) || provider == Provider::Anthropic;
            let identified = replayed.iter().filter(|call| call.id.is_some()).count();
            prop_assert!(!required || identified == calls.len());

            // A history that is read again is the same history.
            if let Some(message) = replay.first()
                && provider != Provider::OpenAiResponses
            {
                let again = provider.read(message).unwrap();
                prop_assert_eq!(again.replay(), replay);
            }
        }
    }

    #[test]
    fn no_json_makes_reading_panic(value in json_values()) {
        for provider in Provider::ALL {
            if let Ok(turn) = provider.read(&value) {
                let answers = answered_count(provider, &turn.answers(&[]));
                prop_assert_eq!(answers, turn.calls().len());
                turn.replay();
            }
        }
    }
}

fn answered_count(provider: Provider, answers: &[Value]) -> usize {
    answered(provider, answers).len()
}

/// JSON with the keys that readers look for.
fn json_values() -> impl Strategy<Value = Value> {
    let keys = prop::sample::select(vec![
        "choices",
        "message",
        "tool_calls",
        "function",
        "name",
        "arguments",
        "content",
        "type",
        "id",
        "candidates",
        "parts",
        "functionCall",
        "args",
        "output",
        "call_id",
        "input",
        "role",
        "error",
        "custom",
    ]);
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop::sample::select(vec![
            "",
            "tool_use",
            "function_call",
            "custom_tool_call",
            "custom",
            "{"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 40, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(keys.clone(), inner, 0..6).prop_map(|map| map
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect()),
        ]
    })
}
