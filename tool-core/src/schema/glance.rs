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

/// Whether a text has so many digits in a row that a 64-bit integer may not hold them: 19 or more.
pub(crate) fn has_long_integer(text: &str) -> bool {
    let mut run = 0;
    text.bytes().any(|byte| {
        run = if byte.is_ascii_digit() { run + 1 } else { 0 };
        run >= 19
    })
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
    fn nineteen_digits_are_suspicious() {
        assert!(!has_long_integer(r#"{"a":123456789012345678,"b":1}"#));
        assert!(has_long_integer(r#"{"a":18446744073709551616}"#));
    }
}
