//! Values made from a schema.

use serde_json::{Map, Value, json};

use super::{number, text};
use crate::schema::{Compiled, SchemaError, nearest, pointer};

/// How many values are tried: other arms of unions, with and without what is optional.
const ATTEMPTS: usize = 128;

/// No value is made of more parts than this.
const LARGEST: usize = 20_000;

/// No value is made deeper than this.
const DEEPEST: usize = 64;

/// Below this, only what is required is made: recursive types come to an end.
const FULL_UNTIL: usize = 4;

/// Why there is no sample.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// There is no such tool.
    #[error("unknown tool `{tool}`{hint}")]
    #[non_exhaustive]
    UnknownTool {
        /// What was asked for.
        tool: String,
        /// What it may have been.
        hint: String,
    },
    /// The schema itself is none.
    #[error("the schema is invalid: {reason}")]
    #[non_exhaustive]
    InvalidSchema {
        /// What is wrong with it.
        reason: String,
    },
    /// Nothing was found that fits; there may be nothing.
    #[error("no value was found that fits the schema: {reason}\nhelp: give one in `examples`")]
    #[non_exhaustive]
    NotFound {
        /// What is wrong with the best try.
        reason: String,
    },
}

impl SampleError {
    pub(super) fn no_tool<'n>(tool: &str, known: impl Iterator<Item = &'n str>) -> Self {
        let hint = nearest(tool, known)
            .map(|known| format!("; did you mean `{known}`?"))
            .unwrap_or_default();
        Self::UnknownTool {
            tool: tool.to_owned(),
            hint,
        }
    }
}

/// A value that fits a JSON Schema, always the same one for the same schema.
///
/// Everything optional is there as far as it fits. An `examples` or `default` is taken if it fits,
/// the first of an `enum`, plain values otherwise: `"text"`, `1`, `true`.
///
/// ```
/// use serde_json::json;
/// use tool_core::testing::sample;
///
/// let value = sample(&json!({
///     "type": "object",
///     "properties": {
///         "city": {"type": "string", "minLength": 1},
///         "unit": {"enum": ["C", "F"]},
///         "days": {"type": "integer", "minimum": 3, "maximum": 7},
///     },
///     "required": ["city"],
/// }));
/// assert_eq!(value, Ok(json!({"city": "text", "days": 3, "unit": "C"})));
/// ```
///
/// # Errors
///
/// If the schema is none, or nothing is found that fits. What is made is checked before it comes
/// back; keywords that only refuse (`not`, `if`, `dependentSchemas`) are met by chance or not at all.
pub fn sample(schema: &Value) -> Result<Value, SampleError> {
    let invalid = |error: SchemaError| SampleError::InvalidSchema {
        reason: error.to_string(),
    };
    let compiled = Compiled::new(schema.clone()).map_err(invalid)?;
    let mut reason = None;
    for attempt in 0..ATTEMPTS {
        let mut maker = Maker {
            root: schema,
            given: attempt == 0,
            full: attempt < 2 || (attempt > 2 && attempt.is_multiple_of(2)),
            choices: attempt.saturating_sub(2) / 2,
            shift: 0,
            left: LARGEST,
        };
        let Some(value) = maker.make(schema, 0) else {
            continue;
        };
        match compiled.check(&value) {
            Ok(()) => return Ok(value),
            Err(violations) => {
                reason.get_or_insert_with(|| violations.to_string());
            }
        }
    }
    Err(SampleError::NotFound {
        reason: reason.unwrap_or_else(|| "it asks for what cannot be made".to_owned()),
    })
}

struct Maker<'s> {
    root: &'s Value,
    /// Whether examples and defaults are taken.
    given: bool,
    /// Whether what is optional is made.
    full: bool,
    /// The number of this combination of choices: each takes its part of it.
    choices: usize,
    /// Which of several different values is wanted, for items that must differ.
    shift: usize,
    left: usize,
}

impl Maker<'_> {
    fn make(&mut self, schema: &Value, depth: usize) -> Option<Value> {
        self.left = self.left.checked_sub(1)?;
        let schema = match schema {
            Value::Object(schema) => schema,
            Value::Bool(true) => return Some(json!("text")),
            _ => return None,
        };
        if depth > DEEPEST {
            return None;
        }
        if self.given
            && self.shift == 0
            && let Some(value) = given(schema)
        {
            return Some(value.clone());
        }
        if let Some(value) = schema.get("const") {
            return Some(value.clone());
        }
        if let Some(Value::Array(values)) = schema.get("enum") {
            let choice = (self.choose(values.len()) + self.shift).checked_rem(values.len())?;
            return values.get(choice).cloned();
        }
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let target = pointer::resolve(self.root, reference)?;
            return self.make_merged(schema, "$ref", &[target], depth);
        }
        if let Some(Value::Array(parts)) = schema.get("allOf") {
            return self.make_merged(schema, "allOf", &parts.iter().collect::<Vec<_>>(), depth);
        }
        for union in ["anyOf", "oneOf"] {
            if let Some(Value::Array(arms)) = schema.get(union) {
                let first = self.choose(arms.len());
                // The rest only if an arm cannot be made, such as one that goes on forever.
                let arms = arms.iter().cycle().skip(first).take(arms.len());
                let arms: Vec<&Value> = arms.collect();
                return arms
                    .into_iter()
                    .find_map(|arm| self.make_merged(schema, union, &[arm], depth));
            }
        }
        match self.kind(schema) {
            "null" => Some(Value::Null),
            "boolean" => Some(json!((self.choose(2) + self.shift).is_multiple_of(2))),
            "integer" => number::integer(schema, self.shift),
            "number" => number::float(schema, self.shift),
            "string" => text::text(schema, self.shift),
            "array" => self.array(schema, depth),
            "object" => self.object(schema, depth),
            _ => Some(json!("text")),
        }
    }

    /// Makes `schema` without the keyword `key`, whose `parts` are put into it.
    fn make_merged(
        &mut self,
        schema: &Map<String, Value>,
        key: &str,
        parts: &[&Value],
        depth: usize,
    ) -> Option<Value> {
        let mut merged = schema.clone();
        merged.remove(key);
        for part in parts {
            match part {
                Value::Object(part) => merge(&mut merged, part),
                Value::Bool(true) => {}
                _ => return None,
            }
        }
        self.make(&Value::Object(merged), depth + 1)
    }

    /// The choice of this combination among `count`.
    fn choose(&mut self, count: usize) -> usize {
        let choice = self.choices.checked_rem(count).unwrap_or(0);
        self.choices = self.choices.checked_div(count).unwrap_or(0);
        choice
    }

    fn kind<'a>(&mut self, schema: &'a Map<String, Value>) -> &'a str {
        const IMPLIED: [(&str, &[&str]); 4] = [
            (
                "object",
                &[
                    "properties",
                    "required",
                    "minProperties",
                    "additionalProperties",
                ],
            ),
            ("array", &["items", "prefixItems", "minItems", "contains"]),
            ("string", &["pattern", "minLength", "maxLength", "format"]),
            (
                "number",
                &[
                    "minimum",
                    "maximum",
                    "exclusiveMinimum",
                    "exclusiveMaximum",
                    "multipleOf",
                ],
            ),
        ];
        match schema.get("type") {
            Some(Value::String(word)) => word,
            Some(Value::Array(words)) => {
                let choice = self.choose(words.len());
                words
                    .get(choice)
                    .and_then(Value::as_str)
                    .unwrap_or_default()
            }
            _ => {
                let implied = |keys: &[&str]| keys.iter().any(|key| schema.contains_key(*key));
                let kind = IMPLIED.iter().find(|(_, keys)| implied(keys));
                kind.map_or("", |(kind, _)| kind)
            }
        }
    }

    fn array(&mut self, schema: &Map<String, Value>, depth: usize) -> Option<Value> {
        let any = Value::Bool(true);
        let prefix: &[Value] = match schema.get("prefixItems") {
            Some(Value::Array(prefix)) => prefix,
            _ => &[],
        };
        let rest = schema.get("items").unwrap_or(&any);
        let full = self.full && depth < FULL_UNTIL;
        let wanted = match (full, rest) {
            (true, Value::Bool(false)) => prefix.len(),
            (true, _) => prefix.len().max(1),
            (false, _) => 0,
        };
        let contains = schema.get("contains");
        let most = length(schema, "maxItems").unwrap_or(usize::MAX);
        let least = length(schema, "minItems").unwrap_or(0);
        let least = least.max(usize::from(contains.is_some()));
        let unique = schema.get("uniqueItems") == Some(&Value::Bool(true));
        let outer = self.shift;
        let mut items: Vec<Value> = Vec::new();
        for place in 0..wanted.max(least).min(most) {
            let item = match contains {
                Some(contained) if place == prefix.len() => contained,
                _ => prefix.get(place).unwrap_or(rest),
            };
            if unique {
                self.shift = outer + place;
            }
            let made = self.make(item, depth + 1);
            match made {
                Some(made) if !(unique && items.contains(&made)) => items.push(made),
                // One that is not asked for need not be there.
                _ if place >= least => break,
                _ => return None,
            }
        }
        self.shift = outer;
        Some(Value::Array(items))
    }

    fn object(&mut self, schema: &Map<String, Value>, depth: usize) -> Option<Value> {
        let none = Map::new();
        let any = Value::Bool(true);
        let properties = match schema.get("properties") {
            Some(Value::Object(properties)) => properties,
            _ => &none,
        };
        let required: Vec<&str> = match schema.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let rest = schema.get("additionalProperties").unwrap_or(&any);
        let least = length(schema, "minProperties").unwrap_or(0);
        let most = length(schema, "maxProperties").unwrap_or(usize::MAX);
        let full = self.full && depth < FULL_UNTIL;
        let mut members = Map::new();
        for name in &required {
            let property = properties.get(*name).unwrap_or(rest);
            members.insert((*name).to_owned(), self.make(property, depth + 1)?);
        }
        let enough = |members: &Map<String, Value>| {
            let wanted = if full { most } else { least.min(most) };
            members.len() >= wanted
        };
        for (name, property) in properties {
            if enough(&members) {
                break;
            }
            if members.contains_key(name) {
                continue;
            }
            if let Some(made) = self.make(property, depth + 1) {
                members.insert(name.clone(), made);
            }
        }
        // A map with nothing in it shows nothing of its values.
        let extra = usize::from(full && rest.is_object() && properties.is_empty());
        let mut number = 0;
        while members.len() < least.max(extra).min(most) {
            number += 1;
            let name = format!("key_{number}");
            if !properties.contains_key(&name) {
                members.insert(name, self.make(rest, depth + 1)?);
            }
        }
        // In the order of the schema, where maps keep one.
        let mut ordered = Map::new();
        for name in properties.keys() {
            if let Some(made) = members.remove(name) {
                ordered.insert(name.clone(), made);
            }
        }
        ordered.extend(members);
        Some(Value::Object(ordered))
    }
}

/// The value that the schema itself proposes.
fn given(schema: &Map<String, Value>) -> Option<&Value> {
    let example = schema.get("examples").and_then(|examples| examples.get(0));
    example.or_else(|| schema.get("default"))
}

/// Not longer than what may be made at all.
fn length(schema: &Map<String, Value>, key: &str) -> Option<usize> {
    let length = schema.get(key)?.as_u64()?;
    Some(usize::try_from(length).unwrap_or(usize::MAX))
}

/// Puts `part` into `schema`, so that what fits the result fits both, as far as that is simple.
fn merge(schema: &mut Map<String, Value>, part: &Map<String, Value>) {
    for (key, value) in part {
        let Some(present) = schema.get_mut(key) else {
            schema.insert(key.clone(), value.clone());
            continue;
        };
        match (key.as_str(), present, value) {
            ("properties", Value::Object(present), Value::Object(value)) => {
                for (name, property) in value {
                    match present.get_mut(name) {
                        Some(same) if same != property => {
                            let both = json!({"allOf": [same.take(), property]});
                            *same = both;
                        }
                        Some(_) => {}
                        None => {
                            present.insert(name.clone(), property.clone());
                        }
                    }
                }
            }
            ("required" | "allOf", Value::Array(present), Value::Array(value)) => {
                for item in value {
                    if !present.contains(item) {
                        present.push(item.clone());
                    }
                }
            }
            ("enum", Value::Array(present), Value::Array(value)) => {
                present.retain(|item| value.contains(item));
            }
            ("minimum" | "minLength" | "minItems" | "exclusiveMinimum", present, value)
                if value.as_f64() > present.as_f64() =>
            {
                present.clone_from(value);
            }
            ("maximum" | "maxLength" | "maxItems" | "exclusiveMaximum", present, value)
                if value.as_f64() < present.as_f64() =>
            {
                present.clone_from(value);
            }
            ("type", present, value) => narrow(present, value),
            ("additionalProperties", present, value)
                if value == &Value::Bool(false) || present == &Value::Bool(true) =>
            {
                present.clone_from(value);
            }
            // Two unions: the second is met inside the first.
            ("anyOf" | "oneOf", present, value) if present != value => {
                let both = json!([{key: value}]);
                match schema.get_mut("allOf") {
                    Some(Value::Array(all)) => all.push(both[0].clone()),
                    _ => {
                        schema.insert("allOf".to_owned(), both);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The types that both allow. An integer is a number.
fn narrow(present: &mut Value, other: &Value) {
    let words = |value: &Value| match value {
        Value::Array(words) => words.clone(),
        word => vec![word.clone()],
    };
    let (mine, theirs) = (words(present), words(other));
    let integer = json!("integer");
    let number = json!("number");
    let mut both: Vec<Value> = mine
        .iter()
        .filter(|word| theirs.contains(word) || **word == integer && theirs.contains(&number))
        .cloned()
        .collect();
    if mine.contains(&number) && theirs.contains(&integer) && !both.contains(&integer) {
        both.push(integer);
    }
    *present = Value::Array(both);
}
