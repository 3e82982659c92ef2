fn log(execution: &ToolExecution, result: &ToolResult) {}
///The handle of `log`, an observer.
#[allow(non_camel_case_types)]
struct log {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private as __tool;
    use __tool::otherwise::*;
    #[automatically_derived]
    impl __tool::OnResult for log {
        fn observe(
            &self,
            __execution: &'_ __tool::ToolExecution,
            __result: &'_ __tool::ToolResult,
        ) -> __tool::Result<(), __tool::ToolError> {
            <() as __tool::IntoObserved>::into_observed(
                log(
                    <ToolExecution as __tool::FromResult>::from_result(
                        __execution,
                        __result,
                    )?,
                    <ToolResult as __tool::FromResult>::from_result(
                        __execution,
                        __result,
                    )?,
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
