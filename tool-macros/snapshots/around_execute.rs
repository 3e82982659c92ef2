pub async fn timed(execution: &ToolExecution, next: Next<'_>) -> ToolResult {}
///The handle of `timed`, an around-execute hook.
#[allow(non_camel_case_types)]
pub struct timed {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private as __t;
    use __t::otherwise::*;
    #[automatically_derived]
    impl __t::AroundExecute for timed {
        async fn around(
            &self,
            __execution: &'_ __t::ToolExecution,
            __next: __t::Next<'_>,
        ) -> __t::Result<__t::ToolResult, __t::ToolError> {
            self.__start(__execution, __next).await
        }
        fn __start<'a>(
            &'a self,
            __execution: &'a __t::ToolExecution,
            __next: __t::Next<'a>,
        ) -> __t::MaybeFuture<'a, __t::Result<__t::ToolResult, __t::ToolError>> {
            async fn __run<'a>(
                __hook: &'a timed,
                __execution: &'a __t::ToolExecution,
                __next: __t::Next<'a>,
            ) -> __t::Result<__t::ToolResult, __t::ToolError> {
                __t::MaybeFuture::ready(
                        <ToolResult as __t::IntoAroundResult>::into_around_result(
                            timed(
                                    <ToolExecution as __t::FromExecution>::from_execution(
                                        __execution,
                                    )?,
                                    __next,
                                )
                                .await,
                        ),
                    )
                    .await
            }
            __t::MaybeFuture::boxed(__run(self, __execution, __next))
        }
        fn __info(&self) -> __t::HookInfo {
            __t::HookInfo::new("timed", __t::at(::core::file!(), ::core::line!()))
                .needs(&[<ToolExecution as __t::FromExecution>::need])
        }
    }
};
