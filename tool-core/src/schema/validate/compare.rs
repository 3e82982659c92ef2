//! Equality and order of JSON values as JSON Schema sees them: `1` is `1.0`.

use std::cmp::Ordering;

use serde_json::{Number, Value};

/// A total order in which equal values, and only those, are equal.
pub(crate) fn order(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Number(a), Value::Number(b)) => numbers(a, b),
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Array(a), Value::Array(b)) => a
            .iter()
            .zip(b)
            .map(|(a, b)| order(a, b))
            .find(|order| order.is_ne())
            .unwrap_or_else(|| a.len().cmp(&b.len())),
        (Value::Object(a), Value::Object(b)) => {
            let sorted = |map: &serde_json::Map<String, Value>| {
                let mut keys: Vec<String> = map.keys().cloned().collect();
                keys.sort_unstable();
                keys
            };
            let (left, right) = (sorted(a), sorted(b));
            left.cmp(&right).then_with(|| {
                let pairs = left.iter().map(|key| order(&a[key], &b[key]));
                pairs
                    .into_iter()
                    .find(|order| order.is_ne())
                    .unwrap_or(Ordering::Equal)
            })
        }
        (a, b) => rank(a).cmp(&rank(b)),
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Number(_) => 2,
        Value::String(_) => 3,
        Value::Array(_) => 4,
        Value::Object(_) => 5,
    }
}

/// The exact order of two numbers; no integer goes through a double.
pub(crate) fn numbers(a: &Number, b: &Number) -> Ordering {
    match (integer(a), integer(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(a), None) => mixed(a, float(b)),
        (None, Some(b)) => mixed(b, float(a)).reverse(),
        (None, None) => float(a).total_cmp(&float(b)),
    }
}

fn integer(number: &Number) -> Option<i128> {
    number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))
        .or_else(|| {
            let float = number.as_f64()?;
            // Exact: every double of this size without a fraction is an i128.
            #[expect(
                clippy::cast_possible_truncation,
                reason = "has no fraction and is in range"
            )]
            (float.fract() == 0.0 && float.abs() < 1e37).then_some(float as i128)
        })
}

fn float(number: &Number) -> f64 {
    number.as_f64().unwrap_or(f64::MAX)
}

/// An integer below 1e37 in size against a double that has a fraction or is larger than that.
fn mixed(integer: i128, float: f64) -> Ordering {
    if float.abs() >= 1e37 {
        return if float > 0.0 {
            Ordering::Less
        } else {
            Ordering::Greater
        };
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "in range after the check above"
    )]
    let floor = float.floor() as i128;
    // There is a fraction, so equal to the floor means smaller.
    if integer <= floor {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}

/// The first item that equals another one.
pub(crate) fn repeated(items: &[Value]) -> Option<&Value> {
    let mut sorted: Vec<&Value> = items.iter().collect();
    sorted.sort_by(|a, b| order(a, b));
    sorted
        .windows(2)
        .find(|pair| order(pair[0], pair[1]).is_eq())
        .map(|pair| pair[0])
}

/// Whether an integer is a multiple of an integer; `None` if either is not one.
#[cfg_attr(
    feature = "jsonschema",
    allow(dead_code, reason = "the validator decides")
)]
pub(crate) fn is_multiple(value: &Value, step: &Value) -> Option<bool> {
    let (Value::Number(value), Value::Number(step)) = (value, step) else {
        return None;
    };
    let step = integer(step).filter(|step| *step != 0)?;
    Some(integer(value).is_some_and(|value| value % step == 0))
}
