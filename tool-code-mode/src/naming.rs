//! Which subschemas get a name of their own, and which name.

use std::collections::{BTreeMap, BTreeSet};

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

/// The named types of one text, such as `interface Node { ... }`. While the text is made, a number
/// between two marks stands for each name: names are given at the end, when it is known which types
/// are equal.
#[derive(Default)]
pub(crate) struct Names {
    types: Vec<Type>,
    pub(crate) uses_int64: bool,
}

struct Type {
    /// What its name is like.
    base: String,
    /// Its declaration.
    text: String,
}

/// No name, comment or string in the text holds this character.
const MARK: char = '\u{1}';

/// After so many rounds types are not compared any further.
const ROUNDS: usize = 100;

impl Names {
    /// What stands for the name of a type until the end.
    pub(crate) fn reserve(&mut self, base: &str) -> (usize, String) {
        let number = self.types.len();
        self.types.push(Type {
            base: base.to_owned(),
            text: String::new(),
        });
        (number, format!("{MARK}{number}{MARK}"))
    }

    pub(crate) fn declare(&mut self, number: usize, text: String) {
        self.types[number].text = text;
    }

    /// The text without marks, and the declarations in the order of their names.
    pub(crate) fn spell(&self, text: &str) -> (String, Vec<String>) {
        let classes = self.classes();
        let mut names: BTreeMap<usize, String> = BTreeMap::new();
        let mut taken: BTreeSet<String> = RESERVED.iter().map(ToString::to_string).collect();
        for (ty, class) in self.types.iter().zip(&classes) {
            names
                .entry(*class)
                .or_insert_with(|| free_name(&ty.base, &mut taken));
        }
        let spelled = |text: &str| {
            let parts = text.split(MARK).enumerate().map(|(at, part)| {
                let number: Option<usize> = part.parse().ok().filter(|_| at % 2 == 1);
                let class = number.and_then(|number| classes.get(number));
                class.map_or(part, |class| names[class].as_str())
            });
            parts.collect::<String>()
        };
        let mut declarations: BTreeMap<&str, String> = BTreeMap::new();
        for (ty, class) in self.types.iter().zip(&classes) {
            declarations
                .entry(&names[class])
                .or_insert_with(|| spelled(&ty.text));
        }
        (spelled(text), declarations.into_values().collect())
    }

    /// Equal types have the same class: they read alike, and what they refer to is equal. It starts
    /// from what reads alike, and parts what refers to different classes until nothing changes.
    fn classes(&self) -> Vec<usize> {
        let mut skeletons = BTreeMap::new();
        let mut classes = Vec::new();
        let mut references: Vec<Vec<usize>> = Vec::new();
        for ty in &self.types {
            let parts: Vec<&str> = ty.text.split(MARK).collect();
            let numbers = parts.iter().skip(1).step_by(2);
            references.push(numbers.filter_map(|number| number.parse().ok()).collect());
            let plain: Vec<&str> = parts.into_iter().step_by(2).collect();
            let next = skeletons.len();
            classes.push(*skeletons.entry((ty.base.as_str(), plain)).or_insert(next));
        }
        let mut count = skeletons.len();
        for _ in 0..ROUNDS {
            let mut known = BTreeMap::new();
            let mut parted = Vec::new();
            for (class, references) in classes.iter().zip(&references) {
                let reached: Vec<usize> = references.iter().map(|to| classes[*to]).collect();
                let next = known.len();
                parted.push(*known.entry((*class, reached)).or_insert(next));
            }
            if known.len() == count {
                return classes;
            }
            count = known.len();
            classes = parted;
        }
        (0..self.types.len()).collect()
    }
}

/// `base`, `base2`, ...; the first that is free.
fn free_name(base: &str, taken: &mut BTreeSet<String>) -> String {
    let gap = if base.ends_with(|c: char| c.is_ascii_digit()) {
        "_"
    } else {
        ""
    };
    let mut name = base.to_owned();
    let mut number = 1_usize;
    while !taken.insert(name.clone()) {
        number += 1;
        name = format!("{base}{gap}{number}");
    }
    name
}

/// A schema's identity within its document.
pub(crate) fn address(schema: &Value) -> usize {
    std::ptr::from_ref(schema) as usize
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
    parts.extend(schema.get("additionalItems"));
    parts.extend(schema.get("additionalProperties"));
    for keyword in ["properties", "patternProperties"] {
        if let Some(Value::Object(properties)) = schema.get(keyword) {
            parts.extend(properties.values());
        }
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
