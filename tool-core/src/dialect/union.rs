//! Unions of strings: documented variants of an enum.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::describe::joined;
use super::schema::{Object, is_annotation, listed_values};

/// A union whose arms only list strings, as one `enum`; what the arms say about their values
/// goes to the description. `None` if the schema is something else.
///
/// `{"anyOf": [{"const": "Fast", "description": "quick"}, {"const": "Deep"}]}` becomes
/// `{"type": "string", "enum": ["Fast", "Deep"], "description": "- `Fast`: quick"}`.
pub(super) fn of_strings(schema: &Object) -> Option<Object> {
    let keyword = match (schema.get("anyOf"), schema.get("oneOf")) {
        (Some(_), None) => "anyOf",
        (None, Some(_)) => "oneOf",
        _ => return None,
    };
    let arms = schema.get(keyword)?.as_array()?;
    if schema
        .keys()
        .any(|other| other != keyword && other != "type" && !is_annotation(other))
        || schema.get("type").is_some_and(|one| one != "string")
    {
        return None;
    }
    let arms: Vec<&Object> = arms.iter().map(Value::as_object).collect::<Option<_>>()?;
    let (values, docs) = strings(&arms)?;
    let mut collapsed: Object = schema
        .iter()
        .filter(|(other, _)| *other != keyword && *other != "description")
        .map(|(other, value)| (other.clone(), value.clone()))
        .collect();
    collapsed.insert("type".to_owned(), json!("string"));
    collapsed.insert("enum".to_owned(), Value::Array(values));
    let own = schema.get("description").and_then(Value::as_str);
    if let Some(description) = joined(own, docs.as_deref()) {
        collapsed.insert("description".to_owned(), json!(description));
    }
    Some(collapsed)
}

/// The strings that `arms` list, and what they say about them.
pub(super) fn strings(arms: &[&Object]) -> Option<(Vec<Value>, Option<String>)> {
    let mut values = Vec::new();
    let mut seen = HashSet::new();
    let mut docs = Vec::new();
    for arm in arms {
        let only_lists = arm.keys().all(|keyword| {
            matches!(keyword.as_str(), "type" | "const" | "enum") || is_annotation(keyword)
        });
        let listed = listed_values(arm)?;
        if !only_lists || listed.is_empty() || !listed.iter().all(Value::is_string) {
            return None;
        }
        if let Some(Value::String(doc)) = arm.get("description") {
            let names: Vec<String> = listed
                .iter()
                .filter_map(Value::as_str)
                .map(|name| format!("`{name}`"))
                .collect();
            docs.push(format!("- {}: {doc}", names.join(", ")));
        }
        for value in listed.iter().filter_map(Value::as_str) {
            if seen.insert(value.to_owned()) {
                values.push(json!(value));
            }
        }
    }
    if values.is_empty() {
        return None;
    }
    Some((values, (!docs.is_empty()).then(|| docs.join("\n"))))
}
