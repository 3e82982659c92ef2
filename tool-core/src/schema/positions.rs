//! Where schemas stand inside a schema.
//!
//! A keyword is one by its position, never by its name: in
//! `{"properties": {"format": {"format": "date"}}}` the first `format` is a property.

use serde_json::{Map, Value};

use super::pointer;

/// How the operand of a keyword holds schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// `not`: one schema.
    One,
    /// `anyOf`: an array of schemas.
    Many,
    /// `properties`: an object of schemas by name.
    Named,
    /// `items`: one schema, or an array of them in older drafts.
    OneOrMany,
}

/// How `keyword` holds schemas, if it does, and whether they are about the same value.
pub(crate) fn of_keyword(keyword: &str) -> Option<(Holds, bool)> {
    Some(match keyword {
        "not" | "if" | "then" | "else" => (Holds::One, true),
        "additionalProperties"
        | "unevaluatedProperties"
        | "propertyNames"
        | "contains"
        | "unevaluatedItems"
        | "additionalItems"
        | "contentSchema" => (Holds::One, false),
        "items" => (Holds::OneOrMany, false),
        "allOf" | "anyOf" | "oneOf" => (Holds::Many, true),
        "prefixItems" => (Holds::Many, false),
        "dependentSchemas" => (Holds::Named, true),
        "properties" | "patternProperties" | "$defs" | "definitions" => (Holds::Named, false),
        _ => return None,
    })
}

/// A schema directly inside another.
pub(crate) struct Child<'a> {
    pub(crate) keyword: &'a str,
    /// Whether it is asked about the same value as its parent.
    pub(crate) in_place: bool,
    pub(crate) schema: &'a Value,
    key: Option<&'a str>,
    index: Option<usize>,
}

impl Child<'_> {
    /// The pointer of the child, given its parent's.
    pub(crate) fn pointer(&self, parent: &str) -> String {
        let mut path = parent.to_owned();
        pointer::push(&mut path, self.keyword);
        if let Some(key) = self.key {
            pointer::push(&mut path, key);
        }
        if let Some(index) = self.index {
            pointer::push_index(&mut path, index);
        }
        path
    }
}

/// The schemas directly inside `schema`. Operands of another shape hold none.
pub(crate) fn children(schema: &Map<String, Value>) -> Vec<Child<'_>> {
    let mut children = Vec::new();
    for (keyword, operand) in schema {
        let Some((holds, in_place)) = of_keyword(keyword) else {
            continue;
        };
        let child = |key, index, schema| Child {
            keyword,
            in_place,
            schema,
            key,
            index,
        };
        match (holds, operand) {
            (Holds::Named, Value::Object(map)) => {
                children.extend(
                    map.iter()
                        .map(|(key, schema)| child(Some(key), None, schema)),
                );
            }
            (Holds::Many | Holds::OneOrMany, Value::Array(list)) => children.extend(
                list.iter()
                    .enumerate()
                    .map(|(i, schema)| child(None, Some(i), schema)),
            ),
            (Holds::One | Holds::OneOrMany, schema) => children.push(child(None, None, schema)),
            _ => {}
        }
    }
    children
}

/// Calls `visit` on each schema directly inside `schema`.
pub(crate) fn for_each_child_mut(
    schema: &mut Map<String, Value>,
    mut visit: impl FnMut(&mut Value),
) {
    for (keyword, operand) in schema.iter_mut() {
        match (of_keyword(keyword), operand) {
            (Some((Holds::Named, _)), Value::Object(map)) => map.values_mut().for_each(&mut visit),
            (Some((Holds::Many | Holds::OneOrMany, _)), Value::Array(list)) => {
                list.iter_mut().for_each(&mut visit);
            }
            (Some((Holds::One | Holds::OneOrMany, _)), schema) => visit(schema),
            _ => {}
        }
    }
}

/// `schema` without what says something to a reader only, and may be long.
#[cfg(feature = "jsonschema")]
pub(crate) fn without_annotations(schema: &Value) -> Value {
    let Value::Object(keywords) = schema else {
        return schema.clone();
    };
    let is_text = |keyword: &str| {
        matches!(
            keyword,
            "title" | "description" | "examples" | "default" | "$comment"
        )
    };
    let kept = keywords.iter().filter(|(keyword, _)| !is_text(keyword));
    let bare = kept.map(|(keyword, operand)| {
        let operand = match (of_keyword(keyword), operand) {
            (Some((Holds::Named, _)), Value::Object(map)) => {
                let named = map.iter();
                let named = named.map(|(name, one)| (name.clone(), without_annotations(one)));
                Value::Object(named.collect())
            }
            (Some((Holds::Many | Holds::OneOrMany, _)), Value::Array(list)) => {
                list.iter().map(without_annotations).collect()
            }
            (Some((Holds::One | Holds::OneOrMany, _)), one) => without_annotations(one),
            (_, other) => other.clone(),
        };
        (keyword.clone(), operand)
    });
    Value::Object(bare.collect())
}
