//! How deep a program could nest, read off its characters before it is parsed.
//!
//! The parser recurses, so a program of a hundred thousand `(` needs a hundred thousand frames.
//! Every level of nesting costs at least one of the characters or words counted here, so their
//! number bounds the depth, and the thread gets a stack that is large enough for the worst. Memory
//! is only taken for what is really used.

use crate::failure::{Failure, FailureKind};

/// Bytes of stack that one level may need, measured over all constructs with the newest parser.
const LEVEL: usize = if cfg!(debug_assertions) {
    12 << 10
} else {
    3 << 10
};

/// So many openers a program may have: more is no program but data.
const MOST: usize = 50_000;

/// So many bytes.
const LARGEST: usize = 1 << 20;

/// So many `<` may be open at once. The parser tries each of them as the start of type arguments
/// and as a comparison, so its time grows with their square.
const MOST_ANGLES: usize = 500;

/// What everything else on the thread needs.
const BASE: usize = 2 << 20;

/// The stack for a thread that parses `program` and runs it.
///
/// # Errors
///
/// The program has more bytes or openers than any program needs.
pub(crate) fn stack_for(program: &str) -> Result<usize, Failure> {
    let help = "keep data out of the program: let a tool read it";
    if program.len() > LARGEST {
        let message = format!(
            "the program is too large to be parsed: it has {} bytes; at most {LARGEST} are allowed",
            program.len()
        );
        return Err(Failure::new(FailureKind::Exception, message).help(help));
    }
    let openers = openers(program);
    if openers > MOST {
        let message = format!(
            "the program is too large to be parsed: it has {openers} operators, brackets and \
             keywords; at most {MOST} are allowed"
        );
        return Err(Failure::new(FailureKind::Exception, message).help(help));
    }
    let angles = open_angles(program);
    if angles > MOST_ANGLES {
        let message = format!(
            "the program is too deep to be parsed: {angles} `<` are open at once; at most \
             {MOST_ANGLES} are allowed"
        );
        return Err(Failure::new(FailureKind::Exception, message).help("write it in smaller parts"));
    }
    Ok(BASE + openers * LEVEL)
}

/// The most `<` without a `>` at any place; `=>` is none.
fn open_angles(program: &str) -> usize {
    let mut most = 0;
    let mut open = 0_usize;
    let mut before = b' ';
    for byte in program.bytes() {
        match byte {
            b'<' => open += 1,
            b'>' if before != b'=' => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
        before = byte;
    }
    most
}

/// Words that begin something which may hold the same again, as in `typeof typeof x`.
const WORDS: &[&str] = &[
    "as",
    "async",
    "await",
    "case",
    "class",
    "delete",
    "do",
    "else",
    "extends",
    "finally",
    "for",
    "function",
    "if",
    "in",
    "infer",
    "instanceof",
    "keyof",
    "new",
    "of",
    "readonly",
    "return",
    "satisfies",
    "throw",
    "try",
    "typeof",
    "unique",
    "void",
    "while",
    "with",
    "yield",
];

fn openers(program: &str) -> usize {
    let mut count = 0;
    let mut word = 0;
    for (at, c) in program.char_indices().chain([(program.len(), ' ')]) {
        if c.is_alphanumeric() || matches!(c, '_' | '$') {
            continue;
        }
        count += usize::from(WORDS.contains(&&program[word.min(at)..at]));
        count += usize::from("([{<!~+-=?:*/&|^%.`@".contains(c));
        word = at + c.len_utf8();
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openers_are_counted() {
        assert_eq!(openers("return tools.f({ a: [1] })"), 6);
        assert_eq!(openers("typeof typeof x"), 2);
        assert_eq!(openers("é=>ü=>x"), 2);
        assert_eq!(openers("await"), 1);
        assert_eq!(openers("typeof_ xtypeof $new newer"), 0);
    }

    #[test]
    fn angles_close() {
        assert_eq!(open_angles("a < b; f<g<T>>(x => y < 1)"), 3);
        assert_eq!(open_angles(&"<p></p>".repeat(1_000)), 1);
        assert!(stack_for(&"f<".repeat(501)).is_err());
    }

    #[test]
    fn data_is_not_a_program() {
        let failure = stack_for(&"(".repeat(MOST + 1)).expect_err("too many");
        assert_eq!(failure.kind(), FailureKind::Exception);
        assert!(stack_for(&"word, ".repeat(100_000)).is_ok());
        assert!(stack_for(&"word, ".repeat(200_000)).is_err());
    }
}
