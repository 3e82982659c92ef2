//! One schema at a time: what needs no other part of the document.

use serde_json::{Map, Value, json};

use super::numbers;
use crate::schema::positions::{self, Holds};

/// Normalises `schema` and everything inside it, inner schemas first.
pub(super) fn normalise(schema: &mut Value) {
    match schema {
        Value::Bool(true) => *schema = Value::Object(Map::new()),
        Value::Bool(false) => *schema = json!({"not": {}}),
        Value::Object(keywords) => {
            children(keywords);
            numbers::replace_format(keywords);
            unions(keywords);
        }
        _ => {}
    }
}

fn children(keywords: &mut Map<String, Value>) {
    // `additionalProperties: true` is how everybody writes "open"; `false` is "closed".
    let takes_bool = |keyword: &str, operand: &Value| {
        let is_rest = matches!(
            keyword,
            "additionalProperties" | "unevaluatedProperties" | "unevaluatedItems" | "items"
        );
        is_rest && operand.is_boolean() && !(keyword == "items" && *operand == Value::Bool(true))
    };
    for (keyword, operand) in keywords.iter_mut() {
        match (positions::of_keyword(keyword), operand) {
            (Some((Holds::Named, _)), Value::Object(map)) => map.values_mut().for_each(normalise),
            (Some((Holds::Many | Holds::OneOrMany, _)), Value::Array(list)) => {
                list.iter_mut().for_each(normalise);
            }
            (Some((Holds::One | Holds::OneOrMany, _)), schema) if !takes_bool(keyword, schema) => {
                normalise(schema);
            }
            _ => {}
        }
    }
}

/// `oneOf` becomes `anyOf`; arms that are only strings become one `enum`.
///
/// serde takes the first variant that fits, which is `anyOf`.
fn unions(keywords: &mut Map<String, Value>) {
    if let Some(arms) = keywords.remove("oneOf") {
        if keywords.contains_key("anyOf") {
            // Both at once, in a schema written by hand: they must both hold.
            let parts = keywords.entry("allOf").or_insert_with(|| json!([]));
            if let Value::Array(parts) = parts {
                parts.push(json!({"anyOf": arms}));
            }
        } else {
            keywords.insert("anyOf".to_owned(), arms);
        }
    }
    let Some(Value::Array(arms)) = keywords.get_mut("anyOf") else {
        return;
    };
    splice(arms);
    fold_strings(arms);
    close_result(arms);
    if let [Value::Object(only)] = &mut arms[..]
        && is_string_enum(only)
    {
        let only = std::mem::take(only);
        keywords.remove("anyOf");
        let inner = only
            .get("description")
            .and_then(Value::as_str)
            .map(str::to_owned);
        let outer = keywords
            .get("description")
            .and_then(Value::as_str)
            .map(str::to_owned);
        for (keyword, operand) in only {
            keywords.entry(keyword).or_insert(operand);
        }
        if let (Some(outer), Some(inner)) = (outer, inner) {
            keywords.insert(
                "description".to_owned(),
                format!("{outer}\n\n{inner}").into(),
            );
        }
    }
}

/// An arm that is a union and nothing else gives its arms to the outer one.
pub(super) fn splice(arms: &mut Vec<Value>) {
    let nested = |arm: &Value| {
        arm.as_object()
            .is_some_and(|a| a.len() == 1 && a.contains_key("anyOf"))
    };
    if !arms.iter().any(nested) {
        return;
    }
    for arm in std::mem::take(arms) {
        match arm {
            Value::Object(mut inner) if inner.len() == 1 && inner.contains_key("anyOf") => {
                match inner.remove("anyOf") {
                    Some(Value::Array(inner)) => arms.extend(inner),
                    other => arms.push(json!({"anyOf": other})),
                }
            }
            arm => arms.push(arm),
        }
    }
}

/// Merges all arms that list strings into the first of them.
fn fold_strings(arms: &mut Vec<Value>) {
    let is_listed = |arm: &Value| arm.as_object().is_some_and(is_string_list);
    let Some(first) = arms.iter().position(is_listed) else {
        return;
    };
    let mut values: Vec<Value> = Vec::new();
    let mut docs: Vec<String> = Vec::new();
    for arm in arms.iter().filter(|arm| is_listed(arm)) {
        let listed: Vec<&Value> = match (arm.get("const"), arm.get("enum")) {
            (Some(value), _) => vec![value],
            (None, Some(Value::Array(list))) => list.iter().collect(),
            _ => Vec::new(),
        };
        if let (Some(text), [value]) = (arm.get("description").and_then(Value::as_str), &listed[..])
            && let Some(word) = value.as_str()
        {
            docs.push(format!("- `{word}`: {}", one_line(text)));
        } else if let Some(text) = arm.get("description").and_then(Value::as_str) {
            // Several values: folded before.
            docs.push(text.to_owned());
        }
        for value in listed {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
    }
    let mut folded = Map::new();
    if !docs.is_empty() {
        folded.insert("description".to_owned(), docs.join("\n").into());
    }
    folded.insert("type".to_owned(), "string".into());
    folded.insert("enum".to_owned(), values.into());
    let mut at = 0;
    arms.retain(|arm| {
        at += 1;
        at - 1 == first || !is_listed(arm)
    });
    arms[first] = Value::Object(folded);
}

/// A list of strings, and nothing that folding would lose.
fn is_string_list(arm: &Map<String, Value>) -> bool {
    let plain = arm.iter().all(|(keyword, operand)| match keyword.as_str() {
        "type" => operand == "string",
        "const" => operand.is_string(),
        "enum" => operand
            .as_array()
            .is_some_and(|list| list.iter().all(Value::is_string)),
        "description" => true,
        _ => false,
    });
    plain && (arm.contains_key("const") || arm.contains_key("enum"))
}

/// Closes the arms of a `Result` and of a `Bound`, which schemars leaves open: serde refuses
/// `{"Ok": 1, "Err": 2}`.
fn close_result(arms: &mut [Value]) {
    let only_name = |arm: &Value| {
        let properties = arm.get("properties").and_then(Value::as_object)?;
        let mut names = properties.keys();
        Some(names.next()?.clone()).filter(|_| names.next().is_none())
    };
    let names: Vec<String> = arms.iter().filter_map(only_name).collect();
    let objects = arms.iter().filter(|arm| arm.get("properties").is_some());
    if objects.count() != 2 || !matches!(&*names.concat(), "OkErr" | "IncludedExcluded") {
        return;
    }
    for arm in arms {
        if let Value::Object(arm) = arm
            && arm.contains_key("properties")
        {
            arm.entry("additionalProperties")
                .or_insert(Value::Bool(false));
        }
    }
}

fn is_string_enum(arm: &Map<String, Value>) -> bool {
    arm.contains_key("enum") && is_string_list(arm)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
