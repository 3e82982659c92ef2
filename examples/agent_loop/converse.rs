//! The loop: the model is asked until it calls nothing more.

use std::error::Error;
use std::pin::pin;

use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tool_core::dialect::{Dialect, Export};
use tool_core::wire::{Provider, Turn};
use tool_core::{ToolResult, ToolRuntime, additional_contexts};

use crate::chat::Client;
use crate::terminal::Terminal;

/// A model that calls tools without end is stopped after so many answers.
const MOST_TURNS: usize = 50;

/// A model, its tools, and who watches.
pub(crate) struct Agent {
    runtime: ToolRuntime,
    export: Export,
    client: Client,
    model: String,
    terminal: Terminal,
}

/// How a conversation came to rest.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The model has answered.
    Answered,
    /// A tool said that the turn is over.
    Concluded,
    /// It was cancelled. The history is complete: every call in it has its result.
    Cancelled,
    TooManyTurns,
}

impl Agent {
    pub(crate) fn new(
        runtime: ToolRuntime,
        client: Client,
        model: String,
        terminal: Terminal,
    ) -> Self {
        Self {
            export: runtime.export(Dialect::OpenAi { strict: false }),
            runtime,
            client,
            model,
            terminal,
        }
    }

    /// Puts the prompt and all that follows from it into the history.
    pub(crate) async fn converse(
        &self,
        history: &mut Vec<Value>,
        prompt: &str,
        cancel: &CancellationToken,
    ) -> Result<Ended, Box<dyn Error>> {
        history.push(json!({"role": "user", "content": prompt}));
        for _ in 0..MOST_TURNS {
            let request = json!({
                "model": self.model,
                "messages": history,
                "tools": self.export.tools,
                "stream": true,
            });
            let answering = self
                .client
                .answer(&request, |text| self.terminal.show(text));
            // Half an answer is no part of the history: it is dropped, and so is the connection.
            let Some(response) = cancel.run_until_cancelled(answering).await else {
                return Ok(Ended::Cancelled);
            };
            let turn = Provider::OpenAiChat.read(&response?)?;
            let turn = turn.with_names(&self.export.names);
            history.extend(turn.replay());
            if !turn.has_calls() {
                if turn.is_truncated() {
                    self.terminal.show("\n[the answer was cut off]");
                }
                return Ok(Ended::Answered);
            }
            let results = self.run(&turn, cancel).await;
            // Whatever happened, one answer for each call: no request is refused for want of one.
            history.extend(turn.answers(&results));
            for context in additional_contexts(&results) {
                history.push(json!({"role": "user", "content": context.text()}));
            }
            if cancel.is_cancelled() {
                return Ok(Ended::Cancelled);
            }
            if results.iter().any(ToolResult::concludes_turn) {
                return Ok(Ended::Concluded);
            }
        }
        Ok(Ended::TooManyTurns)
    }

    /// Runs the calls of a turn, and shows each result as soon as it is there.
    async fn run(&self, turn: &Turn, cancel: &CancellationToken) -> Vec<ToolResult> {
        let calls = turn.calls().into_iter().map(|call| {
            self.terminal
                .show(&format!("\n[{} calls {}]", call.call_id(), call.name()));
            let terminal = self.terminal.clone();
            call.on_progress(move |progress| {
                let percent = progress.fraction * 100.0;
                terminal.show(&format!("\n[{percent:3.0} % {}]", progress.message));
            })
        });
        let mut results = Vec::new();
        let mut stream = pin!(self.runtime.batch(calls).cancel(cancel).stream());
        while let Some(result) = stream.next().await {
            let code = result.error().map_or("ok", |error| error.code());
            self.terminal
                .show(&format!("\n[{} {code}]", result.call_id()));
            results.push(result);
        }
        self.terminal.show("\n");
        results
    }
}
