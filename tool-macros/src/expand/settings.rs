//! What `#[tool(...)]` says beside name and description, and what a typed call needs.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::{Expr, Path};

use super::tool::{properties, whole};
use super::{Place, made};
use crate::args::{Args, as_text, milliseconds, peel};
use crate::docs::Text;
use crate::model::{Param, Tool};
use crate::validate::{has_caller, is_argument, may_count};

/// `fn settings`, a step for each argument; nothing if there is none.
pub(super) fn settings(tool: &Tool) -> Option<TokenStream> {
    let args = tool.args;
    let mut steps: Vec<TokenStream> = Vec::new();
    if let Text::Expr(text) = &tool.description {
        steps.push(made!(__definition.description(#text)));
    }
    if let Some(title) = args.text("title") {
        steps.push(made!(__definition.title(#title)));
    }
    steps.extend(timeout(args).map(|time| made!(__definition.timeout(#time))));
    if let Some(text) = args.text("on_cancel") {
        let variant = format_ident!(
            "{}",
            if text.value() == "drop" {
                "Drop"
            } else {
                "Wait"
            }
        );
        steps.push(made!(__definition.on_cancel(__t::OnCancel::#variant)));
    }
    match (args.path("concurrency_safe"), args.key("concurrency_safe")) {
        (Some(path), _) => {
            let call = called(path, &["__args"]);
            steps.push(made!(__t::classify::<Self, _>(__definition, |__args| #call)));
        }
        (None, Some(_)) => steps.push(made!(__definition.concurrency_safe(true))),
        (None, None) => {}
    }
    let hints = ["read_only", "destructive", "idempotent", "open_world"].map(|key| args.flag(key));
    if hints.iter().any(Option::is_some) {
        let hints = hints.map(|hint| match hint {
            Some(hint) => made!(__t::Some(#hint)),
            None => made!(__t::None),
        });
        steps.push(made!(__t::hints(__definition, [#(#hints),*])));
    }
    if args.key("callers").is_some() {
        let (direct, code) = (has_caller(args, "direct"), has_caller(args, "code"));
        steps.push(made!(__t::callers(__definition, #direct, #code)));
    }
    if let Some(bytes) = args.value("max_content_bytes").filter(|it| may_count(it)) {
        steps.push(made!(__definition.max_content_bytes(#bytes)));
    }
    steps.extend(presentation(args));
    (!steps.is_empty()).then(|| {
        made! {
            fn settings(__definition: __t::ToolDefinition) -> __t::ToolDefinition {
                #(let __definition = #steps;)*
                __definition
            }
        }
    })
}

/// A literal was checked; any other expression is a `Duration`, or rustc's mismatch.
fn timeout(args: &Args) -> Option<TokenStream> {
    let timeout = args.value("timeout")?;
    match (as_text(timeout), peel(timeout)) {
        (Some(text), _) => milliseconds(&text.value())
            .map(|milliseconds| made!(__t::Duration::from_millis(#milliseconds))),
        (None, Expr::Lit(_)) => None,
        (None, _) => Some(timeout.to_token_stream()),
    }
}

/// Renderers may take one parameter or two, so a trait judges them; all others are called, so that
/// rustc shows where the function is defined.
fn presentation(args: &Args) -> Vec<TokenStream> {
    let mut steps = Vec::new();
    for key in ["render", "presentation_meta"] {
        if let Some(path) = args.path(key) {
            let method = format_ident!("{key}");
            let place = Place::of(path);
            steps.push(quote_spanned! {place.start=>
                __t::#method::<Self, _, _>(__definition, #path)
            });
        }
    }
    if let Some(path) = args.path("finalize_content") {
        let call = called(path, &["__execution", "__result"]);
        steps.push(made!(__t::finalize_content(__definition, |__execution, __result| #call)));
    }
    if let Some(path) = args.path("present_call") {
        let call = called(path, &["__args"]);
        steps.push(made!(__t::present_call::<Self>(__definition, |__args| #call)));
    }
    if let Some(path) = args.path("present_result") {
        let call = called(path, &["__args", "__result"]);
        steps.push(made!(__t::present_result::<Self>(__definition, |__args, __result| #call)));
    }
    steps
}

/// `path(inputs)`, all of it under the path.
fn called(path: &Path, inputs: &[&str]) -> TokenStream {
    let place = Place::of(path);
    let inputs = inputs.iter().map(|name| Ident::new(name, place.end));
    quote_spanned!(place.end=> #path(#(#inputs),*))
}

/// Whether the arguments have a name to write down.
fn has_typed_call(tool: &Tool) -> bool {
    tool.args.name("args").is_some() || whole(tool).is_some()
}

/// A typed call asks where it is made whether every argument can be written.
pub(super) fn writes(tool: &Tool) -> Option<TokenStream> {
    if !has_typed_call(tool) {
        return None;
    }
    let handle = &tool.handle;
    let arguments = tool
        .function
        .params
        .iter()
        .filter(|param| is_argument(param));
    let writable =
        arguments.map(|Param { ty, cfgs, .. }| made!(#(#cfgs)* __t::Probe::<#ty>::WRITABLE));
    Some(made! {
        #[automatically_derived]
        impl __t::Writes<{ __t::all(&[#(#writable),*]) }> for #handle {}
    })
}

/// The arguments as JSON, and the output back from it.
pub(super) fn typed_call(tool: &Tool) -> TokenStream {
    let renders = ["render", "presentation_meta"]
        .iter()
        .any(|key| tool.args.key(key).is_some());
    let read = (renders || has_typed_call(tool)).then(|| {
        made! {
            const READ: __t::Option<__t::Read<Self::Output>> =
                __t::Probe::<Self::Output>::READ;
        }
    });
    let encode = has_typed_call(tool).then(|| {
        let puts: TokenStream = match whole(tool) {
            Some(_) => made!(__t::Written(__args).whole(__object)?;),
            None => properties(tool).map(put).collect(),
        };
        made! {
            fn encode(
                __args: &Self::Args,
                __object: &mut __t::Object,
            ) -> __t::Result<(), __t::ToolError> {
                #puts
                __t::Ok(())
            }
        }
    });
    made!(#read #encode)
}

fn put(param: &Param) -> TokenStream {
    let Param { ident, cfgs, .. } = param;
    let name = param.property();
    made!(#(#cfgs)* __t::Written(&__args.#ident).put(#name, __object)?;)
}
