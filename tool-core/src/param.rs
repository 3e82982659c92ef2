//! Parameters: which types can be one, and how the arguments of a call become their values.
//!
//! Nothing is generated per tool but a table: the object of arguments is read by one function over
//! slots, with each value decoded in place by its own type.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::value::Error as Absence;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Value;

use crate::error::{ToolError, code};
use crate::schema::canonical::{ParamSchema, Refinement};

/// A type that a model can give: it reads itself from JSON and describes itself as a JSON Schema.
///
/// Implemented for every such type; there is nothing to implement by hand.
///
/// An internally tagged enum (`#[serde(tag = "t")]`) must not hold itself in a newtype variant,
/// `Not(Box<Expr>)`: its JSON would need the key `t` twice, and deriving its schema does not end.
/// Write `Not { inner: Box<Expr> }`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool parameter",
    label = "not a tool parameter type",
    note = "derive `serde::Deserialize` and `schemars::JsonSchema` for it; it must be `Send + Sync + 'static`"
)]
pub trait Parameter: Sized + Send + Sync + 'static {
    #[doc(hidden)]
    const WITNESS: Witness<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + Sync + 'static> Parameter for T {
    const WITNESS: Witness<T> = Witness {
        ty: ParameterType {
            schema: |generator| generator.subschema_for::<T>(),
            name: T::schema_name,
            is_required: || absent::<T>().is_none(),
        },
        read,
        absent,
        whole,
    };
}

/// What can be done with a parameter's type, without any bound on it.
///
/// All generated code gets it from one function, [`witness`]: a bound anywhere else would report
/// one bad type twice.
pub struct Witness<T> {
    pub(crate) ty: ParameterType,
    read: fn(&str) -> Result<(T, usize), serde_json::Error>,
    absent: fn() -> Option<T>,
    whole: fn(&str) -> Result<T, ToolError>,
}

/// The witness of a type, or the one error about it.
pub const fn witness<T: Parameter>() -> Witness<T> {
    T::WITNESS
}

impl<T> Witness<T> {
    /// An empty slot for a value.
    pub fn slot(self) -> Slot<T> {
        Slot {
            value: None,
            read: self.read,
            absent: self.absent,
        }
    }

    /// Reads all arguments as one value.
    ///
    /// # Errors
    ///
    /// What its `Deserialize` says.
    pub fn whole(self, text: &str) -> Result<T, ToolError> {
        (self.whole)(text)
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
        Self {
            name,
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
        let refinement = Refinement::Range {
            min: min.and_then(number),
            max: max.and_then(number),
        };
        self.refinements.push(refinement);
    }

    /// The least and the greatest length, both included.
    pub fn length(&mut self, min: Option<u64>, max: Option<u64>) {
        self.refinements.push(Refinement::Length { min, max });
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
pub struct Slot<T> {
    value: Option<T>,
    read: fn(&str) -> Result<(T, usize), serde_json::Error>,
    absent: fn() -> Option<T>,
}

impl<T> Slot<T> {
    /// The value.
    ///
    /// # Errors
    ///
    /// If the slot is empty, which [`decode`] does not leave behind.
    pub fn take(self) -> Result<T, ToolError> {
        self.value.ok_or_else(|| misfit("", "missing"))
    }
}

/// A slot behind its type.
pub trait AnySlot {
    /// Reads the value that `text` begins with; how far it reaches.
    ///
    /// # Errors
    ///
    /// If the value does not fit the slot's type.
    fn fill(&mut self, text: &str) -> Result<usize, serde_json::Error>;

    /// Fills an empty slot with what its type takes for missing; `false` if nothing does.
    fn fill_absent(&mut self) -> bool;

    /// Whether a value was read.
    fn is_full(&self) -> bool;
}

impl<T> AnySlot for Slot<T> {
    fn fill(&mut self, text: &str) -> Result<usize, serde_json::Error> {
        let (value, end) = (self.read)(text)?;
        self.value = Some(value);
        Ok(end)
    }

    fn fill_absent(&mut self) -> bool {
        self.value = self.value.take().or_else(self.absent);
        self.value.is_some()
    }

    fn is_full(&self) -> bool {
        self.value.is_some()
    }
}

/// Reads the value that `text` begins with.
fn read<T: DeserializeOwned>(text: &str) -> Result<(T, usize), serde_json::Error> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter();
    match values.next() {
        Some(value) => Ok((value?, values.byte_offset())),
        None => Err(serde_json::Error::custom("missing")),
    }
}

/// Reads an object of arguments into slots, in one pass: each value is read in place by its slot.
///
/// The object's own braces, commas and colons are read here and not by serde: a `MapAccess` is
/// generic over its deserializer, so that slots would need the bound of their type once more.
pub(crate) fn decode(
    text: &str,
    properties: &[Property],
    slots: &mut [&mut dyn AnySlot],
) -> Result<(), ToolError> {
    let mut object = Object { text, at: 0 };
    object.expect('{', "an object of arguments")?;
    let mut first = true;
    while !object.take('}') {
        if !std::mem::take(&mut first) {
            object.expect(',', "`,` or `}`")?;
        }
        object.skip_space();
        let key = object.key()?;
        object.expect(':', "`:`")?;
        object.skip_space();
        let Some(index) = properties.iter().position(|property| property.name == key) else {
            return Err(misfit("", &format!("unknown property `{key}`")));
        };
        if slots[index].is_full() {
            return Err(misfit(&key, "given twice"));
        }
        let read = slots[index].fill(object.rest());
        object.at += read.map_err(|error| misfit(&key, &without_position(&error)))?;
    }
    object.skip_space();
    if !object.rest().is_empty() {
        return Err(misfit("", "trailing characters"));
    }
    for (property, slot) in properties.iter().zip(slots) {
        if !slot.is_full() && !slot.fill_absent() {
            return Err(misfit(property.name, "missing"));
        }
    }
    Ok(())
}

/// A position in the text of an object.
struct Object<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Object<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        let rest = self.rest().trim_start_matches([' ', '\t', '\n', '\r']);
        self.at = self.text.len() - rest.len();
    }

    /// Passes over `wanted`, if it comes next.
    fn take(&mut self, wanted: char) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(wanted);
        self.at += usize::from(found);
        found
    }

    /// A key, borrowed unless it has escapes.
    fn key(&mut self) -> Result<Cow<'t, str>, ToolError> {
        let rest = self.rest();
        if let Some(inner) = rest.strip_prefix('"') {
            let special = |byte: u8| matches!(byte, b'"' | b'\\' | ..0x20);
            let end = inner.bytes().position(special);
            if let Some(end) = end.filter(|&end| inner.as_bytes()[end] == b'"') {
                self.at += end + 2;
                return Ok(Cow::Borrowed(&inner[..end]));
            }
        }
        let (key, end) = read::<String>(rest).map_err(|error| self.error(&error))?;
        self.at += end;
        Ok(Cow::Owned(key))
    }

    fn expect(&mut self, wanted: char, name: &str) -> Result<(), ToolError> {
        if self.take(wanted) {
            return Ok(());
        }
        Err(misfit("", &format!("expected {name} at byte {}", self.at)))
    }

    fn error(&self, error: &serde_json::Error) -> ToolError {
        misfit(
            "",
            &format!("{} at byte {}", without_position(error), self.at),
        )
    }
}

/// Reads all arguments as one value.
fn whole<T: DeserializeOwned>(text: &str) -> Result<T, ToolError> {
    serde_json::from_str(text).or_else(|error| {
        // `()` and unit structs are `null` for serde; as arguments they are an empty object.
        let empty = serde_json::from_str::<Value>(text)
            .is_ok_and(|value| value.as_object().is_some_and(serde_json::Map::is_empty));
        let unit = if empty {
            serde_json::from_str("null").ok()
        } else {
            None
        };
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

    const PROPERTIES: &[Property] = &[
        Property::new("name", "", String::WITNESS.ty),
        Property::new("a/b", "", <Option<u32>>::WITNESS.ty),
    ];

    fn read(text: &str) -> Result<(String, Option<u32>), String> {
        let mut name = String::WITNESS.slot();
        let mut limit = <Option<u32>>::WITNESS.slot();
        decode(text, PROPERTIES, &mut [&mut name, &mut limit])
            .and_then(|()| Ok((name.take()?, limit.take()?)))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn an_object_becomes_values() {
        assert_eq!(read(r#"{"name":"a","a/b":3}"#), Ok(("a".into(), Some(3))));
        assert_eq!(
            read(r#" { "a/b" : null , "n\u0061me" : "b" } "#),
            Ok(("b".into(), None))
        );
        assert_eq!(read(r#"{"name":"c"}"#), Ok(("c".into(), None)));
    }

    #[test]
    fn the_path_of_what_does_not_fit_is_named() {
        let error = |text: &str| read(text).unwrap_err();
        assert_eq!(error("{}"), "/name: missing");
        assert_eq!(
            error(r#"{"name":null}"#),
            "/name: invalid type: null, expected a string"
        );
        assert_eq!(
            error(r#"{"name":"a","a/b":"x"}"#),
            "/a~1b: invalid type: string \"x\", expected u32"
        );
        assert_eq!(error(r#"{"name":"a","name":"b"}"#), "/name: given twice");
        assert_eq!(error(r#"{"nmae":"a"}"#), "unknown property `nmae`");
        assert_eq!(error("[]"), "expected an object of arguments at byte 0");
        assert_eq!(error(""), "expected an object of arguments at byte 0");
        assert_eq!(error(r#"{"name":"a"} 5"#), "trailing characters");
        assert_eq!(
            error(r#"{"name":"a" "b":1}"#),
            "expected `,` or `}` at byte 12"
        );
        assert_eq!(error(r#"{"name" "a"}"#), "expected `:` at byte 8");
        assert_eq!(error(r#"{"name":"a",}"#), "expected value at byte 12");
        assert_eq!(error(r#"{"name":"a""#), "expected `,` or `}` at byte 11");
        assert_eq!(error(r#"{"name":"#), "/name: missing");
        assert_eq!(error("{"), "missing at byte 1");
    }

    #[test]
    fn serde_decides_what_may_be_missing() {
        assert!(!(<Option<u32>>::WITNESS.ty.is_required)());
        assert!((<()>::WITNESS.ty.is_required)());
        assert!((Value::WITNESS.ty.is_required)());
        assert!((String::WITNESS.ty.is_required)());
    }

    #[test]
    fn unit_arguments_are_an_empty_object() {
        #[derive(serde::Deserialize, Debug, PartialEq)]
        struct Nothing;
        assert_eq!(whole::<()>("{}"), Ok(()));
        assert_eq!(whole::<Nothing>(" { } "), Ok(Nothing));
        assert!(whole::<Nothing>(r#"{"a":1}"#).is_err());
        assert!(whole::<u32>("{}").is_err());
    }
}
