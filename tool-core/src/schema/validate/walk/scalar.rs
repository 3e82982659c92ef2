//! Strings and numbers.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::{Walk, limit};
use crate::schema::kinds::Kinds;
use crate::schema::pointer::Path;
use crate::schema::validate::violation::{Found, mismatch};
use crate::schema::validate::{compare, describe};

impl<'a> Walk<'a> {
    #[inline(never)]
    pub(super) fn string(
        &mut self,
        keywords: &'a Map<String, Value>,
        text: &str,
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        let length = || u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
        let fits = limit(keywords, "minLength").is_none_or(|min| length() >= min)
            && limit(keywords, "maxLength").is_none_or(|max| length() <= max)
            && ["pattern", "format"].into_iter().all(|keyword| {
                keywords
                    .get(keyword)
                    .is_none_or(|operand| self.leaves.holds(keyword, operand, value))
            });
        if !fits {
            found.add(|| {
                mismatch(
                    path,
                    describe::bounded(self.root, keywords, "string"),
                    value,
                )
            });
        }
    }

    #[inline(never)]
    pub(super) fn number(
        &mut self,
        schema: &'a Value,
        keywords: &'a Map<String, Value>,
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        let limit = |keyword: &str| keywords.get(keyword).filter(|limit| limit.is_number());
        let order = |keyword| limit(keyword).map(|limit| compare::order(value, limit));
        let fits = order("minimum").is_none_or(Ordering::is_ge)
            && order("maximum").is_none_or(Ordering::is_le)
            && order("exclusiveMinimum").is_none_or(Ordering::is_gt)
            && order("exclusiveMaximum").is_none_or(Ordering::is_lt)
            && limit("multipleOf")
                .is_none_or(|operand| self.leaves.holds("multipleOf", operand, value));
        if !fits {
            let kinds = Kinds::of_schema(&Value::Null, schema);
            let word = if kinds.intersects(Kinds::FRACTION) {
                "number"
            } else {
                "integer"
            };
            found.add(|| mismatch(path, describe::bounded(self.root, keywords, word), value));
        }
    }
}
