//! What is refused before anything is compiled. No recursion: nothing is known of the schema yet.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{SchemaError, show};
use crate::schema::kinds::Kinds;
use crate::schema::parse::{self, Limits};
use crate::schema::{MAX_DEPTH, pointer, positions};

/// 5 MB.
const MAX_BYTES: usize = 5_000_000;
/// JSON values in a schema.
const MAX_NODES: usize = 100_000;
/// References and combinators one behind the other about one value, if a value can go through
/// them once per level. With 128 levels, a longer row could overflow a stack of 512 KiB.
const MAX_ROW: usize = 12;

/// A place in the schema where a schema stands.
struct Place<'a> {
    pointer: String,
    schema: &'a Value,
    /// Places that are asked about the same value.
    same_value: Vec<usize>,
    /// Those, and the places that are asked about what is inside the value.
    all: Vec<usize>,
}

/// The places reachable from the root, found once each.
#[derive(Default)]
struct Places<'a> {
    list: Vec<Place<'a>>,
    by_address: HashMap<*const Value, usize>,
}

impl<'a> Places<'a> {
    fn index(&mut self, schema: &'a Value, pointer: impl FnOnce() -> String) -> usize {
        *self
            .by_address
            .entry(std::ptr::from_ref(schema))
            .or_insert_with(|| {
                self.list.push(Place {
                    pointer: pointer(),
                    schema,
                    same_value: Vec::new(),
                    all: Vec::new(),
                });
                self.list.len() - 1
            })
    }
}

pub(super) fn check(root: &Value) -> Result<(), SchemaError> {
    bounded(root)?;
    let mut places = Places::default();
    places.index(root, String::new);
    let mut at = 0;
    while at < places.list.len() {
        look(root, at, &mut places)?;
        at += 1;
    }
    rows(&places.list)
}

fn error(path: &str, reason: impl Into<String>) -> SchemaError {
    SchemaError {
        path: path.to_owned(),
        reason: reason.into(),
    }
}

/// Size, depth and number of values.
fn bounded(root: &Value) -> Result<(), SchemaError> {
    parse::check_value(
        root,
        Limits {
            max_bytes: MAX_BYTES,
        },
    )
    .map_err(|refused| error("", refused.message))?;
    let mut nodes = 0usize;
    let mut rest = vec![root];
    while let Some(value) = rest.pop() {
        nodes += 1;
        match value {
            Value::Array(items) => rest.extend(items),
            Value::Object(map) => rest.extend(map.values()),
            _ => {}
        }
    }
    if nodes > MAX_NODES {
        return Err(error(
            "",
            format!("{nodes} JSON values are more than {MAX_NODES}"),
        ));
    }
    Ok(())
}

/// One schema: its own keywords, and the places it leads to.
fn look<'a>(root: &'a Value, at: usize, places: &mut Places<'a>) -> Result<(), SchemaError> {
    let Place {
        pointer, schema, ..
    } = &places.list[at];
    let (pointer, schema) = (pointer.clone(), *schema);
    let keywords = match schema {
        Value::Object(keywords) => keywords,
        Value::Bool(_) => return Ok(()),
        other => {
            return Err(error(
                &pointer,
                format!("a schema is an object, not {}", show(other)),
            ));
        }
    };
    operands(&pointer, keywords)?;
    if !pointer.is_empty() && keywords.contains_key("$id") {
        return Err(error(
            &pointer,
            "`$id` below the root changes what references mean",
        ));
    }
    if let Some(reference) = keywords.get("$ref") {
        let (target, place) = target(root, &pointer, reference)?;
        let index = places.index(target, || place);
        places.list[at].same_value.push(index);
        places.list[at].all.push(index);
    }
    for child in positions::children(keywords) {
        let index = places.index(child.schema, || child.pointer(&pointer));
        if child.in_place {
            places.list[at].same_value.push(index);
        }
        // A definition is asked where it is referred to.
        if !matches!(child.keyword, "$defs" | "definitions") {
            places.list[at].all.push(index);
        }
    }
    Ok(())
}

fn target<'a>(
    root: &'a Value,
    pointer: &str,
    reference: &Value,
) -> Result<(&'a Value, String), SchemaError> {
    let Some(text) = reference.as_str() else {
        return Err(error(
            pointer,
            format!("`$ref` is a string, not {}", show(reference)),
        ));
    };
    let Some(place) = pointer::of_reference(text) else {
        let reason = format!(
            "the reference {} leaves the schema; only `#/…` is followed",
            show(reference)
        );
        return Err(error(pointer, reason));
    };
    match root.pointer(&place) {
        Some(target) => Ok((target, place)),
        None => Err(error(
            pointer,
            format!("the reference {} leads nowhere", show(reference)),
        )),
    }
}

/// Operands that no draft allows, and keywords that are not enforced.
fn operands(pointer: &str, keywords: &Map<String, Value>) -> Result<(), SchemaError> {
    for (keyword, operand) in keywords {
        let reason = match keyword.as_str() {
            "type" => unknown_type(operand),
            "$dynamicRef" | "$recursiveRef" => Some(format!("`{keyword}` is not supported")),
            "required" => {
                let fits = operand
                    .as_array()
                    .is_some_and(|n| n.iter().all(Value::is_string));
                (!fits).then(|| format!("`required` is a list of names, not {}", show(operand)))
            }
            "properties" | "patternProperties" | "$defs" => (!operand.is_object())
                .then(|| format!("`{keyword}` is an object, not {}", show(operand))),
            "allOf" | "anyOf" | "oneOf" => {
                let fits = operand.as_array().is_some_and(|arms| !arms.is_empty());
                (!fits).then(|| format!("`{keyword}` is a list of schemas, not {}", show(operand)))
            }
            _ => undecided(keyword, operand),
        };
        if let Some(reason) = reason {
            return Err(error(pointer, reason));
        }
    }
    Ok(())
}

fn unknown_type(operand: &Value) -> Option<String> {
    let is_known = |word: &Value| {
        word.as_str()
            .is_some_and(|w| Kinds::of_word(w) != Kinds::NONE)
    };
    let fits = match operand {
        Value::Array(words) => !words.is_empty() && words.iter().all(is_known),
        word => is_known(word),
    };
    (!fits).then(|| {
        format!(
            "unknown type {}; the types are \"string\", \"integer\", \"number\", \"boolean\", \
             \"object\", \"array\" and \"null\"",
            show(operand)
        )
    })
}

/// Without an engine, a keyword that the built-in validator does not decide.
#[cfg(not(feature = "jsonschema"))]
fn undecided(keyword: &str, operand: &Value) -> Option<String> {
    let decided = match keyword {
        "pattern" | "unevaluatedItems" | "dependencies" => false,
        "patternProperties" => operand
            .as_object()
            .is_some_and(|map| map.keys().all(|pattern| super::leaf::is_builtin(pattern))),
        "multipleOf" => super::compare::is_multiple(operand, operand).is_some(),
        _ => true,
    };
    (!decided).then(|| format!("`{keyword}` needs the feature `jsonschema` of this crate"))
}

#[cfg(feature = "jsonschema")]
fn undecided(_: &str, _: &Value) -> Option<String> {
    None
}

/// Refuses circles about one value, which no validator leaves, and rows that are too long.
fn rows(places: &[Place<'_>]) -> Result<(), SchemaError> {
    let (row, at) = longest(places, |place| &place.same_value).map_err(|place| {
        error(
            &places[place].pointer,
            "refers to itself without ever looking into the value",
        )
    })?;
    match longest(places, |place| &place.all) {
        // Each level of a value may go round once.
        Err(_) if row > MAX_ROW => Err(error(
            &places[at].pointer,
            format!(
                "more than {MAX_ROW} references or combinators in a row, in a recursive schema"
            ),
        )),
        Ok((path, at)) if path > MAX_ROW * MAX_DEPTH => Err(error(
            &places[at].pointer,
            format!(
                "more than {} schemas inside each other",
                MAX_ROW * MAX_DEPTH
            ),
        )),
        _ => Ok(()),
    }
}

/// The length of the longest path and where it starts, or a place on a circle.
fn longest<'p>(
    places: &'p [Place<'_>],
    successors: impl Fn(&'p Place<'_>) -> &'p Vec<usize>,
) -> Result<(usize, usize), usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        /// On the current path.
        Open,
        /// With the length of the longest path from here.
        Done(usize),
    }
    let mut marks = vec![Mark::New; places.len()];
    let mut best = (0, 0);
    for start in 0..places.len() {
        // A place, and how many of its successors were entered.
        let mut path = vec![(start, 0)];
        while let Some((place, entered)) = path.last_mut() {
            let place = *place;
            if let Mark::Done(_) = marks[place] {
                path.pop();
                continue;
            }
            marks[place] = Mark::Open;
            let next = successors(&places[place]);
            if let Some(successor) = next.get(*entered).copied() {
                *entered += 1;
                if marks[successor] == Mark::Open {
                    return Err(successor);
                }
                path.push((successor, 0));
                continue;
            }
            let lengths = next.iter().map(|successor| match marks[*successor] {
                Mark::Done(length) => length + 1,
                Mark::New | Mark::Open => 0,
            });
            let length = lengths.max().unwrap_or(0);
            marks[place] = Mark::Done(length);
            if length > best.0 {
                best = (length, place);
            }
            path.pop();
        }
    }
    Ok(best)
}
