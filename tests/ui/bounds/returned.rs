// errors: 3
use tool_core::tool;

struct Widget;

struct Silent;

/// Cannot be written.
#[tool]
fn widget() -> Widget {
    Widget
}

/// Nor inside a result.
#[tool]
fn inside() -> Result<Widget, String> {
    Ok(Widget)
}

/// Cannot be shown.
#[tool]
async fn silent() -> Result<u32, Silent> {
    Err(Silent)
}

fn main() {}
