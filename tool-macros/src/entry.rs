//! The way of every attribute: parse, model, validate, expand; the user's item first, whatever happens.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proc_macro2::TokenStream;
use quote::quote;

use crate::args::Args;
use crate::diagnostics::Diagnostics;
use crate::expand::{self, toolbox::Entry};
use crate::grammar::{self, Grammar, TOOL, TOOLBOX};
use crate::item::{ImplBlock, ItemFn, Member};
use crate::model::{self, Function, Hook, Role, Tool};
use crate::validate;

pub(crate) fn tool(tokens: TokenStream, input: TokenStream) -> TokenStream {
    function("tool", &TOOL, tokens, input, |item, args, diagnostics| {
        let function = Function::new(item, None, diagnostics);
        let tool = Tool::new(function, args, model::root(args.path("crate")));
        validate::tool(&tool, diagnostics);
        expand::tool::expand(&tool, diagnostics.is_broken())
    })
}

pub(crate) fn hook(role: Role, tokens: TokenStream, input: TokenStream) -> TokenStream {
    let name = role.attribute();
    function(
        name,
        &grammar::hook(role),
        tokens,
        input,
        |item, args, diagnostics| {
            let function = Function::new(item, None, diagnostics);
            let hook = Hook::new(role, function, args, model::root(args.path("crate")));
            validate::hook(&hook, args, diagnostics);
            expand::hook::expand(&hook, diagnostics.is_broken())
        },
    )
}

/// What an attribute on a function does before and after its own work.
#[expect(
    clippy::needless_pass_by_value,
    reason = "an entry point is given its tokens"
)]
fn function(
    name: &'static str,
    grammar: &Grammar,
    tokens: TokenStream,
    input: TokenStream,
    work: impl FnOnce(&ItemFn, &Args, &mut Diagnostics) -> TokenStream,
) -> TokenStream {
    caught(&input.clone(), || {
        let mut diagnostics = Diagnostics::default();
        let Ok(mut item) = syn::parse2::<ItemFn>(input.clone()) else {
            validate::not_a_function(name, &input, &mut diagnostics);
            let errors = diagnostics.finish();
            return quote!(#input #errors);
        };
        validate::applied_once(name, &mut item, &mut diagnostics);
        let args = Args::parse(tokens, grammar, &mut diagnostics);
        let mut generated = work(&item, &args, &mut diagnostics);
        if item.sig.receiver().is_some() || !item.has_body() {
            // In an `impl` block or a trait nothing but its own items can stand.
            generated = TokenStream::new();
        }
        let errors = diagnostics.finish();
        quote!(#item #errors #generated)
    })
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "an entry point is given its tokens"
)]
pub(crate) fn toolbox(tokens: TokenStream, input: TokenStream) -> TokenStream {
    caught(&input.clone(), || {
        let mut diagnostics = Diagnostics::default();
        let Ok(mut block) = syn::parse2::<ImplBlock>(input.clone()) else {
            validate::not_a_block(&input, &mut diagnostics);
            let errors = diagnostics.finish();
            return quote!(#input #errors);
        };
        let args = Args::parse(tokens, &TOOLBOX, &mut diagnostics);
        validate::toolbox(&block, &mut diagnostics);
        let found = members(&mut block, &mut diagnostics);
        let root = model::root(args.path("crate"));
        let prefix = args
            .text("prefix")
            .map_or_else(String::new, syn::LitStr::value);
        let entries = entries(&block, &found, &prefix, &root, &mut diagnostics);
        let generated = expand::toolbox::expand(&block, &entries, &root, diagnostics.is_broken());
        drop(entries);
        let errors = diagnostics.finish();
        let block = expand::toolbox::block(&block);
        quote!(#block #errors #generated)
    })
}

/// A method that is a tool (`None`) or a hook, and the arguments of its attribute.
struct Found {
    index: usize,
    role: Option<Role>,
    args: Args,
}

/// Takes the attributes of tools and hooks off the methods.
fn members(block: &mut ImplBlock, diagnostics: &mut Diagnostics) -> Vec<Found> {
    let mut found = Vec::new();
    for (index, member) in block.items.iter_mut().enumerate() {
        let Member::Fn(item) = member else { continue };
        let Some((position, role)) = marked(item) else {
            continue;
        };
        let attr = item.attrs.remove(position);
        let (name, args) = match role {
            None => ("tool", Args::of(&attr, &TOOL, diagnostics)),
            Some(role) => (
                role.attribute(),
                Args::of(&attr, &grammar::hook(role), diagnostics),
            ),
        };
        validate::applied_once(name, item, diagnostics);
        found.push(Found { index, role, args });
    }
    found
}

/// The first attribute that makes a tool (`None`) or a hook of a method.
fn marked(item: &ItemFn) -> Option<(usize, Option<Role>)> {
    item.attrs.iter().enumerate().find_map(|(position, attr)| {
        let is = |name: &str| validate::names(attr, name);
        if is("tool") {
            return Some((position, None));
        }
        Role::ALL
            .into_iter()
            .find(|role| is(role.attribute()))
            .map(|role| (position, Some(role)))
    })
}

fn entries<'a>(
    block: &'a ImplBlock,
    found: &'a [Found],
    prefix: &str,
    root: &TokenStream,
    diagnostics: &mut Diagnostics,
) -> Vec<Entry<'a>> {
    let of = &block.ty;
    let mut entries = Vec::new();
    for Found { index, role, args } in found {
        let Member::Fn(item) = &block.items[*index] else {
            continue;
        };
        let function = Function::new(item, Some(of), diagnostics);
        entries.push(match role {
            None => {
                let tool = Tool::new(function, args, root.clone()).in_toolbox(of, prefix);
                validate::tool(&tool, diagnostics);
                Entry::Tool(tool)
            }
            Some(role) => {
                let hook = Hook::new(*role, function, args, root.clone()).in_toolbox(of, args);
                validate::hook(&hook, args, diagnostics);
                Entry::Hook(hook)
            }
        });
    }
    entries
}

/// A panic in here is a bug; it must not take the user's item with it.
fn caught(input: &TokenStream, work: impl FnOnce() -> TokenStream) -> TokenStream {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let reason = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("for no reason it could name");
        let message =
            format!("tool-macros panicked: {reason}\nhelp: this is a bug, please report it");
        quote!(#input ::core::compile_error! { #message })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_reported_beside_the_item() {
        let input = quote! { fn f() {} };
        let output = caught(&input, || panic!("at the {}", "disco"));
        let message = "tool-macros panicked: at the disco\nhelp: this is a bug, please report it";
        let expected = quote! { fn f() {} ::core::compile_error! { #message } };
        assert_eq!(output.to_string(), expected.to_string());
    }
}
