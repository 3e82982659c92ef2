//! A bridge to `rig`, both ways.
//!
//! Our tools as tools of `rig`: whatever calls them there, a call passes the whole pipeline here. A
//! tool of `rig` as one of ours: registered like any other, under guards and hooks that its author
//! has never heard of.
//!
//! ```console
//! $ cargo run -p tool-examples --example rig
//! ```
//!
//! The bridge is in `rig/`, to be copied: `to_rig.rs`, `from_rig.rs`, and what both need.

#![expect(clippy::needless_pass_by_value, reason = "tools own their arguments")]

#[path = "rig/errors.rs"]
mod errors;
#[path = "rig/from_rig.rs"]
mod from_rig;
#[cfg(test)]
#[path = "rig/tests.rs"]
mod tests;
#[path = "rig/to_rig.rs"]
mod to_rig;

use std::error::Error;

use rig_core::message::ToolName;
use rig_core::tool::{DynamicTool, PortableTool, ToolExecutionError, ToolOutput};
use serde::Deserialize;
use serde_json::{Value, json};
use tool_core::{
    PostDecision, RegisterError, ToolCall, ToolExecution, ToolRuntime, guard, post_execute, tool,
};

use crate::from_rig::{from_dynamic, from_rig};
use crate::to_rig::tools_for_rig;

/// Looks somebody up in the address book.
#[tool]
fn find_contact(
    /// A first name.
    name: String,
) -> Result<String, String> {
    match name.as_str() {
        "Grace" => Ok("Grace Hopper, +1 555 0100, secret PIN 1906".to_owned()),
        _ => Err(format!("nobody is called {name}")),
    }
}

/// Alan does not want to be found.
#[guard(tool = find_contact)]
fn not_alan(name: &str) -> Option<&'static str> {
    (name == "Alan").then_some("Alan does not want to be found")
}

/// No PIN leaves the house.
#[post_execute(tool = find_contact)]
fn no_pins(value: &str) -> PostDecision<String> {
    match value.find(", secret PIN") {
        Some(at) => PostDecision::value(value[..at].to_owned()),
        None => PostDecision::accept(),
    }
}

/// A tool as one writes it for `rig`.
struct Transfer;

#[derive(Deserialize)]
struct TransferArgs {
    to: String,
    amount: u32,
}

impl PortableTool for Transfer {
    const NAME: &'static str = "transfer";
    type Args = TransferArgs;
    type Output = Value;
    type Error = ToolExecutionError;

    fn description(&self) -> String {
        "Sends money.".to_owned()
    }

    fn parameters(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "to": { "type": "string" },
                "amount": { "type": "integer", "minimum": 1 },
            },
            "required": ["to", "amount"],
        })
    }

    async fn call(&self, args: TransferArgs) -> Result<Value, ToolExecutionError> {
        if args.amount > 500 {
            return Err(ToolExecutionError::rate_limited(
                "the bank sends 500 a day; try again tomorrow",
            ));
        }
        Ok(json!({ "sent": args.amount, "to": args.to }))
    }
}

/// A tool that is known at run time only.
fn currency() -> DynamicTool {
    let name = ToolName::new("currency").expect("it has a name");
    let parameters = json!({ "type": "object", "properties": {} });
    DynamicTool::new(name, "Says what money is counted in.", parameters, |_| {
        Box::pin(async { Ok(ToolOutput::text("euros")) })
    })
}

/// What no tool of `rig` knows of: the house has rules.
fn small_sums(call: &ToolExecution) -> Option<String> {
    let amount = call.arguments()["amount"].as_u64()?;
    (call.name() == "transfer" && amount > 1_000)
        .then(|| format!("{amount} is too much to send without asking"))
}

fn runtime() -> Result<ToolRuntime, RegisterError> {
    ToolRuntime::builder()
        .tool(find_contact {})
        .tool(from_rig(Transfer))
        .tool(from_dynamic(currency()))
        .guard(not_alan {})
        .guard(small_sums)
        .post_execute(no_pins {})
        .build()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let runtime = runtime()?;

    println!("our tools, called by rig:");
    for tool in tools_for_rig(&runtime, None) {
        println!("  {}: {}", tool.name(), tool.definition().description);
        let arguments = match &**tool.name() {
            "transfer" => vec![json!({"to": "Ada", "amount": 5_000})],
            "currency" => vec![json!({})],
            _ => ["Grace", "Alan", "Kurt"]
                .map(|name| json!({ "name": name }))
                .into(),
        };
        for arguments in arguments {
            let said = match tool.execute(arguments.clone()).await {
                Ok(output) => output.render(),
                Err(error) => format!("{}: {error}", error.kind()),
            };
            println!("    {arguments} -> {said}");
        }
    }

    println!("a tool of rig, called here:");
    for amount in [20, 600, 5_000, 0] {
        let arguments = json!({ "to": "Ada", "amount": amount });
        let result = runtime
            .execute(ToolCall::new("call_1", "transfer", &arguments))
            .await;
        let code = result.error().map_or("OK", |error| error.code());
        println!("    {arguments} -> {code}: {}", result.text());
    }
    Ok(())
}
