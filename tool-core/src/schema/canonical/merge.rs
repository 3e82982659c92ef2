//! Tagged newtype variants: the tag beside a reference becomes one complete object.
//!
//! Before: `{"properties": {"kind": {"const": "rect"}}, "$ref": "#/$defs/Wh"}`.
//! After: `{"type": "object", "properties": {"kind": .., "w": .., "h": ..}, ..}`.

use serde_json::{Map, Value};

use super::definitions;
use super::normalise;
use crate::schema::kinds::Kinds;
use crate::schema::positions;

/// Merges every reference in `schema` that stands beside `properties`.
pub(super) fn merge_references(schema: &mut Value, definitions: &Map<String, Value>) {
    let Value::Object(keywords) = schema else {
        return;
    };
    positions::for_each_child_mut(keywords, |child| merge_references(child, definitions));
    if let Some(Value::Array(arms)) = keywords.get_mut("anyOf") {
        for arm in arms.iter_mut() {
            distribute(arm, definitions);
        }
        normalise::splice(arms);
    }
    if keywords.contains_key("properties") && keywords.contains_key("$ref") {
        let outer = std::mem::take(keywords);
        *schema = Value::Object(merged(outer, definitions, &mut Vec::new()));
    }
}

/// An arm that is itself a union beside a tag becomes a union of complete arms.
fn distribute(arm: &mut Value, definitions: &Map<String, Value>) {
    if let Value::Object(keywords) = arm
        && keywords.contains_key("properties")
        && let Some(union) = keywords.remove("anyOf")
    {
        let outer = std::mem::take(keywords);
        let inner = Map::from_iter([("anyOf".to_owned(), union)]);
        *keywords = both(outer, inner, definitions, &mut Vec::new());
    }
}

/// `outer` and the target of its reference as one schema.
fn merged(
    mut outer: Map<String, Value>,
    definitions: &Map<String, Value>,
    open: &mut Vec<String>,
) -> Map<String, Value> {
    let name = outer
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(definitions::name_of_reference);
    let Some(name) = name else { return outer };
    let Some(Value::Object(target)) = definitions.get(&name) else {
        return outer;
    };
    outer.remove("$ref");
    if open.contains(&name) {
        // A variant that holds its own enum has the tag twice: no JSON object does.
        return outer;
    }
    open.push(name);
    let both = both(outer, target.clone(), definitions, open);
    open.pop();
    both
}

fn both(
    outer: Map<String, Value>,
    mut target: Map<String, Value>,
    definitions: &Map<String, Value>,
    open: &mut Vec<String>,
) -> Map<String, Value> {
    // The target's own reference and arms hold for the merged object as well.
    let reference = target.remove("$ref");
    let arms = target.remove("anyOf");
    let mut object = objects(outer, target);
    if let Some(reference) = reference {
        object.insert("$ref".to_owned(), reference);
        object = merged(object, definitions, open);
    }
    let Some(Value::Array(arms)) = arms else {
        return object;
    };
    let annotations: Map<String, Value> = object
        .iter()
        .filter(|(keyword, _)| definitions::is_annotation(keyword))
        .map(|(keyword, operand)| (keyword.clone(), operand.clone()))
        .collect();
    object.retain(|keyword, _| !annotations.contains_key(keyword));
    let is_object = |arm: &Value| Kinds::of_schema(&Value::Null, arm).intersects(Kinds::OBJECT);
    let arms = arms
        .into_iter()
        .filter(is_object)
        .filter_map(|arm| match arm {
            Value::Object(arm) => Some(Value::Object(both(object.clone(), arm, definitions, open))),
            _ => None,
        });
    let mut union = annotations;
    union.insert("anyOf".to_owned(), arms.collect());
    union
}

/// Two object schemas as one; `outer` has precedence.
fn objects(mut outer: Map<String, Value>, inner: Map<String, Value>) -> Map<String, Value> {
    for (keyword, operand) in inner {
        match (keyword.as_str(), outer.get_mut(&keyword), operand) {
            (
                "properties" | "patternProperties",
                Some(Value::Object(ours)),
                Value::Object(theirs),
            ) => {
                for (name, schema) in theirs {
                    ours.entry(name).or_insert(schema);
                }
            }
            ("required", Some(Value::Array(ours)), Value::Array(theirs)) => {
                for name in theirs {
                    if !ours.contains(&name) {
                        ours.push(name);
                    }
                }
            }
            ("allOf", Some(Value::Array(ours)), Value::Array(theirs)) => ours.extend(theirs),
            (_, None, operand) => {
                outer.insert(keyword, operand);
            }
            _ => {}
        }
    }
    outer.insert("type".to_owned(), "object".into());
    outer
}
