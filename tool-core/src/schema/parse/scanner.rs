//! The grammar, once, for every [`Sink`].

use std::borrow::Cow;
use std::collections::HashSet;

use super::failure::{Failure, Scanned, Step};
use super::hint::{self, Place};
use super::sink::{Sink, unescape};
use super::{MAX_DEPTH, ParseError, ParseErrorKind};

/// Up to so many keys are compared one by one; beyond, a set keeps an object of a million keys
/// linear.
const FEW_KEYS: usize = 16;

/// A decoded key; borrowed if it has no escapes.
type Key<'a> = Cow<'a, str>;

pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// The keys of all open objects; each object owns the tail from where it started.
    keys: Vec<Key<'a>>,
}

/// What lies between the quotes of a string.
#[derive(Clone, Copy)]
struct Quoted<'a> {
    raw: &'a str,
    escaped: bool,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at: 0,
            keys: Vec::with_capacity(FEW_KEYS),
        }
    }

    /// One value and nothing after it.
    pub(super) fn document<S: Sink>(mut self) -> Result<S::Value, ParseError> {
        self.whole::<S>()
            .map_err(|failure| failure.place(self.text))
    }

    fn whole<S: Sink>(&mut self) -> Scanned<S::Value> {
        self.space();
        let value = self.value::<S>(0)?;
        self.space();
        if self.at == self.bytes.len() {
            Ok(value)
        } else {
            Err(self.unexpected(Place::End))
        }
    }

    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline]
    fn space(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn value<S: Sink>(&mut self, depth: usize) -> Scanned<S::Value> {
        match self.peek() {
            Some(b'"') => {
                let Quoted { raw, escaped } = self.string()?;
                Ok(S::string(raw, escaped))
            }
            Some(b'{') => self.object::<S>(depth + 1),
            Some(b'[') => self.array::<S>(depth + 1),
            Some(b'-' | b'0'..=b'9') => self.number().map(S::number),
            Some(b't') => self.word("true").map(|()| S::bool(true)),
            Some(b'f') => self.word("false").map(|()| S::bool(false)),
            Some(b'n') => self.word("null").map(|()| S::null()),
            _ => Err(self.unexpected(Place::Value)),
        }
    }

    fn word(&mut self, word: &'static str) -> Scanned<()> {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(word.as_bytes()) {
            self.at += word.len();
            return Ok(());
        }
        if word.as_bytes().starts_with(rest) {
            self.at = self.bytes.len();
        }
        Err(self.unexpected(Place::Value))
    }

    fn too_deep(&self) -> Failure {
        let message = format!("nested more than {MAX_DEPTH} levels deep");
        Failure::new(ParseErrorKind::TooDeep, self.at, message, None)
    }

    fn array<S: Sink>(&mut self, depth: usize) -> Scanned<S::Value> {
        if depth > MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.at += 1;
        let mut array = S::Array::default();
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(S::array(array));
        }
        let mut index = 0;
        loop {
            match self.value::<S>(depth) {
                Ok(value) => S::item(&mut array, value),
                Err(failure) => return Err(failure.inside(Step::Index(index))),
            }
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.unexpected(Place::AfterItem)),
            }
            self.space();
            index += 1;
            if self.peek() == Some(b']') {
                return Err(self.unexpected(Place::TrailingComma));
            }
        }
        self.at += 1;
        Ok(S::array(array))
    }

    fn object<S: Sink>(&mut self, depth: usize) -> Scanned<S::Value> {
        if depth > MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.at += 1;
        let mut object = S::Object::default();
        let start = self.keys.len();
        let mut many: Option<HashSet<Key<'a>>> = None;
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(S::object(object));
        }
        loop {
            let key_at = self.at;
            let key = self.key()?;
            if self.is_repeated(&key, start, &mut many) {
                return Err(Failure::duplicate(key_at, &key));
            }
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.unexpected(Place::AfterKey));
            }
            self.at += 1;
            self.space();
            match self.value::<S>(depth) {
                Ok(value) => S::member(&mut object, &key, value),
                Err(failure) => return Err(failure.inside(Step::Key(key.into_owned()))),
            }
            if many.is_none() {
                self.keys.push(key);
            }
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.unexpected(Place::AfterMember)),
            }
            self.space();
            if self.peek() == Some(b'}') {
                return Err(self.unexpected(Place::TrailingComma));
            }
        }
        self.at += 1;
        self.keys.truncate(start);
        Ok(S::object(object))
    }

    fn key(&mut self) -> Scanned<Key<'a>> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected(Place::Key));
        }
        let Quoted { raw, escaped } = self.string()?;
        Ok(if escaped {
            Cow::Owned(unescape(raw))
        } else {
            Cow::Borrowed(raw)
        })
    }

    /// Whether the object whose keys start at `start` has this key already.
    #[inline]
    fn is_repeated(
        &self,
        key: &Key<'a>,
        start: usize,
        many: &mut Option<HashSet<Key<'a>>>,
    ) -> bool {
        let seen = &self.keys[start..];
        if seen.len() < FEW_KEYS {
            return seen.iter().any(|other| other == key);
        }
        !many
            .get_or_insert_with(|| seen.iter().cloned().collect())
            .insert(key.clone())
    }

    /// A string, from its opening quote. Escapes are checked, not decoded.
    fn string(&mut self) -> Scanned<Quoted<'a>> {
        let start = self.at + 1;
        self.at = start;
        let mut escaped = false;
        loop {
            self.at += plain_bytes(&self.bytes[self.at..]);
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.escape()?;
                }
                Some(_) => return Err(self.unexpected(Place::ControlCharacter)),
                None => return Err(self.unexpected(Place::InString)),
            }
        }
        let raw = &self.text[start..self.at];
        self.at += 1;
        Ok(Quoted { raw, escaped })
    }

    fn escape(&mut self) -> Scanned<()> {
        match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
            Some(b'u') => {
                let first = self.unit()?;
                let is_pair = (0xD800..0xDC00).contains(&first);
                let low = if is_pair && self.bytes[self.at..].starts_with(b"\\u") {
                    self.unit()?
                } else if is_pair && b"\\u".starts_with(&self.bytes[self.at..]) {
                    self.at = self.bytes.len();
                    return Err(self.unexpected(Place::InString));
                } else {
                    0
                };
                if (0xDC00..0xE000).contains(&first) || is_pair && !(0xDC00..0xE000).contains(&low)
                {
                    return Err(self.unexpected(Place::Surrogate));
                }
            }
            Some(_) => return Err(self.unexpected(Place::Escape)),
            None => {
                self.at = self.bytes.len();
                return Err(self.unexpected(Place::InString));
            }
        }
        Ok(())
    }

    /// The four hex digits of `\uXXXX`.
    fn unit(&mut self) -> Scanned<u32> {
        let mut unit = 0;
        for at in self.at + 2..self.at + 6 {
            let Some(&byte) = self.bytes.get(at) else {
                self.at = self.bytes.len();
                return Err(self.unexpected(Place::InString));
            };
            let Some(digit) = char::from(byte).to_digit(16) else {
                return Err(self.unexpected(Place::Escape));
            };
            unit = unit * 16 + digit;
        }
        self.at += 6;
        Ok(unit)
    }

    #[cold]
    pub(super) fn unexpected(&self, place: Place) -> Failure {
        let (kind, message, hint) = hint::explain(self.text, self.at, place);
        Failure::new(kind, self.at, message, hint)
    }
}

/// How many bytes up to the first `"`, `\` or control character, eight at a time.
#[inline]
fn plain_bytes(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    // The high bit of each zero byte; bytes above the first zero may be marked wrongly.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    let mut count = 0;
    let (words, _) = bytes.as_chunks::<8>();
    for word in words {
        let word = u64::from_le_bytes(*word);
        let control = word.wrapping_sub(ONES * 0x20) & !word & HIGH;
        let stop = control | zeros(word ^ (ONES * 0x22)) | zeros(word ^ (ONES * 0x5C));
        if stop != 0 {
            return count + (stop.trailing_zeros() / 8) as usize;
        }
        count += 8;
    }
    let plain = |byte: &&u8| **byte >= 0x20 && **byte != b'"' && **byte != b'\\';
    count + bytes[count..].iter().take_while(plain).count()
}
