// errors: 2
use tool_core::tool;

mod time {}

/// Clashes with the module.
#[tool]
fn time() {}

fn main() {}
