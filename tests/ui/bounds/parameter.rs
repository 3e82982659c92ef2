// errors: 3
use tool_core::tool;

struct Neither;

#[derive(serde::Deserialize)]
struct OnlyRead;

/// Lacks both derives.
#[tool]
fn neither(query: Neither) {}

/// Lacks one, inside another type.
#[tool]
fn one(query: Vec<OnlyRead>) {}

/// Taken whole.
#[tool]
fn whole(#[args] query: Neither) {}

fn main() {}
