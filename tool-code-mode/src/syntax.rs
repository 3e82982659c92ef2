//! Syntax errors as a model can use them: the program's own line, and what to write instead.

use crate::erase::SyntaxError;
use crate::source::{self, OPEN};

pub(crate) const NO_MODULES: &str =
    "there are no modules here: everything a program can reach is a member of `tools`";

/// An error of the parser at byte `offset` of the wrapped text.
pub(crate) fn from_parser(program: &str, message: &str, offset: usize) -> SyntaxError {
    let inside = offset.saturating_sub(OPEN.len());
    let end = program.trim_end().len();
    let at = source::position(program, inside.min(end));
    if inside >= program.len() {
        if first_unopened(program).is_some() {
            return escapes(program);
        }
        return SyntaxError {
            message: "the program ends before everything it opened is closed".to_owned(),
            at,
            hint: Some("close every `{`, `(`, `[`, quote and backtick"),
        };
    }
    SyntaxError {
        message: lower_first(message),
        at,
        hint: hint(program, inside),
    }
}

/// A program that closes the function it is the body of.
pub(crate) fn escapes(program: &str) -> SyntaxError {
    SyntaxError {
        message: "the program closes a `}` that it did not open".to_owned(),
        at: source::position(program, first_unopened(program).unwrap_or(0)),
        hint: Some("`code` is the body of one async function: leave out what stands around it"),
    }
}

/// The first `}` or `)` without its opener, as far as counting tells.
fn first_unopened(program: &str) -> Option<usize> {
    let mut open = 0_usize;
    for (at, byte) in program.bytes().enumerate() {
        match byte {
            b'{' => open += 1,
            b'}' if open == 0 => return Some(at),
            b'}' => open -= 1,
            _ => {}
        }
    }
    None
}

fn hint(program: &str, offset: usize) -> Option<&'static str> {
    let start = program[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = program[start..]
        .lines()
        .next()
        .unwrap_or_default()
        .trim_start();
    let starts = |word: &str| {
        line.strip_prefix(word)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
    };
    if starts("def") || starts("elif") || starts("from") || starts("except") {
        return Some("`code` is TypeScript, not Python");
    }
    if line.starts_with("```") {
        return Some("send the program alone, without code fences inside it");
    }
    if program[offset..].starts_with(['}', ')', ']']) {
        return Some("it closes something that is not open here: check the brackets before it");
    }
    None
}

/// `Unexpected token` is `unexpected token`; ``Expected `,` `` likewise.
fn lower_first(message: &str) -> String {
    let mut chars = message.chars();
    chars.next().map_or_else(String::new, |first| {
        first
            .to_lowercase()
            .chain(chars)
            .collect::<String>()
            .trim_end_matches('.')
            .to_owned()
    })
}
