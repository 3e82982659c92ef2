//! Compares what was observed with what was expected.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Debug};

use serde_json::{Value, json};
use tool_core::{ContentBlock, ToolError, ToolResult, code};

use super::expect::{Expect, ExpectedBlock, ExpectedError, ExpectedResult, TextKind};
use super::observed::Observed;
use super::text;

/// Where an observation differs from the expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Such as `results.c1.content[0]`.
    pub path: String,
    /// What was expected there.
    pub expected: String,
    /// What was observed there.
    pub got: String,
}

impl Difference {
    /// A difference at `path`. A text stands for itself, anything else is shown as it is written.
    pub fn new(path: &str, expected: &(impl Debug + ?Sized), got: &(impl Debug + ?Sized)) -> Self {
        Self {
            path: path.to_owned(),
            expected: brief(expected),
            got: brief(got),
        }
    }
}

fn brief(it: &(impl Debug + ?Sized)) -> String {
    format!("{it:?}")
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: expected {}, got {}",
            self.path, self.expected, self.got
        )
    }
}

/// All differences, in the order of the sections.
pub fn compare(expect: &Expect, observed: &Observed) -> Vec<Difference> {
    let mut differences = Differences {
        observed,
        found: observed.contradictions.clone(),
    };
    differences.results(&expect.results);
    differences.traces(&expect.traces);
    differences.timeline(expect.timeline.as_deref());
    if observed.peak_bodies.is_some() || expect.peak_bodies.is_some() {
        differences.equal("peak_bodies", &expect.peak_bodies, &observed.peak_bodies);
    }
    let lineage = expect.lineage.clone().unwrap_or_default();
    differences.maps("lineage", &lineage, &observed.lineage);
    differences.maps(
        "execution_modes",
        &expect.execution_modes,
        &observed.execution_modes,
    );
    differences.each(
        "snapshots",
        &expect.snapshots,
        &observed.snapshots,
        |this, path, expected, got| {
            // An offer that cannot be made is an error, told by the rule that was broken.
            let refused = expected
                .get("error")
                .filter(|_| got.get("error_kind").is_some());
            this.json(path, refused.unwrap_or(expected), got);
        },
    );
    differences.maps("batches", &expect.batches, &observed.batches);
    differences.equal(
        "approval_requests",
        &expect.approval_requests,
        &observed.approval_requests,
    );
    differences.equal(
        "registration_errors",
        &expect.registration_errors,
        &observed.registration_errors,
    );
    differences.found
}

struct Differences<'a> {
    observed: &'a Observed,
    found: Vec<Difference>,
}

impl Differences<'_> {
    fn differ(&mut self, path: &str, expected: &impl Debug, got: &impl Debug) {
        self.found.push(Difference::new(path, expected, got));
    }

    fn equal<T: Debug + PartialEq>(&mut self, path: &str, expected: &T, got: &T) {
        if expected != got {
            self.differ(path, expected, got);
        }
    }

    fn json(&mut self, path: &str, expected: &Value, got: &Value) {
        if !text::same(expected, got) {
            // As JSON text, not as Rust's debug form of it.
            let (expected, got) = (expected.to_string(), got.to_string());
            // A program may return the message of a failure that it caught.
            if self.tolerates(&expected, &got) {
                return;
            }
            self.found.push(Difference {
                path: path.to_owned(),
                expected,
                got,
            });
        }
    }

    /// Compares what both have, and reports what only one has.
    fn each<E: Debug, G: Debug>(
        &mut self,
        section: &str,
        expected: &BTreeMap<String, E>,
        got: &BTreeMap<String, G>,
        mut compare: impl FnMut(&mut Self, &str, &E, &G),
    ) {
        let keys: BTreeSet<&String> = expected.keys().chain(got.keys()).collect();
        for key in keys {
            let path = format!("{section}.{key}");
            match (expected.get(key), got.get(key)) {
                (Some(expected), Some(got)) => compare(self, &path, expected, got),
                (Some(expected), None) => self.differ(&path, expected, &Nothing),
                (None, got) => self.differ(&path, &Nothing, &got),
            }
        }
    }

    fn maps<T: Debug + PartialEq>(
        &mut self,
        section: &str,
        expected: &BTreeMap<String, T>,
        got: &BTreeMap<String, T>,
    ) {
        self.each(section, expected, got, |this, path, expected, got| {
            this.equal(path, expected, got);
        });
    }

    fn traces(&mut self, expected: &BTreeMap<String, Vec<String>>) {
        let observed = self.observed;
        self.each(
            "traces",
            expected,
            &observed.traces,
            |this, path, expected, got| {
                let call = path.strip_prefix("traces.").unwrap_or(path);
                let compared = |marks: &[String]| {
                    let marks = marks.iter().filter(|mark| this.is_compared(call, mark));
                    marks.cloned().collect::<Vec<_>>()
                };
                let (expected, got) = (compared(expected), compared(got));
                this.equal(path, &expected, &got);
            },
        );
    }

    fn timeline(&mut self, expected: Option<&[String]>) {
        let compared = |entries: Option<&[String]>| {
            let is_compared = |entry: &&String| {
                let (call, mark) = entry.rsplit_once(' ').unwrap_or(("", entry));
                self.is_compared(call, mark)
            };
            entries.map(|it| it.iter().filter(is_compared).cloned().collect::<Vec<_>>())
        };
        let (expected, got) = (
            compared(expected),
            compared(self.observed.timeline.as_deref()),
        );
        self.equal("timeline", &expected, &got);
    }

    /// Where a pre hook asked, guards are consulted once or twice; only a denial or failure counts.
    fn is_compared(&self, call: &str, mark: &str) -> bool {
        let abstained = mark
            .strip_prefix("guard:")
            .is_some_and(|label| self.observed.abstaining.contains(label));
        !(abstained && self.observed.asked.contains(call))
    }

    fn results(&mut self, expected: &BTreeMap<String, ExpectedResult>) {
        let observed = self.observed;
        let results = &observed.results;
        let results = results
            .iter()
            .map(|(call, result)| (call.clone(), Shown(result)))
            .collect();
        self.each(
            "results",
            expected,
            &results,
            |this, path, expected, Shown(got)| {
                let call = got.call_id().as_str();
                if path != format!("results.{call}") {
                    this.differ(&format!("{path}.call_id"), &path, &call);
                }
                this.result(path, expected, got, observed.skipped.contains(call));
            },
        );
    }

    fn result(&mut self, path: &str, expected: &ExpectedResult, got: &ToolResult, skipped: bool) {
        let at = |field: &str| format!("{path}.{field}");
        self.equal(&at("is_error"), &expected.is_error, &got.is_error());
        self.equal(&at("skipped"), &expected.skipped, &skipped);
        match (&expected.value, got.value()) {
            (Some(expected), Some(got)) => self.json(&at("value"), expected, got),
            (None, None) => {}
            (expected, got) => self.differ(&at("value"), expected, &got),
        }
        match (&expected.error, got.error()) {
            (Some(expected), Some(got)) if skipped => self.code(&at("error"), expected, got, false),
            (Some(expected), Some(got)) => self.error(&at("error"), expected, got),
            (None, None) => {}
            (expected, got) => self.differ(&at("error"), expected, &got),
        }
        if skipped && expected.skipped {
            return;
        }
        let blocks = expected.content.as_deref().unwrap_or_default();
        self.content(&at("content"), blocks, got);
        match (&expected.meta, got.meta()) {
            (Some(expected), Some(got)) => self.json(&at("meta"), expected, got),
            (None, None) => {}
            (expected, got) => self.differ(&at("meta"), expected, &got),
        }
        let contexts: Vec<String> = got
            .additional_contexts()
            .iter()
            .map(text::of_context)
            .collect();
        self.equal(
            &at("additional_contexts"),
            &expected.additional_contexts,
            &contexts,
        );
        self.equal(
            &at("concludes_turn"),
            &expected.concludes_turn,
            &got.concludes_turn(),
        );
    }

    fn error(&mut self, path: &str, expected: &ExpectedError, got: &ToolError) {
        let ExpectedError {
            message,
            message_lead,
            error_kind,
            message_must_name,
            ..
        } = expected;
        let message_path = format!("{path}.message");
        let mut withheld = false;
        match (message, message_lead, error_kind) {
            (Some(message), None, None) => {
                withheld = self.is_withheld(message);
                self.text(&message_path, message, got.message());
            }
            (None, Some(lead), None) => {
                if !got.message().starts_with(lead.as_str()) {
                    let expected = format!("{lead}...");
                    self.differ(&message_path, &expected, &got.message());
                }
            }
            (None, None, Some(kind)) => {
                self.equal(&format!("{path}.error_kind"), &kind.code(), &got.code());
            }
            _ => self.differ(path, &"one form of error", expected),
        }
        if let Some(word) = message_must_name
            && !got.message().contains(word.as_str())
        {
            self.differ(
                &message_path,
                &format!("a message that names {word}"),
                &got.message(),
            );
        }
        self.code(path, expected, got, withheld);
    }

    fn code(&mut self, path: &str, expected: &ExpectedError, got: &ToolError, withheld: bool) {
        let Some(expected) = expected.info.as_ref().and_then(|info| info.code.as_deref()) else {
            return;
        };
        let is_panic = matches!(got.code(), code::TOOL_PANICKED | code::HOOK_FAILED);
        if expected != got.code() && !(withheld && is_panic) {
            self.differ(&format!("{path}.info.code"), &expected, &got.code());
        }
    }

    fn content(&mut self, path: &str, expected: &[ExpectedBlock], got: &ToolResult) {
        let blocks = got.content();
        if expected.len() != blocks.len() {
            self.differ(path, &expected, &blocks);
            return;
        }
        for (index, (expected, block)) in expected.iter().zip(blocks).enumerate() {
            let path = format!("{path}[{index}]");
            match (expected, block) {
                (
                    ExpectedBlock::Text {
                        text: Some(text), ..
                    },
                    ContentBlock::Text { text: got, .. },
                ) => {
                    self.text(&path, text, got);
                }
                (
                    ExpectedBlock::Text {
                        text_from_error: true,
                        ..
                    },
                    ContentBlock::Text { text, .. },
                ) => {
                    let own = got.error().map(|error| format!("Error: {error}"));
                    self.equal(&path, &own, &Some(text.clone()));
                }
                (
                    ExpectedBlock::Text {
                        text_kind: Some(TextKind::NoProgramOutput),
                        ..
                    },
                    ContentBlock::Text { text, .. },
                ) if !text.is_empty() => {}
                (ExpectedBlock::Image { r#ref }, ContentBlock::Image { data, .. }) => {
                    self.equal(&path, r#ref, data);
                }
                _ => self.differ(&path, expected, block),
            }
        }
    }

    /// Exact text, but for stack frames of programs and for messages that panics withhold.
    fn text(&mut self, path: &str, expected: &str, got: &str) {
        let is_program = expected.contains("code run failed (");
        let (left, right) = if is_program {
            (text::without_frames(expected), text::without_frames(got))
        } else {
            (expected.to_owned(), got.to_owned())
        };
        if left != right && !self.tolerates(&left, &right) {
            self.differ(path, &expected, &got);
        }
    }

    /// Whether a text differs only where it copies the message of a panic.
    fn tolerates(&self, expected: &str, got: &str) -> bool {
        let thrown = self.observed.thrown.iter();
        thrown
            .filter(|it| !it.is_empty() || expected.is_empty())
            .any(|it| {
                expected
                    .split_once(it.as_str())
                    .is_some_and(|(before, after)| {
                        got.len() >= before.len() + after.len()
                            && got.starts_with(before)
                            && got.ends_with(after)
                    })
            })
    }

    /// Whether a panic has had this message, or one that it copies.
    fn is_withheld(&self, message: &str) -> bool {
        let copies = |it: &String| message == it || !it.is_empty() && message.contains(it.as_str());
        self.observed.thrown.iter().any(copies)
    }
}

/// Nothing was expected, or nothing was observed.
struct Nothing;

impl Debug for Nothing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing")
    }
}

/// A result, in messages shown as JSON.
struct Shown<'a>(&'a ToolResult);

impl Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", json!(self.0))
    }
}
