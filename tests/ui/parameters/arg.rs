// errors: 10
use tool_core::tool;

/// A near miss.
#[tool]
fn near(#[arg(titel = "a")] x: u8) {}

/// No near miss.
#[tool]
fn far(#[arg(zzz)] x: u8) {}

/// A known wrong word.
#[tool]
fn wrong(#[arg(rename = "a")] x: u8) {}

/// No range.
#[tool]
fn number(#[arg(range = 5)] x: u8) {}

/// Nothing is within it.
#[tool]
fn empty(#[arg(range = 5..5)] x: u8, #[arg(length = ..0)] y: String) {}

/// Without bounds.
#[tool]
fn open(#[arg(length = ..)] x: String) {}

/// No list.
#[tool]
fn list(#[arg(examples = "a")] x: String) {}

/// Twice.
#[tool]
fn twice(
    #[arg(title = "a")]
    #[arg(title = "b")]
    x: String,
) {
}

/// Not in parentheses.
#[tool]
fn equals(#[arg = "a"] x: String) {}

fn main() {}
