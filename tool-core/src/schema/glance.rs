//! What one look at a schema, a value or a text can tell.

use serde_json::Value;

use super::positions;

/// Whether a value of this schema may hold a number that is no integer.
pub(crate) fn may_hold_floats(schema: &Value) -> bool {
    let Value::Object(keywords) = schema else {
        return true;
    };
    let words = |word: &Value| match word {
        Value::String(word) => word == "number",
        Value::Array(words) => words.iter().any(|word| word == "number"),
        _ => true,
    };
    // A schema that fixes neither type nor values nor where to look further takes anything.
    let open = !["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"]
        .iter()
        .any(|keyword| keywords.contains_key(*keyword));
    open || keywords.get("type").is_some_and(words)
        || open_object(keywords)
        || positions::children(keywords)
            .iter()
            .any(|child| child.schema.is_object() && may_hold_floats(child.schema))
}

/// Whether an object of this schema takes properties of any kind.
fn open_object(keywords: &serde_json::Map<String, Value>) -> bool {
    let is_object = keywords.get("type").is_some_and(|word| word == "object");
    is_object
        && keywords
            .get("additionalProperties")
            .is_none_or(|open| *open == Value::Bool(true))
        && !keywords.contains_key("unevaluatedProperties")
        && keywords.get("properties").is_none()
}

/// Whether every value of the Rust type that this canonical schema came from fits it: nothing in it
/// was added by an attribute, such as `#[schemars(range(max = 5))]`, that a type cannot hold to.
pub(crate) fn holds_by_type(schema: &Value) -> bool {
    let Value::Object(keywords) = schema else {
        return true;
    };
    let is = |keyword: &str, holds: fn(&Value) -> bool| keywords.get(keyword).is_none_or(holds);
    // The ends of Rust's numbers, and of those that are not zero.
    let least = |bound: &Value| {
        let ends = [
            0,
            1,
            i8::MIN.into(),
            i16::MIN.into(),
            i32::MIN.into(),
            i64::MIN,
        ];
        bound.as_i64().is_some_and(|bound| ends.contains(&bound)) || is_end_of_f32(bound)
    };
    let greatest = |bound: &Value| {
        let ends = [
            i8::MAX as u64,
            u8::MAX.into(),
            i16::MAX as u64,
            u16::MAX.into(),
        ];
        let more = [i32::MAX as u64, u32::MAX.into(), i64::MAX as u64, u64::MAX];
        bound
            .as_u64()
            .is_some_and(|bound| ends.contains(&bound) || more.contains(&bound))
            || is_end_of_f32(bound)
    };
    // A `char` has one, an array or tuple as many as it has.
    let fixed = |one: &str, other: &str| keywords.get(one) == keywords.get(other);
    let added = [
        "pattern",
        "multipleOf",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "not",
    ];
    let more_added = [
        "minProperties",
        "maxProperties",
        "contains",
        "if",
        "dependentRequired",
    ];
    !added
        .iter()
        .chain(&more_added)
        .any(|keyword| keywords.contains_key(*keyword))
        && is("minimum", least)
        && is("maximum", greatest)
        && fixed("minLength", "maxLength")
        && fixed("minItems", "maxItems")
        && positions::children(keywords)
            .iter()
            .all(|child| holds_by_type(child.schema))
}

/// Whether a bound is the least or greatest `f32`.
pub(crate) fn is_end_of_f32(bound: &Value) -> bool {
    let end = f64::from(f32::MAX).to_bits();
    bound
        .as_f64()
        .is_some_and(|bound| bound.abs().to_bits() == end)
}

/// Whether a text has so many digits in a row that a 64-bit integer may not hold them: 19 or more.
pub(crate) fn has_long_integer(text: &str) -> bool {
    const LONG: usize = 19;
    let bytes = text.as_bytes();
    // Such a row has a digit at one of any places that are so far apart.
    let mut at = LONG - 1;
    while let Some(byte) = bytes.get(at) {
        if byte.is_ascii_digit() {
            let is_digit = |byte: &&u8| byte.is_ascii_digit();
            let before = bytes[..at].iter().rev().take_while(is_digit).count();
            let after = bytes[at..].iter().take_while(is_digit).count();
            if before + after >= LONG {
                return true;
            }
            at += after;
        }
        at += LONG;
    }
    false
}

/// A value as compact JSON text. Its `Display` would write the same at twice the cost.
pub(crate) fn text_of(value: &Value) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| value.to_string())
}

/// What a value is, in a sentence: `an array`.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn long_integers_are_seen_wherever_they_stand() {
        for before in 0..45 {
            for digits in 0..45 {
                for after in 0..25 {
                    let text = format!(
                        "{}{}{}",
                        "x".repeat(before),
                        "7".repeat(digits),
                        "1x".repeat(after)
                    );
                    let longest = text.split('x').map(str::len).max().unwrap_or(0);
                    assert_eq!(has_long_integer(&text), longest >= 19, "{text}");
                }
            }
        }
    }

    #[test]
    fn floats_are_seen_wherever_they_may_stand() {
        for schema in [
            json!({"type": "number"}),
            json!({"type": ["number", "null"]}),
            json!({}),
            json!({"description": "anything"}),
            json!({"type": "object"}),
            json!({"type": "object", "properties": {"x": {"type": "array", "items": {"type": "number"}}}}),
            json!({"anyOf": [{"type": "string"}, {"$ref": "#/$defs/N"}], "$defs": {"N": {"type": "number"}}}),
        ] {
            assert!(may_hold_floats(&schema), "{schema}");
        }
        for schema in [
            json!({"type": "string"}),
            json!({"enum": ["a", 1]}),
            json!({"type": "object", "properties": {"number": {"type": "integer"}}}),
            json!({"type": "array", "items": {"type": "boolean"}}),
        ] {
            assert!(!may_hold_floats(&schema), "{schema}");
        }
    }

    #[test]
    fn what_an_attribute_added_is_no_matter_of_types() {
        for schema in [
            json!({"type": "integer", "minimum": 0, "maximum": 255}),
            json!({"type": "integer", "minimum": 1, "maximum": u64::MAX}),
            json!({"type": "string", "minLength": 1, "maxLength": 1}),
            json!({"type": "array", "prefixItems": [{}, {}], "minItems": 2, "maxItems": 2}),
            json!({"type": "object", "properties": {"minimum": {"type": "string", "enum": ["a"]}}}),
        ] {
            assert!(holds_by_type(&schema), "{schema}");
        }
        for schema in [
            json!({"type": "integer", "minimum": 2}),
            json!({"type": "number", "maximum": 5}),
            json!({"type": "string", "pattern": "^a"}),
            json!({"type": "array", "items": {"type": "string", "maxLength": 3}}),
            json!({"$ref": "#/$defs/A", "$defs": {"A": {"type": "array", "minItems": 1}}}),
        ] {
            assert!(!holds_by_type(&schema), "{schema}");
        }
    }

    #[test]
    fn nineteen_digits_are_suspicious() {
        assert!(!has_long_integer(r#"{"a":123456789012345678,"b":1}"#));
        assert!(has_long_integer(r#"{"a":18446744073709551616}"#));
    }
}
