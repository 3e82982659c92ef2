//! Patterns of generated code bind; they never match a constant or a static of the user.
#![deny(warnings)]
#![allow(dead_code, non_upper_case_globals)]

const args: u8 = 0;
const receiver: u8 = 0;
const cx: u8 = 0;
const definition: u8 = 0;
const execution: u8 = 0;
const result: u8 = 0;
const value: u8 = 0;
const text: u8 = 0;
const source: u8 = 0;
const object: u8 = 0;
const property: u8 = 0;
const next: u8 = 0;
const hook: u8 = 0;
static into: u8 = 0;
static this: u8 = 0;
static run: u8 = 0;
static decision: u8 = 0;
static outcome: u8 = 0;
static instance: u8 = 0;
static arguments: u8 = 0;

use tool_core::{
    CallCard, ContentBlock, Next, PostDecision, ResultCard, State, Tool, ToolExecution, ToolResult,
    ToolRuntime,
};

mod tools {
    use super::*;

    /// Takes one of each.
    #[tool_core::tool(
        args = HelloArgs,
        concurrency_safe = is_safe,
        render = show,
        finalize_content = finish,
        present_call = before,
        present_result = after,
    )]
    pub async fn hello(
        name: String,
        #[arg(default = 3, range = 1..=9)] number: u8,
        state: &State<u8>,
    ) -> String {
        format!("{name} {number} {}", **state)
    }

    fn is_safe(a: &<hello as Tool>::Args) -> bool {
        a.name.is_empty()
    }

    fn show(o: &String) -> String {
        o.clone()
    }

    fn finish(_: &ToolExecution, _: &ToolResult) -> Option<Vec<ContentBlock>> {
        None
    }

    fn before(a: &<hello as Tool>::Args) -> CallCard {
        CallCard::terminal(&a.name)
    }

    fn after(_: &<hello as Tool>::Args, r: &ToolResult) -> ResultCard {
        ResultCard::terminal(r.text(), 0)
    }

    #[tool_core::guard(tool = hello)]
    pub fn guarded(name: &str) -> Option<String> {
        let _ = name;
        None
    }

    #[tool_core::around_execute]
    pub async fn wrapped(n: Next<'_>) -> ToolResult {
        n.run().await
    }

    #[tool_core::post_execute(tool = hello)]
    pub async fn reviewed(name: &str) -> PostDecision {
        let _ = name;
        PostDecision::accept()
    }

    #[tool_core::on_result]
    pub fn seen(r: &ToolResult) {
        let _ = r;
    }

    pub struct Weather;

    #[tool_core::toolbox]
    impl Weather {
        /// The forecast.
        #[tool]
        fn forecast(&self, city: String) -> String {
            city
        }

        #[guard(tool = WeatherForecast)]
        fn known(&self, city: &str) -> Option<String> {
            let _ = city;
            None
        }
    }
}

fn main() {
    let runtime = ToolRuntime::builder()
        .state(1_u8)
        .tool(tools::hello {})
        .toolbox(tools::Weather)
        .guard(tools::guarded {})
        .around_execute(tools::wrapped {})
        .post_execute(tools::reviewed {})
        .on_result(tools::seen {})
        .build();
    assert!(runtime.is_ok());
}
