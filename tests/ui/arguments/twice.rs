// errors: 2
use tool_core::tool;

/// Said twice.
#[tool(name = "a", name = "b")]
fn twice() {}

/// So is this.
#[tool(read_only, idempotent, read_only)]
fn flag() {}

fn main() {}
