//! Bounds of what a model is shown.

use std::borrow::Cow;

use crate::content::{ContentBlock, ResourceContents};

/// At most `max_bytes` of a text: its head and its tail, and between them how many bytes are
/// missing.
///
/// The tail is kept because that is where a log says what went wrong. The result, marker included,
/// is never longer than `max_bytes`; a limit too small for the marker leaves the head alone.
/// Characters are not cut in two.
///
/// ```
/// use tool_core::wire::bound_text;
///
/// let log = "ok\n".repeat(400) + "error: boom";
/// let bound = bound_text(&log, 60);
/// assert_eq!(bound, "ok\nok\nok\nok\nok\n\n[... 1181 bytes omitted ...]\n\nok\nerror: boom");
/// assert_eq!(bound_text("short", 60), "short");
/// ```
#[must_use]
pub fn bound_text(text: &str, max_bytes: usize) -> Cow<'_, str> {
    if text.len() <= max_bytes {
        return Cow::Borrowed(text);
    }
    let window = Window::new(text.len(), max_bytes);
    let (head, tail) = window.kept(0, text);
    let marker = window.marker(text.len() - head.len() - tail.len());
    Cow::Owned([head, &marker, tail].concat())
}

/// Content with at most `max_bytes` of text, bounded as [`bound_text`] does, over all its blocks.
///
/// Counted and cut is the text of text blocks and of resources. Images, sounds and other binary
/// blocks are not counted and never touched: half an image is none. A text block of which nothing
/// is left is dropped; a resource stays with its URI.
///
/// ```
/// use tool_core::ContentBlock;
/// use tool_core::wire::bound_content;
///
/// let image = ContentBlock::image("iVBORw0KGgo=", "image/png");
/// let blocks = [ContentBlock::text("x".repeat(500)), image];
/// let bound = bound_content(&blocks, 100);
/// assert_eq!(bound[0].as_text().unwrap().len(), 100);
/// assert_eq!(bound[1], blocks[1]);
/// ```
#[must_use]
pub fn bound_content(blocks: &[ContentBlock], max_bytes: usize) -> Cow<'_, [ContentBlock]> {
    let total = blocks.iter().filter_map(text_of).map(str::len).sum();
    if total <= max_bytes {
        return Cow::Borrowed(blocks);
    }
    let window = Window::new(total, max_bytes);
    let omitted = total
        - with_offsets(blocks)
            .map(|(at, text)| window.kept_len(at, text))
            .sum::<usize>();
    let mut marker = Some(window.marker(omitted));
    let mut offsets = with_offsets(blocks);
    let bounded = blocks.iter().filter_map(|block| {
        if text_of(block).is_none() {
            return Some(block.clone());
        }
        let (at, text) = offsets.next()?;
        if window.kept_len(at, text) == text.len() {
            return Some(block.clone());
        }
        let (head, tail) = window.kept(at, text);
        with_text(
            block,
            [head, &marker.take().unwrap_or_default(), tail].concat(),
        )
    });
    Cow::Owned(bounded.collect())
}

/// Which part of a text of `total` bytes stays.
struct Window {
    total: usize,
    head: usize,
    tail: usize,
    marked: bool,
}

impl Window {
    /// The longest marker is that of everything omitted, so that the real one fits.
    fn new(total: usize, max_bytes: usize) -> Self {
        match max_bytes.checked_sub(marker(total).len()) {
            Some(room) => Self {
                total,
                head: room / 2,
                tail: room - room / 2,
                marked: true,
            },
            None => Self {
                total,
                head: max_bytes,
                tail: 0,
                marked: false,
            },
        }
    }

    /// The head and the tail of a piece of the text that starts at `at`. The head is all of a
    /// piece that stays whole.
    fn kept<'t>(&self, at: usize, piece: &'t str) -> (&'t str, &'t str) {
        let tail_from = (self.total - self.tail).saturating_sub(at).min(piece.len());
        let head_to = self.head.saturating_sub(at).min(piece.len());
        if tail_from == 0 || head_to == piece.len() {
            return (piece, "");
        }
        let head_to = piece.floor_char_boundary(head_to);
        let tail_from = piece.ceil_char_boundary(tail_from);
        (&piece[..head_to], &piece[tail_from..])
    }

    fn kept_len(&self, at: usize, piece: &str) -> usize {
        let (head, tail) = self.kept(at, piece);
        head.len() + tail.len()
    }

    fn marker(&self, omitted: usize) -> String {
        if self.marked {
            marker(omitted)
        } else {
            String::new()
        }
    }
}

fn marker(omitted: usize) -> String {
    format!("\n[... {omitted} bytes omitted ...]\n")
}

fn with_offsets(blocks: &[ContentBlock]) -> impl Iterator<Item = (usize, &str)> {
    blocks.iter().filter_map(text_of).scan(0, |next, text| {
        let at = *next;
        *next += text.len();
        Some((at, text))
    })
}

fn text_of(block: &ContentBlock) -> Option<&str> {
    match block {
        ContentBlock::Text { text } => Some(text),
        ContentBlock::Resource { resource } => match &resource.contents {
            ResourceContents::Text(text) => Some(text),
            ResourceContents::Blob(_) => None,
        },
        ContentBlock::Image { .. } | ContentBlock::Audio { .. } => None,
    }
}

fn with_text(block: &ContentBlock, text: String) -> Option<ContentBlock> {
    match block {
        ContentBlock::Resource { resource } => {
            let (uri, mime_type) = (resource.uri.clone(), resource.mime_type.clone());
            Some(ContentBlock::resource(
                uri,
                mime_type,
                ResourceContents::Text(text),
            ))
        }
        _ => (!text.is_empty()).then(|| ContentBlock::text(text)),
    }
}
