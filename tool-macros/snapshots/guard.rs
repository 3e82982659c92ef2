fn not_world(name: &str, state: &State<Db>) -> Option<String> {}
///The handle of `not_world`, a guard.
#[allow(non_camel_case_types)]
struct not_world {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private as __tool;
    use __tool::otherwise::*;
    #[automatically_derived]
    impl __tool::Guard for not_world {
        async fn check(
            &self,
            __execution: &'_ __tool::ToolExecution,
        ) -> __tool::Result<__tool::Verdict, __tool::ToolError> {
            self.__start(__execution).await
        }
        fn __start<'a>(
            &'a self,
            __execution: &'a __tool::ToolExecution,
        ) -> __tool::MaybeFuture<
            'a,
            __tool::Result<__tool::Verdict, __tool::ToolError>,
        > {
            fn __run<'a>(
                __hook: &'a not_world,
                __execution: &'a __tool::ToolExecution,
            ) -> __tool::Result<
                __tool::MaybeFuture<
                    'a,
                    __tool::Result<__tool::Verdict, __tool::ToolError>,
                >,
                __tool::ToolError,
            > {
                let __args = <hello as __tool::Tool>::arguments(__execution)?;
                __tool::Ok(
                    __tool::MaybeFuture::ready(
                        <Option<
                            String,
                        > as __tool::IntoVerdict>::into_verdict(
                            not_world(
                                __tool::Arg(&__args.name).take::<&str>(),
                                <State<
                                    Db,
                                > as __tool::FromExecution>::from_execution(__execution)?,
                            ),
                        ),
                    ),
                )
            }
            __tool::started(__run(self, __execution))
        }
        fn __info(&self) -> __tool::HookInfo {
            <hello as __tool::Tool>::bind(
                __tool::HookInfo::new(
                        "not_world",
                        __tool::at(::core::file!(), ::core::line!()),
                    )
                    .needs(&[<State<Db> as __tool::FromExecution>::need]),
            )
        }
    }
};
