//! Flattening: `$ref`, `allOf`, `oneOf` and what stands beside an `anyOf`.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::merge::merge;
use super::report::Action;
use super::rule::Refs;
use super::schema::{Object, is_annotation, listed_types, pointer_of, resolve, short_name};
use super::typed::{Flat, Place, Typed, annotations};
use super::work::Work;

impl Typed {
    /// Flattens one schema; `None` if it accepts nothing. With `inline`, no `$ref` is left, since
    /// the result is about to be merged with something.
    pub(super) fn flatten<'s>(
        &mut self,
        work: &mut Work<'_>,
        schema: &'s Value,
        at: &str,
        place: Place,
        inline: bool,
    ) -> Option<Flat<'s>> {
        let map = match schema {
            Value::Object(map) => Cow::Borrowed(map),
            Value::Bool(false) => return None,
            // Whatever is no schema says nothing.
            _ => Cow::Owned(Object::new()),
        };
        let mut flat = Flat {
            map,
            at: at.to_owned(),
            opened: Vec::new(),
        };
        if let Some(Value::String(reference)) = flat.map.get("$ref") {
            let reference = reference.clone();
            if inline || must_inline(work, &flat.map, &reference, place) {
                flat = self.inline(work, flat, &reference, place)?;
            } else {
                return Some(flat);
            }
        }
        if flat.map.contains_key("allOf") {
            flat = self.merge_all(work, flat, place)?;
        }
        if flat.map.contains_key("oneOf") {
            work.found(&flat.at, "`oneOf`: exactly one of them", Action::Widened);
            let map = flat.map.to_mut();
            if let Some(arms) = map.remove("oneOf") {
                let union = Object::from_iter([("anyOf".to_owned(), arms)]);
                flat.map = Cow::Owned(merged(work, flat.map.into_owned(), &union, at)?);
            }
        }
        if flat.map.contains_key("anyOf") && !only_union(&flat.map) {
            flat = self.distribute(work, flat, place)?;
        }
        Some(flat)
    }

    fn inline<'s>(
        &mut self,
        work: &mut Work<'_>,
        flat: Flat<'s>,
        reference: &str,
        place: Place,
    ) -> Option<Flat<'s>> {
        let mut own = flat.map.into_owned();
        own.remove("$ref");
        let nothing = |own: Object| {
            Some(Flat {
                map: Cow::Owned(own),
                at: flat.at.clone(),
                opened: Vec::new(),
            })
        };
        let document = work.document;
        let Some(target) = resolve(document, reference) else {
            work.cannot(
                &flat.at,
                format!("`$ref` to `{reference}`, which is not there"),
            );
            return nothing(own);
        };
        let recursive = self.open.iter().any(|open| open == reference);
        let refused = work.rules.refs() == Refs::OutsideAnyOf
            && place.in_union
            && work.graph.is_recursive(reference);
        if recursive && work.rules.refs() == Refs::Cut {
            work.found(&flat.at, recursion(work, reference, ""), Action::Widened);
            return nothing(cut(own, target, reference));
        }
        if recursive || refused {
            let inside = if refused { " inside a union" } else { "" };
            work.cannot(&flat.at, recursion(work, reference, inside));
            return nothing(own);
        }
        if !work.spend(&flat.at, place.depth + self.open.len()) {
            return nothing(own);
        }
        let pointer = pointer_of(reference).unwrap_or_default();
        work.found(
            &pointer,
            format!("`{}`", short_name(reference)),
            Action::Inlined,
        );
        self.open.push(reference.to_owned());
        let inner = self.flatten(work, target, &pointer, place, true);
        self.open.pop();
        let inner = inner?;
        let mut opened = inner.opened;
        opened.push(reference.to_owned());
        let only_annotations = own.keys().all(|keyword| is_annotation(keyword));
        let at = if only_annotations { inner.at } else { flat.at };
        let map = merged(work, own, &inner.map, &at)?;
        // Beside a union, what stood beside the `$ref` has still to be distributed.
        let mut flat = Flat {
            map: Cow::Owned(map),
            at,
            opened,
        };
        if flat.map.contains_key("allOf") {
            flat = self.merge_all(work, flat, place)?;
        }
        Some(flat)
    }

    fn merge_all<'s>(
        &mut self,
        work: &mut Work<'_>,
        flat: Flat<'s>,
        place: Place,
    ) -> Option<Flat<'s>> {
        let mut own = flat.map.into_owned();
        let members = own.remove("allOf");
        let mut opened = flat.opened;
        for (index, member) in members
            .iter()
            .filter_map(Value::as_array)
            .flatten()
            .enumerate()
        {
            let at = format!("{}/allOf/{index}", flat.at);
            if !work.spend(&at, place.depth) {
                break;
            }
            let member = self.flatten(work, member, &at, place.below(), true)?;
            opened.extend(member.opened);
            own = merged(work, own, &member.map, &flat.at)?;
        }
        Some(Flat {
            map: Cow::Owned(own),
            at: flat.at,
            opened,
        })
    }

    /// `{properties, anyOf: [A, B]}` accepts what `anyOf: [properties and A, properties and B]`
    /// accepts, and that is how the targets want it.
    fn distribute<'s>(
        &mut self,
        work: &mut Work<'_>,
        flat: Flat<'s>,
        place: Place,
    ) -> Option<Flat<'s>> {
        let mut base = flat.map.into_owned();
        let arms = base.remove("anyOf");
        let mut outer = annotations(&base);
        base.retain(|keyword, _| !is_annotation(keyword));
        let mut written = Vec::new();
        for (index, arm) in arms
            .iter()
            .filter_map(Value::as_array)
            .flatten()
            .enumerate()
        {
            let at = format!("{}/anyOf/{index}", flat.at);
            if !work.spend(&at, place.depth) {
                break;
            }
            let Some(arm) = self.flatten(work, arm, &at, place.below(), true) else {
                continue;
            };
            let (arm, doc) = undocumented(arm.map.into_owned());
            if let Some(mut arm) = merged(work, base.clone(), &arm, &at) {
                if let Some(doc) = doc {
                    arm.insert("description".to_owned(), doc);
                }
                written.push(Value::Object(arm));
            }
        }
        if written.is_empty() {
            return None;
        }
        outer.insert("anyOf".to_owned(), Value::Array(written));
        Some(Flat {
            map: Cow::Owned(outer),
            at: flat.at,
            opened: flat.opened,
        })
    }
}

/// Merges two schemas, and notes what could not be.
fn merged(work: &mut Work<'_>, own: Object, other: &Object, at: &str) -> Option<Object> {
    let mut lost = Vec::new();
    let merged = merge(own, other, &mut lost);
    for keyword in lost {
        work.found(at, format!("`{keyword}` said twice"), Action::Widened);
    }
    merged
}

fn undocumented(mut map: Object) -> (Object, Option<Value>) {
    let doc = map.remove("description");
    (map, doc)
}

/// Whether a schema with an `anyOf` has nothing but annotations beside it.
fn only_union(map: &Object) -> bool {
    map.keys()
        .all(|keyword| keyword == "anyOf" || is_annotation(keyword))
}

fn must_inline(work: &Work<'_>, map: &Object, reference: &str, place: Place) -> bool {
    let beside = || map.keys().filter(|keyword| *keyword != "$ref");
    if beside().any(|keyword| !is_annotation(keyword)) {
        return true;
    }
    match work.rules.refs() {
        Refs::Inlined | Refs::Cut => true,
        Refs::Sole => beside().next().is_some(),
        Refs::OutsideAnyOf => place.in_union,
        // A default has no place beside a `$ref` nor around it; there is nothing to inline for
        // in a recursive type, though.
        Refs::Wrapped | Refs::OptionalCycles => {
            beside().any(|keyword| keyword != "description") && !work.graph.is_recursive(reference)
        }
        Refs::Free => false,
    }
}

fn recursion(work: &Work<'_>, reference: &str, inside: &str) -> String {
    let cycle = work
        .graph
        .cycle_through(reference)
        .unwrap_or_else(|| short_name(reference));
    format!("a recursive type{inside}: {cycle}")
}

/// The bare type of a recursive schema, where it comes again.
fn cut(mut own: Object, target: &Value, reference: &str) -> Object {
    let name = short_name(reference);
    let types = target.as_object().and_then(listed_types);
    if let Some(types) = types {
        own.entry("type").or_insert_with(|| match types.as_slice() {
            [one] => json!(one),
            several => json!(several),
        });
    }
    own.entry("description")
        .or_insert_with(|| json!(format!("again a `{name}`, as above")));
    own
}
