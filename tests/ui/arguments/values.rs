// errors: 9
use tool_core::tool;

/// No value.
#[tool(name)]
fn none() {}

/// An equals sign and no value.
#[tool(title = , read_only)]
fn empty() {}

/// A number.
#[tool(name = 3)]
fn number() {}

/// A string for a path.
#[tool(render = "path")]
fn string() {}

/// A path for a name.
#[tool(handle = some::path)]
fn path() {}

/// No boolean.
#[tool(read_only = "yes")]
fn flag() {}

/// A lone literal.
#[tool("text")]
fn literal() {}

/// Not a key at all.
#[tool(+)]
fn punctuation() {}

/// Neither of the two.
#[tool(on_cancel = "stop")]
fn cancel() {}

fn main() {}
