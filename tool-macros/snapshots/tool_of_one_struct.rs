/// Searches.
fn search(query: Query) -> Vec<Hit> {}
///The handle of the tool `search`.
#[allow(non_camel_case_types)]
struct search {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private::{
        self as __tool, Otherwise as _, Unreadable as _, Unwritten as _,
    };
    pub struct __SearchArgs {}
    #[automatically_derived]
    impl __tool::Tool for search {
        type Args = Query;
        type Rule = __tool::Rule<
            Vec<Hit>,
            {
                __tool::kind(
                    __tool::Probe::<Vec<Hit>>::FALLIBLE,
                    __tool::Probe::<Vec<Hit>>::CHAINED,
                )
            },
        >;
        type Output = <Self::Rule as __tool::Ruled>::Success;
        const SETTLE: __tool::Settle<Self::Rule> = __tool::settle::<Self::Rule>();
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
            args: &Self::Args,
            object: &mut __tool::Object,
        ) -> __tool::Result<(), __tool::ToolError> {
            __tool::Written(args).whole(object)?;
            __tool::Ok(())
        }
        fn decode(text: &__tool::str) -> __tool::Result<Self::Args, __tool::ToolError> {
            __tool::witness::<Query>().whole(text)
        }
        fn start<'a>(
            args: Self::Args,
            receiver: __tool::Receiver<'a>,
            cx: &'a __tool::RunContext,
        ) -> __tool::Result<__tool::Running<'a>, __tool::ToolError> {
            __tool::Ok(__tool::done::<Self>(search(args)))
        }
    }
    #[automatically_derived]
    impl __tool::Writes<{ __tool::all(&[__tool::Probe::<Query>::WRITABLE]) }>
    for search {}
};
