// errors: 5
use tool_core::{Tool, ToolExecution, ToolResult, tool};

fn render(_: &String) -> String {
    String::new()
}

fn finalize(_: &ToolExecution) -> Option<Vec<tool_core::ContentBlock>> {
    None
}

fn safe(_: u32) -> bool {
    true
}

fn card(_: &<carded as Tool>::Args, _: &ToolResult) -> String {
    String::new()
}

/// Rendered wrongly.
#[tool(render = render)]
fn rendered() -> u32 {
    1
}

/// Finalized wrongly.
#[tool(finalize_content = finalize)]
fn finalized() {}

/// Classified wrongly.
#[tool(concurrency_safe = safe)]
fn classified() {}

/// With a wrong card.
#[tool(present_result = card, handle = carded)]
fn carded_tool() {}

/// Missing.
#[tool(presentation_meta = missing)]
fn missing_path() {}

fn main() {}
