//! Trails, as lines to compare.

use super::diff;
use crate::result::ToolResult;
use crate::trail::TrailEntry;

/// The trail of a result, one line per entry: `guard not_world in agent1 denied: too many people`.
///
/// A line is the station, the hook, its scope if it has one, what was said (`dropped` if nothing was)
/// and the reason if there is one. Times are left out.
///
/// # Panics
///
/// If the result has no trail. Calls of a [`Harness`](super::Harness) have one; otherwise ask for it
/// with [`ToolCall::trail`](crate::ToolCall::trail) or on the builder.
#[track_caller]
pub fn trail_lines(result: &ToolResult) -> Vec<String> {
    match lines_of(result) {
        Ok(lines) => lines.into_iter().map(|line| line.whole).collect(),
        Err(problem) => panic!("{problem}"),
    }
}

/// Asserts the whole trail of a result, in the lines of [`trail_lines`]. A reason may be left out:
/// `guard not_world denied` is true whatever the reason was.
///
/// # Panics
///
/// If the trail is another, with both sides line by line, or if there is none.
///
/// ```should_panic
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use tool_core::testing::{Harness, assert_trail};
/// use tool_core::tool;
///
/// /// Greets.
/// #[tool]
/// fn hello() -> String { "hello".into() }
///
/// let result = Harness::tool(hello {}).call("hello", "{}").await;
/// // the trail of `call_1` is not the expected one (-: expected, +: got)
/// //   intake accepted
/// // - guard not_today denied
/// // + body hello succeeded
/// // + output hello succeeded
/// assert_trail(&result, ["intake accepted", "guard not_today denied"]);
/// # }
/// ```
#[track_caller]
pub fn assert_trail<L: AsRef<str>>(result: &ToolResult, expected: impl IntoIterator<Item = L>) {
    let expected = expected.into_iter().map(|line| line.as_ref().to_owned());
    if let Err(problem) = compare(result, &expected.collect::<Vec<_>>()) {
        panic!("{problem}");
    }
}

/// What is different, with both sides.
pub(super) fn compare(result: &ToolResult, expected: &[String]) -> Result<(), String> {
    let got = lines_of(result)?;
    let fits = |expected: &str, got: &Line| expected == got.whole || expected == got.without_reason;
    if expected.len() == got.len() && expected.iter().zip(&got).all(|(e, g)| fits(e, g)) {
        return Ok(());
    }
    let whole: Vec<String> = got.iter().map(|line| line.whole.clone()).collect();
    let same = |expected: &str, whole: &str| {
        got.iter()
            .any(|line| line.whole == whole && fits(expected, line))
    };
    Err(format!(
        "the trail of `{}` is not the expected one (-: expected, +: got)\n{}",
        result.call_id(),
        diff::lines(expected, &whole, same)
    ))
}

struct Line {
    whole: String,
    without_reason: String,
}

fn lines_of(result: &ToolResult) -> Result<Vec<Line>, String> {
    let trail = result.trail().ok_or_else(|| {
        format!(
            "the result of `{}` has no trail\nhelp: make the call with `.trail(true)`, or through \
             `tool_core::testing::Harness`",
            result.call_id()
        )
    })?;
    Ok(trail.entries().iter().map(line).collect())
}

fn line(entry: &TrailEntry) -> Line {
    let mut text = entry.station.as_str().to_owned();
    if !entry.hook.is_empty() {
        text.push_str(&format!(" {}", entry.hook));
    }
    if let Some(scope) = &entry.scope {
        text.push_str(&format!(" in {scope}"));
    }
    let said = entry.said.map_or("dropped", |said| said.as_str());
    text.push_str(&format!(" {said}"));
    let whole = match &entry.reason {
        // One line per entry, whatever the reason is.
        Some(reason) => format!("{text}: {}", reason.replace('\n', "\\n")),
        None => text.clone(),
    };
    Line {
        whole,
        without_reason: text,
    }
}
