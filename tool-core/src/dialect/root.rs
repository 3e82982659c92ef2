//! A root that is a plain object: no `anyOf`, `oneOf`, `allOf`, `enum`, `not` or `$ref` there.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::describe::{brief, with_notes};
use super::merge::merge;
use super::report::{Action, Finding};
use super::schema::{Object, listed_values, required, resolve};

/// How many schemas beside and below the root are folded into it.
const STEPS: usize = 1_000;

/// How deep alternatives inside alternatives are folded.
const DEPTH: usize = 16;

/// Keywords that the APIs refuse at the root.
pub(super) const REFUSED: [&str; 10] = [
    "anyOf", "oneOf", "allOf", "$ref", "enum", "const", "not", "if", "then", "else",
];

/// Folds what stands beside `properties` at the root into it. Of alternatives, each property is
/// kept, and those that all of them require stay required.
pub(super) fn fold<'s>(schema: &'s Value, findings: &mut Vec<Finding>) -> Cow<'s, Value> {
    let Value::Object(map) = schema else {
        return Cow::Borrowed(schema);
    };
    if !REFUSED.iter().any(|keyword| map.contains_key(*keyword)) {
        return Cow::Borrowed(schema);
    }
    let mut fold = Fold {
        document: schema,
        findings,
        steps: STEPS,
    };
    let mut folded = fold.object(map, DEPTH);
    for keyword in ["enum", "const", "not", "if", "then", "else"] {
        if folded.remove(keyword).is_some() {
            fold.widened(format!("`{keyword}` at the root"));
        }
    }
    if let Some(closed) = folded.remove("unevaluatedProperties") {
        folded.entry("additionalProperties").or_insert(closed);
    }
    folded.insert("type".to_owned(), json!("object"));
    folded.entry("properties").or_insert_with(|| json!({}));
    Cow::Owned(Value::Object(folded))
}

struct Fold<'s, 'f> {
    document: &'s Value,
    findings: &'f mut Vec<Finding>,
    steps: usize,
}

impl Fold<'_, '_> {
    fn widened(&mut self, what: String) {
        let action = Action::Widened;
        self.findings.push(Finding {
            path: String::new(),
            what,
            action,
        });
    }

    fn object(&mut self, map: &Object, depth: usize) -> Object {
        let mut folded = map.clone();
        for keyword in ["anyOf", "oneOf", "allOf", "$ref"] {
            folded.remove(keyword);
        }
        if depth == 0 || self.steps == 0 {
            self.widened("alternatives at the root, too many to fold".to_owned());
            return folded;
        }
        self.steps -= 1;
        let mut members: Vec<Value> = Vec::new();
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            members.extend(resolve(self.document, reference).cloned());
        }
        if let Some(Value::Array(all)) = map.get("allOf") {
            members.extend(all.iter().cloned());
        }
        for member in members {
            if let Value::Object(member) = member {
                let member = self.object(&member, depth - 1);
                self.merge(&mut folded, &member, "`allOf` at the root");
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(arms)) = map.get(keyword) {
                let alternatives = self.alternatives(arms, keyword, depth - 1);
                self.merge(&mut folded, &alternatives, "alternatives at the root");
            }
        }
        folded
    }

    fn merge(&mut self, folded: &mut Object, member: &Object, what: &str) {
        let mut lost = Vec::new();
        match merge(std::mem::take(folded), member, &mut lost) {
            Some(merged) => *folded = merged,
            // No value satisfies both, and the tool still has to have a schema.
            None => self.widened(format!("{what} that contradict it")),
        }
        for keyword in lost {
            self.widened(format!("`{keyword}` in {what}"));
        }
    }

    /// One object schema that accepts what any of `arms` accepts.
    fn alternatives(&mut self, arms: &[Value], keyword: &str, depth: usize) -> Object {
        let arms: Vec<Object> = arms
            .iter()
            .filter_map(Value::as_object)
            .map(|arm| self.object(arm, depth))
            .filter(|arm| arm.get("type").is_none_or(|one| one == "object"))
            .collect();
        let mut union = Object::new();
        let Some(first) = arms.first() else {
            return union;
        };
        let mut names: Vec<&str> = Vec::new();
        for arm in &arms {
            names.extend(properties(arm).map(|(name, _)| name));
        }
        let mut seen = std::collections::BTreeSet::new();
        names.retain(|name| seen.insert(*name));
        let mut merged = Object::new();
        for name in names {
            let schemas = arms
                .iter()
                .filter_map(|arm| arm.get("properties")?.get(name));
            merged.insert(name.to_owned(), any_of(schemas));
        }
        let everywhere: Vec<&str> = required(first)
            .filter(|name| {
                arms.iter()
                    .all(|arm| required(arm).any(|other| other == *name))
            })
            .collect();
        if arms
            .iter()
            .all(|arm| arm.get("additionalProperties") == Some(&json!(false)))
        {
            union.insert("additionalProperties".to_owned(), json!(false));
        }
        let forms: Vec<String> = arms
            .iter()
            .map(form)
            .filter(|form| !form.is_empty())
            .collect();
        if forms.len() > 1 {
            let note = format!("one of these forms: {}", forms.join("; "));
            union.insert("description".to_owned(), json!(with_notes(None, &[note])));
        }
        union.insert("required".to_owned(), json!(everywhere));
        union.insert("properties".to_owned(), Value::Object(merged));
        self.widened(format!("`{keyword}` at the root"));
        union
    }
}

fn properties(schema: &Object) -> impl Iterator<Item = (&str, &Value)> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flatten()
        .map(|(name, schema)| (name.as_str(), schema))
}

/// `kind: "circle", r`: what an alternative requires.
fn form(arm: &Object) -> String {
    let part = |name: &str| match arm.get("properties").and_then(|all| all.get(name)) {
        Some(Value::Object(schema)) if listed_values(schema).is_some() => {
            format!("{name}: {}", brief(&Value::Object(schema.clone())))
        }
        _ => name.to_owned(),
    };
    required(arm).map(part).collect::<Vec<_>>().join(", ")
}

/// One schema for the same property in several alternatives.
fn any_of<'s>(schemas: impl Iterator<Item = &'s Value>) -> Value {
    let mut different: Vec<&Value> = Vec::new();
    for schema in schemas {
        if !different.contains(&schema) {
            different.push(schema);
        }
    }
    match different.as_slice() {
        [one] => (*one).clone(),
        several => string_enum(several).unwrap_or_else(|| json!({ "anyOf": several })),
    }
}

/// The union of schemas that only list strings: one `enum`.
fn string_enum(schemas: &[&Value]) -> Option<Value> {
    let mut all: Vec<Value> = Vec::new();
    for schema in schemas {
        let schema = schema.as_object()?;
        if schema
            .keys()
            .any(|keyword| !matches!(keyword.as_str(), "type" | "const" | "enum"))
        {
            return None;
        }
        for value in listed_values(schema)?.iter() {
            if !value.is_string() {
                return None;
            }
            if !all.contains(value) {
                all.push(value.clone());
            }
        }
    }
    Some(json!({ "type": "string", "enum": all }))
}
