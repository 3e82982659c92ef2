// errors: 2
use tool_core::tool;

/// An argument of the context.
#[tool]
fn reference(#[arg(name = "x")] cx: &tool_core::RunContext) {}

/// Owned.
#[tool]
fn owned(
    #[arg]
    #[context]
    cancellation: tool_core::Cancellation,
) {
}

fn main() {}
