//! One entry of a tool's table of properties, and what `#[arg]` adds to it.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{Expr, RangeLimits, Type};

use super::{Place, made, member};
use crate::args::peel;
use crate::docs::{Text, docs};
use crate::item;
use crate::model::Param;
use crate::validate::is_text;

/// `__t::witness::<T>()`, under the type: the same call wherever a type is needed, so that rustc
/// says the same of it, and that once.
pub(super) fn witness(ty: &Type) -> TokenStream {
    let place = Place::of(ty);
    let open = quote_spanned!(place.start=> __t::witness::<);
    let close = quote_spanned!(place.end=> >());
    made!(#open #ty #close)
}

pub(super) fn property(param: &Param) -> TokenStream {
    let Param { ty, cfgs, .. } = param;
    let name = param.property();
    let docs = match docs(&param.docs) {
        Text::Literal(text) => made!(#text),
        Text::Expr(tokens) => tokens,
    };
    let witness = witness(ty);
    let place = Place::of(ty);
    let wide = Ident::new("WIDE", place.end);
    let property = quote_spanned! {place.start=>
        __t::property(#name, #docs, #witness, __t::Probe::<#ty>::#wide)
    };
    let refined = refined(param).map(|refine| made!(.refined(#refine)));
    made!(#(#cfgs)* #property #refined)
}

/// `|__property| { .. }` for what `#[arg]` says.
fn refined(param: &Param) -> Option<TokenStream> {
    let mut calls = Vec::new();
    if let Some(title) = param.refinement("title") {
        calls.push(made!(__property.title(#title);));
    }
    if let Some(value) = param.refinement("default") {
        calls.push(default(&param.ty, value));
    }
    if let Some(Expr::Array(examples)) = param.refinement("examples").map(peel) {
        calls.extend(
            examples
                .elems
                .iter()
                .map(|example| made!(__property.example(#example);)),
        );
    }
    for key in ["range", "length"] {
        if let Some(Expr::Range(range)) = param.refinement(key).map(peel) {
            let bound = |bound: &Option<Box<Expr>>| match (bound, key) {
                (Some(bound), _) => made!(__t::Some(#bound)),
                // A length is a `u64`, a number may be any.
                (None, "range") => made!(__t::None::<__t::Unit>),
                (None, _) => made!(__t::None),
            };
            let (start, end) = (bound(&range.start), bound(&range.end));
            let below = matches!(
                (&range.limits, &range.end),
                (RangeLimits::HalfOpen(_), Some(_))
            );
            let method = if below {
                format!("{key}_below")
            } else {
                key.to_owned()
            };
            let method = Ident::new(&method, Place::of(range).start);
            calls.push(made!(__property.#method(#start, #end);));
        }
    }
    if let Some(regex) = param.refinement("regex") {
        calls.push(made!(__property.regex(#regex);));
    }
    (!calls.is_empty()).then(|| made!(|__property| { #(#calls)* }))
}

fn default(ty: &Type, value: &Expr) -> TokenStream {
    let place = Place::of(ty);
    let optional = Ident::new("OPTIONAL", place.end);
    let check = quote_spanned! {place.start=>
        const _: () = __t::defaultable(__t::Probe::<#ty>::#optional);
    };
    // An `Option` is refused above; a mismatch beside it would say the same mistake again.
    let value = match spells_option(ty) {
        true => value.to_token_stream(),
        false => typed_value(ty, value),
    };
    made!(#check __property.default_value(#value);)
}

/// Saves a second error and decides nothing: aliases of `Option` are told by the probe.
fn spells_option(ty: &Type) -> bool {
    let Type::Path(path) = item::peel(ty) else {
        return false;
    };
    path.path
        .segments
        .last()
        .is_some_and(|last| last.ident == "Option")
}

/// `{ let __value: T = EXPR; __value }`: rustc's own mismatch, at the expression. A literal string
/// stands for any type that is made from one.
fn typed_value(ty: &Type, value: &Expr) -> TokenStream {
    let place = Place::of(value);
    let made = if is_text(value) {
        let role = quote_spanned!(place.end=> __t::FromText);
        let any = quote_spanned!(place.start=> _);
        let from = member(&place, &any, &role, "from_text");
        quote_spanned!(place.end=> #from(#value))
    } else {
        value.to_token_stream()
    };
    quote_spanned!(place.start=> { let __value: #ty = #made; __value })
}
