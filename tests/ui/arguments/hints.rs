// errors: 2
use tool_core::tool;

/// Contradicts itself.
#[tool(read_only, destructive)]
fn one() {}

/// In the other order.
#[tool(destructive, name = "b", read_only)]
fn other() {}

fn main() {}
