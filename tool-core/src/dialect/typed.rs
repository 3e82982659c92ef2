//! The walk for targets with a list of what they accept: every schema is flattened to a
//! reference, a union or one type, and then written with the keywords the target knows.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::describe::{joined, with_notes};
use super::null::{null, or_null};
use super::report::Action;
use super::rule::{Refs, Untyped};
use super::schema::{Object, is_annotation, listed_types, listed_values, type_of, type_restricted};
use super::union;
use super::work::Work;

/// What one walk carries along.
pub(super) struct Typed {
    /// The reference of the definition being written.
    pub(super) here: String,
    /// References inlined on the way from there.
    pub(super) open: Vec<String>,
    pub(super) drop_nulls: bool,
}

/// Where in the export a schema is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) depth: usize,
    /// Somewhere inside an `anyOf`.
    pub(super) in_union: bool,
}

impl Place {
    pub(super) fn below(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }

    fn in_union(self) -> Self {
        Self {
            depth: self.depth + 1,
            in_union: true,
        }
    }
}

/// A schema with its `allOf` merged and, where the target asks for it, its `$ref` inlined: what
/// is left is a `$ref`, an `anyOf`, or keywords about the value itself, with annotations.
pub(super) struct Flat<'s> {
    pub(super) map: Cow<'s, Object>,
    pub(super) at: String,
    /// What was inlined to get here.
    pub(super) opened: Vec<String>,
}

impl Typed {
    pub(super) fn new(drop_nulls: bool) -> Self {
        Self {
            here: "#".to_owned(),
            open: Vec::new(),
            drop_nulls,
        }
    }

    /// Writes the root or a definition, which `reference` points to.
    pub(super) fn definition(
        &mut self,
        work: &mut Work<'_>,
        schema: &Value,
        at: &str,
        reference: &str,
        depth: usize,
    ) -> Value {
        reference.clone_into(&mut self.here);
        self.open.clear();
        self.node(
            work,
            schema,
            at,
            Place {
                depth,
                in_union: false,
            },
        )
    }

    /// Writes one schema.
    pub(super) fn node(
        &mut self,
        work: &mut Work<'_>,
        schema: &Value,
        at: &str,
        place: Place,
    ) -> Value {
        if !work.spend(at, place.depth) {
            return json!({});
        }
        if let Some(flat) = self.flatten(work, schema, at, place, false) {
            self.flat(work, &flat, place)
        } else {
            work.cannot(at, "a schema that accepts nothing");
            json!({})
        }
    }

    fn flat(&mut self, work: &mut Work<'_>, flat: &Flat<'_>, place: Place) -> Value {
        let open = self.open.len();
        self.open.extend_from_slice(&flat.opened);
        let written = self.write(work, &flat.map, &flat.at, place);
        self.open.truncate(open);
        written
    }

    fn write(&mut self, work: &mut Work<'_>, map: &Object, at: &str, place: Place) -> Value {
        if let Some(Value::String(reference)) = map.get("$ref") {
            return reference_to(work, map, reference);
        }
        if let Some(Value::Array(arms)) = map.get("anyOf") {
            return self.union(work, map, arms, at, place);
        }
        let Some(types) = types(work, map, at) else {
            return untyped(work, map, at);
        };
        let values = listed_values(map);
        let nullable = types.contains(&"null")
            && values
                .as_ref()
                .is_none_or(|values| values.contains(&Value::Null));
        let types: Vec<&str> = types.into_iter().filter(|one| *one != "null").collect();
        match types.as_slice() {
            [] => null(work, map, at),
            [one] => {
                let written = self.one(work, map, one, at, place);
                if nullable {
                    or_null(work, written)
                } else {
                    written
                }
            }
            several => {
                let mut written: Vec<Value> = several
                    .iter()
                    .map(|one| self.one(work, &part(map, one), one, at, place.in_union()))
                    .collect();
                written.dedup();
                let written = any_of(work, map, at, written);
                if nullable {
                    or_null(work, written)
                } else {
                    written
                }
            }
        }
    }

    /// Writes a schema of one type.
    fn one(
        &mut self,
        work: &mut Work<'_>,
        map: &Object,
        one: &str,
        at: &str,
        place: Place,
    ) -> Value {
        let mut out = Object::new();
        let mut notes = Vec::new();
        out.insert("type".to_owned(), json!(one));
        match one {
            "object" => self.object(work, map, at, place, &mut out, &mut notes),
            "array" => self.array(work, map, at, place, &mut out, &mut notes),
            _ => {}
        }
        work.keywords(map, Some(one), at, &mut out, &mut notes);
        described(map, out, &notes)
    }

    fn union(
        &mut self,
        work: &mut Work<'_>,
        map: &Object,
        arms: &[Value],
        at: &str,
        place: Place,
    ) -> Value {
        let mut nullable = false;
        let mut flats = Vec::new();
        let mut open: Vec<(Cow<'_, Value>, String)> = arms
            .iter()
            .enumerate()
            .map(|(index, arm)| (Cow::Borrowed(arm), format!("{at}/anyOf/{index}")))
            .rev()
            .collect();
        while let Some((arm, at)) = open.pop() {
            if !work.spend(&at, place.depth) {
                break;
            }
            let Some(flat) = self.flatten(work, &arm, &at, place.in_union(), false) else {
                continue;
            };
            if is_null(&flat.map) {
                nullable = true;
                continue;
            }
            // A union in a union is one union, unless the inner one has something to say.
            match flat.map.get("anyOf") {
                Some(Value::Array(inner)) if flat.map.len() == 1 && flat.opened.is_empty() => {
                    let at = flat.at.clone();
                    open.extend(inner.iter().enumerate().rev().map(|(index, arm)| {
                        (Cow::Owned(arm.clone()), format!("{at}/anyOf/{index}"))
                    }));
                }
                _ => flats.push(Flat {
                    map: Cow::Owned(flat.map.into_owned()),
                    at: flat.at,
                    opened: flat.opened,
                }),
            }
        }
        let maps: Vec<&Object> = flats.iter().map(|flat| &*flat.map).collect();
        let written = if let Some((values, docs)) = union::strings(&maps) {
            let mut one = annotations(map);
            let own = map.get("description").and_then(Value::as_str);
            if let Some(description) = joined(own, docs.as_deref()) {
                one.insert("description".to_owned(), json!(description));
            }
            one.insert("enum".to_owned(), Value::Array(values));
            self.one(work, &one, "string", at, place)
        } else if let [flat] = flats.as_slice() {
            let mut one = annotations(map);
            let inner = flat.map.get("description").and_then(Value::as_str);
            let description = joined(map.get("description").and_then(Value::as_str), inner);
            for (keyword, value) in flat.map.iter() {
                one.entry(keyword.clone()).or_insert_with(|| value.clone());
            }
            if let Some(description) = description {
                one.insert("description".to_owned(), json!(description));
            }
            // Once more from the start: a `$ref` now has something beside it.
            let open = self.open.len();
            self.open.extend_from_slice(&flat.opened);
            let written = self.node(work, &Value::Object(one), &flat.at, place);
            self.open.truncate(open);
            written
        } else if flats.is_empty() {
            if !nullable {
                work.cannot(at, "a union that accepts nothing");
            }
            return null(work, map, at);
        } else {
            let mut written: Vec<Value> = Vec::with_capacity(flats.len());
            for flat in &flats {
                let arm = self.flat(work, flat, place.in_union());
                if !written.contains(&arm) {
                    written.push(arm);
                }
            }
            any_of(work, map, at, written)
        };
        if nullable {
            or_null(work, written)
        } else {
            written
        }
    }
}

fn untyped(work: &mut Work<'_>, map: &Object, at: &str) -> Value {
    let mut out = Object::new();
    let mut notes = Vec::new();
    match work.rules.types().untyped {
        Untyped::Kept => {}
        Untyped::NotStrict => work.cannot(at, "an untyped value"),
        Untyped::Spelled => {
            work.found(at, "an untyped value", Action::Narrowed);
            out = anything(2);
        }
    }
    work.keywords(map, None, at, &mut out, &mut notes);
    described(map, out, &notes)
}

/// A `$ref` that stays one.
fn reference_to(work: &mut Work<'_>, map: &Object, reference: &str) -> Value {
    let written = work.definitions.refer(reference, work.rules.definitions());
    let alone = json!({ "$ref": written });
    let Some(description) = map.get("description") else {
        return alone;
    };
    match work.rules.refs() {
        Refs::Wrapped | Refs::OptionalCycles => {
            json!({ "description": description, "anyOf": [alone] })
        }
        _ => json!({ "description": description, "$ref": written }),
    }
}

/// The types of a schema: those it lists, or those its values or keywords tell.
fn types<'m>(work: &mut Work<'_>, map: &'m Object, at: &str) -> Option<Vec<&'m str>> {
    if let Some(mut types) = listed_types(map) {
        if types.contains(&"number") {
            types.retain(|one| *one != "integer");
        }
        return Some(types);
    }
    if let Some(values) = listed_values(map) {
        let types: BTreeSet<&str> = values.iter().map(type_of).collect();
        return Some(types.into_iter().collect());
    }
    let types: BTreeSet<&str> = map
        .keys()
        .filter_map(|keyword| type_restricted(keyword))
        .collect();
    if types.is_empty() {
        return None;
    }
    // `{"properties": {..}}` accepts every string, too; nobody means that.
    work.found(at, "no `type`", Action::Narrowed);
    Some(types.into_iter().collect())
}

/// What `map` says about values of type `one`.
fn part(map: &Object, one: &str) -> Object {
    let concerns = |keyword: &str| {
        !is_annotation(keyword) && type_restricted(keyword).is_none_or(|other| same(other, one))
    };
    map.iter()
        .filter(|(keyword, _)| concerns(keyword))
        .map(|(keyword, value)| (keyword.clone(), value.clone()))
        .collect()
}

/// Whether a keyword that restricts `restricted` restricts values of type `one`.
pub(super) fn same(restricted: &str, one: &str) -> bool {
    restricted == one || (restricted == "number" && one == "integer")
}

fn is_null(map: &Object) -> bool {
    map.get("type").is_some_and(|one| one == "null")
        || listed_values(map).is_some_and(|values| values.iter().all(Value::is_null))
}

/// The union of what is written already, with the annotations of the source.
fn any_of(work: &mut Work<'_>, map: &Object, at: &str, mut arms: Vec<Value>) -> Value {
    let mut out = Object::new();
    let mut notes = Vec::new();
    match arms.as_mut_slice() {
        // Nothing may stand beside a `$ref`, and there may be annotations.
        [Value::Object(one)] if !one.contains_key("$ref") => out.append(one),
        _ => {
            out.insert("anyOf".to_owned(), Value::Array(arms));
        }
    }
    work.keywords(&annotations(map), None, at, &mut out, &mut notes);
    described(map, out, &notes)
}

pub(super) fn annotations(map: &Object) -> Object {
    map.iter()
        .filter(|(keyword, _)| is_annotation(keyword))
        .map(|(keyword, value)| (keyword.clone(), value.clone()))
        .collect()
}

/// Puts the description to a schema, with the notes on what it cannot say.
pub(super) fn described(map: &Object, mut out: Object, notes: &[String]) -> Value {
    let own = map.get("description").and_then(Value::as_str);
    let inner = out.get("description").and_then(Value::as_str);
    let description = joined(own, inner);
    if let Some(description) = with_notes(description.as_deref(), notes) {
        out.insert("description".to_owned(), json!(description));
    }
    Value::Object(out)
}

/// Any JSON value, as far as a target can say that which wants a type everywhere.
fn anything(depth: usize) -> Object {
    let mut arms = vec![json!({ "type": "string" }), json!({ "type": "number" })];
    arms.push(json!({ "type": "boolean" }));
    arms.push(json!({ "type": "object" }));
    if depth > 1 {
        arms.push(json!({ "type": "array", "items": anything(depth - 1) }));
    }
    let mut out = Object::new();
    out.insert("anyOf".to_owned(), Value::Array(arms));
    out.insert("nullable".to_owned(), json!(true));
    out
}
