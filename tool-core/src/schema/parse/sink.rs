//! What a scan builds: nothing, or a [`Value`].

use serde_json::{Map, Number, Value};

/// Receives what the scanner has already checked.
pub(super) trait Sink {
    type Value;
    type Array: Default;
    type Object: Default;

    fn null() -> Self::Value;
    fn bool(value: bool) -> Self::Value;
    fn number(number: Literal<'_>) -> Self::Value;
    /// `raw` is the text between the quotes; `escaped` says whether it holds a backslash.
    fn string(raw: &str, escaped: bool) -> Self::Value;
    fn item(array: &mut Self::Array, value: Self::Value);
    fn member(object: &mut Self::Object, key: &str, value: Self::Value);
    fn array(array: Self::Array) -> Self::Value;
    fn object(object: Self::Object) -> Self::Value;
}

/// A number that is known to be valid and in range.
pub(super) enum Literal<'a> {
    Integer(&'a str),
    /// Has a fraction or an exponent, or is `-0`.
    Float(&'a str),
}

/// Checks only.
#[cfg(test)]
pub(super) struct Discard;

#[cfg(test)]
impl Sink for Discard {
    type Value = ();
    type Array = ();
    type Object = ();

    fn null() {}
    fn bool(_: bool) {}
    fn number(_: Literal<'_>) {}
    fn string(_: &str, _: bool) {}
    fn item((): &mut (), (): ()) {}
    fn member((): &mut (), _: &str, (): ()) {}
    fn array((): ()) {}
    fn object((): ()) {}
}

/// Builds a [`Value`].
pub(super) struct Tree;

impl Sink for Tree {
    type Value = Value;
    type Array = Vec<Value>;
    type Object = Map<String, Value>;

    fn null() -> Value {
        Value::Null
    }

    fn bool(value: bool) -> Value {
        Value::Bool(value)
    }

    fn number(number: Literal<'_>) -> Value {
        match number {
            Literal::Integer(text) => match text.parse::<u64>() {
                Ok(number) => number.into(),
                Err(_) => text.parse::<i64>().map_or(Value::Null, Value::from),
            },
            // Not `str::parse::<f64>`: typed decoding reads the same text through serde_json,
            // which may differ in the last bit.
            Literal::Float(text) => text.parse::<Number>().map_or(Value::Null, Value::Number),
        }
    }

    fn string(raw: &str, escaped: bool) -> Value {
        Value::String(if escaped {
            unescape(raw)
        } else {
            raw.to_owned()
        })
    }

    fn item(array: &mut Vec<Value>, value: Value) {
        array.push(value);
    }

    fn member(object: &mut Map<String, Value>, key: &str, value: Value) {
        object.insert(key.to_owned(), value);
    }

    fn array(array: Vec<Value>) -> Value {
        Value::Array(array)
    }

    fn object(object: Map<String, Value>) -> Value {
        Value::Object(object)
    }
}

/// Decodes the escapes of a string that the scanner has accepted.
pub(super) fn unescape(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = rest.as_bytes().get(at + 1).copied().unwrap_or(b'\\');
        rest = rest.get(at + 2..).unwrap_or("");
        out.push(match escape {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let (c, used) = code_point(rest);
                rest = rest.get(used..).unwrap_or("");
                c
            }
            other => char::from(other),
        });
    }
    out.push_str(rest);
    out
}

/// The character of `XXXX`, or of the pair `XXXX\uXXXX`, and the bytes it took.
fn code_point(digits: &str) -> (char, usize) {
    let unit = |at: usize| {
        digits
            .get(at..at + 4)
            .and_then(|hex| u16::from_str_radix(hex, 16).ok())
            .unwrap_or(0xFFFD)
    };
    let first = unit(0);
    if (0xD800..0xDC00).contains(&first) {
        let pair = char::decode_utf16([first, unit(6)]).next();
        (
            pair.and_then(Result::ok)
                .unwrap_or(char::REPLACEMENT_CHARACTER),
            10,
        )
    } else {
        (
            char::from_u32(first.into()).unwrap_or(char::REPLACEMENT_CHARACTER),
            4,
        )
    }
}
