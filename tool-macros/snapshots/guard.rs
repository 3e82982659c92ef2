fn not_world(name: &str, state: &State<Db>) -> Option<String> {}
///The handle of `not_world`, a guard.
#[allow(non_camel_case_types)]
struct not_world {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private::{
        self as __tool, Otherwise as _, Unreadable as _, Unwritten as _,
    };
    #[automatically_derived]
    impl __tool::Guard for not_world {
        async fn check(
            &self,
            execution: &'_ __tool::ToolExecution,
        ) -> __tool::Result<__tool::Verdict, __tool::ToolError> {
            self.__start(execution).await
        }
        fn __start<'a>(
            &'a self,
            execution: &'a __tool::ToolExecution,
        ) -> __tool::MaybeFuture<
            'a,
            __tool::Result<__tool::Verdict, __tool::ToolError>,
        > {
            fn run<'a>(
                _hook: &'a not_world,
                execution: &'a __tool::ToolExecution,
            ) -> __tool::Result<
                __tool::MaybeFuture<
                    'a,
                    __tool::Result<__tool::Verdict, __tool::ToolError>,
                >,
                __tool::ToolError,
            > {
                let args = <hello as __tool::Tool>::arguments(execution)?;
                __tool::Ok(
                    __tool::MaybeFuture::ready(
                        <Option<
                            String,
                        > as __tool::IntoVerdict>::into_verdict(
                            not_world(
                                __tool::arg::<_, &str>(&args.name),
                                <State<
                                    Db,
                                > as __tool::FromExecution>::from_execution(execution)?,
                            ),
                        ),
                    ),
                )
            }
            __tool::started(run(self, execution))
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
