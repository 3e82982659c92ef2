// errors: 4
use tool_core::tool;

/// Too wide.
#[tool]
fn signed(number: i128) {}

/// So is this.
#[tool]
fn unsigned(number: u128) {}

/// In a list.
#[tool]
fn several(numbers: Vec<i128>) {}

/// Perhaps.
#[tool]
fn maybe(number: Option<u128>) {}

fn main() {}
