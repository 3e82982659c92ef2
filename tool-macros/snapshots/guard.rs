fn not_world(name: &str, state: &State<Db>) -> Option<String> {}
///The handle of `not_world`, a guard.
#[allow(non_camel_case_types)]
struct not_world {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private as __t;
    use __t::otherwise::*;
    #[automatically_derived]
    impl __t::Guard for not_world {
        async fn check(
            &self,
            __execution: &'_ __t::ToolExecution,
        ) -> __t::Result<__t::Verdict, __t::ToolError> {
            self.__start(__execution).await
        }
        fn __start<'a>(
            &'a self,
            __execution: &'a __t::ToolExecution,
        ) -> __t::MaybeFuture<'a, __t::Result<__t::Verdict, __t::ToolError>> {
            fn __run<'a>(
                __hook: &'a not_world,
                __execution: &'a __t::ToolExecution,
            ) -> __t::Result<
                __t::MaybeFuture<'a, __t::Result<__t::Verdict, __t::ToolError>>,
                __t::ToolError,
            > {
                let __args = <hello as __t::Tool>::arguments(__execution)?;
                __t::Ok(
                    __t::MaybeFuture::ready(
                        <Option<
                            String,
                        > as __t::IntoVerdict>::into_verdict(
                            not_world(
                                __t::Arg(&__args.name).take::<&str>(),
                                <State<
                                    Db,
                                > as __t::FromExecution>::from_execution(__execution)?,
                            ),
                        ),
                    ),
                )
            }
            __t::started(__run(self, __execution))
        }
        fn __info(&self) -> __t::HookInfo {
            <hello as __t::Tool>::bind(
                __t::HookInfo::new(
                        "not_world",
                        __t::at(::core::file!(), ::core::line!()),
                    )
                    .needs(&[<State<Db> as __t::FromExecution>::need]),
            )
        }
    }
};
