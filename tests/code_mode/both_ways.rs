//! A call from a program meets exactly what a direct call meets.

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_code_mode::QuickJs;
use tool_core::{Presentation, ToolCall, ToolResult, ToolRuntime, Trail};

use super::spec::{self, ARGUMENTS, Spec};
use super::stage::{Probe, Stage};
use super::support::on_paused_clock;

/// Who was asked, about which arguments, and what identified the call.
type Asked = (&'static str, usize, Value, Option<(String, String)>);

/// What can be told of a call, wherever it came from.
#[derive(Debug, PartialEq)]
struct Met {
    /// Who was asked, in order, and about what.
    seen: Vec<Asked>,
    code: String,
    trail: Vec<(String, String, String, Option<String>)>,
    /// The value, or the message.
    outcome: Result<Value, String>,
}

impl Met {
    fn new(probe: &Probe, outcome: Result<Value, String>) -> Self {
        let seen = probe.seen.lock().unwrap().clone();
        let told = probe.told.lock().unwrap().clone();
        assert_eq!(told.len(), 1, "one notification per call: {told:?}");
        Self {
            seen: seen
                .into_iter()
                .map(|it| (it.station, it.index, it.arguments, it.identity))
                .collect(),
            code: told[0].code.clone(),
            trail: entries(told[0].trail.as_ref().expect("asked for")),
            outcome,
        }
    }
}

fn entries(trail: &Trail) -> Vec<(String, String, String, Option<String>)> {
    let entry = |entry: &tool_core::TrailEntry| {
        (
            format!("{:?}", entry.station),
            format!("{} in {:?}", entry.hook, entry.scope),
            format!("{:?}", entry.said),
            entry.reason.clone(),
        )
    };
    trail.entries().iter().map(entry).collect()
}

fn outcome(result: &ToolResult) -> Result<Value, String> {
    match result.error() {
        Some(error) => Err(error.message().to_owned()),
        None => Ok(result.value().cloned().unwrap_or_default()),
    }
}

fn directly(spec: &Spec) -> Met {
    let probe = Probe::new(None);
    let stage = Stage::build(spec, &probe);
    let result = on_paused_clock(stage.runtime.execute(stage.call("call_1")));
    Met::new(&probe, outcome(&result))
}

fn from_a_program(spec: &Spec) -> Met {
    let probe = Probe::new(None);
    let builder = ToolRuntime::builder()
        .presentation(Presentation::Code)
        .code_runtime(QuickJs::new());
    let stage = Stage::build_on(builder, spec, &probe);
    let code = format!(
        "try {{ return [await tools.act({})] }} catch (e) {{ return e.message }}",
        spec.arguments
    );
    let arguments = json!({"code": code, "description": "Act once"});
    let call = stage.placed(ToolCall::new("call_1", "run_code", arguments));
    let clock = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let result = clock.block_on(stage.runtime.execute(call));
    let value = outcome(&result).expect("the program catches everything");
    Met::new(
        &probe,
        match &value["result"] {
            Value::String(message) => Err(message.clone()),
            value => Ok(value[0].clone()),
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: 200,
        ..ProptestConfig::default()
    })]

    /// The same stations in the same order, the same trail, the same outcome.
    #[test]
    fn policy_cannot_tell_a_program_from_a_model(
        mut spec in spec::spec(),
    ) {
        // An object as it is: a program cannot write what would need a repair to be one.
        spec.arguments = ARGUMENTS[0];
        prop_assert_eq!(from_a_program(&spec), directly(&spec));
    }
}
