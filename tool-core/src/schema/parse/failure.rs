//! What the scanner returns when it cannot go on.

use super::hint;
use super::{ParseError, ParseErrorKind};
use crate::schema::pointer;

/// A failure on its way out. Each container adds its step, so that nothing is tracked while all
/// is well.
///
/// Boxed, so that a success is one word.
pub(super) struct Failure(Box<Refusal>);

struct Refusal {
    kind: ParseErrorKind,
    at: usize,
    message: String,
    hint: Option<&'static str>,
    steps: Vec<Step>,
}

pub(super) enum Step {
    Key(String),
    Index(usize),
}

pub(super) type Scanned<T> = Result<T, Failure>;

impl Failure {
    #[cold]
    pub(super) fn new(
        kind: ParseErrorKind,
        at: usize,
        message: String,
        hint: Option<&'static str>,
    ) -> Self {
        Self(Box::new(Refusal {
            kind,
            at,
            message,
            hint,
            steps: Vec::new(),
        }))
    }

    #[cold]
    pub(super) fn duplicate(at: usize, key: &str) -> Self {
        let message = format!("the key {} is given twice", hint::quoted(key));
        let failure = Self::new(
            ParseErrorKind::DuplicateKey,
            at,
            message,
            Some("give each key once"),
        );
        failure.inside(Step::Key(key.to_owned()))
    }

    pub(super) fn inside(mut self, step: Step) -> Self {
        self.0.steps.push(step);
        self
    }

    pub(super) fn place(self, text: &str) -> ParseError {
        let before = &text[..floor(text, self.0.at)];
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        let mut path = String::new();
        for step in self.0.steps.iter().rev() {
            match step {
                Step::Key(key) => pointer::push(&mut path, key),
                Step::Index(index) => pointer::push_index(&mut path, *index),
            }
        }
        let Refusal {
            kind,
            message,
            hint,
            ..
        } = *self.0;
        ParseError {
            kind,
            path,
            line,
            column,
            message,
            hint,
        }
    }
}

/// The nearest character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
}
