// errors: 3
use tool_core::tool;

#[tool]
fn none() {}

///
#[tool]
fn blank() {}

#[tool(description = " ")]
fn empty() {}

fn main() {}
