//! What a comment adds to a type: the description, and bounds that no type can say.

use std::fmt::Write as _;

use serde_json::Value;

use crate::spell;
use crate::wide;

/// The description of a value and what a type cannot say, as a comment line. `schemas` are what
/// describes it, the nearest first: the first description counts.
pub(crate) fn doc(schemas: &[&Value], indent: usize) -> String {
    let mut descriptions = schemas
        .iter()
        .filter_map(|schema| schema.get("description")?.as_str());
    let mut text = spell::comment_text(descriptions.next().unwrap_or_default());
    let facts: Vec<String> = schemas.iter().flat_map(|schema| facts(schema)).collect();
    if !facts.is_empty() {
        if !text.is_empty() {
            text.push(' ');
        }
        let _ = write!(text, "({})", facts.join(", "));
    }
    if text.is_empty() {
        String::new()
    } else {
        format!("{:indent$}/** {text} */\n", "")
    }
}

fn facts(schema: &Value) -> Vec<String> {
    let mut facts = Vec::new();
    let number = |keyword: &str| {
        schema
            .get(keyword)
            .filter(|bound| !wide::is_type_bound(bound))
    };
    match (number("minimum"), number("maximum")) {
        (Some(least), Some(most)) => facts.push(format!("{least} to {most}")),
        (Some(least), None) if least.as_u64() != Some(0) => facts.push(format!("at least {least}")),
        (None, Some(most)) => facts.push(format!("at most {most}")),
        _ => {}
    }
    for (keyword, label) in [
        ("format", "format"),
        ("pattern", "pattern"),
        ("minLength", "min length"),
        ("maxLength", "max length"),
        ("minItems", "min items"),
        ("maxItems", "max items"),
        ("default", "default"),
    ] {
        let tuple = keyword.ends_with("Items")
            && (schema.get("prefixItems").is_some() || schema["minItems"] == schema["maxItems"]);
        if let Some(value) = schema
            .get(keyword)
            .filter(|value| !tuple && !value.is_null())
        {
            let value = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            let value = crate::source::shortened(&spell::comment_text(&value), 80);
            facts.push(format!("{label} {value}"));
        }
    }
    facts
}
