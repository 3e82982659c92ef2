//! Integers written as floats, with more digits than a double has.

/// Whether the text has a number that is an integer of 64 bits, written with a fraction or an
/// exponent, and that a double rounds: `9007199254740993.0` does, `1e18` does not.
///
/// Looks inside strings, too: a number there may be meant to be read.
pub(crate) fn rounds_an_integer(text: &str) -> bool {
    let of_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
    text.split(|c| !of_number(c)).any(|number| {
        let is_float = number.contains(['.', 'e', 'E']);
        let exact = is_float.then(|| exact_integer(number)).flatten();
        exact.is_some_and(|exact| !holds(number, exact))
    })
}

/// The size of an integer below 2^64, from its digits.
fn exact_integer(number: &str) -> Option<u64> {
    let number = number.strip_prefix('-').unwrap_or(number);
    let (mantissa, exponent) = match number.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (number, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = || whole.bytes().chain(fraction.bytes());
    if !digits().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    // The digits up to the decimal point, wherever the exponent puts it; behind it only zeros.
    let point = i64::try_from(whole.len()).ok()?.checked_add(exponent)?;
    let mut size: u64 = 0;
    let mut at = 0;
    for digit in digits() {
        let digit = u64::from(digit - b'0');
        if at < point {
            size = size.checked_mul(10)?.checked_add(digit)?;
        } else if digit != 0 {
            return None;
        }
        at += 1;
    }
    while size != 0 && at < point {
        size = size.checked_mul(10)?;
        at += 1;
    }
    Some(size)
}

/// Whether the double nearest to `number` is `exact`.
fn holds(number: &str, exact: u64) -> bool {
    let float = number.parse::<f64>().map(f64::abs);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative, and saturates far above 64 bits"
    )]
    float.is_ok_and(|float| float as u128 == u128::from(exact))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_lost_digit_counts() {
        for text in [
            "9007199254740993.0",
            r#"{"a":[1,-9007199254740993.00]}"#,
            "9.007199254740993e15",
            "90071992547409930e-1",
            "1.2345678901234567891e19",
            r#"{"x":"{\"id\":9007199254740993.0}"}"#,
        ] {
            assert!(rounds_an_integer(text), "{text}");
        }
        for text in [
            "1e18",
            "1.0",
            "-0",
            "0e999999999999",
            "1e999999999999999999999",
            "9007199254740992.0",
            "9007199254740993",
            "9007199254740993.5",
            "18446744073709551616.0",
            "1e300",
            "3.14159265358979323846",
            "2024-01-31T12:00:00.5",
            "e.e",
            "--1.0",
            "",
        ] {
            assert!(!rounds_an_integer(text), "{text}");
        }
    }
}
