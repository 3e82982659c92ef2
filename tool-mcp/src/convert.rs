//! Content blocks, in the words of either crate.

use rmcp::model as mcp;
use tool_core::{ContentBlock, ResourceContents};

/// A block as it is sent. Never lost: a kind that the protocol lacks is named in a text.
#[cfg(feature = "server")]
pub(crate) fn to_mcp(block: &ContentBlock) -> mcp::ContentBlock {
    match block {
        ContentBlock::Text { text, .. } => mcp::ContentBlock::text(text),
        ContentBlock::Image {
            data, mime_type, ..
        } => mcp::ContentBlock::image(data, mime_type),
        ContentBlock::Audio {
            data, mime_type, ..
        } => mcp::ContentBlock::audio(data, mime_type),
        ContentBlock::Resource { resource, .. } => {
            let (uri, mime_type) = (resource.uri.clone(), resource.mime_type.clone());
            mcp::ContentBlock::resource(match &resource.contents {
                ResourceContents::Text(text) => mcp::ResourceContents::TextResourceContents {
                    uri,
                    mime_type,
                    text: text.clone(),
                    meta: None,
                },
                ResourceContents::Blob(blob) => mcp::ResourceContents::BlobResourceContents {
                    uri,
                    mime_type,
                    blob: blob.clone(),
                    meta: None,
                },
            })
        }
        other => mcp::ContentBlock::text(format!("[{} content]", other.kind())),
    }
}

/// A block as a remote sent it. Annotations and metadata of the protocol stay behind; a link to a
/// resource becomes a text that names it.
#[cfg(feature = "client")]
pub(crate) fn from_mcp(block: mcp::ContentBlock) -> ContentBlock {
    match block {
        mcp::ContentBlock::Text(text) => ContentBlock::text(text.text),
        mcp::ContentBlock::Image(image) => ContentBlock::image(image.data, image.mime_type),
        mcp::ContentBlock::Audio(audio) => ContentBlock::audio(audio.data, audio.mime_type),
        mcp::ContentBlock::Resource(embedded) => match embedded.resource {
            mcp::ResourceContents::TextResourceContents {
                uri,
                mime_type,
                text,
                ..
            } => ContentBlock::resource(uri, mime_type, ResourceContents::Text(text)),
            mcp::ResourceContents::BlobResourceContents {
                uri,
                mime_type,
                blob,
                ..
            } => ContentBlock::resource(uri, mime_type, ResourceContents::Blob(blob)),
            _ => ContentBlock::text("[resource content]"),
        },
        mcp::ContentBlock::ResourceLink(link) => ContentBlock::text(link_text(&link)),
        _ => ContentBlock::text("[unknown content]"),
    }
}

/// `notes (text/markdown): file:///notes.md`
#[cfg(feature = "client")]
fn link_text(link: &mcp::Resource) -> String {
    let name = link.title.as_ref().unwrap_or(&link.name);
    match &link.mime_type {
        Some(mime_type) => format!("{name} ({mime_type}): {}", link.uri),
        None => format!("{name}: {}", link.uri),
    }
}

/// How many bytes a block takes: what its text or its encoded bytes and its address have.
#[cfg(feature = "client")]
pub(crate) fn size(block: &ContentBlock) -> usize {
    match block {
        ContentBlock::Text { text, .. } => text.len(),
        ContentBlock::Image {
            data, mime_type, ..
        }
        | ContentBlock::Audio {
            data, mime_type, ..
        } => data.len() + mime_type.len(),
        ContentBlock::Resource { resource, .. } => {
            let (ResourceContents::Text(held) | ResourceContents::Blob(held)) = &resource.contents;
            resource.uri.len() + held.len()
        }
        _ => 0,
    }
}
