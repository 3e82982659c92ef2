//! What an attribute and its item say together, with every token kept for its caret.
//!
//! Building a model reports what stands in the way of understanding one parameter or one attribute;
//! rules that look at more than one thing are in `validate`.

mod hook;

pub(crate) use self::hook::{Hook, Role, Source};

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Attribute, Expr, FnArg, Pat, PatIdent, PatType, Path, ReturnType, Signature, Type};

use crate::args::{Args, as_text};
use crate::diagnostics::Diagnostics;
use crate::docs::{Text, doc, docs};
use crate::grammar::ARG;
use crate::item::{ItemFn, peel};

/// The tokens a function is known by, `Self` already replaced.
pub(crate) struct Function<'a> {
    pub item: &'a ItemFn,
    pub ident: &'a Ident,
    pub is_async: bool,
    pub params: Vec<Param>,
    pub output: Type,
    /// Whether it takes `self`; only inside a toolbox.
    pub receives: bool,
}

/// A parameter, and where its value comes from.
pub(crate) struct Param {
    /// `None` where the pattern is no name, which was reported.
    pub ident: Option<Ident>,
    pub pat: Pat,
    pub ty: Type,
    pub cfgs: Vec<Attribute>,
    pub docs: Vec<Expr>,
    pub arg: Option<(Attribute, Args)>,
    pub whole: Option<Attribute>,
    pub context: Option<Attribute>,
}

impl Param {
    /// The type behind the `&`, for a parameter taken by reference.
    pub(crate) fn referent(&self) -> Option<&Type> {
        match peel(&self.ty) {
            Type::Reference(reference) => Some(&reference.elem),
            _ => None,
        }
    }

    /// The property's name: what `#[arg(name)]` says, else the parameter's own.
    pub(crate) fn property(&self) -> String {
        let named = self.arg.as_ref().and_then(|(_, args)| args.text("name"));
        match (named, &self.ident) {
            (Some(name), _) => name.value(),
            (None, Some(ident)) => ident.unraw().to_string(),
            (None, None) => String::new(),
        }
    }

    pub(crate) fn refinement(&self, key: &str) -> Option<&Expr> {
        self.arg.as_ref()?.1.value(key)
    }
}

/// A tool, as far as the macro understands it.
pub(crate) struct Tool<'a> {
    pub function: Function<'a>,
    pub args: &'a Args,
    pub name: String,
    pub description: Text,
    pub handle: Ident,
    pub arguments: Ident,
    pub root: TokenStream,
    /// The type of a toolbox, for its methods.
    pub of: Option<&'a Type>,
}

/// Where the core lives.
pub(crate) fn root(path: Option<&Path>) -> TokenStream {
    path.map_or_else(|| quote!(::tool_core), ToTokens::to_token_stream)
}

impl<'a> Function<'a> {
    /// `of` replaces `Self`, for methods.
    pub(crate) fn new(item: &'a ItemFn, of: Option<&Type>, diagnostics: &mut Diagnostics) -> Self {
        let mut params = Vec::new();
        let mut receives = false;
        for input in &item.sig.inputs {
            match input {
                FnArg::Receiver(_) => receives = true,
                FnArg::Typed(typed) => params.push(param(typed, of, diagnostics)),
            }
        }
        Self {
            item,
            ident: &item.sig.ident,
            is_async: item.sig.asyncness.is_some(),
            params,
            output: output(&item.sig, of),
            receives,
        }
    }
}

fn param(typed: &PatType, of: Option<&Type>, diagnostics: &mut Diagnostics) -> Param {
    let ident = match &*typed.pat {
        Pat::Ident(PatIdent {
            ident,
            by_ref: None,
            subpat: None,
            ..
        }) => Some(ident.clone()),
        _ => None,
    };
    let mut param = Param {
        ident,
        pat: (*typed.pat).clone(),
        ty: without_self(&typed.ty, of),
        cfgs: Vec::new(),
        docs: Vec::new(),
        arg: None,
        whole: None,
        context: None,
    };
    for attr in &typed.attrs {
        let path = attr.path();
        if path.is_ident("cfg") {
            param.cfgs.push(attr.clone());
        } else if path.is_ident("doc") {
            param.docs.extend(doc(attr));
        } else if path.is_ident("arg") {
            let args = Args::of(attr, &ARG, diagnostics);
            if param.arg.is_some() {
                diagnostics.help(attr, "`#[arg]` is given twice", "put everything into one");
            } else {
                param.arg = Some((attr.clone(), args));
            }
        } else if path.is_ident("args") {
            param.whole = Some(attr.clone());
        } else if path.is_ident("context") {
            param.context = Some(attr.clone());
        }
    }
    param
}

/// The return type; `()` where none is written, under the function's name, so that an error about
/// it does not point at the attribute.
fn output(sig: &Signature, of: Option<&Type>) -> Type {
    match &sig.output {
        ReturnType::Type(_, ty) => without_self(ty, of),
        ReturnType::Default => syn::parse_quote_spanned!(sig.ident.span()=> ()),
    }
}

/// Generated code stands outside the `impl`, where `Self` means something else.
fn without_self(ty: &Type, of: Option<&Type>) -> Type {
    let Some(of) = of else { return ty.clone() };
    let replaced = replace_self(ty.to_token_stream(), of);
    syn::parse2(replaced).unwrap_or_else(|_| ty.clone())
}

/// Input: `Vec<Self::Unit>`, `Weather`. Output: `Vec<<Weather>::Unit>`.
pub(crate) fn replace_self(tokens: TokenStream, of: &Type) -> TokenStream {
    use proc_macro2::{Group, TokenTree};
    let mut out = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(ident) if ident == "Self" => {
                let is_path =
                    matches!(tokens.peek(), Some(TokenTree::Punct(p)) if p.as_char() == ':');
                let of = respan(of.to_token_stream(), ident.span());
                out.extend(if is_path { quote!(<#of>) } else { of });
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), replace_self(group.stream(), of));
                inner.set_span(group.span());
                out.extend([TokenTree::Group(inner)]);
            }
            other => out.extend([other]),
        }
    }
    out
}

/// The same tokens, as if written at `span`.
pub(crate) fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    use proc_macro2::{Group, TokenTree};
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), respan(group.stream(), span));
                inner.set_span(span);
                TokenTree::Group(inner)
            }
            mut other => {
                other.set_span(other.span().located_at(span));
                other
            }
        })
        .collect()
}

impl<'a> Tool<'a> {
    pub(crate) fn new(function: Function<'a>, args: &'a Args, root: TokenStream) -> Self {
        let ident = function.ident;
        let name = args
            .text("name")
            .map_or_else(|| ident.unraw().to_string(), syn::LitStr::value);
        let handle = args.name("handle").unwrap_or(ident).clone();
        let arguments = args
            .name("args")
            .cloned()
            .unwrap_or_else(|| hidden_arguments(&handle));
        let description = match args.value("description") {
            Some(value) => match as_text(value) {
                Some(text) => Text::Literal(text.value().trim().to_owned()),
                None => Text::Expr(value.to_token_stream()),
            },
            None => docs(
                &function
                    .item
                    .attrs
                    .iter()
                    .filter_map(doc)
                    .collect::<Vec<_>>(),
            ),
        };
        Self {
            function,
            args,
            name,
            description,
            handle,
            arguments,
            root,
            of: None,
        }
    }

    /// The same tool as a method: `weather_` before its name, `WeatherForecast` its handle.
    pub(crate) fn in_toolbox(mut self, of: &'a Type, prefix: &str) -> Self {
        if self.args.text("name").is_none() {
            self.name.insert_str(0, prefix);
        }
        if self.args.name("handle").is_none() {
            self.handle = method_handle(of, self.function.ident);
        }
        if self.args.name("args").is_none() {
            self.arguments = hidden_arguments(&self.handle);
        }
        self.of = Some(of);
        self
    }
}

/// Two underscores keep it apart from every type a user has; the rest tells whose it is.
fn hidden_arguments(handle: &Ident) -> Ident {
    Ident::new(
        &format!("__{}Args", camel(&handle.unraw().to_string())),
        Span::mixed_site(),
    )
}

/// Input: `Weather`, `daily_forecast`. Output: `WeatherDailyForecast`, under the method's name.
pub(crate) fn method_handle(of: &Type, method: &Ident) -> Ident {
    let name = match peel(of) {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .map(|last| last.ident.unraw().to_string()),
        _ => None,
    };
    let name = name.unwrap_or_default() + &camel(&method.unraw().to_string());
    Ident::new(&name, method.span())
}

fn camel(name: &str) -> String {
    let words = name.split('_').filter(|word| !word.is_empty());
    words
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |first| {
                first.to_uppercase().chain(letters).collect()
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn self_is_replaced() {
        let of: Type = parse_quote!(Weather);
        let tokens = replace_self(quote!(Vec<(Self, Self::Unit)>), &of);
        assert_eq!(
            tokens.to_string(),
            quote!(Vec<(Weather, <Weather>::Unit)>).to_string()
        );
    }

    #[test]
    fn handles_of_methods_are_types() {
        let handle = method_handle(&parse_quote!(api::Weather), &parse_quote!(daily_forecast));
        assert_eq!(handle.to_string(), "WeatherDailyForecast");
        assert_eq!(
            hidden_arguments(&parse_quote!(r#move)).to_string(),
            "__MoveArgs"
        );
    }
}
