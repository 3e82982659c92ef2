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
    use ::tool_core::__private as __tool;
    use __tool::otherwise::*;
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
                __tool::Probe::<Result<String, Error>>::FALLIBLE
                    + __tool::Probe::<Result<String, Error>>::CHAINED
            },
        >;
        type Output = <Self::Rule as __tool::Ruled>::Success;
        const SETTLE: &'static __tool::Settle<Self::Rule> = __tool::settle::<
            Self::Rule,
        >();
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
        fn decode(__source: &mut __tool::Source<'_>) -> __tool::Decoded {
            __tool::prepared::<
                Self,
            >(__HelloArgs {
                name: __source.read(__tool::witness::<String>())?,
                times: __source.read(__tool::witness::<Option<u32>>())?,
            })
        }
        fn start<'a>(
            __args: Self::Args,
            __receiver: __tool::Receiver<'a>,
            __cx: &'a __tool::RunContext,
        ) -> __tool::Started<'a> {
            __tool::pending::<
                Self,
            >(
                hello(
                    __args.name,
                    __args.times,
                    <RunContext as __tool::FromContext>::from_context(__cx)?,
                ),
            )
        }
    }
    impl hello {
        ///How the tool is registered; its methods change what the attribute says.
        pub fn definition(self) -> __tool::ToolDefinition {
            __tool::Tool::definition(self)
        }
    }
};
