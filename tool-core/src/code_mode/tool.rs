//! The tool `run_code`.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{CodeRuntime, render, run};
use crate::card::CallCard;
use crate::contain::Sheltered;
use crate::context::States;
use crate::definition::{Definition, RUN_CODE, ToolDefinition};
use crate::error::{ToolError, code};
use crate::execution::RunContext;
use crate::prepare::Workshop;

pub(crate) type SharedRuntime = Arc<Sheltered<Box<dyn CodeRuntime>>>;

/// The definition, whether or not there is a runtime: without one each call of it says so.
pub(crate) fn definition(runtime: Option<&SharedRuntime>, max_parallel: usize) -> Arc<Definition> {
    let language = runtime.map(|runtime| runtime.language().to_owned());
    let body = runtime.cloned();
    let tool = ToolDefinition::dynamic(
        RUN_CODE,
        description(language.as_deref()),
        parameters(language.as_deref()),
        output(),
    )
    .handler(move |arguments: Value, cx: RunContext| {
        let runtime = body.clone();
        async move { body_of(runtime, &arguments, max_parallel, &cx).await }
    })
    .render(|_: &Value, value: &Value| render::text(value))
    .present_call(card);
    match Workshop::default().reserved(tool, &States::default()) {
        Ok(definition) => definition,
        Err(error) => unreachable!("`{RUN_CODE}` is well defined: {error}"),
    }
}

async fn body_of(
    runtime: Option<SharedRuntime>,
    arguments: &Value,
    max_parallel: usize,
    cx: &RunContext,
) -> Result<Value, ToolError> {
    let text = |name: &str| arguments[name].as_str().unwrap_or_default();
    if text("description").trim().is_empty() {
        return Err(ToolError::coded(
            code::INVALID_ARGS,
            "`description` is blank: say in five to ten words what the program does",
        ));
    }
    let Some(runtime) = runtime else {
        return Err(ToolError::coded(
            code::MISSING_CODE_RUNTIME,
            format!("`{RUN_CODE}` cannot run anything: this runtime has no code runtime"),
        ));
    };
    let output = run::run(&***runtime, text("code").to_owned(), max_parallel, cx).await;
    match output {
        Ok(output) => Ok(output.into_value()),
        Err(error) => Err(error.or_code(code::CODE_RUN_FAILED)),
    }
}

fn description(language: Option<&str>) -> String {
    let program = language.map_or_else(|| "program".to_owned(), |it| format!("{it} program"));
    format!(
        "Runs a {program} that calls the other tools. `code` is the body of an async function: \
         `await` and `return` work at its top level. Call a tool as `await tools.name(args)`, as the \
         system prompt declares it. Only what the program prints or returns comes back, so return no \
         more than you need. Images of the tools it calls are attached after the run."
    )
}

fn parameters(language: Option<&str>) -> Value {
    let function = language.map_or_else(|| "function".to_owned(), |it| format!("{it} function"));
    json!({
        "type": "object",
        "properties": {
            "code": {
                "type": "string",
                "description": format!("The program: the body of an async {function}."),
            },
            "description": {
                "type": "string",
                "description": "What the program does, in five to ten words, for the person who \
                                watches. Example: \"Count the open orders of each customer\".",
            },
        },
        "required": ["code", "description"],
    })
}

fn output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "logs": {"type": "array", "items": {"type": "string"}},
            "result": {},
        },
        "required": ["logs"],
        "additionalProperties": false,
    })
}

fn card(arguments: &Value) -> CallCard {
    let text = |name: &str| arguments[name].as_str().unwrap_or_default();
    CallCard::detailed(text("description"), text("code"))
}
