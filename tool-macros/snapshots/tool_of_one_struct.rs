/// Searches.
fn search(query: Query) -> Vec<Hit> {}
///The handle of the tool `search`.
#[allow(non_camel_case_types)]
struct search {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private as __tool;
    use __tool::otherwise::*;
    pub struct __SearchArgs {}
    #[automatically_derived]
    impl __tool::Tool for search {
        type Args = Query;
        type Rule = __tool::Rule<
            Vec<Hit>,
            { __tool::Probe::<Vec<Hit>>::FALLIBLE + __tool::Probe::<Vec<Hit>>::CHAINED },
        >;
        type Output = <Self::Rule as __tool::Ruled>::Success;
        const SETTLE: &'static __tool::Settle<Self::Rule> = __tool::settle::<
            Self::Rule,
        >();
        const INFO: &'static __tool::Info = &__tool::Info::new(
            ["search", "search", "Searches."],
            __tool::at(::core::file!(), ::core::line!()),
            __tool::whole(__tool::witness::<Query>()),
            &[],
        );
        const READ: __tool::Option<__tool::Read<Self::Output>> = __tool::Probe::<
            Self::Output,
        >::READ;
        fn encode(
            __args: &Self::Args,
            __object: &mut __tool::Object,
        ) -> __tool::Result<(), __tool::ToolError> {
            __tool::Written(__args).whole(__object)?;
            __tool::Ok(())
        }
        fn decode(__source: &mut __tool::Source<'_>) -> __tool::Decoded {
            __tool::prepared::<Self>(__source.whole(__tool::witness::<Query>())?)
        }
        fn start<'a>(
            __args: Self::Args,
            __receiver: __tool::Receiver<'a>,
            __cx: &'a __tool::RunContext,
        ) -> __tool::Started<'a> {
            __tool::done::<Self>(search(__args))
        }
    }
    impl search {
        ///How the tool is registered; its methods change what the attribute says.
        fn definition(self) -> __tool::ToolDefinition {
            __tool::Tool::definition(self)
        }
    }
    #[automatically_derived]
    impl __tool::Writes<{ __tool::all(&[__tool::Probe::<Query>::WRITABLE]) }>
    for search {}
};
