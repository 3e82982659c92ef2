//! Schemas in words: `an integer from 0 to 255`, `{"city": string, "unit"?: "C" | "K"}`.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::violation::{MAX_NAMES, list, show};
use crate::schema::arms::{of as alternatives, reference, required};
use crate::schema::is_end_of_f32;

/// Alternatives of a union that are spelt out.
const MAX_ALTERNATIVES: usize = 8;

/// A noun for what `schema` accepts, with its bounds: `an integer from 0 to 255`.
pub(crate) fn expected(root: &Value, schema: &Value) -> String {
    words(root, Bounds::All).phrase(schema, 8)
}

/// The same for a value of another type, or none: without the bounds that every `u32` has.
pub(crate) fn kind(root: &Value, schema: &Value) -> String {
    words(root, Bounds::Declared).phrase(schema, 8)
}

/// The same for a value known to be of the type `word`, with bounds.
pub(super) fn bounded(root: &Value, keywords: &Map<String, Value>, word: &str) -> String {
    words(root, Bounds::All).noun(keywords, word, 8)
}

/// Which ranges and lengths are said.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bounds {
    None,
    /// Those that somebody chose.
    Declared,
    /// Those of a type, too.
    All,
}

fn words(root: &Value, bounds: Bounds) -> Words<'_> {
    Words {
        root,
        bounds,
        visits: 100,
    }
}

struct Words<'a> {
    root: &'a Value,
    bounds: Bounds,
    /// Schemas that are still looked at: unions of unions can multiply.
    visits: u8,
}

impl Words<'_> {
    fn phrase(&mut self, schema: &Value, fuel: u8) -> String {
        self.visits = self.visits.saturating_sub(1);
        let fuel = fuel.checked_sub(1).filter(|_| self.visits > 0);
        let (Value::Object(keywords), Some(fuel)) = (schema, fuel) else {
            return if *schema == Value::Bool(false) {
                "nothing"
            } else {
                "a value"
            }
            .to_owned();
        };
        if let Some(value) = keywords.get("const") {
            return show(value);
        }
        if let Some(Value::Array(values)) = keywords.get("enum") {
            let one_of = if values.len() == 1 { "" } else { "one of " };
            return format!("{one_of}{}", list(values.iter()));
        }
        if let Some(target) = reference(self.root, keywords) {
            return self.phrase(target, fuel);
        }
        match keywords.get("type") {
            Some(Value::Array(words)) => {
                let each = words.iter().filter_map(Value::as_str);
                return or(each.map(|word| self.noun(keywords, word, fuel)).collect());
            }
            Some(Value::String(word)) => return self.noun(keywords, word, fuel),
            _ => {}
        }
        if let Some(arms) = alternatives(keywords) {
            return or(arms.iter().map(|arm| self.phrase(arm, fuel)).collect());
        }
        match keywords
            .get("allOf")
            .and_then(Value::as_array)
            .map(Vec::as_slice)
        {
            Some([first, ..]) => self.phrase(first, fuel),
            _ => "a value".to_owned(),
        }
    }

    fn noun(&mut self, keywords: &Map<String, Value>, word: &str, fuel: u8) -> String {
        let mut text = match word {
            "integer" => "an integer".to_owned(),
            "number" => "a number".to_owned(),
            "string" => string(keywords, self.bounds != Bounds::None),
            "array" => {
                let items = keywords.get("items").filter(|items| items.is_object());
                let bounds = std::mem::replace(&mut self.bounds, Bounds::None);
                let item = items.map(|items| self.phrase(items, fuel));
                self.bounds = bounds;
                let items = item.as_deref().and_then(plural);
                items.map_or("an array".to_owned(), |items| {
                    format!("an array of {items}")
                })
            }
            "object" => "an object".to_owned(),
            "boolean" => "a boolean".to_owned(),
            other => other.to_owned(),
        };
        if self.bounds != Bounds::None {
            text += &match word {
                "integer" if self.bounds == Bounds::Declared && is_type(keywords) => String::new(),
                "number" if self.bounds == Bounds::Declared && is_f32(keywords) => String::new(),
                "integer" | "number" => range(keywords),
                "array" => count(keywords, "minItems", "maxItems", "item"),
                _ => String::new(),
            };
        }
        text
    }
}

/// Whether the bounds are those of one of Rust's integers, and no others.
fn is_type(keywords: &Map<String, Value>) -> bool {
    let bound = |key: &str| keywords.get(key);
    let ends = bound("minimum")
        .and_then(Value::as_i64)
        .zip(bound("maximum").and_then(Value::as_u64));
    let of_a_type = ends.is_some_and(|(low, high)| match low {
        0 => [8, 16, 32, 64]
            .iter()
            .any(|bits| high == u64::MAX >> (64 - bits)),
        _ => [8, 16, 32, 64]
            .iter()
            .any(|bits| low == i64::MIN >> (64 - bits) && high == (u64::MAX >> (64 - bits)) / 2),
    });
    of_a_type
        && ["exclusiveMinimum", "exclusiveMaximum", "multipleOf"]
            .iter()
            .all(|key| bound(key).is_none())
}

fn is_f32(keywords: &Map<String, Value>) -> bool {
    let is_end = |key: &str| keywords.get(key).is_some_and(is_end_of_f32);
    is_end("minimum") && is_end("maximum")
}

fn plural(item: &str) -> Option<String> {
    let known = [
        "a string",
        "an integer",
        "a number",
        "a boolean",
        "an object",
        "an array",
    ];
    let word = item.split_once(' ')?.1;
    known.contains(&item).then(|| format!("{word}s"))
}

fn string(keywords: &Map<String, Value>, bounds: bool) -> String {
    let mut text = match keywords.get("format").and_then(Value::as_str) {
        Some("uuid") => "a UUID".to_owned(),
        Some("date") => "a date such as 2024-01-31".to_owned(),
        Some("date-time") => "a date and time such as 2024-01-31T12:00:00Z".to_owned(),
        Some("partial-date-time") => {
            "a date and time without an offset such as 2024-01-31T12:00:00".to_owned()
        }
        Some("partial-time") => "a time without an offset such as 12:00:00".to_owned(),
        Some("time") => "a time such as 12:00:00Z".to_owned(),
        Some("uri") => "a URI".to_owned(),
        Some("email") => "an email address".to_owned(),
        Some("ipv4") => "an IPv4 address".to_owned(),
        Some("ipv6") => "an IPv6 address".to_owned(),
        Some(format) if bounds => format!("a string in the format {}", show(&format.into())),
        _ => "a string".to_owned(),
    };
    if bounds {
        text += &count(keywords, "minLength", "maxLength", "character");
        if let Some(pattern) = keywords.get("pattern").and_then(Value::as_str) {
            let _ = write!(text, " that matches {}", show(&pattern.into()));
        }
    }
    text
}

/// `item`, or `items` if it is not one.
pub(super) fn units(count: u64, unit: &str, plural: &str) -> String {
    format!("{unit}{}", if count == 1 { "" } else { plural })
}

/// ` of at least 1 item`
fn count(keywords: &Map<String, Value>, min: &str, max: &str, unit: &str) -> String {
    let number = |key: &str| keywords.get(key).filter(|limit| limit.is_number());
    let units = |limit: &Value| units(limit.as_u64().unwrap_or(0), unit, "s");
    match (number(min), number(max)) {
        (Some(low), Some(high)) if low == high => format!(" of exactly {low} {}", units(low)),
        (Some(low), Some(high)) => format!(" of {low} to {high} {}", units(high)),
        (Some(low), None) => format!(" of at least {low} {}", units(low)),
        (None, Some(high)) => format!(" of at most {high} {}", units(high)),
        (None, None) => String::new(),
    }
}

fn range(keywords: &Map<String, Value>) -> String {
    let number = |key: &str| keywords.get(key).filter(|limit| limit.is_number());
    // 64 bits are what every integer has; naming them would only hide the message.
    let low = number("minimum").filter(|low| low.as_i64() != Some(i64::MIN));
    let high = number("maximum")
        .filter(|high| high.as_u64() != Some(u64::MAX) && high.as_i64() != Some(i64::MAX));
    // So would all digits of an `f32`.
    if is_f32(keywords) {
        return " from -3.4e38 to 3.4e38".to_owned();
    }
    let mut text = match (low, high) {
        (Some(low), Some(high)) => format!(" from {low} to {high}"),
        (Some(low), None) => format!(" of at least {low}"),
        (None, Some(high)) => format!(" of at most {high}"),
        (None, None) => String::new(),
    };
    if let Some(low) = number("exclusiveMinimum") {
        let _ = write!(text, " greater than {low}");
    }
    if let Some(high) = number("exclusiveMaximum") {
        let _ = write!(text, " less than {high}");
    }
    if let Some(step) = number("multipleOf") {
        let _ = write!(text, " that is a multiple of {step}");
    }
    text
}

/// `a, b or c`, each once.
pub(super) fn or(mut words: Vec<String>) -> String {
    let mut seen = std::collections::HashSet::new();
    words.retain(|word| seen.insert(word.clone()));
    if words.len() > MAX_ALTERNATIVES {
        let more = words.len() - MAX_ALTERNATIVES;
        words.truncate(MAX_ALTERNATIVES);
        return format!("{}, … or {more} more", words.join(", "));
    }
    match words.split_last() {
        None => "a value".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

/// Bytes of a shape.
const MAX_SHAPE: usize = 400;
/// References, arrays and unions between two levels of objects.
const FUEL: u8 = 8;

/// The shape of what `schema` accepts, on one line of about 400 bytes at most.
pub(crate) fn shape(root: &Value, schema: &Value) -> String {
    let mut shape = Shape {
        root,
        text: String::new(),
    };
    shape.write(schema, 4, FUEL);
    shape.text
}

struct Shape<'a> {
    root: &'a Value,
    text: String,
}

impl Shape<'_> {
    fn is_full(&self) -> bool {
        self.text.len() > MAX_SHAPE
    }

    /// `levels` of objects are spelt out; `fuel` bounds references and unions.
    fn write(&mut self, schema: &Value, levels: u8, fuel: u8) {
        let (Value::Object(keywords), Some(fuel)) = (schema, fuel.checked_sub(1)) else {
            self.text += match schema {
                Value::Bool(false) => "nothing",
                Value::Bool(true) => "any",
                _ => "…",
            };
            return;
        };
        if self.is_full() {
            self.text += "…";
        } else if let Some(value) = keywords.get("const") {
            self.text += &show(value);
        } else if let Some(Value::Array(values)) = keywords.get("enum") {
            let more = values.len().saturating_sub(MAX_NAMES);
            let shown: Vec<_> = values.iter().take(MAX_NAMES).map(show).collect();
            self.text += &shown.join(" | ");
            if more > 0 {
                let _ = write!(self.text, " | … {more} more");
            }
        } else if let Some(target) = reference(self.root, keywords) {
            self.write(target, levels, fuel);
        } else if let Some(arms) = alternatives(keywords) {
            self.union(arms, levels, fuel);
        } else {
            self.types(keywords, levels, fuel);
        }
    }

    fn union(&mut self, arms: &[Value], levels: u8, fuel: u8) {
        for (index, arm) in arms.iter().enumerate() {
            if index > 0 {
                self.text += " | ";
            }
            if index == MAX_ALTERNATIVES || self.is_full() {
                self.text += "…";
                return;
            }
            self.write(arm, levels, fuel);
        }
    }

    fn types(&mut self, keywords: &Map<String, Value>, levels: u8, fuel: u8) {
        let words: Vec<&str> = match keywords.get("type") {
            Some(Value::String(word)) => vec![word],
            Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect(),
            _ if keywords.contains_key("properties") => vec!["object"],
            _ => vec!["any"],
        };
        for (index, word) in words.into_iter().enumerate() {
            if index > 0 {
                self.text += " | ";
            }
            match word {
                "object" => self.object(keywords, levels),
                "array" => self.array(keywords, levels, fuel),
                word => self.text += word,
            }
        }
    }

    fn array(&mut self, keywords: &Map<String, Value>, levels: u8, fuel: u8) {
        if let Some(Value::Array(items)) = keywords.get("prefixItems") {
            self.text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    self.text += ", ";
                }
                if self.is_full() {
                    self.text.push('…');
                    break;
                }
                self.write(item, levels, fuel);
            }
            self.text.push(']');
            return;
        }
        let start = self.text.len();
        self.write(
            keywords.get("items").unwrap_or(&Value::Bool(true)),
            levels,
            fuel,
        );
        if self.text[start..].contains(" | ") {
            self.text.insert(start, '(');
            self.text.push(')');
        }
        self.text += "[]";
    }

    fn object(&mut self, keywords: &Map<String, Value>, levels: u8) {
        let empty = Map::new();
        let properties = keywords
            .get("properties")
            .and_then(Value::as_object)
            .unwrap_or(&empty);
        let extra = keywords
            .get("additionalProperties")
            .filter(|extra| extra.is_object());
        let Some(levels) = levels.checked_sub(1) else {
            self.text += "{…}";
            return;
        };
        let required = required(keywords);
        let first = required
            .iter()
            .filter_map(|name| properties.get_key_value(*name));
        let then = properties
            .iter()
            .filter(|(name, _)| !required.contains(&name.as_str()));
        self.text.push('{');
        let mut separator = "";
        for (name, schema) in first.chain(then) {
            self.text += separator;
            separator = ", ";
            if self.is_full() {
                self.text.push('…');
                break;
            }
            self.text += &show(&Value::from(name.as_str()));
            self.text += if required.contains(&name.as_str()) {
                ": "
            } else {
                "?: "
            };
            self.write(schema, levels, FUEL);
        }
        if let Some(extra) = extra {
            self.text += separator;
            self.text += "[key]: ";
            self.write(extra, levels, FUEL);
        }
        self.text.push('}');
    }
}
