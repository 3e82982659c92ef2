// errors: 3
use tool_core::{PostDecision, on_result, post_execute, tool};

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Widget(u32);

/// Makes one.
#[tool]
fn widget() -> Widget {
    Widget(1)
}

/// A value of another type.
#[post_execute(tool = widget)]
fn other() -> PostDecision<String> {
    PostDecision::accept()
}

/// A value that cannot be read back.
#[post_execute(tool = widget)]
fn value(value: &Widget) -> PostDecision {
    PostDecision::accept().context(value.0.to_string())
}

/// Nobody waits.
#[on_result]
async fn waits() {}

fn main() {}
