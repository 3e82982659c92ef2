//! One request, and its answer as it streams in.

use std::error::Error;

use futures_util::StreamExt as _;
use reqwest::header::CONTENT_TYPE;
use serde_json::Value;
use sse_stream::SseByteStream;
use tool_core::wire::{Provider, StreamedChat, bound_text};

/// A server that speaks Chat Completions.
pub(crate) struct Client {
    http: reqwest::Client,
    url: String,
    key: Option<String>,
}

impl Client {
    pub(crate) fn new(base: &str, key: Option<String>) -> Result<Self, Box<dyn Error>> {
        // It fails if there is one already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Ok(Self {
            http: reqwest::Client::builder().build()?,
            url: format!("{}/chat/completions", base.trim_end_matches('/')),
            key,
        })
    }

    /// The answer to a request, whole. Its text is shown piece by piece as it arrives.
    pub(crate) async fn answer(
        &self,
        request: &Value,
        mut show: impl FnMut(&str),
    ) -> Result<Value, Box<dyn Error>> {
        let mut post = self.http.post(&self.url).json(request);
        if let Some(key) = &self.key {
            post = post.bearer_auth(key);
        }
        let response = post.send().await?;
        let status = response.status();
        if !status.is_success() {
            let text = response.text().await?;
            let text = bound_text(&text, 1000);
            return Err(format!("the server answered {status}: {text}").into());
        }
        let kind = response.headers().get(CONTENT_TYPE);
        if kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json")) {
            // A server that cannot stream sends the answer at once.
            return Ok(response.json().await?);
        }
        let mut answer = StreamedChat::new(Provider::OpenAiChat);
        let mut events = SseByteStream::new(response.bytes_stream());
        while let Some(event) = events.next().await {
            let Some(data) = event?.data else { continue };
            if data == "[DONE]" {
                break;
            }
            let chunk: Value = serde_json::from_str(&data)?;
            show(answer.push(&chunk)?);
        }
        Ok(answer.finish())
    }
}
