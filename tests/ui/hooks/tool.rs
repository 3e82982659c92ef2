// errors: 1
use tool_core::guard;

/// Quoted.
#[guard(tool = "hello")]
fn quoted(_name: &str) -> Option<String> {
    None
}

fn main() {}
