//! Samples fit; messages show both sides.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Harness, SampleError, ScriptedCall, ScriptedModel, assert_trail, sample, trail_lines};
use crate::call::ToolCall;
use crate::definition::ToolDefinition;
use crate::execution::ToolExecution;
use crate::hook::Decision;
use crate::result::ToolResult;
use crate::runtime::ToolRuntime;
use crate::schema::tests::types::every_schema;

/// What `f` panics with.
fn panic_of(f: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(f)).expect_err("it panics");
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => (*payload.downcast::<&str>().expect("a text")).to_owned(),
    }
}

fn echo() -> ToolDefinition {
    let parameters = json!({
        "type": "object",
        "properties": {"text": {"type": "string", "maxLength": 9}},
        "required": ["text"],
    });
    ToolDefinition::dynamic("echo", "Repeats.", parameters, json!({"type": "string"}))
        .handler(|arguments: Value, _cx| async move { arguments["text"].clone() })
}

fn guarded() -> Harness {
    let runtime = ToolRuntime::builder()
        .tool(echo())
        .guard(|call: &ToolExecution| (call.arguments()["text"] == "no").then_some("not\nthat"));
    Harness::new(runtime)
}

#[test]
fn a_sample_of_every_type_fits() {
    for (name, schema) in every_schema() {
        let made = sample(&schema).unwrap_or_else(|error| panic!("{name}: {error}\n{schema:#}"));
        let validator = jsonschema::options()
            .should_validate_formats(true)
            .build(&schema)
            .unwrap();
        assert!(validator.is_valid(&made), "{name}: {made}");
        assert_eq!(sample(&schema), Ok(made), "the same every time");
    }
}

// Patterns need the engine.
#[cfg(feature = "jsonschema")]
#[test]
fn samples_show_what_there_is() {
    let cases = [
        (json!({}), json!("text")),
        (json!({"type": "integer"}), json!(1)),
        (
            json!({"type": "integer", "minimum": 5, "multipleOf": 4}),
            json!(8),
        ),
        (
            json!({"type": "integer", "exclusiveMaximum": -3}),
            json!(-4),
        ),
        (
            json!({"type": "integer", "minimum": u64::MAX}),
            json!(u64::MAX),
        ),
        (json!({"type": "number", "maximum": 1}), json!(0.0)),
        (json!({"type": "string", "minLength": 6}), json!("textxx")),
        (json!({"type": "string", "maxLength": 2}), json!("te")),
        (
            json!({"type": "string", "format": "date"}),
            json!("2026-01-01"),
        ),
        (
            json!({"type": "string", "pattern": "^(v|w)\\d{2,}(-[a-f]+)?$", "minLength": 6}),
            json!("v111-aa"),
        ),
        (
            json!({"type": "array", "items": {"type": "string"}, "uniqueItems": true, "minItems": 3}),
            json!(["text", "text1", "text2"]),
        ),
        (
            json!({"type": "array", "prefixItems": [{"const": 1}], "items": false}),
            json!([1]),
        ),
        (
            json!({"allOf": [{"type": "number", "minimum": 2}, {"type": "integer", "maximum": 2}]}),
            json!(2),
        ),
        // An example that does not fit is none.
        (
            json!({"type": "integer", "examples": ["one"], "default": 7}),
            json!(1),
        ),
        (json!({"type": "integer", "default": 7}), json!(7)),
        // The first arm goes on forever.
        (
            json!({
                "$defs": {"T": {"type": "array", "items": {"$ref": "#/$defs/T"}, "minItems": 1}},
                "anyOf": [{"$ref": "#/$defs/T"}, {"type": "null"}],
            }),
            json!(null),
        ),
        // The first arm of `a` fits only with the second of `b`.
        (
            json!({
                "type": "object",
                "properties": {"a": {"enum": [1, 2]}, "b": {"enum": [1, 2]}},
                "required": ["a", "b"],
                "not": {"properties": {"a": {"const": 1}, "b": {"const": 1}}},
            }),
            json!({"a": 2, "b": 1}),
        ),
    ];
    for (schema, expected) in cases {
        assert_eq!(sample(&schema), Ok(expected), "{schema}");
    }
}

// Patterns need the engine.
#[cfg(feature = "jsonschema")]
#[test]
fn what_has_no_sample_says_why() {
    let not_found = |reason: &str| {
        Err(SampleError::NotFound {
            reason: reason.to_owned(),
        })
    };
    assert_eq!(
        sample(&json!({"type": "string", "pattern": "^a$", "minLength": 2})),
        not_found("it asks for what cannot be made")
    );
    assert_eq!(
        sample(&json!({"$ref": "#"})).unwrap_err().to_string(),
        "the schema is invalid: #: refers to itself without ever looking into the value"
    );
    let error = guarded().sample("eco").unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown tool `eco`; did you mean `echo`?"
    );
    // Bounded, however much is asked for.
    for hostile in [
        json!({"type": "array", "minItems": u64::MAX}),
        json!({"type": "string", "minLength": u64::MAX}),
        json!({"type": "object", "minProperties": u64::MAX}),
        json!({"type": "string", "pattern": "^(a{1000}){1000}$"}),
    ] {
        assert!(matches!(
            sample(&hostile),
            Err(SampleError::NotFound { .. } | SampleError::InvalidSchema { .. })
        ));
    }
}

/// Schemas that something fits, and of which nothing contradicts itself.
fn any_schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({})),
        Just(json!({"type": "boolean"})),
        (-50..50_i64, 0..40_i64, 1..9_i64).prop_map(|(low, span, step)| {
            json!({"type": "integer", "minimum": low, "maximum": low + span + step, "multipleOf": step})
        }),
        (-50..50_i64, 1..40_i64).prop_map(|(low, span)| {
            json!({"type": "number", "exclusiveMinimum": low, "exclusiveMaximum": low + span})
        }),
        (0..9_u64, 0..9_u64).prop_map(|(least, more)| {
            json!({"type": "string", "minLength": least, "maxLength": least + more})
        }),
        "[a-c]{1,3}(\\\\d\\+|\\[x-z_\\]\\{2,4\\}|\\(q\\|r\\)\\*)?"
            .prop_map(|pattern| json!({"type": "string", "pattern": format!("^{pattern}$")})),
        prop::collection::vec(0..9_u8, 1..4).prop_map(|values| json!({"enum": values})),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            (inner.clone(), 0..3_u64).prop_map(
                |(items, least)| json!({"type": "array", "items": items, "minItems": least})
            ),
            prop::collection::vec(inner.clone(), 1..4).prop_map(|arms| json!({"anyOf": arms})),
            prop::collection::vec(inner.clone(), 1..3)
                .prop_map(|prefix| json!({"type": "array", "prefixItems": prefix, "items": false})),
            (
                prop::collection::btree_map("[a-d]", inner, 0..4),
                any::<[bool; 4]>()
            )
                .prop_map(|(properties, needed)| {
                    let required: Vec<_> = properties.keys().zip(needed).collect();
                    let required: Vec<_> = required
                        .iter()
                        .filter(|(_, needed)| *needed)
                        .map(|(name, _)| name)
                        .collect();
                    json!({
                        "type": "object",
                        "properties": properties,
                        "required": required,
                        "additionalProperties": false,
                    })
                }),
        ]
    })
}

proptest! {
    // Each compiles schemas and patterns.
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[cfg(feature = "jsonschema")]
    #[test]
    fn a_sample_fits(schema in any_schema()) {
        let made = sample(&schema);
        prop_assert!(made.is_ok(), "{schema}: {made:?}");
        prop_assert!(jsonschema::is_valid(&schema, &made.unwrap()));
    }
}

#[tokio::test]
async fn a_harness_runs_what_a_model_would() {
    let harness = guarded();
    let result = harness.call_sample("echo").await;
    assert_eq!(
        (result.text(), &**result.call_id()),
        ("text".to_owned(), "call_1")
    );
    assert_trail(
        &result,
        [
            "intake accepted",
            "guard guarded abstained",
            "body echo succeeded",
            "output echo succeeded",
        ],
    );
    let scope = harness.runtime().scope("agent").unwrap();
    scope.pre_execute(|_: &ToolExecution| Decision::Deny("closed".to_owned()));
    let scoped = Harness::of(harness.runtime()).scope(&scope);
    let result = scoped.call("echo", json!({"text": "yes"})).await;
    assert_eq!(
        trail_lines(&result)[1..],
        ["pre_execute a_harness_runs_what_a_model_would in agent denied: closed"]
    );
}

#[tokio::test]
async fn another_trail_is_shown_line_by_line() {
    let result = guarded().call("echo", r#"{"text":"no"}"#).await;
    assert_trail(&result, ["intake accepted", "guard guarded denied"]);
    assert_trail(
        &result,
        ["intake accepted", "guard guarded denied: not\\nthat"],
    );
    let expected = [
        "intake accepted",
        "guard guarded abstained",
        "body echo succeeded",
    ];
    assert_eq!(
        panic_of(|| assert_trail(&result, expected)),
        "the trail of `call_1` is not the expected one (-: expected, +: got)\n  \
           intake accepted\n\
         - guard guarded abstained\n\
         - body echo succeeded\n\
         + guard guarded denied: not\\nthat"
    );
    let runtime = guarded().runtime().clone();
    let result = runtime.execute(ToolCall::new("call_9", "echo", "{}")).await;
    assert_eq!(
        panic_of(|| assert_trail(&result, expected)),
        "the result of `call_9` has no trail\n\
         help: make the call with `.trail(true)`, or through `tool_core::testing::Harness`"
    );
}

fn conversation() -> ScriptedModel {
    ScriptedModel::new()
        .turn([
            ScriptedCall::new("echo", json!({"text": "a"}))
                .shows("a")
                .gives("a"),
            ScriptedCall::new("echo", json!({"text": "no"}))
                .id("mine")
                .fails("DENIED")
                .trail(["intake accepted", "guard guarded denied"])
                .check(|result| assert!(result.value().is_none())),
        ])
        .turn([ScriptedCall::new("echo", "{")])
}

#[tokio::test]
async fn a_script_is_played_to_its_end() {
    let mut model = conversation();
    guarded().play(&mut model).await;
    model.assert_complete();
    assert!(model.next_calls().is_none());
}

#[tokio::test]
async fn a_script_says_what_is_left_and_what_is_wrong() {
    let harness = guarded();
    let mut model = conversation();
    assert_eq!(
        panic_of(|| model.assert_complete()),
        "the model was stopped after turn 0 of 2; next it calls echo, echo"
    );
    let calls = model.next_calls().unwrap();
    let ids: Vec<_> = calls
        .iter()
        .map(|call| call.call_id().to_string())
        .collect();
    assert_eq!(ids, ["call_1_1", "mine"]);
    let unanswered = "turn 1 of the model was not answered\nhelp: hand its results to `answer`";
    assert_eq!(panic_of(|| model.assert_complete()), unanswered);
    assert_eq!(panic_of(|| drop(model.next_calls())), unanswered);
    // Another text for the first, nothing for the second, and one too many.
    let other = ToolCall::new("call_1_1", "echo", json!({"text": "b"}));
    let stranger = ToolCall::new("call_7", "echo", json!({"text": "c"}));
    let results: [ToolResult; 2] = [harness.run(other).await, harness.run(stranger).await];
    assert_eq!(
        panic_of(|| model.answer(&results)),
        "turn 1 of the model was not answered as expected\n\
         `call_1_1` (echo): another text (-: expected, +: got)\n- a\n+ b\n\
         `call_1_1` (echo): another value (-: expected, +: got)\n- \"a\"\n+ \"b\"\n\
         `mine` (echo): expected one result, got 0\n\
         `call_7`: a result for a call that the model did not make"
    );
    assert_eq!(
        panic_of(|| model.answer(&results)),
        "no turn of the model waits for results\nhelp: take one with `next_calls`"
    );
}
