// errors: 1
use tool_core::{PostDecision, post_execute};

struct NoTool;

/// Not a tool.
#[post_execute(tool = NoTool)]
fn review(_name: &str) -> PostDecision {
    PostDecision::accept()
}

fn main() {}
