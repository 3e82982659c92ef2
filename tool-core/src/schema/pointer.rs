//! JSON pointers (RFC 6901): where something is, in a value or in a schema.

use std::fmt::Write as _;

use serde_json::Value;

/// Appends `/segment` to `pointer`, escaped.
pub(crate) fn push(pointer: &mut String, segment: &str) {
    pointer.push('/');
    for c in segment.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}

/// Appends `/index` to `pointer`.
pub(crate) fn push_index(pointer: &mut String, index: usize) {
    let _ = write!(pointer, "/{index}");
}

/// One step of a [`Path`].
#[derive(Clone, Copy)]
pub(crate) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// Where a walk is, as a list on the stack: nothing is allocated until somebody asks.
#[derive(Clone, Copy)]
pub(crate) struct Path<'a> {
    last: Option<(&'a Path<'a>, Step<'a>)>,
}

impl<'a> Path<'a> {
    pub(crate) const ROOT: Path<'static> = Path { last: None };

    #[must_use]
    pub(crate) fn key(&'a self, key: &'a str) -> Path<'a> {
        Path {
            last: Some((self, Step::Key(key))),
        }
    }

    #[must_use]
    pub(crate) fn index(&'a self, index: usize) -> Path<'a> {
        Path {
            last: Some((self, Step::Index(index))),
        }
    }

    /// The JSON pointer, `""` at the root.
    pub(crate) fn pointer(&self) -> String {
        let mut steps = Vec::new();
        let mut at = self;
        while let Some((parent, step)) = at.last {
            steps.push(step);
            at = parent;
        }
        let mut pointer = String::new();
        for step in steps.into_iter().rev() {
            match step {
                Step::Key(key) => push(&mut pointer, key),
                Step::Index(index) => push_index(&mut pointer, index),
            }
        }
        pointer
    }
}

/// What a reference inside a document points at: `#` or `#/…`, percent-decoded.
///
/// `None` for anything else (another document, an anchor) and for a place that does not exist.
pub(crate) fn resolve<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    let fragment = reference.strip_prefix('#')?;
    if fragment.contains('%') {
        root.pointer(&percent_decode(fragment)?)
    } else {
        root.pointer(fragment)
    }
}

/// The decoded pointer of a local reference: `#/$defs/a%20b` is `/$defs/a b`.
pub(crate) fn of_reference(reference: &str) -> Option<String> {
    let fragment = reference.strip_prefix('#')?;
    (fragment.is_empty() || fragment.starts_with('/')).then(|| percent_decode(fragment))?
}

fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first == b'%' {
            let [high, low, tail @ ..] = rest else {
                return None;
            };
            let digit = |b: u8| char::from(b).to_digit(16);
            bytes.push(u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()?);
            rest = tail;
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}
