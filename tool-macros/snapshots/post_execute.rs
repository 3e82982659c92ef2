async fn calm_down(value: &str, result: &ToolResult) -> PostDecision<String> {}
///The handle of `calm_down`, a post-execute hook.
#[allow(non_camel_case_types)]
struct calm_down {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private::{
        self as __tool, Otherwise as _, Unreadable as _, Unwritten as _,
    };
    #[automatically_derived]
    impl __tool::PostExecute for calm_down {
        async fn review(
            &self,
            execution: &'_ __tool::ToolExecution,
            result: &'_ __tool::ToolResult,
        ) -> __tool::Result<__tool::PostDecision, __tool::ToolError> {
            self.__start(execution, result).await.map(__tool::PostOutcome::into_decision)
        }
        fn __start<'a>(
            &'a self,
            execution: &'a __tool::ToolExecution,
            result: &'a __tool::ToolResult,
        ) -> __tool::MaybeFuture<
            'a,
            __tool::Result<__tool::PostOutcome, __tool::ToolError>,
        > {
            async fn run<'a>(
                _hook: &'a calm_down,
                execution: &'a __tool::ToolExecution,
                result: &'a __tool::ToolResult,
            ) -> __tool::Result<__tool::PostOutcome, __tool::ToolError> {
                let __tool::Some(args) = <hello as __tool::Tool>::seen(execution) else {
                    return __tool::Ok(__tool::accepted())
                };
                let __tool::Some(value) = __tool::value::<
                    <hello as __tool::Tool>::Output,
                >(result)? else { return __tool::Ok(__tool::accepted()) };
                __tool::MaybeFuture::ready(
                        <PostDecision<
                            String,
                        > as __tool::Reviewed<
                            <hello as __tool::Tool>::Output,
                            { __tool::Probe::<PostDecision<String>>::UNTYPED },
                        >>::reviewed(
                            calm_down(
                                    __tool::arg::<_, &str>(value.get()),
                                    <ToolResult as __tool::FromResult>::from_result(
                                        execution,
                                        result,
                                    )?,
                                )
                                .await,
                        ),
                    )
                    .await
            }
            __tool::MaybeFuture::boxed(run(self, execution, result))
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
