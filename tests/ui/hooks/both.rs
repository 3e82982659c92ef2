// errors: 1
use tool_core::{PostDecision, ToolResult, post_execute};

/// Value and content: the content is made of the value.
#[post_execute]
fn both(result: &ToolResult) -> PostDecision {
    PostDecision::value(1.into()).content(result.text())
}

fn main() {}
