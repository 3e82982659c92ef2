fn log(execution: &ToolExecution, result: &ToolResult) {}
///The handle of `log`, an observer.
#[allow(non_camel_case_types)]
struct log {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private as __t;
    use __t::otherwise::*;
    #[automatically_derived]
    impl __t::OnResult for log {
        fn observe(
            &self,
            __execution: &'_ __t::ToolExecution,
            __result: &'_ __t::ToolResult,
        ) -> __t::Result<(), __t::ToolError> {
            <() as __t::IntoObserved>::into_observed(
                log(
                    <ToolExecution as __t::FromResult>::from_result(
                        __execution,
                        __result,
                    )?,
                    <ToolResult as __t::FromResult>::from_result(__execution, __result)?,
                ),
            )
        }
        fn __info(&self) -> __t::HookInfo {
            __t::HookInfo::new("log", __t::at(::core::file!(), ::core::line!()))
                .needs(
                    &[
                        <ToolExecution as __t::FromResult>::need,
                        <ToolResult as __t::FromResult>::need,
                    ],
                )
        }
    }
};
