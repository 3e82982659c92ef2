//! The built-in validator: says what is wrong, keyword by keyword.
//!
//! With the `jsonschema` feature the verdict is that crate's, and this walk explains it; without,
//! this walk is the verdict, and a schema with a keyword it does not decide is refused.

use serde_json::{Map, Value};

use super::leaf::Leaves;
use super::nearest::nearest;
use super::violation::{Found, Problem, Violation, list, names, show};
use super::{compare, describe};
use crate::schema::arms::required;
use crate::schema::kinds::Kinds;
use crate::schema::pointer::{self, Path};

/// Visits before the walk gives up: alternatives of alternatives can multiply.
const MAX_VISITS: usize = 4_000_000;

pub(super) struct Walk<'a> {
    pub(super) root: &'a Value,
    pub(super) leaves: Leaves,
    visits: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(root: &'a Value) -> Self {
        Self {
            root,
            leaves: Leaves::default(),
            visits: 0,
        }
    }

    /// Whether the walk gave up, so that finding nothing means nothing.
    pub(super) fn is_exhausted(&self) -> bool {
        self.visits >= MAX_VISITS
    }

    /// Whether `value` satisfies `schema`.
    pub(super) fn holds(&mut self, schema: &'a Value, value: &Value) -> bool {
        let mut found = Found::probe();
        self.visit(schema, value, &Path::ROOT, &mut found);
        found.total == 0
    }

    pub(super) fn visit(
        &mut self,
        schema: &'a Value,
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        self.visits += 1;
        if self.is_exhausted() || found.is_settled() {
            return;
        }
        let keywords = match schema {
            Value::Object(keywords) => keywords,
            Value::Bool(false) => {
                found.add(|| mismatch(path, "nothing here".to_owned(), value));
                return;
            }
            _ => return,
        };
        // A value of the wrong type gets one message, not one per keyword.
        if !self.type_fits(schema, keywords, value, path, found) {
            return;
        }
        match value {
            Value::String(text) => self.string(schema, keywords, text, value, path, found),
            Value::Number(_) => self.number(schema, keywords, value, path, found),
            Value::Array(items) => self.array(schema, keywords, items, value, path, found),
            Value::Object(map) => self.object(keywords, map, value, path, found),
            Value::Null | Value::Bool(_) => {}
        }
        self.in_place(schema, keywords, value, path, found);
    }

    /// `type`, `enum` and `const`.
    #[inline(never)]
    fn type_fits(
        &mut self,
        schema: &'a Value,
        keywords: &Map<String, Value>,
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) -> bool {
        let before = found.total;
        let equal = |other: &&Value| compare::order(other, value).is_eq();
        if let Some(Value::Array(allowed)) = keywords.get("enum") {
            if !allowed.iter().any(|other| equal(&other)) {
                found.add(|| not_listed(path, value, &allowed.iter().collect::<Vec<_>>()));
            }
        } else if let Some(allowed) = keywords.get("const") {
            if !equal(&allowed) {
                found.add(|| not_listed(path, value, &[allowed]));
            }
        } else {
            let kinds = match keywords.get("type") {
                Some(Value::String(word)) => Kinds::of_word(word),
                Some(Value::Array(words)) => words
                    .iter()
                    .filter_map(Value::as_str)
                    .fold(Kinds::NONE, |kinds, word| kinds.or(Kinds::of_word(word))),
                _ => Kinds::ALL,
            };
            if !kinds.intersects(Kinds::of_value(value)) {
                let expected = if value.is_number() {
                    describe::expected
                } else {
                    describe::kind
                };
                found.add(|| mismatch(path, expected(self.root, schema), value));
            }
        }
        found.total == before
    }

    #[inline(never)]
    fn string(
        &mut self,
        schema: &'a Value,
        keywords: &'a Map<String, Value>,
        text: &str,
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        let length = || u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
        let fits = limit(keywords, "minLength").is_none_or(|min| length() >= min)
            && limit(keywords, "maxLength").is_none_or(|max| length() <= max)
            && ["pattern", "format"].into_iter().all(|keyword| {
                keywords
                    .get(keyword)
                    .is_none_or(|operand| self.leaves.holds(keyword, operand, value))
            });
        if !fits {
            found.add(|| mismatch(path, describe::expected(self.root, schema), value));
        }
    }

    #[inline(never)]
    fn number(
        &mut self,
        schema: &'a Value,
        keywords: &'a Map<String, Value>,
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        let limit = |keyword: &str| keywords.get(keyword).filter(|limit| limit.is_number());
        let order = |keyword| limit(keyword).map(|limit| compare::order(value, limit));
        let fits = order("minimum").is_none_or(|order| order.is_ge())
            && order("maximum").is_none_or(|order| order.is_le())
            && order("exclusiveMinimum").is_none_or(|order| order.is_gt())
            && order("exclusiveMaximum").is_none_or(|order| order.is_lt())
            && limit("multipleOf")
                .is_none_or(|operand| self.leaves.holds("multipleOf", operand, value));
        if !fits {
            found.add(|| mismatch(path, describe::expected(self.root, schema), value));
        }
    }

    #[inline(never)]
    fn array(
        &mut self,
        schema: &'a Value,
        keywords: &'a Map<String, Value>,
        items: &[Value],
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        let length = u64::try_from(items.len()).unwrap_or(u64::MAX);
        if limit(keywords, "minItems").is_some_and(|min| length < min)
            || limit(keywords, "maxItems").is_some_and(|max| length > max)
        {
            let expected = || describe::expected(self.root, schema);
            found.add(|| Violation {
                got: format!("{length} items: {}", show(value)),
                ..mismatch(path, expected(), value)
            });
        }
        if keywords.get("uniqueItems") == Some(&Value::Bool(true))
            && let Some(twice) = compare::repeated(items)
        {
            found.add(|| Violation {
                got: format!("{} twice", show(twice)),
                ..mismatch(path, "items that are all different".to_owned(), value)
            });
        }
        // An array under `items` is how older drafts write `prefixItems`.
        let (prefix, rest) = match (keywords.get("prefixItems"), keywords.get("items")) {
            (Some(Value::Array(prefix)), rest) => (prefix.as_slice(), rest),
            (None, Some(Value::Array(prefix))) => {
                (prefix.as_slice(), keywords.get("additionalItems"))
            }
            (_, rest) => (&[][..], rest),
        };
        for (index, item) in items.iter().enumerate() {
            if found.is_settled() {
                return;
            }
            if let Some(schema) = prefix.get(index).or(rest) {
                self.visit(schema, item, &path.index(index), found);
            }
        }
        if let Some(schema) = keywords.get("contains") {
            self.contains(schema, keywords, items, value, path, found);
        }
    }

    fn contains(
        &mut self,
        schema: &'a Value,
        keywords: &Map<String, Value>,
        items: &[Value],
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        let min = limit(keywords, "minContains").unwrap_or(1);
        let max = limit(keywords, "maxContains").unwrap_or(u64::MAX);
        let mut count = 0u64;
        for item in items {
            count += u64::from(self.holds(schema, item));
        }
        if count < min || count > max {
            let item = describe::expected(self.root, schema);
            let bound = if count < min {
                format!("at least {min}")
            } else {
                format!("at most {max}")
            };
            found.add(|| mismatch(path, format!("an array with {bound} of: {item}"), value));
        }
    }

    #[inline(never)]
    fn object(
        &mut self,
        keywords: &'a Map<String, Value>,
        map: &Map<String, Value>,
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        let size = u64::try_from(map.len()).unwrap_or(u64::MAX);
        let min = limit(keywords, "minProperties").filter(|min| size < *min);
        let max = limit(keywords, "maxProperties").filter(|max| size > *max);
        if let Some((bound, limit)) = min.map(|m| ("at least", m)).or(max.map(|m| ("at most", m))) {
            found.add(|| {
                mismatch(
                    path,
                    format!("an object of {bound} {limit} properties"),
                    value,
                )
            });
        }
        for name in required(keywords) {
            if !map.contains_key(name) {
                self.missing(keywords, name, path, found);
            }
        }
        self.members(keywords, map, path, found);
        if let Some(schema) = keywords.get("propertyNames") {
            for name in map.keys() {
                self.visit(schema, &Value::from(name.as_str()), &path.key(name), found);
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
        for (name, schema) in entries(keywords, "dependentSchemas") {
            if map.contains_key(name) {
                self.visit(schema, value, path, found);
            }
        }
        if let Some(schema) = keywords.get("unevaluatedProperties") {
            self.unevaluated(schema, keywords, map, value, path, found);
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

    fn unevaluated(
        &mut self,
        schema: &'a Value,
        keywords: &'a Map<String, Value>,
        map: &Map<String, Value>,
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        let mut seen = std::collections::HashSet::new();
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
        seen: &mut std::collections::HashSet<&'m str>,
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

    /// The keywords that ask other schemas about the same value.
    #[inline(never)]
    fn in_place(
        &mut self,
        schema: &'a Value,
        keywords: &'a Map<String, Value>,
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        if let Some(reference) = keywords.get("$ref").and_then(Value::as_str)
            && let Some(target) = pointer::resolve(self.root, reference)
        {
            self.visit(target, value, path, found);
        }
        for part in keywords
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.visit(part, value, path, found);
        }
        if let Some(Value::Array(arms)) = keywords.get("anyOf") {
            self.union(arms, false, value, path, found);
        }
        if let Some(Value::Array(arms)) = keywords.get("oneOf") {
            self.union(arms, true, value, path, found);
        }
        if let Some(not) = keywords.get("not")
            && self.holds(not, value)
        {
            let what = describe::expected(self.root, not);
            found.add(|| mismatch(path, format!("anything but {what}"), value));
        }
        if let Some(condition) = keywords.get("if") {
            let branch = if self.holds(condition, value) {
                "then"
            } else {
                "else"
            };
            if let Some(schema) = keywords.get(branch) {
                self.visit(schema, value, path, found);
            }
        }
        let _ = schema;
    }
}

/// A non-negative integer operand; `3.0` counts as 3.
fn limit(keywords: &Map<String, Value>, keyword: &str) -> Option<u64> {
    let number = keywords.get(keyword)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "saturates"
    )]
    number
        .as_u64()
        .or_else(|| number.as_f64().map(|float| float as u64))
}

fn entries<'a>(
    keywords: &'a Map<String, Value>,
    keyword: &str,
) -> impl Iterator<Item = (&'a String, &'a Value)> {
    keywords
        .get(keyword)
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
}

pub(super) fn mismatch(path: &Path<'_>, expected: String, value: &Value) -> Violation {
    Violation {
        path: path.pointer(),
        problem: Problem::Mismatch,
        expected,
        got: show(value),
        suggestion: None,
    }
}

pub(super) fn not_listed(path: &Path<'_>, value: &Value, allowed: &[&Value]) -> Violation {
    let words = allowed.iter().filter_map(|value| value.as_str());
    let near = value.as_str().and_then(|word| nearest(word, words));
    Violation {
        path: path.pointer(),
        problem: Problem::NotListed,
        expected: list(allowed.iter().copied()),
        got: show(value),
        suggestion: near.map(|word| show(&Value::from(word))),
    }
}

fn unknown(
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
