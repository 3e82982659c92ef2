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
    use ::tool_core::__private as __t;
    use __t::otherwise::*;
    pub struct __HelloArgs {
        pub name: String,
        pub times: Option<u32>,
    }
    #[automatically_derived]
    impl __t::Tool for hello {
        type Args = __HelloArgs;
        type Rule = __t::Rule<
            Result<String, Error>,
            {
                __t::Probe::<Result<String, Error>>::FALLIBLE
                    + __t::Probe::<Result<String, Error>>::CHAINED
            },
        >;
        type Output = <Self::Rule as __t::Ruled>::Success;
        const SETTLE: &'static __t::Settle<Self::Rule> = __t::settle::<Self::Rule>();
        const INFO: &'static __t::Info = &__t::Info::new(
            ["hello", "hello", "Greets somebody by name."],
            __t::at(::core::file!(), ::core::line!()),
            &[
                __t::property(
                    "name",
                    "Who to greet.",
                    __t::witness::<String>(),
                    __t::Probe::<String>::WIDE,
                ),
                __t::property(
                    "times",
                    "",
                    __t::witness::<Option<u32>>(),
                    __t::Probe::<Option<u32>>::WIDE,
                ),
            ],
            &[<RunContext as __t::FromContext>::need],
        );
        fn decode(__source: &mut __t::Source<'_>) -> __t::Decoded {
            __t::prepared::<
                Self,
            >(__HelloArgs {
                name: __source.read(__t::witness::<String>())?,
                times: __source.read(__t::witness::<Option<u32>>())?,
            })
        }
        fn start<'a>(
            __args: Self::Args,
            __receiver: __t::Receiver<'a>,
            __cx: &'a __t::RunContext,
        ) -> __t::Started<'a> {
            __t::pending::<
                Self,
            >(
                hello(
                    __args.name,
                    __args.times,
                    <RunContext as __t::FromContext>::from_context(__cx)?,
                ),
            )
        }
    }
    impl hello {
        ///The tool as it is registered, to be changed.
        pub fn definition(self) -> __t::ToolDefinition {
            __t::Tool::definition(self)
        }
    }
};
