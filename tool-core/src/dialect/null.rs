//! `null` in schemas that are written already.

use serde_json::{Value, json};

use super::report::Action;
use super::rule::Null;
use super::schema::Object;
use super::typed::described;
use super::work::Work;

/// A value that can only be `null`.
pub(super) fn null(work: &mut Work<'_>, map: &Object, at: &str) -> Value {
    let mut out = Object::new();
    let mut notes = Vec::new();
    match work.rules.types().null {
        Null::List => {
            out.insert("type".to_owned(), json!("null"));
        }
        Null::Keyword => {
            work.found(at, "a value that is always `null`", Action::Widened);
            notes.push("always null".to_owned());
            out.insert("type".to_owned(), json!("string"));
            out.insert("nullable".to_owned(), json!(true));
        }
    }
    described(map, out, &notes)
}

/// Adds `null` to what a written schema accepts.
pub(super) fn or_null(work: &Work<'_>, written: Value) -> Value {
    let Value::Object(mut out) = written else {
        return written;
    };
    if work.rules.types().null == Null::Keyword {
        out.insert("nullable".to_owned(), json!(true));
        return Value::Object(out);
    }
    if let Some(Value::Array(arms)) = out.get_mut("anyOf") {
        let null = json!({ "type": "null" });
        if !arms.contains(&null) {
            arms.push(null);
        }
        return Value::Object(out);
    }
    match out.get("type").cloned() {
        Some(Value::String(one)) if one == "null" => {}
        Some(Value::String(one)) if one != "object" && one != "array" => {
            out.insert("type".to_owned(), json!([one, "null"]));
            if let Some(Value::Array(values)) = out.get_mut("enum")
                && !values.contains(&Value::Null)
            {
                values.push(Value::Null);
            }
        }
        // Already a list with `null`, or `{}`, which accepts it.
        Some(Value::Array(_)) => {}
        None if !out.contains_key("$ref") => {}
        _ => {
            let description = out.remove("description");
            let mut union = Object::new();
            if let Some(description) = description {
                union.insert("description".to_owned(), description);
            }
            union.insert("anyOf".to_owned(), json!([out, { "type": "null" }]));
            return Value::Object(union);
        }
    }
    Value::Object(out)
}

/// Removes `null` from what a written schema accepts, if it is not all that it accepts.
pub(super) fn without_null(written: &mut Value) -> bool {
    let Value::Object(out) = written else {
        return false;
    };
    if let Some(Value::Array(arms)) = out.get_mut("anyOf") {
        let before = arms.len();
        arms.retain(|arm| arm != &json!({ "type": "null" }));
        let removed = arms.len() < before;
        if let [one] = arms.as_slice() {
            let mut one = one.as_object().cloned().unwrap_or_default();
            out.remove("anyOf");
            if one.contains_key("$ref") && out.contains_key("description") {
                out.insert("anyOf".to_owned(), json!([one]));
            } else {
                one.append(out);
                *out = one;
            }
        }
        return removed;
    }
    let Some(Value::Array(types)) = out.get("type") else {
        return false;
    };
    let rest: Vec<Value> = types.iter().filter(|one| *one != "null").cloned().collect();
    if let [one] = rest.as_slice() {
        out.insert("type".to_owned(), one.clone());
    }
    if let Some(Value::Array(values)) = out.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    true
}
