//! Tools in odd places and beside other attributes.
#![deny(warnings)]

use tool_core::{ToolRuntime, tool, tools};

/// An attribute between the docs and the function loses nothing.
#[tool]
#[allow(clippy::needless_pass_by_value)]
fn allowed(name: String) -> usize {
    name.len()
}

/// Raw identifiers stay raw in Rust only.
#[tool]
fn r#move(r#type: String, r#in: Option<u32>) -> String {
    format!("{type}{in:?}")
}

/// Deprecated for who calls it, not for who registers it.
#[tool]
#[deprecated = "use `allowed`"]
fn old() {}

#[cfg(any())]
/// Not there.
#[tool]
fn absent(missing: Missing) {}

/// Where a parameter may be missing.
#[tool]
fn configured(#[cfg(any())] missing: Missing, #[cfg(not(test))] here: u8) -> u8 {
    here
}

/// Renamed by the importer.
#[renamed]
fn by_another_name() {}

use tool_core::tool as renamed;

macro_rules! make {
    ($name:ident, $ty:ty, $out:ty) => {
        /// Made.
        #[tool]
        fn $name(value: $ty, cx: &tool_core::RunContext) -> $out {
            let _ = cx;
            value.into()
        }
    };
}

make!(made, u8, u16);

#[async_trait::async_trait]
trait Search {
    async fn search(&self, query: String) -> String;
}

struct Engine;

#[async_trait::async_trait]
impl Search for Engine {
    async fn search(&self, query: String) -> String {
        neighbour(query).await
    }
}

/// Used by its neighbour.
#[tool]
async fn neighbour(query: String) -> String {
    query
}

fn main() {
    /// Inside a function.
    #[tool]
    fn inner(x: Local) -> u8 {
        x.0
    }

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Local(u8);

    let runtime = ToolRuntime::builder()
        .tools(tools![allowed, r#move, old, configured, by_another_name, made, neighbour, inner])
        .build()
        .unwrap();
    let names: Vec<_> = runtime.schemas().iter().map(|schema| schema.name.clone()).collect();
    assert_eq!(
        names,
        ["allowed", "move", "old", "configured", "by_another_name", "made", "neighbour", "inner"]
    );
    let _ = Engine.search(String::new());
}
