//! Blocks of content, as parts that a provider takes.

use std::borrow::Cow;

use crate::content::{ContentBlock, Resource, ResourceContents};

/// A piece of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Text(Cow<'a, str>),
    /// Base64 of a MIME type that the provider takes as an image.
    Image {
        data: &'a str,
        mime_type: &'a str,
    },
    /// Base64 of a MIME type that the provider takes as a document.
    Document {
        data: &'a str,
        mime_type: &'a str,
        name: String,
    },
}

/// The MIME types that a provider takes in an answer beside text.
pub(super) struct Accepts {
    pub(super) images: &'static [&'static str],
    pub(super) documents: &'static [&'static str],
}

impl Accepts {
    pub(super) const TEXT: Self = Self {
        images: &[],
        documents: &[],
    };
}

/// The parts of one block: one, or a line and what it is about.
pub(super) fn of<'a>(block: &'a ContentBlock, accepts: &Accepts) -> Vec<Part<'a>> {
    match block {
        ContentBlock::Text { text } => vec![Part::Text(Cow::Borrowed(text))],
        ContentBlock::Image { data, mime_type } | ContentBlock::Audio { data, mime_type } => {
            let kind = block.kind();
            vec![
                binary(data, mime_type, kind, accepts)
                    .unwrap_or_else(|| omitted(kind, &[mime_type], data)),
            ]
        }
        ContentBlock::Resource { resource } => of_resource(resource, accepts),
    }
}

/// The texts, joined by newlines, as [`ToolResult::text`](crate::ToolResult::text) does.
pub(super) fn joined(parts: &[Part<'_>]) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(&**text),
        Part::Image { .. } | Part::Document { .. } => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// All parts as one text, unless some are not text.
pub(super) fn all_text(parts: &[Part<'_>]) -> Option<String> {
    parts
        .iter()
        .all(|part| matches!(part, Part::Text(_)))
        .then(|| joined(parts))
}

fn of_resource<'a>(resource: &'a Resource, accepts: &Accepts) -> Vec<Part<'a>> {
    let uri = short(&resource.uri);
    let mime_type = resource.mime_type.as_deref();
    match &resource.contents {
        ResourceContents::Text(text) => {
            let about = match mime_type {
                Some(mime_type) => format!("[resource {uri}, {}]\n{text}", short(mime_type)),
                None => format!("[resource {uri}]\n{text}"),
            };
            vec![Part::Text(Cow::Owned(about))]
        }
        ResourceContents::Blob(data) => {
            let mime_type = mime_type.unwrap_or("application/octet-stream");
            match binary(data, mime_type, "resource", accepts) {
                Some(part) => vec![Part::Text(Cow::Owned(format!("[resource {uri}]"))), part],
                None => vec![omitted("resource", &[&resource.uri, mime_type], data)],
            }
        }
    }
}

fn binary<'a>(
    data: &'a str,
    mime_type: &'a str,
    kind: &str,
    accepts: &Accepts,
) -> Option<Part<'a>> {
    if accepts.images.contains(&mime_type) {
        Some(Part::Image { data, mime_type })
    } else if accepts.documents.contains(&mime_type) {
        let extension = mime_type.rsplit('/').next().unwrap_or("bin");
        Some(Part::Document {
            data,
            mime_type,
            name: format!("{kind}.{extension}"),
        })
    } else {
        None
    }
}

/// `[image omitted: image/png, 307200 bytes]`
fn omitted(kind: &str, about: &[&str], data: &str) -> Part<'static> {
    let about: Vec<_> = about.iter().map(|text| short(text)).collect();
    let bytes = decoded_len(data);
    let unit = if bytes == 1 { "byte" } else { "bytes" };
    Part::Text(Cow::Owned(format!(
        "[{kind} omitted: {}, {bytes} {unit}]",
        about.join(", ")
    )))
}

/// How many bytes base64 stands for.
fn decoded_len(base64: &str) -> usize {
    let digits = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte);
    base64.as_bytes().iter().filter(|byte| digits(byte)).count() * 3 / 4
}

/// A URI or MIME type on one line. A `data:` URI would bring its base64 with it.
fn short(text: &str) -> String {
    const LONGEST: usize = 200;
    let is_data = text
        .get(..5)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
    let shown = if is_data {
        text.split(',').next().unwrap_or_default()
    } else {
        text
    };
    let end = shown
        .char_indices()
        .nth(LONGEST)
        .map_or(shown.len(), |(at, _)| at);
    let mut line: String = shown[..end]
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if end < text.len() {
        line.push('…');
    }
    line
}
