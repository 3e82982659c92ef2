//! Strict JSON, as a model wrote it.
//!
//! Stricter than RFC 8259 where leniency loses data without a word: a key given twice, an integer
//! that a double would round (`18446744073709551616`), nesting that overflows a stack.

mod failure;
mod hint;
mod number;
mod rounded;
mod scanner;
mod sink;

use std::fmt;

use serde_json::{Map, Value};

pub(crate) use self::rounded::rounds_an_integer;
use self::scanner::Scanner;
use super::MAX_DEPTH;

/// How much is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// The longest text in bytes; for a value built in code, the least its text would take.
    pub(crate) max_bytes: usize,
}

impl Default for Limits {
    /// 1 MiB.
    fn default() -> Self {
        Self { max_bytes: 1 << 20 }
    }
}

/// The kind of a [`ParseError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParseErrorKind {
    /// More bytes than [`Limits::max_bytes`].
    TooLarge,
    /// Nested deeper than [`MAX_DEPTH`].
    TooDeep,
    /// The text ends before the value does.
    Incomplete,
    /// One object has one key twice.
    DuplicateKey,
    /// A number that 64 bits cannot hold.
    Number,
    /// Anything else that is not JSON.
    Syntax,
}

/// Why a text is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParseError {
    pub(crate) kind: ParseErrorKind,
    /// JSON pointer to the value or key at fault, `""` at the root.
    pub(crate) path: String,
    /// From 1; 0 where there is no text.
    pub(crate) line: usize,
    /// From 1, in characters; 0 where there is no text.
    pub(crate) column: usize,
    /// What is wrong, in lower case, without a full stop.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) hint: Option<&'static str>,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            // The pointer of something 128 levels down says nothing to a reader.
            write!(f, "{}: ", super::validate::Elided(&self.path))?;
        }
        f.write_str(&self.message)?;
        if self.line > 0 {
            write!(f, " at line {} column {}", self.line, self.column)?;
        }
        match self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ParseError {}

/// Reads one JSON value.
///
/// Numbers come out as [`serde_json::from_str`] reads them, so that typed decoding of the same
/// text sees the same ones.
///
/// # Errors
///
/// Says where and why the text is not strict JSON within `limits`.
pub(crate) fn parse(text: &str, limits: Limits) -> Result<Value, ParseError> {
    within(text.len(), limits)?;
    Scanner::new(text).document::<sink::Tree>()
}

/// As strict as [`parse`], without building a value. The size is the caller's to check.
///
/// # Errors
///
/// As [`parse`].
#[cfg(test)]
pub(crate) fn scan(text: &str) -> Result<(), ParseError> {
    Scanner::new(text).document::<sink::Discard>()
}

/// Refuses a size beyond the limit.
fn within(bytes: usize, limits: Limits) -> Result<(), ParseError> {
    if bytes <= limits.max_bytes {
        return Ok(());
    }
    Err(unplaced(
        ParseErrorKind::TooLarge,
        format!(
            "{bytes} bytes are more than the limit of {} bytes",
            limits.max_bytes
        ),
    ))
}

fn unplaced(kind: ParseErrorKind, message: String) -> ParseError {
    ParseError {
        kind,
        path: String::new(),
        line: 0,
        column: 0,
        message,
        hint: None,
    }
}

/// Whether the text stands for "no arguments": empty, blank or `null`.
pub(crate) fn is_blank(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || text == "null"
}

/// The content of a text that is one code fence and nothing else.
///
/// ````text
/// ```json
/// {"w": 1}
/// ```
/// ````
pub(crate) fn fence(text: &str) -> Option<&str> {
    let inner = text.trim().strip_prefix("```")?.strip_suffix("```")?;
    // The info string: a word, on the line of the fence.
    let inner = inner.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "_-+.".contains(c));
    let starts_inside = inner.starts_with(|c: char| c.is_whitespace() || c == '{');
    starts_inside.then(|| inner.trim())
}

/// Refuses a value, built in code, that [`parse`] would not have produced from a text: nested too
/// deep, or too large.
///
/// Walks without recursion, so that any value can be asked about.
///
/// # Errors
///
/// [`ParseErrorKind::TooDeep`] or [`ParseErrorKind::TooLarge`].
pub(crate) fn check_value(value: &Value, limits: Limits) -> Result<(), ParseError> {
    let mut bytes = 0usize;
    let mut rest = vec![(value, 0)];
    while let Some((value, depth)) = rest.pop() {
        bytes = bytes.saturating_add(match value {
            Value::Null | Value::Bool(true) => 4,
            Value::Bool(false) => 5,
            Value::Number(_) => 1,
            Value::String(text) => text.len() + 2,
            Value::Array(items) => 2 + items.len().saturating_sub(1),
            Value::Object(map) => 2 + map.keys().map(|key| key.len() + 4).sum::<usize>(),
        });
        within(bytes, limits)?;
        if depth == MAX_DEPTH && (value.is_array() || value.is_object()) {
            let message = format!("nested more than {MAX_DEPTH} levels deep");
            return Err(unplaced(ParseErrorKind::TooDeep, message));
        }
        match value {
            Value::Array(items) => rest.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(map) => rest.extend(map.values().map(|item| (item, depth + 1))),
            _ => {}
        }
    }
    Ok(())
}

/// How deep a value is nested: 0 for a scalar, 2 for `[[1]]`.
pub(crate) fn depth(value: &Value) -> usize {
    let mut deepest = 0;
    let mut rest = vec![(value, 0)];
    while let Some((value, depth)) = rest.pop() {
        deepest = deepest.max(depth);
        match value {
            Value::Array(items) => {
                deepest = deepest.max(depth + 1);
                rest.extend(items.iter().map(|item| (item, depth + 1)));
            }
            Value::Object(map) => {
                deepest = deepest.max(depth + 1);
                rest.extend(map.values().map(|item| (item, depth + 1)));
            }
            _ => {}
        }
    }
    deepest
}

/// Drops a value of any depth. The drop of [`Value`] itself recurses, and overflows the stack on
/// one that was nested in code.
pub(crate) fn drop_deep(value: Value) {
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match value {
            Value::Array(items) => rest.extend(items),
            Value::Object(map) => rest.extend(into_values(map)),
            _ => {}
        }
    }
}

fn into_values(map: Map<String, Value>) -> impl Iterator<Item = Value> {
    map.into_iter().map(|(_, value)| value)
}
