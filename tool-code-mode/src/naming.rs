//! Which subschemas get a name of their own, and which name.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value;

use crate::resolve::Document;
use crate::spell;

/// Names that a schema's own types may not take.
const RESERVED: &[&str] = &[
    "Array",
    "Boolean",
    "Error",
    "Exclude",
    "Int64",
    "JsonValue",
    "Number",
    "Object",
    "Promise",
    "Readonly",
    "Record",
    "String",
    "Tool",
    "ToolArgsMap",
    "ToolCallError",
    "ToolMap",
    "ToolName",
    "ToolOutputMap",
];

/// The named types of one text: `interface Node { ... }`.
#[derive(Default)]
pub(crate) struct Names {
    /// What each name stands for, so that equal types of two tools share one.
    taken: BTreeMap<String, String>,
    pub(crate) declarations: BTreeMap<String, String>,
    pub(crate) uses_int64: bool,
}

impl Names {
    /// A name like `base` for the type that `key` identifies; `true` if it is new.
    pub(crate) fn claim(&mut self, base: &str, key: &str) -> (String, bool) {
        for number in 1_usize.. {
            let name = if number == 1 {
                base.to_owned()
            } else {
                format!("{base}{number}")
            };
            if RESERVED.contains(&name.as_str()) {
                continue;
            }
            match self.taken.get(&name) {
                Some(taken) if taken == key => return (name, false),
                Some(_) => {}
                None => {
                    self.taken.insert(name.clone(), key.to_owned());
                    return (name, true);
                }
            }
        }
        (base.to_owned(), false)
    }

    /// All declarations so far, in the order of their names.
    pub(crate) fn declarations(&self) -> impl Iterator<Item = &str> {
        self.declarations.values().map(String::as_str)
    }
}

/// A schema's identity within its document.
pub(crate) fn address(schema: &Value) -> usize {
    std::ptr::from_ref(schema) as usize
}

/// So many types are compared one by one.
const MANY: usize = 100;

/// Everything that decides what `schema` means: itself and all that it refers to.
pub(crate) fn identity(document: Document<'_>, schema: &Value) -> String {
    let mut open = vec![schema];
    let mut seen: BTreeMap<String, &Value> = BTreeMap::new();
    while let Some(schema) = open.pop() {
        if seen.len() > MANY {
            // Two documents that are equal as a whole are enough to share types.
            return sorted(document.root());
        }
        for reference in references(schema) {
            if let Some(target) = document.target(reference)
                && seen.insert(reference.to_owned(), target).is_none()
            {
                open.push(target);
            }
        }
    }
    let mut text = sorted(schema);
    for (reference, target) in seen {
        let _ = write!(text, "\n{reference} {}", sorted(target));
    }
    text
}

/// JSON text that does not depend on the order of keys.
fn sorted(value: &Value) -> String {
    fn order(value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(order).collect(),
            Value::Object(map) => {
                let keys: BTreeSet<&String> = map.keys().collect();
                keys.into_iter()
                    .map(|key| (key.clone(), order(&map[key])))
                    .collect()
            }
            value => value.clone(),
        }
    }
    order(value).to_string()
}

/// The `$ref`s in `schema`, at any depth but not through them.
fn references(schema: &Value) -> Vec<&str> {
    let mut found = Vec::new();
    let mut open = vec![schema];
    while let Some(schema) = open.pop() {
        found.extend(schema.get("$ref").and_then(Value::as_str));
        open.extend(children(schema));
    }
    found
}

/// The parts of a schema that a type is made of.
fn children(schema: &Value) -> Vec<&Value> {
    let mut parts = Vec::new();
    for keyword in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        if let Some(Value::Array(items)) = schema.get(keyword) {
            parts.extend(items);
        }
    }
    match schema.get("items") {
        Some(Value::Array(items)) => parts.extend(items),
        Some(items) => parts.push(items),
        None => {}
    }
    parts.extend(schema.get("additionalProperties"));
    if let Some(Value::Object(properties)) = schema.get("properties") {
        parts.extend(properties.values());
    }
    parts
}

/// A subschema that gets a name like `base`.
pub(crate) struct Target<'s> {
    pub(crate) schema: &'s Value,
    pub(crate) base: String,
}

/// The subschemas that get a name: those that hold themselves, and those referred to twice.
pub(crate) struct Named<'s> {
    pub(crate) targets: Vec<Target<'s>>,
}

impl<'s> Named<'s> {
    pub(crate) fn find(document: Document<'s>, root_base: &str) -> Self {
        let mut search = Search {
            document,
            seen: BTreeMap::new(),
            path: BTreeSet::new(),
        };
        search.run(document.root());
        let mut targets: Vec<Target<'s>> = search
            .seen
            .into_values()
            .filter(|seen| seen.recursive || seen.count > 1)
            .map(|seen| Target {
                schema: seen.schema,
                base: match seen.reference.rsplit('/').next() {
                    Some(last) if last != "#" => spell::pascal(last),
                    _ => root_base.to_owned(),
                },
            })
            .collect();
        targets.sort_by(|a, b| a.base.cmp(&b.base));
        Self { targets }
    }
}

struct Seen<'s> {
    schema: &'s Value,
    reference: &'s str,
    count: usize,
    recursive: bool,
}

struct Search<'s> {
    document: Document<'s>,
    seen: BTreeMap<usize, Seen<'s>>,
    path: BTreeSet<usize>,
}

impl<'s> Search<'s> {
    /// Depth-first, so every cycle closes at a schema that is still on the path. Each target is
    /// entered once, and without recursion: the work is linear in the schema, however deep it is.
    fn run(&mut self, root: &'s Value) {
        let mut open = Vec::new();
        if self.meets(root, "#") {
            open.push((address(root), references(root).into_iter()));
        }
        while let Some((here, rest)) = open.last_mut() {
            let Some(reference) = rest.next() else {
                self.path.remove(here);
                open.pop();
                continue;
            };
            if let Some(target) = self.document.target(reference)
                && self.meets(target, reference)
            {
                open.push((address(target), references(target).into_iter()));
            }
        }
    }

    /// Counts a reference; `true` the first time that `schema` is met.
    fn meets(&mut self, schema: &'s Value, reference: &'s str) -> bool {
        let here = address(schema);
        let recursive = self.path.contains(&here);
        let new = !self.seen.contains_key(&here);
        let seen = self.seen.entry(here).or_insert(Seen {
            schema,
            reference,
            count: 0,
            recursive: false,
        });
        // The root is met once without being referred to.
        seen.count += usize::from(!new || reference != "#");
        seen.recursive |= recursive;
        if new {
            self.path.insert(here);
        }
        new
    }
}
