//! The compiled form of a schema, and what is wrong with a value that does not fit it.
//!
//! With the `jsonschema` feature (on by default) the verdict is that of the `jsonschema` crate,
//! for JSON Schema 2020-12 with `format` asserted. Without it a built-in validator decides, which
//! knows all of 2020-12 but `pattern`, `patternProperties` (other than schemars writes for integer
//! keys), `unevaluatedItems` and fractional `multipleOf`: a schema that uses those is refused, and
//! `format` is an annotation. Validation is never silently off.

mod compare;
mod describe;
// In tests the `jsonschema` crate is the judge in any case.
#[cfg(any(test, feature = "jsonschema"))]
pub(crate) mod format;
mod hostile;
mod leaf;
mod nearest;
#[cfg(all(test, feature = "jsonschema"))]
mod tests;
mod union;
mod violation;
mod walk;

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

pub(crate) use self::compare::numbers as compare_numbers;
#[cfg(test)]
pub(crate) use self::compare::order as compare_values;
pub(crate) use self::nearest::nearest;
#[cfg(feature = "jsonschema")]
pub(crate) use self::violation::Violation;
pub(crate) use self::violation::{Elided, Violations, show};
use self::violation::{Found, mismatch};
use self::walk::Walk;
use super::arms;
use super::pointer::Path;
#[cfg(feature = "jsonschema")]
use super::positions;

/// Why a schema is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SchemaError {
    /// JSON pointer into the schema, `""` at the root.
    pub(crate) path: String,
    /// In lower case, without a full stop.
    pub(crate) reason: String,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}: {}", Elided(&self.path), self.reason)
    }
}

impl std::error::Error for SchemaError {}

/// A schema that has been found harmless, ready to validate values.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    schema: Arc<Value>,
    #[cfg(feature = "jsonschema")]
    engine: Arc<jsonschema::Validator>,
}

impl Compiled {
    /// Checks and compiles a schema. Nothing is fetched.
    ///
    /// # Errors
    ///
    /// Refuses what cannot be enforced in bounded time and memory: references that are remote,
    /// lead nowhere or run in circles, unknown `type` words, invalid patterns, schemas of more
    /// than 5 MB or 100,000 JSON values.
    pub(crate) fn new(schema: impl Into<Arc<Value>>) -> Result<Self, SchemaError> {
        let schema = schema.into();
        hostile::check(&schema)?;
        Ok(Self {
            #[cfg(feature = "jsonschema")]
            engine: Arc::new(engine(&schema)?),
            schema,
        })
    }

    /// The same for the parameters of a tool, which have an object root.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and if the root is not an object.
    pub(crate) fn parameters(schema: impl Into<Arc<Value>>) -> Result<Self, SchemaError> {
        let schema = schema.into();
        check_object_root(&schema)?;
        Self::new(schema)
    }

    /// What fits, in one line: `{"city": string, "unit"?: "Celsius" | "Kelvin"}`.
    pub(crate) fn shape(&self) -> String {
        describe::shape(&self.schema, &self.schema)
    }

    /// The schema as it was given.
    pub(crate) fn schema(&self) -> &Arc<Value> {
        &self.schema
    }

    /// Whether the value fits.
    ///
    /// The value must not be nested deeper than [`MAX_DEPTH`](super::MAX_DEPTH).
    pub(crate) fn is_valid(&self, value: &Value) -> bool {
        #[cfg(feature = "jsonschema")]
        return self.engine.is_valid(value);
        #[cfg(not(feature = "jsonschema"))]
        self.walk(value, Found::probe()).is_fine()
    }

    /// Whether the value fits, and everything that is wrong with it if not.
    ///
    /// The value must not be nested deeper than [`MAX_DEPTH`](super::MAX_DEPTH).
    ///
    /// # Errors
    ///
    /// All violations: the first 16 spelt out, the rest counted.
    pub(crate) fn check(&self, value: &Value) -> Result<(), Violations> {
        if self.is_valid(value) {
            Ok(())
        } else {
            Err(self.explain(value))
        }
    }

    #[cold]
    fn explain(&self, value: &Value) -> Violations {
        let mut found = self.walk(value, Found::report());
        if found.total == 0 {
            self.unexplained(value, &mut found);
        }
        Violations {
            more: found.total - found.listed.len(),
            listed: found.listed,
            shape: self.shape(),
        }
    }

    /// The built-in validator.
    fn walk(&self, value: &Value, mut found: Found) -> Found {
        let mut walk = Walk::new(&self.schema);
        walk.visit(&self.schema, value, &Path::ROOT, &mut found);
        // Nobody knows, which is no yes.
        found.gave_up = walk.is_exhausted() && found.total == 0;
        found
    }

    /// The verdict is no, for a reason that the built-in validator does not know.
    fn unexplained(&self, value: &Value, found: &mut Found) {
        let expected = if found.gave_up {
            "a value that is nested less deep"
        } else {
            "a value that fits the schema"
        };
        self.ask_engine(value, found);
        if found.total == 0 {
            found.add(|| mismatch(&Path::ROOT, expected.to_owned(), value));
        }
    }

    /// What the engine calls wrong, in its words.
    #[cfg(feature = "jsonschema")]
    fn ask_engine(&self, value: &Value, found: &mut Found) {
        // It collects errors with copies of values and deep frames.
        const MAX_DEPTH_TO_ASK: usize = 16;
        if super::parse::depth(value) > MAX_DEPTH_TO_ASK {
            return;
        }
        for error in self.engine.iter_errors(value).take(violation::MAX_LISTED) {
            found.add(|| Violation {
                path: error.instance_path().to_string(),
                expected: format!("what `{}` allows", error.kind().keyword()),
                ..mismatch(&Path::ROOT, String::new(), error.instance())
            });
        }
    }

    #[cfg(not(feature = "jsonschema"))]
    #[expect(clippy::unused_self, reason = "has an engine with the feature")]
    fn ask_engine(&self, _: &Value, _: &mut Found) {}
}

/// Whether `value` satisfies `schema`, a part of the document `root`, for all the built-in validator
/// knows: `pattern` is not looked at.
pub(crate) fn holds(root: &Value, schema: &Value, value: &Value) -> bool {
    let mut walk = Walk::new(root);
    walk.holds(schema, value) && !walk.is_exhausted()
}

/// Refuses parameters whose root is not an object: a call's arguments always are one.
///
/// # Errors
///
/// Says what the root is instead.
pub(crate) fn check_object_root(schema: &Value) -> Result<(), SchemaError> {
    let mut root = schema;
    // A root that is only a reference is as good as its target; circles end by the count.
    for _ in 0..16 {
        let target = root
            .as_object()
            .and_then(|keywords| arms::reference(schema, keywords));
        match target {
            Some(target) if root.get("type").is_none() => root = target,
            _ => break,
        }
    }
    match root.get("type") {
        Some(Value::String(word)) if word == "object" => Ok(()),
        Some(other) => Err(SchemaError {
            path: "/type".to_owned(),
            reason: format!("the root must be of type \"object\", not {}", show(other)),
        }),
        None => Err(SchemaError {
            path: String::new(),
            reason: "the root must say `\"type\": \"object\"`".to_owned(),
        }),
    }
}

/// 2020-12 unless the schema names another draft; formats asserted; nothing fetched.
#[cfg(feature = "jsonschema")]
fn options<'i>() -> jsonschema::ValidationOptions<'i> {
    let options = jsonschema::options()
        .offline()
        .should_validate_formats(true);
    format::OWN
        .into_iter()
        .fold(options, |options, (name, check)| {
            options.with_format(name, check)
        })
}

/// The engine keeps a copy of what it was given, so it is given no texts. Unless a reference leads
/// into one: then it gets the whole.
#[cfg(feature = "jsonschema")]
fn engine(schema: &Value) -> Result<jsonschema::Validator, SchemaError> {
    let bare = positions::without_annotations(schema);
    let built = options().build(&bare).or_else(|_| options().build(schema));
    built.map_err(|error| SchemaError {
        path: error.instance_path().to_string(),
        reason: first_line(&error.to_string()),
    })
}

#[cfg(feature = "jsonschema")]
fn first_line(text: &str) -> String {
    Elided(text.lines().next().unwrap_or_default()).to_string()
}
