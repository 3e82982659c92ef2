//! Faults that users of such systems reported, by number: schemas, and the arguments that models
//! make. From the function to what its body is given.

// A tool owns its arguments, whatever its body does with them.
#![allow(clippy::needless_pass_by_value)]

#[path = "cases/arguments.rs"]
mod arguments;
#[path = "cases/generation.rs"]
mod generation;

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tool_core::{
    Decision, IntoDefinition, RawArguments, ToolCall, ToolExecution, ToolRuntime, code,
};

/// A runtime with one tool, and the arguments that its hooks saw.
struct One {
    runtime: ToolRuntime,
    name: String,
    seen: Arc<Mutex<Vec<Value>>>,
}

fn one(tool: impl IntoDefinition) -> One {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let hook = seen.clone();
    let runtime = ToolRuntime::builder()
        .tool(tool)
        .pre_execute(move |call: &ToolExecution| {
            hook.lock().unwrap().push(call.arguments().clone());
            Decision::Allow
        })
        .build()
        .unwrap();
    let name = runtime.schemas()[0].name.clone();
    One {
        runtime,
        name,
        seen,
    }
}

impl One {
    /// The arguments that hooks saw and the text the model reads, or why the call was refused
    /// before any hook.
    async fn call(&self, arguments: impl Into<RawArguments>) -> Result<(Value, String), String> {
        let call = ToolCall::new("call_1", &*self.name, arguments);
        let result = self.runtime.execute(call).await;
        assert_eq!(result.call_id(), "call_1");
        let seen = self.seen.lock().unwrap().pop();
        match (result.error(), seen) {
            (None, Some(seen)) => Ok((seen, result.text())),
            (Some(error), None) => {
                assert_eq!(error.code(), code::INVALID_ARGS);
                let text = error.message().strip_prefix("invalid arguments: ");
                Err(text.expect("says what it is about").to_owned())
            }
            other => panic!("{other:?}"),
        }
    }

    /// The text of a call that runs.
    async fn text(&self, arguments: impl Into<RawArguments>) -> String {
        self.call(arguments).await.unwrap().1
    }

    /// The violations of a call that is refused, without the last line: what the tool takes.
    async fn refusal(&self, arguments: impl Into<RawArguments>) -> String {
        let said = self.call(arguments).await.unwrap_err();
        let (violations, shape) = said.rsplit_once('\n').expect("two lines");
        assert!(
            shape.starts_with(&format!("tool \"{}\" takes {{", self.name)),
            "{shape}"
        );
        violations.to_owned()
    }

    /// The schema of the parameters.
    fn parameters(&self) -> Arc<Value> {
        self.runtime.schemas()[0].parameters.clone()
    }
}
