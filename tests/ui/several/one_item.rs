// errors: 5
use tool_core::tool;

#[tool(nmae = "a", read_only, destructive)]
fn several(_: u8, #[arg(range = 3)] x: u8) {}

fn main() {}
