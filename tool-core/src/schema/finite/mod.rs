//! Values that JSON cannot carry: `serde_json` writes `NaN` as `null` without a word.

mod key;

use std::fmt::{self, Display};

use serde::ser::{self, Serialize};

use self::key::Key;
use super::{MAX_DEPTH, pointer};

/// Refuses a value that would not arrive as what it is: `NaN` and infinities, integers beyond
/// `i64` and `u64`, map keys that are no strings in JSON, and nesting deeper than [`MAX_DEPTH`].
///
/// Nothing is written or allocated while all is well.
///
/// # Errors
///
/// The JSON pointer to the value, and what it is. An error of the type's own `Serialize` comes
/// out the same way.
pub(crate) fn check_finite<T: Serialize + ?Sized>(value: &T) -> Result<(), (String, String)> {
    value.serialize(Check { depth: 0 }).map_err(|failure| {
        let mut path = String::new();
        for step in failure.steps.iter().rev() {
            pointer::push(&mut path, step);
        }
        (path, failure.what)
    })
}

/// On its way out; each container adds its step.
#[derive(Debug)]
struct Failure {
    what: String,
    steps: Vec<String>,
}

type Checked = Result<(), Box<Failure>>;

fn fail(what: impl Into<String>) -> Checked {
    Err(Box::new(Failure {
        what: what.into(),
        steps: Vec::new(),
    }))
}

fn inside(checked: Checked, step: impl FnOnce() -> String) -> Checked {
    checked.map_err(|mut failure| {
        failure.steps.push(step());
        failure
    })
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Failure {}

/// serde wants one error type; boxed, so that a success is a null pointer.
impl ser::Error for Box<Failure> {
    fn custom<T: Display>(message: T) -> Self {
        Box::new(Failure {
            what: message.to_string(),
            steps: Vec::new(),
        })
    }
}

#[derive(Clone, Copy)]
struct Check {
    depth: usize,
}

impl Check {
    /// Enters a container.
    fn enter(self, variant: Option<&'static str>) -> Result<Inside, Box<Failure>> {
        // A variant's content stands in an object of its own.
        let depth = self.depth + 1 + usize::from(variant.is_some());
        if depth > MAX_DEPTH {
            fail(format!("is nested more than {MAX_DEPTH} levels deep"))?;
        }
        Ok(Inside {
            depth,
            variant,
            index: 0,
            key: String::new(),
        })
    }
}

/// The inside of an array or object.
struct Inside {
    depth: usize,
    variant: Option<&'static str>,
    index: usize,
    /// The key of the map entry whose value comes next.
    key: String,
}

impl Inside {
    fn check<T: Serialize + ?Sized>(&self, value: &T, step: impl FnOnce() -> String) -> Checked {
        let checked = inside(value.serialize(Check { depth: self.depth }), step);
        match self.variant {
            Some(variant) => inside(checked, || variant.to_owned()),
            None => checked,
        }
    }

    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Checked {
        let index = self.index;
        self.index += 1;
        self.check(value, || index.to_string())
    }
}

fn float(value: f64) -> Checked {
    if value.is_finite() {
        Ok(())
    } else {
        fail(format!("is {value}, which JSON cannot carry"))
    }
}

macro_rules! fine {
    ($($method:ident: $type:ty),* $(,)?) => {
        $(fn $method(self, _: $type) -> Checked { Ok(()) })*
    };
}

impl ser::Serializer for Check {
    type Ok = ();
    type Error = Box<Failure>;
    type SerializeSeq = Inside;
    type SerializeTuple = Inside;
    type SerializeTupleStruct = Inside;
    type SerializeTupleVariant = Inside;
    type SerializeMap = Inside;
    type SerializeStruct = Inside;
    type SerializeStructVariant = Inside;

    fine! {
        serialize_bool: bool,
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_char: char, serialize_str: &str, serialize_bytes: &[u8],
    }

    fn serialize_i128(self, value: i128) -> Checked {
        let fits = i64::try_from(value).is_ok() || u64::try_from(value).is_ok();
        if fits {
            Ok(())
        } else {
            fail(format!("is {value}, which needs more than 64 bits"))
        }
    }

    fn serialize_u128(self, value: u128) -> Checked {
        let fits = u64::try_from(value).is_ok();
        if fits {
            Ok(())
        } else {
            fail(format!("is {value}, which needs more than 64 bits"))
        }
    }

    fn serialize_f32(self, value: f32) -> Checked {
        float(value.into())
    }

    fn serialize_f64(self, value: f64) -> Checked {
        float(value)
    }

    fn serialize_none(self) -> Checked {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Checked {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Checked {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Checked {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Checked {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Checked {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Checked {
        self.enter(None)?.check(value, || variant.to_owned())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Inside, Box<Failure>> {
        self.enter(None)
    }

    fn serialize_tuple(self, _: usize) -> Result<Inside, Box<Failure>> {
        self.enter(None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Inside, Box<Failure>> {
        self.enter(None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Inside, Box<Failure>> {
        self.enter(Some(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Inside, Box<Failure>> {
        self.enter(None)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Inside, Box<Failure>> {
        self.enter(None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Inside, Box<Failure>> {
        self.enter(Some(variant))
    }

    /// What is formatted is a string.
    fn collect_str<T: Display + ?Sized>(self, _: &T) -> Checked {
        Ok(())
    }
}

macro_rules! sequence {
    ($($trait:ident::$method:ident),* $(,)?) => {
        $(impl ser::$trait for Inside {
            type Ok = ();
            type Error = Box<Failure>;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Checked {
                self.item(value)
            }

            fn end(self) -> Checked {
                Ok(())
            }
        })*
    };
}

sequence! {
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field,
}

macro_rules! structure {
    ($($trait:ident),* $(,)?) => {
        $(impl ser::$trait for Inside {
            type Ok = ();
            type Error = Box<Failure>;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Checked {
                self.check(value, || key.to_owned())
            }

            fn end(self) -> Checked {
                Ok(())
            }
        })*
    };
}

structure!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Inside {
    type Ok = ();
    type Error = Box<Failure>;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Checked {
        self.key.clear();
        key.serialize(Key {
            text: &mut self.key,
        })
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Checked {
        self.check(value, || self.key.clone())
    }

    fn end(self) -> Checked {
        Ok(())
    }
}
