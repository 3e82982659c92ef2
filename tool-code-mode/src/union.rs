//! How types are put together: unions, object types, literals.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::Value;

use crate::spell;
use crate::wide;

/// The alternatives of a union, each a type that needs no brackets in it.
pub(crate) struct Alternatives(pub(crate) Vec<String>);

impl Alternatives {
    pub(crate) fn one(ty: impl Into<String>) -> Self {
        Self(vec![ty.into()])
    }

    /// Without repetitions; `null` goes last.
    pub(crate) fn of(types: Vec<String>) -> Self {
        let mut any: Vec<String> = Vec::new();
        let (nulls, rest): (Vec<String>, Vec<String>) = types
            .into_iter()
            .partition(|ty| matches!(ty.as_str(), "null" | "undefined"));
        for ty in rest.into_iter().chain(nulls) {
            if !any.contains(&ty) {
                any.push(ty);
            }
        }
        Self(any)
    }

    pub(crate) fn joined(&self) -> String {
        if self.0.is_empty() {
            "never".to_owned()
        } else {
            self.0.join(" | ")
        }
    }

    /// As an operand of `[]`, `?` or `&`.
    pub(crate) fn enclosed(&self) -> String {
        match &self.0[..] {
            [ty] if !ty.contains(" & ") || ty.starts_with('{') || ty.starts_with('[') => ty.clone(),
            _ => format!("({})", self.joined()),
        }
    }
}

/// On one line where nothing is described, else one line each.
pub(crate) fn braced(lines: &[(String, String)], indent: usize) -> String {
    let short = lines
        .iter()
        .all(|(doc, line)| doc.is_empty() && !line.contains('\n'));
    let width: usize = lines.iter().map(|(_, line)| line.len() + 2).sum();
    if short && width <= 90 {
        let lines: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
        return format!("{{ {} }}", lines.join("; "));
    }
    let mut out = "{\n".to_owned();
    for (doc, line) in lines {
        let _ = writeln!(out, "{doc}{:indent$}  {line};", "");
    }
    let _ = write!(out, "{:indent$}}}", "");
    out
}

/// A JSON value as a literal type.
pub(crate) fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => spell::quoted(text),
        Value::Number(number) if wide::is_beyond_safe(number) => format!("\"{number}\""),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(literal).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(map) if map.is_empty() => "Record<string, never>".to_owned(),
        Value::Object(map) => {
            let keys: BTreeSet<&String> = map.keys().collect();
            let entries: Vec<String> = keys
                .into_iter()
                .map(|key| format!("{}: {}", spell::key(key), literal(&map[key])))
                .collect();
            format!("{{ {} }}", entries.join("; "))
        }
        value => value.to_string(),
    }
}
