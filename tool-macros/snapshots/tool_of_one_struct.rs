/// Searches.
fn search(query: Query) -> Vec<Hit> {}
///The handle of the tool `search`.
#[allow(non_camel_case_types)]
struct search {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private as __t;
    use __t::otherwise::*;
    pub struct __SearchArgs {}
    #[automatically_derived]
    impl __t::Tool for search {
        type Args = Query;
        type Rule = __t::Rule<
            Vec<Hit>,
            { __t::Probe::<Vec<Hit>>::FALLIBLE + __t::Probe::<Vec<Hit>>::CHAINED },
        >;
        type Output = <Self::Rule as __t::Ruled>::Success;
        const SETTLE: &'static __t::Settle<Self::Rule> = __t::settle::<Self::Rule>();
        const INFO: &'static __t::Info = &__t::Info::whole(
            ["search", "search", "Searches."],
            __t::at(::core::file!(), ::core::line!()),
            __t::witness::<Query>(),
            &[],
        );
        const READ: __t::Option<__t::Read<Self::Output>> = __t::Probe::<
            Self::Output,
        >::READ;
        fn encode(
            __args: &Self::Args,
            __object: &mut __t::Object,
        ) -> __t::Result<(), __t::ToolError> {
            __t::Written(__args).whole(__object)?;
            __t::Ok(())
        }
        fn decode(__source: &mut __t::Source<'_>) -> __t::Decoded {
            __t::prepared::<Self>(__source.whole(__t::witness::<Query>())?)
        }
        fn start<'a>(
            __args: Self::Args,
            __receiver: __t::Receiver<'a>,
            __cx: &'a __t::RunContext,
        ) -> __t::Started<'a> {
            __t::done::<Self>(search(__args))
        }
    }
    impl search {
        ///The tool as it is registered, to be changed.
        fn definition(self) -> __t::ToolDefinition {
            __t::Tool::definition(self)
        }
    }
    #[automatically_derived]
    impl __t::Writes<{ __t::all(&[__t::Probe::<Query>::WRITABLE]) }> for search {}
};
