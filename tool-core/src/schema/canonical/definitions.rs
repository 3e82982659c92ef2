//! A document: a root, and the definitions it refers to.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::{merge, normalise};
use crate::schema::validate::SchemaError;
use crate::schema::{pointer, positions};

pub(super) const DEFS: &str = "$defs";

/// Whether a keyword says something to a reader only.
pub(super) fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "title"
            | "description"
            | "examples"
            | "default"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "$comment"
    )
}

/// `#/$defs/A%20b` is `A b`.
pub(super) fn name_of_reference(reference: &str) -> Option<String> {
    let path = pointer::of_reference(reference)?;
    let name = path
        .strip_prefix("/$defs/")
        .or_else(|| path.strip_prefix("/definitions/"))?;
    (!name.contains('/')).then(|| name.replace("~1", "/").replace("~0", "~"))
}

fn reference_to(name: &str) -> String {
    let mut reference = format!("#/{DEFS}");
    pointer::push(&mut reference, name);
    // A fragment: what a URI does not take stands percent-encoded.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "#/$-._~!&'()*+,;=:@?".contains(c);
    let mut encoded = String::with_capacity(reference.len());
    for c in reference.chars() {
        if is_plain(c) {
            encoded.push(c);
        } else {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}

#[derive(Default)]
pub(super) struct Document {
    /// The schema name of the root's type.
    name: String,
    pub(super) root: Value,
    definitions: Map<String, Value>,
}

impl Document {
    /// Takes a root schema apart. `name` is the schema name of the root's type.
    pub(super) fn new(root: Value, name: &str) -> Self {
        let mut document = Self {
            name: name.to_owned(),
            ..Self::default()
        };
        document.root = document.adopt(root, name);
        document
    }

    /// Takes in definitions that references `#/$defs/…` of later schemas mean.
    pub(super) fn with_definitions(definitions: Map<String, Value>) -> Self {
        Self {
            name: "a parameter".to_owned(),
            definitions,
            ..Self::default()
        }
    }

    /// Takes the definitions out of a schema and returns the rest, whose references still mean
    /// what they meant when it was a document of its own.
    pub(super) fn adopt(&mut self, mut schema: Value, name: &str) -> Value {
        let Value::Object(keywords) = &mut schema else {
            return schema;
        };
        keywords.remove("$schema");
        if keywords.get("title").is_some_and(|title| title == name) {
            keywords.remove("title");
        }
        let mut own = Map::new();
        for keyword in [DEFS, "definitions"] {
            if let Some(Value::Object(inner)) = keywords.remove(keyword) {
                own.extend(inner);
            }
        }
        let mut renamed = HashMap::new();
        let mut adopted = Vec::new();
        for (old, definition) in own {
            // The same name with the same content is the same type.
            let new = match self.definitions.get(&old) {
                Some(present) if *present != definition => self.free_name(&old),
                _ => old.clone(),
            };
            self.definitions.insert(new.clone(), definition);
            adopted.push(new.clone());
            renamed.insert(old, new);
        }
        let mut refers_to_root = refers_to(&schema, "#");
        for new in &adopted {
            refers_to_root |= self.definitions.get(new).is_some_and(|d| refers_to(d, "#"));
        }
        // Moved, or closed, the root would no longer be what a recursive type means by `#`.
        let root_name = refers_to_root.then(|| {
            let new = self.free_name(if name.is_empty() { "Root" } else { name });
            self.definitions.insert(new.clone(), schema.clone());
            adopted.push(new.clone());
            new
        });
        let mut rewrite = |reference: &mut String| {
            if reference == "#" {
                if let Some(name) = &root_name {
                    *reference = reference_to(name);
                }
            } else if let Some(new) = name_of_reference(reference).and_then(|n| renamed.get(&n)) {
                *reference = reference_to(new);
            }
        };
        rewrite_references(&mut schema, &mut rewrite);
        for new in &adopted {
            if let Some(definition) = self.definitions.get_mut(new) {
                rewrite_references(definition, &mut rewrite);
            }
        }
        schema
    }

    /// Refuses `#[serde(flatten)]` of an enum together with `deny_unknown_fields`.
    ///
    /// schemars writes `unevaluatedProperties: false` for the pair and for nothing else. serde
    /// does not see which fields the enum took, and calls each of them unknown.
    pub(super) fn refuse_closed_flatten(&self) -> Result<(), SchemaError> {
        let closes = |schema: &Value| {
            let mut closes = false;
            each(schema, &mut |keywords| {
                closes |= keywords.get("unevaluatedProperties") == Some(&Value::Bool(false));
            });
            closes
        };
        let culprit = self.definitions.iter().find(|(_, schema)| closes(schema));
        let name = match culprit {
            Some((name, _)) => name,
            None if closes(&self.root) => &self.name,
            None => return Ok(()),
        };
        Err(SchemaError {
            path: String::new(),
            reason: format!(
                "`{name}` combines `#[serde(flatten)]` with `#[serde(deny_unknown_fields)]`, \
                 which refuses every call; remove one of them"
            ),
        })
    }

    fn free_name(&self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}{number}"));
        std::iter::once(name.to_owned())
            .chain(numbered)
            .find(|name| !self.definitions.contains_key(name))
            .unwrap_or_default()
    }

    /// Normalises every schema of the document.
    pub(super) fn make_canonical(&mut self) {
        normalise::normalise(&mut self.root);
        self.definitions.values_mut().for_each(normalise::normalise);
        let before = self.definitions.clone();
        merge::merge_references(&mut self.root, &before);
        for definition in self.definitions.values_mut() {
            merge::merge_references(definition, &before);
        }
    }

    /// Replaces a root that is only a reference by what it refers to.
    pub(super) fn inline_root(&mut self) {
        // Each step follows another definition, or it is a circle.
        for _ in 0..=self.definitions.len() {
            let Value::Object(root) = &mut self.root else {
                return;
            };
            let only = root
                .keys()
                .all(|keyword| keyword == "$ref" || is_annotation(keyword));
            let name = root
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(name_of_reference);
            let (true, Some(Value::Object(target))) =
                (only, name.and_then(|name| self.definitions.get(&name)))
            else {
                return;
            };
            root.remove("$ref");
            for (keyword, operand) in target {
                root.entry(keyword.clone())
                    .or_insert_with(|| operand.clone());
            }
        }
    }

    /// Leaves out the definitions that the root does not lead to. A generator may be shared by
    /// many tools.
    pub(super) fn prune(&mut self) {
        let mut used = HashSet::new();
        let mut rest = references(&self.root);
        while let Some(reference) = rest.pop() {
            if let Some(name) = name_of_reference(&reference)
                && let Some(definition) = self.definitions.get(&name)
                && used.insert(name)
            {
                rest.extend(references(definition));
            }
        }
        self.definitions.retain(|name, _| used.contains(name));
    }

    /// The document, with the definitions it uses.
    pub(super) fn finish(mut self) -> Value {
        self.prune();
        let Self {
            mut root,
            definitions,
            ..
        } = self;
        if let Value::Object(root) = &mut root
            && !definitions.is_empty()
        {
            root.insert(DEFS.to_owned(), Value::Object(definitions));
        }
        root
    }
}

/// Calls `visit` on each schema in `schema`, itself included.
fn each<'a>(schema: &'a Value, visit: &mut impl FnMut(&'a Map<String, Value>)) {
    if let Value::Object(keywords) = schema {
        visit(keywords);
        for child in positions::children(keywords) {
            each(child.schema, visit);
        }
    }
}

fn references(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    each(schema, &mut |keywords| {
        found.extend(
            keywords
                .get("$ref")
                .and_then(Value::as_str)
                .map(str::to_owned),
        );
    });
    found
}

fn refers_to(schema: &Value, reference: &str) -> bool {
    references(schema).iter().any(|other| other == reference)
}

fn rewrite_references(schema: &mut Value, rewrite: &mut impl FnMut(&mut String)) {
    if let Value::Object(keywords) = schema {
        if let Some(Value::String(reference)) = keywords.get_mut("$ref") {
            rewrite(reference);
        }
        positions::for_each_child_mut(keywords, |child| rewrite_references(child, rewrite));
    }
}
