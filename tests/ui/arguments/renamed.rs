// errors: 1
use tool_core::tool;

/// Nothing of this name is there.
#[tool(crate = ::not_there)]
fn hello(name: String) -> String {
    name
}

fn main() {
    let _ = (hello("Ada".to_owned()), hello {});
}
