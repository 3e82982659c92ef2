// errors: 3
use tool_core::tool;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct NotShared(#[serde(skip)] #[schemars(skip)] std::marker::PhantomData<*const u8>);

/// Not `Send`.
#[tool]
fn shared(query: NotShared) {}

fn main() {}
