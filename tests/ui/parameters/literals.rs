// errors: 4
use tool_core::tool;

/// A string for a number.
#[tool]
fn number(#[arg(default = "3")] n: u32) {}

/// A description.
#[tool]
fn literal(#[arg("how many")] n: u32) {}

/// A description by its key.
#[tool]
fn described(#[arg(description = "how many")] n: u32) {}

// One mistake, not a missing description as well.
#[tool("Does it")]
fn lone() {}

fn main() {}
