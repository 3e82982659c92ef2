// errors: 1
use tool_core::{ToolRuntime, guard, tool};

/// Wrong, and named elsewhere.
#[tool]
fn wrong(name: String, (a, b): (u8, u8)) -> String {
    name
}

#[guard(tool = wrong)]
fn fine(name: &str) -> Option<String> {
    Some(name.to_owned())
}

fn main() {
    let _ = ToolRuntime::builder().tool(wrong {}).guard(fine {}).build();
}
