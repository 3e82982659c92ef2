//! Strings of a format, a pattern, a length.

use serde_json::{Map, Value, json};

use super::pattern;
use crate::schema::Compiled;

/// A text longer than this is not made.
const LONGEST: usize = 100_000;

/// A string that fits; another `shift` gives another string where there is one.
pub(super) fn text(schema: &Map<String, Value>, shift: usize) -> Option<Value> {
    let length = |key| schema.get(key).and_then(Value::as_u64);
    let least = usize::try_from(length("minLength").unwrap_or(0)).ok()?;
    let most = length("maxLength").map_or(usize::MAX, |most| {
        usize::try_from(most).unwrap_or(usize::MAX)
    });
    if least > LONGEST {
        return None;
    }
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
        return of_pattern(pattern, schema, shift).map(Value::String);
    }
    let format = schema.get("format").and_then(Value::as_str);
    let text = format
        .and_then(|format| of_format(format, shift))
        .unwrap_or_else(|| match shift {
            0 => sized("text", least, most),
            // The difference is at the end, where nothing is cut off.
            _ => {
                let end = shift.to_string();
                let stem = sized(
                    "text",
                    least.saturating_sub(end.len()),
                    most.saturating_sub(end.len()),
                );
                format!("{stem}{end}")
            }
        });
    Some(Value::String(text))
}

fn sized(text: &str, least: usize, most: usize) -> String {
    let filled = text.chars().chain(std::iter::repeat('x'));
    filled.take(text.len().max(least).min(most)).collect()
}

/// The first of several texts that the pattern itself takes.
fn of_pattern(pattern: &str, schema: &Map<String, Value>, shift: usize) -> Option<String> {
    /// For patterns that look around, which only a guess can meet.
    const GUESSES: [&str; 8] = [
        "text",
        "a",
        "1",
        "A1",
        "Aa1!Aa1!",
        "a-b",
        "/a/b",
        "2026-01-31",
    ];
    let mut alone = Map::new();
    for key in ["type", "pattern", "minLength", "maxLength"] {
        if let Some(value) = schema.get(key) {
            alone.insert(key.to_owned(), value.clone());
        }
    }
    let compiled = Compiled::new(Value::Object(alone)).ok()?;
    let made = [0, 1, 2, 3, 4, 8, 16, 64, 256]
        .into_iter()
        .flat_map(|more| (0..4).map(move |arm| (more, arm)))
        .filter_map(|(more, arm)| pattern::text(pattern, more, arm));
    let mut fitting: Vec<String> = Vec::new();
    for text in made.chain(GUESSES.map(str::to_owned)) {
        if !fitting.contains(&text) && compiled.is_valid(&json!(text)) {
            fitting.push(text);
        }
        if fitting.len() > shift {
            break;
        }
    }
    fitting.pop()
}

/// Sources: JSON Schema 2020-12, validation, section 7; schemars' `partial-date-time`.
fn of_format(format: &str, shift: usize) -> Option<String> {
    let day = shift % 28 + 1;
    let text = match format {
        "date" => format!("2026-01-{day:02}"),
        "date-time" => format!("2026-01-{day:02}T12:00:00Z"),
        "partial-date-time" => format!("2026-01-{day:02}T12:00:00"),
        "time" => format!("12:{:02}:00Z", shift % 60),
        "partial-time" => format!("12:{:02}:00", shift % 60),
        "duration" => format!("P{day}D"),
        "email" | "idn-email" => format!("user{shift}@example.com"),
        "hostname" | "idn-hostname" => format!("host{shift}.example.com"),
        "ipv4" | "ip" => format!("192.0.2.{}", shift % 256),
        "ipv6" => format!("2001:db8::{:x}", shift % 65536),
        "uri" | "iri" | "url" => format!("https://example.com/{shift}"),
        "uri-reference" | "iri-reference" | "json-pointer" | "uri-template" => format!("/{shift}"),
        "relative-json-pointer" => format!("{shift}"),
        "uuid" => format!("00000000-0000-4000-8000-{shift:012x}"),
        "regex" => format!("^{shift}$"),
        _ => return None,
    };
    Some(text)
}
