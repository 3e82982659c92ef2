//! 64-bit integers. A program's numbers are exact up to 2^53 - 1; a larger integer comes and goes
//! as a string of its digits, so `1917043659912705297` stays what it is.

use std::io;

use serde_json::ser::Formatter;
use serde_json::{Map, Number, Value};

use crate::lossless::{DEEPEST, SAFE};
use crate::resolve::Document;

/// Where a value stands in a schema: every subschema that may describe it. References are followed,
/// alternatives all kept.
#[derive(Clone)]
pub(crate) struct Shape<'s> {
    document: Option<Document<'s>>,
    here: Vec<&'s Value>,
}

/// So many subschemas may describe one value; with more, no integer is looked for.
const CANDIDATES: usize = 64;

impl<'s> Shape<'s> {
    /// Nothing is known of the value.
    pub(crate) fn unknown() -> Self {
        Self {
            document: None,
            here: Vec::new(),
        }
    }

    /// The value is what `schema` describes.
    pub(crate) fn of(schema: &'s Value) -> Self {
        let document = Document::new(schema);
        let mut here = Vec::new();
        document.alternatives(schema, CANDIDATES, &mut here);
        Self {
            document: Some(document),
            here,
        }
    }

    fn narrowed(&self, parts: impl Fn(&'s Value) -> Vec<&'s Value>) -> Self {
        let Some(document) = &self.document else {
            return Self::unknown();
        };
        let mut here = Vec::new();
        for part in self.here.iter().flat_map(|schema| parts(schema)) {
            document.alternatives(part, CANDIDATES, &mut here);
        }
        if here.is_empty() {
            Self::unknown()
        } else {
            Self {
                document: self.document,
                here,
            }
        }
    }

    /// The property `key` of an object.
    pub(crate) fn property(&self, key: &str) -> Self {
        self.narrowed(|schema| {
            let named = schema
                .get("properties")
                .and_then(|properties| properties.get(key));
            if let Some(named) = named {
                return vec![named];
            }
            let patterns = schema.get("patternProperties").and_then(Value::as_object);
            let patterns = patterns.into_iter().flat_map(Map::values);
            patterns.chain(schema.get("additionalProperties")).collect()
        })
    }

    /// The item at `index` of an array.
    pub(crate) fn item(&self, index: usize) -> Self {
        self.narrowed(|schema| {
            let prefix = schema
                .get("prefixItems")
                .and_then(|prefix| prefix.get(index));
            prefix.or_else(|| schema.get("items")).into_iter().collect()
        })
    }

    /// An integer beyond 2^53 fits here, and no string does.
    pub(crate) fn is_wide(&self) -> bool {
        self.here.iter().any(|schema| is_wide(schema))
            && !self.here.iter().any(|schema| takes_string(schema))
    }
}

/// A bound that an integer type brings along, such as `u32`'s: it says nothing that a model needs.
pub(crate) fn is_type_bound(bound: &Value) -> bool {
    const BITS: [u32; 4] = [8, 16, 32, 64];
    let bound = bound
        .as_i64()
        .map(i128::from)
        .or_else(|| bound.as_u64().map(i128::from));
    bound.is_some_and(|bound| {
        BITS.iter().any(|bits| {
            let half = 1_i128 << (bits - 1);
            bound == -half || bound == half - 1 || bound == 2 * half - 1
        })
    })
}

/// A literal that a program's numbers cannot hold.
pub(crate) fn is_beyond_safe(number: &Number) -> bool {
    let magnitude = number
        .as_i64()
        .map(i64::unsigned_abs)
        .or_else(|| number.as_u64());
    magnitude.is_some_and(|magnitude| magnitude > SAFE.unsigned_abs())
}

/// A bound that is an integer beyond 2^53.
fn is_wide_bound(bound: &Value) -> bool {
    matches!(bound, Value::Number(number) if is_beyond_safe(number))
}

const BOUNDS: [&str; 4] = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"];

/// The schema of an integer that says that it may be beyond 2^53, as those of `u64` and `i64` do.
pub(crate) fn is_64_bit(schema: &Map<String, Value>) -> bool {
    BOUNDS
        .iter()
        .any(|keyword| schema.get(*keyword).is_some_and(is_wide_bound))
}

/// An integer that may be beyond 2^53: no two bounds keep it within.
fn is_wide(schema: &Value) -> bool {
    let integer = match schema.get("type") {
        Some(Value::String(ty)) => ty == "integer",
        Some(Value::Array(types)) => types.iter().any(|ty| ty == "integer"),
        _ => false,
    };
    let bounded = BOUNDS.chunks(2).all(|side| {
        side.iter().any(|keyword| {
            schema
                .get(*keyword)
                .is_some_and(|bound| !is_wide_bound(bound))
        })
    });
    integer && !bounded && schema.get("enum").is_none() && schema.get("const").is_none()
}

fn takes_string(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::String(ty)) => ty == "string",
        Some(Value::Array(types)) => types.iter().any(|ty| ty == "string"),
        _ => match (schema.get("const"), schema.get("enum")) {
            (Some(value), _) => value.is_string(),
            (None, Some(Value::Array(values))) => values.iter().any(Value::is_string),
            // Without a type, and not made of parts that have one, anything fits.
            _ => !["anyOf", "oneOf", "allOf", "$ref", "properties", "items"]
                .iter()
                .any(|keyword| schema.get(keyword).is_some()),
        },
    }
}

/// The integer that `text` spells, if it is one of 64 bits.
pub(crate) fn digits(text: &str) -> Option<Number> {
    let plain = text.strip_prefix('-').unwrap_or(text);
    let canonical = plain.bytes().all(|byte| byte.is_ascii_digit())
        && (plain == "0" || !plain.starts_with('0'))
        && text != "-0";
    if !canonical {
        return None;
    }
    text.parse::<i64>()
        .map(Number::from)
        .or_else(|_| text.parse::<u64>().map(Number::from))
        .ok()
}

/// `value` as JSON text for a program, integers beyond 2^53 as strings. `None` if it nests too deep.
pub(crate) fn text_for_program(value: &Value) -> Option<Vec<u8>> {
    if !within_depth(value) {
        return None;
    }
    let mut text = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut text, Digits);
    serde::Serialize::serialize(value, &mut serializer).ok()?;
    Some(text)
}

/// Looked at without recursion, because that is what it guards.
fn within_depth(value: &Value) -> bool {
    let mut open = vec![(value, 0_usize)];
    while let Some((value, depth)) = open.pop() {
        if depth > DEEPEST {
            return false;
        }
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(map) => open.extend(map.values().map(|item| (item, depth + 1))),
            _ => {}
        }
    }
    true
}

struct Digits;

impl Formatter for Digits {
    fn write_i64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: i64) -> io::Result<()> {
        if value.unsigned_abs() <= SAFE.unsigned_abs() {
            write!(writer, "{value}")
        } else {
            write!(writer, "\"{value}\"")
        }
    }

    fn write_u64<W: ?Sized + io::Write>(&mut self, writer: &mut W, value: u64) -> io::Result<()> {
        if value <= SAFE.unsigned_abs() {
            write!(writer, "{value}")
        } else {
            write!(writer, "\"{value}\"")
        }
    }
}
