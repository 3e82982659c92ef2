//! The JSON types a schema may accept, from its structure alone.

use serde_json::Value;

use super::pointer;

/// A set of JSON types. A number without a fraction is an integer, as in JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kinds(u8);

impl Kinds {
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(2);
    pub(crate) const INTEGER: Self = Self(4);
    /// A number with a fraction.
    pub(crate) const FRACTION: Self = Self(8);
    pub(crate) const STRING: Self = Self(16);
    pub(crate) const ARRAY: Self = Self(32);
    pub(crate) const OBJECT: Self = Self(64);
    pub(crate) const NUMBER: Self = Self(4 | 8);
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const ALL: Self = Self(127);

    pub(crate) fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[must_use]
    pub(crate) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What a `type` word stands for; nothing for an unknown word.
    pub(crate) fn of_word(word: &str) -> Self {
        match word {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => Self::NONE,
        }
    }

    /// The type of a value.
    pub(crate) fn of_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if is_integral(number) => Self::INTEGER,
            Value::Number(_) => Self::FRACTION,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// The types `schema` may accept. References resolve from `root`.
    ///
    /// Never too few; more than it accepts where only a validator could tell.
    pub(crate) fn of_schema(root: &Value, schema: &Value) -> Self {
        Self::within(root, schema, 16, &mut 400)
    }

    /// `depth` and `visits` bound what a hostile schema costs: no type nests unions like that.
    fn within(root: &Value, schema: &Value, depth: u8, visits: &mut u16) -> Self {
        let Value::Object(schema) = schema else {
            return if *schema == Value::Bool(false) {
                Self::NONE
            } else {
                Self::ALL
            };
        };
        *visits = visits.saturating_sub(1);
        let Some(depth) = depth.checked_sub(1).filter(|_| *visits > 0) else {
            return Self::ALL;
        };
        let mut kinds = Self::ALL;
        for (keyword, operand) in schema {
            kinds = kinds.and(match (keyword.as_str(), operand) {
                ("type", Value::String(word)) => Self::of_word(word),
                ("type", Value::Array(words)) => words
                    .iter()
                    .filter_map(Value::as_str)
                    .map(Self::of_word)
                    .fold(Self::NONE, Self::or),
                ("const", value) => Self::of_value(value),
                ("enum", Value::Array(values)) => {
                    values.iter().map(Self::of_value).fold(Self::NONE, Self::or)
                }
                ("anyOf" | "oneOf", Value::Array(arms)) => {
                    arms.iter().fold(Self::NONE, |all, arm| {
                        all.or(Self::within(root, arm, depth, visits))
                    })
                }
                ("allOf", Value::Array(parts)) => parts.iter().fold(Self::ALL, |all, part| {
                    all.and(Self::within(root, part, depth, visits))
                }),
                ("$ref", Value::String(reference)) => pointer::resolve(root, reference)
                    .map_or(Self::ALL, |target| {
                        Self::within(root, target, depth, visits)
                    }),
                _ => continue,
            });
        }
        kinds
    }
}

/// Whether the number has no fraction: `10`, `10.0`, `1e2`, `-0.0`.
pub(crate) fn is_integral(number: &serde_json::Number) -> bool {
    number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}
