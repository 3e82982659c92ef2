//! Tests of tools and policy, without a model.
//!
//! | what | with |
//! |---|---|
//! | run a tool, or a whole pipeline | [`Harness`] |
//! | say which station had to say what | [`assert_trail`] |
//! | get arguments that fit a schema | [`sample`], [`Harness::call_sample`] |
//! | play a conversation, turn by turn | [`ScriptedModel`] |
//!
//! The guide [`guide::testing`](crate::guide::testing) tests a policy from one call to a
//! conversation.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")] async fn main() {
//! use serde_json::json;
//! use tool_core::testing::{Harness, assert_trail};
//! use tool_core::{ToolRuntime, guard, tool};
//!
//! /// Greets somebody by name.
//! #[tool]
//! fn hello(name: String) -> String { format!("Hello, {name}!") }
//!
//! /// Nobody greets the whole world.
//! #[guard(tool = hello)]
//! fn not_world(name: &str) -> Option<String> {
//!     (name == "World").then(|| "that is too many people".to_owned())
//! }
//!
//! let harness = Harness::new(ToolRuntime::builder().tool(hello {}).guard(not_world {}));
//! let result = harness.call("hello", json!({"name": "World"})).await;
//! assert_trail(
//!     &result,
//!     ["intake accepted", "guard not_world denied: that is too many people"],
//! );
//! # }
//! ```

mod diff;
mod harness;
mod number;
mod pattern;
mod sample;
mod script;
mod text;
mod trail;

#[cfg(test)]
mod tests;

pub use harness::Harness;
pub use sample::{SampleError, sample};
pub use script::{ScriptedCall, ScriptedModel};
pub use trail::{assert_trail, trail_lines};
