//! What went wrong, in words a model can act on.

use super::ParseErrorKind;
use crate::schema::validate::Elided;

/// What the scanner was about to read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Value,
    Key,
    AfterKey,
    AfterMember,
    AfterItem,
    TrailingComma,
    End,
    Digit,
    LeadingZero,
    InString,
    ControlCharacter,
    Escape,
    Surrogate,
}

type Explained = (ParseErrorKind, String, Option<&'static str>);

/// Why the text cannot go on as it does at `at`.
pub(super) fn explain(text: &str, at: usize, place: Place) -> Explained {
    let rest = text.get(at..).unwrap_or("");
    let Some(next) = rest.chars().next() else {
        let message = match place {
            Place::InString => "the JSON is incomplete: it ends inside a string",
            _ => "the JSON is incomplete: it ends too early",
        };
        let hint = Some("send the whole value again");
        return (ParseErrorKind::Incomplete, message.to_owned(), hint);
    };
    let (message, hint) = match (place, next) {
        (Place::TrailingComma, _) => (
            format!("trailing comma before `{next}`"),
            Some("remove the comma"),
        ),
        (Place::ControlCharacter, _) => {
            let message = format!(
                "a string holds the raw control character U+{:04X}",
                next as u32
            );
            (
                message,
                Some("escape it: `\\n` for a line break, `\\t` for a tab"),
            )
        }
        (Place::Escape, _) => (
            "invalid escape in a string".to_owned(),
            Some("write a backslash as `\\\\`"),
        ),
        (Place::Surrogate, _) => (
            "a string holds half of a surrogate pair".to_owned(),
            Some("write the character itself"),
        ),
        (Place::LeadingZero, _) => (
            "a number starts with `0`".to_owned(),
            Some("remove the leading zero"),
        ),
        (Place::Digit, 'I' | 'N') => (
            "a number is not finite".to_owned(),
            Some("JSON numbers are finite"),
        ),
        (Place::Digit, _) => (format!("expected a digit, found `{next}`"), None),
        (_, '\'') => (
            "single quotes are not JSON".to_owned(),
            Some("put strings and keys in double quotes"),
        ),
        (_, '\u{FEFF}') => ("unexpected byte order mark".to_owned(), Some("remove it")),
        (_, '/' | '#') => (
            "unexpected comment".to_owned(),
            Some("JSON has no comments"),
        ),
        (_, '`') => (
            "unexpected code fence".to_owned(),
            Some("send the JSON alone"),
        ),
        (Place::End, '{' | '[' | '"') => (
            "unexpected second value after the first".to_owned(),
            Some("send one JSON value per call"),
        ),
        (Place::End, _) => (
            format!("unexpected text after the value: `{}`", word(rest)),
            None,
        ),
        // Nothing but prose.
        (Place::Value, _) if text[..at].trim().is_empty() && next.is_alphabetic() => {
            let (message, hint) = unknown_word(rest);
            let prose = hint == Some(QUOTES);
            (
                message,
                if prose {
                    Some("send one JSON object, and no prose")
                } else {
                    hint
                },
            )
        }
        (Place::Value, _) => unknown_word(rest),
        (Place::Key, _) => {
            let message = format!("expected a key in double quotes, found `{}`", word(rest));
            (message, Some("put every key in double quotes"))
        }
        (Place::AfterKey, _) => (format!("expected `:`, found `{}`", word(rest)), None),
        (Place::AfterMember, _) => (
            format!("expected `,` or `}}`, found `{}`", word(rest)),
            None,
        ),
        (Place::AfterItem, _) => (format!("expected `,` or `]`, found `{}`", word(rest)), None),
        (Place::InString, _) => ("invalid string".to_owned(), None),
    };
    (ParseErrorKind::Syntax, message, hint)
}

const QUOTES: &str = "put strings in double quotes";

/// Words of other languages, where a value should stand.
fn unknown_word(rest: &str) -> (String, Option<&'static str>) {
    let word = word(rest);
    let hint = match word {
        "NaN" | "Infinity" | "-Infinity" | "inf" | "nan" => "JSON numbers are finite",
        "True" | "TRUE" => "did you mean `true`?",
        "False" | "FALSE" => "did you mean `false`?",
        "None" | "undefined" | "nil" | "NULL" | "Null" => "did you mean `null`?",
        _ if word.starts_with(|c: char| c.is_alphabetic()) => QUOTES,
        _ => return (format!("expected a value, found `{word}`"), None),
    };
    (format!("`{word}` is not JSON"), Some(hint))
}

/// The word, or the single character, at the start of the text.
fn word(rest: &str) -> &str {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    let one = rest.chars().next().map_or(0, char::len_utf8);
    shorten(&rest[..end.max(one)])
}

/// At most 40 bytes of a text, cut at a character.
pub(super) fn shorten(text: &str) -> &str {
    let end = (0..=text.len().min(40))
        .rev()
        .find(|at| text.is_char_boundary(*at));
    &text[..end.unwrap_or(0)]
}

/// A key as a reader can copy it, elided.
pub(super) fn quoted(key: &str) -> String {
    format!("{}", Elided(&serde_json::Value::from(key).to_string()))
}
