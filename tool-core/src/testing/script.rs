//! A model that says what a script says.

use std::collections::{HashMap, VecDeque};
use std::fmt;

use serde_json::Value;

use super::{diff, trail};
use crate::call::{RawArguments, ToolCall};
use crate::result::ToolResult;

/// A model whose turns are written down: which tools it calls, and what it must be told of each.
///
/// It takes the model's place in a loop of one's own, or is played by [`Harness::play`](super::Harness::play):
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use serde_json::json;
/// use tool_core::testing::{ScriptedCall, ScriptedModel};
/// use tool_core::{ToolRuntime, tool};
///
/// /// Greets somebody by name.
/// #[tool]
/// fn hello(name: String) -> String { format!("Hello, {name}!") }
///
/// let runtime = ToolRuntime::builder().tool(hello {}).build().unwrap();
/// let mut model = ScriptedModel::new()
///     .turn([
///         ScriptedCall::new("hello", json!({"name": "Ada"})).shows("Hello, Ada!"),
///         ScriptedCall::new("hello", json!({})).fails("INVALID_ARGS"),
///     ])
///     .turn([ScriptedCall::new("goodbye", json!({})).fails("UNKNOWN_TOOL")]);
/// while let Some(calls) = model.next_calls() {
///     let results = runtime.execute_batch(calls).await;
///     model.answer(&results);
/// }
/// model.assert_complete();
/// # }
/// ```
#[derive(Debug, Default)]
#[must_use = "a script does nothing until its turns are taken; end with `assert_complete`"]
pub struct ScriptedModel {
    turns: VecDeque<Vec<ScriptedCall>>,
    /// The calls of the turn that waits for its results.
    asked: Option<Vec<ScriptedCall>>,
    taken: usize,
}

impl ScriptedModel {
    /// A model without turns.
    pub fn new() -> Self {
        Self::default()
    }

    /// One more turn, with the calls that the model makes in it.
    pub fn turn(mut self, calls: impl IntoIterator<Item = ScriptedCall>) -> Self {
        self.turns.push_back(calls.into_iter().collect());
        self
    }

    /// The calls of the next turn, `None` after the last. Without ids of their own they are named by
    /// turn and place: `call_1_1`, `call_1_2`, `call_2_1`.
    ///
    /// # Panics
    ///
    /// If the turn before was not [`answered`](Self::answer).
    #[track_caller]
    pub fn next_calls(&mut self) -> Option<Vec<ToolCall>> {
        assert!(
            self.asked.is_none(),
            "turn {} of the model was not answered\nhelp: hand its results to `answer`",
            self.taken
        );
        let mut calls = self.turns.pop_front()?;
        self.taken += 1;
        for (place, call) in calls.iter_mut().enumerate() {
            call.id
                .get_or_insert_with(|| format!("call_{}_{}", self.taken, place + 1));
        }
        let made = calls
            .iter()
            .map(|call| ToolCall::new(call.given_id(), &*call.tool, call.arguments.clone()));
        let made = made.collect();
        self.asked = Some(calls);
        Some(made)
    }

    /// Takes the results of the turn: exactly one per call, in any order, each as it was expected.
    ///
    /// # Panics
    ///
    /// With everything that is not as expected in this turn, or if no turn waits.
    #[track_caller]
    pub fn answer<'r>(&mut self, results: impl IntoIterator<Item = &'r ToolResult>) {
        let Some(calls) = self.asked.take() else {
            panic!("no turn of the model waits for results\nhelp: take one with `next_calls`");
        };
        let mut problems = Vec::new();
        let mut by_id: HashMap<&str, Vec<&ToolResult>> = HashMap::new();
        for result in results {
            by_id
                .entry(result.call_id().as_str())
                .or_default()
                .push(result);
        }
        for call in &calls {
            let results = by_id.remove(call.given_id()).unwrap_or_default();
            match *results {
                [result] => problems.extend(call.problems(result)),
                _ => problems.push(format!(
                    "`{}` ({}): expected one result, got {}",
                    call.given_id(),
                    call.tool,
                    results.len()
                )),
            }
        }
        let mut unasked: Vec<&str> = by_id.into_keys().collect();
        unasked.sort_unstable();
        problems.extend(
            unasked
                .iter()
                .map(|id| format!("`{id}`: a result for a call that the model did not make")),
        );
        assert!(
            problems.is_empty(),
            "turn {} of the model was not answered as expected\n{}",
            self.taken,
            problems.join("\n")
        );
    }

    /// Asserts that all turns were taken and answered.
    ///
    /// # Panics
    ///
    /// If not, with what is left.
    #[track_caller]
    pub fn assert_complete(&self) {
        assert!(
            self.asked.is_none(),
            "turn {} of the model was not answered\nhelp: hand its results to `answer`",
            self.taken
        );
        if let Some(next) = self.turns.front() {
            let tools: Vec<&str> = next.iter().map(|call| &*call.tool).collect();
            panic!(
                "the model was stopped after turn {} of {}; next it calls {}",
                self.taken,
                self.taken + self.turns.len(),
                if tools.is_empty() {
                    "nothing".to_owned()
                } else {
                    tools.join(", ")
                }
            );
        }
    }
}

/// A call of a [`ScriptedModel`], and what its result must be.
///
/// ```
/// use serde_json::json;
/// use tool_core::testing::ScriptedCall;
///
/// let right = ScriptedCall::new("send", json!({"to": "Ada"})).shows("sent to Ada");
/// let wrong = ScriptedCall::new("send", json!({"too": "Ada"})).fails("INVALID_ARGS");
/// # let _ = (right, wrong);
/// ```
#[must_use = "a call belongs into a turn of a `ScriptedModel`"]
pub struct ScriptedCall {
    id: Option<String>,
    tool: String,
    arguments: RawArguments,
    expected: Vec<Expected>,
}

enum Expected {
    Text(String),
    Value(Value),
    Code(String),
    Trail(Vec<String>),
    Check(Box<dyn Fn(&ToolResult) + Send + Sync>),
}

impl ScriptedCall {
    /// A call whose result may be anything. Arguments are JSON text or a JSON value, and may be wrong.
    pub fn new(tool: impl Into<String>, arguments: impl Into<RawArguments>) -> Self {
        Self {
            id: None,
            tool: tool.into(),
            arguments: arguments.into(),
            expected: Vec::new(),
        }
    }

    /// Gives the call an id of its own.
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// It must succeed, and the model be shown exactly this text.
    pub fn shows(self, text: impl Into<String>) -> Self {
        self.expecting(Expected::Text(text.into()))
    }

    /// It must succeed with this value.
    pub fn gives(self, value: impl Into<Value>) -> Self {
        self.expecting(Expected::Value(value.into()))
    }

    /// It must fail with this code, such as `DENIED`.
    pub fn fails(self, code: impl Into<String>) -> Self {
        self.expecting(Expected::Code(code.into()))
    }

    /// It must have this trail, see [`assert_trail`](super::assert_trail). The call needs one:
    /// [`Harness::play`](super::Harness::play) and `.trail(true)` on the runtime's builder ask for it.
    pub fn trail<L: Into<String>>(self, lines: impl IntoIterator<Item = L>) -> Self {
        self.expecting(Expected::Trail(lines.into_iter().map(Into::into).collect()))
    }

    /// Asserts whatever else there is to assert.
    pub fn check(self, check: impl Fn(&ToolResult) + Send + Sync + 'static) -> Self {
        self.expecting(Expected::Check(Box::new(check)))
    }

    fn expecting(mut self, expected: Expected) -> Self {
        self.expected.push(expected);
        self
    }

    fn given_id(&self) -> &str {
        self.id.as_deref().unwrap_or_default()
    }

    fn problems(&self, result: &ToolResult) -> Vec<String> {
        let problems = self.expected.iter().filter_map(|expected| {
            let problem = expected.problem(result).err()?;
            Some(format!("`{}` ({}): {problem}", self.given_id(), self.tool))
        });
        problems.collect()
    }
}

impl Expected {
    fn problem(&self, result: &ToolResult) -> Result<(), String> {
        let unexpected = |kind: &str, expected: &str, got: &str| {
            let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
            let sides = diff::lines(&lines(expected), &lines(got), |a, b| a == b);
            Err(format!("another {kind} (-: expected, +: got)\n{sides}"))
        };
        match self {
            Self::Text(_) | Self::Value(_) if result.is_error() => Err(format!(
                "expected a success, got {}: {}",
                code_of(result),
                result.text()
            )),
            Self::Text(text) if *text != result.text() => unexpected("text", text, &result.text()),
            Self::Value(value) if Some(value) != result.value() => {
                let pretty = |value: &Value| format!("{value:#}");
                let got = result.value().map(pretty).unwrap_or_default();
                unexpected("value", &pretty(value), &got)
            }
            Self::Code(code) if code != code_of(result) => Err(format!(
                "expected {code}, got {}: {}",
                code_of(result),
                result.text()
            )),
            Self::Trail(lines) => trail::compare(result, lines),
            Self::Check(check) => {
                check(result);
                Ok(())
            }
            Self::Text(_) | Self::Value(_) | Self::Code(_) => Ok(()),
        }
    }
}

fn code_of(result: &ToolResult) -> &str {
    result.error().map_or("a success", |error| error.code())
}

impl fmt::Debug for ScriptedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedCall")
            .field("id", &self.id)
            .field("tool", &self.tool)
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}
