//! Undoing, in the arguments of a call, what an export did to the properties.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::names::Keys;
use super::schema::{Object, accepts_null, required, resolve};

/// How deep arguments are followed; `serde_json` itself stops at 128.
const DEPTH: usize = 128;

/// How many schemas are considered for one value: a union of more is not followed to the end.
const CANDIDATES: usize = 256;

/// How deep a schema is followed to see whether it accepts `null`.
const NULL_DEPTH: usize = 16;

/// What has to be undone for one tool.
#[derive(Debug, Clone)]
pub(super) struct Restore {
    parameters: Arc<Value>,
    /// Exported names and own names.
    own: BTreeMap<String, String>,
    exported: BTreeMap<String, String>,
    null_means_absent: bool,
}

impl Restore {
    pub(super) fn new(parameters: &Arc<Value>, keys: &Keys, null_means_absent: bool) -> Self {
        let exported = keys
            .iter()
            .map(|(own, exported)| (own.to_owned(), exported.to_owned()));
        let exported: BTreeMap<String, String> = exported.collect();
        let own = exported
            .iter()
            .map(|(own, exported)| (exported.clone(), own.clone()))
            .collect();
        Self {
            parameters: Arc::clone(parameters),
            own,
            exported,
            null_means_absent,
        }
    }

    pub(super) fn exported(&self, property: &str) -> Option<&str> {
        self.exported.get(property).map(String::as_str)
    }

    pub(super) fn apply(&self, arguments: Value) -> Value {
        self.value(arguments, &[&self.parameters], DEPTH)
    }

    /// Follows the value and the schemas that may describe it at the same time: a key is renamed
    /// only where it is a property, so that free-form data keeps its keys.
    fn value(&self, value: Value, schemas: &[&Value], depth: usize) -> Value {
        if depth == 0 || schemas.is_empty() {
            return value;
        }
        match value {
            Value::Object(members) => {
                let candidates = self.candidates(schemas);
                Value::Object(self.object(members, &candidates, depth))
            }
            Value::Array(members) => {
                let candidates = self.candidates(schemas);
                let member = |(at, member)| {
                    let below: Vec<&Value> = candidates
                        .iter()
                        .filter_map(|schema| item(schema, at))
                        .collect();
                    self.value(member, &below, depth - 1)
                };
                Value::Array(members.into_iter().enumerate().map(member).collect())
            }
            scalar => scalar,
        }
    }

    fn object(&self, members: Object, candidates: &[&Object], depth: usize) -> Object {
        let mut restored = Object::new();
        for (key, member) in members {
            let declared = |name: &&String| candidates.iter().any(|schema| property(schema, name));
            // A model that sends a property under both names is told so by validation.
            let own = self
                .own
                .get(&key)
                .filter(declared)
                .filter(|own| !restored.contains_key(*own));
            let key = own.cloned().unwrap_or(key);
            if member.is_null() && self.stands_for_absent(&key, candidates) {
                continue;
            }
            let below: Vec<&Value> = candidates
                .iter()
                .filter_map(|schema| member_schema(schema, &key))
                .collect();
            let member = self.value(member, &below, depth - 1);
            restored.insert(key, member);
        }
        restored
    }

    /// A strict target lists every property as required; `null` is how a model leaves one out.
    fn stands_for_absent(&self, key: &str, candidates: &[&Object]) -> bool {
        self.null_means_absent
            && candidates.iter().any(|schema| property(schema, key))
            && candidates
                .iter()
                .filter(|schema| property(schema, key))
                .all(|schema| {
                    let own = &schema["properties"][key];
                    !required(schema).any(|name| name == key)
                        && !accepts_null(&self.parameters, own, NULL_DEPTH)
                })
    }

    /// The schemas that `schemas` consist of: through `$ref`, unions and `allOf`.
    fn candidates<'s>(&'s self, schemas: &[&'s Value]) -> Vec<&'s Object> {
        let mut found = Vec::new();
        let mut followed = BTreeSet::new();
        let mut open: Vec<&Value> = schemas.iter().rev().copied().collect();
        while let Some(schema) = open.pop() {
            let Value::Object(map) = schema else { continue };
            if found.len() == CANDIDATES {
                break;
            }
            found.push(map);
            if let Some(reference) = map.get("$ref").and_then(Value::as_str)
                && followed.insert(reference)
            {
                open.extend(resolve(&self.parameters, reference));
            }
            for keyword in ["anyOf", "oneOf", "allOf"] {
                open.extend(
                    map.get(keyword)
                        .and_then(Value::as_array)
                        .into_iter()
                        .flatten(),
                );
            }
        }
        found
    }
}

fn property(schema: &Object, name: &str) -> bool {
    schema
        .get("properties")
        .is_some_and(|properties| properties.get(name).is_some())
}

fn member_schema<'s>(schema: &'s Object, name: &str) -> Option<&'s Value> {
    schema
        .get("properties")
        .and_then(|properties| properties.get(name))
        .or_else(|| schema.get("additionalProperties"))
}

fn item(schema: &Object, at: usize) -> Option<&Value> {
    schema
        .get("prefixItems")
        .and_then(|items| items.get(at))
        .or_else(|| schema.get("items"))
}
