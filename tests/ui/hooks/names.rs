// errors: 6
use tool_core::{Next, State, ToolExecution, ToolResult, around_execute, guard, post_execute, tool, PostDecision};

/// Greets.
#[tool]
fn hello(name: String, times: Option<u32>) -> String {
    name
}

/// The tool without its key.
#[guard(hello)]
fn positional(name: &str) -> Option<String> {
    None
}

/// Context without its mark.
#[guard(tool = hello)]
fn unmarked(db: &State<u8>) -> Option<String> {
    None
}

/// The call by another name.
#[guard(tool = hello)]
fn call(call: &ToolExecution) -> Option<String> {
    None
}

/// Another type inside.
#[guard(tool = hello)]
fn inside(times: Option<u64>) -> Option<String> {
    None
}

/// By reference.
#[around_execute]
async fn borrowed(next: &Next<'_>) -> ToolResult {
    unimplemented!()
}

/// The name is that of the function.
#[post_execute(name = "reviewed", tool = hello)]
fn named(value: &str) -> PostDecision {
    PostDecision::accept()
}

fn main() {}
