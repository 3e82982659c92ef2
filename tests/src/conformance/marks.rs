//! What callbacks notice while a scenario runs: marks, results, questions; and what marks set off.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;
use tool_core::{ExecutionToken, ToolExecution, ToolResult};

use super::expect::Request;

/// The marks of one scenario, shared by all of its callbacks.
#[derive(Clone, Default)]
pub(super) struct Marks {
    state: Arc<Mutex<Noticed>>,
}

/// What was noticed so far.
#[derive(Default)]
pub(super) struct Noticed {
    /// All marks in global order: call and mark.
    pub all: Vec<(String, String)>,
    /// The final results, as the runner's own observer was told of them.
    pub told: BTreeMap<String, ToolResult>,
    /// The results of single and nested calls, as their callers got them.
    pub returned: BTreeMap<String, ToolResult>,
    /// The messages of panics so far.
    pub thrown: BTreeSet<String>,
    /// Calls by execution.
    pub executions: HashMap<ExecutionToken, String>,
    /// Parent and root of calls that have a parent.
    pub parents: BTreeMap<String, (ExecutionToken, String)>,
    /// The questions that reached the answerer.
    pub requests: Vec<Request>,
    /// The calls that a pre-execute hook asked about.
    pub asked: BTreeSet<String>,
    /// The labels of guards that abstain.
    pub abstaining: BTreeSet<String>,
    /// The calls that a wrapper has broken.
    pub broken_wrappers: BTreeSet<String>,
    /// The most bodies that were open at once.
    pub peak_bodies: usize,
    open_bodies: usize,
    armed: Vec<Armed>,
    /// The call whose callback ended last, see [`Marks::leave`].
    current: String,
}

/// A signal that a mark fires.
struct Armed {
    calls: Vec<String>,
    mark: String,
    token: CancellationToken,
}

impl Marks {
    /// What was noticed so far.
    pub(super) fn noticed(&self) -> MutexGuard<'_, Noticed> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a mark into the trace of `call`, then fires what was armed for it.
    pub(super) fn write(&self, call: &str, mark: &str) {
        let fired: Vec<CancellationToken> = {
            let mut noticed = self.noticed();
            noticed.all.push((call.to_owned(), mark.to_owned()));
            call.clone_into(&mut noticed.current);
            let fits =
                |armed: &&Armed| armed.mark == mark && armed.calls.iter().any(|it| it == call);
            noticed
                .armed
                .iter()
                .filter(fits)
                .map(|armed| armed.token.clone())
                .collect()
        };
        // Outside of the lock: firing wakes whoever waits.
        for token in fired {
            token.cancel();
        }
    }

    /// Fires `token` when the trace of one of `calls` gets `mark`.
    pub(super) fn arm(&self, calls: Vec<String>, mark: &str, token: CancellationToken) {
        self.noticed().armed.push(Armed {
            calls,
            mark: mark.to_owned(),
            token,
        });
    }

    /// Says that a callback of `call` returns now.
    ///
    /// Renderers and projectors are given arguments and value, not the call. They are invoked right
    /// after the body, wrapper or post hook whose value they show, so the call is the one of the
    /// callback that returned last.
    pub(super) fn leave(&self, call: &str) {
        call.clone_into(&mut self.noticed().current);
    }

    /// Writes the mark of a projector into the trace of the call it works for.
    pub(super) fn write_projection(&self, mark: &str) {
        let call = self.noticed().current.clone();
        self.write(&call, mark);
    }

    /// Notes a final result, and whose it is.
    pub(super) fn tell(&self, execution: &ToolExecution, result: &ToolResult) {
        let mut noticed = self.noticed();
        let call = execution.call_id().as_str().to_owned();
        noticed.told.insert(call.clone(), result.clone());
        noticed.executions.insert(execution.token(), call.clone());
        if let Some(parent) = execution.parent() {
            let root = execution.root_call_id().as_str().to_owned();
            noticed.parents.insert(call, (parent, root));
        }
    }

    /// The execution of an earlier call.
    pub(super) fn token_of(&self, call: &str) -> Option<ExecutionToken> {
        let noticed = self.noticed();
        noticed
            .executions
            .iter()
            .find(|(_, id)| *id == call)
            .map(|(token, _)| *token)
    }

    /// Opens a body; its end is marked when the guard is dropped, however it is left.
    pub(super) fn enter_body(&self, call: &str, tool: &str) -> OpenBody {
        {
            let mut noticed = self.noticed();
            noticed.open_bodies += 1;
            noticed.peak_bodies = noticed.peak_bodies.max(noticed.open_bodies);
        }
        let open = OpenBody {
            marks: self.clone(),
            call: call.to_owned(),
            mark: format!("body_end:{tool}"),
        };
        self.write(call, &format!("body:{tool}"));
        open
    }
}

/// A body that has been entered and not been left.
pub(super) struct OpenBody {
    marks: Marks,
    call: String,
    mark: String,
}

impl Drop for OpenBody {
    fn drop(&mut self) {
        self.marks.noticed().open_bodies -= 1;
        self.marks.write(&self.call, &self.mark);
    }
}
