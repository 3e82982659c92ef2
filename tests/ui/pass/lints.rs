//! Generated code passes where the user denies everything.
#![deny(
    warnings,
    missing_docs,
    unused_qualifications,
    unused,
    clippy::all,
    clippy::pedantic
)]
#![deny(
    elided_lifetimes_in_paths,
    single_use_lifetimes,
    trivial_casts,
    unused_lifetimes,
    unused_results
)]
#![deny(
    rust_2018_idioms,
    let_underscore_drop,
    missing_debug_implementations,
    missing_copy_implementations
)]
#![forbid(unsafe_code)]
#![allow(
    missing_debug_implementations,
    missing_copy_implementations,
    unreachable_pub
)]

use tool_core::{
    PostDecision, State, ToolExecution, ToolResult, ToolRuntime, guard, on_result, post_execute,
    tool, toolbox,
};

/// Greets.
#[tool(args = HelloArgs, read_only, concurrency_safe, timeout = "1s")]
#[must_use]
pub fn hello(
    /// Who.
    name: String,
    #[arg(default = 3)] times: u8,
) -> String {
    name + &"!".repeat(times.into())
}

/// Waits.
///
/// # Errors
///
/// Never.
#[tool]
pub async fn waits(state: &State<u8>) -> Result<u8, String> {
    std::future::ready(()).await;
    Ok(**state)
}

/// Looks.
#[guard(tool = hello)]
#[must_use]
pub fn looks(name: &str) -> Option<String> {
    name.is_empty().then(|| "nobody".to_owned())
}

/// Looks at no parameter.
#[guard(tool = hello)]
#[must_use]
pub fn looks_away() -> Option<String> {
    None
}

/// Reviews.
#[post_execute(tool = hello)]
pub fn reviews(value: &str) -> PostDecision<String> {
    PostDecision::value(value.to_uppercase())
}

/// Sees.
#[on_result]
pub fn sees(execution: &ToolExecution, result: &ToolResult) {
    let _same = execution.call_id() == result.call_id();
}

/// A box.
pub struct Weather(char);

#[toolbox]
impl Weather {
    /// The forecast.
    #[tool]
    #[must_use]
    pub fn forecast(&self, city: String) -> String {
        city + &self.0.to_string()
    }
}

/// Registers all of it.
///
/// # Panics
///
/// If it is not what it was.
pub fn main() {
    let runtime = ToolRuntime::builder()
        .state(1_u8)
        .tool(hello {})
        .tool(waits {})
        .toolbox(Weather('C'))
        .guard(looks {})
        .guard(looks_away {})
        .post_execute(reviews {})
        .on_result(sees {})
        .build();
    assert!(runtime.is_ok());
    let arguments = HelloArgs {
        name: String::new(),
        times: 1,
    };
    assert_eq!(hello(arguments.name, arguments.times), "!");
}
