//! The attributes of `tool-core`, which re-exports them: use them from there.
//!
//! | attribute | on | makes |
//! |---|---|---|
//! | [`macro@tool`] | a function | a tool |
//! | [`macro@toolbox`] | an `impl` block | tools and hooks that share an instance |
//! | [`macro@guard`] | a function | policy that can only deny |
//! | [`macro@pre_execute`] | a function | policy that allows, asks or denies |
//! | [`macro@around_execute`] | a function | a wrapper of calls |
//! | [`macro@post_execute`] | a function | a review of results |
//! | [`macro@on_result`] | a function | an observer of results |
//!
//! ```
//! use tool_core::{ToolRuntime, guard, tool};
//!
//! /// Greets somebody by name.
//! #[tool]
//! fn hello(name: String) -> String {
//!     format!("Hello, {name}!")
//! }
//!
//! /// Nobody greets the whole world.
//! #[guard(tool = hello)]
//! fn not_world(name: &str) -> Option<String> {
//!     (name == "World").then(|| format!("greeting {name:?} is not allowed"))
//! }
//!
//! let runtime = ToolRuntime::builder().tool(hello {}).guard(not_world {}).build();
//! assert!(runtime.is_ok());
//! assert_eq!(hello("Ada".into()), "Hello, Ada!");
//! assert_eq!(not_world("Ada"), None);
//! ```
//!
//! Whatever an attribute stands on is emitted first and unchanged: functions stay functions, to be
//! called and tested. Bodies are not read. All mistakes of an item are reported in one run.

// Tokens in, tokens out: one verb per file, from top to bottom.
mod args;
mod diagnostics;
mod docs;
mod entry;
mod expand;
mod grammar;
mod item;
mod model;
mod validate;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

use crate::model::Role;

#[doc = include_str!("../docs/tool.md")]
#[proc_macro_attribute]
pub fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::tool(args.into(), item.into()).into()
}

#[doc = include_str!("../docs/toolbox.md")]
#[proc_macro_attribute]
pub fn toolbox(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::toolbox(args.into(), item.into()).into()
}

#[doc = include_str!("../docs/guard.md")]
#[proc_macro_attribute]
pub fn guard(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::hook(Role::Guard, args.into(), item.into()).into()
}

#[doc = include_str!("../docs/pre_execute.md")]
#[proc_macro_attribute]
pub fn pre_execute(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::hook(Role::PreExecute, args.into(), item.into()).into()
}

#[doc = include_str!("../docs/around_execute.md")]
#[proc_macro_attribute]
pub fn around_execute(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::hook(Role::AroundExecute, args.into(), item.into()).into()
}

#[doc = include_str!("../docs/post_execute.md")]
#[proc_macro_attribute]
pub fn post_execute(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::hook(Role::PostExecute, args.into(), item.into()).into()
}

#[doc = include_str!("../docs/on_result.md")]
#[proc_macro_attribute]
pub fn on_result(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::hook(Role::OnResult, args.into(), item.into()).into()
}
