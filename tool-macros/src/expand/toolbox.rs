//! `#[toolbox]`: the block as it was, a handle for each tool and hook, and one list of them.

use proc_macro2::TokenStream;
use quote::TokenStreamExt;

use super::{hook, made, tool};
use crate::item::{ImplBlock, Member};
use crate::model::{Hook, Tool};

/// What stands in a toolbox, in its order.
pub(crate) enum Entry<'a> {
    Tool(Tool<'a>),
    Hook(Hook<'a>),
}

/// Input: `impl Weather { #[tool] fn forecast(&self) .. }`.
/// Output: `struct WeatherForecast(Arc<Weather>)`, `impl Tool for WeatherForecast`, `impl Toolbox for Weather`.
pub(crate) fn expand(
    block: &ImplBlock,
    entries: &[Entry],
    root: &TokenStream,
    broken: bool,
) -> TokenStream {
    let ty = &block.ty;
    let handles = entries.iter().map(|entry| match entry {
        Entry::Tool(tool) => tool::expand(tool, broken),
        Entry::Hook(hook) => hook::expand(hook, broken),
    });
    let installs = entries.iter().map(|entry| {
        let (method, handle, receives) = match entry {
            Entry::Tool(tool) => (made!(tool), &tool.handle, tool.function.receives),
            Entry::Hook(hook) => {
                let method = proc_macro2::Ident::new(hook.role.attribute(), hook.handle.span());
                (made!(#method), &hook.handle, hook.function.receives)
            }
        };
        let value = match receives {
            true => made!(#handle(__this.clone())),
            false => made!(#handle {}),
        };
        made!(let __into = __t::Install::#method(__into, #value);)
    });
    let body = match broken {
        true => made!(__into),
        false => made! {
            let __this = __t::Arc::new(self);
            #(#installs)*
            __into
        },
    };
    made! {
        #(#handles)*
        #[doc(hidden)]
        const _: () = {
            use #root::__private as __t;
            #[automatically_derived]
            impl __t::Toolbox for #ty {
                fn install<__I: __t::Install>(self, __into: __I) -> __I {
                    #body
                }
            }
        };
    }
}

/// The block as the user wrote it, without what only these macros know.
pub(crate) fn block(block: &ImplBlock) -> TokenStream {
    let ImplBlock {
        attrs,
        impl_token,
        generics,
        of_trait,
        ty,
        items,
    } = block;
    let (_, _, where_clause) = generics.split_for_impl();
    let of_trait = of_trait
        .as_ref()
        .map(|(path, for_token)| made!(#path #for_token));
    let mut body = TokenStream::new();
    for item in items {
        match item {
            Member::Fn(function) => body.append_all([function]),
            Member::Other(tokens) => body.append_all([tokens]),
        }
    }
    made! {
        #(#attrs)*
        #impl_token #generics #of_trait #ty #where_clause {
            #body
        }
    }
}
