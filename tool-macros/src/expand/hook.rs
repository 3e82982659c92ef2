//! The five hooks: one expansion, and a table of what differs.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::{Path, Type};

use super::tool::location;
use super::{Place, hidden, made, member};
use crate::model::{Hook, Param, Role, Source};

/// What differs between the five, in tokens.
struct Shape {
    /// The role's trait.
    role: TokenStream,
    /// Its method, as users implement it, and what that gives.
    method: TokenStream,
    given: TokenStream,
    /// What the pipeline acts on.
    outcome: TokenStream,
    /// What the method takes beside the execution: name, type, and arguments of the type.
    more: Option<(TokenStream, TokenStream, bool)>,
}

fn shape(role: Role) -> Shape {
    let next = || Some((made!(__next), made!(__t::Next), true));
    let result = || Some((made!(__result), made!(__t::ToolResult), false));
    let (name, method, given, more) = match role {
        Role::Guard => (made!(Guard), made!(check), made!(Verdict), None),
        Role::PreExecute => (made!(PreExecute), made!(decide), made!(Decision), None),
        Role::AroundExecute => (
            made!(AroundExecute),
            made!(around),
            made!(ToolResult),
            next(),
        ),
        Role::PostExecute => (
            made!(PostExecute),
            made!(review),
            made!(PostDecision),
            result(),
        ),
        Role::OnResult => (made!(OnResult), made!(observe), made!(Unit), result()),
    };
    let outcome = if role == Role::PostExecute {
        made!(PostOutcome)
    } else {
        given.clone()
    };
    Shape {
        role: made!(__t::#name),
        method,
        given: made!(__t::#given),
        outcome: made!(__t::#outcome),
        more,
    }
}

impl Shape {
    /// The inputs of a function, with lifetimes named `lifetime`.
    fn inputs(&self, lifetime: &TokenStream) -> TokenStream {
        let more = self
            .more
            .as_ref()
            .map(|(name, ty, is_owned)| match is_owned {
                true => made!(, #name: #ty<#lifetime>),
                false => made!(, #name: &#lifetime #ty),
            });
        made!(__execution: &#lifetime __t::ToolExecution #more)
    }

    /// The same as arguments.
    fn names(&self) -> TokenStream {
        let more = self.more.as_ref().map(|(name, ..)| made!(, #name));
        made!(__execution #more)
    }
}

/// Input: `#[guard(tool = hello)] fn not_world(name: &str) -> Option<String> { .. }`.
/// Output: the handle `struct not_world {}` and `impl Guard for not_world`.
pub(crate) fn expand(hook: &Hook, broken: bool) -> TokenStream {
    let handle = handle(hook);
    let implementation = implementation(hook, broken);
    let hidden = hidden(&hook.root, &implementation);
    made!(#handle #hidden)
}

fn handle(hook: &Hook) -> TokenStream {
    let Hook { handle, root, .. } = hook;
    let vis = &hook.function.item.vis;
    let noun = hook.role.noun();
    let name = hook.function.ident.unraw();
    let docs = format!("The handle of `{name}`, {noun}.");
    let body = match instance(hook) {
        Some(of) => made!((#root::__private::Arc<#of>);),
        None => made!({}),
    };
    made! {
        #[doc = #docs]
        #[allow(non_camel_case_types)]
        #vis struct #handle #body
    }
}

fn instance<'a>(hook: &Hook<'a>) -> Option<&'a Type> {
    hook.of.filter(|_| hook.function.receives)
}

fn implementation(hook: &Hook, broken: bool) -> TokenStream {
    let handle = &hook.handle;
    let shape = shape(hook.role);
    let methods = match hook.role {
        Role::OnResult => observe(hook, &shape, broken),
        _ => start(hook, &shape, broken),
    };
    let name = hook.function.ident.unraw().to_string();
    let location = location(hook.function.ident);
    let needs = if broken { None } else { needs(hook) };
    let info = made!(__t::HookInfo::new(#name, #location) #needs);
    let info = match hook.tool.filter(|_| !broken) {
        Some(tool) => of_tool(tool, "bind", &info),
        None => info,
    };
    let role = &shape.role;
    made! {
        #[automatically_derived]
        impl #role for #handle {
            #methods
            fn __info(&self) -> __t::HookInfo {
                #info
            }
        }
    }
}

/// The method of the public trait goes through the one that boxes only what waits.
fn start(hook: &Hook, shape: &Shape, broken: bool) -> TokenStream {
    let Shape {
        method,
        given,
        outcome,
        ..
    } = shape;
    let (inputs, inputs_a) = (shape.inputs(&made!('_)), shape.inputs(&made!('a)));
    let names = shape.names();
    let started = made!(__t::MaybeFuture<'a, __t::Result<#outcome, __t::ToolError>>);
    let is_async = hook.function.is_async && !broken;
    let (asyncness, run_output, start) = match is_async {
        true => (
            Some(made!(async)),
            outcome,
            made!(__t::MaybeFuture::boxed(__run(self, #names))),
        ),
        false => (None, &started, made!(__t::started(__run(self, #names)))),
    };
    let body = if broken {
        made!(__t::stand_in())
    } else {
        body(hook)
    };
    let decision =
        (hook.role == Role::PostExecute).then(|| made!(.map(__t::PostOutcome::into_decision)));
    let handle = &hook.handle;
    made! {
        async fn #method(&self, #inputs) -> __t::Result<#given, __t::ToolError> {
            self.__start(#names).await #decision
        }
        fn __start<'a>(&'a self, #inputs_a) -> #started {
            #asyncness fn __run<'a>(
                __hook: &'a #handle,
                #inputs_a
            ) -> __t::Result<#run_output, __t::ToolError> {
                #body
            }
            #start
        }
    }
}

fn observe(hook: &Hook, shape: &Shape, broken: bool) -> TokenStream {
    let inputs = shape.inputs(&made!('_));
    let receiver = instance(hook).map(|_| made!(let __hook = self;));
    let body = if broken {
        made!(__t::stand_in())
    } else {
        body(hook)
    };
    made! {
        fn observe(&self, #inputs) -> __t::Result<(), __t::ToolError> {
            #receiver
            #body
        }
    }
}

/// `<hello as __t::Tool>::what(input)`, from end to end under the path, as if the user had written
/// it there: rustc says of one span only once that it leads to no tool.
fn of_tool(tool: &Path, what: &str, input: &TokenStream) -> TokenStream {
    let place = Place::of(tool);
    let what = Ident::new(what, tool.segments[tool.segments.len() - 1].ident.span());
    let span = what.span();
    let role = quote_spanned!(place.end=> as __t::Tool);
    let open = match tool.leading_colon {
        Some(colon) => quote_spanned!(colon.spans[0]=> <),
        None => quote_spanned!(tool.segments[0].ident.span()=> <),
    };
    let call = quote_spanned!(span=> >::#what(#input));
    made!(#open #tool #role #call)
}

fn needs(hook: &Hook) -> Option<TokenStream> {
    let needs: Vec<TokenStream> = hook
        .function
        .params
        .iter()
        .filter_map(|param| match hook.source(param) {
            Source::Context(ty) => Some(context(hook, param, ty, "need")),
            _ => None,
        })
        .collect();
    (!needs.is_empty()).then(|| made!(.needs(&[#(#needs),*])))
}

fn context(hook: &Hook, param: &Param, ty: &Type, what: &str) -> TokenStream {
    let place = Place::of(&param.ty);
    let role = match hook.role.sees_result() {
        true => quote_spanned!(place.end=> __t::FromResult),
        false => quote_spanned!(place.end=> __t::FromExecution),
    };
    member(&place, ty, &role, what)
}

/// Finds what the function takes, calls it, and makes of its answer what the pipeline wants.
fn body(hook: &Hook) -> TokenStream {
    let function = &hook.function;
    let sources: Vec<(&Param, Source)> = function
        .params
        .iter()
        .map(|param| (param, hook.source(param)))
        .collect();
    let takes_arguments = sources
        .iter()
        .any(|(_, source)| matches!(source, Source::Argument(_)));
    let before = match (hook.tool, hook.role.sees_result()) {
        (Some(tool), true) => {
            let skip = skip(hook);
            let value = sources
                .iter()
                .find(|(_, source)| matches!(source, Source::Value));
            // Asked for at the parameter: only such a hook needs to read the output back.
            let value = value.map(|(param, _)| {
                let place = Place::of(&param.ty);
                let role = quote_spanned!(place.end=> __t::Tool);
                let open = quote_spanned!(place.start=> __t::value::<);
                let output = member(&place, tool, &role, "Output");
                let find = quote_spanned!(place.end=> #open #output>(__result));
                made!(let __t::Some(__value) = #find? else { #skip };)
            });
            // The body has taken the arguments, so that asking for them reads them again. A value
            // says as well that they were fine.
            let seen = (takes_arguments || value.is_none()).then(|| {
                let seen = of_tool(tool, "seen", &made!(__execution));
                made!(let __t::Some(__args) = #seen else { #skip };)
            });
            made!(#seen #value)
        }
        (Some(_), false) if !takes_arguments => made!(),
        (Some(tool), false) => {
            let arguments = of_tool(tool, "arguments", &made!(__execution));
            made!(let __args = #arguments?;)
        }
        (None, _) => made!(),
    };
    let inputs = sources.iter().map(|(param, source)| {
        let Param { ty, cfgs, .. } = param;
        let place = Place::of(ty);
        // The parameter's own type is known first, then asked for as the hook's.
        let from_arg = |value: &TokenStream| {
            let wrapped = quote_spanned!(place.start=> __t::Arg(#value));
            let open = quote_spanned!(place.start=> .take::<);
            let close = quote_spanned!(place.end=> >());
            made!(#wrapped #open #ty #close)
        };
        let value = match source {
            Source::Argument(ident) => {
                let span = ident.span().resolved_at(Span::mixed_site());
                let field = quote_spanned!(span=> __args.#ident);
                from_arg(&made!(&#field))
            }
            Source::Value => from_arg(&made!(__value.get())),
            Source::Context(ty) => {
                let owned = param.referent().is_none().then(|| made!(.clone()));
                let result = hook.role.sees_result().then(|| made!(, __result));
                let sees_result = hook.role.sees_result();
                let find = if sees_result {
                    "from_result"
                } else {
                    "from_execution"
                };
                let find = context(hook, param, ty, find);
                made!(#find(__execution #result)? #owned)
            }
            Source::Next => made!(__next),
            Source::Nothing => made!(__t::stand_in()),
        };
        made!(#(#cfgs)* #value)
    });
    let ident = function.ident;
    let receiver = instance(hook).map(|_| made!(&__hook.0,));
    let path = match hook.of {
        Some(of) => made!(<#of>::#ident),
        None => ident.to_token_stream(),
    };
    let mut call = quote_spanned!(ident.span()=> #path(#receiver #(#inputs),*));
    if function.is_async {
        call = made!(#call.await);
    }
    let answer = answer(hook, &call);
    match (hook.role, function.is_async) {
        (Role::OnResult, _) => made!(#before #answer),
        (_, true) => made!(#before #answer.await),
        (_, false) => made!(#before __t::Ok(#answer)),
    }
}

/// What a hook does that has nothing to look at: a failed call has no value, a call that never
/// fitted has no arguments.
fn skip(hook: &Hook) -> TokenStream {
    match (hook.role, hook.function.is_async) {
        (Role::OnResult, _) => made!(return __t::Ok(())),
        (_, true) => made!(return __t::Ok(__t::accepted())),
        (_, false) => {
            made!(return __t::Ok(__t::MaybeFuture::ready(__t::Ok(__t::accepted()))))
        }
    }
}

/// `<R as IntoVerdict>::into_verdict(call)`, under the return type, as a `MaybeFuture`.
fn answer(hook: &Hook, call: &TokenStream) -> TokenStream {
    let output = &hook.function.output;
    let place = Place::of(output);
    let through = |role: TokenStream, method: &str| {
        let convert = member(&place, output, &role, method);
        made!(#convert(#call))
    };
    let role = |name: &str| {
        let name = Ident::new(name, place.end);
        quote_spanned!(place.end=> __t::#name)
    };
    let ready = |answer: TokenStream| made!(__t::MaybeFuture::ready(#answer));
    match (hook.role, hook.tool) {
        (Role::Guard, _) => ready(through(role("IntoVerdict"), "into_verdict")),
        (Role::PreExecute, _) => through(role("IntoDecision"), "into_decision"),
        (Role::AroundExecute, _) => ready(through(role("IntoAroundResult"), "into_around_result")),
        (Role::PostExecute, None) => through(role("IntoPostOutcome"), "into_post_outcome"),
        (Role::PostExecute, Some(tool)) => {
            let role = quote_spanned! {place.end=>
                __t::Reviewed<
                    <#tool as __t::Tool>::Output,
                    { __t::Probe::<#output>::UNTYPED },
                >
            };
            ready(through(role, "reviewed"))
        }
        (Role::OnResult, _) => through(role("IntoObserved"), "into_observed"),
    }
}
