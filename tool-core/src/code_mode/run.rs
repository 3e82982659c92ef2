//! One run: the program on one side, its calls on the other, and what is left when it is over.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use futures_util::stream::StreamExt as _;

use super::CodeRuntime;
use super::program::{Program, ProgramOutput, ProgramTool};
use crate::batch::SubCalls;
use crate::content::ContentBlock;
use crate::error::ToolError;
use crate::execution::RunContext;
use crate::lookout::Lookout;
use crate::lookup;
use crate::result::ToolResult;

/// Runs a program as the body of the call `cx`. When it returns, no call of the program is in flight.
///
/// # Errors
///
/// The runtime's own.
pub(super) async fn run(
    runtime: &dyn CodeRuntime,
    code: String,
    max_parallel: usize,
    cx: &RunContext,
) -> Result<ProgramOutput, ToolError> {
    let view = cx.shared().view(cx.scope());
    let tools = lookup::callable_by_programs(&view)
        .into_iter()
        .map(|definition| ProgramTool::of(definition))
        .collect();
    drop(view);
    let (lane, results) = SubCalls::new(cx.clone(), max_parallel, Some(Lookout::new()));
    let program = Program::new(code, cx.call_id().clone(), tools, lane);
    let ended = Abandon(program.clone());
    let outcome = {
        let mut results = pin!(results);
        let mut running = runtime.run(program.clone());
        let mut cancelled = pin!(cx.cancellation().cancelled());
        let mut told = false;
        let outcome = poll_fn(|task| {
            if !told && cancelled.as_mut().poll(task).is_ready() {
                told = true;
                program.cancellation().cancel();
            }
            while let Poll::Ready(Some(result)) = results.poll_next_unpin(task) {
                if cx.cancellation().is_cancelled() {
                    // Before the program can make anything of a call that was cancelled with it.
                    program.cancellation().cancel();
                }
                settle(&program, cx, &result);
            }
            running.as_mut().poll(task)
        })
        .await;
        // Over for whatever reason: what runs is told and awaited, what waits never starts.
        program.end();
        while let Some(result) = results.next().await {
            settle(&program, cx, &result);
        }
        outcome
    };
    drop(ended);
    outcome
}

/// Hands on what a sub-call leaves for the next user message, then gives the program its outcome.
fn settle(program: &Program, cx: &RunContext, result: &ToolResult) {
    let is_image = |block: &ContentBlock| matches!(block, ContentBlock::Image { .. });
    // A program has no eyes: what it got shown, the model sees after the run, with what was said to it.
    if !result.is_error() && result.content().iter().any(is_image) {
        cx.defer_context(result.content().to_vec());
    }
    for context in result.additional_contexts() {
        cx.defer_context(context.clone());
    }
    if result.concludes_turn() {
        cx.conclude_turn();
    }
    program.settle(match result.error() {
        Some(error) => Err(error.clone()),
        None => Ok(result.value().cloned().unwrap_or_default()),
    });
}

/// Ends a run whose future is dropped.
struct Abandon(Program);

impl Drop for Abandon {
    fn drop(&mut self) {
        self.0.abandon();
    }
}
