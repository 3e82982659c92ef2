// errors: 2
use tool_core::tool;

/// A type that does not exist.
#[tool]
fn parameter(query: Missing) {}

/// Returned.
#[tool]
fn returned() -> Absent {
    todo!()
}

fn main() {}
