//! The schema of a tool's parameters, from the schema of each.

use std::cmp::Ordering;

use serde_json::{Map, Number, Value, json};

use super::definitions::Document;
use super::{Canonical, decide, numbers};
use crate::schema::kinds::Kinds;
use crate::schema::validate::SchemaError;

/// A parameter, as its declaration says.
#[derive(Debug, Clone, Default)]
pub(crate) struct ParamSchema {
    pub(crate) name: String,
    /// What `subschema_for` of the shared generator returned, or a document of its own.
    pub(crate) schema: Value,
    /// Whether a call must give it.
    pub(crate) required: bool,
    /// Says more about this parameter than its type does: replaces the type's description.
    pub(crate) description: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) examples: Vec<Value>,
    pub(crate) default: Option<Value>,
    pub(crate) refinements: Vec<Refinement>,
}

/// A bound that a declaration adds to a type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Refinement {
    /// Of a number: the least one, and the greatest or the first that is too great.
    Range {
        min: Option<Number>,
        max: Option<End>,
    },
    /// Of a string in characters, of an array in items, of a map in entries.
    Length { min: Option<u64>, max: Option<u64> },
    /// Of a string: a regular expression that must match somewhere.
    Pattern(String),
}

/// Where a range of numbers ends.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum End {
    /// `..=5`
    Included(Number),
    /// `..5`
    Excluded(Number),
}

/// The schema of an arguments object with these parameters.
///
/// `definitions` are those of the generator that made the schemas of the parameters; unused ones
/// are left out.
///
/// # Errors
///
/// If a name comes twice, a refinement has no effect on its parameter's type, or a type combines
/// `flatten` with `deny_unknown_fields`.
pub(crate) fn assemble(
    params: &[ParamSchema],
    definitions: Map<String, Value>,
) -> Result<Canonical, SchemaError> {
    let mut types_decide = true;
    let mut properties = Map::new();
    let mut required = Vec::new();
    let mut document = Document::with_definitions(definitions);
    for param in params {
        let schema = document.adopt(param.schema.clone(), &param.name);
        types_decide &= param.refinements.is_empty() && decide::by_type(&schema);
        if properties.insert(param.name.clone(), schema).is_some() {
            return Err(at(param, "is declared twice"));
        }
        if param.required {
            required.push(Value::from(param.name.as_str()));
        }
    }
    let mut root = Map::new();
    root.insert("type".to_owned(), "object".into());
    root.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        root.insert("required".to_owned(), Value::Array(required));
    }
    root.insert("additionalProperties".to_owned(), Value::Bool(false));
    document.root = Value::Object(root);
    document.prune();
    document.refuse_closed_flatten()?;
    document.make_canonical();
    let mut schema = document.finish();
    let whole = schema.clone();
    for param in params {
        if let Some(Value::Object(property)) = schema
            .get_mut("properties")
            .and_then(|properties| properties.get_mut(&param.name))
        {
            annotate(property, param);
            for refinement in &param.refinements {
                refine(&whole, property, refinement).map_err(|reason| at(param, reason))?;
            }
        }
    }
    Ok(Canonical {
        schema,
        types_decide,
    })
}

fn at(param: &ParamSchema, reason: impl std::fmt::Display) -> SchemaError {
    let mut path = "/properties".to_owned();
    crate::schema::pointer::push(&mut path, &param.name);
    SchemaError {
        path,
        reason: format!("the parameter `{}` {reason}", param.name),
    }
}

fn annotate(property: &mut Map<String, Value>, param: &ParamSchema) {
    let mut set = |keyword: &str, operand: Option<Value>| {
        if let Some(operand) = operand {
            property.insert(keyword.to_owned(), operand);
        }
    };
    set("title", param.title.as_deref().map(Value::from));
    set("description", param.description.as_deref().map(Value::from));
    set(
        "examples",
        (!param.examples.is_empty()).then(|| json!(param.examples)),
    );
    set("default", param.default.clone());
}

/// The integer before one.
fn before(end: &Number) -> Option<Number> {
    match (end.as_i64(), end.as_u64()) {
        (Some(end), _) => end.checked_sub(1).map(Number::from),
        (None, Some(end)) => Some((end - 1).into()),
        (None, None) => None,
    }
}

fn refine(
    root: &Value,
    property: &mut Map<String, Value>,
    refinement: &Refinement,
) -> Result<(), String> {
    let kinds = Kinds::of_schema(root, &Value::Object(property.clone()));
    let needs = |wanted: Kinds, word: &str, types: &str| {
        if kinds.intersects(wanted) {
            Ok(())
        } else {
            Err(format!(
                "has a `{word}`, which has an effect on {types} only"
            ))
        }
    };
    let mut bound = |keyword: &str, bound: Option<Number>, tighter: Ordering| {
        if let Some(bound) = bound {
            numbers::tighten(property, keyword, bound, tighter);
        }
    };
    match refinement {
        Refinement::Range { min, max } => {
            needs(Kinds::NUMBER, "range", "numbers")?;
            bound("minimum", min.clone(), Ordering::Greater);
            match max {
                Some(End::Included(max)) => bound("maximum", Some(max.clone()), Ordering::Less),
                // Of integers, every provider knows `maximum`, and not every one the other.
                Some(End::Excluded(end)) => {
                    match before(end).filter(|_| !kinds.intersects(Kinds::FRACTION)) {
                        Some(max) => bound("maximum", Some(max), Ordering::Less),
                        None => bound("exclusiveMaximum", Some(end.clone()), Ordering::Less),
                    }
                }
                None => {}
            }
            if numbers::is_empty(property) {
                return Err("has a `range` without any number in it".to_owned());
            }
        }
        Refinement::Length { min, max } => {
            let sized = Kinds::STRING.or(Kinds::ARRAY).or(Kinds::OBJECT);
            needs(sized, "length", "strings, arrays and maps")?;
            if let (Some(min), Some(max)) = (min, max)
                && min > max
            {
                return Err("has a `length` that nothing can have".to_owned());
            }
            let (min, max) = (min.map(Number::from), max.map(Number::from));
            for (kind, least, most) in [
                (Kinds::STRING, "minLength", "maxLength"),
                (Kinds::ARRAY, "minItems", "maxItems"),
                (Kinds::OBJECT, "minProperties", "maxProperties"),
            ] {
                if kinds.intersects(kind) {
                    bound(least, min.clone(), Ordering::Greater);
                    bound(most, max.clone(), Ordering::Less);
                }
            }
        }
        Refinement::Pattern(pattern) => {
            needs(Kinds::STRING, "regex", "strings")?;
            property.insert("pattern".to_owned(), pattern.as_str().into());
        }
    }
    Ok(())
}
