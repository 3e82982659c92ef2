//! The arms of a union, and which of them a value means.

use serde_json::{Map, Value};

use super::kinds::Kinds;
use super::pointer;

/// References and unions that are looked through to find arms.
const FUEL: u8 = 8;
/// Arms that are told apart. Beyond, nested unions may have multiplied.
const MAX_ARMS: usize = 1_000;

/// The arms of `anyOf` or `oneOf`.
pub(crate) fn of(keywords: &Map<String, Value>) -> Option<&Vec<Value>> {
    keywords
        .get("anyOf")
        .or_else(|| keywords.get("oneOf"))?
        .as_array()
}

/// The target of a `$ref`.
pub(crate) fn reference<'a>(root: &'a Value, keywords: &Map<String, Value>) -> Option<&'a Value> {
    pointer::resolve(root, keywords.get("$ref")?.as_str()?)
}

/// The names under `required`.
pub(crate) fn required(keywords: &Map<String, Value>) -> Vec<&str> {
    let names = keywords.get("required").and_then(Value::as_array);
    names
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// The values of `const` or `enum`, none if there is neither.
pub(crate) fn listed(schema: &Value) -> Vec<&Value> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(value), _) => vec![value],
        (None, Some(Value::Array(values))) => values.iter().collect(),
        _ => Vec::new(),
    }
}

/// The schema of a property.
pub(crate) fn property<'a>(schema: &'a Value, name: &str) -> Option<&'a Value> {
    schema.get("properties")?.get(name)
}

/// Those of `arms` that may accept a value of this kind, arms of nested unions included.
pub(crate) fn possible<'a>(
    root: &'a Value,
    arms: impl IntoIterator<Item = &'a Value>,
    kind: Kinds,
) -> Vec<&'a Value> {
    let mut flat = Vec::new();
    for arm in arms {
        flatten(root, arm, FUEL, &mut flat);
    }
    flat.retain(|arm| Kinds::of_schema(root, arm).intersects(kind));
    flat
}

/// The arms of `schema` if it is a union or a reference and nothing else, or the schema itself.
fn flatten<'a>(root: &'a Value, schema: &'a Value, fuel: u8, flat: &mut Vec<&'a Value>) {
    let (Value::Object(keywords), Some(fuel)) = (schema, fuel.checked_sub(1)) else {
        return flat.push(schema);
    };
    if flat.len() >= MAX_ARMS {
        return;
    }
    let says = |keyword: &String| !matches!(keyword.as_str(), "title" | "description" | "default");
    let alone = keywords.keys().filter(|keyword| says(keyword)).count() == 1;
    if let (true, Some(target)) = (alone, reference(root, keywords)) {
        flatten(root, target, fuel, flat);
    } else if let (true, Some(inner)) = (alone, of(keywords)) {
        for arm in inner {
            flatten(root, arm, fuel, flat);
        }
    } else {
        flat.push(schema);
    }
}

/// The tag of an internally or adjacently tagged union: a required property with fixed values in
/// every arm, not the same in all.
pub(crate) fn tag<'a>(arms: &[&'a Value]) -> Option<&'a str> {
    let (first, rest) = arms.split_first().filter(|(_, rest)| !rest.is_empty())?;
    let fixed = |arm: &Value, name: &str| {
        arm.as_object()
            .is_some_and(|keywords| required(keywords).contains(&name))
            && property(arm, name).is_some_and(|schema| !listed(schema).is_empty())
    };
    let values = |arm: &&'a Value, name: &str| property(arm, name).map(listed);
    required(first.as_object()?).into_iter().find(|name| {
        fixed(first, name)
            && rest.iter().all(|arm| fixed(arm, name))
            && rest
                .iter()
                .any(|arm| values(arm, name) != values(first, name))
    })
}

/// The one property of an externally tagged arm, which allows no other.
pub(crate) fn only_key(arm: &Value) -> Option<&str> {
    let keywords = arm.as_object()?;
    let [name] = required(keywords)[..] else {
        return None;
    };
    let closed = keywords.get("additionalProperties") == Some(&Value::Bool(false));
    let alone = keywords.get("properties")?.as_object()?.len() == 1;
    (closed && alone).then_some(name)
}

/// Those of `arms` whose tag is the value's.
pub(crate) fn with_tag<'a>(arms: &[&'a Value], tag: &str, value: &Value) -> Vec<&'a Value> {
    let has = |arm: &&Value| property(arm, tag).is_some_and(|tag| listed(tag).contains(&value));
    arms.iter().copied().filter(has).collect()
}

/// The one arm that `value` can mean, by its type, its tags or its only key.
pub(crate) fn meant<'a>(root: &'a Value, arms: &'a [Value], value: &Value) -> Option<&'a Value> {
    let mut flat = possible(root, arms, Kinds::of_value(value));
    if let Value::Object(map) = value {
        // Each tag leaves fewer arms: a tagged variant may hold a tagged enum.
        while let Some(tag) = tag(&flat) {
            flat = with_tag(&flat, tag, map.get(tag)?);
        }
        if flat.len() > 1 {
            flat.retain(|arm| only_key(arm).is_some_and(|key| map.contains_key(key)));
        }
    }
    match flat[..] {
        [only] => Some(only),
        _ => None,
    }
}
