//! Parameters: which types can be one, and what a tool says of each.

use std::any::Any;
use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Number, Value};

use crate::decode;
use crate::error::ToolError;
use crate::schema::canonical::{End, ParamSchema, Refinement};

/// A type that a model can give: it reads itself from JSON and describes itself as a JSON Schema.
///
/// Implemented for every such type; there is nothing to implement by hand. That it is `Send + Sync` is asked
/// of all parameters of a tool together, by [`Tool::Args`](crate::Tool::Args).
///
/// An internally tagged enum (`#[serde(tag = "t")]`) must not hold itself in a newtype variant,
/// `Not(Box<Expr>)`: its JSON would need the key `t` twice, and deriving its schema does not end.
/// Write `Not { inner: Box<Expr> }`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool parameter",
    label = "not a tool parameter type",
    note = "derive `serde::Deserialize` and `schemars::JsonSchema` for it; it must be `'static`",
    note = "context is taken by reference: `&RunContext`, `&State<T>`"
)]
pub trait Parameter: Sized + 'static {
    #[doc(hidden)]
    const WITNESS: &'static Witness<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + 'static> Parameter for T {
    const WITNESS: &'static Witness<T> = &Witness {
        ty: ParameterType {
            schema: |generator| generator.subschema_for::<T>(),
            name: T::schema_name,
            is_required: || decode::absent::<T>().is_none(),
            read: |text| decode::read::<T>(text).map(|(value, end)| (Box::new(value) as _, end)),
        },
        read: decode::read,
        absent: decode::absent,
        whole: decode::whole,
    };
}

/// What can be done with a parameter's type, without any bound on it.
///
/// All generated code gets it from one function, [`witness`]: a bound anywhere else would report
/// one bad type twice.
pub struct Witness<T> {
    pub(crate) ty: ParameterType,
    pub(crate) read: Reader<T>,
    pub(crate) absent: fn() -> Option<T>,
    pub(crate) whole: fn(&str) -> Result<T, ToolError>,
}

/// The witness of a type, or the one error about it.
pub const fn witness<T: Parameter>() -> &'static Witness<T> {
    T::WITNESS
}

/// Reads the value that a text begins with; how far it reaches comes back with it.
pub(crate) type Reader<T> = fn(&str) -> Result<(T, usize), serde_json::Error>;

/// What is known of a parameter's type without the type.
pub struct ParameterType {
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
    pub(crate) name: fn() -> Cow<'static, str>,
    pub(crate) is_required: fn() -> bool,
    pub(crate) read: Reader<Box<dyn Any>>,
}

/// A property of the arguments, as its declaration says.
pub struct Property {
    pub(crate) name: &'static str,
    /// Whether its name stands in JSON text as it is, without escapes.
    pub(crate) is_plain: bool,
    docs: &'static str,
    pub(crate) ty: &'static ParameterType,
    refine: Option<fn(&mut Refined)>,
}

impl Property {
    /// A property called `name`.
    pub const fn new(name: &'static str, docs: &'static str, ty: &'static ParameterType) -> Self {
        Self {
            name,
            is_plain: is_plain(name),
            docs,
            ty,
            refine: None,
        }
    }

    /// With what `#[arg]` says.
    #[must_use]
    pub const fn refined(mut self, refine: fn(&mut Refined)) -> Self {
        self.refine = Some(refine);
        self
    }

    pub(crate) fn is_refined(&self) -> bool {
        self.refine.is_some()
    }

    /// What `#[arg]` says, if it says anything. Evaluates the default.
    pub(crate) fn refinement(&self) -> Option<Refined> {
        let mut refined = Refined::default();
        self.refine?(&mut refined);
        Some(refined)
    }

    /// The property as the schema of its object needs it.
    pub(crate) fn schema(
        &self,
        refined: Option<Refined>,
        generator: &mut SchemaGenerator,
    ) -> Result<ParamSchema, serde_json::Error> {
        let refined = refined.unwrap_or_default();
        if let Some(error) = refined.failure {
            return Err(error);
        }
        Ok(ParamSchema {
            name: self.name.to_owned(),
            schema: (self.ty.schema)(generator).to_value(),
            required: refined.default.is_none() && (self.ty.is_required)(),
            description: (!self.docs.is_empty()).then(|| self.docs.to_owned()),
            title: refined.title,
            examples: refined.examples,
            default: refined.default,
            refinements: refined.refinements,
        })
    }
}

/// What `#[arg]` adds to a property. Filled in once, at registration.
#[derive(Debug, Default)]
pub struct Refined {
    title: Option<String>,
    examples: Vec<Value>,
    default: Option<Value>,
    refinements: Vec<Refinement>,
    failure: Option<serde_json::Error>,
}

impl Refined {
    /// What was evaluated; nothing if it cannot be shown.
    pub(crate) fn evaluated(&self) -> Option<(Option<&Value>, &[Value])> {
        match self.failure {
            None => Some((self.default.as_ref(), &self.examples)),
            Some(_) => None,
        }
    }

    /// A title for people.
    pub fn title(&mut self, title: &str) {
        self.title = Some(title.to_owned());
    }

    /// The value of an absent property.
    pub fn default_value<T: Shown>(&mut self, value: T) {
        self.default = self.json(value);
    }

    /// A value the model may take as a pattern.
    pub fn example<T: Shown>(&mut self, value: T) {
        let value = self.json(value);
        self.examples.extend(value);
    }

    /// The least and the greatest number: `1..=5`, `1..`.
    pub fn range(&mut self, min: Option<impl Into<Value>>, max: Option<impl Into<Value>>) {
        self.bound(min, max.and_then(number).map(End::Included));
    }

    /// The least number, and the first that is too great: `0.0..1.0`, `..10`.
    pub fn range_below(&mut self, min: Option<impl Into<Value>>, end: Option<impl Into<Value>>) {
        self.bound(min, end.and_then(number).map(End::Excluded));
    }

    fn bound(&mut self, min: Option<impl Into<Value>>, max: Option<End>) {
        let min = min.and_then(number);
        self.refinements.push(Refinement::Range { min, max });
    }

    /// The least and the greatest length: `1..=5`, `1..`.
    pub fn length(&mut self, min: Option<u64>, max: Option<u64>) {
        self.refinements.push(Refinement::Length { min, max });
    }

    /// The least length, and the first that is too great: `1..5`, `..5`.
    pub fn length_below(&mut self, min: Option<u64>, end: Option<u64>) {
        // No length is below zero, so that nothing is: refused with the schema.
        let (min, max) = match end {
            Some(0) => (min.max(Some(1)), Some(0)),
            end => (min, end.map(|end| end - 1)),
        };
        self.length(min, max);
    }

    /// A regular expression that a string must match somewhere.
    pub fn regex(&mut self, pattern: &str) {
        self.refinements
            .push(Refinement::Pattern(pattern.to_owned()));
    }

    fn json<T: Shown>(&mut self, value: T) -> Option<Value> {
        value
            .to_json()
            .map_err(|error| self.failure = Some(error))
            .ok()
    }
}

fn number(value: impl Into<Value>) -> Option<Number> {
    match value.into() {
        Value::Number(number) => Some(number),
        _ => None,
    }
}

/// A value that a schema can show: defaults and examples.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shown in a schema",
    label = "a default or an example is part of the schema",
    note = "derive `serde::Serialize` for it"
)]
pub trait Shown {
    /// The value as it is shown.
    ///
    /// # Errors
    ///
    /// What its `Serialize` says.
    fn to_json(self) -> Result<Value, serde_json::Error>;
}

#[diagnostic::do_not_recommend]
impl<T: serde::Serialize> Shown for T {
    fn to_json(self) -> Result<Value, serde_json::Error> {
        serde_json::to_value(self)
    }
}

/// Whether JSON text shows the characters as they are, always and by nothing else.
const fn is_plain(name: &str) -> bool {
    let bytes = name.as_bytes();
    let mut index = 0;
    while index < bytes.len() {
        if bytes[index] < b' ' || bytes[index] == b'"' || bytes[index] == b'\\' {
            return false;
        }
        index += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serde_decides_what_may_be_missing() {
        assert!(!(<Option<u32>>::WITNESS.ty.is_required)());
        assert!((<()>::WITNESS.ty.is_required)());
        assert!((Value::WITNESS.ty.is_required)());
        assert!((String::WITNESS.ty.is_required)());
    }

    #[test]
    fn plain_names_need_no_escapes() {
        assert!(is_plain("a/b é"));
        assert!(!is_plain("a\"b"));
        assert!(!is_plain("a\\b"));
        assert!(!is_plain("a\tb"));
    }
}
