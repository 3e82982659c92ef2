//! Documentation: what a comment says, without its margin.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr};

use crate::args::as_text;

/// A text that the macro knows, or one that rustc will.
pub(crate) enum Text {
    Literal(String),
    /// An expression of type `&'static str`.
    Expr(TokenStream),
}

/// The text of `#[doc = ...]`; `None` for `#[doc(hidden)]` and its like.
pub(crate) fn doc(attr: &Attribute) -> Option<Expr> {
    match &attr.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => Some(pair.value.clone()),
        _ => None,
    }
}

/// Documentation as a reader means it: comment margins gone, the rest kept whole.
pub(crate) fn docs(parts: &[Expr]) -> Text {
    let mut pieces: Vec<Text> = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match as_text(part) {
            Some(line) => lines.push(line.value()),
            None => {
                pieces.push(Text::Literal(dedent(&std::mem::take(&mut lines))));
                pieces.push(Text::Expr(part.to_token_stream()));
            }
        }
    }
    let rest = dedent(&lines);
    if pieces.is_empty() {
        return Text::Literal(rest.trim().to_owned());
    }
    pieces.push(Text::Literal(rest));
    let mut parts: Vec<TokenStream> = Vec::new();
    for piece in pieces {
        let piece = match piece {
            Text::Literal(text) if text.is_empty() => continue,
            Text::Literal(text) => quote!(#text),
            Text::Expr(tokens) => tokens,
        };
        if !parts.is_empty() {
            parts.push(quote!("\n"));
        }
        parts.push(piece);
    }
    // `concat!` takes literals and macros such as `include_str!`; a constant stands alone.
    match parts.as_slice() {
        [alone] => Text::Expr(alone.clone()),
        several => Text::Expr(quote!(::core::concat!(#(#several),*))),
    }
}

/// `/// a` comes as `" a"`, `/** a\n    b */` as `" a\n    b "`: the margin is what all lines share.
fn dedent(comments: &[String]) -> String {
    let mut text = Vec::new();
    let mut single: Vec<&str> = Vec::new();
    for comment in comments {
        if comment.contains('\n') {
            text.extend(without_margin(&std::mem::take(&mut single)));
            text.extend(block(comment));
        } else {
            single.push(comment);
        }
    }
    text.extend(without_margin(&single));
    text.join("\n")
}

fn block(comment: &str) -> Vec<String> {
    let mut lines: Vec<&str> = comment.lines().collect();
    let starred = lines.iter().skip(1).all(|line| {
        let line = line.trim_start();
        line.is_empty() || line.starts_with('*')
    });
    if starred {
        for line in lines.iter_mut().skip(1) {
            *line = line.trim_start().strip_prefix('*').unwrap_or("");
        }
    }
    // The first line begins behind `/**`, where no margin is.
    let first = lines.remove(0).trim().to_owned();
    let mut text = vec![first];
    text.extend(without_margin(&lines));
    while text.first().is_some_and(String::is_empty) {
        text.remove(0);
    }
    while text.last().is_some_and(String::is_empty) {
        text.pop();
    }
    text
}

fn without_margin(lines: &[&str]) -> Vec<String> {
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let full = lines.iter().filter(|line| !line.trim().is_empty());
    let margin = full.map(indent).min().unwrap_or(0);
    lines
        .iter()
        .map(|line| line.get(margin..).unwrap_or("").trim_end().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn text(parts: &[&str]) -> String {
        let parts: Vec<Expr> = parts.iter().map(|part| parse_quote!(#part)).collect();
        match docs(&parts) {
            Text::Literal(text) => text,
            Text::Expr(tokens) => tokens.to_string(),
        }
    }

    #[test]
    fn line_comments_keep_their_shape() {
        let lines = [" First line", " goes on.", "", " - bullet", "   indented"];
        assert_eq!(text(&lines), "First line\ngoes on.\n\n- bullet\n  indented");
    }

    #[test]
    fn block_comments_lose_their_margin() {
        assert_eq!(text(&[" block\n      doc "]), "block\ndoc");
        assert_eq!(
            text(&["\n * One\n *   two\n *\n * three\n "]),
            "One\n  two\n\nthree"
        );
        assert_eq!(text(&["\n    One\n      two\n    "]), "One\n  two");
    }

    #[test]
    fn constants_and_files_are_left_to_rustc() {
        let parts = [parse_quote!(" See"), parse_quote!(include_str!("a.md"))];
        let Text::Expr(tokens) = docs(&parts) else {
            panic!("a literal")
        };
        let expected = quote!(::core::concat!("See", "\n", include_str!("a.md")));
        assert_eq!(tokens.to_string(), expected.to_string());
    }
}
