// errors: 4
use tool_core::tool;

/// Nothing would be left.
#[tool(max_content_bytes = 0)]
fn zero() {}

/// Less than nothing.
#[tool(max_content_bytes = -1)]
fn negative() {}

/// A text.
#[tool(max_content_bytes = "10 kB")]
fn text() {}

/// Another type.
#[tool(max_content_bytes = LIMIT)]
fn other() {}

const LIMIT: i64 = 10;

fn main() {}
