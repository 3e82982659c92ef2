async fn calm_down(value: &str, result: &ToolResult) -> PostDecision<String> {}
///The handle of `calm_down`, a post-execute hook.
#[allow(non_camel_case_types)]
struct calm_down {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private as __t;
    use __t::otherwise::*;
    #[automatically_derived]
    impl __t::PostExecute for calm_down {
        async fn review(
            &self,
            __execution: &'_ __t::ToolExecution,
            __result: &'_ __t::ToolResult,
        ) -> __t::Result<__t::PostDecision, __t::ToolError> {
            self.__start(__execution, __result)
                .await
                .map(__t::PostOutcome::into_decision)
        }
        fn __start<'a>(
            &'a self,
            __execution: &'a __t::ToolExecution,
            __result: &'a __t::ToolResult,
        ) -> __t::MaybeFuture<'a, __t::Result<__t::PostOutcome, __t::ToolError>> {
            async fn __run<'a>(
                __hook: &'a calm_down,
                __execution: &'a __t::ToolExecution,
                __result: &'a __t::ToolResult,
            ) -> __t::Result<__t::PostOutcome, __t::ToolError> {
                let __t::Some(__value) = __t::value::<
                    <hello as __t::Tool>::Output,
                >(__result)? else { return __t::Ok(__t::accepted()) };
                __t::MaybeFuture::ready(
                        <PostDecision<
                            String,
                        > as __t::Reviewed<
                            <hello as __t::Tool>::Output,
                            { __t::Probe::<PostDecision<String>>::UNTYPED },
                        >>::reviewed(
                            calm_down(
                                    __t::Arg(__value.get()).take::<&str>(),
                                    <ToolResult as __t::FromResult>::from_result(
                                        __execution,
                                        __result,
                                    )?,
                                )
                                .await,
                        ),
                    )
                    .await
            }
            __t::MaybeFuture::boxed(__run(self, __execution, __result))
        }
        fn __info(&self) -> __t::HookInfo {
            <hello as __t::Tool>::bind(
                __t::HookInfo::new(
                        "calm_down",
                        __t::at(::core::file!(), ::core::line!()),
                    )
                    .needs(&[<ToolResult as __t::FromResult>::need]),
            )
        }
    }
};
