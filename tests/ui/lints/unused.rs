// errors: 1
#![deny(dead_code)]

/// Never registered.
#[tool_core::tool]
fn unused(name: String) -> String {
    name
}

fn main() {}
