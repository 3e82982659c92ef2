//! Numeric formats, and the bounds they stand for.

use std::cmp::Ordering;

use serde_json::{Map, Number, Value};

use crate::schema::kinds::Kinds;
use crate::schema::validate::compare_numbers;

/// The least and greatest value of a numeric format, where it has any: those of a double are the
/// ends of JSON numbers. 128 bits are read as far as JSON numbers are read at all.
pub(super) fn bounds(format: &str) -> Option<(Number, Number)> {
    Some(match format {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        // Sizes are those of the machine a tool runs on, which is a 64-bit one.
        "int64" | "int" => (i64::MIN.into(), i64::MAX.into()),
        "int128" => (i64::MIN.into(), u64::MAX.into()),
        "uint8" => (0.into(), u8::MAX.into()),
        "uint16" => (0.into(), u16::MAX.into()),
        "uint32" => (0.into(), u32::MAX.into()),
        "uint64" | "uint" | "uint128" => (0.into(), u64::MAX.into()),
        // serde reads a larger one as infinity.
        "float" => (single(f32::MIN)?, single(f32::MAX)?),
        _ => return None,
    })
}

/// With the digits of the double, which is what arguments are compared as.
fn single(float: f32) -> Option<Number> {
    Number::from_f64(float.into())
}

/// Replaces a numeric format by bounds; tighter ones that are there stay.
pub(super) fn replace_format(schema: &mut Map<String, Value>) {
    let Some(format) = schema.get("format").and_then(Value::as_str) else {
        return;
    };
    let bounds = bounds(format);
    if bounds.is_none() && format != "double" {
        return;
    }
    let kinds = Kinds::of_schema(&Value::Null, &Value::Object(schema.clone()));
    if !kinds.intersects(Kinds::NUMBER) && kinds.intersects(Kinds::STRING) {
        return;
    }
    schema.remove("format");
    if let Some((least, greatest)) = bounds.filter(|_| kinds.intersects(Kinds::NUMBER)) {
        tighten(schema, "minimum", least, Ordering::Greater);
        tighten(schema, "maximum", greatest, Ordering::Less);
    }
}

/// Whether no number is within the bounds.
pub(super) fn is_empty(schema: &Map<String, Value>) -> bool {
    let order = |low: &str, high: &str| match (schema.get(low), schema.get(high)) {
        (Some(Value::Number(low)), Some(Value::Number(high))) => Some(compare_numbers(low, high)),
        _ => None,
    };
    order("minimum", "maximum").is_some_and(Ordering::is_gt)
        || order("minimum", "exclusiveMaximum").is_some_and(Ordering::is_ge)
}

/// Sets a bound unless the one that is there is tighter already, in the direction `tighter`.
pub(super) fn tighten(
    schema: &mut Map<String, Value>,
    keyword: &str,
    bound: Number,
    tighter: Ordering,
) {
    let is_tighter = match schema.get(keyword) {
        Some(Value::Number(present)) => compare_numbers(&bound, present) == tighter,
        _ => true,
    };
    if is_tighter {
        schema.insert(keyword.to_owned(), Value::Number(bound));
    }
}
