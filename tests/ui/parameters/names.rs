// errors: 2
use tool_core::tool;

/// Two of one name.
#[tool]
fn two(r#type: String, #[arg(name = "type")] kind: String) {}

fn main() {}
