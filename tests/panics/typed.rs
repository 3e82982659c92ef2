//! Panics in what typed tools are made of: the arguments' and the value's own code.

use std::borrow::Cow;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use tool_core::{
    Cancellation, Decision, PostDecision, ToolCall, ToolExecution, ToolResult, ToolRuntime, tool,
};

use crate::support::{
    Record, call, code, data, failure, observer, on_paused_clock, panic_now, run, success,
};

macro_rules! a_string {
    ($type:ty) => {
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                String::json_schema(generator)
            }
        }
    };
}

/// Panics when it is read from a string.
struct Unreadable;

impl<'de> Deserialize<'de> for Unreadable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let _text = String::deserialize(deserializer)?;
        panic_now()
    }
}

/// Panics when it is written.
struct Unwritable;

impl Serialize for Unwritable {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        panic_now()
    }
}

/// Panics when it is dropped.
#[derive(Clone, Deserialize, Serialize)]
struct Undroppable(String);

impl Drop for Undroppable {
    fn drop(&mut self) {
        panic_now()
    }
}

a_string!(Unreadable);
a_string!(Unwritable);
a_string!(Undroppable);

/// Reads.
#[tool]
#[allow(clippy::needless_pass_by_value, reason = "a tool owns its arguments")]
fn reads(it: Unreadable) -> &'static str {
    let Unreadable = it;
    "done"
}

/// Writes.
#[tool]
fn writes() -> Unwritable {
    Unwritable
}

/// Gives.
#[tool]
fn gives() -> Undroppable {
    Undroppable("done".into())
}

/// Gives late.
#[tool(timeout = "1s")]
async fn gives_late(signal: &Cancellation) -> Undroppable {
    signal.cancelled().await;
    Undroppable("late".into())
}

/// Takes.
#[tool]
fn takes(it: Undroppable) -> String {
    let text = it.0.clone();
    std::mem::forget(it);
    text
}

#[test]
fn arguments_that_panic_when_read_are_refused() {
    let told = Record::default();
    let runtime = ToolRuntime::builder()
        .tool(reads {})
        .on_result(observer(&told))
        .build()
        .unwrap();
    let result = run(runtime.execute(ToolCall::new("call_1", "reads", r#"{"it":"x"}"#)));
    assert_eq!(code(&result), "INVALID_ARGS");
    assert!(
        result.text().contains("their `Deserialize` panicked"),
        "{}",
        result.text()
    );
    assert_eq!(told.lines(), ["call_1 INVALID_ARGS"]);
}

#[test]
fn a_value_that_panics_when_written_is_no_output() {
    let told = Record::default();
    let runtime = ToolRuntime::builder()
        .tool(writes {})
        .on_result(observer(&told))
        .build()
        .unwrap();
    let result = run(runtime.execute(call("call_1", "writes")));
    let message = "tool \"writes\" returned invalid output: its `Serialize` panicked";
    assert_eq!(
        data(&result),
        failure("call_1", "INVALID_TOOL_OUTPUT", message)
    );
    assert_eq!(told.lines(), ["call_1 INVALID_TOOL_OUTPUT"]);
}

#[test]
fn a_value_that_panics_when_dropped_is_dropped_in_silence() {
    let runtime = ToolRuntime::builder().tool(gives {}).build().unwrap();
    let results = run(runtime.execute_batch([call("call_1", "gives"), call("call_2", "gives")]));
    let expected = [
        success("call_1", json!("done")),
        success("call_2", json!("done")),
    ];
    assert_eq!(results.iter().map(data).collect::<Vec<_>>(), expected);
    drop(results);
}

#[test]
fn a_value_that_panics_when_dropped_may_be_replaced_blocked_or_refused() {
    let outcome = |decide: fn() -> PostDecision| {
        let runtime = ToolRuntime::builder()
            .tool(gives {})
            .post_execute(move |_: &ToolExecution, _: &ToolResult| decide())
            .build()
            .unwrap();
        data(&run(runtime.execute(call("call_1", "gives"))))
    };
    assert_eq!(
        outcome(|| PostDecision::value(json!("other"))),
        success("call_1", json!("other"))
    );
    let mut blocked = failure("call_1", "BLOCKED", "no");
    blocked["content"] = json!([{"type": "text", "text": "no"}]);
    assert_eq!(outcome(|| PostDecision::block("no")), blocked);
    let refused = outcome(|| panic_now());
    assert_eq!(refused["error"]["code"], "HOOK_FAILED");

    let silent = gives {}
        .definition()
        .render(|_: &Value, _: &Value| Err::<String, _>("no words"));
    let runtime = ToolRuntime::builder().tool(silent).build().unwrap();
    let message = "tool \"gives\" returned invalid output: render failed: no words";
    let result = run(runtime.execute(call("call_1", "gives")));
    assert_eq!(
        data(&result),
        failure("call_1", "INVALID_TOOL_OUTPUT", message)
    );
}

#[test]
fn a_value_that_panics_when_dropped_may_come_too_late() {
    let result = on_paused_clock(async {
        let runtime = ToolRuntime::builder()
            .tool(gives_late {})
            .grace(Duration::from_millis(100))
            .build()
            .unwrap();
        runtime.execute(call("call_1", "gives_late")).await
    });
    let message = "tool \"gives_late\" timed out after 1s; it may have taken effect";
    assert_eq!(data(&result), failure("call_1", "TOOL_TIMEOUT", message));
}

#[test]
fn arguments_that_panic_when_dropped_are_dropped_in_silence() {
    let arguments = r#"{"it":"x"}"#;
    // Taken by the body.
    let runtime = ToolRuntime::builder().tool(takes {}).build().unwrap();
    let result = run(runtime.execute(ToolCall::new("call_1", "takes", arguments)));
    assert_eq!(data(&result), success("call_1", json!("x")));
    // Decoded at intake, and never taken.
    let runtime = ToolRuntime::builder()
        .tool(takes {})
        .pre_execute(|_: &ToolExecution| Decision::deny("no"))
        .build()
        .unwrap();
    let result = run(runtime.execute(ToolCall::new("call_1", "takes", arguments)));
    assert_eq!(data(&result), failure("call_1", "DENIED", "no"));
    // Decoded again for a hook, after the body.
    let runtime = ToolRuntime::builder()
        .tool(takes {})
        .post_execute(|call: &ToolExecution, _: &ToolResult| {
            assert!(call.args::<takes>().is_some());
            PostDecision::accept()
        })
        .build()
        .unwrap();
    let result = run(runtime.execute(ToolCall::new("call_1", "takes", arguments)));
    assert_eq!(data(&result), success("call_1", json!("x")));
}
