// errors: 4
use tool_core::{guard, tool, toolbox};

#[tool]
struct Search;

#[tool]
mod tools {}

#[guard]
trait Policy {}

#[toolbox]
struct Weather;

fn main() {}
