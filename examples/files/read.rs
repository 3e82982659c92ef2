//! Reading: text as it is, in portions; anything else is named and not shown.

use std::io::{self, BufRead, BufReader, Read};

use tool_core::{CallCard, ResultCard, State, Tool, ToolError, ToolResult, tool};

use super::root::{Root, blocking, cannot};

/// How many bytes of text one call gives, and how many a line may have.
const TEXT: usize = 64 * 1024;
const LINE: usize = 2_000;
/// How much of a file is gone through to find a line.
const SCAN: u64 = 64 * 1024 * 1024;

/// Reads a text file, a portion of its lines at a time.
///
/// A line of more than 2,000 bytes is cut. A binary file is refused.
#[tool(
    title = "Read a file", read_only, idempotent, open_world = false, concurrency_safe,
    present_call = call_card, present_result = result_card
)]
pub(super) async fn read_file(
    /// Below the served directory, such as `src/main.rs`.
    path: String,
    /// The first line to give, counted from 1.
    #[arg(default = 1, range = 1..)]
    first_line: u64,
    /// How many lines to give.
    #[arg(default = 500, range = 1..=2_000)]
    lines: u64,
    root: &State<Root>,
) -> Result<String, ToolError> {
    let root = (*root).clone();
    blocking(move || read(&root, &path, first_line, lines)).await
}

fn read(root: &Root, path: &str, first_line: u64, lines: u64) -> Result<String, ToolError> {
    let file = root.file(path)?;
    let size = file.metadata().map_err(cannot("read", path))?.len();
    let mut reader = BufReader::new(file.take(SCAN));
    let mut text = String::new();
    let (mut lossy, mut number) = (false, 0);
    let ended = loop {
        let Some(line) = next_line(&mut reader).map_err(cannot("read", path))? else {
            break true;
        };
        if line.contains(&0) {
            return Err(
                format!("{path:?} is binary ({size} bytes): it cannot be read as text").into(),
            );
        }
        number += 1;
        if number < first_line {
            continue;
        }
        if number == first_line + lines || text.len() + line.len() > TEXT {
            break false;
        }
        let shown = String::from_utf8_lossy(&line);
        lossy |= matches!(shown, std::borrow::Cow::Owned(_));
        text.push_str(&shown);
        text.push('\n');
    };
    if ended && size > SCAN {
        return Err(
            format!("{path:?} has {size} bytes, and only the first {SCAN} can be read").into(),
        );
    }
    if ended && number < first_line && number > 0 {
        return Err(format!("{path:?} has {number} lines; there is no line {first_line}").into());
    }
    if lossy {
        text.push_str("[not UTF-8: bytes that are no text are shown as \u{fffd}]\n");
    }
    if !ended {
        text.push_str(&format!(
            "[there is more: go on with `first_line` {number}]\n"
        ));
    }
    Ok(text)
}

/// One line without its end, cut if it is too long; `None` at the end of the file.
pub(super) fn next_line(reader: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let mut any = false;
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok(any.then_some(line));
        }
        any = true;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        let room = LINE.saturating_sub(line.len());
        line.extend_from_slice(&part[..part.len().min(room)]);
        // What is cut off is looked at for one thing: a binary file must not pass for text.
        if part.iter().skip(room).any(|byte| *byte == 0) {
            line.push(0);
        }
        let used = end.map_or(buffer.len(), |end| end + 1);
        reader.consume(used);
        if end.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(Some(line));
        }
    }
}

fn call_card(args: &<read_file as Tool>::Args) -> CallCard {
    CallCard::generic(format!("Read {}", args.path))
}

fn result_card(args: &<read_file as Tool>::Args, result: &ToolResult) -> ResultCard {
    ResultCard::read(&args.path, args.first_line, result.text())
}
