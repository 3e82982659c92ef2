//! Code Mode: how tools are presented, what a program may call, and what its calls meet.

#[path = "code_mode/both_ways.rs"]
mod both_ways;
#[path = "code_mode/presented.rs"]
mod presented;
#[path = "code_mode/runs.rs"]
mod runs;
#[path = "code_mode/settled.rs"]
mod settled;
#[path = "properties/spec.rs"]
mod spec;
#[path = "properties/stage.rs"]
#[allow(dead_code, reason = "shared with the properties of the pipeline")]
mod stage;
mod support;

use serde_json::json;
use tokio::sync::oneshot;
use tool_core::{
    BoxFuture, CodeRuntime, Program, ProgramCall, ProgramOutput, ProgramTool, ToolCall, ToolError,
};

/// Programs written in Rust: whatever the code says, this runs.
struct Scripted<F>(F);

impl<F> CodeRuntime for Scripted<F>
where
    F: Fn(Program) -> BoxFuture<'static, Result<ProgramOutput, ToolError>> + Send + Sync + 'static,
{
    fn language(&self) -> &'static str {
        "Rust"
    }

    fn interface(&self, tools: &[ProgramTool]) -> String {
        let mut names: Vec<_> = tools.iter().map(ProgramTool::name).collect();
        names.sort_unstable();
        format!("tools: {}", names.join(", "))
    }

    fn run(&self, program: Program) -> BoxFuture<'static, Result<ProgramOutput, ToolError>> {
        (self.0)(program)
    }
}

fn scripted<F, Fut>(program: F) -> impl CodeRuntime
where
    F: Fn(Program) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<ProgramOutput, ToolError>> + Send + 'static,
{
    Scripted(
        move |it| -> BoxFuture<'static, Result<ProgramOutput, ToolError>> { Box::pin(program(it)) },
    )
}

type Outcome = Result<serde_json::Value, ToolError>;

/// Makes a call without arguments, and gives what its outcome will come out of.
fn submit(program: &Program, tool: &str) -> oneshot::Receiver<Outcome> {
    let (answer, answered) = oneshot::channel();
    program.submit(ProgramCall::new(tool, json!({})), move |outcome| {
        let _ = answer.send(outcome);
    });
    answered
}

/// Makes a call without arguments, and waits for it.
async fn ask(program: &Program, tool: &str) -> Outcome {
    submit(program, tool).await.expect("every call is answered")
}

#[expect(clippy::unnecessary_wraps, reason = "the end of a program")]
fn returned(result: impl Into<serde_json::Value>) -> Result<ProgramOutput, ToolError> {
    Ok(ProgramOutput::new(Vec::new(), result.into()))
}

/// A call of `run_code`.
fn run_code(call_id: &str) -> ToolCall {
    ToolCall::new(
        call_id,
        "run_code",
        json!({"code": "", "description": "Run the program of the test"}),
    )
}
