//! How the arguments of a call become values: one pass over their text.
//!
//! Nothing is generated per tool but one `read` for each parameter, in the order of declaration. A
//! property that comes when it is asked for is read in place; one that comes earlier is kept in a
//! box until its turn.

use std::any::Any;
use std::borrow::Cow;

use serde::de::value::Error as Absence;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Value;

use crate::error::{ToolError, code};
use crate::param::{Property, Witness};

/// The arguments of a call, as JSON text, while a tool takes its parameters out of them.
///
/// The object's own braces, commas and colons are read here and not by serde: a `MapAccess` is
/// generic over its deserializer, so that each tool would be a `Visitor` of its own.
pub struct Source<'t> {
    text: &'t str,
    at: usize,
    place: Place,
    properties: &'static [Property],
    /// How many properties were asked for.
    asked: usize,
    /// Values that came before their turn, with the index of their property.
    kept: Vec<(usize, Box<dyn Any>)>,
    failure: Option<ToolError>,
}

/// Where in the object the next character is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before its `{`.
    Before,
    /// After one of its values.
    Inside,
    /// After its `}`.
    After,
}

/// How a property that was asked for is found.
enum Found {
    /// Its value comes next.
    Here,
    /// It came before its turn.
    Kept(Box<dyn Any>),
    /// The object has none.
    Absent,
}

impl<'t> Source<'t> {
    pub(crate) fn new(text: &'t str, properties: &'static [Property]) -> Self {
        Self {
            text,
            at: 0,
            place: Place::Before,
            properties,
            asked: 0,
            kept: Vec::new(),
            failure: None,
        }
    }

    /// The value of the next property, as the tool declares them. `None` ends the reading: what did
    /// not fit is kept for [`finish`](Self::finish).
    pub fn read<T: 'static>(&mut self, witness: &'static Witness<T>) -> Option<T> {
        match self.seek()? {
            Found::Here => {
                let read = (witness.read)(self.rest());
                self.took(read)
            }
            Found::Kept(value) => value.downcast().ok().map(|value| *value),
            Found::Absent => {
                let value = (witness.absent)();
                if value.is_none() {
                    self.fail(misfit(self.name(self.asked - 1), "missing"));
                }
                value
            }
        }
    }

    /// All arguments as one value.
    pub fn whole<T>(&mut self, witness: &'static Witness<T>) -> Option<T> {
        self.at = self.text.len();
        self.place = Place::After;
        let value = (witness.whole)(self.text);
        value.map_err(|error| self.fail(error)).ok()
    }

    /// What the tool has read, if that was all there is.
    ///
    /// # Errors
    ///
    /// The first thing that does not fit.
    pub(crate) fn finish<A>(mut self, read: Option<A>) -> Result<A, ToolError> {
        if let Some(read) = read {
            match self.key(None) {
                Ok(None) => return Ok(read),
                // Every property was asked for, so this one was there before.
                Ok(Some(index)) => self.fail(misfit(self.name(index), "given twice")),
                Err(error) => self.fail(error),
            }
        }
        let missing = || misfit("", "missing");
        Err(self.failure.unwrap_or_else(missing))
    }

    /// Goes on to the value of the next property.
    fn seek(&mut self) -> Option<Found> {
        let wanted = self.asked;
        self.asked += 1;
        if !self.kept.is_empty() {
            let kept = self.kept.iter().position(|(index, _)| *index == wanted);
            if let Some(kept) = kept {
                return Some(Found::Kept(self.kept.swap_remove(kept).1));
            }
        }
        if self.comes_as_usual(wanted) {
            return Some(Found::Here);
        }
        loop {
            let index = match self.key(Some(wanted)) {
                Ok(Some(index)) => index,
                Ok(None) => return Some(Found::Absent),
                Err(error) => {
                    self.fail(error);
                    return None;
                }
            };
            if index == wanted {
                return Some(Found::Here);
            }
            if index < wanted || self.kept.iter().any(|(kept, _)| *kept == index) {
                self.fail(misfit(self.name(index), "given twice"));
                return None;
            }
            // Kept as a value, not as a place in the text: no text is read twice.
            let read = (self.properties[index].ty.read)(self.rest());
            let value = self.took_at(read, index)?;
            self.kept.push((index, value));
        }
    }

    /// Passes over the next key and its colon; `None` at the end of the object.
    fn key(&mut self, wanted: Option<usize>) -> Result<Option<usize>, ToolError> {
        match self.place {
            Place::After => return self.end(),
            Place::Before => self.expect(b'{', "an object of arguments")?,
            Place::Inside => {}
        }
        if self.take(b'}') {
            self.place = Place::After;
            return self.end();
        }
        if self.place == Place::Inside {
            self.expect(b',', "`,` or `}`")?;
        }
        self.place = Place::Inside;
        self.skip_space();
        let index = match wanted.filter(|wanted| self.takes_name(*wanted)) {
            Some(wanted) => wanted,
            None => self.any_name()?,
        };
        self.expect(b':', "`:`")?;
        self.skip_space();
        Ok(Some(index))
    }

    /// Passes over a key that is written as most are: the one that is wanted, and no space before
    /// its colon. It passes over that and nothing else; the long way does the rest.
    fn comes_as_usual(&mut self, wanted: usize) -> bool {
        let before = match self.place {
            Place::Before => b'{',
            Place::Inside => b',',
            Place::After => return false,
        };
        let Some(property) = self.properties.get(wanted).filter(|it| it.is_plain) else {
            return false;
        };
        let rest = &self.text.as_bytes()[self.at..];
        let name = property.name.as_bytes();
        let end = 2 + name.len();
        // Byte by byte: a pattern of two would be put together first.
        let is_usual = rest.len() > end + 1
            && rest[0] == before
            && rest[1] == b'"'
            && rest[end] == b'"'
            && rest[end + 1] == b':'
            && &rest[2..end] == name;
        if is_usual {
            self.at += end + 2;
            self.place = Place::Inside;
        }
        is_usual
    }

    /// Passes over the name of a property in quotes, if that comes next.
    fn takes_name(&mut self, wanted: usize) -> bool {
        let Some(property) = self.properties.get(wanted).filter(|it| it.is_plain) else {
            return false;
        };
        let rest = self.rest().strip_prefix('"');
        let rest = rest.and_then(|rest| rest.strip_prefix(property.name));
        let Some(rest) = rest.and_then(|rest| rest.strip_prefix('"')) else {
            return false;
        };
        self.at = self.text.len() - rest.len();
        true
    }

    fn any_name(&mut self) -> Result<usize, ToolError> {
        let (key, end) = match plain_key(self.rest()) {
            Some(key) => (Cow::Borrowed(key), key.len() + 2),
            None => {
                let (key, end) = read::<String>(self.rest()).map_err(|error| {
                    let at = self.at;
                    misfit("", &format!("{} at byte {at}", without_position(&error)))
                })?;
                (Cow::Owned(key), end)
            }
        };
        self.at += end;
        let known = self.properties.iter().position(|known| known.name == key);
        known.ok_or_else(|| misfit("", &format!("unknown property `{key}`")))
    }

    fn end(&mut self) -> Result<Option<usize>, ToolError> {
        self.skip_space();
        match self.rest().is_empty() {
            true => Ok(None),
            false => Err(misfit("", "trailing characters")),
        }
    }

    fn took<T>(&mut self, read: Result<(T, usize), serde_json::Error>) -> Option<T> {
        self.took_at(read, self.asked - 1)
    }

    fn took_at<T>(
        &mut self,
        read: Result<(T, usize), serde_json::Error>,
        index: usize,
    ) -> Option<T> {
        match read {
            Ok((value, end)) => {
                self.at += end;
                Some(value)
            }
            Err(error) => {
                self.fail(misfit(self.name(index), &without_position(&error)));
                None
            }
        }
    }

    fn name(&self, index: usize) -> &'static str {
        self.properties
            .get(index)
            .map_or("", |property| property.name)
    }

    fn fail(&mut self, error: ToolError) {
        self.failure.get_or_insert(error);
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = bytes.get(self.at) {
            self.at += 1;
        }
    }

    /// Passes over `wanted`, if it comes next.
    fn take(&mut self, wanted: u8) -> bool {
        self.skip_space();
        let found = self.text.as_bytes().get(self.at) == Some(&wanted);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, wanted: u8, name: &str) -> Result<(), ToolError> {
        if self.take(wanted) {
            return Ok(());
        }
        Err(misfit("", &format!("expected {name} at byte {}", self.at)))
    }
}

/// A key without escapes at the beginning of `text`.
fn plain_key(text: &str) -> Option<&str> {
    let (key, _) = text.strip_prefix('"')?.split_once('"')?;
    let is_plain = key.bytes().all(|byte| byte >= b' ' && byte != b'\\');
    is_plain.then_some(key)
}

/// Reads the value that `text` begins with.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<(T, usize), serde_json::Error> {
    let mut source = serde_json::Deserializer::from_str(text);
    let value = T::deserialize(&mut source)?;
    Ok((value, source.into_iter::<Value>().byte_offset()))
}

/// Reads all arguments as one value.
pub(crate) fn whole<T: DeserializeOwned>(text: &str) -> Result<T, ToolError> {
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
pub(crate) fn absent<T: DeserializeOwned>() -> Option<T> {
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
mod tests;
