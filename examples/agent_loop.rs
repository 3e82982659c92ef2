//! A whole agent: it talks to any server that speaks OpenAI's Chat Completions, runs the calls of the
//! model through policy, asks on the terminal before it writes, and shows progress while tools run.
//! Ctrl-C stops the running turn, not the conversation; twice ends the program.
//!
//! ```text
//! OPENAI_MODEL=gpt-5-mini OPENAI_API_KEY=sk-... cargo run --example agent_loop
//! OPENAI_MODEL=qwen3 OPENAI_BASE_URL=http://localhost:11434/v1 cargo run --example agent_loop
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `agent_loop/tools.rs` | tools and policy |
//! | `agent_loop/converse.rs` | the loop: request, answer, calls, results |
//! | `agent_loop/chat.rs` | one request over HTTP, its answer streamed |
//! | `agent_loop/terminal.rs` | what is shown and asked |

#![expect(
    clippy::needless_pass_by_value,
    clippy::unused_async,
    reason = "tools own their arguments, and hooks would wait for something"
)]

#[path = "agent_loop/chat.rs"]
mod chat;
#[path = "agent_loop/converse.rs"]
mod converse;
#[path = "agent_loop/terminal.rs"]
mod terminal;
#[path = "agent_loop/tools.rs"]
mod tools;

#[cfg(test)]
#[path = "agent_loop/tests.rs"]
mod tests;

use std::error::Error;
use std::future::Future;
use std::pin::pin;

use tokio::signal::ctrl_c;
use tokio_util::sync::CancellationToken;

use chat::Client;
use converse::{Agent, Ended};
use terminal::Terminal;

const NEEDS: &str = "\
agent_loop talks to a server that speaks OpenAI's Chat Completions. It needs:

  OPENAI_MODEL     the model, such as gpt-5-mini
  OPENAI_API_KEY   the key, if the server wants one
  OPENAI_BASE_URL  the server; https://api.openai.com/v1 if it is not set";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let Some(model) = variable("OPENAI_MODEL") else {
        println!("{NEEDS}");
        return Ok(());
    };
    let base = variable("OPENAI_BASE_URL");
    let base = base.as_deref().unwrap_or("https://api.openai.com/v1");
    let client = Client::new(base, variable("OPENAI_API_KEY"))?;
    let terminal = Terminal::stdio();
    let runtime = tools::runtime(terminal.clone())?;
    let agent = Agent::new(runtime, client, model, terminal.clone());

    let mut history = Vec::new();
    loop {
        terminal.show("\n> ");
        let line = tokio::select! {
            line = terminal.line() => line,
            _ = ctrl_c() => None,
        };
        let Some(prompt) = line else { return Ok(()) };
        if prompt.trim().is_empty() {
            continue;
        }
        let cancel = CancellationToken::new();
        let talking = agent.converse(&mut history, &prompt, &cancel);
        match interruptible(talking, &cancel).await {
            Ok(Ended::Answered | Ended::Concluded) => {}
            Ok(Ended::Cancelled) => terminal.show("\n[stopped]"),
            Ok(Ended::TooManyTurns) => terminal.show("\n[stopped: too many turns]"),
            Err(error) => terminal.show(&format!("\n[{error}]")),
        }
    }
}

/// Ctrl-C cancels, and what runs is awaited: every call gets its result. The second one exits.
async fn interruptible<F: Future>(work: F, cancel: &CancellationToken) -> F::Output {
    let mut work = pin!(work);
    loop {
        tokio::select! {
            output = &mut work => return output,
            _ = ctrl_c() => {
                if cancel.is_cancelled() {
                    // 128 and the number of SIGINT, as shells have it.
                    std::process::exit(130);
                }
                cancel.cancel();
            }
        }
    }
}
