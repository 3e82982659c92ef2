//! The few mistakes of models that can be mended without guessing.
//!
//! | came | schema wants | becomes |
//! |---|---|---|
//! | all arguments as a JSON string of an object | | the object |
//! | all arguments as an empty string | | `{}` |
//! | one code fence around the arguments | | its content |
//! | `"[1]"`, `"{}"` | an array or object, and no string | the array or object |
//! | `"5"`, `"1.5"` | a number, and no string | the number, to the last digit |
//! | `"true"` | a boolean, and no string | the boolean |
//! | `10.0`, `1e2`, `-0` | an integer | the integer |
//! | `null` | a property with a default, and no `null` | the default |
//!
//! A value that the schema accepts stays what it is; only `10.0` is written as `10`.

mod convert;

use std::fmt;

use serde_json::{Map, Value};

use super::kinds::{Kinds, is_integral};
use super::parse::{self, Limits, ParseError};
use super::pointer::Path;
use super::validate::{Elided, holds, show};
use super::{MAX_DEPTH, arms};

/// One thing that was mended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Repair {
    /// JSON pointer, `""` for the arguments as a whole.
    pub(crate) path: String,
    /// `read the string "5" as 5`
    pub(crate) what: String,
}

impl Repair {
    fn of_all(what: &str) -> Self {
        Self {
            path: String::new(),
            what: what.to_owned(),
        }
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "{}: ", Elided(&self.path))?;
        }
        f.write_str(&self.what)
    }
}

/// Reads a text as [`parse::parse`] does, and mends a code fence or a string around the whole.
///
/// # Errors
///
/// Those of the text as it came.
pub(crate) fn repair_root(text: &str, limits: Limits) -> Result<(Value, Vec<Repair>), ParseError> {
    match parse::parse(text, limits) {
        Ok(value) => Ok(repair_root_value(value)),
        Err(error) => {
            let content = parse::fence(text).and_then(|content| parse::parse(content, limits).ok());
            match content {
                Some(content) if content.is_object() => {
                    Ok((content, vec![Repair::of_all("removed the code fence")]))
                }
                _ => Err(error),
            }
        }
    }
}

/// Decodes a string that holds an object: one layer, and nothing but an object. An empty one stands
/// for no arguments.
pub(crate) fn repair_root_value(value: Value) -> (Value, Vec<Repair>) {
    if let Value::String(text) = &value
        && parse::is_blank(text)
    {
        let none = Value::Object(Map::new());
        return (
            none,
            vec![Repair::of_all("read an empty string as no arguments")],
        );
    }
    if let Value::String(text) = &value
        && let Ok(decoded) = parse::parse(
            text,
            Limits {
                max_bytes: text.len(),
            },
        )
        && decoded.is_object()
        && !parse::rounds_an_integer(text)
    {
        return (
            decoded,
            vec![Repair::of_all("decoded the arguments from a string")],
        );
    }
    (value, Vec::new())
}

/// Gives absent properties of the root their defaults, and says whether there were any. A default
/// of `null` says nothing.
///
/// Not a repair: leaving out a parameter with a default is right. Only the root: inside, serde
/// fills in what it knows better.
pub(crate) fn fill_defaults(schema: &Value, value: &mut Value) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    let (Some(properties), Value::Object(map)) = (properties, value) else {
        return false;
    };
    let mut filled = false;
    for (name, property) in properties {
        if let Some(default) = property.get("default")
            && !default.is_null()
            && !map.contains_key(name)
        {
            map.insert(name.clone(), default.clone());
            filled = true;
        }
    }
    filled
}

/// Mends what `schema` says is wrong, inside the root, and says what was done.
///
/// The root itself is [`repair_root`]'s. The value must not be nested deeper than [`MAX_DEPTH`],
/// and is not afterwards. `text` is what it was read from, if it was.
pub(crate) fn repair(schema: &Value, value: &mut Value, text: Option<&str>) -> Vec<Repair> {
    let mut mender = Mender {
        root: schema,
        text,
        budget: BUDGET,
        done: Vec::new(),
    };
    if value.is_array() || value.is_object() {
        mender.visit(&[schema], value, &Path::ROOT, 0);
    }
    mender.done
}

/// Nested unions look at what is inside them once per level.
const BUDGET: usize = 1_000_000;

struct Mender<'a> {
    root: &'a Value,
    text: Option<&'a str>,
    /// JSON values that are still looked at to find the arm of a union.
    budget: usize,
    done: Vec<Repair>,
}

/// The keywords of the schemas that apply to one value.
type Applied<'a> = Vec<&'a Map<String, Value>>;

impl<'a> Mender<'a> {
    /// `schemas` all apply to `value`, which stands inside `depth` containers.
    fn visit(&mut self, schemas: &[&'a Value], value: &mut Value, path: &Path<'_>, depth: usize) {
        if schemas.is_empty() {
            return;
        }
        if convert::may_apply(value) {
            self.convert(schemas, value, path, depth);
        }
        if depth >= MAX_DEPTH || !value.is_array() && !value.is_object() {
            return;
        }
        let mut applied = Vec::new();
        for schema in schemas {
            self.apply(schema, value, 8, &mut applied);
        }
        match value {
            Value::Array(items) => self.array(&applied, items, path, depth + 1),
            Value::Object(map) => self.object(&applied, map, path, depth + 1),
            _ => {}
        }
    }

    fn convert(&mut self, schemas: &[&'a Value], value: &mut Value, path: &Path<'_>, depth: usize) {
        let wanted = self.kinds(schemas);
        let room = MAX_DEPTH.saturating_sub(depth);
        if let Some(new) = convert::convert(value, wanted, room, self.text) {
            let what = match (&*value, &new) {
                (Value::String(_), Value::Array(_)) => "decoded the array from a string".to_owned(),
                (Value::String(_), Value::Object(_)) => {
                    "decoded the object from a string".to_owned()
                }
                (Value::String(_), _) => format!("read the string {} as {new}", show(value)),
                _ => format!("read {value} as the integer {new}"),
            };
            self.done.push(Repair {
                path: path.pointer(),
                what,
            });
            *value = new;
        }
    }

    fn kinds(&self, schemas: &[&Value]) -> Kinds {
        let each = schemas
            .iter()
            .map(|schema| Kinds::of_schema(self.root, schema));
        each.fold(Kinds::ALL, Kinds::and)
    }

    /// Collects what applies to `value`: the schema, what it refers to, and the arm it means.
    fn apply(&mut self, schema: &'a Value, value: &Value, fuel: u8, applied: &mut Applied<'a>) {
        let (Value::Object(keywords), Some(fuel)) = (schema, fuel.checked_sub(1)) else {
            return;
        };
        applied.push(keywords);
        if let Some(target) = arms::reference(self.root, keywords) {
            self.apply(target, value, fuel, applied);
        }
        for part in keywords
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.apply(part, value, fuel, applied);
        }
        let arm = arms::of(keywords).and_then(|union| {
            arms::meant(self.root, union, value).or_else(|| self.fitting(union, value))
        });
        if let Some(arm) = arm {
            self.apply(arm, value, fuel, applied);
        }
    }

    /// The first arm that accepts the value as it is, if that matters: serde takes that one, but
    /// refuses `10.0` in it where the schema says "integer".
    fn fitting(&mut self, arms: &'a [Value], value: &Value) -> Option<&'a Value> {
        let (values, floats) = weigh(value);
        self.budget = self.budget.checked_sub(values)?;
        if !floats {
            return None;
        }
        arms.iter().find(|arm| holds(self.root, arm, value))
    }

    fn array(&mut self, applied: &Applied<'a>, items: &mut [Value], path: &Path<'_>, depth: usize) {
        for (index, item) in items.iter_mut().enumerate() {
            if !is_of_interest(item) {
                continue;
            }
            let schemas: Vec<&Value> = applied
                .iter()
                .filter_map(|keywords| {
                    let prefix = keywords.get("prefixItems").and_then(Value::as_array);
                    prefix
                        .and_then(|prefix| prefix.get(index))
                        .or(keywords.get("items"))
                })
                .collect();
            self.visit(&schemas, item, &path.index(index), depth);
        }
    }

    fn object(
        &mut self,
        applied: &Applied<'a>,
        map: &mut Map<String, Value>,
        path: &Path<'_>,
        depth: usize,
    ) {
        for (name, member) in map.iter_mut() {
            if !is_of_interest(member) {
                continue;
            }
            let schemas: Vec<&Value> = applied
                .iter()
                .filter_map(|keywords| member_schema(keywords, name))
                .collect();
            if member.is_null() {
                self.default(&schemas, member, &path.key(name));
            } else {
                self.visit(&schemas, member, &path.key(name), depth);
            }
        }
    }

    fn default(&mut self, schemas: &[&Value], member: &mut Value, path: &Path<'_>) {
        let default = schemas.iter().find_map(|schema| schema.get("default"));
        if let Some(default) = default
            && !default.is_null()
            && !self.kinds(schemas).intersects(Kinds::NULL)
        {
            let what = format!("replaced null by the default {}", show(default));
            self.done.push(Repair {
                path: path.pointer(),
                what,
            });
            *member = default.clone();
        }
    }
}

/// How many values there are in `value`, and whether one is an integer written as a float.
fn weigh(value: &Value) -> (usize, bool) {
    let (mut values, mut floats) = (0, false);
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        values += 1;
        match value {
            Value::Number(number) => floats |= number.is_f64() && is_integral(number),
            Value::Array(items) => rest.extend(items),
            Value::Object(map) => rest.extend(map.values()),
            _ => {}
        }
    }
    (values, floats)
}

/// Whether a value, or something in it, may need a repair.
fn is_of_interest(value: &Value) -> bool {
    matches!(value, Value::Null | Value::Array(_) | Value::Object(_)) || convert::may_apply(value)
}

/// The schema of a member, unless only a regular expression could tell.
fn member_schema<'a>(keywords: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    let own = keywords
        .get("properties")
        .and_then(|properties| properties.get(name));
    own.or_else(|| {
        let patterns = keywords.get("patternProperties").and_then(Value::as_object);
        match patterns {
            Some(patterns) if !patterns.is_empty() => None,
            _ => keywords.get("additionalProperties"),
        }
    })
}
