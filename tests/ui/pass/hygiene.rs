//! Every name that generated code could mean by accident means something else here.
#![deny(warnings)]
#![allow(dead_code, non_camel_case_types)]

mod core {}
mod std {}
mod alloc {}
mod serde {}
mod serde_json {}
mod schemars {}
mod __private {}

type Result<T> = T;
struct Option;
struct Box;
struct Vec;
struct Some;
struct None;
struct Ok;
struct Err;
trait Send {}
trait Sync {}
trait Future {}
trait From {}
trait Into {}
trait Clone {}
trait Default {}
trait Tool {}
trait Guard {}
struct Args;
struct Info;
struct ToolError;
struct RunContext;

fn args() -> u8 {
    1
}

fn property() -> u8 {
    2
}

fn definition() -> u64 {
    3
}

/// Takes types of the prelude by their full paths.
#[tool_core::tool(args = HelloArgs, timeout = ::std::time::Duration::from_secs(definition()))]
async fn hello(
    name: ::std::string::String,
    #[arg(default = property(), range = args()..=100, title = "Number")] number: u8,
    list: ::std::vec::Vec<u8>,
    maybe: ::std::option::Option<u8>,
    context: &::tool_core::RunContext,
) -> ::std::result::Result<::std::string::String, ::tool_core::ToolError> {
    let _ = (number, list, maybe, context);
    ::std::result::Result::Ok(name)
}

#[tool_core::guard(tool = hello)]
fn guarded(name: &str, #[context] call: &::tool_core::ToolExecution) -> ::std::option::Option<::std::string::String> {
    let _ = (name, call);
    ::std::option::Option::None
}

#[tool_core::post_execute(tool = hello)]
async fn reviewed(value: &str, name: &str) -> ::tool_core::PostDecision {
    let _ = (value, name);
    ::tool_core::PostDecision::accept()
}

#[tool_core::around_execute]
async fn wrapped(next: ::tool_core::Next<'_>) -> ::tool_core::ToolResult {
    next.run().await
}

struct Weather;

#[tool_core::toolbox]
impl Weather {
    /// The forecast.
    #[tool]
    fn forecast(&self, city: ::std::string::String) -> ::std::string::String {
        city
    }

    #[guard(tool = WeatherForecast)]
    fn known(&self, city: &str) -> ::std::option::Option<&'static str> {
        let _ = city;
        ::std::option::Option::None
    }
}

fn main() {
    let runtime = ::tool_core::ToolRuntime::builder()
        .tool(hello {})
        .toolbox(Weather)
        .guard(guarded {})
        .post_execute(reviewed {})
        .around_execute(wrapped {})
        .build();
    assert!(runtime.is_ok());
}
