// errors: 1
use tool_core::tool;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Unit;

/// Cannot be shown.
#[tool]
fn shown(#[arg(default = Unit)] unit: Unit) {}

fn main() {}
