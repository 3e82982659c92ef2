// errors: 4
use tool_core::tool;

/// A near miss.
#[tool(callers = [direct, cod])]
fn near() {}

/// Nobody.
#[tool(callers = [])]
fn nobody() {}

/// No list.
#[tool(callers = direct)]
fn list() {}

/// Quoted.
#[tool(callers = ["robots"])]
fn quoted() {}

fn main() {}
