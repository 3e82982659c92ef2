// errors: 3
use tool_core::tool;

/// Text.
#[tool]
fn text(query: &str) {}

/// A slice.
#[tool]
fn slice(items: &[u32]) {}

/// Exclusive.
#[tool]
fn exclusive(cx: &mut tool_core::RunContext) {}

fn main() {}
