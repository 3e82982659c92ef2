//! Typed tools for language models, with a policy pipeline that nothing can bypass.
//!
//! A tool is a function; a policy is a function; every call a model makes goes through eight stations:
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), tool_core::RegisterError> {
//! use tool_core::{PostDecision, ToolCall, ToolRuntime, guard, post_execute, tool};
//!
//! /// Greets somebody by name.
//! #[tool(timeout = "5s", concurrency_safe)]
//! async fn hello(
//!     /// Who to greet.
//!     name: String,
//! ) -> String {
//!     format!("Hello, {name}!")
//! }
//!
//! /// Nobody greets the whole world.
//! #[guard(tool = hello)]
//! fn not_world(name: &str) -> Option<String> {
//!     (name == "World").then(|| format!("greeting {name:?} is not allowed"))
//! }
//!
//! /// Shouting is for the program, not for the model.
//! #[post_execute(tool = hello)]
//! async fn calm_down(value: &str) -> PostDecision<String> {
//!     PostDecision::value(value.replace('!', "."))
//! }
//!
//! let runtime = ToolRuntime::builder()
//!     .tool(hello {})
//!     .guard(not_world {})
//!     .post_execute(calm_down {})
//!     .build()?;
//! let result = runtime.execute(ToolCall::new("call_1", "hello", r#"{"name":"Ada"}"#)).await;
//! assert_eq!(result.text(), "Hello, Ada.");
//! # Ok(())
//! # }
//! ```
//!
//! | # | station | written as | may |
//! |---|---|---|---|
//! | 1 | `pre_execute` | `#[pre_execute]`, [`PreExecute`] | allow, ask, deny |
//! | 2 | `guard` | `#[guard]`, [`Guard`] | deny |
//! | 3 | `around_execute` | `#[around_execute]`, [`AroundExecute`] | retry, time, answer in the body's place |
//! | 4 | body | `#[tool]` | return a value or an error |
//! | 5 | output | `render = ...` on `#[tool]` | turn the value into content |
//! | 6 | `post_execute` | `#[post_execute]`, [`PostExecute`] | accept, replace content or value, block |
//! | 7 | `finalize_content` | on `#[tool]` | replace content |
//! | 8 | `on_result` | `#[on_result]`, [`OnResult`] | observe |
//!
//! Each call is a `tracing` span `execute_tool` with the attributes that OpenTelemetry names for it,
//! and each hook one below it; [`ToolRuntimeBuilder::trace_content`] adds arguments and results.
//!
//! A guard cannot allow, a denial is final in any order, nothing rewrites arguments, and an erased
//! definition runs only with a permit that the pipeline makes.

#![cfg_attr(docsrs, feature(doc_cfg))]

// The expansion of `#[tool]` names `::tool_core`; in this crate's own tests that is us.
extern crate self as tool_core;

mod approval;
mod batch;
mod body;
mod call;
mod cancellation;
mod card;
mod changes;
mod code_mode;
mod contain;
mod content;
mod context;
mod decode;
mod definition;
pub mod dialect;
mod digest;
mod drive;
mod dynamic;
mod epoch;
mod error;
mod execution;
mod from_arg;
mod future;
mod hook;
mod id;
mod info;
mod intake;
mod lookout;
mod lookup;
mod observe;
mod output;
mod param;
mod pipeline;
mod prepare;
mod presentation;
mod registry;
mod result;
mod runtime;
mod schema;
mod scope;
mod sync;
pub mod testing;
mod tool;
mod toolbox;
mod trail;
mod typed_call;
mod value;
pub mod wire;

/// Longer texts, one module each.
pub mod guide {
    #[doc = include_str!("../docs/pipeline.md")]
    pub mod pipeline {}

    #[doc = include_str!("../docs/testing.md")]
    pub mod testing {}
}

#[doc(hidden)]
#[path = "private/mod.rs"]
pub mod __private;

pub use approval::{Approval, ApprovalRequest, Approver};
pub use batch::{Batch, SubCalls, additional_contexts};
pub use call::{Progress, RawArguments, ToolCall};
pub use cancellation::Cancellation;
pub use card::{CallCard, DiffCard, ResultCard, SearchMatch};
pub use changes::Changes;
pub use code_mode::{CodeRuntime, Offer, Program, ProgramCall, ProgramOutput, ProgramTool};
pub use content::{AdditionalContext, ContentBlock, IntoContent, Resource, ResourceContents};
pub use context::{FromContext, FromExecution, State};
pub use definition::{
    Callers, ExecutionMode, Hints, IntoDefinition, IntoFinal, IntoMeta, IntoSafe, OnCancel,
    ToolDefinition, ToolSchema,
};
pub use dynamic::{DynamicTool, IntoDynamicOutput};
pub use error::{Location, RegisterError, ToolError, code};
pub use execution::{RunContext, ToolExecution};
pub use from_arg::FromArg;
pub use future::BoxFuture;
pub use hook::{
    AroundExecute, AroundFn, Decision, Denied, Guard, IntoAroundResult, IntoDecision, IntoObserved,
    IntoPostOutcome, IntoVerdict, OnResult, PostDecision, PostExecute, PreExecute, Verdict,
    around_fn,
};
pub use id::{CallId, ExecutionToken};
pub use intake::{CheckedArguments, Repair};
pub use output::{Failing, Returnable, ToolOutput};
pub use param::Parameter;
pub use pipeline::Next;
pub use presentation::Presentation;
pub use result::ToolResult;
pub use runtime::{ToolRuntime, ToolRuntimeBuilder};
pub use scope::{Registration, Restriction, Scope};
pub use tool::Tool;
#[cfg(feature = "macros")]
pub use tool_macros::{around_execute, guard, on_result, post_execute, pre_execute, tool, toolbox};
pub use toolbox::{Install, Toolbox};
pub use trail::{Said, Station, Trail, TrailEntry};
pub use typed_call::TypedCall;
