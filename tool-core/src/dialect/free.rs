//! The walk for targets that take any JSON Schema: a copy with few changes.

use serde_json::{Value, json};

use super::array;
use super::report::Action;
use super::rule::Treat;
use super::schema::{
    Holds, Object, escape, holds, is_definitions, listed_types, listed_values, type_of,
};
use super::union;
use super::work::Work;

/// Copies `schema`, with the changes that the target's rules ask for.
pub(super) fn copy(work: &mut Work<'_>, schema: &Value, at: &str, depth: usize) -> Value {
    if !work.spend(at, depth) {
        return json!({});
    }
    let map = match schema {
        Value::Object(map) => map,
        Value::Bool(false) => return json!({ "not": {} }),
        // Whatever is no schema says nothing.
        _ => return json!({}),
    };
    if matches!(work.rules.treat("const").0, Treat::AsEnum)
        && let Some(collapsed) = union::of_strings(map)
    {
        return Value::Object(collapsed);
    }
    let mut out = Object::new();
    for (keyword, value) in map {
        if is_definitions(keyword) {
            continue;
        }
        match (keyword.as_str(), work.rules.treat(keyword).0) {
            ("$ref", _) => {
                if let Value::String(reference) = value {
                    let written = work.definitions.refer(reference, "$defs");
                    out.insert("$ref".to_owned(), json!(written));
                }
            }
            ("const", Treat::AsEnum) => {
                out.insert("enum".to_owned(), json!([value]));
                out.entry("type").or_insert_with(|| json!(type_of(value)));
            }
            (_, Treat::Drop) | ("prefixItems", Treat::Tuple(_)) => {}
            ("items", Treat::ItemsPresent) if map.contains_key("prefixItems") => {}
            ("items", Treat::ItemsPresent) if value.is_array() => {}
            ("required", _) => {
                out.insert(keyword.clone(), renamed(work, value));
            }
            _ => {
                let value = below(work, keyword, value, at, depth);
                out.insert(keyword.clone(), value);
            }
        }
    }
    if matches!(work.rules.treat("items").0, Treat::ItemsPresent) {
        items(work, map, &mut out, at, depth);
    }
    Value::Object(out)
}

fn renamed(work: &Work<'_>, names: &Value) -> Value {
    let names = names
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    json!(
        names
            .map(|name| work.keys.exported(name))
            .collect::<Vec<_>>()
    )
}

fn below(work: &mut Work<'_>, keyword: &str, value: &Value, at: &str, depth: usize) -> Value {
    match (holds(keyword, value), value) {
        // `false` closes an object or a tuple, and every target reads it there.
        (Holds::Schema, Value::Bool(_)) if keyword != "items" && keyword != "not" => value.clone(),
        (Holds::Schema, _) => copy(work, value, &format!("{at}/{keyword}"), depth + 1),
        (Holds::Schemas, Value::Array(list)) => {
            let member =
                |(index, member)| copy(work, member, &format!("{at}/{keyword}/{index}"), depth + 1);
            Value::Array(list.iter().enumerate().map(member).collect())
        }
        (Holds::NamedSchemas, Value::Object(map)) => {
            let mut copied = Object::new();
            for (name, member) in map {
                let at = format!("{at}/{keyword}/{}", escape(name));
                let member = copy(work, member, &at, depth + 1);
                let name = if keyword == "properties" {
                    work.keys.exported(name)
                } else {
                    name
                };
                copied.insert(name.to_owned(), member);
            }
            Value::Object(copied)
        }
        _ => value.clone(),
    }
}

/// Every array gets `items`, and a tuple becomes an array of any of its members.
fn items(work: &mut Work<'_>, map: &Object, out: &mut Object, at: &str, depth: usize) {
    if let Some(tuple) = array::Members::of(map) {
        let members: Vec<Value> = tuple
            .all()
            .map(|(step, member)| copy(work, member, &format!("{at}/{step}"), depth + 1))
            .collect();
        tuple.write_as_array(&members, out);
        if array::differ(&members) {
            work.found(at, "a tuple", Action::Widened);
        }
        return;
    }
    let is_array = listed_types(map).is_some_and(|types| types.contains(&"array"));
    if is_array && listed_values(map).is_none() {
        out.entry("items").or_insert_with(|| json!({}));
    }
}
