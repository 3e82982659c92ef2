//! Syntax errors as a model can use them: the program's own line, and what to write instead.

use crate::erase::SyntaxError;
use crate::source::{OPEN, Program};

pub(crate) const NO_MODULES: &str =
    "there are no modules here: everything a program can reach is a member of `tools`";

/// An error of the parser at byte `offset` of the wrapped text.
pub(crate) fn from_parser(program: &Program, message: &str, offset: usize) -> SyntaxError {
    let inside = offset.saturating_sub(OPEN.len());
    let end = program.text().trim_end().len();
    let at = program.position(inside.min(end));
    if inside >= program.text().len() {
        if first_unopened(program.text()).is_some() {
            return escapes(program);
        }
        if let Some((at, bracket)) = last_unclosed(program.text()) {
            return SyntaxError {
                message: format!("the program ends before this `{bracket}` is closed"),
                at: program.position(at),
                hint: Some("close it, or take it out"),
            };
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
        hint: hint(program.text(), message, inside),
    }
}

/// A program that closes the function it is the body of.
pub(crate) fn escapes(program: &Program) -> SyntaxError {
    SyntaxError {
        message: "the program closes a `}` that it did not open".to_owned(),
        at: program.position(first_unopened(program.text()).unwrap_or(0)),
        hint: Some("`code` is the body of one async function: leave out what stands around it"),
    }
}

/// The first `}` without its opener, as far as counting tells.
fn first_unopened(program: &str) -> Option<usize> {
    let mut open = 0_usize;
    for (at, bracket) in brackets(program) {
        match bracket {
            '{' => open += 1,
            '}' if open == 0 => return Some(at),
            '}' => open -= 1,
            _ => {}
        }
    }
    None
}

/// The innermost bracket that is open at the end, if all others match.
fn last_unclosed(program: &str) -> Option<(usize, char)> {
    let mut open: Vec<(usize, char)> = Vec::new();
    for (at, bracket) in brackets(program) {
        if matches!(bracket, '{' | '(' | '[') {
            open.push((at, bracket));
            continue;
        }
        let (_, opened) = open.pop()?;
        if !matches!((opened, bracket), ('{', '}') | ('(', ')') | ('[', ']')) {
            return None;
        }
    }
    open.pop()
}

/// The brackets of a program that does not parse, as far as a look at its characters tells: strings,
/// comments and templates are passed over.
fn brackets(program: &str) -> Vec<(usize, char)> {
    let mut found = Vec::new();
    let mut rest = program.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let next = rest.peek().map(|(_, c)| *c);
        match c {
            '{' | '(' | '[' | '}' | ')' | ']' => found.push((at, c)),
            '"' | '\'' | '`' => {
                while let Some((_, inner)) = rest.next() {
                    if inner == '\\' {
                        rest.next();
                    } else if inner == c {
                        break;
                    }
                }
            }
            '/' if next == Some('/') => while rest.next_if(|(_, c)| *c != '\n').is_some() {},
            '/' if next == Some('*') => {
                let end = program[at..].find("*/");
                let end = end.map_or(program.len(), |end| at + end + 2);
                while rest.next_if(|(at, _)| *at < end).is_some() {}
            }
            _ => {}
        }
    }
    found
}

fn hint(program: &str, message: &str, offset: usize) -> Option<&'static str> {
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
    if message.starts_with("Unterminated string") && !line.starts_with("```") {
        return Some("close the quote on its line; text of several lines goes into backticks");
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
