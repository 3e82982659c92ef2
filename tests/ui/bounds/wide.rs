// errors: 2
use tool_core::tool;

/// Too wide.
#[tool]
fn signed(number: i128) {}

/// So is this.
#[tool]
fn unsigned(number: u128) {}

fn main() {}
