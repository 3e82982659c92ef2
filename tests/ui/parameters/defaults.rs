// errors: 3
use tool_core::tool;

/// Has no effect.
#[tool]
fn optional(#[arg(default = 1)] limit: Option<u32>) {}

/// Of another type.
#[tool]
fn other(#[arg(default = 5)] name: String) {}

/// Text for a number.
#[tool]
fn text(#[arg(default = "5")] limit: u32) {}

fn main() {}
