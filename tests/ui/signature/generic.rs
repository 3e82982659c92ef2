// errors: 6
use tool_core::tool;

/// Generic.
#[tool]
fn generic<T>(value: T) -> String {
    String::new()
}

/// Generic over a constant.
#[tool]
fn constant<const N: usize>() {}

/// With a lifetime.
#[tool]
fn lifetime<'a>(text: String) {}

/// Takes something.
#[tool]
fn takes(value: impl ToString) {}

/// Returns something.
#[tool]
fn returns() -> impl ToString {
    1
}

/// A hook is no better.
#[tool_core::guard]
fn guard<T>() -> Option<String> {
    None
}

fn main() {}
