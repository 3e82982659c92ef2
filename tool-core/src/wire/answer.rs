//! Results, paired with the calls they answer.

use std::borrow::Cow;
use std::collections::HashMap;

use super::Call;
use super::part::{self, Accepts, Part};
use crate::content::ContentBlock;
use crate::result::ToolResult;

/// What a success without anything to show says. Anthropic refuses blank text, and other models
/// take silence for a fault.
const NO_OUTPUT: &str = "(no output)";

/// What a call without a result is answered with: a history in which a call has no answer is
/// refused by every provider.
const NO_RESULT: &str = "Error: this call has no result; it may not have been executed";

/// What goes back for one call.
pub(super) struct Answer<'a> {
    pub(super) call: &'a Call,
    pub(super) is_error: bool,
    /// Never blank.
    blocks: Cow<'a, [ContentBlock]>,
}

/// One answer per call, in the order of the calls.
pub(super) fn pair<'a, 'r: 'a>(
    calls: &'a [Call],
    results: impl IntoIterator<Item = &'r ToolResult>,
) -> Vec<Answer<'a>> {
    let mut by_id: HashMap<&str, &'a ToolResult> = HashMap::new();
    for result in results {
        by_id.entry(result.call_id().as_str()).or_insert(result);
    }
    calls
        .iter()
        .map(|call| Answer::new(call, by_id.get(call.id.as_str()).copied()))
        .collect()
}

impl<'a> Answer<'a> {
    fn new(call: &'a Call, result: Option<&'a ToolResult>) -> Self {
        let says = |text: &str| Cow::Owned(vec![ContentBlock::text(text)]);
        let Some(result) = result else {
            return Self {
                call,
                is_error: true,
                blocks: says(NO_RESULT),
            };
        };
        let blocks = if result.content().iter().all(is_blank) {
            result
                .error()
                .map_or_else(|| says(NO_OUTPUT), |error| says(&format!("Error: {error}")))
        } else {
            Cow::Borrowed(result.content())
        };
        Self {
            call,
            is_error: result.is_error(),
            blocks,
        }
    }

    /// The content as text alone, for providers that take nothing else.
    pub(super) fn text(&self) -> String {
        part::joined(&self.parts(&Accepts::TEXT))
    }

    /// The content in parts that the provider accepts.
    pub(super) fn parts(&self, accepts: &Accepts) -> Vec<Part<'_>> {
        let blocks = self.blocks.iter().filter(|block| !is_blank(block));
        blocks.flat_map(|block| part::of(block, accepts)).collect()
    }
}

fn is_blank(block: &ContentBlock) -> bool {
    block.as_text().is_some_and(|text| text.trim().is_empty())
}
