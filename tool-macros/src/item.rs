//! What the attributes stand on: functions whose bodies are not read, and `impl` blocks of them.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, TokenStreamExt, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, FnArg, Generics, Path, Signature, Token, Type, Visibility};

/// A function. Its body stays tokens: rustc reports half-typed code better than a macro can.
pub(crate) struct ItemFn {
    pub attrs: Vec<Attribute>,
    pub vis: Visibility,
    pub sig: Signature,
    /// The block, or the `;` of a function without one.
    pub body: TokenStream,
}

/// The attributes of parameters that only these macros know.
pub(crate) const INERT: [&str; 3] = ["arg", "args", "context"];

impl Parse for ItemFn {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let sig = input.parse()?;
        let body = rest_of_item(input)?;
        Ok(Self {
            attrs,
            vis,
            sig,
            body,
        })
    }
}

impl ItemFn {
    pub(crate) fn has_body(&self) -> bool {
        self.body
            .clone()
            .into_iter()
            .any(|token| matches!(token, TokenTree::Group(_)))
    }
}

/// Prints the function as the user wrote it, without what rustc refuses on parameters.
impl ToTokens for ItemFn {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.append_all(&self.attrs);
        self.vis.to_tokens(tokens);
        let mut sig = self.sig.clone();
        // Refused; rustc would say so again.
        sig.variadic = None;
        for input in &mut sig.inputs {
            if let FnArg::Typed(parameter) = input {
                parameter.attrs.retain(|attr| !is_inert(attr));
            }
        }
        sig.to_tokens(tokens);
        if self.has_body() {
            self.body.to_tokens(tokens);
        } else {
            // Reported; rustc need not say it again.
            tokens.append_all(quote!({ ::core::unreachable!() }));
        }
    }
}

fn is_inert(attr: &Attribute) -> bool {
    attr.path().is_ident("doc") || INERT.iter().any(|name| attr.path().is_ident(name))
}

/// An `impl` block.
pub(crate) struct ImplBlock {
    pub attrs: Vec<Attribute>,
    pub impl_token: Token![impl],
    pub generics: Generics,
    /// The trait and its `for`, where there is one.
    pub of_trait: Option<(Path, Token![for])>,
    pub ty: Type,
    pub items: Vec<Member>,
}

/// An item of an `impl` block.
#[expect(
    clippy::large_enum_variant,
    reason = "a block has few items, and each is used once"
)]
pub(crate) enum Member {
    Fn(ItemFn),
    /// Anything else, as it stands.
    Other(TokenStream),
}

impl Parse for ImplBlock {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let impl_token = input.parse()?;
        let mut generics: Generics = if input.peek(Token![<]) {
            input.parse()?
        } else {
            Generics::default()
        };
        let mut ty: Type = input.parse()?;
        let mut of_trait = None;
        if input.peek(Token![for]) {
            let for_token = input.parse()?;
            if let Type::Path(path) = ty {
                of_trait = Some((path.path, for_token));
            }
            ty = input.parse()?;
        }
        generics.where_clause = input.parse()?;
        let content;
        syn::braced!(content in input);
        let mut items = Vec::new();
        while !content.is_empty() {
            items.push(content.parse()?);
        }
        Ok(Self {
            attrs,
            impl_token,
            generics,
            of_trait,
            ty,
            items,
        })
    }
}

impl Parse for Member {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        if input.fork().parse::<FnHead>().is_ok() {
            return input.parse().map(Self::Fn);
        }
        let mut tokens = TokenStream::new();
        tokens.append_all(input.call(Attribute::parse_outer)?);
        tokens.append_all(rest_of_item(input)?);
        Ok(Self::Other(tokens))
    }
}

/// Attributes, visibility and signature: enough to know a function by.
struct FnHead;

impl Parse for FnHead {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        input.parse::<Signature>()?;
        Ok(Self)
    }
}

/// Up to and including the next block or `;`.
fn rest_of_item(input: ParseStream) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    loop {
        let token: TokenTree = input.parse()?;
        let ends = match &token {
            TokenTree::Group(group) => group.delimiter() == proc_macro2::Delimiter::Brace,
            TokenTree::Punct(punct) => punct.as_char() == ';',
            _ => false,
        };
        tokens.append(token);
        if ends || input.is_empty() {
            return Ok(tokens);
        }
    }
}

/// The keyword an item that is no function begins with, for a caret: `struct`, `mod`, `trait`.
pub(crate) fn keyword(item: &TokenStream) -> TokenStream {
    const KEYWORDS: [&str; 13] = [
        "struct",
        "enum",
        "union",
        "mod",
        "trait",
        "impl",
        "const",
        "static",
        "type",
        "use",
        "macro_rules",
        "extern",
        "let",
    ];
    let words = item.clone().into_iter().filter_map(|token| match token {
        TokenTree::Ident(ident) => Some(ident),
        _ => None,
    });
    let found = words
        .into_iter()
        .find(|word: &Ident| KEYWORDS.iter().any(|key| word == key));
    match found {
        Some(word) => word.into_token_stream(),
        None => item.clone(),
    }
}

/// `&str` inside the invisible group that a `$ty:ty` of `macro_rules!` leaves is still a reference.
pub(crate) fn peel(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => peel(&group.elem),
        Type::Paren(paren) => peel(&paren.elem),
        other => other,
    }
}
