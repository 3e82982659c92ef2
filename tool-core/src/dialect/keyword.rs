//! Single keywords: kept, adapted or described.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::describe::{json as written, phrase};
use super::report::Action;
use super::rule::{Treat, Values};
use super::schema::{Object, is_type, listed_values, type_restricted};
use super::typed::same;
use super::work::Work;

/// Keywords that the walk itself deals with.
fn is_structure(keyword: &str) -> bool {
    matches!(
        keyword,
        "type"
            | "description"
            | "nullable"
            | "enum"
            | "const"
            | "properties"
            | "required"
            | "additionalProperties"
            | "patternProperties"
            | "unevaluatedProperties"
            | "items"
            | "prefixItems"
            | "additionalItems"
            | "anyOf"
            | "oneOf"
            | "allOf"
            | "$ref"
            | "$defs"
            | "$def"
            | "definitions"
    )
}

impl Work<'_> {
    /// Treats each keyword of `map` that is not structure, for a value of type `one`.
    pub(super) fn keywords(
        &mut self,
        map: &Object,
        one: Option<&str>,
        at: &str,
        out: &mut Object,
        notes: &mut Vec<String>,
    ) {
        if let Some(one) = one {
            self.values(map, one, at, out, notes);
        }
        for (keyword, value) in map {
            let restricted = type_restricted(keyword);
            // `{"type": "integer", "minLength": 1}`: not about integers.
            let applies = match (restricted, one) {
                (Some(restricted), Some(one)) => {
                    same(restricted, one) || (keyword == "format" && one != "string")
                }
                _ => true,
            };
            if is_structure(keyword) || !applies {
                continue;
            }
            let source = format!("`{keyword}`: {}", written(value));
            if keyword == "format" && one.is_some_and(|one| one != "string") {
                // `uint32` and the like: the bounds say it.
                self.found(at, source, Action::Dropped);
                continue;
            }
            match self.keyword(keyword, value, one) {
                Outcome::Kept => {
                    out.entry(keyword.clone()).or_insert_with(|| value.clone());
                }
                Outcome::Lowered(most) => {
                    out.insert(keyword.clone(), json!(most));
                    self.describe(keyword, value, at, source, notes);
                }
                Outcome::Described => self.describe(keyword, value, at, source, notes),
                Outcome::Silent => {}
            }
        }
    }

    fn keyword(&self, keyword: &str, value: &Value, one: Option<&str>) -> Outcome {
        let kept = |keep| {
            if keep {
                Outcome::Kept
            } else {
                Outcome::Described
            }
        };
        match self.rules.treat(keyword).0 {
            Treat::Keep => Outcome::Kept,
            Treat::Drop => Outcome::Silent,
            Treat::Formats(known) => kept(value.as_str().is_some_and(|own| known.contains(&own))),
            Treat::Pattern(refused) => kept(
                value
                    .as_str()
                    .is_some_and(|own| !refused.iter().any(|part| own.contains(part))),
            ),
            Treat::AtMost(most) => match value.as_u64() {
                Some(own) if own <= *most => Outcome::Kept,
                Some(_) => Outcome::Lowered(*most),
                None => Outcome::Described,
            },
            Treat::IntegerBound => kept(one == Some("integer") && value.as_i64().is_some()),
            _ => Outcome::Described,
        }
    }

    fn describe(
        &mut self,
        keyword: &str,
        value: &Value,
        at: &str,
        source: String,
        notes: &mut Vec<String>,
    ) {
        if keyword.starts_with('$') {
            return;
        }
        match phrase(keyword, value) {
            Some(note) => {
                notes.push(note);
                self.found(at, source, Action::MovedToDescription);
            }
            None => self.found(at, source, Action::Dropped),
        }
    }

    /// `enum` and `const`: the values of the type at hand.
    fn values(
        &mut self,
        map: &Object,
        one: &str,
        at: &str,
        out: &mut Object,
        notes: &mut Vec<String>,
    ) {
        let Some(listed) = listed_values(map) else {
            return;
        };
        let mut seen = HashSet::new();
        let values: Vec<Value> = listed
            .iter()
            .filter(|value| is_type(value, one) && seen.insert(value.to_string()))
            .cloned()
            .collect();
        let Treat::Values(kind) = self.rules.treat("enum").0 else {
            return;
        };
        let expressible = match kind {
            Values::Strings => one == "string",
            Values::StringsAndNumbers => matches!(one, "string" | "integer" | "number"),
            Values::Scalars => !matches!(one, "object" | "array"),
        };
        if values.is_empty() {
            self.cannot(at, format!("an `enum` without a value of type `{one}`"));
        } else if expressible {
            out.insert("enum".to_owned(), Value::Array(values));
        } else if !(one == "boolean" && values.len() == 2) {
            let values = Value::Array(values);
            notes.extend(phrase("enum", &values));
            self.found(
                at,
                format!("`enum`: {}", written(&values)),
                Action::MovedToDescription,
            );
        }
    }
}

enum Outcome {
    Kept,
    Lowered(u64),
    Described,
    /// Nobody misses it.
    Silent,
}
