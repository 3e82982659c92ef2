// errors: 2
use tool_core::{guard, tool};

/// Greets.
#[tool]
fn hello(name: String) -> String {
    name
}

/// Misspelt.
#[guard(tool = missing)]
fn missing_tool(_name: &str) -> Option<String> {
    None
}

struct NoTool;

/// Not a tool.
#[guard(tool = NoTool)]
fn no_tool() -> Option<String> {
    None
}

fn main() {}
