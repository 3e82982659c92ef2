//! Reading JSON Schemas: positions, pointers, types.

use std::borrow::Cow;

use serde_json::{Map, Value};

pub(super) type Object = Map<String, Value>;

/// What the value of a keyword holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    Schema,
    Schemas,
    NamedSchemas,
    Plain,
}

/// What the value of `keyword` holds. Only these positions are schemas: a parameter may be
/// called `items`, and a default may look like a schema.
pub(super) fn holds(keyword: &str, value: &Value) -> Holds {
    match keyword {
        // Before 2020-12, `items` could be a list.
        "items" if value.is_array() => Holds::Schemas,
        "items"
        | "additionalItems"
        | "additionalProperties"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "propertyNames"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contentSchema" => Holds::Schema,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Holds::Schemas,
        "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "$def"
        | "definitions" => Holds::NamedSchemas,
        _ => Holds::Plain,
    }
}

/// Keywords that hold definitions; what is in them counts only where it is referred to.
pub(super) fn is_definitions(keyword: &str) -> bool {
    matches!(keyword, "$defs" | "$def" | "definitions")
}

/// Keywords that say something about a value without restricting it.
pub(super) fn is_annotation(keyword: &str) -> bool {
    is_definitions(keyword)
        || matches!(
            keyword,
            "title"
                | "description"
                | "default"
                | "examples"
                | "deprecated"
                | "readOnly"
                | "writeOnly"
                | "$comment"
                | "$schema"
                | "$vocabulary"
                | "$id"
                | "$anchor"
        )
        || keyword.starts_with("x-")
}

/// Calls `visit` for each schema directly below `schema`, with the pointer from it. Definitions
/// are not below; they are where a `$ref` points.
pub(super) fn for_each_child<'s>(schema: &'s Object, mut visit: impl FnMut(Step<'s>, &'s Value)) {
    for (keyword, value) in schema {
        if is_definitions(keyword) {
            continue;
        }
        match (holds(keyword, value), value) {
            (Holds::Schema, _) => visit(
                Step {
                    keyword,
                    member: None,
                },
                value,
            ),
            (Holds::Schemas, Value::Array(list)) => {
                for (at, member) in list.iter().enumerate() {
                    visit(
                        Step {
                            keyword,
                            member: Some(Cow::Owned(at.to_string())),
                        },
                        member,
                    );
                }
            }
            (Holds::NamedSchemas, Value::Object(map)) => {
                for (name, member) in map {
                    visit(
                        Step {
                            keyword,
                            member: Some(Cow::Borrowed(name)),
                        },
                        member,
                    );
                }
            }
            _ => {}
        }
    }
}

/// One step down a schema: `properties` and a name, `anyOf` and an index, or just `items`.
pub(super) struct Step<'s> {
    pub(super) keyword: &'s str,
    pub(super) member: Option<Cow<'s, str>>,
}

impl Step<'_> {
    /// The pointer of the child, given that of its parent.
    pub(super) fn below(&self, at: &str) -> String {
        match &self.member {
            Some(member) => format!("{at}/{}/{}", self.keyword, escape(member)),
            None => format!("{at}/{}", self.keyword),
        }
    }

    /// The property's name, if this is the step to a property.
    pub(super) fn property(&self) -> Option<&str> {
        self.member
            .as_deref()
            .filter(|_| self.keyword == "properties")
    }
}

/// Escapes one segment of a JSON pointer.
pub(super) fn escape(segment: &str) -> Cow<'_, str> {
    if segment.contains(['~', '/']) {
        Cow::Owned(segment.replace('~', "~0").replace('/', "~1"))
    } else {
        Cow::Borrowed(segment)
    }
}

/// Where a local reference points: `#/$defs/A%20b` is `/$defs/A b`.
pub(super) fn pointer_of(reference: &str) -> Option<Cow<'_, str>> {
    let pointer = reference.strip_prefix('#')?;
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return None;
    }
    if !pointer.contains('%') {
        return Some(Cow::Borrowed(pointer));
    }
    let mut bytes = Vec::with_capacity(pointer.len());
    let mut rest = pointer.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        let (high, low) = (digit()?, digit()?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

/// What a local reference points to.
pub(super) fn resolve<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    root.pointer(&pointer_of(reference)?)
}

/// The name a person would give to what a reference points to: its last segment.
pub(super) fn short_name(reference: &str) -> String {
    let last = reference.rsplit('/').next().unwrap_or_default();
    match last {
        "#" | "" => "arguments".to_owned(),
        _ => last.replace("~1", "/").replace("~0", "~"),
    }
}

/// The names in `required`.
pub(super) fn required(schema: &Object) -> impl Iterator<Item = &str> {
    schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

/// The types in `type`, whether it is one or a list.
pub(super) fn listed_types(schema: &Object) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Value::String(one) => Some(vec![one]),
        Value::Array(list) => Some(list.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

/// The JSON Schema type of a value; a number without a fraction is an `integer`.
pub(super) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Whether a value of type `value` is one of type `wanted`.
pub(super) fn is_type(value: &Value, wanted: &str) -> bool {
    let own = type_of(value);
    own == wanted
        || (own == "integer" && wanted == "number")
        || (wanted == "integer" && value.as_f64().is_some_and(|number| number.fract() == 0.0))
}

/// The values a schema lists, in `enum` or `const`.
pub(super) fn listed_values(schema: &Object) -> Option<Cow<'_, [Value]>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(one), _) => Some(Cow::Owned(vec![one.clone()])),
        (None, Some(Value::Array(list))) => Some(Cow::Borrowed(list)),
        _ => None,
    }
}

/// The one type a keyword restricts, if it restricts only one.
pub(super) fn type_restricted(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        "properties"
        | "required"
        | "additionalProperties"
        | "patternProperties"
        | "propertyNames"
        | "minProperties"
        | "maxProperties"
        | "dependentRequired"
        | "dependentSchemas"
        | "unevaluatedProperties" => "object",
        "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" | "contains"
        | "minContains" | "maxContains" | "unevaluatedItems" | "additionalItems" => "array",
        "minLength" | "maxLength" | "pattern" | "format" | "contentEncoding"
        | "contentMediaType" | "contentSchema" => "string",
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => "number",
        _ => return None,
    })
}

/// Whether `schema` accepts `null`, as far as types and listed values say.
pub(super) fn accepts_null(root: &Value, schema: &Value, depth: usize) -> bool {
    let Value::Object(map) = schema else {
        return schema != &Value::Bool(false);
    };
    if depth == 0 {
        // Unknown counts as yes: `null` is then left alone.
        return true;
    }
    let types = listed_types(map).is_none_or(|types| types.contains(&"null"));
    let values = listed_values(map).is_none_or(|values| values.contains(&Value::Null));
    let arms = ["anyOf", "oneOf"].iter().all(|keyword| {
        map.get(*keyword)
            .and_then(Value::as_array)
            .is_none_or(|arms| arms.iter().any(|arm| accepts_null(root, arm, depth - 1)))
    });
    let all = map
        .get("allOf")
        .and_then(Value::as_array)
        .is_none_or(|all| all.iter().all(|one| accepts_null(root, one, depth - 1)));
    let target = map
        .get("$ref")
        .and_then(Value::as_str)
        .is_none_or(|reference| {
            resolve(root, reference).is_none_or(|target| accepts_null(root, target, depth - 1))
        });
    types && values && arms && all && target
}
