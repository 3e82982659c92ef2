// errors: 3
use tool_core::{Decision, guard, tool};

/// Greets.
#[tool]
fn hello(name: String) -> String {
    name
}

/// A boolean.
#[guard(tool = hello)]
fn boolean(name: &str) -> bool {
    name.is_empty()
}

/// A decision.
#[guard]
async fn decision() -> Decision {
    Decision::Allow
}

/// Nothing.
#[guard]
fn nothing() {}

fn main() {}
