//! `unevaluatedProperties`.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::object::unknown;
use super::{Walk, entries};
use crate::schema::pointer::{self, Path};
use crate::schema::validate::violation::Found;

impl<'a> Walk<'a> {
    pub(super) fn unevaluated(
        &mut self,
        schema: &'a Value,
        keywords: &'a Map<String, Value>,
        map: &Map<String, Value>,
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        let mut seen = HashSet::new();
        self.evaluated(keywords, map, value, &mut seen);
        for (name, member) in map.iter().filter(|(name, _)| !seen.contains(name.as_str())) {
            if *schema == Value::Bool(false) {
                unknown(keywords, name, map, path, found);
            } else {
                self.visit(schema, member, &path.key(name), found);
            }
        }
    }

    /// The members that some keyword beside `unevaluatedProperties` has looked at.
    fn evaluated<'m>(
        &mut self,
        keywords: &'a Map<String, Value>,
        map: &'m Map<String, Value>,
        value: &Value,
        seen: &mut HashSet<&'m str>,
    ) {
        for name in map.keys() {
            let known = keywords
                .get("properties")
                .is_some_and(|p| p.get(name).is_some())
                || keywords.contains_key("additionalProperties")
                || entries(keywords, "patternProperties")
                    .any(|(pattern, _)| self.leaves.matches(pattern, name));
            if known {
                seen.insert(name);
            }
        }
        let target = keywords.get("$ref").and_then(Value::as_str);
        let parts = target
            .and_then(|reference| pointer::resolve(self.root, reference))
            .into_iter()
            .chain(["allOf", "anyOf", "oneOf"].into_iter().flat_map(|keyword| {
                keywords
                    .get(keyword)
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten()
            }))
            .chain(
                entries(keywords, "dependentSchemas")
                    .filter_map(|(name, schema)| map.contains_key(name).then_some(schema)),
            )
            .chain(keywords.get("if"))
            .chain(keywords.get("then"))
            .chain(keywords.get("else"));
        for part in parts {
            // What does not hold evaluates nothing; `then` and `else` hold with or against `if`.
            if let Value::Object(inner) = part
                && self.applies(keywords, part, value)
                && self.holds(part, value)
            {
                if inner.contains_key("unevaluatedProperties") {
                    seen.extend(map.keys().map(String::as_str));
                }
                self.evaluated(inner, map, value, seen);
            }
        }
    }

    /// Whether `part` is asked at all: `then` only if `if` holds, `else` only if it does not.
    fn applies(&mut self, keywords: &'a Map<String, Value>, part: &Value, value: &Value) -> bool {
        let is = |keyword: &str| keywords.get(keyword).is_some_and(|p| std::ptr::eq(p, part));
        let (then, otherwise) = (is("then"), is("else"));
        if !then && !otherwise {
            return true;
        }
        keywords
            .get("if")
            .is_some_and(|condition| self.holds(condition, value) == then)
    }
}
