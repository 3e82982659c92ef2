//! One value as another type, without losing anything.

use serde_json::{Number, Value};

use crate::schema::kinds::Kinds;
use crate::schema::parse::{self, Limits};

/// Whether a value looks as if it could be meant as another type: cheap, and asked of everything.
pub(super) fn may_apply(value: &Value) -> bool {
    match value {
        Value::String(text) => matches!(
            text.trim_start().as_bytes().first(),
            Some(b'{' | b'[' | b'-' | b'0'..=b'9' | b't' | b'f')
        ),
        Value::Number(number) => !number.is_i64() && !number.is_u64(),
        _ => false,
    }
}

/// `value` as one of the types in `wanted`, if it is none of them and can be read as exactly one.
/// What is decoded may be nested `room` levels deep. `text` is what the value was read from.
pub(super) fn convert(
    value: &Value,
    wanted: Kinds,
    room: usize,
    text: Option<&str>,
) -> Option<Value> {
    match value {
        Value::String(_) if wanted.intersects(Kinds::STRING) => None,
        Value::String(text) => match text.as_str() {
            "true" | "false" => wanted
                .intersects(Kinds::BOOLEAN)
                .then(|| Value::Bool(text == "true")),
            text => decode(text, wanted, room).or_else(|| decimal(text, wanted)),
        },
        Value::Number(number) if !wanted.intersects(Kinds::FRACTION) => wanted
            .intersects(Kinds::INTEGER)
            .then(|| integer(number, text))?,
        _ => None,
    }
}

/// A string that holds a JSON array or object.
fn decode(text: &str, wanted: Kinds, room: usize) -> Option<Value> {
    let kind = match text.trim_start().as_bytes().first()? {
        b'[' => Kinds::ARRAY,
        b'{' => Kinds::OBJECT,
        _ => return None,
    };
    let decoded = wanted.intersects(kind).then(|| {
        parse::parse(
            text,
            Limits {
                max_bytes: text.len(),
            },
        )
    })?;
    // What a double rounds is not read: nobody could tell any more.
    let decoded = decoded.ok().filter(|_| !parse::rounds_an_integer(text));
    decoded.filter(|decoded| parse::depth(decoded) <= room)
}

/// A float that is an integer: `10.0`, `1e18`. From 2^53 on a double no longer tells which one was
/// written, but the text does.
fn integer(number: &Number, text: Option<&str>) -> Option<Value> {
    const ALL_EXACT: f64 = 9_007_199_254_740_992.0;
    const END_OF_U64: f64 = 18_446_744_073_709_551_616.0;
    const LEAST_I64: f64 = -9_223_372_036_854_775_808.0;
    let float = number.as_f64().filter(|float| float.fract() == 0.0)?;
    let is_rounded = || float.abs() >= ALL_EXACT && text.is_some_and(parse::rounds_an_integer);
    if !(LEAST_I64..END_OF_U64).contains(&float) || is_rounded() {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "without a fraction, and in range"
    )]
    Some(if float > 0.0 {
        Value::from(float as u64)
    } else {
        Value::from(float as i64)
    })
}

/// A string in plain decimal notation: `5`, `-1.5`; no exponent, no sign tricks, no spaces.
fn decimal(text: &str, wanted: Kinds) -> Option<Value> {
    if !wanted.intersects(Kinds::NUMBER) {
        return None;
    }
    let (whole, fraction) = match text.split_once('.') {
        Some((_, "")) => return None,
        Some((whole, fraction)) => (whole, fraction),
        None => (text, ""),
    };
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let starts_well = digits == "0" || !digits.is_empty() && !digits.starts_with('0');
    if !starts_well || !all_digits(digits) || !all_digits(fraction) {
        return None;
    }
    let wants_integer = wanted.intersects(Kinds::INTEGER);
    if wants_integer && fraction.bytes().all(|digit| digit == b'0') {
        let integer = whole.parse::<i64>().map(Value::from).ok();
        if let Some(integer) = integer.or_else(|| whole.parse::<u64>().map(Value::from).ok()) {
            return Some(integer);
        }
    }
    if !wanted.intersects(Kinds::FRACTION) {
        return None;
    }
    let float = text.parse::<f64>().ok().filter(|float| float.is_finite())?;
    let number = Number::from_f64(float)?;
    // Digits that a double cannot hold would be lost. What counts is how it is written again.
    let written = Some(number.to_string()).filter(|written| !written.contains('e'));
    let written = written.unwrap_or_else(|| float.to_string());
    (significant(&written) == significant(text)).then_some(Value::Number(number))
}

/// The text without zeros that say nothing: `1.50` and `1.5` are one.
fn significant(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}
