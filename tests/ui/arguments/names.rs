// errors: 4
use tool_core::tool;

/// With a space.
#[tool(name = "my tool")]
fn space() {}

/// Empty.
#[tool(name = "")]
fn empty() {}

/// Too long.
#[tool(name = "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffggggg")]
fn long() {}

/// Not ASCII.
#[tool]
fn größe() {}

fn main() {}
