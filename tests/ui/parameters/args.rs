// errors: 3
use tool_core::tool;

/// Beside another.
#[tool]
fn beside(#[args] all: Vec<u32>, limit: u32) {}

/// Refined.
#[tool]
fn refined(
    #[args]
    #[arg(title = "a")]
    all: (),
) {
}

/// Named.
#[tool(args = Named)]
fn named(#[args] all: ()) {}

fn main() {}
