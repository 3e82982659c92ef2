//! `#[tool]`: a handle, an arguments struct and one implementation.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::Type;
use syn::ext::IdentExt;

use super::property::{property, witness};
use super::{Place, hidden, made, member, settings};
use crate::docs::Text;
use crate::model::{Param, Tool};
use crate::validate::is_argument;

/// Input: `fn hello(name: String) -> String { .. }`.
/// Output: the handle `struct hello {}`, `struct HelloArgs { name: String }` and `impl Tool for hello`.
///
/// A broken tool gets an implementation that compiles and is never run: its own mistakes were
/// reported, and whoever names its handle has made none.
pub(crate) fn expand(tool: &Tool, broken: bool) -> TokenStream {
    let handle = handle(tool);
    let arguments = arguments(tool, broken);
    let implementation = implementation(tool, broken);
    if tool.args.name("args").is_some() {
        let hidden = hidden(&tool.root, &implementation);
        let arguments = named_arguments(tool, &arguments);
        return made!(#handle #arguments #hidden);
    }
    let hidden = hidden(&tool.root, &made!(pub #arguments #implementation));
    made!(#handle #hidden)
}

fn handle(tool: &Tool) -> TokenStream {
    let Tool { handle, root, .. } = tool;
    let vis = &tool.function.item.vis;
    let docs = format!("The handle of the tool `{}`.", tool.name);
    let body = match instance(tool) {
        Some(of) => made!((#root::__private::Arc<#of>);),
        None => made!({}),
    };
    made! {
        #[doc = #docs]
        #[allow(non_camel_case_types)]
        #vis struct #handle #body
    }
}

/// The type whose instance the handle holds.
fn instance<'a>(tool: &Tool<'a>) -> Option<&'a Type> {
    tool.of.filter(|_| tool.function.receives)
}

/// The parameters that become properties; none if one takes them all.
pub(super) fn properties<'t>(tool: &'t Tool) -> impl Iterator<Item = &'t Param> {
    tool.function
        .params
        .iter()
        .filter(|param| is_argument(param) && param.whole.is_none())
}

/// The parameter that takes all arguments.
pub(super) fn whole<'t>(tool: &'t Tool) -> Option<&'t Param> {
    tool.function
        .params
        .iter()
        .find(|param| is_argument(param) && param.whole.is_some())
}

fn arguments(tool: &Tool, broken: bool) -> TokenStream {
    let name = &tool.arguments;
    let is_named = tool.args.name("args").is_some();
    let fields = properties(tool).filter_map(|param| {
        let Param {
            ident,
            ty,
            cfgs,
            docs,
            ..
        } = param;
        // A broken function may take `impl Trait`.
        if broken && matches!(ty, Type::ImplTrait(_)) {
            return None;
        }
        let docs = is_named.then(|| made!(#(#[doc = #docs])*));
        Some(made!(#(#cfgs)* #docs pub #ident: #ty,))
    });
    made!(struct #name { #(#fields)* })
}

/// As visible as the function: whoever calls it with types writes it down.
fn named_arguments(tool: &Tool, arguments: &TokenStream) -> TokenStream {
    let docs = format!("The arguments of the tool `{}`.", tool.name);
    let vis = &tool.function.item.vis;
    made! {
        #[doc = #docs]
        #[allow(missing_docs)]
        #vis #arguments
    }
}

fn implementation(tool: &Tool, broken: bool) -> TokenStream {
    let handle = &tool.handle;
    let body = if broken {
        stand_in(tool)
    } else {
        members(tool)
    };
    let writes = (!broken).then(|| settings::writes(tool));

    let vis = &tool.function.item.vis;
    let docs = "The tool as it is registered, to be changed.";
    made! {
        #[automatically_derived]
        impl __t::Tool for #handle {
            #body
        }
        impl #handle {
            #[doc = #docs]
            #vis fn definition(self) -> __t::ToolDefinition {
                __t::Tool::definition(self)
            }
        }
        #writes
    }
}

/// What a refused function returns may be as broken as what it takes.
fn stand_in(tool: &Tool) -> TokenStream {
    let name = &tool.arguments;
    let function = &tool.function;
    let is_generic = !function.item.sig.generics.params.is_empty();
    let returns = match &function.output {
        Type::ImplTrait(_) => None,
        _ if is_generic => None,
        _ => Some(returns(tool)),
    };
    let returns = returns.unwrap_or_else(|| {
        made! {
            type Rule = __t::Rule<(), 0>;
            type Output = ();
            const SETTLE: &'static __t::Settle<Self::Rule> = __t::settle::<Self::Rule>();
        }
    });
    made! {
        type Args = #name;
        #returns
        const INFO: &'static __t::Info = __t::STAND_IN;
        fn decode(_: &mut __t::Source<'_>) -> __t::Decoded {
            __t::stand_in()
        }
        fn start<'a>(
            _: Self::Args,
            _: __t::Receiver<'a>,
            _: &'a __t::RunContext,
        ) -> __t::Started<'a> {
            __t::stand_in()
        }
    }
}

fn members(tool: &Tool) -> TokenStream {
    let arguments = match whole(tool) {
        Some(param) => param.ty.to_token_stream(),
        None => {
            // Under the parameters: that one of them cannot be shared is said of all.
            let mut name = tool.arguments.clone();
            let span = tool.function.item.sig.paren_token.span.join();
            name.set_span(name.span().located_at(span));
            name.to_token_stream()
        }
    };
    let returns = returns(tool);
    let info = info(tool);
    let typed_call = settings::typed_call(tool);
    let definition = definition(tool);
    let decode = decode(tool);
    let start = start(tool);
    let settings = settings::settings(tool);
    made! {
        type Args = #arguments;
        #returns
        #info
        #typed_call
        #definition
        #decode
        #start
        #settings
    }
}

/// An inherent constant beats the trait's, so that `Result`, by whatever name, is told from what is
/// not. The bounds stand in one place: what a type lacks is said once.
fn returns(tool: &Tool) -> TokenStream {
    let output = &tool.function.output;
    let place = Place::of(output);
    let kind = quote_spanned! {place.end=>
        { __t::Probe::<#output>::FALLIBLE + __t::Probe::<#output>::CHAINED }
    };
    // The caret covers what stands between the two ends.
    let open = quote_spanned!(place.start=> __t::settle::<Self);
    let settle = quote_spanned!(place.end=> #open::Rule>());
    made! {
        type Rule = __t::Rule<#output, #kind>;
        type Output = <Self::Rule as __t::Ruled>::Success;
        const SETTLE: &'static __t::Settle<Self::Rule> = #settle;
    }
}

fn info(tool: &Tool) -> TokenStream {
    let name = &tool.name;
    let handle = tool.handle.unraw().to_string();
    let description = match &tool.description {
        Text::Literal(text) => text.as_str(),
        // Set in `settings`, where it need not be constant.
        Text::Expr(_) => "",
    };
    let location = location(tool.function.ident);
    let mut new = "new";
    let parameters = match whole(tool) {
        Some(param) => {
            new = "whole";
            witness(&param.ty)
        }
        None => {
            let properties = properties(tool).map(property);
            made!(&[#(#properties),*])
        }
    };
    let needs = tool
        .function
        .params
        .iter()
        .filter(|param| !is_argument(param))
        .map(|param| {
            let cfgs = &param.cfgs;
            let need = from_context(param, "need");
            made!(#(#cfgs)* #need)
        });
    let new = format_ident!("{new}");
    made! {
        const INFO: &'static __t::Info = &__t::Info::#new(
            [#name, #handle, #description],
            #location,
            #parameters,
            &[#(#needs),*],
        );
    }
}

/// The function's own line, not the attribute's: `line!` reports where its tokens stand.
pub(super) fn location(ident: &Ident) -> TokenStream {
    let span = ident.span();
    let file = quote_spanned!(span=> ::core::file!());
    let line = quote_spanned!(span=> ::core::line!());
    made!(__t::at(#file, #line))
}

/// `<T as __t::FromContext>::what`, under the whole type with its `&`.
fn from_context(param: &Param, what: &str) -> TokenStream {
    let place = Place::of(&param.ty);
    let role = quote_spanned!(place.end=> __t::FromContext);
    member(&place, param.referent().unwrap_or(&param.ty), &role, what)
}

/// A method's handle brings its instance along.
fn definition(tool: &Tool) -> Option<TokenStream> {
    instance(tool)?;
    Some(made! {
        fn definition(self) -> __t::ToolDefinition {
            __t::define::<Self>(__t::Some(self.0))
        }
    })
}

/// One read for each parameter, in their order: a field can be configured away.
fn decode(tool: &Tool) -> TokenStream {
    let arguments = match whole(tool) {
        Some(param) => {
            let witness = witness(&param.ty);
            made!(__source.whole(#witness)?)
        }
        None => {
            let name = &tool.arguments;
            let fields = properties(tool).map(|param| {
                let Param {
                    ident, ty, cfgs, ..
                } = param;
                let witness = witness(ty);
                made!(#(#cfgs)* #ident: __source.read(#witness)?)
            });
            made!(#name { #(#fields),* })
        }
    };
    made! {
        fn decode(__source: &mut __t::Source<'_>) -> __t::Decoded {
            __t::prepared::<Self>(#arguments)
        }
    }
}

fn start(tool: &Tool) -> TokenStream {
    let function = &tool.function;
    let ident = function.ident;
    let inputs = function.params.iter().map(|param| {
        let Param { ident, cfgs, .. } = param;
        let value = if !is_argument(param) {
            let get = from_context(param, "from_context");
            let owned = param.referent().is_none().then(|| made!(.clone()));
            made!(#get(__cx)? #owned)
        } else if param.whole.is_some() {
            made!(__args)
        } else {
            made!(__args.#ident)
        };
        made!(#(#cfgs)* #value)
    });
    let receiver = instance(tool).map(|of| made!(__receiver.get::<#of>()?,));
    let path = match tool.of {
        Some(of) => made!(<#of>::#ident),
        None => made!(#ident),
    };
    let call = quote_spanned!(ident.span()=> #path(#receiver #(#inputs),*));
    let run = format_ident!("{}", if function.is_async { "pending" } else { "done" });
    made! {
        fn start<'a>(
            __args: Self::Args,
            __receiver: __t::Receiver<'a>,
            __cx: &'a __t::RunContext,
        ) -> __t::Started<'a> {
            __t::#run::<Self>(#call)
        }
    }
}
