// errors: 2
use tool_core::tool;

/// A mismatch in the body looks as without the macro.
#[tool]
async fn body(name: String) -> u32 {
    name
}

/// So does a name that does not exist.
#[tool]
fn unknown() -> u32 {
    missing
}

fn main() {}
