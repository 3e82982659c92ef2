// errors: 2
use tool_core::tool;

/// Applied twice.
#[tool]
#[tool]
fn twice() {}

/// By its path.
#[tool]
#[tool_core::tool]
fn by_path() {}

fn main() {}
