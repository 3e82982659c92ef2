//! `#[tool]`: a handle, an arguments struct and one implementation.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::ext::IdentExt;
use syn::{Expr, Type};

use super::{Place, hidden, made, member};
use crate::args::{self, as_text, milliseconds, peel};
use crate::model::{Param, Text, Tool, docs};
use crate::validate::{has_caller, is_argument, is_text};

/// Input: `fn hello(name: String) -> String { .. }`.
/// Output: the handle `struct hello {}`, `struct HelloArgs { name: String }` and `impl Tool for hello`.
///
/// A broken tool gets an implementation that compiles and is never run: its own mistakes were
/// reported, and whoever names its handle has made none.
pub(crate) fn expand(tool: &Tool, broken: bool) -> TokenStream {
    let handle = handle(tool);
    let arguments = arguments(tool, broken);
    let implementation = implementation(tool, broken);
    let root = &tool.root;
    if tool.args.name("args").is_some() {
        let hidden = hidden(root, &made!(#implementation));
        let arguments = named_arguments(tool, &arguments);
        return made!(#handle #arguments #hidden);
    }
    let hidden = hidden(root, &made!(#arguments #implementation));
    made!(#handle #hidden)
}

fn handle(tool: &Tool) -> TokenStream {
    let Tool { handle, root, .. } = tool;
    let vis = &tool.function.item.vis;
    let docs = format!(
        "The handle of the tool `{}`: registers it, and binds hooks to it.",
        tool.name
    );
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
fn properties<'t>(tool: &'t Tool) -> impl Iterator<Item = &'t Param> {
    tool.function
        .params
        .iter()
        .filter(|param| is_argument(param) && param.whole.is_none())
}

fn whole<'t>(tool: &'t Tool) -> Option<&'t Param> {
    tool.function
        .params
        .iter()
        .find(|param| is_argument(param) && param.whole.is_some())
}

/// The fields' types go through `Parameter`: a type that is none is an error once, and not again
/// for the struct it makes.
fn arguments(tool: &Tool, broken: bool) -> TokenStream {
    if whole(tool).is_some() {
        return TokenStream::new();
    }
    let name = &tool.arguments;
    let is_named = tool.args.name("args").is_some();
    let fields = properties(tool).filter_map(|param| {
        let Param {
            ident, cfgs, docs, ..
        } = param;
        let field = if is_named || broken {
            field_type(param, broken)?
        } else {
            parameter(param, "Itself")
        };
        let docs = is_named.then(|| made!(#(#[doc = #docs])*));
        Some(made!(#(#cfgs)* #docs pub #ident: #field,))
    });
    made!(pub struct #name { #(#fields)* })
}

/// A broken function may be generic over what its types name.
fn field_type(param: &Param, broken: bool) -> Option<TokenStream> {
    let is_impl = matches!(param.ty, Type::ImplTrait(_));
    (!broken || !is_impl).then(|| param.ty.to_token_stream())
}

fn named_arguments(tool: &Tool, arguments: &TokenStream) -> TokenStream {
    let docs = format!("The arguments of the tool `{}`.", tool.name);
    let vis = &tool.function.item.vis;
    // The struct is as visible as the function.
    let arguments: TokenStream = arguments.clone().into_iter().skip(1).collect();
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
    made! {
        #[automatically_derived]
        impl __tool::Tool for #handle {
            #body
        }
    }
}

fn stand_in(tool: &Tool) -> TokenStream {
    let name = &tool.arguments;
    let arguments = match whole(tool) {
        Some(_) => made!(()),
        None => made!(#name),
    };
    let function = &tool.function;
    let is_generic = !function.item.sig.generics.params.is_empty();
    let settle = match &function.output {
        Type::ImplTrait(_) => made!(__tool::StandIn),
        _ if is_generic => made!(__tool::StandIn),
        _ => settle(tool),
    };
    made! {
        type Args = #arguments;
        type Output = <Self::Settle as __tool::Settle>::Value;
        type Settle = #settle;
        const INFO: &'static __tool::Info = __tool::STAND_IN;
        fn decode(_: &__tool::str) -> __tool::Result<Self::Args, __tool::ToolError> {
            __tool::stand_in()
        }
        fn start<'a>(
            _: Self::Args,
            _: __tool::Receiver<'a>,
            _: &'a __tool::RunContext,
        ) -> __tool::Result<__tool::Running<'a>, __tool::ToolError> {
            __tool::stand_in()
        }
    }
}

fn members(tool: &Tool) -> TokenStream {
    let arguments = match whole(tool) {
        Some(param) => parameter(param, "Itself"),
        None => tool.arguments.to_token_stream(),
    };
    let settle = settle(tool);
    let info = info(tool);
    let typed_call = typed_call(tool);
    let definition = definition(tool);
    let decode = decode(tool);
    let start = start(tool);
    let settings = settings(tool);
    made! {
        type Args = #arguments;
        type Output = <Self::Settle as __tool::Settle>::Value;
        type Settle = #settle;
        #info
        #typed_call
        #definition
        #decode
        #start
        #settings
    }
}

/// `<R as Returned<..>>::Settle`: an inherent constant beats the trait's, so that `Result`, by
/// whatever name, is told from what is not.
fn settle(tool: &Tool) -> TokenStream {
    let output = &tool.function.output;
    let place = Place::of(output);
    let role = quote_spanned! {place.end=>
        __tool::Returned<
            { __tool::Probe::<#output>::FALLIBLE },
            { __tool::Probe::<#output>::CHAINED },
        >
    };
    member(&place, output, &role, "Settle")
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
    let parameters = match whole(tool) {
        Some(param) => {
            let ty = parameter(param, "TYPE");
            made!(Whole(#ty))
        }
        None => {
            let properties = properties(tool).map(property);
            made!(Each(&[#(#properties),*]))
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
    made! {
        const INFO: &'static __tool::Info = &__tool::Info::new(
            [#name, #handle, #description],
            #location,
            __tool::Parameters::#parameters,
            &[#(#needs),*],
        );
    }
}

/// The function's own line, not the attribute's: `line!` reports where its tokens stand.
pub(crate) fn location(ident: &Ident) -> TokenStream {
    let span = ident.span();
    let (file, line) = (
        quote_spanned!(span=> ::core::file!()),
        quote_spanned!(span=> ::core::line!()),
    );
    made!(__tool::Location { file: #file, line: #line })
}

/// `<T as __tool::Parameter>::what`, under the type.
fn parameter(param: &Param, what: &str) -> TokenStream {
    let place = Place::of(&param.ty);
    let role = quote_spanned!(place.end=> __tool::Parameter);
    member(&place, &param.ty, &role, what)
}

/// `<T as __tool::FromContext>::what`, under the whole type with its `&`.
fn from_context(param: &Param, what: &str) -> TokenStream {
    let place = Place::of(&param.ty);
    let role = quote_spanned!(place.end=> __tool::FromContext);
    member(&place, param.referent().unwrap_or(&param.ty), &role, what)
}

/// One entry of the table of properties.
fn property(param: &Param) -> TokenStream {
    let Param { ty, cfgs, .. } = param;
    let name = param.property();
    let docs = match docs(&param.docs) {
        Text::Literal(text) => made!(#text),
        Text::Expr(tokens) => tokens,
    };
    let info = parameter(param, "TYPE");
    let place = Place::of(ty);
    let wide = Ident::new("WIDE", place.end);
    let span = place.start;
    let property =
        quote_spanned!(span=> __tool::property(#name, #docs, #info, __tool::Probe::<#ty>::#wide));
    let refined = refined(param).map(|refine| made!(.refined(#refine)));
    made!(#(#cfgs)* #property #refined)
}

/// `|property| { .. }` for what `#[arg]` says.
fn refined(param: &Param) -> Option<TokenStream> {
    let ty = &param.ty;
    let mut calls = Vec::new();
    if let Some(title) = param.refinement("title") {
        calls.push(made!(property.title(#title);));
    }
    if let Some(default) = param.refinement("default") {
        let place = Place::of(ty);
        let optional = Ident::new("OPTIONAL", place.end);
        let check = quote_spanned! {place.start=>
            const _: () = __tool::defaultable(__tool::Probe::<#ty>::#optional);
        };
        let value = typed_value(ty, default);
        calls.push(made!(#check property.default_value(#value);));
    }
    if let Some(Expr::Array(examples)) = param.refinement("examples").map(peel) {
        calls.extend(
            examples
                .elems
                .iter()
                .map(|example| made!(property.example(#example);)),
        );
    }
    for key in ["range", "length"] {
        if let Some(Expr::Range(range)) = param.refinement(key).map(peel) {
            let bound = |bound: &Option<Box<Expr>>| match (bound, key) {
                (Some(bound), _) => made!(__tool::Some(#bound)),
                (None, "range") => made!(__tool::None::<__tool::Value>),
                (None, _) => made!(__tool::None),
            };
            let (start, end) = (bound(&range.start), bound(&range.end));
            let method = Ident::new(key, Place::of(range).start);
            calls.push(made!(property.#method(#start, #end);));
        }
    }
    if let Some(regex) = param.refinement("regex") {
        calls.push(made!(property.regex(#regex);));
    }
    (!calls.is_empty()).then(|| made!(|property| { #(#calls)* }))
}

/// `{ let value: T = EXPR; value }`: rustc's own mismatch, at the expression. A literal string
/// stands for any type that is made from one.
fn typed_value(ty: &Type, value: &Expr) -> TokenStream {
    let made = if is_text(value) {
        let place = Place::of(value);
        let role = quote_spanned!(place.end=> __tool::From<&'static __tool::str>);
        let from = member(&place, &made!(_), &role, "from");
        made!(#from(#value))
    } else {
        value.to_token_stream()
    };
    let span = Place::of(value).start;
    quote_spanned!(span=> { let value: #ty = #made; value })
}

/// What a typed call needs: the arguments as JSON, and the output back from it.
fn typed_call(tool: &Tool) -> TokenStream {
    let named = tool.args.name("args").is_some();
    let whole = whole(tool);
    let reads = named
        || whole.is_some()
        || ["render", "presentation_meta"]
            .iter()
            .any(|key| tool.args.key(key).is_some());
    let read = reads.then(|| {
        made! {
            const READ: __tool::Option<__tool::Read<Self::Output>> =
                __tool::Probe::<Self::Output>::READ;
        }
    });
    if !named && whole.is_none() {
        return read.unwrap_or_default();
    }
    let writable = tool
        .function
        .params
        .iter()
        .filter(|param| is_argument(param))
        .map(|param| {
            let Param { ty, cfgs, .. } = param;
            made!(#(#cfgs)* __tool::Probe::<#ty>::WRITABLE)
        });
    let puts = match whole {
        Some(_) => made!(__tool::Written(args).whole(object)?;),
        None => properties(tool)
            .map(|param| {
                let Param { ident, cfgs, .. } = param;
                let name = param.property();
                made!(#(#cfgs)* __tool::Written(&args.#ident).put(#name, object)?;)
            })
            .collect(),
    };
    made! {
        #read
        const CALLABLE: __tool::Callable = __tool::Callable::Named(&[#(#writable),*]);
        fn encode(
            args: &Self::Args,
            object: &mut __tool::Object,
        ) -> __tool::Result<(), __tool::ToolError> {
            #puts
            __tool::Ok(())
        }
    }
}

/// A method's handle brings its instance along.
fn definition(tool: &Tool) -> Option<TokenStream> {
    instance(tool)?;
    Some(made! {
        fn definition(self) -> __tool::ToolDefinition {
            __tool::define::<Self>(__tool::Some(self.0))
        }
    })
}

/// The values come as a list of the slots' shape: `(a, (b, ()))`.
fn decode(tool: &Tool) -> TokenStream {
    let body = match whole(tool) {
        Some(param) => {
            let whole = parameter(param, "whole");
            made!(#whole(text))
        }
        None => decode_each(tool),
    };
    made! {
        fn decode(text: &__tool::str) -> __tool::Result<Self::Args, __tool::ToolError> {
            #body
        }
    }
}

fn decode_each(tool: &Tool) -> TokenStream {
    let name = &tool.arguments;
    let properties: Vec<&Param> = properties(tool).collect();
    let values: Vec<Ident> = (0..properties.len())
        .map(|i| args::hidden(&format!("value{i}")))
        .collect();
    let slots = properties.iter().map(|param| parameter(param, "SLOT"));
    let fields = properties.iter().zip(&values).map(|(param, value)| {
        let Param { ident, cfgs, .. } = param;
        made!(#(#cfgs)* #ident: #value)
    });
    let fields = made!(__tool::Ok(#name { #(#fields),* }));
    let nest = |list: TokenStream, head: &dyn ToTokens| made!((#head, #list));
    if properties.iter().all(|param| param.cfgs.is_empty()) {
        let slots: Vec<TokenStream> = slots.collect();
        let list = slots
            .iter()
            .rev()
            .fold(made!(()), |list, slot| nest(list, slot));
        let pattern = values
            .iter()
            .rev()
            .fold(made!(()), |list, value| nest(list, value));
        return made! {
            let #pattern = __tool::decode(text, Self::INFO, #list)?;
            #fields
        };
    }
    // A statement can be configured away, a part of a tuple cannot.
    let cfgs: Vec<_> = properties.iter().map(|param| &param.cfgs).collect();
    let slots: Vec<TokenStream> = slots.collect();
    let pushes = slots
        .iter()
        .zip(&cfgs)
        .rev()
        .map(|(slot, cfgs)| made!(#(#cfgs)* let list = (#slot, list);));
    let pops = values
        .iter()
        .zip(&cfgs)
        .map(|(value, cfgs)| made!(#(#cfgs)* let (#value, list) = list;));
    made! {
        let list = ();
        #(#pushes)*
        let list = __tool::decode(text, Self::INFO, list)?;
        #(#pops)*
        let () = list;
        #fields
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
            made!(#get(cx)? #owned)
        } else if param.whole.is_some() {
            made!(args)
        } else {
            made!(args.#ident)
        };
        made!(#(#cfgs)* #value)
    });
    let receiver = instance(tool).map(|of| made!(receiver.get::<#of>()?,));
    let path = match tool.of {
        Some(of) => made!(<#of>::#ident),
        None => made!(#ident),
    };
    let call = quote_spanned!(ident.span()=> #path(#receiver #(#inputs),*));
    let run = format_ident!("{}", if function.is_async { "pending" } else { "done" });
    made! {
        fn start<'a>(
            args: Self::Args,
            receiver: __tool::Receiver<'a>,
            cx: &'a __tool::RunContext,
        ) -> __tool::Result<__tool::Running<'a>, __tool::ToolError> {
            __tool::Ok(__tool::#run::<Self>(#call))
        }
    }
}

/// What the attribute says beside name and description, in its own order of the table.
fn settings(tool: &Tool) -> Option<TokenStream> {
    let args = tool.args;
    let mut steps: Vec<TokenStream> = Vec::new();
    if let Text::Expr(text) = &tool.description {
        steps.push(made!(definition.description(#text)));
    }
    if let Some(title) = args.text("title") {
        steps.push(made!(definition.title(#title)));
    }
    if let Some(timeout) = args.value("timeout") {
        let time = match as_text(timeout) {
            Some(text) => {
                let milliseconds = milliseconds(&text.value());
                made!(__tool::Duration::from_millis(#milliseconds))
            }
            None => timeout.to_token_stream(),
        };
        steps.push(made!(definition.timeout(#time)));
    }
    if let Some(text) = args.text("on_cancel") {
        let variant = format_ident!(
            "{}",
            if text.value() == "drop" {
                "Drop"
            } else {
                "Wait"
            }
        );
        steps.push(made!(definition.on_cancel(__tool::OnCancel::#variant)));
    }
    match (args.path("concurrency_safe"), args.key("concurrency_safe")) {
        (Some(path), _) => {
            steps.push(made!(__tool::classify::<Self, _>(definition, |args| #path(args))));
        }
        (None, Some(_)) => steps.push(made!(definition.concurrency_safe(true))),
        (None, None) => {}
    }
    let hints = ["read_only", "destructive", "idempotent", "open_world"].map(|key| args.flag(key));
    if hints.iter().any(Option::is_some) {
        let hints = hints.map(|hint| match hint {
            Some(hint) => made!(__tool::Some(#hint)),
            None => made!(__tool::None),
        });
        steps.push(made!(__tool::hints(definition, [#(#hints),*])));
    }
    if args.key("callers").is_some() {
        let (direct, code) = (has_caller(args, "direct"), has_caller(args, "code"));
        steps.push(made!(__tool::callers(definition, #direct, #code)));
    }
    for key in ["render", "presentation_meta"] {
        if let Some(path) = args.path(key) {
            let method = format_ident!("{key}");
            let place = Place::of(path);
            steps.push(quote_spanned!(place.start=>
                __tool::#method::<Self, _, _>(definition, #path)));
        }
    }
    if let Some(path) = args.path("finalize_content") {
        steps.push(made! {
            __tool::finalize_content(definition, |execution, result| #path(execution, result))
        });
    }
    if let Some(path) = args.path("present_call") {
        steps.push(made!(__tool::present_call::<Self>(definition, |args| #path(args))));
    }
    if let Some(path) = args.path("present_result") {
        steps.push(made! {
            __tool::present_result::<Self>(definition, |args, result| #path(args, result))
        });
    }
    (!steps.is_empty()).then(|| {
        made! {
            fn settings(definition: __tool::ToolDefinition) -> __tool::ToolDefinition {
                #(let definition = #steps;)*
                definition
            }
        }
    })
}
