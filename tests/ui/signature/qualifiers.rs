// errors: 5
use tool_core::tool;

/// Constant.
#[tool]
const fn constant() {}

/// Unsafe.
#[tool]
unsafe fn dangerous() {}

/// Foreign.
#[tool]
extern "C" fn foreign() {}

/// Unsafe and constant: one error each.
#[tool]
pub const fn both() {}

/// Variadic.
#[tool]
fn variadic(x: u8, ...) {}

fn main() {}
