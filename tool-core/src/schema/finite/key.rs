//! Map keys.

use std::fmt::{Display, Write as _};

use serde::ser::{self, Impossible, Serialize};

use super::{Checked, Failure};

/// Accepts the keys that `serde_json` turns into strings, and keeps them for the path.
pub(super) struct Key<'a> {
    pub(super) text: &'a mut String,
}

impl Key<'_> {
    #[expect(clippy::unnecessary_wraps, reason = "the result of every key")]
    fn is(self, key: impl Display) -> Checked {
        let _ = write!(self.text, "{key}");
        Ok(())
    }

    fn no<T>() -> Result<T, Box<Failure>> {
        Err(Box::new(Failure {
            what: "has a map key that is not a string in JSON".to_owned(),
            steps: Vec::new(),
        }))
    }
}

macro_rules! keys {
    ($($method:ident: $type:ty),* $(,)?) => {
        $(fn $method(self, key: $type) -> Checked { self.is(key) })*
    };
}

type Refused = Impossible<(), Box<Failure>>;

impl ser::Serializer for Key<'_> {
    type Ok = ();
    type Error = Box<Failure>;
    type SerializeSeq = Refused;
    type SerializeTuple = Refused;
    type SerializeTupleStruct = Refused;
    type SerializeTupleVariant = Refused;
    type SerializeMap = Refused;
    type SerializeStruct = Refused;
    type SerializeStructVariant = Refused;

    keys! {
        serialize_bool: bool,
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_u128: u128,
        serialize_char: char, serialize_str: &str,
    }

    fn serialize_f32(self, key: f32) -> Checked {
        if key.is_finite() {
            self.is(key)
        } else {
            Self::no()
        }
    }

    fn serialize_f64(self, key: f64) -> Checked {
        if key.is_finite() {
            self.is(key)
        } else {
            Self::no()
        }
    }

    fn serialize_bytes(self, _: &[u8]) -> Checked {
        Self::no()
    }

    fn serialize_none(self) -> Checked {
        Self::no()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, key: &T) -> Checked {
        key.serialize(self)
    }

    fn serialize_unit(self) -> Checked {
        Self::no()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Checked {
        Self::no()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Checked {
        self.is(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, key: &T) -> Checked {
        key.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Checked {
        Self::no()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Refused, Box<Failure>> {
        Self::no()
    }

    fn serialize_tuple(self, _: usize) -> Result<Refused, Box<Failure>> {
        Self::no()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Refused, Box<Failure>> {
        Self::no()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Refused, Box<Failure>> {
        Self::no()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Refused, Box<Failure>> {
        Self::no()
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Refused, Box<Failure>> {
        Self::no()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Refused, Box<Failure>> {
        Self::no()
    }

    fn collect_str<T: Display + ?Sized>(self, key: &T) -> Checked {
        self.is(key)
    }
}
