//! Saying in words what a target has no keyword for.

use serde_json::Value;

use super::schema::{Object, listed_types, listed_values, short_name};

/// Longest value that is written out, in characters.
const LONGEST: usize = 240;

/// Most values or properties that are listed.
const MOST: usize = 24;

/// What `keyword` means, in words; `None` if it says nothing to a model.
pub(super) fn phrase(keyword: &str, value: &Value) -> Option<String> {
    let text = json(value);
    Some(match keyword {
        "minLength" => format!("at least {}", counted(value, "character")),
        "maxLength" => format!("at most {}", counted(value, "character")),
        "minItems" => format!("at least {}", counted(value, "item")),
        "maxItems" => format!("at most {}", counted(value, "item")),
        "minProperties" => format!("at least {}", counted(value, "key")),
        "maxProperties" => format!("at most {}", counted(value, "key")),
        "minContains" => format!("contains at least {text}"),
        "maxContains" => format!("contains at most {text}"),
        "minimum" | "maximum" if is_end_of_type(value) => return None,
        "minimum" => format!("at least {text}"),
        "maximum" => format!("at most {text}"),
        "exclusiveMinimum" => format!("greater than {text}"),
        "exclusiveMaximum" => format!("less than {text}"),
        "multipleOf" => format!("a multiple of {text}"),
        "pattern" => format!("matches the regular expression {}", plain(value)),
        "format" => format!("format: {}", plain(value)),
        "contentEncoding" => format!("encoding: {}", plain(value)),
        "contentMediaType" => format!("media type: {}", plain(value)),
        "uniqueItems" if value == &Value::Bool(true) => "no duplicates".to_owned(),
        "default" => format!("default: {text}"),
        "examples" => format!("for example {}", list(value.as_array()?)),
        "enum" => format!("one of {}", list(value.as_array()?)),
        "deprecated" if value == &Value::Bool(true) => "deprecated".to_owned(),
        "propertyNames" => format!("each key: {}", brief(value)),
        "contains" => format!("contains {}", brief(value)),
        "contentSchema" => format!("decodes to {}", brief(value)),
        "not" => format!("not {}", brief(value)),
        "if" => format!("if {text}"),
        "then" => format!("then {text}"),
        "else" => format!("else {text}"),
        "dependentRequired" | "dependentSchemas" | "unevaluatedItems" => {
            format!("{keyword}: {text}")
        }
        _ => return None,
    })
}

/// Whether a bound is that of every 64-bit integer, or of every `f32`: twenty digits that no model
/// needs to read.
fn is_end_of_type(bound: &Value) -> bool {
    bound
        .as_i64()
        .is_some_and(|own| own == i64::MIN || own == i64::MAX)
        || bound.as_u64() == Some(u64::MAX)
        || crate::schema::is_end_of_f32(bound)
}

/// A schema in a few words: `array of string`, `object with name, ok`.
pub(super) fn brief(schema: &Value) -> String {
    cut(brief_within(schema, 3))
}

fn brief_within(schema: &Value, depth: usize) -> String {
    let Value::Object(map) = schema else {
        return any(schema);
    };
    if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
        return short_name(reference);
    }
    if depth == 0 {
        return "anything".to_owned();
    }
    if let Some(values) = listed_values(map) {
        return match &*values {
            [one] => json(one),
            several => format!("one of {}", list(several)),
        };
    }
    if let Some(Value::Array(arms)) = map.get("anyOf").or_else(|| map.get("oneOf")) {
        let mut arms: Vec<String> = arms
            .iter()
            .take(MOST)
            .map(|arm| brief_within(arm, depth - 1))
            .collect();
        arms.dedup();
        return arms.join(" or ");
    }
    let Some(types) = listed_types(map) else {
        return any(schema);
    };
    let types: Vec<String> = types
        .into_iter()
        .map(|one| typed(map, one, depth))
        .collect();
    types.join(" or ")
}

fn typed(map: &Object, one: &str, depth: usize) -> String {
    match one {
        "array" => match map.get("items") {
            Some(items) if items.is_object() => {
                format!("array of {}", brief_within(items, depth - 1))
            }
            _ => "array".to_owned(),
        },
        "object" => match map.get("properties") {
            Some(Value::Object(properties)) if !properties.is_empty() => {
                let names: Vec<&str> = properties.keys().take(MOST).map(String::as_str).collect();
                format!("object with {}", names.join(", "))
            }
            _ => "object".to_owned(),
        },
        scalar => scalar.to_owned(),
    }
}

fn any(schema: &Value) -> String {
    if schema == &Value::Bool(false) {
        "nothing"
    } else {
        "anything"
    }
    .to_owned()
}

/// `value` as JSON, cut to a bounded length.
pub(super) fn json(value: &Value) -> String {
    cut(value.to_string())
}

/// A string without its quotes, anything else as JSON.
fn plain(value: &Value) -> String {
    cut(value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned))
}

/// `1, 2, 3 and 997 more`.
pub(super) fn list(values: &[Value]) -> String {
    let shown: Vec<String> = values.iter().take(MOST).map(json).collect();
    let more = values.len() - shown.len();
    let shown = shown.join(", ");
    if more == 0 {
        shown
    } else {
        format!("{shown} and {more} more")
    }
}

/// `1 item`, `2 items`.
fn counted(value: &Value, noun: &str) -> String {
    if value.as_u64() == Some(1) {
        format!("1 {noun}")
    } else {
        format!("{value} {noun}s")
    }
}

fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// A description with notes behind it: `How many. (at least 1; at most 10)`.
pub(super) fn with_notes(description: Option<&str>, notes: &[String]) -> Option<String> {
    let description = description
        .map(str::trim_end)
        .filter(|text| !text.is_empty());
    let notes = notes.join("; ");
    match (description, notes.is_empty()) {
        (None, true) => None,
        (Some(description), true) => Some(description.to_owned()),
        (None, false) => Some(notes),
        (Some(description), false) => Some(format!("{description} ({notes})")),
    }
}

/// The description at a place, and that of the type which is inlined there: both are said.
pub(super) fn joined(outer: Option<&str>, inner: Option<&str>) -> Option<String> {
    match (outer, inner) {
        (Some(outer), Some(inner)) if outer != inner => Some(format!("{outer}\n\n{inner}")),
        (Some(one), _) | (None, Some(one)) => Some(one.to_owned()),
        (None, None) => None,
    }
}
