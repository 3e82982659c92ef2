//! A program's text: what a model wrote, cut down to the program itself, and its positions.

use std::fmt;
use std::ops::Range;

/// The name programs have in stack traces.
pub(crate) const FILE: &str = "program.ts";

/// What stands before a program's first character, on the same line, so that lines need no mapping.
pub(crate) const OPEN: &str = "(async()=>{";

/// What stands after its last. The line break ends a trailing `//` comment.
pub(crate) const CLOSE: &str = "\n})";

/// A place in a program, counted from 1; columns are characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{FILE}:{}:{}", self.line, self.column)
    }
}

/// The program in `text`: without a byte order mark and without one code fence around all of it.
pub(crate) fn unfenced(text: &str) -> &str {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    inside_fence(text).unwrap_or(text)
}

/// ```` ```ts\nreturn 1\n``` ```` is `return 1`. The info string must be one word, so that a
/// program that begins with a template literal is left alone.
fn inside_fence(text: &str) -> Option<&str> {
    let body = text.trim().strip_prefix("```")?.strip_suffix("```")?;
    let (info, body) = body.split_once('\n')?;
    let info = info.trim();
    if info.chars().all(|c| c.is_ascii_alphanumeric()) {
        Some(body.trim_end())
    } else {
        None
    }
}

/// A program's text, and where its lines begin.
#[derive(Debug)]
pub(crate) struct Program {
    text: String,
    starts: Vec<usize>,
}

impl Program {
    pub(crate) fn new(text: &str) -> Self {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            text: text.to_owned(),
            starts: std::iter::once(0).chain(breaks).collect(),
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Where byte `offset` is.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        Position {
            line,
            column: self.text[start..offset].chars().count() + 1,
        }
    }

    /// The same, where the line and the byte in it are known, both counted from 1.
    pub(crate) fn place(&self, line: usize, byte: usize) -> Position {
        match line.checked_sub(1).and_then(|line| self.starts.get(line)) {
            Some(start) => {
                let end = self
                    .starts
                    .get(line)
                    .map_or(self.text.len(), |next| next - 1);
                self.position((start + byte.max(1) - 1).min(end))
            }
            None => Position { line, column: byte },
        }
    }

    /// Where `position` is in the text.
    pub(crate) fn offset(&self, position: Position) -> Option<usize> {
        let line = self.text.get(self.range(position.line)?.start..)?;
        let start = self.text.len() - line.len();
        let column = line.char_indices().nth(position.column.checked_sub(1)?);
        Some(column.map_or(self.text.len(), |(at, _)| start + at))
    }

    /// Line `number`, with its line break.
    pub(crate) fn range(&self, number: usize) -> Option<Range<usize>> {
        let start = *self.starts.get(number.checked_sub(1)?)?;
        Some(
            start
                ..self
                    .starts
                    .get(number)
                    .map_or(self.text.len() + 1, |next| *next),
        )
    }

    /// Line `number` as a message shows it: trimmed, at most 120 characters.
    pub(crate) fn line(&self, number: usize) -> Option<String> {
        let start = *self.starts.get(number.checked_sub(1)?)?;
        let line = self.text[start..].lines().next()?.trim();
        if line.is_empty() {
            return None;
        }
        Some(shortened(line, 120))
    }
}

/// At most `limit` characters of `text`, and a mark where the rest was.
pub(crate) fn shortened(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_fence_around_everything_goes() {
        assert_eq!(unfenced("```ts\nreturn 1\n```"), "return 1");
        assert_eq!(unfenced("\n```\na\nb\n```\n"), "a\nb");
        assert_eq!(unfenced("\u{feff}return 1"), "return 1");
    }

    #[test]
    fn everything_else_stays() {
        for text in [
            "return 1",
            "```ts\nreturn 1",
            "```${a}\n```",
            "return `a`\n```ts\n```",
            "```",
        ] {
            assert_eq!(unfenced(text), text);
        }
    }

    #[test]
    fn columns_are_characters() {
        let program = Program::new("é = 1\nüx");
        let at = |line, column| Position { line, column };
        assert_eq!(program.position(0), at(1, 1));
        assert_eq!(program.position(6), at(1, 6));
        assert_eq!(program.position(9), at(2, 2));
        assert_eq!(program.place(2, 3), at(2, 2));
        assert_eq!(program.place(1, 99), at(1, 6));
        assert_eq!(program.place(7, 3), at(7, 3));
        assert_eq!(Program::new("").position(5), at(1, 1));
        assert_eq!(program.offset(at(2, 2)), Some(9));
        assert_eq!(program.offset(at(2, 9)), Some(10));
        assert_eq!(
            (program.offset(at(0, 1)), program.offset(at(3, 1))),
            (None, None)
        );
        assert_eq!(
            (program.range(1), program.range(2)),
            (Some(0..7), Some(7..11))
        );
        assert_eq!(program.line(2).as_deref(), Some("üx"));
        assert_eq!((program.line(0), program.line(3)), (None, None));
    }
}
