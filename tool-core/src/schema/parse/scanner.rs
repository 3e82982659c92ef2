//! The grammar, once, for every [`Sink`].

use std::borrow::Cow;
use std::collections::HashSet;

use super::hint::{self, Place};
use super::sink::{Literal, Sink, unescape};
use super::{MAX_DEPTH, ParseError, ParseErrorKind};
use crate::schema::pointer;

/// Up to so many keys are compared one by one; beyond, a set keeps an object of a million keys
/// linear.
const FEW_KEYS: usize = 16;

/// A failure on its way out. Each container adds its step, so that nothing is tracked while all
/// is well.
pub(super) struct Failure {
    kind: ParseErrorKind,
    at: usize,
    message: String,
    hint: Option<&'static str>,
    steps: Vec<Step>,
}

enum Step {
    Key(String),
    Index(usize),
}

type Scanned<T> = Result<T, Box<Failure>>;

pub(super) struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// The keys of all open objects; each object owns the tail from where it started.
    keys: Vec<Cow<'a, str>>,
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

    fn peek(&self) -> Option<u8> {
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

    fn too_deep(&self) -> Box<Failure> {
        let message = format!("nested more than {MAX_DEPTH} levels deep");
        self.failure(ParseErrorKind::TooDeep, self.at, message, None)
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
        let mut many: Option<Box<HashSet<Cow<'a, str>>>> = None;
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(S::object(object));
        }
        loop {
            let key_at = self.at;
            let key = self.key()?;
            if self.is_repeated(&key, start, &mut many) {
                return Err(self.duplicate(key_at, &key));
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

    fn key(&mut self) -> Scanned<Cow<'a, str>> {
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
        key: &Cow<'a, str>,
        start: usize,
        many: &mut Option<Box<HashSet<Cow<'a, str>>>>,
    ) -> bool {
        let seen = &self.keys[start..];
        if seen.len() < FEW_KEYS {
            return seen.iter().any(|other| other == key);
        }
        !many
            .get_or_insert_with(|| Box::new(seen.iter().cloned().collect()))
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

    fn number(&mut self) -> Scanned<Literal<'a>> {
        let start = self.at;
        let negative = self.peek() == Some(b'-');
        self.at += usize::from(negative);
        let first = self.at;
        let mut magnitude = Some(0u64);
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            magnitude = magnitude
                .and_then(|m| m.checked_mul(10))
                .and_then(|m| m.checked_add(u64::from(digit - b'0')));
            self.at += 1;
        }
        let digits = self.at - first;
        if digits == 0 || digits > 1 && self.bytes[first] == b'0' {
            let place = if digits == 0 {
                Place::Digit
            } else {
                Place::LeadingZero
            };
            return Err(self.unexpected(place));
        }
        let mut is_integer = true;
        if self.peek() == Some(b'.') {
            is_integer = false;
            self.at += 1;
            self.digits()?;
        }
        let has_exponent = matches!(self.peek(), Some(b'e' | b'E'));
        if has_exponent {
            is_integer = false;
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        let text = &self.text[start..self.at];
        if is_integer {
            return self.integer(start, text, negative, magnitude);
        }
        // Without an exponent and with fewer digits, a number is below 1e300.
        let may_overflow = has_exponent || digits > 300;
        if may_overflow && !text.parse::<f64>().is_ok_and(f64::is_finite) {
            let message = format!("`{}` is too large a number", hint::shorten(text));
            return Err(self.failure(ParseErrorKind::Number, start, message, None));
        }
        Ok(Literal::Float(text))
    }

    fn integer(
        &self,
        start: usize,
        text: &'a str,
        negative: bool,
        magnitude: Option<u64>,
    ) -> Scanned<Literal<'a>> {
        let literal = match (negative, magnitude) {
            (false, Some(magnitude)) => Some(Literal::Positive(magnitude)),
            // A negative zero is a float to every reader.
            (true, Some(0)) => Some(Literal::Float(text)),
            (true, Some(magnitude)) => 0i64.checked_sub_unsigned(magnitude).map(Literal::Negative),
            (_, None) => None,
        };
        literal.ok_or_else(|| {
            let message = format!(
                "the integer `{}` needs more than 64 bits",
                hint::shorten(text)
            );
            let hint = Some("send it as a string if the schema allows one");
            self.failure(ParseErrorKind::Number, start, message, hint)
        })
    }

    fn digits(&mut self) -> Scanned<()> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == start {
            Err(self.unexpected(Place::Digit))
        } else {
            Ok(())
        }
    }

    #[cold]
    fn unexpected(&self, place: Place) -> Box<Failure> {
        let (kind, message, hint) = hint::explain(self.text, self.at, place);
        self.failure(kind, self.at, message, hint)
    }

    #[cold]
    fn duplicate(&self, at: usize, key: &str) -> Box<Failure> {
        let message = format!("the key {} is given twice", hint::quoted(key));
        let mut failure = self.failure(ParseErrorKind::DuplicateKey, at, message, None);
        failure.steps.push(Step::Key(key.to_owned()));
        failure
    }

    #[cold]
    #[expect(clippy::unused_self, reason = "reads as the scanner's verdict")]
    fn failure(
        &self,
        kind: ParseErrorKind,
        at: usize,
        message: String,
        hint: Option<&'static str>,
    ) -> Box<Failure> {
        Box::new(Failure {
            kind,
            at,
            message,
            hint,
            steps: Vec::new(),
        })
    }
}

impl Failure {
    fn inside(mut self: Box<Self>, step: Step) -> Box<Self> {
        self.steps.push(step);
        self
    }

    fn place(self, text: &str) -> ParseError {
        let before = &text[..floor(text, self.at)];
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        let mut path = String::new();
        for step in self.steps.iter().rev() {
            match step {
                Step::Key(key) => pointer::push(&mut path, key),
                Step::Index(index) => pointer::push_index(&mut path, *index),
            }
        }
        let Self {
            kind,
            message,
            hint,
            ..
        } = self;
        ParseError {
            kind,
            path,
            line,
            column,
            message,
            hint,
        }
    }
}

/// The nearest character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(0)
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
