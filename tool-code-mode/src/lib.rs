//! Code Mode: a model writes one small TypeScript program that calls tools, instead of naming them
//! one by one. Only what the program prints or returns comes back.
//!
//! | piece | what it is |
//! |---|---|
//! | [`sdk`], [`compact_sdk`], [`signature`] | the tools as TypeScript, for the prompt and for error messages |
//! | [`QuickJs`] | runs a program: types erased, a fresh engine on its own thread, [`Limits`] |
//! | [`Host`], [`Submitted`], [`Reply`] | where the program's calls go, and how answers come back |
//! | [`ProgramOutput`], [`Failure`] | what a run came to, with the text for the model |
//!
//! A program is the body of an async function. It sees `tools`, `ToolCallError`, `console`, the
//! language itself, and `setTimeout`, `structuredClone`, `URL`, `TextEncoder`, `crypto.randomUUID`:
//! no files, no network, no modules, no process.
//!
//! ```text
//! const users = await tools.search({ q: "ada" });
//! const orders = await Promise.all(users.map(u => tools.orders({ user: u.id })));
//! return orders.flat().filter(o => o.open).length;
//! ```
//!
//! A runtime that is given [`QuickJs`] offers programs, and every call of one passes its pipeline:
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), tool_core::RegisterError> {
//! use serde_json::{Value, json};
//! use tool_code_mode::QuickJs;
//! use tool_core::{Presentation, ToolCall, ToolDefinition, ToolExecution, ToolRuntime};
//!
//! let number = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
//! let double = ToolDefinition::dynamic("double", "Doubles.", number, json!({"type": "integer"}))
//!     .handler(|arguments: Value, _cx| async move { json!(arguments["n"].as_i64().unwrap_or(0) * 2) });
//! let runtime = ToolRuntime::builder()
//!     .tool(double)
//!     .guard(|call: &ToolExecution| (call.arguments()["n"] == 13).then_some("13 is unlucky"))
//!     .code_runtime(QuickJs::new())
//!     .presentation(Presentation::Code)
//!     .build()?;
//!
//! // For the system prompt: the tools as TypeScript.
//! assert!(runtime.offer()?.system_prompt().unwrap().contains("double"));
//!
//! let code = "
//!     const twice: number = await tools.double({ n: 21 });
//!     try { await tools.double({ n: 13 }) } catch (error) { return [twice, error.message] }
//! ";
//! let arguments = json!({"code": code, "description": "Doubles two numbers"});
//! let result = runtime.execute(ToolCall::new("call_1", "run_code", arguments)).await;
//! assert_eq!(result.value().unwrap()["result"], json!([42, "13 is unlucky"]));
//! # Ok(())
//! # }
//! ```
//!
//! # What holds whatever the program does
//!
//! * A run always ends: computing time, wall clock, heap, output and calls are bounded, and no
//!   `catch` or `finally` sees the end coming.
//! * When [`QuickJs::run`] is ready, no call of the program is in flight any more.
//! * Arguments and results are exactly JSON ([`Submitted::arguments`]), or the call is refused with
//!   the reason and the path.
//! * Values reach the program in the order of its calls.
//! * Nothing survives a run.
//!
//! # Integers beyond 2^53
//!
//! A program's numbers are doubles. An integer of a tool's value beyond 2^53 - 1 arrives as the
//! string of its digits, and where a parameter's schema wants an integer, such a string (or a
//! `BigInt`) is sent as the integer. [`sdk`] calls that type `Int64`.

mod bridge;
mod calls;
mod clock;
mod control;
mod docs;
mod engine;
mod erase;
mod eraser;
mod explain;
mod facts;
mod failure;
mod help;
mod inspect;
mod limits;
mod lossless;
mod lossy;
mod missing;
mod naming;
mod nesting;
mod quickjs;
mod resolve;
mod runtime;
mod sdk;
mod source;
mod spell;
mod state;
mod syntax;
mod timers;
mod trace;
mod types;
mod union;
mod walk;
mod wide;
mod world;

pub use bridge::{Host, Reply, Submitted};
pub use clock::{Paused, WallClock};
pub use failure::{Failure, FailureKind};
pub use limits::Limits;
pub use quickjs::QuickJs;
pub use sdk::{SdkTool, compact_sdk, sdk, signature};
pub use tool_core::ProgramOutput;
