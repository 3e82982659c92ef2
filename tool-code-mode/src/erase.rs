//! Types erased: every byte that only a type checker reads becomes a space, line breaks stay, so
//! what is left runs as JavaScript and every line and column is the program's own.
//!
//! `let n: number = x as number` becomes `let n         = x          `.

use oxc_allocator::Allocator;
use oxc_ast::ast::{ArrowFunctionBody, Expression, FunctionBody, Statement};
use oxc_ast_visit::Visit as _;
use oxc_parser::config::TokensParserConfig;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::{SourceType, Span};

use crate::eraser::Eraser;
use crate::facts::Facts;
use crate::source::{CLOSE, OPEN, Position, Program};
use crate::syntax;

/// A program that parses, ready to run.
#[derive(Debug)]
pub(crate) struct Erased {
    /// JavaScript whose value is the program as an async function. Positions are those of the
    /// program, but for [`OPEN`] before its first line.
    pub(crate) javascript: String,
    /// What the text says about itself, for messages.
    pub(crate) facts: Facts,
}

/// Why a program cannot run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) message: String,
    pub(crate) at: Position,
    pub(crate) hint: Option<&'static str>,
}

/// Erases the types of `program`, which must be the body of exactly one async function.
pub(crate) fn erase(program: &Program) -> Result<Erased, SyntaxError> {
    if let Some(at) = program.text().find('\0') {
        return Err(SyntaxError {
            message: "the program holds a NUL character".to_owned(),
            at: program.position(at),
            hint: Some("in a string, write it as `\\0`"),
        });
    }
    let text = format!("{OPEN}{}{CLOSE}", program.text());
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, &text, SourceType::ts())
        .with_options(ParseOptions {
            parse_regular_expression: true,
            ..ParseOptions::default()
        })
        .with_config(TokensParserConfig)
        .parse();
    if let Some(diagnostic) = parsed.diagnostics.first() {
        let label = diagnostic
            .labels
            .first()
            .map_or(0, |label| label.offset() as usize);
        return Err(syntax::from_parser(program, &diagnostic.message, label));
    }
    let Some(body) = only_function(&parsed.program.body, &text) else {
        return Err(syntax::escapes(program));
    };
    let mut eraser = Eraser::new(&text, &parsed.tokens);
    eraser.visit_function_body(body);
    if let Some((offset, message, hint)) = eraser.refused {
        let at = program.position((offset as usize).saturating_sub(OPEN.len()));
        return Err(SyntaxError {
            message: message.to_owned(),
            at,
            hint: Some(hint),
        });
    }
    let Eraser {
        mut blanks,
        mut puts,
        facts,
        ..
    } = eraser;
    facts.hide_missing_globals(&mut puts);
    blanks.sort_unstable_by_key(|span| span.start);
    puts.sort_unstable_by_key(|put| put.0);
    Ok(Erased {
        javascript: blanked(&text, &blanks, &puts),
        facts,
    })
}

/// The body of the one function that `text` is. `}); evil(); (async()=>{` makes it something else:
/// more statements, or a function that ends before the end.
fn only_function<'b, 'a>(body: &'b [Statement<'a>], text: &str) -> Option<&'b FunctionBody<'a>> {
    let [Statement::ExpressionStatement(statement)] = body else {
        return None;
    };
    let Expression::ParenthesizedExpression(parenthesized) = &statement.expression else {
        return None;
    };
    let Expression::ArrowFunctionExpression(arrow) = &parenthesized.expression else {
        return None;
    };
    let whole = arrow.span.start == 1 && arrow.span.end as usize == text.len() - ")".len();
    match &arrow.body {
        ArrowFunctionBody::FunctionBody(body) if whole => Some(body),
        _ => None,
    }
}

/// `text` with `blanks` blanked and `puts` in place of what stands there. Both are sorted.
fn blanked(text: &str, blanks: &[Span], puts: &[(u32, char)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut puts = puts.iter().peekable();
    let mut blanks = blanks.iter().peekable();
    let mut until = 0;
    for (at, c) in text.char_indices() {
        while let Some(blank) = blanks.next_if(|blank| blank.start as usize <= at) {
            until = until.max(blank.end as usize);
        }
        let mut put = None;
        while let Some((_, c)) = puts.next_if(|put| (put.0 as usize) < at + c.len_utf8()) {
            put = Some(*c);
        }
        let blank = at < until && !matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}');
        if put.is_none() && !blank {
            out.push(c);
            continue;
        }
        out.push(put.unwrap_or(' '));
        out.extend(std::iter::repeat_n(' ', c.len_utf8() - 1));
    }
    out
}

#[cfg(test)]
#[path = "erase_tests.rs"]
mod tests;
