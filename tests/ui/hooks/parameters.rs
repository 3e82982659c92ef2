// errors: 6
use tool_core::{guard, post_execute, tool};

/// Greets.
#[tool]
fn hello(name: String, limit: u32) -> String {
    format!("{name}{limit}")
}

/// A name the tool lacks.
#[guard(tool = hello)]
fn unknown(nmae: &str) -> Option<String> {
    None
}

/// Another type.
#[guard(tool = hello)]
fn other(name: &u32) -> Option<String> {
    None
}

/// By value.
#[guard(tool = hello)]
fn by_value(name: String) -> Option<String> {
    None
}

/// Known only after the body.
#[guard(tool = hello)]
fn early(value: &str) -> Option<String> {
    None
}

/// Takes apart.
#[guard(tool = hello)]
fn pattern((a, b): (u8, u8)) -> Option<String> {
    None
}

/// Bound to no tool.
#[guard]
fn unbound(name: String) -> Option<String> {
    None
}

fn main() {}
