//! Objects and arrays of the typed walk.

use serde_json::{Value, json};

use super::array::{Members, any_of, differ};
use super::describe::{brief, with_notes};
use super::graph::direct_references;
use super::null::{or_null, without_null};
use super::report::Action;
use super::rule::{Closing, Refs, Treat, Tuple};
use super::schema::{Object, escape, required};
use super::typed::{Place, Typed};
use super::work::Work;

/// Which properties an object takes beside those it declares.
enum Further<'m> {
    /// None.
    No,
    /// Nothing is said; in a struct that means the same to everybody but a validator.
    Unsaid,
    /// Anything.
    Any,
    /// Those with a value of this schema, and a name of this pattern.
    Of(&'m Value, Option<&'m str>),
}

impl<'m> Further<'m> {
    fn of(map: &'m Object) -> Self {
        let rest = map
            .get("additionalProperties")
            .or_else(|| map.get("unevaluatedProperties"));
        let patterns = map.get("patternProperties").and_then(Value::as_object);
        let mut patterns = patterns.into_iter().flatten();
        let declares = map
            .get("properties")
            .is_some_and(|all| all.as_object().is_some());
        let empty = map
            .get("properties")
            .and_then(Value::as_object)
            .is_none_or(Object::is_empty);
        match (patterns.next(), patterns.next(), rest) {
            (Some((pattern, schema)), None, None | Some(Value::Bool(false))) => {
                Self::Of(schema, Some(pattern))
            }
            (Some(_), _, _) | (None, _, Some(Value::Bool(true))) => Self::Any,
            (None, _, Some(Value::Bool(false))) => Self::No,
            (None, _, Some(Value::Object(schema))) if schema.is_empty() => Self::Any,
            (None, _, Some(schema)) => Self::Of(schema, None),
            (None, _, None) if declares && !empty => Self::Unsaid,
            (None, _, None) => Self::Any,
        }
    }
}

impl Typed {
    pub(super) fn object(
        &mut self,
        work: &mut Work<'_>,
        map: &Object,
        at: &str,
        place: Place,
        out: &mut Object,
        notes: &mut Vec<String>,
    ) {
        let further = Further::of(map);
        let (properties, needed) = self.properties(work, map, at, place);
        let empty = properties.is_empty();
        let closing = work.rules.closing();
        let is_map = matches!(further, Further::Any | Further::Of(..));
        // `{"type": "object"}` alone takes any object; an empty `properties` is an error of some
        // Gemini paths.
        if place.depth == 0 || !empty || (!is_map && closing != Closing::Unsaid) {
            out.insert("properties".to_owned(), Value::Object(properties));
        }
        if !needed.is_empty() {
            out.insert("required".to_owned(), json!(needed));
        }
        match (closing, further) {
            (Closing::Free, Further::No) => close(out),
            (Closing::Free, Further::Any) if !empty => {
                out.insert("additionalProperties".to_owned(), json!(true));
            }
            (Closing::Free, Further::Of(values, pattern)) => {
                let values = self.node(
                    work,
                    values,
                    &format!("{at}/additionalProperties"),
                    place.below(),
                );
                out.insert("additionalProperties".to_owned(), values);
                keys_note(work, pattern, at, notes);
            }
            (Closing::False | Closing::FalseAndFilled, Further::No | Further::Unsaid) => {
                if empty && closing == Closing::FalseAndFilled && place.depth > 0 {
                    work.cannot(at, "an object without properties");
                }
                if matches!(Further::of(map), Further::Unsaid) {
                    work.found(at, "further properties", Action::Closed);
                }
                close(out);
            }
            (Closing::False | Closing::FalseAndFilled, _) => {
                work.cannot(at, "a map: an object with any keys");
            }
            (Closing::Unsaid, Further::Of(values, pattern)) => {
                let what = format!("any keys, each value: {}", brief(values));
                work.found(at, what.clone(), Action::MovedToDescription);
                notes.push(what);
                keys_note(work, pattern, at, notes);
            }
            (Closing::Unsaid, Further::Any) if !empty => {
                work.found(at, "further properties", Action::MovedToDescription);
                notes.push("further keys are allowed".to_owned());
            }
            (Closing::Free | Closing::Unsaid, _) => {}
        }
    }

    fn properties(
        &mut self,
        work: &mut Work<'_>,
        map: &Object,
        at: &str,
        place: Place,
    ) -> (Object, Vec<String>) {
        static UNTYPED: Value = Value::Bool(true);
        let every = work.rules.requires_every_property();
        let listed: std::collections::BTreeSet<&str> = required(map).collect();
        let declared = map.get("properties").and_then(Value::as_object);
        let undeclared = listed
            .iter()
            .filter(|name| declared.is_none_or(|all| !all.contains_key(**name)));
        let all = declared
            .into_iter()
            .flatten()
            .map(|(name, schema)| (name.as_str(), schema))
            .chain(undeclared.map(|name| (*name, &UNTYPED)));
        let mut written = Object::new();
        let mut needed = Vec::new();
        for (name, schema) in all {
            if schema == &Value::Bool(false) && !listed.contains(name) {
                continue;
            }
            let at = format!("{at}/properties/{}", escape(name));
            let optional = !listed.contains(name);
            let mut below = place.below();
            // It becomes an arm of an `anyOf` with `null`.
            below.in_union |= optional && every;
            let mut property = self.node(work, schema, &at, below);
            let mut is_needed = !optional || every;
            if optional && every {
                property = or_null(work, property);
            }
            if optional && self.drop_nulls && without_null(&mut property) {
                work.found(
                    &at,
                    "`null`, which is the same as leaving it out",
                    Action::Narrowed,
                );
            }
            if is_needed && self.closes_cycle(work, schema) {
                work.found(&at, "required, in a recursive type", Action::Widened);
                property = noted(property, "required");
                is_needed = false;
            }
            let exported = work.keys.exported(name).to_owned();
            if is_needed {
                needed.push(exported.clone());
            }
            written.insert(exported, property);
        }
        (written, needed)
    }

    fn closes_cycle(&self, work: &Work<'_>, schema: &Value) -> bool {
        if work.rules.refs() != Refs::OptionalCycles {
            return false;
        }
        let mut references = Vec::new();
        direct_references(schema, None, &mut references);
        references
            .iter()
            .any(|(to, _)| work.graph.closes_cycle(&self.here, to))
    }

    pub(super) fn array(
        &mut self,
        work: &mut Work<'_>,
        map: &Object,
        at: &str,
        place: Place,
        out: &mut Object,
        notes: &mut Vec<String>,
    ) {
        static UNTYPED: Value = Value::Bool(true);
        let Some(tuple) = Members::of(map) else {
            let items = map.get("items").unwrap_or(&UNTYPED);
            let at = format!("{at}/items");
            let items = if items == &Value::Bool(false) {
                out.insert("maxItems".to_owned(), json!(0));
                json!({ "type": "string" })
            } else {
                self.node(work, items, &at, place.below())
            };
            out.insert("items".to_owned(), items);
            return;
        };
        let members: Vec<Value> = tuple
            .all()
            .map(|(step, member)| self.node(work, member, &format!("{at}/{step}"), place.below()))
            .collect();
        let Treat::Tuple(treat) = work.rules.treat("prefixItems").0 else {
            return;
        };
        match treat {
            Tuple::WithItems => {
                out.insert("prefixItems".to_owned(), json!(members));
            }
            Tuple::AlikeOrNotStrict if differ(&members) => {
                work.cannot(at, "a tuple of different types");
            }
            Tuple::AsArray | Tuple::AlikeOrNotStrict => {
                if let Some(order) = tuple.order(&members) {
                    work.found(at, "a tuple", Action::Widened);
                    notes.push(order);
                }
            }
        }
        out.insert("items".to_owned(), any_of(&members));
        if !matches!(work.rules.treat("maxItems").0, Treat::Describe) {
            tuple.write_most(out);
        }
    }
}

/// Adds a note to a written schema; beside a `$ref` nothing may stand, so it goes around.
fn noted(written: Value, note: &str) -> Value {
    let notes = [note.to_owned()];
    let Value::Object(mut written) = written else {
        return written;
    };
    if written.contains_key("$ref") {
        return json!({ "description": note, "anyOf": [written] });
    }
    let own = written.get("description").and_then(Value::as_str);
    let description = with_notes(own, &notes);
    written.insert("description".to_owned(), json!(description));
    Value::Object(written)
}

fn close(out: &mut Object) {
    out.insert("additionalProperties".to_owned(), json!(false));
}

fn keys_note(work: &mut Work<'_>, pattern: Option<&str>, at: &str, notes: &mut Vec<String>) {
    if let Some(pattern) = pattern {
        let note = format!("each key matches the regular expression {pattern}");
        work.found(
            at,
            format!("`patternProperties`: {pattern:?}"),
            Action::MovedToDescription,
        );
        notes.push(note);
    }
}
