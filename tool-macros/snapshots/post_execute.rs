async fn calm_down(value: &str, result: &ToolResult) -> PostDecision<String> {}
///The handle of `calm_down`, a post-execute hook.
#[allow(non_camel_case_types)]
struct calm_down {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private as __tool;
    use __tool::otherwise::*;
    #[automatically_derived]
    impl __tool::PostExecute for calm_down {
        async fn review(
            &self,
            __execution: &'_ __tool::ToolExecution,
            __result: &'_ __tool::ToolResult,
        ) -> __tool::Result<__tool::PostDecision, __tool::ToolError> {
            self.__start(__execution, __result)
                .await
                .map(__tool::PostOutcome::into_decision)
        }
        fn __start<'a>(
            &'a self,
            __execution: &'a __tool::ToolExecution,
            __result: &'a __tool::ToolResult,
        ) -> __tool::MaybeFuture<
            'a,
            __tool::Result<__tool::PostOutcome, __tool::ToolError>,
        > {
            async fn __run<'a>(
                __hook: &'a calm_down,
                __execution: &'a __tool::ToolExecution,
                __result: &'a __tool::ToolResult,
            ) -> __tool::Result<__tool::PostOutcome, __tool::ToolError> {
                let __tool::Some(__args) = <hello as __tool::Tool>::seen(__execution)
                else { return __tool::Ok(__tool::accepted()) };
                let __tool::Some(__value) = __tool::value::<
                    <hello as __tool::Tool>::Output,
                >(__result)? else { return __tool::Ok(__tool::accepted()) };
                __tool::MaybeFuture::ready(
                        <PostDecision<
                            String,
                        > as __tool::Reviewed<
                            <hello as __tool::Tool>::Output,
                            { __tool::Probe::<PostDecision<String>>::UNTYPED },
                        >>::reviewed(
                            calm_down(
                                    __tool::Arg(__value.get()).take::<&str>(),
                                    <ToolResult as __tool::FromResult>::from_result(
                                        __execution,
                                        __result,
                                    )?,
                                )
                                .await,
                        ),
                    )
                    .await
            }
            __tool::MaybeFuture::boxed(__run(self, __execution, __result))
        }
        fn __info(&self) -> __tool::HookInfo {
            <hello as __tool::Tool>::bind(
                __tool::HookInfo::new(
                        "calm_down",
                        __tool::at(::core::file!(), ::core::line!()),
                    )
                    .needs(&[<ToolResult as __tool::FromResult>::need]),
            )
        }
    }
};
