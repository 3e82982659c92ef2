//! A program's text: what a model wrote, cut down to the program itself, and its positions.

use std::fmt;

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

/// Where byte `offset` of `text` is.
pub(crate) fn position(text: &str, offset: usize) -> Position {
    let before = &text[..text.floor_char_boundary(offset)];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Position {
        line: before.bytes().filter(|&byte| byte == b'\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
    }
}

/// Line `number` of `text` as a message shows it: trimmed, at most 120 characters.
pub(crate) fn line(text: &str, number: usize) -> Option<String> {
    let line = text.lines().nth(number.checked_sub(1)?)?.trim();
    if line.is_empty() {
        return None;
    }
    Some(shortened(line, 120))
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
        assert_eq!(position("é = 1\nüx", 9), Position { line: 2, column: 2 });
        assert_eq!(position("", 5), Position { line: 1, column: 1 });
    }
}
