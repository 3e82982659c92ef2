//! Numbers between bounds.

use serde_json::{Map, Number, Value};

/// An integer that fits, `shift` places from the first choice where there is room.
pub(super) fn integer(schema: &Map<String, Value>, shift: usize) -> Option<Value> {
    let step = match schema.get("multipleOf").and_then(whole) {
        Some(step) if step > 0 => step,
        _ => 1,
    };
    let at_least = |key| schema.get(key).and_then(bound_above);
    let at_most = |key| schema.get(key).and_then(bound_below);
    let low = [
        at_least("minimum"),
        at_least("exclusiveMinimum").map(|(low, exact)| (low + i128::from(exact), exact)),
    ];
    let high = [
        at_most("maximum"),
        at_most("exclusiveMaximum").map(|(high, exact)| (high - i128::from(exact), exact)),
    ];
    let low = low.into_iter().flatten().map(|(low, _)| low).max();
    let high = high.into_iter().flatten().map(|(high, _)| high).min();
    let low = low.unwrap_or_else(|| high.unwrap_or(i128::from(i64::MIN)).min(i64::MIN.into()));
    let high = high.unwrap_or_else(|| low.max(i64::MAX.into()));
    // One is plain, and seldom out of bounds.
    let wanted = 1_i128.clamp(low, high.max(low));
    let first = wanted + (step - wanted.rem_euclid(step)) % step;
    let shift = i128::try_from(shift).ok()?.checked_mul(step)?;
    let near = [first + shift, first - shift, first - step, first];
    let chosen = near.into_iter().find(|n| (low..=high).contains(n))?;
    number(chosen)
}

fn number(value: i128) -> Option<Value> {
    let small = i64::try_from(value).map(Number::from);
    let large = u64::try_from(value).map(Number::from);
    small.or(large).ok().map(Value::Number)
}

fn whole(value: &Value) -> Option<i128> {
    bound_above(value).and_then(|(whole, exact)| exact.then_some(whole))
}

/// The least integer that is not below, and whether it is the bound itself.
fn bound_above(value: &Value) -> Option<(i128, bool)> {
    bound(value, f64::ceil)
}

/// The greatest integer that is not above, and whether it is the bound itself.
fn bound_below(value: &Value) -> Option<(i128, bool)> {
    bound(value, f64::floor)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    reason = "rounded before, and a bound beyond all integers may saturate"
)]
fn bound(value: &Value, round: fn(f64) -> f64) -> Option<(i128, bool)> {
    let exact = value
        .as_i64()
        .map(i128::from)
        .or_else(|| value.as_u64().map(i128::from));
    if let Some(exact) = exact {
        return Some((exact, true));
    }
    let value = value.as_f64()?;
    let limit = f64::from(2.0_f32).powi(100);
    let rounded = round(value).clamp(-limit, limit);
    Some((rounded as i128, rounded == value))
}

/// A number that fits.
pub(super) fn float(schema: &Map<String, Value>, shift: usize) -> Option<Value> {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let step = bound("multipleOf").filter(|step| *step > 0.0);
    let within = |n: &f64| {
        bound("minimum").is_none_or(|low| *n >= low)
            && bound("maximum").is_none_or(|high| *n <= high)
            && bound("exclusiveMinimum").is_none_or(|low| *n > low)
            && bound("exclusiveMaximum").is_none_or(|high| *n < high)
    };
    let low = bound("minimum").or(bound("exclusiveMinimum"));
    let high = bound("maximum").or(bound("exclusiveMaximum"));
    let shift = f64::from(u16::try_from(shift).unwrap_or(u16::MAX));
    let unit = step.unwrap_or(1.0);
    let mut near = vec![1.5 + shift, shift, -1.5 - shift];
    match (low, high) {
        (Some(low), Some(high)) => {
            let span = high - low;
            near.extend([
                low + span * (shift + 1.0) / (shift + 2.0),
                low + span / 2.0,
                low,
                high,
            ]);
        }
        (Some(low), None) => near.extend([low + unit * (shift + 1.0), low]),
        (None, Some(high)) => near.extend([high - unit * (shift + 1.0), high]),
        (None, None) => {}
    }
    if let Some(step) = step {
        let on_step = |n: &f64| [(n / step).ceil() * step, (n / step).floor() * step];
        near = near.iter().flat_map(on_step).collect();
    }
    let chosen = near.into_iter().find(within)?;
    Number::from_f64(chosen).map(Value::Number)
}
