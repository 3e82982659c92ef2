// errors: 6
use tool_core::tool;

/// A near miss.
#[tool(nmae = "a")]
fn near() {}

/// No near miss.
#[tool(zzz)]
fn far() {}

/// A known wrong word.
#[tool(desc = "a")]
fn wrong() {}

/// Two of them, both said.
#[tool(parallel, about = "b")]
fn two() {}

/// In a hook.
#[tool_core::guard(tol = near)]
fn hook() -> Option<String> {
    None
}

fn main() {}
