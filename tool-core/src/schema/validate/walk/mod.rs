//! The built-in validator: says what is wrong, keyword by keyword.
//!
//! With the `jsonschema` feature the verdict is that crate's, and this walk explains it; without,
//! this walk is the verdict, and a schema with a keyword it does not decide is refused.

mod array;
mod object;
mod scalar;
mod unevaluated;

use serde_json::{Map, Value};

use super::leaf::Leaves;
use super::violation::{Found, mismatch, not_listed};
use super::{compare, describe};
use crate::schema::arms;
use crate::schema::kinds::Kinds;
use crate::schema::pointer::Path;

/// Visits before the walk gives up: alternatives of alternatives can multiply.
const MAX_VISITS: usize = 4_000_000;
/// Visits inside each other before the walk gives up, so that it fits a stack of 512 KiB. A value
/// of 128 levels has room for four combinators at each; twice as many fit.
const MAX_NESTED: usize = 650;

pub(super) struct Walk<'a> {
    pub(super) root: &'a Value,
    pub(super) leaves: Leaves,
    visits: usize,
    /// Visits that are open.
    nested: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(root: &'a Value) -> Self {
        Self {
            root,
            leaves: Leaves::default(),
            visits: 0,
            nested: 0,
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
        if self.nested >= MAX_NESTED {
            self.visits = MAX_VISITS;
        }
        if self.is_exhausted() || found.is_settled() {
            return;
        }
        self.nested += 1;
        self.look(schema, value, path, found);
        self.nested -= 1;
    }

    fn look(&mut self, schema: &'a Value, value: &Value, path: &Path<'_>, found: &mut Found) {
        let mut schema = schema;
        // A reference and nothing else is its target; circles were refused.
        while let Some(target) = alone(self.root, schema) {
            schema = target;
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
            Value::String(text) => self.string(keywords, text, value, path, found),
            Value::Number(_) => self.number(schema, keywords, value, path, found),
            Value::Array(items) => self.array(keywords, items, value, path, found),
            Value::Object(map) => self.object(keywords, map, value, path, found),
            Value::Null | Value::Bool(_) => {}
        }
        self.in_place(keywords, value, path, found);
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

    /// The keywords that ask other schemas about the same value. Each has its own function: what
    /// one needs on the stack is not there while another one descends.
    fn in_place(
        &mut self,
        keywords: &'a Map<String, Value>,
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        if let Some(target) = arms::reference(self.root, keywords) {
            self.visit(target, value, path, found);
        }
        for part in list_of(keywords, "allOf") {
            self.visit(part, value, path, found);
        }
        if keywords.contains_key("anyOf") {
            self.union(list_of(keywords, "anyOf"), false, value, path, found);
        }
        if keywords.contains_key("oneOf") {
            self.union(list_of(keywords, "oneOf"), true, value, path, found);
        }
        if let Some(schema) = keywords.get("not") {
            self.not(schema, value, path, found);
        }
        if let Some(schema) = self.branch(keywords, value) {
            self.visit(schema, value, path, found);
        }
    }

    #[inline(never)]
    fn not(&mut self, schema: &'a Value, value: &Value, path: &Path<'_>, found: &mut Found) {
        if self.holds(schema, value) {
            found.add(|| {
                let not = describe::expected(self.root, schema);
                mismatch(path, format!("anything but {not}"), value)
            });
        }
    }

    /// `then` if `if` holds, else `else`.
    #[inline(never)]
    fn branch(&mut self, keywords: &'a Map<String, Value>, value: &Value) -> Option<&'a Value> {
        let holds = self.holds(keywords.get("if")?, value);
        keywords.get(if holds { "then" } else { "else" })
    }
}

/// The schemas of `allOf`, `anyOf`, ...
fn list_of<'a>(keywords: &'a Map<String, Value>, keyword: &str) -> &'a [Value] {
    keywords
        .get(keyword)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// What a schema refers to, if that is all it does.
fn alone<'a>(root: &'a Value, schema: &Value) -> Option<&'a Value> {
    let keywords = schema.as_object()?;
    let says = |keyword: &str| matches!(keyword, "$ref" | "title" | "description" | "default");
    keywords
        .keys()
        .all(|keyword| says(keyword))
        .then(|| arms::reference(root, keywords))?
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
