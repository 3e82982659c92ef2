//! Notes on a program while it is walked: what to blank, what to put there, what to refuse.

use oxc_ast::ast::PropertyKey;
use oxc_parser::{Kind, Token};
use oxc_span::{GetSpan, Span};

use crate::facts::Facts;

/// The notes. What they are made of is in `walk`.
pub(crate) struct Eraser<'t> {
    text: &'t str,
    tokens: &'t [Token],
    pub(crate) blanks: Vec<Span>,
    /// A character to put at a byte offset, after blanking.
    pub(crate) puts: Vec<(u32, char)>,
    /// Where an expression starts that may not start with `{`, `function` or `class`.
    pub(crate) starts: Vec<u32>,
    /// How many functions are open.
    pub(crate) functions: usize,
    pub(crate) refused: Option<(u32, &'static str, &'static str)>,
    pub(crate) facts: Facts,
}

impl<'t> Eraser<'t> {
    pub(crate) fn new(text: &'t str, tokens: &'t [Token]) -> Self {
        Self {
            text,
            tokens,
            blanks: Vec::new(),
            puts: Vec::new(),
            starts: Vec::new(),
            functions: 0,
            refused: None,
            facts: Facts::default(),
        }
    }

    pub(crate) fn blank(&mut self, span: Span) {
        self.blanks.push(span);
    }

    /// A statement or class element that is nothing but types. The `;` keeps its neighbours apart.
    pub(crate) fn blank_whole(&mut self, span: Span) {
        self.blank(span);
        self.puts.push((span.start, ';'));
    }

    pub(crate) fn refuse(&mut self, at: u32, message: &'static str, hint: &'static str) {
        self.refused.get_or_insert((at, message, hint));
    }

    pub(crate) fn between(&self, start: u32, end: u32) -> impl Iterator<Item = Token> + '_ {
        let from = self.tokens.partition_point(|token| token.start() < start);
        self.tokens[from..]
            .iter()
            .copied()
            .take_while(move |token| token.start() < end)
    }

    pub(crate) fn next_token(&self, at: u32) -> Option<Token> {
        self.tokens
            .get(self.tokens.partition_point(|token| token.start() < at))
            .copied()
    }

    pub(crate) fn blank_first(&mut self, start: u32, end: u32, kinds: &[Kind]) {
        let found = self
            .between(start, end)
            .find(|token| kinds.contains(&token.kind()));
        if let Some(token) = found {
            self.blank(token.span());
        }
    }

    pub(crate) fn breaks_line(&self, span: Span) -> bool {
        self.text[span.start as usize..span.end as usize].contains('\n')
    }

    /// `public static readonly x`: blanks `public` and `readonly`. Where the element now begins
    /// with `*` or `[`, a `;` keeps a field before it from going on.
    pub(crate) fn modifiers(&mut self, start: u32, key: &PropertyKey<'_>) {
        let end = key.span().start;
        let words: Vec<Token> = self
            .between(start, end)
            .filter(|token| {
                matches!(
                    token.kind(),
                    Kind::Public
                        | Kind::Private
                        | Kind::Protected
                        | Kind::Readonly
                        | Kind::Override
                        | Kind::Abstract
                        | Kind::Declare
                )
            })
            .collect();
        for word in &words {
            self.blank(word.span());
        }
        if let Some(first) = words.first().filter(|first| first.start() == start) {
            let next = self
                .between(start, end)
                .find(|token| !words.iter().any(|word| word.start() == token.start()));
            if next.is_some_and(|next| matches!(next.kind(), Kind::Star | Kind::LBrack)) {
                self.puts.push((first.start(), ';'));
            }
        }
    }

    /// `x as T`, where `end` is the end of `x`. What was two statements stays two:
    /// `x as T⏎(1)` becomes `x ;   ⏎(1)`.
    pub(crate) fn cast(&mut self, end: u32, span: Span) {
        let Some(word) = self.next_cast_word(end, span.end) else {
            return;
        };
        self.blank(Span::new(word, span.end));
        let goes_on = self.next_token(span.end).is_some_and(|token| {
            token.is_on_new_line()
                && matches!(
                    token.kind(),
                    Kind::LParen | Kind::LBrack | Kind::TemplateHead | Kind::NoSubstitutionTemplate
                )
        });
        if goes_on {
            self.puts.push((word, ';'));
        }
    }

    pub(crate) fn next_cast_word(&self, start: u32, end: u32) -> Option<u32> {
        self.between(start, end)
            .find(|token| matches!(token.kind(), Kind::As | Kind::Satisfies))
            .map(|token| token.start())
    }
}
