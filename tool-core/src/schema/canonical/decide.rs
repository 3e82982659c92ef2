//! Whether types alone decide.

use serde_json::{Map, Value};

use super::numbers;

/// Whether decoding into the type that `schema` came from accepts exactly what `schema` does.
///
/// `schema` is as schemars wrote it, with numeric formats.
pub(super) fn by_type(schema: &Value) -> bool {
    let Value::Object(keywords) = schema else {
        return false;
    };
    match word(keywords) {
        // Arrays of scalars; an array of arrays may hold a struct's worth of surprises.
        Some("array") => {
            let items = keywords.get("items").and_then(Value::as_object);
            only(keywords, &["type", "items"])
                && items.is_some_and(|items| word(items) != Some("array") && scalar(items))
        }
        _ => scalar(keywords),
    }
}

fn scalar(keywords: &Map<String, Value>) -> bool {
    match word(keywords) {
        Some("boolean" | "string") => only(keywords, &["type"]),
        Some("number") => {
            let format = keywords.get("format").and_then(Value::as_str);
            // Not `float`: serde reads what is too large for one as infinity.
            only(keywords, &["type", "format"]) && format == Some("double")
        }
        Some("integer") => {
            only(keywords, &["type", "format", "minimum", "maximum"])
                && keywords
                    .get("format")
                    .and_then(Value::as_str)
                    // Of 128 bits serde reads all, and JSON values hold 64.
                    .filter(|format| !matches!(*format, "int128" | "uint128"))
                    .and_then(numbers::bounds)
                    .is_some_and(|(least, greatest)| {
                        let own = |keyword: &str, bound: serde_json::Number| {
                            keywords
                                .get(keyword)
                                .is_none_or(|b| *b == Value::Number(bound))
                        };
                        own("minimum", least) && own("maximum", greatest)
                    })
        }
        _ => false,
    }
}

/// The type, without `null` beside it.
fn word(keywords: &Map<String, Value>) -> Option<&str> {
    match keywords.get("type")? {
        Value::String(word) => Some(word),
        Value::Array(words) => match &words[..] {
            [Value::String(word), Value::String(null)] if null == "null" => Some(word),
            _ => None,
        },
        _ => None,
    }
}

/// Whether nothing but these keywords and annotations is there.
fn only(keywords: &Map<String, Value>, allowed: &[&str]) -> bool {
    keywords.keys().all(|keyword| {
        allowed.contains(&keyword.as_str()) || super::definitions::is_annotation(keyword)
    })
}
