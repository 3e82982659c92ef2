/// Greets somebody by name.
pub async fn hello(
    name: String,
    times: Option<u32>,
    cx: &RunContext,
) -> Result<String, Error> {
    Ok(name)
}
///The handle of the tool `hello`.
#[allow(non_camel_case_types)]
pub struct hello {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private::{
        self as __tool, Otherwise as _, Unreadable as _, Unwritten as _,
    };
    pub struct __HelloArgs {
        pub name: String,
        pub times: Option<u32>,
    }
    #[automatically_derived]
    impl __tool::Tool for hello {
        type Args = __HelloArgs;
        type Rule = __tool::Rule<
            Result<String, Error>,
            {
                __tool::kind(
                    __tool::Probe::<Result<String, Error>>::FALLIBLE,
                    __tool::Probe::<Result<String, Error>>::CHAINED,
                )
            },
        >;
        type Output = <Self::Rule as __tool::Ruled>::Success;
        const SETTLE: __tool::Settle<Self::Rule> = __tool::settle::<Self::Rule>();
        const INFO: &'static __tool::Info = &__tool::Info::new(
            ["hello", "hello", "Greets somebody by name."],
            __tool::at(::core::file!(), ::core::line!()),
            __tool::Parameters::Each(
                &[
                    __tool::property(
                        "name",
                        "Who to greet.",
                        __tool::witness::<String>(),
                        __tool::Probe::<String>::WIDE,
                    ),
                    __tool::property(
                        "times",
                        "",
                        __tool::witness::<Option<u32>>(),
                        __tool::Probe::<Option<u32>>::WIDE,
                    ),
                ],
            ),
            &[<RunContext as __tool::FromContext>::need],
        );
        fn decode(text: &__tool::str) -> __tool::Result<Self::Args, __tool::ToolError> {
            let mut slot0 = __tool::witness::<String>().slot();
            let mut slot1 = __tool::witness::<Option<u32>>().slot();
            __tool::decode(text, Self::INFO, &mut [&mut slot0, &mut slot1])?;
            __tool::Ok(__HelloArgs {
                name: slot0.take()?,
                times: slot1.take()?,
            })
        }
        fn start<'a>(
            args: Self::Args,
            receiver: __tool::Receiver<'a>,
            cx: &'a __tool::RunContext,
        ) -> __tool::Result<__tool::Running<'a>, __tool::ToolError> {
            __tool::Ok(
                __tool::pending::<
                    Self,
                >(
                    hello(
                        args.name,
                        args.times,
                        <RunContext as __tool::FromContext>::from_context(cx)?,
                    ),
                ),
            )
        }
    }
};
