//! Counting what the providers limit.

use std::collections::HashMap;

use serde_json::Value;

use super::rule::Count;
use super::schema::{Object, for_each_child, is_definitions, listed_values, required, resolve};
use super::work::DEEPEST;

/// From how many values on an `enum` of strings has a limit of its own.
const LARGE_ENUM: usize = 250;

/// The counts of one exported schema.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Size {
    properties: usize,
    levels: usize,
    enum_values: usize,
    characters: usize,
    large_enum_characters: usize,
    optional_properties: usize,
    unions: usize,
}

impl Size {
    pub(super) fn of(schema: &Value) -> Self {
        let mut size = Self::default();
        size.add_document(schema);
        let mut expanded = Expanded {
            root: schema,
            open: 0,
            known: HashMap::new(),
        };
        let counts = expanded.counts(schema);
        size.levels = counts.levels;
        size.optional_properties = counts.optional_properties;
        size.unions = counts.unions;
        size
    }

    pub(super) fn count(&self, count: Count) -> usize {
        match count {
            Count::Tools | Count::StrictTools => 1,
            Count::OptionalProperties => self.optional_properties,
            Count::Unions => self.unions,
            Count::Properties => self.properties,
            Count::Levels => self.levels,
            Count::EnumValues => self.enum_values,
            Count::Characters => self.characters,
            Count::LargeEnumCharacters => self.large_enum_characters,
        }
    }

    /// What is written once counts once, definitions included.
    fn add_document(&mut self, schema: &Value) {
        let Value::Object(map) = schema else { return };
        if let Some(Value::Object(properties)) = map.get("properties") {
            self.properties += properties.len();
            self.characters += properties
                .keys()
                .map(|name| name.chars().count())
                .sum::<usize>();
        }
        if let Some(values) = listed_values(map) {
            let characters: usize = values.iter().map(characters).sum();
            self.enum_values += values.len();
            self.characters += characters;
            if values.len() > LARGE_ENUM {
                self.large_enum_characters = self.large_enum_characters.max(characters);
            }
        }
        for (keyword, definitions) in map {
            if let (true, Value::Object(definitions)) = (is_definitions(keyword), definitions) {
                for (name, definition) in definitions {
                    self.characters += name.chars().count();
                    self.add_document(definition);
                }
            }
        }
        for_each_child(map, |_, child| self.add_document(child));
    }
}

fn characters(value: &Value) -> usize {
    match value {
        Value::String(text) => text.chars().count(),
        other => other.to_string().len(),
    }
}

/// Counts that grow with every use of a definition: a provider may expand them.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    levels: usize,
    optional_properties: usize,
    unions: usize,
}

struct Expanded<'s> {
    root: &'s Value,
    /// How many definitions are being counted, one in the other.
    open: usize,
    /// `None` while a definition is being counted: a cycle counts nothing more.
    known: HashMap<&'s str, Option<Counts>>,
}

impl<'s> Expanded<'s> {
    fn counts(&mut self, schema: &'s Value) -> Counts {
        let Value::Object(map) = schema else {
            return Counts::default();
        };
        let mut counts = Counts::default();
        let below = |counts: &mut Counts, more: Counts| {
            counts.levels = counts.levels.max(more.levels);
            counts.optional_properties = counts
                .optional_properties
                .saturating_add(more.optional_properties);
            counts.unions = counts.unions.saturating_add(more.unions);
        };
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            let more = self.definition(reference);
            below(&mut counts, more);
        }
        let mut children = Vec::new();
        for_each_child(map, |_, child| children.push(child));
        for child in children {
            let more = self.counts(child);
            below(&mut counts, more);
        }
        if let Some(Value::Object(properties)) = map.get("properties") {
            counts.levels = counts.levels.saturating_add(1);
            let required = required(map)
                .filter(|name| properties.contains_key(*name))
                .count();
            counts.optional_properties = counts
                .optional_properties
                .saturating_add(properties.len() - required);
        }
        if is_union(map) {
            counts.unions = counts.unions.saturating_add(1);
        }
        counts
    }

    fn definition(&mut self, reference: &'s str) -> Counts {
        if let Some(known) = self.known.get(reference) {
            return known.unwrap_or_default();
        }
        if self.open == DEEPEST {
            // Definitions nested this deep are more than any limit.
            let more = usize::MAX;
            return Counts {
                levels: more,
                optional_properties: more,
                unions: more,
            };
        }
        self.known.insert(reference, None);
        self.open += 1;
        let counts = match resolve(self.root, reference) {
            Some(target) => self.counts(target),
            None => Counts::default(),
        };
        self.open -= 1;
        self.known.insert(reference, Some(counts));
        counts
    }
}

/// `anyOf` and a list of types are both unions.
fn is_union(schema: &Object) -> bool {
    schema.contains_key("anyOf") || schema.get("type").is_some_and(Value::is_array)
}
