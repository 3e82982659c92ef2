//! Return types that are told apart by what they are, not by how they are written.
#![deny(warnings)]

use tool_core::{Tool, tool};

type Alias<T = u8> = std::result::Result<T, std::io::Error>;

mod shadow {
    /// Not a result, whatever its name.
    #[derive(serde::Serialize, schemars::JsonSchema)]
    pub struct Result(pub u8);
}

/// By an alias.
#[tool]
fn alias() -> Alias {
    Ok(1)
}

/// By its path.
#[tool]
fn path() -> std::io::Result<Vec<u8>> {
    Ok(vec![1])
}

/// Only named so.
#[tool]
fn shadowed() -> shadow::Result {
    shadow::Result(1)
}

/// A result inside another type.
#[tool]
fn nested() -> Option<Result<u8, u8>> {
    None
}

/// Nothing.
#[tool]
fn nothing() {}

fn output<T: Tool<Output = O>, O>(_: T) {}

fn main() {
    output::<_, u8>(alias {});
    output::<_, Vec<u8>>(path {});
    output::<_, shadow::Result>(shadowed {});
    output::<_, Option<Result<u8, u8>>>(nested {});
    output::<_, ()>(nothing {});
}
