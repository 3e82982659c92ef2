//! References inside one schema document.

use serde_json::Value;

/// A schema, as the place that its `$ref`s start from.
#[derive(Clone, Copy)]
pub(crate) struct Document<'s> {
    root: &'s Value,
}

impl<'s> Document<'s> {
    pub(crate) fn new(root: &'s Value) -> Self {
        Self { root }
    }

    pub(crate) fn root(self) -> &'s Value {
        self.root
    }

    /// What `reference` names: `#`, `#/$defs/Node`, any JSON pointer into the document.
    pub(crate) fn target(self, reference: &str) -> Option<&'s Value> {
        let pointer = reference.strip_prefix('#')?;
        self.root.pointer(&percent_decoded(pointer))
    }

    /// `schema` and what it refers to or offers (`$ref`, `anyOf`, `oneOf`, `allOf`), all the way,
    /// each once and at most `limit`.
    pub(crate) fn alternatives(self, schema: &'s Value, limit: usize, into: &mut Vec<&'s Value>) {
        let mut open = vec![schema];
        while let Some(schema) = open.pop() {
            if into.len() >= limit || into.iter().any(|seen| std::ptr::eq(*seen, schema)) {
                continue;
            }
            into.push(schema);
            if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
                open.extend(self.target(reference));
            }
            for keyword in ["anyOf", "oneOf", "allOf"] {
                if let Some(Value::Array(parts)) = schema.get(keyword) {
                    open.extend(parts);
                }
            }
        }
    }
}

/// `#/$defs/a%20b` names `a b`.
fn percent_decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        if let Some(byte) = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            decoded.push(byte);
            at += 3;
        } else {
            decoded.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
