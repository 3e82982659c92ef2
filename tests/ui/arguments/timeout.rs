// errors: 4
use tool_core::tool;

/// Zero.
#[tool(timeout = "0s")]
fn zero() {}

/// No unit.
#[tool(timeout = "30")]
fn unit() {}

/// A number.
#[tool(timeout = 30)]
fn number() {}

/// Another type.
#[tool(timeout = String::new())]
fn other() {}

fn main() {}
