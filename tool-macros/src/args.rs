//! The grammar of the attributes: `key`, `key = value`, separated by commas.
//!
//! Nothing here returns a `Result`: a bad entry is reported and left out, and reading goes on, so
//! that one run names every mistake.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Expr, ExprLit, Lit, LitBool, LitStr, Path, Token};

use crate::diagnostics::{Diagnostics, closest};
use crate::grammar::{Form, Grammar};

/// One `key` or `key = value`.
struct Entry {
    key: Ident,
    value: Option<Expr>,
}

/// The entries of one attribute, checked against its grammar.
#[derive(Default)]
pub(crate) struct Args {
    entries: Vec<Entry>,
    /// The help for mistakes that were reported: what was meant is not missing as well.
    advice: Vec<String>,
}

impl Args {
    pub(crate) fn parse(
        tokens: TokenStream,
        grammar: &Grammar,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let mut advice = Vec::new();
        let parser = |input: ParseStream| {
            let mut entries: Vec<Entry> = Vec::new();
            while !input.is_empty() {
                if let Some(entry) = entry(input, grammar, &mut advice, diagnostics) {
                    check(&entry, &entries, grammar, &mut advice, diagnostics);
                    entries.push(entry);
                }
                if !input.is_empty() && input.parse::<Token![,]>().is_err() {
                    diagnostics.error(
                        input.cursor().token_stream().into_iter().next(),
                        "expected `,`",
                    );
                    skip_to_comma(input);
                    let _ = input.parse::<Token![,]>();
                }
            }
            // The first of two equal keys counts.
            let mut seen = Vec::new();
            entries.retain(|entry| {
                let name = entry.key.unraw();
                let first = !seen.contains(&name);
                seen.push(name);
                first
            });
            Ok(entries)
        };
        let entries = parser.parse2(tokens).unwrap_or_else(|error| {
            diagnostics.push(error);
            Vec::new()
        });
        Self { entries, advice }
    }

    /// Whether a reported mistake was an attempt at `key`.
    pub(crate) fn meant(&self, key: &str) -> bool {
        let example = format!("`{key}");
        self.advice.iter().any(|help| help.contains(&example))
    }

    /// The arguments of an attribute such as `#[arg(...)]`; none if it has no parentheses.
    pub(crate) fn of(
        attribute: &Attribute,
        grammar: &Grammar,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        match &attribute.meta {
            syn::Meta::Path(_) => Self::default(),
            syn::Meta::List(list) => Self::parse(list.tokens.clone(), grammar, diagnostics),
            syn::Meta::NameValue(pair) => {
                let path = pair.path.to_token_stream();
                diagnostics.help(
                    attribute,
                    format_args!("`#[{path}]` takes its arguments in parentheses"),
                    format_args!("`#[{path}(...)]`"),
                );
                Self::default()
            }
        }
    }

    fn get(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key.unraw() == name)
    }

    /// The key itself, for a caret.
    pub(crate) fn key(&self, name: &str) -> Option<&Ident> {
        self.get(name).map(|entry| &entry.key)
    }

    /// Where the key stands among the others.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.entries
            .iter()
            .position(|entry| entry.key.unraw() == name)
    }

    pub(crate) fn value(&self, name: &str) -> Option<&Expr> {
        self.get(name)?.value.as_ref()
    }

    pub(crate) fn text(&self, name: &str) -> Option<&LitStr> {
        as_text(self.value(name)?)
    }

    pub(crate) fn path(&self, name: &str) -> Option<&Path> {
        as_path(self.value(name)?)
    }

    pub(crate) fn name(&self, name: &str) -> Option<&Ident> {
        self.path(name)?.get_ident()
    }

    /// `key` is true, `key = false` is false, absent is `None`.
    pub(crate) fn flag(&self, name: &str) -> Option<bool> {
        let entry = self.get(name)?;
        Some(
            entry
                .value
                .as_ref()
                .and_then(as_bool)
                .is_none_or(|value| value.value),
        )
    }
}

fn entry(
    input: ParseStream,
    grammar: &Grammar,
    advice: &mut Vec<String>,
    diagnostics: &mut Diagnostics,
) -> Option<Entry> {
    if input.peek(Lit) {
        let literal: Lit = input.parse().ok()?;
        advice.push(grammar.literal.to_owned());
        diagnostics.help(literal, "expected `key = value`", grammar.literal);
        skip_to_comma(input);
        return None;
    }
    let Ok(key) = input.call(Ident::parse_any) else {
        let token = input.cursor().token_stream().into_iter().next();
        diagnostics.help(token, "expected `key = value`", expected(grammar));
        skip_to_comma(input);
        return None;
    };
    let mut value = None;
    if input.peek(Token![=]) {
        let equals: Token![=] = input.parse().ok()?;
        if input.is_empty() || input.peek(Token![,]) {
            let example = grammar.keys.iter().find(|known| key == known.name);
            let example = example.map_or("...", |known| known.example);
            diagnostics.help(
                equals,
                format_args!("`{key}` needs a value"),
                format_args!("`{example}`"),
            );
            return None;
        }
        match input.parse::<Expr>() {
            Ok(expression) => value = Some(expression),
            Err(error) => {
                diagnostics.push(error);
                skip_to_comma(input);
                return None;
            }
        }
    }
    Some(Entry { key, value })
}

fn skip_to_comma(input: ParseStream) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _ = input.parse::<TokenTree>();
    }
}

/// One entry against the grammar: a known word, said once, with a value of the right form.
fn check(
    entry: &Entry,
    before: &[Entry],
    grammar: &Grammar,
    advice: &mut Vec<String>,
    diagnostics: &mut Diagnostics,
) {
    let word = entry.key.unraw().to_string();
    let Some(key) = grammar.keys.iter().find(|known| word == known.name) else {
        let help = right_word(entry, &word, grammar);
        let message = format!("unknown `{}` argument `{word}`", grammar.attribute);
        diagnostics.help(&entry.key, message, &help);
        return advice.push(help);
    };
    if before.iter().any(|earlier| earlier.key.unraw() == word) {
        return diagnostics.help(
            &entry.key,
            format_args!("`{word}` is given twice"),
            "remove one",
        );
    }
    let help = format!("`{}`", key.example);
    let Some(value) = &entry.value else {
        if !matches!(key.form, Form::Flag | Form::FlagOrPath) {
            diagnostics.help(&entry.key, format_args!("`{word}` needs a value"), help);
        }
        return;
    };
    let (fits, wanted) = match key.form {
        Form::Flag => (as_bool(value).is_some(), "`true` or `false`"),
        Form::Text => (as_text(value).is_some(), "a string literal"),
        Form::Name => (as_path(value).and_then(Path::get_ident).is_some(), "a name"),
        Form::Path | Form::FlagOrPath => (as_path(value).is_some(), "a path"),
        Form::Value => (true, ""),
    };
    if fits {
        return;
    }
    if wanted == "a path" && as_text(value).is_some() {
        return diagnostics.help(
            value,
            "expected a path, found a string",
            "remove the quotes",
        );
    }
    diagnostics.help(value, format_args!("`{word}` must be {wanted}"), help);
}

/// What to write for an unknown word.
fn right_word(entry: &Entry, word: &str, grammar: &Grammar) -> String {
    if let Some((_, right)) = grammar.wrong.iter().find(|(wrong, _)| *wrong == word) {
        return (*right).to_owned();
    }
    if let Some(near) = closest(word, grammar.keys.iter().map(|known| known.name)) {
        return format!("did you mean `{near}`?");
    }
    // `#[guard(hello)]`
    let takes_tool = grammar.keys.iter().any(|known| known.name == "tool");
    if takes_tool && entry.value.is_none() {
        return format!("did you mean `tool = {word}`?");
    }
    expected(grammar)
}

fn expected(grammar: &Grammar) -> String {
    let names: Vec<_> = grammar
        .keys
        .iter()
        .map(|known| format!("`{}`", known.name))
        .collect();
    format!("expected one of {}", names.join(", "))
}

/// `macro_rules!` wraps what it forwards in invisible groups.
pub(crate) fn peel(expression: &Expr) -> &Expr {
    match expression {
        Expr::Group(group) => peel(&group.expr),
        other => other,
    }
}

pub(crate) fn as_text(expression: &Expr) -> Option<&LitStr> {
    match peel(expression) {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text),
        _ => None,
    }
}

fn as_bool(expression: &Expr) -> Option<&LitBool> {
    match peel(expression) {
        Expr::Lit(ExprLit {
            lit: Lit::Bool(value),
            ..
        }) => Some(value),
        _ => None,
    }
}

pub(crate) fn as_path(expression: &Expr) -> Option<&Path> {
    match peel(expression) {
        Expr::Path(path) if path.qself.is_none() && path.attrs.is_empty() => Some(&path.path),
        _ => None,
    }
}

/// `"30s"`, `"500ms"`, `"5m"`, `"2h"` in milliseconds; `None` if it is none of these or zero.
pub(crate) fn milliseconds(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(digits);
    let factor = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60 * 1000,
        "h" => 60 * 60 * 1000,
        _ => return None,
    };
    number
        .parse::<u64>()
        .ok()?
        .checked_mul(factor)
        .filter(|time| *time > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{ARG, TOOL};
    use quote::quote;

    fn mistakes(grammar: &Grammar, tokens: TokenStream) -> String {
        let mut diagnostics = Diagnostics::default();
        let _ = Args::parse(tokens, grammar, &mut diagnostics);
        diagnostics.finish().to_string()
    }

    #[test]
    fn times_are_read() {
        assert_eq!(milliseconds("30s"), Some(30_000));
        assert_eq!(milliseconds("500ms"), Some(500));
        assert_eq!(milliseconds("5m"), Some(300_000));
        assert_eq!(milliseconds("2h"), Some(7_200_000));
        for wrong in [
            "",
            "5",
            "0s",
            "1.5s",
            "s",
            "-1s",
            "5 s",
            "5d",
            "99999999999999999999s",
        ] {
            assert_eq!(milliseconds(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn reading_goes_on_after_a_mistake() {
        let text = mistakes(&TOOL, quote!(nmae = "a", 5, read_only = 3, title =, zzz));
        let count = text.matches("compile_error").count();
        assert_eq!(count, 5, "{text}");
    }

    #[test]
    fn good_entries_pass() {
        let tokens = quote!(
            name = "a",
            crate = ::x::y,
            timeout = T * 2,
            concurrency_safe,
            read_only = false,
        );
        assert_eq!(mistakes(&TOOL, tokens), "");
        assert_eq!(
            mistakes(
                &ARG,
                quote!(range = ..=5, default = f::<u8, u8>(1, 2), length = 1..)
            ),
            ""
        );
    }

    #[test]
    fn values_are_found() {
        let mut diagnostics = Diagnostics::default();
        let tokens = quote!(
            read_only,
            destructive = false,
            name = "a",
            args = Name,
            render = a::b
        );
        let args = Args::parse(tokens, &TOOL, &mut diagnostics);
        assert_eq!(diagnostics.finish().to_string(), "");
        assert_eq!(args.flag("read_only"), Some(true));
        assert_eq!(args.flag("destructive"), Some(false));
        assert_eq!(args.flag("idempotent"), None);
        assert_eq!(args.text("name").map(LitStr::value).as_deref(), Some("a"));
        assert_eq!(
            args.name("args").map(ToString::to_string).as_deref(),
            Some("Name")
        );
        assert!(
            args.path("render")
                .is_some_and(|path| path.segments.len() == 2)
        );
    }
}
