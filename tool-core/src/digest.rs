//! The digest of arguments: SHA-256 over canonical JSON.

use std::fmt::Write as _;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// The SHA-256, in hexadecimal, of `value` written compactly with every object's keys sorted.
pub(crate) fn sha256_hex(value: &Value) -> String {
    let mut canonical = String::new();
    write_canonical(value, &mut canonical);
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(canonical.as_bytes()) {
        // Writing into a `String` cannot fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// Sorted by hand: a `Map` keeps insertion order where any crate of the build asked for it.
fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            out.push('{');
            for (index, (key, value)) in entries.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write_canonical(value, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_canonical(item, out);
            }
            out.push(']');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_digest_does_not_depend_on_key_order() {
        let one: Value = serde_json::from_str(r#"{"b":[1,{"y":2,"x":1}],"a":null}"#).unwrap();
        let other: Value = serde_json::from_str(r#"{"a":null,"b":[1,{"x":1,"y":2}]}"#).unwrap();
        assert_eq!(sha256_hex(&one), sha256_hex(&other));
        assert_ne!(
            sha256_hex(&one),
            sha256_hex(&json!({"a": null, "b": [1, {"x": 1, "y": 3}]}))
        );
    }

    #[test]
    fn the_digest_is_the_sha_256_of_compact_json() {
        // printf '{}' | sha256sum
        assert_eq!(
            sha256_hex(&json!({})),
            "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
        );
    }
}
