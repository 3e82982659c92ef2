//! Parameters: which types can be one, and how the arguments of a call become their values.
//!
//! Nothing is generated per tool but a table: the object of arguments is read by one generic
//! function over a list of slots, with each value decoded in place by its own type.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::value::Error as Absence;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Value;

use crate::error::{ToolError, code};
use crate::schema::canonical::{ParamSchema, Refinement};

/// A type that a model can give: it reads itself from JSON and describes itself as a JSON Schema.
///
/// Implemented for every such type; there is nothing to implement by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool parameter",
    label = "not a tool parameter type",
    note = "derive `serde::Deserialize` and `schemars::JsonSchema` for it; it must be `Send + Sync + 'static`"
)]
pub trait Parameter: Sized + Send + Sync + 'static {
    // Generated code names the type through these members alone: a bound anywhere else would report
    // one bad type twice.
    #[doc(hidden)]
    const TYPE: ParameterType;
    #[doc(hidden)]
    type Slot;
    #[doc(hidden)]
    const SLOT: Self::Slot;
    #[doc(hidden)]
    type Itself;
    #[doc(hidden)]
    fn whole(text: &str) -> Result<Self::Itself, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + Sync + 'static> Parameter for T {
    const TYPE: ParameterType = ParameterType {
        schema: |generator| generator.subschema_for::<T>(),
        name: T::schema_name,
        is_required: || absent::<T>().is_none(),
    };
    type Slot = Slot<T>;
    const SLOT: Slot<T> = Slot(None);
    type Itself = T;

    fn whole(text: &str) -> Result<T, ToolError> {
        decode_whole(text)
    }
}

/// What is known of a parameter's type without the type.
#[derive(Clone, Copy)]
pub struct ParameterType {
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
    pub(crate) name: fn() -> Cow<'static, str>,
    pub(crate) is_required: fn() -> bool,
}

/// A property of the arguments, as its declaration says.
pub struct Property {
    pub(crate) name: &'static str,
    docs: &'static str,
    ty: ParameterType,
    refine: Option<fn(&mut Refined)>,
}

impl Property {
    /// A property called `name`.
    pub const fn new(name: &'static str, docs: &'static str, ty: ParameterType) -> Self {
        Self { name, docs, ty, refine: None }
    }

    /// With what `#[arg]` says.
    #[must_use]
    pub const fn refined(mut self, refine: fn(&mut Refined)) -> Self {
        self.refine = Some(refine);
        self
    }

    /// The property as the schema of its object needs it. Evaluates the default.
    pub(crate) fn schema(
        &self,
        generator: &mut SchemaGenerator,
    ) -> Result<ParamSchema, serde_json::Error> {
        let mut refined = Refined::default();
        if let Some(refine) = self.refine {
            refine(&mut refined);
        }
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
#[derive(Default)]
pub struct Refined {
    title: Option<String>,
    examples: Vec<Value>,
    default: Option<Value>,
    refinements: Vec<Refinement>,
    failure: Option<serde_json::Error>,
}

impl Refined {
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

    /// The least and the greatest number, both included.
    pub fn range(&mut self, min: Option<impl Into<Value>>, max: Option<impl Into<Value>>) {
        let number = |value: Value| match value {
            Value::Number(number) => Some(number),
            _ => None,
        };
        let (min, max) = (min.map(Into::into), max.map(Into::into));
        let refinement =
            Refinement::Range { min: min.and_then(number), max: max.and_then(number) };
        self.refinements.push(refinement);
    }

    /// The least and the greatest length, both included.
    pub fn length(&mut self, min: Option<u64>, max: Option<u64>) {
        self.refinements.push(Refinement::Length { min, max });
    }

    /// A regular expression that a string must match somewhere.
    pub fn regex(&mut self, pattern: &str) {
        self.refinements.push(Refinement::Pattern(pattern.to_owned()));
    }

    fn json<T: Shown>(&mut self, value: T) -> Option<Value> {
        value.to_json().map_err(|error| self.failure = Some(error)).ok()
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

/// Where one parameter's value is put while the object is read.
pub struct Slot<T>(Option<T>);

/// The slots of a tool, as a list: `(Slot<A>, (Slot<B>, ()))`.
pub trait Slots {
    /// The values, as a list of the same shape.
    type Values;

    /// Reads a value into the slot at `index`; `false` if it is full.
    ///
    /// # Errors
    ///
    /// If the value does not fit the slot's type.
    fn fill<'de, M: MapAccess<'de>>(&mut self, index: usize, map: &mut M) -> Result<bool, M::Error>;

    /// The values; what is missing becomes what its type takes for missing.
    ///
    /// # Errors
    ///
    /// The first property that is missing and must not be.
    fn values(self, properties: &[Property]) -> Result<Self::Values, ToolError>;
}

impl Slots for () {
    type Values = ();

    fn fill<'de, M: MapAccess<'de>>(&mut self, _: usize, _: &mut M) -> Result<bool, M::Error> {
        Ok(false)
    }

    fn values(self, _: &[Property]) -> Result<(), ToolError> {
        Ok(())
    }
}

impl<T: DeserializeOwned, R: Slots> Slots for (Slot<T>, R) {
    type Values = (T, R::Values);

    fn fill<'de, M: MapAccess<'de>>(&mut self, index: usize, map: &mut M) -> Result<bool, M::Error> {
        if index > 0 {
            return self.1.fill(index - 1, map);
        }
        let empty = self.0.0.is_none();
        self.0.0 = Some(map.next_value()?);
        Ok(empty)
    }

    fn values(self, properties: &[Property]) -> Result<Self::Values, ToolError> {
        let (Slot(value), rest) = self;
        let (property, others) = match properties {
            [property, others @ ..] => (property.name, others),
            [] => ("", properties),
        };
        let value = match value {
            Some(value) => value,
            None => absent().ok_or_else(|| misfit(property, "missing"))?,
        };
        Ok((value, rest.values(others)?))
    }
}

/// Reads an object of arguments into slots, in one pass.
pub(crate) fn decode<S: Slots>(
    text: &str,
    properties: &[Property],
    mut slots: S,
) -> Result<S::Values, ToolError> {
    let mut at = None;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let object = Object { slots: &mut slots, properties, at: &mut at };
    let read = deserializer.deserialize_map(object).and_then(|()| deserializer.end());
    match read {
        Ok(()) => slots.values(properties),
        Err(error) => Err(misfit(at.unwrap_or_default(), &without_position(&error))),
    }
}

/// Reads all arguments as one value.
fn decode_whole<T: DeserializeOwned>(text: &str) -> Result<T, ToolError> {
    serde_json::from_str(text).or_else(|error| {
        // `()` and unit structs are `null` for serde; as arguments they are an empty object.
        let empty = serde_json::from_str::<Value>(text).is_ok_and(|value| value == serde_json::json!({}));
        let unit = if empty { serde_json::from_str("null").ok() } else { None };
        unit.ok_or_else(|| misfit("", &without_position(&error)))
    })
}

/// The value of a missing property, by serde's own rule: only a type that asks for an option has one.
fn absent<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(Absent).ok()
}

#[cold]
fn misfit(property: &str, what: &str) -> ToolError {
    if property.is_empty() {
        return ToolError::coded(code::INVALID_ARGS, what);
    }
    let property = property.replace('~', "~0").replace('/', "~1");
    ToolError::coded(code::INVALID_ARGS, format!("/{property}: {what}"))
}

/// The JSON path says where; a line and a column of one line say nothing.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&position).unwrap_or(&text).to_owned()
}

struct Object<'s, S> {
    slots: &'s mut S,
    properties: &'s [Property],
    at: &'s mut Option<&'static str>,
}

impl<'de, S: Slots> Visitor<'de> for Object<'_, S> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of arguments")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some(index) = map.next_key_seed(Key(self.properties))? {
            *self.at = Some(self.properties[index].name);
            if !self.slots.fill(index, &mut map)? {
                return Err(M::Error::custom("given twice"));
            }
            *self.at = None;
        }
        Ok(())
    }
}

/// A property's name, as its index.
#[derive(Clone, Copy)]
struct Key<'s>(&'s [Property]);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a property")
    }

    fn visit_str<E: serde::de::Error>(self, key: &str) -> Result<usize, E> {
        let index = self.0.iter().position(|property| property.name == key);
        index.ok_or_else(|| E::custom(format_args!("unknown property `{key}`")))
    }
}

/// Answers `None` to who asks for an option, and nothing to anybody else.
struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = Absence;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Absence> {
        Err(Absence::custom("missing"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Absence> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Pair = (<String as Parameter>::Slot, (<Option<u32> as Parameter>::Slot, ()));

    fn slots() -> Pair {
        (String::SLOT, (<Option<u32>>::SLOT, ()))
    }

    const PROPERTIES: &[Property] = &[
        Property::new("name", "", String::TYPE),
        Property::new("a/b", "", <Option<u32>>::TYPE),
    ];

    fn read(text: &str) -> Result<(String, Option<u32>), String> {
        decode(text, PROPERTIES, slots())
            .map(|(name, (limit, ()))| (name, limit))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn an_object_becomes_values() {
        assert_eq!(read(r#"{"name":"a","a/b":3}"#), Ok(("a".into(), Some(3))));
        assert_eq!(read(r#" { "a/b" : null , "n\u0061me" : "b" } "#), Ok(("b".into(), None)));
        assert_eq!(read(r#"{"name":"c"}"#), Ok(("c".into(), None)));
    }

    #[test]
    fn the_path_of_what_does_not_fit_is_named() {
        let error = |text: &str| read(text).unwrap_err();
        assert_eq!(error("{}"), "/name: missing");
        assert_eq!(error(r#"{"name":null}"#), "/name: invalid type: null, expected a string");
        assert_eq!(
            error(r#"{"name":"a","a/b":"x"}"#),
            "/a~1b: invalid type: string \"x\", expected u32"
        );
        assert_eq!(error(r#"{"name":"a","name":"b"}"#), "/name: given twice");
        assert_eq!(error(r#"{"nmae":"a"}"#), "unknown property `nmae`");
        assert_eq!(error("[]"), "invalid type: sequence, expected an object of arguments");
        assert_eq!(error(r#"{"name":"a"} 5"#), "trailing characters");
    }

    #[test]
    fn serde_decides_what_may_be_missing() {
        assert!((<Option<u32>>::TYPE.is_required)().eq(&false));
        assert!((<()>::TYPE.is_required)());
        assert!((Value::TYPE.is_required)());
        assert!((String::TYPE.is_required)());
    }

    #[test]
    fn unit_arguments_are_an_empty_object() {
        #[derive(serde::Deserialize, Debug, PartialEq)]
        struct Nothing;
        assert_eq!(decode_whole::<()>("{}"), Ok(()));
        assert_eq!(decode_whole::<Nothing>(" { } "), Ok(Nothing));
        assert!(decode_whole::<Nothing>(r#"{"a":1}"#).is_err());
        assert!(decode_whole::<u32>("{}").is_err());
    }
}
