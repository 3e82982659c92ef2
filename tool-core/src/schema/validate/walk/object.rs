//! Objects.

use serde_json::{Map, Value};

use super::{Walk, entries, limit};
use crate::schema::arms::required;
use crate::schema::pointer::Path;
use crate::schema::validate::describe;
use crate::schema::validate::nearest::nearest;
use crate::schema::validate::violation::{Found, Problem, Violation, mismatch, names, show};

impl<'a> Walk<'a> {
    #[inline(never)]
    pub(super) fn object(
        &mut self,
        keywords: &'a Map<String, Value>,
        map: &Map<String, Value>,
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        size(keywords, map, value, path, found);
        self.required(keywords, map, path, found);
        self.members(keywords, map, path, found);
        if let Some(schema) = keywords.get("propertyNames") {
            for name in map.keys() {
                self.visit(schema, &Value::from(name.as_str()), &path.key(name), found);
            }
        }
        for (name, schema) in entries(keywords, "dependentSchemas") {
            if map.contains_key(name) {
                self.visit(schema, value, path, found);
            }
        }
        if let Some(schema) = keywords.get("unevaluatedProperties") {
            self.unevaluated(schema, keywords, map, value, path, found);
        }
    }

    /// `required` and `dependentRequired`.
    #[inline(never)]
    fn required(
        &self,
        keywords: &Map<String, Value>,
        map: &Map<String, Value>,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        for name in required(keywords) {
            if !map.contains_key(name) {
                self.missing(keywords, name, path, found);
            }
        }
        for (name, operand) in entries(keywords, "dependentRequired") {
            for wanted in operand
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
            {
                if map.contains_key(name) && !map.contains_key(wanted) {
                    self.missing(keywords, wanted, path, found);
                }
            }
        }
    }

    fn missing(
        &self,
        keywords: &Map<String, Value>,
        name: &str,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        let schema = keywords
            .get("properties")
            .and_then(|properties| properties.get(name));
        found.add(|| Violation {
            path: path.key(name).pointer(),
            problem: Problem::Missing,
            expected: describe::kind(self.root, schema.unwrap_or(&Value::Bool(true))),
            got: String::new(),
            suggestion: None,
        });
    }

    /// `properties`, `patternProperties` and `additionalProperties`.
    fn members(
        &mut self,
        keywords: &'a Map<String, Value>,
        map: &Map<String, Value>,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        let properties = keywords.get("properties").and_then(Value::as_object);
        let additional = keywords.get("additionalProperties");
        for (name, member) in map {
            if found.is_settled() {
                return;
            }
            let mut known = false;
            if let Some(schema) = properties.and_then(|properties| properties.get(name)) {
                known = true;
                self.visit(schema, member, &path.key(name), found);
            }
            for (pattern, schema) in entries(keywords, "patternProperties") {
                if self.leaves.matches(pattern, name) {
                    known = true;
                    self.visit(schema, member, &path.key(name), found);
                }
            }
            match additional {
                Some(Value::Bool(false)) if !known => unknown(keywords, name, map, path, found),
                Some(schema) if !known => self.visit(schema, member, &path.key(name), found),
                _ => {}
            }
        }
    }
}

/// `minProperties` and `maxProperties`.
fn size(
    keywords: &Map<String, Value>,
    map: &Map<String, Value>,
    value: &Value,
    path: &Path<'_>,
    found: &mut Found,
) {
    let size = u64::try_from(map.len()).unwrap_or(u64::MAX);
    let min = limit(keywords, "minProperties").filter(|min| size < *min);
    let max = limit(keywords, "maxProperties").filter(|max| size > *max);
    if let Some((bound, limit)) = min.map(|m| ("at least", m)).or(max.map(|m| ("at most", m))) {
        let properties = if limit == 1 { "property" } else { "properties" };
        let expected = format!("an object of {bound} {limit} {properties}");
        found.add(|| mismatch(path, expected, value));
    }
}

pub(super) fn unknown(
    keywords: &Map<String, Value>,
    name: &str,
    map: &Map<String, Value>,
    path: &Path<'_>,
    found: &mut Found,
) {
    let known = keywords.get("properties").and_then(Value::as_object);
    found.add(|| {
        let known: Vec<&str> = known
            .into_iter()
            .flat_map(|p| p.keys())
            .map(String::as_str)
            .collect();
        let free = known
            .iter()
            .copied()
            .filter(|name| !map.contains_key(*name));
        Violation {
            path: path.key(name).pointer(),
            problem: Problem::Unknown,
            expected: match known.len() {
                0 => "no properties are allowed here".to_owned(),
                1 => format!("only {} is allowed", names(known.iter().copied())),
                _ => format!("expected one of {}", names(known.iter().copied())),
            },
            got: map.get(name).map(show).unwrap_or_default(),
            suggestion: nearest(name, free).map(|near| show(&Value::from(near))),
        }
    });
}
