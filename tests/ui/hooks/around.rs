// errors: 2
use tool_core::{Next, ToolResult, around_execute};

/// Returns nothing.
#[around_execute]
async fn nothing(next: Next<'_>) {
    let _ = next.run().await;
}

/// Context that is none.
#[around_execute]
async fn text(query: &str, next: Next<'_>) -> ToolResult {
    next.run().await
}

fn main() {}
