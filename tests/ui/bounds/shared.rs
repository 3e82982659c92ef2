// errors: 3
use tool_core::tool;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct NotShared(#[serde(skip)] #[schemars(skip)] std::cell::Cell<u8>);

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Neither(#[serde(skip)] #[schemars(skip)] std::marker::PhantomData<*const u8>);

/// Not `Sync`: one error, under the parameters.
#[tool]
fn shared(name: String, query: NotShared) {}

/// Neither `Send` nor `Sync`: rustc says so of each.
#[tool]
fn sent(query: Neither) {}

fn main() {}
