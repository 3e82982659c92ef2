//! Arrays.

use serde_json::{Map, Value};

use super::{Walk, limit};
use crate::schema::pointer::Path;
use crate::schema::validate::violation::{Found, Violation, mismatch, show};
use crate::schema::validate::{compare, describe};

impl<'a> Walk<'a> {
    #[inline(never)]
    pub(super) fn array(
        &mut self,
        keywords: &'a Map<String, Value>,
        items: &[Value],
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        self.length(keywords, items, value, path, found);
        self.items(keywords, items, path, found);
        if let Some(schema) = keywords.get("contains") {
            self.contains(schema, keywords, items, value, path, found);
        }
    }

    #[inline(never)]
    fn length(
        &self,
        keywords: &Map<String, Value>,
        items: &[Value],
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        let length = u64::try_from(items.len()).unwrap_or(u64::MAX);
        if limit(keywords, "minItems").is_some_and(|min| length < min)
            || limit(keywords, "maxItems").is_some_and(|max| length > max)
        {
            found.add(|| Violation {
                got: format!(
                    "{length} {}: {}",
                    describe::units(length, "item", "s"),
                    show(value)
                ),
                ..mismatch(path, describe::bounded(self.root, keywords, "array"), value)
            });
        }
        if keywords.get("uniqueItems") == Some(&Value::Bool(true))
            && let Some(twice) = compare::repeated(items)
        {
            found.add(|| Violation {
                got: format!("{} twice", show(twice)),
                ..mismatch(path, "items that are all different".to_owned(), value)
            });
        }
    }

    #[inline(never)]
    fn items(
        &mut self,
        keywords: &'a Map<String, Value>,
        items: &[Value],
        path: &Path<'_>,
        found: &mut Found,
    ) {
        // An array under `items` is how older drafts write `prefixItems`.
        let (prefix, rest) = match (keywords.get("prefixItems"), keywords.get("items")) {
            (Some(Value::Array(prefix)), rest) => (prefix.as_slice(), rest),
            (None, Some(Value::Array(prefix))) => {
                (prefix.as_slice(), keywords.get("additionalItems"))
            }
            (_, rest) => (&[][..], rest),
        };
        for (index, item) in items.iter().enumerate() {
            if found.is_settled() {
                return;
            }
            if let Some(schema) = prefix.get(index).or(rest) {
                self.visit(schema, item, &path.index(index), found);
            }
        }
    }

    fn contains(
        &mut self,
        schema: &'a Value,
        keywords: &Map<String, Value>,
        items: &[Value],
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        let min = limit(keywords, "minContains").unwrap_or(1);
        let max = limit(keywords, "maxContains").unwrap_or(u64::MAX);
        let mut count = 0u64;
        for item in items {
            count += u64::from(self.holds(schema, item));
        }
        if count < min || count > max {
            let (bound, limit) = if count < min {
                ("least", min)
            } else {
                ("most", max)
            };
            found.add(|| {
                let item = describe::expected(self.root, schema);
                mismatch(
                    path,
                    format!("an array with at {bound} {limit} of: {item}"),
                    value,
                )
            });
        }
    }
}
