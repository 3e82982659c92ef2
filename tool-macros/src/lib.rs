//! The attributes of `tool-core`, which re-exports them.

mod args;
mod diagnostics;
mod entry;
mod expand;
mod item;
mod model;
mod validate;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

use crate::model::Role;

/// Turns a function into a tool.
#[proc_macro_attribute]
pub fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::tool(args.into(), item.into()).into()
}

/// Turns the methods of an `impl` block into tools that share an instance.
#[proc_macro_attribute]
pub fn toolbox(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::toolbox(args.into(), item.into()).into()
}

/// Turns a function into a guard.
#[proc_macro_attribute]
pub fn guard(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::hook(Role::Guard, args.into(), item.into()).into()
}

/// Turns a function into a pre-execute hook.
#[proc_macro_attribute]
pub fn pre_execute(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::hook(Role::PreExecute, args.into(), item.into()).into()
}

/// Turns a function into an around-execute hook.
#[proc_macro_attribute]
pub fn around_execute(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::hook(Role::AroundExecute, args.into(), item.into()).into()
}

/// Turns a function into a post-execute hook.
#[proc_macro_attribute]
pub fn post_execute(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::hook(Role::PostExecute, args.into(), item.into()).into()
}

/// Turns a function into an observer of results.
#[proc_macro_attribute]
pub fn on_result(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::hook(Role::OnResult, args.into(), item.into()).into()
}
