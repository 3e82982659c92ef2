//! Every mistake of an item, said once and said together.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// Collects the mistakes of one item; [`finish`](Self::finish) turns them into `compile_error!`s.
///
/// Dropping it unread panics: a mistake nobody hears of would become wrong code.
#[derive(Default)]
pub(crate) struct Diagnostics {
    errors: Vec<syn::Error>,
    /// Whether the function cannot be called as it stands, so that a stand-in must do.
    broken: bool,
    finished: bool,
}

impl Diagnostics {
    /// `spanned` is wrong as a whole; the caret covers it from its first to its last token.
    pub(crate) fn error(&mut self, spanned: impl ToTokens, message: impl Display) {
        self.errors.push(syn::Error::new_spanned(spanned, message));
    }

    /// As [`error`](Self::error), and what to type instead.
    pub(crate) fn help(
        &mut self,
        spanned: impl ToTokens,
        message: impl Display,
        help: impl Display,
    ) {
        // rustc indents the second line, so that it reads like a help of its own.
        self.error(spanned, format_args!("{message}\nhelp: {help}"));
    }

    /// A mistake that syn has found.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.errors.push(error);
    }

    /// What follows cannot be generated from this function.
    pub(crate) fn mark_broken(&mut self) {
        self.broken = true;
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.broken
    }

    /// The mistakes as items; nothing if there are none.
    pub(crate) fn finish(mut self) -> TokenStream {
        self.finished = true;
        self.errors
            .iter()
            .map(syn::Error::to_compile_error)
            .collect()
    }
}

impl Drop for Diagnostics {
    fn drop(&mut self) {
        assert!(
            self.finished || std::thread::panicking(),
            "diagnostics were dropped unread"
        );
    }
}

/// The word of `known` that `word` was meant to be, if one is near enough: an edit for every three
/// letters, at least one.
pub(crate) fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours count one.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = vec![0; b.len() + 1];
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            next[j] = replaced.min(row[j] + 1).min(next[j - 1] + 1);
            // `nmae` for `name`: one swap, not two substitutions.
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                next[j] = next[j].min(before[j - 2] + 1);
            }
        }
        before = row;
        row = next;
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found() {
        let known = ["name", "title", "timeout", "args"];
        assert_eq!(closest("nmae", known), Some("name"));
        assert_eq!(closest("timout", known), Some("timeout"));
        assert_eq!(closest("titel", known), Some("title"));
        assert_eq!(closest("zzz", known), None);
        assert_eq!(closest("", known), None);
    }

    #[test]
    #[should_panic(expected = "diagnostics were dropped unread")]
    fn a_mistake_cannot_be_forgotten() {
        drop(Diagnostics::default());
    }

    #[test]
    fn all_mistakes_come_out() {
        let mut diagnostics = Diagnostics::default();
        diagnostics.error(quote::quote!(a), "one");
        diagnostics.help(quote::quote!(b), "two", "`c`");
        assert_eq!(
            diagnostics.finish().to_string(),
            quote::quote!(::core::compile_error! { "one" } ::core::compile_error! { "two\nhelp: `c`" })
                .to_string()
        );
    }
}
