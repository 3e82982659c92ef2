//! What is refused before anything is compiled. No recursion: nothing is known of the schema yet.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{SchemaError, show};
use crate::schema::kinds::Kinds;
use crate::schema::parse::{self, Limits};
use crate::schema::{pointer, positions};

/// 5 MB.
const MAX_BYTES: usize = 5_000_000;
/// JSON values in a schema.
const MAX_NODES: usize = 100_000;
/// References and combinators one behind the other about one value. With 128 levels of values, a
/// longer row could overflow the stack of whoever validates.
const MAX_ROW: usize = 32;

/// A place in the schema where a schema stands.
struct Place<'a> {
    pointer: String,
    schema: &'a Value,
    /// Places that are asked about the same value.
    same_value: Vec<usize>,
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
        &Limits {
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
    }
    for child in positions::children(keywords) {
        let index = places.index(child.schema, || child.pointer(&pointer));
        if child.in_place {
            places.list[at].same_value.push(index);
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
    /// Not seen; on the current path; done, with the length of the longest row from here.
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done(usize),
    }
    let mut marks = vec![Mark::New; places.len()];
    for start in 0..places.len() {
        // (place, how many of its successors were entered)
        let mut path = vec![(start, 0)];
        while let Some((place, next)) = path.last_mut() {
            let place = *place;
            if marks[place] == Mark::New {
                marks[place] = Mark::Open;
            } else if matches!(marks[place], Mark::Done(_)) {
                path.pop();
                continue;
            }
            if let Some(successor) = places[place].same_value.get(*next).copied() {
                *next += 1;
                if marks[successor] == Mark::Open {
                    let reason = "refers to itself without ever looking into the value";
                    return Err(error(&places[successor].pointer, reason));
                }
                path.push((successor, 0));
                continue;
            }
            let longest =
                places[place]
                    .same_value
                    .iter()
                    .map(|successor| match marks[*successor] {
                        Mark::Done(length) => length + 1,
                        Mark::New | Mark::Open => 0,
                    });
            let length = longest.max().unwrap_or(0);
            if length > MAX_ROW {
                let reason = format!("more than {MAX_ROW} references or combinators in a row");
                return Err(error(&places[place].pointer, reason));
            }
            marks[place] = Mark::Done(length);
            path.pop();
        }
    }
    Ok(())
}
