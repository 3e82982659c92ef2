// errors: 1
use tool_core::tool;

/// Without a body.
#[tool]
fn search();

fn main() {}
