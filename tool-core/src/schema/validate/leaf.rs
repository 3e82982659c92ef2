//! The keywords that need an engine of their own: `pattern`, `format`, `multipleOf`.

#[cfg(feature = "jsonschema")]
pub(super) use with_engine::Leaves;
#[cfg(not(feature = "jsonschema"))]
pub(super) use without_engine::Leaves;

#[cfg(feature = "jsonschema")]
mod with_engine {
    use std::collections::HashMap;

    use jsonschema::Validator;
    use serde_json::{Map, Value};

    /// Compiled when first asked for, once per walk: nothing is asked while all is well.
    #[derive(Default)]
    pub(crate) struct Leaves {
        compiled: HashMap<(&'static str, String), Option<Validator>>,
    }

    impl Leaves {
        /// Whether `value` satisfies `{keyword: operand}`.
        pub(crate) fn holds(
            &mut self,
            keyword: &'static str,
            operand: &Value,
            value: &Value,
        ) -> bool {
            let validator = self
                .compiled
                .entry((keyword, operand.to_string()))
                .or_insert_with(|| {
                    let schema = Map::from_iter([(keyword.to_owned(), operand.clone())]);
                    super::super::options().build(&Value::Object(schema)).ok()
                });
            validator
                .as_ref()
                .is_none_or(|validator| validator.is_valid(value))
        }

        /// Whether a property name matches a pattern.
        pub(crate) fn matches(&mut self, pattern: &str, name: &str) -> bool {
            self.holds("pattern", &Value::from(pattern), &Value::from(name))
        }
    }
}

#[cfg(not(feature = "jsonschema"))]
mod without_engine {
    use serde_json::Value;

    #[derive(Default)]
    pub(crate) struct Leaves {}

    impl Leaves {
        /// `format` is an annotation here; the other keywords were refused at registration.
        #[expect(clippy::unused_self, reason = "has a cache where there is an engine")]
        pub(crate) fn holds(&mut self, keyword: &str, operand: &Value, value: &Value) -> bool {
            keyword != "multipleOf"
                || super::super::compare::is_multiple(value, operand) == Some(true)
        }

        #[expect(clippy::unused_self, reason = "has a cache where there is an engine")]
        pub(crate) fn matches(&mut self, pattern: &str, name: &str) -> bool {
            let digits = match pattern {
                r"^-?\d+$" => name.strip_prefix('-').unwrap_or(name),
                _ => name,
            };
            super::is_builtin(pattern)
                && !digits.is_empty()
                && digits.bytes().all(|byte| byte.is_ascii_digit())
        }
    }
}

/// The patterns schemars writes for maps with integer keys, decided without an engine.
#[cfg(not(feature = "jsonschema"))]
pub(super) fn is_builtin(pattern: &str) -> bool {
    matches!(pattern, r"^\d+$" | r"^-?\d+$")
}
