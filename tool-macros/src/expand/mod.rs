//! From models to code. What every generator shares.

pub(crate) mod hook;
mod property;
mod settings;
pub(crate) mod tool;
pub(crate) mod toolbox;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// `quote!` whose local names meet none of the user's, and whose items are found where they stand.
macro_rules! made {
    ($($tokens:tt)*) => {
        ::quote::quote_spanned!(::proc_macro2::Span::mixed_site()=> $($tokens)*)
    };
}
use made;

/// The parts of generated code that rustc may have something to say about stand under the tokens
/// of the user they come from: the first and the last, since stable Rust joins no spans.
struct Place {
    start: Span,
    end: Span,
}

impl Place {
    fn of(spanned: &impl ToTokens) -> Self {
        let mut tokens = spanned.to_token_stream().into_iter();
        let first = tokens
            .next()
            .map_or_else(Span::call_site, |token| token.span());
        let last = tokens.last().map_or(first, |token| token.span());
        let hygienic = |span: Span| span.resolved_at(Span::mixed_site());
        Self {
            start: hygienic(first),
            end: hygienic(last),
        }
    }
}

/// Input: `Query`, `__t::Parameter`, `SLOT`. Output: `<Query as __t::Parameter>::SLOT`, all
/// of it under `place`. The role is spanned by the caller: it may hold tokens of the user.
fn member(place: &Place, ty: &impl ToTokens, role: &TokenStream, member: &str) -> TokenStream {
    let open = quote_spanned!(place.start=> <);
    let member = Ident::new(member, place.end);
    let rest = quote_spanned!(place.end=> as #role>::#member);
    quote!(#open #ty #rest)
}

/// The block that holds what generated code needs, and keeps its names away from the user's.
fn hidden(root: &TokenStream, body: &TokenStream) -> TokenStream {
    made! {
        #[allow(deprecated, unused_imports)]
        const _: () = {
            use #root::__private as __t;
            use __t::otherwise::*;
            #body
        };
    }
}
