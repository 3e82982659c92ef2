//! Schemas in words: `an integer from 0 to 255`, `{"city": string, "unit"?: "C" | "K"}`.

use serde_json::{Map, Value};

use super::violation::{MAX_NAMES, list, show};
use crate::schema::arms::{of as alternatives, reference, required};

/// Alternatives of a union that are spelt out.
const MAX_ALTERNATIVES: usize = 8;

/// A noun for what `schema` accepts, with its bounds: `an integer from 0 to 255`.
pub fn expected(root: &Value, schema: &Value) -> String {
    phrase(root, schema, true, 8)
}

/// The same without bounds: `an integer`.
pub fn kind(root: &Value, schema: &Value) -> String {
    phrase(root, schema, false, 8)
}

fn phrase(root: &Value, schema: &Value, bounds: bool, fuel: u8) -> String {
    let (Value::Object(keywords), Some(fuel)) = (schema, fuel.checked_sub(1)) else {
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
    if let Some(target) = reference(root, keywords) {
        return phrase(root, target, bounds, fuel);
    }
    if let Some(words) = keywords.get("type").and_then(Value::as_array) {
        let each = words.iter().filter_map(Value::as_str);
        return or(each
            .map(|word| noun(root, keywords, word, bounds, fuel))
            .collect());
    }
    if let Some(word) = keywords.get("type").and_then(Value::as_str) {
        return noun(root, keywords, word, bounds, fuel);
    }
    if let Some(arms) = alternatives(keywords) {
        return or(arms
            .iter()
            .map(|arm| phrase(root, arm, bounds, fuel))
            .collect());
    }
    match keywords
        .get("allOf")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
    {
        Some([first, ..]) => phrase(root, first, bounds, fuel),
        _ => "a value".to_owned(),
    }
}

fn noun(root: &Value, keywords: &Map<String, Value>, word: &str, bounds: bool, fuel: u8) -> String {
    match word {
        "integer" => format!(
            "an integer{}",
            if bounds {
                range(keywords)
            } else {
                String::new()
            }
        ),
        "number" => format!(
            "a number{}",
            if bounds {
                range(keywords)
            } else {
                String::new()
            }
        ),
        "string" => string(keywords, bounds),
        "array" => {
            let items = keywords.get("items").filter(|items| items.is_object());
            let mut text = match items.map(|items| phrase(root, items, false, fuel)) {
                Some(item) if plural(&item).is_some() => {
                    format!("an array of {}", plural(&item).unwrap_or_default())
                }
                _ => "an array".to_owned(),
            };
            if bounds {
                text += &count(keywords, "minItems", "maxItems", "item");
            }
            text
        }
        "object" => "an object".to_owned(),
        "boolean" => "a boolean".to_owned(),
        other => other.to_owned(),
    }
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
            text += &format!(" that matches {}", show(&pattern.into()));
        }
    }
    text
}

/// ` of at least 1 item`
fn count(keywords: &Map<String, Value>, min: &str, max: &str, unit: &str) -> String {
    let number = |key: &str| keywords.get(key).filter(|limit| limit.is_number());
    let units = |limit: &Value| {
        if limit.as_u64() == Some(1) {
            unit.to_owned()
        } else {
            format!("{unit}s")
        }
    };
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
    let mut text = match (low, high) {
        (Some(low), Some(high)) => format!(" from {low} to {high}"),
        (Some(low), None) => format!(" of at least {low}"),
        (None, Some(high)) => format!(" of at most {high}"),
        (None, None) => String::new(),
    };
    if let Some(low) = number("exclusiveMinimum") {
        text += &format!(" greater than {low}");
    }
    if let Some(high) = number("exclusiveMaximum") {
        text += &format!(" less than {high}");
    }
    if let Some(step) = number("multipleOf") {
        text += &format!(" that is a multiple of {step}");
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

/// The shape of what `schema` accepts, on one line of about 400 bytes at most.
pub fn shape(root: &Value, schema: &Value) -> String {
    let mut shape = Shape {
        root,
        text: String::new(),
    };
    shape.write(schema, 3, 8);
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
            let nothing = *schema == Value::Bool(false);
            self.text += if nothing { "nothing" } else { "any" };
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
                self.text += &format!(" | … {more} more");
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
                "object" => self.object(keywords, levels, fuel),
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

    fn object(&mut self, keywords: &Map<String, Value>, levels: u8, fuel: u8) {
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
            self.write(schema, levels, fuel);
        }
        if let Some(extra) = extra {
            self.text += separator;
            self.text += "[key]: ";
            self.write(extra, levels, fuel);
        }
        self.text.push('}');
    }
}
