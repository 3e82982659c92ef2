//! The seam of Code Mode: what a runtime for programs implements, and what it is given.
//!
//! A crate that has an engine implements [`CodeRuntime`]; this crate makes the tool `run_code` of
//! it, and everything a program calls goes through the same pipeline as a model's own call.

mod offer;
mod program;
mod render;
mod run;
mod tool;

pub use offer::Offer;
pub use program::{Program, ProgramCall, ProgramOutput, ProgramTool};
pub(crate) use tool::{SharedRuntime, definition};

use crate::error::ToolError;
use crate::future::BoxFuture;

/// Runs the programs that a model sends to `run_code`.
///
/// Given to [`ToolRuntimeBuilder::code_runtime`](crate::ToolRuntimeBuilder::code_runtime). The crate
/// `tool-code-mode` has one for TypeScript.
///
/// # Examples
///
/// A "language" whose program is the name of a tool to call without arguments:
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use serde_json::json;
/// use tokio::sync::oneshot;
/// use tool_core::{
///     BoxFuture, CodeRuntime, Presentation, Program, ProgramCall, ProgramOutput, ProgramTool, ToolCall,
///     ToolError, ToolRuntime, tool,
/// };
///
/// struct Names;
///
/// impl CodeRuntime for Names {
///     fn language(&self) -> &str {
///         "Names"
///     }
///
///     fn interface(&self, tools: &[ProgramTool]) -> String {
///         tools.iter().map(|tool| format!("{}\n", tool.name())).collect()
///     }
///
///     fn run(&self, program: Program) -> BoxFuture<'static, Result<ProgramOutput, ToolError>> {
///         Box::pin(async move {
///             let (answer, answered) = oneshot::channel();
///             let call = ProgramCall::new(program.code(), json!({}));
///             program.submit(call, move |outcome| {
///                 let _ = answer.send(outcome);
///             });
///             let value = answered.await.map_err(|_| "the run is over")??;
///             Ok(ProgramOutput::new(Vec::new(), value))
///         })
///     }
/// }
///
/// /// The answer.
/// #[tool]
/// fn answer() -> u8 { 42 }
///
/// let runtime = ToolRuntime::builder()
///     .tool(answer {})
///     .code_runtime(Names)
///     .presentation(Presentation::Code)
///     .build()
///     .unwrap();
/// let arguments = json!({"code": "answer", "description": "Ask for the answer"});
/// let result = runtime.execute(ToolCall::new("call_1", "run_code", arguments)).await;
/// assert_eq!(result.text(), "42");
/// # }
/// ```
pub trait CodeRuntime: Send + Sync + 'static {
    /// The language of the programs, such as `TypeScript`. A model is told.
    fn language(&self) -> &str;

    /// The tools as declarations of the language, for a system prompt. The same text for the same
    /// tools, in whatever order they come.
    fn interface(&self, tools: &[ProgramTool]) -> String;

    /// Runs one program.
    ///
    /// When the future is ready or dropped, the program must be over. It may not wait for the
    /// program's calls to end: that is done here.
    ///
    /// # Errors
    ///
    /// What the model is told, `code run failed (exception): ...`; a code of its own, or
    /// `CODE_RUN_FAILED`.
    fn run(&self, program: Program) -> BoxFuture<'static, Result<ProgramOutput, ToolError>>;
}
