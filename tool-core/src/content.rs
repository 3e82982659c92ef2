//! Content: the blocks a model is shown.

use serde::{Deserialize, Serialize};

use crate::error::ToolError;

/// One block of what a model is shown, in the shape of an MCP content block.
///
/// Source: Model Context Protocol 2025-11-25, "Tool Result".
///
/// ```
/// use tool_core::ContentBlock;
///
/// let block = ContentBlock::text("hello");
/// assert_eq!(serde_json::to_string(&block).unwrap(), r#"{"type":"text","text":"hello"}"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ContentBlock {
    /// Text.
    #[non_exhaustive]
    Text {
        /// The text.
        text: String,
    },
    /// An image.
    #[serde(rename_all = "camelCase")]
    #[non_exhaustive]
    Image {
        /// The bytes, base64 encoded.
        data: String,
        /// Such as `image/png`.
        mime_type: String,
    },
    /// A sound.
    #[serde(rename_all = "camelCase")]
    #[non_exhaustive]
    Audio {
        /// The bytes, base64 encoded.
        data: String,
        /// Such as `audio/wav`.
        mime_type: String,
    },
    /// A resource, embedded.
    #[non_exhaustive]
    Resource {
        /// The resource. Boxed: most blocks are text, and each is as large as the largest.
        resource: Box<Resource>,
    },
}

/// An embedded resource: text, or bytes in base64.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Resource {
    /// Where it comes from, such as `file:///notes.md`.
    pub uri: String,
    /// Such as `text/markdown`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mime_type: Option<String>,
    /// What it holds.
    #[serde(flatten)]
    pub contents: ResourceContents,
}

/// What an embedded resource holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ResourceContents {
    /// Text.
    Text(String),
    /// Bytes, base64 encoded.
    Blob(String),
}

impl ContentBlock {
    /// A block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// An image: its bytes in base64 and its MIME type.
    pub fn image(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Image {
            data: data.into(),
            mime_type: mime_type.into(),
        }
    }

    /// A sound: its bytes in base64 and its MIME type.
    pub fn audio(data: impl Into<String>, mime_type: impl Into<String>) -> Self {
        Self::Audio {
            data: data.into(),
            mime_type: mime_type.into(),
        }
    }

    /// An embedded resource.
    pub fn resource(
        uri: impl Into<String>,
        mime_type: Option<String>,
        contents: ResourceContents,
    ) -> Self {
        Self::Resource {
            resource: Box::new(Resource {
                uri: uri.into(),
                mime_type,
                contents,
            }),
        }
    }

    /// The text of a text block.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text { text } => Some(text),
            _ => None,
        }
    }

    /// The block's kind as it is written in JSON: `text`, `image`, `audio`, `resource`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Text { .. } => "text",
            Self::Image { .. } => "image",
            Self::Audio { .. } => "audio",
            Self::Resource { .. } => "resource",
        }
    }
}

impl From<String> for ContentBlock {
    fn from(text: String) -> Self {
        Self::Text { text }
    }
}

impl From<&str> for ContentBlock {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

/// Blocks, most often one: no vector is allocated for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    One(ContentBlock),
    Many(Vec<ContentBlock>),
}

impl Content {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::One(ContentBlock::text(text))
    }

    pub(crate) fn blocks(&self) -> &[ContentBlock] {
        match self {
            Self::One(block) => std::slice::from_ref(block),
            Self::Many(blocks) => blocks,
        }
    }
}

impl From<Vec<ContentBlock>> for Content {
    fn from(blocks: Vec<ContentBlock>) -> Self {
        Self::Many(blocks)
    }
}

/// The blocks as one text: texts joined by newlines, any other block as `[image content]`.
pub(crate) fn joined_text(blocks: &[ContentBlock]) -> String {
    let mut joined = String::new();
    for (index, block) in blocks.iter().enumerate() {
        if index > 0 {
            joined.push('\n');
        }
        match block {
            ContentBlock::Text { text } => joined.push_str(text),
            other => {
                joined.push('[');
                joined.push_str(other.kind());
                joined.push_str(" content]");
            }
        }
    }
    joined
}

/// What can be shown to a model: text, a block, blocks, or an attempt at one of these.
///
/// Renderers and [`PostDecision`](crate::PostDecision) take it.
pub trait IntoContent {
    /// The blocks.
    ///
    /// # Errors
    ///
    /// What went wrong while making them.
    fn into_content(self) -> Result<Vec<ContentBlock>, ToolError>;
}

impl IntoContent for Vec<ContentBlock> {
    fn into_content(self) -> Result<Vec<ContentBlock>, ToolError> {
        Ok(self)
    }
}

impl IntoContent for ContentBlock {
    fn into_content(self) -> Result<Vec<ContentBlock>, ToolError> {
        Ok(vec![self])
    }
}

impl<const N: usize> IntoContent for [ContentBlock; N] {
    fn into_content(self) -> Result<Vec<ContentBlock>, ToolError> {
        Ok(self.into())
    }
}

impl IntoContent for String {
    fn into_content(self) -> Result<Vec<ContentBlock>, ToolError> {
        Ok(vec![self.into()])
    }
}

impl IntoContent for &str {
    fn into_content(self) -> Result<Vec<ContentBlock>, ToolError> {
        Ok(vec![self.into()])
    }
}

impl<C: IntoContent, E: Into<ToolError>> IntoContent for Result<C, E> {
    fn into_content(self) -> Result<Vec<ContentBlock>, ToolError> {
        self.map_err(Into::into)?.into_content()
    }
}

/// Content for the next user message: what a tool or a hook hands to the conversation beside the result.
///
/// ```
/// use tool_core::AdditionalContext;
///
/// let context = AdditionalContext::from("the file changed on disk");
/// assert_eq!(context.text(), "the file changed on disk");
/// ```
#[doc(alias = "UserMessage")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AdditionalContext {
    /// What to tell.
    pub content: Vec<ContentBlock>,
    /// Who told it: the tool's or the hook's name. The runtime fills it in where it is empty.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub source: String,
}

impl AdditionalContext {
    /// The blocks as one text, joined by newlines; an image shows as `[image content]`.
    pub fn text(&self) -> String {
        joined_text(&self.content)
    }

    /// Names who told it.
    #[must_use]
    pub fn source(mut self, source: impl Into<String>) -> Self {
        self.source = source.into();
        self
    }

    pub(crate) fn sourced(mut self, source: &str) -> Self {
        if self.source.is_empty() {
            source.clone_into(&mut self.source);
        }
        self
    }
}

impl From<Vec<ContentBlock>> for AdditionalContext {
    fn from(content: Vec<ContentBlock>) -> Self {
        Self {
            content,
            source: String::new(),
        }
    }
}

impl From<ContentBlock> for AdditionalContext {
    fn from(block: ContentBlock) -> Self {
        vec![block].into()
    }
}

impl From<String> for AdditionalContext {
    fn from(text: String) -> Self {
        ContentBlock::from(text).into()
    }
}

impl From<&str> for AdditionalContext {
    fn from(text: &str) -> Self {
        ContentBlock::from(text).into()
    }
}
