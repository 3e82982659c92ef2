pub async fn timed(execution: &ToolExecution, next: Next<'_>) -> ToolResult {}
///The handle of `timed`, an around-execute hook.
#[allow(non_camel_case_types)]
pub struct timed {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private as __tool;
    use __tool::otherwise::*;
    #[automatically_derived]
    impl __tool::AroundExecute for timed {
        async fn around(
            &self,
            __execution: &'_ __tool::ToolExecution,
            __next: __tool::Next<'_>,
        ) -> __tool::Result<__tool::ToolResult, __tool::ToolError> {
            self.__start(__execution, __next).await
        }
        fn __start<'a>(
            &'a self,
            __execution: &'a __tool::ToolExecution,
            __next: __tool::Next<'a>,
        ) -> __tool::MaybeFuture<
            'a,
            __tool::Result<__tool::ToolResult, __tool::ToolError>,
        > {
            async fn __run<'a>(
                __hook: &'a timed,
                __execution: &'a __tool::ToolExecution,
                __next: __tool::Next<'a>,
            ) -> __tool::Result<__tool::ToolResult, __tool::ToolError> {
                __tool::MaybeFuture::ready(
                        <ToolResult as __tool::IntoAroundResult>::into_around_result(
                            timed(
                                    <ToolExecution as __tool::FromExecution>::from_execution(
                                        __execution,
                                    )?,
                                    __next,
                                )
                                .await,
                        ),
                    )
                    .await
            }
            __tool::MaybeFuture::boxed(__run(self, __execution, __next))
        }
        fn __info(&self) -> __tool::HookInfo {
            __tool::HookInfo::new("timed", __tool::at(::core::file!(), ::core::line!()))
                .needs(&[<ToolExecution as __tool::FromExecution>::need])
        }
    }
};
