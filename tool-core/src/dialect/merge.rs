//! Two schemas as one that accepts what both accept.

use serde_json::{Value, json};

use super::describe::joined;
use super::schema::{Object, is_type, listed_types, listed_values, required};

/// Most arms of the union of two unions.
const ARMS: usize = 64;

/// Merges `b` into `a`. Neither has an `allOf`, nor a `$ref`; `oneOf` is `anyOf` already.
///
/// What both say about a property or an item stays an `allOf` of the two, to be merged when
/// that place is reached: so one merge is shallow. Keywords that cannot be merged keep the
/// value of `a` and are named in `lost`. `None` if no value satisfies both.
pub(super) fn merge(mut a: Object, b: &Object, lost: &mut Vec<String>) -> Option<Object> {
    if let (Some(left), Some(right)) = (listed_values(&a), listed_values(b)) {
        let both: Vec<Value> = left
            .iter()
            .filter(|value| right.contains(value))
            .cloned()
            .collect();
        if both.is_empty() {
            return None;
        }
        a.remove("const");
        a.insert("enum".to_owned(), Value::Array(both));
    }
    for (keyword, right) in b {
        let Some(left) = a.get(keyword) else {
            if !(keyword == "enum" && a.contains_key("const")
                || keyword == "const" && a.contains_key("enum"))
            {
                a.insert(keyword.clone(), right.clone());
            }
            continue;
        };
        if left == right {
            continue;
        }
        let merged = match keyword.as_str() {
            "type" => types(&a, b)?,
            "description" => {
                json!(joined(left.as_str(), right.as_str()))
            }
            "properties" | "patternProperties" | "$defs" | "definitions" => {
                named(left.clone(), right)
            }
            "required" => {
                let mut names: Vec<&str> = required(&a).collect();
                names.extend(required(b));
                let mut seen = std::collections::BTreeSet::new();
                names.retain(|name| seen.insert(*name));
                json!(names)
            }
            "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties"
            | "minContains" => larger(left, right, true),
            "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties"
            | "maxContains" => larger(left, right, false),
            "uniqueItems" | "deprecated" => json!(true),
            "items"
            | "additionalProperties"
            | "unevaluatedProperties"
            | "propertyNames"
            | "contains" => both(left, right),
            "anyOf" => {
                let Some(product) = product(left, right) else {
                    lost.push(keyword.clone());
                    continue;
                };
                product
            }
            // Listed values are done above; of annotations, the first one counts.
            "const" | "enum" | "title" | "default" | "examples" | "readOnly" | "writeOnly"
            | "$comment" => continue,
            _ => {
                lost.push(keyword.clone());
                continue;
            }
        };
        a.insert(keyword.clone(), merged);
    }
    consistent(&a).then_some(a)
}

/// Whether some listed value has one of the listed types.
fn consistent(schema: &Object) -> bool {
    match (listed_values(schema), listed_types(schema)) {
        (Some(values), Some(types)) => values
            .iter()
            .any(|value| types.iter().any(|one| is_type(value, one))),
        _ => true,
    }
}

/// The types both have; `integer` is a `number`.
fn types(a: &Object, b: &Object) -> Option<Value> {
    let (left, right) = (listed_types(a)?, listed_types(b)?);
    let mut shared: Vec<&str> = Vec::new();
    for one in &left {
        if right.contains(one) || (*one == "integer" && right.contains(&"number")) {
            shared.push(one);
        } else if *one == "number" && right.contains(&"integer") {
            shared.push("integer");
        }
    }
    match shared.as_slice() {
        [] => None,
        [one] => Some(json!(one)),
        several => Some(json!(several)),
    }
}

fn named(left: Value, right: &Value) -> Value {
    let (Value::Object(mut merged), Value::Object(right)) = (left, right) else {
        return right.clone();
    };
    for (name, schema) in right {
        let schema = match merged.get(name) {
            Some(own) => both(own, schema),
            None => schema.clone(),
        };
        merged.insert(name.clone(), schema);
    }
    Value::Object(merged)
}

fn both(left: &Value, right: &Value) -> Value {
    match (left, right) {
        (Value::Bool(false), _) | (_, Value::Bool(false)) => json!(false),
        (Value::Bool(true), other) | (other, Value::Bool(true)) => other.clone(),
        _ if left == right => left.clone(),
        _ => json!({ "allOf": [left, right] }),
    }
}

fn larger(left: &Value, right: &Value, wanted: bool) -> Value {
    let order = match (left.as_i64(), right.as_i64()) {
        (Some(left), Some(right)) => Some(left.cmp(&right)),
        _ => left.as_f64().partial_cmp(&right.as_f64()),
    };
    let is_larger = order == Some(std::cmp::Ordering::Greater);
    if is_larger == wanted {
        left.clone()
    } else {
        right.clone()
    }
}

/// Each arm of one union with each arm of the other.
fn product(left: &Value, right: &Value) -> Option<Value> {
    let (left, right) = (left.as_array()?, right.as_array()?);
    if left.len().checked_mul(right.len())? > ARMS {
        return None;
    }
    let pairs = left
        .iter()
        .flat_map(|left| right.iter().map(move |right| both(left, right)));
    Some(Value::Array(pairs.collect()))
}
