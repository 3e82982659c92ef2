// errors: 2
use tool_core::{ToolRuntime, tool};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Query;

/// Without a name for its arguments.
#[tool]
fn unnamed(#[allow(unused)] x: u8) {}

/// With arguments that cannot be written.
#[tool(args = QueryArgs)]
fn unwritable(query: Query) {
    let _ = query;
}

fn main() {
    let runtime = ToolRuntime::builder().build().unwrap();
    let _ = runtime.call::<unwritable>(QueryArgs { query: Query });
    fn unnamed_args() -> <unnamed as tool_core::Tool>::Args {
        todo!()
    }
    let _ = runtime.call::<unnamed>(unnamed_args());
}
