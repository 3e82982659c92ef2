//! What is wrong with a value, for the one who sent it.

use std::fmt::{self, Write as _};

use serde_json::Value;

use super::nearest::nearest;
use crate::schema::pointer::Path;

/// Violations listed one by one; the rest is counted.
pub(crate) const MAX_LISTED: usize = 16;
/// Names or values listed before `… and N more`.
pub(crate) const MAX_NAMES: usize = 10;
/// Bytes of a value that are shown.
pub(crate) const MAX_SHOWN: usize = 60;

/// How a value fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Problem {
    /// A required property is absent.
    Missing,
    /// A property that the schema does not know.
    Unknown,
    /// A value that is not one of a fixed list.
    NotListed,
    /// Anything else: another type, out of range, ...
    Mismatch,
}

/// One way in which a value does not fit its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violation {
    /// JSON pointer to the value, or to where it should be; `""` is the root.
    pub(crate) path: String,
    pub(crate) problem: Problem,
    /// What the schema wants there: `an integer`, or the list of what is allowed.
    pub(crate) expected: String,
    /// What came, elided; empty if nothing did.
    pub(crate) got: String,
    /// The nearest name or value that would have been right.
    pub(crate) suggestion: Option<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            problem,
            expected,
            got,
            suggestion,
        } = self;
        if !path.is_empty() {
            write!(f, "{}: ", Elided(path))?;
        }
        match problem {
            Problem::Missing => write!(f, "missing (expected {expected})")?,
            Problem::Unknown => f.write_str("unknown property")?,
            Problem::NotListed => write!(f, "{got} is not one of {expected}")?,
            Problem::Mismatch => write!(f, "expected {expected}, got {got}")?,
        }
        match (suggestion, problem) {
            (Some(suggestion), _) => write!(f, "; did you mean {suggestion}?"),
            (None, Problem::Unknown) => write!(f, "; {expected}"),
            (None, _) => Ok(()),
        }
    }
}

/// All violations of one value: one line each, then the shape that was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Violations {
    /// At most [`MAX_LISTED`].
    pub(crate) listed: Vec<Violation>,
    /// How many more there are.
    pub(crate) more: usize,
    /// `{"city": string, "unit"?: "Celsius" | "Kelvin"}`
    pub(crate) shape: String,
}

impl Violations {
    /// What a model is told: each violation, then what the tool takes.
    pub(crate) fn for_tool(&self, tool: &str) -> String {
        let mut text = "invalid arguments: ".to_owned();
        for violation in &self.listed {
            let _ = writeln!(text, "{violation}");
        }
        if self.more > 0 {
            let _ = writeln!(text, "… and {} more", self.more);
        }
        let _ = write!(text, "tool \"{tool}\" takes {}", self.shape);
        text
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for violation in &self.listed {
            writeln!(f, "{violation}")?;
        }
        if self.more > 0 {
            writeln!(f, "… and {} more", self.more)?;
        }
        write!(f, "expected {}", self.shape)
    }
}

impl std::error::Error for Violations {}

/// Violations as a walk finds them.
#[derive(Default)]
pub(super) struct Found {
    pub(super) listed: Vec<Violation>,
    pub(super) total: usize,
    /// The walk ended before it knew.
    pub(super) gave_up: bool,
    /// 0 for a mere probe, which stops at the first.
    keep: usize,
}

impl Found {
    /// Keeps what a reader can use.
    pub(super) fn report() -> Self {
        Self {
            keep: MAX_LISTED,
            ..Self::default()
        }
    }

    /// Wants to know only whether there is one.
    pub(super) fn probe() -> Self {
        Self::default()
    }

    /// Whether there is nothing wrong, for sure.
    #[cfg(any(test, not(feature = "jsonschema")))]
    pub(super) fn is_fine(&self) -> bool {
        self.total == 0 && !self.gave_up
    }

    /// Whether what is found next is only counted.
    pub(super) fn is_full(&self) -> bool {
        self.listed.len() >= self.keep
    }

    pub(super) fn is_probe(&self) -> bool {
        self.keep == 0
    }

    /// Whether nobody cares for more.
    pub(super) fn is_settled(&self) -> bool {
        self.is_probe() && self.total > 0
    }

    /// One that nobody will read.
    pub(super) fn count(&mut self) {
        self.total += 1;
    }

    pub(super) fn add(&mut self, violation: impl FnOnce() -> Violation) {
        self.total += 1;
        if self.listed.len() < self.keep {
            self.listed.push(violation());
        }
    }
}

/// A text cut to about [`MAX_SHOWN`] bytes: the start, and the end if there is room to tell.
pub(crate) struct Elided<'a>(pub &'a str);

impl fmt::Display for Elided<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(text) = self;
        if text.len() <= MAX_SHOWN {
            return f.write_str(text);
        }
        let is_boundary = |at: &usize| text.is_char_boundary(*at);
        let head = (0..=MAX_SHOWN - 18).rev().find(is_boundary).unwrap_or(0);
        let tail = (text.len() - 15..text.len())
            .find(is_boundary)
            .unwrap_or(text.len());
        write!(f, "{}…{}", &text[..head], &text[tail..])
    }
}

/// A value as compact JSON, elided. A megabyte is not written to be cut.
pub(crate) fn show(value: &Value) -> String {
    if let Value::String(text) = value {
        if text.len() > MAX_SHOWN {
            return Value::from(Elided(text).to_string()).to_string();
        }
        return value.to_string();
    }
    let mut head = Head(Vec::new());
    // An error means that the head is full.
    let whole = serde_json::to_writer(&mut head, value).is_ok();
    let text = String::from_utf8_lossy(&head.0);
    if whole {
        text.into_owned()
    } else {
        format!("{}…", text.trim_end_matches('\u{FFFD}'))
    }
}

/// The first [`MAX_SHOWN`] bytes of what is written.
struct Head(Vec<u8>);

impl std::io::Write for Head {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let room = MAX_SHOWN.saturating_sub(self.0.len());
        self.0.extend_from_slice(&bytes[..bytes.len().min(room)]);
        if bytes.len() > room {
            Err(std::io::ErrorKind::WriteZero.into())
        } else {
            Ok(bytes.len())
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// `"a", "b", … and 3 more`
pub(crate) fn list<'a>(values: impl ExactSizeIterator<Item = &'a Value>) -> String {
    join(values.map(show))
}

/// `"a", "b", … and 3 more`
pub(crate) fn names<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    join(names.map(|name| show(&Value::from(name))))
}

fn join(shown: impl ExactSizeIterator<Item = String>) -> String {
    let more = shown.len().saturating_sub(MAX_NAMES);
    let mut text = shown.take(MAX_NAMES).collect::<Vec<_>>().join(", ");
    if more > 0 {
        let _ = write!(text, ", … and {more} more");
    }
    text
}

pub(super) fn mismatch(path: &Path<'_>, expected: String, value: &Value) -> Violation {
    Violation {
        path: path.pointer(),
        problem: Problem::Mismatch,
        expected,
        got: show(value),
        suggestion: None,
    }
}

pub(super) fn not_listed(path: &Path<'_>, value: &Value, allowed: &[&Value]) -> Violation {
    let words = allowed.iter().filter_map(|value| value.as_str());
    let near = value.as_str().and_then(|word| nearest(word, words));
    Violation {
        path: path.pointer(),
        problem: Problem::NotListed,
        expected: list(allowed.iter().copied()),
        got: show(value),
        suggestion: near.map(|word| show(&Value::from(word))),
    }
}
