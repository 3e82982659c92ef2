//! Notes that are kept in memory, and a tool that takes its time.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tool_core::{
    Approver, Decision, RegisterError, RunContext, State, ToolRuntime, guard, pre_execute, tool,
};

/// The notes, by name.
#[derive(Default)]
pub(crate) struct Notes(Mutex<BTreeMap<String, String>>);

/// Reads a note.
#[tool(read_only, concurrency_safe)]
fn read_note(
    notes: &State<Notes>,
    /// Which one.
    name: String,
) -> Result<String, String> {
    let notes = notes.0.lock().unwrap_or_else(PoisonError::into_inner);
    let text = notes.get(&name).cloned();
    text.ok_or_else(|| format!("there is no note {name:?}; there are {:?}", notes.keys()))
}

/// Writes a note, over the one that may be there.
#[tool(destructive)]
fn write_note(
    notes: &State<Notes>,
    /// Which one.
    name: String,
    /// What is in it from now on.
    text: String,
) -> String {
    let written = format!("{} bytes written", text.len());
    let mut notes = notes.0.lock().unwrap_or_else(PoisonError::into_inner);
    notes.insert(name, text);
    written
}

/// Lets time pass.
#[tool(read_only)]
async fn wait(
    cx: &RunContext,
    /// How long, in seconds.
    seconds: u16,
) -> String {
    for second in 0..seconds {
        cx.progress(f64::from(second) / f64::from(seconds), "waiting");
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(1)) => {}
            () = cx.cancellation().cancelled() => return format!("stopped after {second} s"),
        }
    }
    format!("{seconds} s later")
}

/// Somebody looks at what is written.
#[pre_execute(tool = write_note)]
async fn ask_first(name: &str) -> Decision {
    Decision::Ask(Some(format!("the note {name:?} is written")))
}

/// Notes are no place for passwords, whoever agrees.
#[guard(tool = write_note)]
fn no_passwords(text: &str) -> Option<String> {
    let found = text.to_lowercase().contains("password");
    found.then(|| "a note must not hold a password".to_owned())
}

pub(crate) fn runtime(approver: impl Approver) -> Result<ToolRuntime, RegisterError> {
    ToolRuntime::builder()
        .state(Notes::default())
        .tool(read_note {})
        .tool(write_note {})
        .tool(wait {})
        .pre_execute(ask_first {})
        .guard(no_passwords {})
        .approver(approver)
        .build()
}
