//! Names and comments that are TypeScript whatever their text is.

use serde_json::Value;

/// A name that needs no quotes as a property or after a dot.
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '_' | '$'))
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$'))
}

/// `name`, or `"odd name"`.
pub(crate) fn key(name: &str) -> String {
    if is_identifier(name) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// `.name`, or `["odd name"]`.
pub(crate) fn member(name: &str) -> String {
    if is_identifier(name) {
        format!(".{name}")
    } else {
        format!("[{}]", quoted(name))
    }
}

/// A string literal. Line separators are legal in JSON, not in every reader of TypeScript.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::new();
    for c in Value::from(text).to_string().chars() {
        if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') {
            out.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}

/// `text` on one line, unable to end the comment that it stands in.
pub(crate) fn comment_text(text: &str) -> String {
    let spaced: String = text
        .chars()
        .map(|c| {
            if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') {
                ' '
            } else {
                c
            }
        })
        .collect();
    spaced
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace("*/", "*\\/")
}

/// The first sentence of `text`, for a list of many.
pub(crate) fn one_liner(text: &str) -> String {
    let first = text.trim_start().split("\n\n").next().unwrap_or_default();
    let line = comment_text(first);
    let end = line.find(". ").map_or(line.len(), |at| at + 1);
    crate::source::shortened(&line[..end], 160)
}

/// `pascal("get-user")` is `GetUser`; what has no letters becomes `Type`.
pub(crate) fn pascal(name: &str) -> String {
    let mut out = String::new();
    for word in name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        let (head, tail) = word.split_at(1);
        out.push_str(&head.to_ascii_uppercase());
        out.push_str(tail);
    }
    if out.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out
    } else {
        format!("Type{out}")
    }
}
