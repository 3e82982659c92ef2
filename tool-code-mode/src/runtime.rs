//! The engine as the code runtime of `tool-core`: `run_code` on one side, the pipeline on the other.

use std::sync::Arc;

use tool_core::{
    BoxFuture, CodeRuntime, Program, ProgramCall, ProgramOutput, ProgramTool, ToolError, code,
};

use crate::bridge::{Host, Reply, Submitted};
use crate::quickjs::QuickJs;
use crate::sdk::{self, SdkTool};

impl CodeRuntime for QuickJs {
    fn language(&self) -> &'static str {
        "TypeScript"
    }

    /// The whole [`sdk`](crate::sdk()), or the [compact](crate::compact_sdk) one if that is longer
    /// than [`compact_above`](QuickJs::compact_above) allows.
    fn interface(&self, tools: &[ProgramTool]) -> String {
        let tools: Vec<_> = tools.iter().map(sdk_tool).collect();
        let whole = sdk::sdk(&tools);
        if whole.len() <= self.longest_interface() {
            whole
        } else {
            sdk::compact_sdk(&tools)
        }
    }

    /// # Panics
    ///
    /// Outside a tokio runtime with its time driver enabled.
    fn run(&self, program: Program) -> BoxFuture<'static, Result<ProgramOutput, ToolError>> {
        let code = program.code().to_owned();
        let cancellation = program.cancellation().clone();
        let host = Arc::new(Tools(program));
        let running = QuickJs::run(self, code, host, cancellation);
        Box::pin(async move {
            running
                .await
                .map_err(|failure| ToolError::new(failure.to_string()))
        })
    }
}

fn sdk_tool(tool: &ProgramTool) -> SdkTool<'_> {
    SdkTool {
        name: tool.name(),
        description: tool.description(),
        parameters: tool.parameters(),
        output: tool.output(),
    }
}

/// The tools of one program.
struct Tools(Program);

impl Host for Tools {
    fn tools(&self) -> Vec<String> {
        let names = self.0.tools().iter().map(ProgramTool::name);
        names.map(str::to_owned).collect()
    }

    fn tool(&self, name: &str) -> Option<SdkTool<'_>> {
        self.0.tool(name).map(sdk_tool)
    }

    fn submit(&self, call: Submitted, reply: Reply) {
        let clock = reply.wall_clock();
        let call = ProgramCall::new(call.tool, call.arguments)
            .cancel(call.cancellation)
            .while_asking(move || clock.pause());
        self.0.submit(call, move |outcome| match outcome {
            Ok(value) => reply.resolve(value),
            Err(error) if error.code() == code::INVALID_ARGS => {
                reply.reject_arguments(error.message());
            }
            Err(error) => reply.reject(error.message()),
        });
    }
}
