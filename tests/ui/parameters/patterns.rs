// errors: 2
use tool_core::tool;

/// Takes apart.
#[tool]
fn pair((a, b): (u8, u8)) {}

/// Ignores.
#[tool]
fn ignores(_: u8) {}

fn main() {}
