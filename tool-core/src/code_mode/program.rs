//! A program, as a runtime gets it: its code, its tools, and the way to call them.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::render;
use crate::batch::SubCalls;
use crate::call::{Asking, ToolCall};
use crate::contain::{contain, drop_contained};
use crate::definition::{Definition, ToolSchema};
use crate::error::{ToolError, code};
use crate::id::CallId;

/// A tool as a program sees it.
#[derive(Clone, Debug)]
pub struct ProgramTool {
    schema: Arc<ToolSchema>,
    output: Arc<Value>,
}

impl ProgramTool {
    pub(crate) fn of(definition: &Definition) -> Self {
        Self {
            schema: definition.schema.clone(),
            output: definition.compiled_output.schema().clone(),
        }
    }

    /// The name, whatever characters it has.
    pub fn name(&self) -> &str {
        &self.schema.name
    }

    /// What it does.
    pub fn description(&self) -> &str {
        &self.schema.description
    }

    /// The JSON Schema of its arguments. Every `$ref` resolves from its root.
    pub fn parameters(&self) -> &Value {
        &self.schema.parameters
    }

    /// The JSON Schema of its value.
    pub fn output(&self) -> &Value {
        &self.output
    }
}

/// One call that a program makes.
pub struct ProgramCall {
    tool: String,
    arguments: Value,
    cancellation: Option<CancellationToken>,
    asking: Option<Asking>,
}

impl ProgramCall {
    /// Calls a tool by name.
    pub fn new(tool: impl Into<String>, arguments: Value) -> Self {
        Self {
            tool: tool.into(),
            arguments,
            cancellation: None,
            asking: None,
        }
    }

    /// Gives the call a cancel signal beside [`Program::cancellation`].
    #[must_use]
    pub fn cancel(mut self, token: CancellationToken) -> Self {
        self.cancellation = Some(token);
        self
    }

    /// What `hold` makes is held as long as an approver is asked about the call, or about one that
    /// its body makes: a person may take longer than a program, so a clock should stand still.
    #[must_use]
    pub fn while_asking<H: Send + 'static>(
        mut self,
        hold: impl Fn() -> H + Send + Sync + 'static,
    ) -> Self {
        self.asking = Some(Asking(Arc::new(move || Box::new(hold()))));
        self
    }
}

impl fmt::Debug for ProgramCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProgramCall")
            .field("tool", &self.tool)
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}

/// What a program printed and returned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProgramOutput {
    pub(super) logs: Vec<String>,
    pub(super) result: Option<Value>,
}

impl ProgramOutput {
    /// What it printed, an entry for each time, and what it returned; `None` for nothing.
    pub fn new(logs: Vec<String>, result: impl Into<Option<Value>>) -> Self {
        Self {
            logs,
            result: result.into(),
        }
    }

    /// What it printed, an entry for each time.
    pub fn logs(&self) -> &[String] {
        &self.logs
    }

    /// What it returned, if anything.
    pub fn result(&self) -> Option<&Value> {
        self.result.as_ref()
    }

    /// The text for the model: what was printed, then the result, or a line saying that there is neither.
    ///
    /// A string is written as it is, other JSON with two spaces a level; what would start at ten
    /// spaces is written on one line.
    pub fn text(&self) -> String {
        render::written(&self.logs.join("\n"), self.result.as_ref())
    }

    /// The canonical value of the run: `{"logs": [...], "result": ...}`.
    pub fn into_value(self) -> Value {
        let mut value = serde_json::Map::new();
        value.insert("logs".to_owned(), self.logs.into());
        if let Some(result) = self.result {
            value.insert("result".to_owned(), result);
        }
        Value::Object(value)
    }
}

/// Takes the outcome of one call to the program.
type Reply = Box<dyn FnOnce(Result<Value, ToolError>) + Send>;

/// A program to run, and its way to the tools. Clones are of the same program.
#[derive(Clone)]
pub struct Program {
    shared: Arc<Shared>,
}

struct Shared {
    code: String,
    outer: CallId,
    tools: Vec<ProgramTool>,
    /// The places in `tools` by name.
    places: HashMap<String, usize>,
    over: CancellationToken,
    calls: Mutex<Calls>,
}

struct Calls {
    /// `None` when the run is over.
    lane: Option<SubCalls>,
    submitted: u64,
    /// Of calls that have no result yet, in the order of their submission, which is that of results.
    replies: VecDeque<Reply>,
}

impl Program {
    pub(super) fn new(
        code: String,
        outer: CallId,
        tools: Vec<ProgramTool>,
        lane: SubCalls,
    ) -> Self {
        let calls = Calls {
            lane: Some(lane),
            submitted: 0,
            replies: VecDeque::new(),
        };
        let names = tools.iter().map(|tool| tool.name().to_owned());
        Self {
            shared: Arc::new(Shared {
                code,
                outer,
                places: names.zip(0..).collect(),
                tools,
                over: CancellationToken::new(),
                calls: Mutex::new(calls),
            }),
        }
    }

    /// The text the model wrote.
    pub fn code(&self) -> &str {
        &self.shared.code
    }

    /// The tools it may call, which are those that were there when it began.
    pub fn tools(&self) -> &[ProgramTool] {
        &self.shared.tools
    }

    /// One of them.
    pub fn tool(&self, name: &str) -> Option<&ProgramTool> {
        self.shared.tools.get(*self.shared.places.get(name)?)
    }

    /// Fires when the program must end: its call is cancelled, or the run is over.
    pub fn cancellation(&self) -> &CancellationToken {
        &self.shared.over
    }

    /// Makes a call: all stations, in the scope of the program's own call, which is its parent.
    ///
    /// Calls are started and settled in the order of their submission and overlap where that is
    /// safe. `reply` gets the value after all policy, or the failure; it is called in that order
    /// too. A call that is not made, of a tool the program does not have or after its end, is
    /// answered before this returns.
    pub fn submit(
        &self,
        call: ProgramCall,
        reply: impl FnOnce(Result<Value, ToolError>) + Send + 'static,
    ) {
        let refusal = {
            let mut calls = self.lock();
            match self.enqueue(&mut calls, call) {
                Ok(()) => {
                    calls.replies.push_back(Box::new(reply));
                    return;
                }
                Err(refusal) => refusal,
            }
        };
        answer(Box::new(reply), Err(refusal));
    }

    fn enqueue(&self, calls: &mut Calls, call: ProgramCall) -> Result<(), ToolError> {
        let ProgramCall {
            tool,
            arguments,
            cancellation,
            asking,
        } = call;
        let Some(lane) = &calls.lane else {
            let message = format!("tool \"{tool}\" was not called: the run is over");
            return Err(ToolError::coded(code::ABORTED_BEFORE_DISPATCH, message));
        };
        if self.tool(&tool).is_none() {
            let message = format!("unknown tool \"{tool}\"");
            return Err(ToolError::coded(code::UNKNOWN_TOOL, message));
        }
        let number = calls.submitted + 1;
        let call_id = format!("{}:code:{number}", self.shared.outer);
        let mut call = ToolCall::new(call_id, tool, arguments).cancel(self.shared.over.clone());
        if let Some(token) = cancellation {
            call = call.cancel(token);
        }
        let request = call.request_mut();
        request.in_program = true;
        if asking.is_some() {
            request.origin_mut().asking = asking;
        }
        lane.submit(call)
            .map_err(|_| ToolError::coded(code::ABORTED_BEFORE_DISPATCH, "the run is over"))?;
        calls.submitted = number;
        Ok(())
    }

    /// Gives the outcome of the oldest call that has none to the program.
    pub(super) fn settle(&self, outcome: Result<Value, ToolError>) {
        let reply = self.lock().replies.pop_front();
        if let Some(reply) = reply {
            answer(reply, outcome);
        }
    }

    /// Ends the run: no call starts any more, and those that run are told.
    pub(super) fn end(&self) {
        let lane = self.lock().lane.take();
        drop(lane);
        self.shared.over.cancel();
    }

    /// Fails the calls that will never have a result, because nobody runs them any more.
    pub(super) fn abandon(&self) {
        self.end();
        let replies = std::mem::take(&mut self.lock().replies);
        for reply in replies {
            let error = ToolError::coded(code::ABORTED, "the run is over");
            answer(reply, Err(error));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Calls> {
        self.shared
            .calls
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// A runtime that panics on an answer loses only that.
fn answer(reply: Reply, outcome: Result<Value, ToolError>) {
    drop_contained(contain(|| reply(outcome)));
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program")
            .field("code", &self.shared.code)
            .finish_non_exhaustive()
    }
}
