fn log(execution: &ToolExecution, result: &ToolResult) {}
///The handle of `log`, an observer.
#[allow(non_camel_case_types)]
struct log {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private::{
        self as __tool, Otherwise as _, Unreadable as _, Unwritten as _,
    };
    #[automatically_derived]
    impl __tool::OnResult for log {
        fn observe(
            &self,
            execution: &'_ __tool::ToolExecution,
            result: &'_ __tool::ToolResult,
        ) -> __tool::Result<(), __tool::ToolError> {
            <() as __tool::IntoObserved>::into_observed(
                log(
                    <ToolExecution as __tool::FromResult>::from_result(
                        execution,
                        result,
                    )?,
                    <ToolResult as __tool::FromResult>::from_result(execution, result)?,
                ),
            )
        }
        fn __info(&self) -> __tool::HookInfo {
            __tool::HookInfo::new("log", __tool::at(::core::file!(), ::core::line!()))
                .needs(
                    &[
                        <ToolExecution as __tool::FromResult>::need,
                        <ToolResult as __tool::FromResult>::need,
                    ],
                )
        }
    }
};
