fn hello(name: String, #[cfg(feature = "times")] times: u8, cancellation: Cancellation) {}
///The handle of the tool `say-hello`.
#[allow(non_camel_case_types)]
struct Hello {}
///The arguments of the tool `say-hello`.
#[allow(missing_docs)]
struct HelloArgs {
    pub name: String,
    #[cfg(feature = "times")]
    pub times: u8,
}
#[allow(deprecated, unused_imports)]
const _: () = {
    use crate::core::__private as __tool;
    use __tool::otherwise::*;
    #[automatically_derived]
    impl __tool::Tool for Hello {
        type Args = HelloArgs;
        type Rule = __tool::Rule<
            (),
            { __tool::Probe::<()>::FALLIBLE + __tool::Probe::<()>::CHAINED },
        >;
        type Output = <Self::Rule as __tool::Ruled>::Success;
        const SETTLE: &'static __tool::Settle<Self::Rule> = __tool::settle::<
            Self::Rule,
        >();
        const INFO: &'static __tool::Info = &__tool::Info::new(
            ["say-hello", "Hello", ""],
            __tool::at(::core::file!(), ::core::line!()),
            __tool::Parameters::Each(
                &[
                    __tool::property(
                            "who",
                            "",
                            __tool::witness::<String>(),
                            __tool::Probe::<String>::WIDE,
                        )
                        .refined(|__property| {
                            __property.title("Who");
                            const _: () = __tool::defaultable(
                                __tool::Probe::<String>::OPTIONAL,
                            );
                            __property
                                .default_value({
                                    let __value: String = <_ as __tool::FromText>::from_text(
                                        "Ada",
                                    );
                                    __value
                                });
                            __property.example("Bob");
                            __property.length(__tool::Some(1), __tool::Some(9));
                            __property.regex("^[A-Z]");
                        }),
                    #[cfg(feature = "times")]
                    __tool::property(
                            "times",
                            "",
                            __tool::witness::<u8>(),
                            __tool::Probe::<u8>::WIDE,
                        )
                        .refined(|__property| {
                            __property
                                .range(__tool::Some(1), __tool::None::<__tool::Unit>);
                        }),
                ],
            ),
            &[<Cancellation as __tool::FromContext>::need],
        );
        const READ: __tool::Option<__tool::Read<Self::Output>> = __tool::Probe::<
            Self::Output,
        >::READ;
        fn encode(
            __args: &Self::Args,
            __object: &mut __tool::Object,
        ) -> __tool::Result<(), __tool::ToolError> {
            __tool::Written(&__args.name).put("who", __object)?;
            #[cfg(feature = "times")]
            __tool::Written(&__args.times).put("times", __object)?;
            __tool::Ok(())
        }
        fn decode(__source: &mut __tool::Source<'_>) -> __tool::Decoded {
            __tool::prepared::<
                Self,
            >(HelloArgs {
                name: __source.read(__tool::witness::<String>())?,
                #[cfg(feature = "times")]
                times: __source.read(__tool::witness::<u8>())?,
            })
        }
        fn start<'a>(
            __args: Self::Args,
            __receiver: __tool::Receiver<'a>,
            __cx: &'a __tool::RunContext,
        ) -> __tool::Started<'a> {
            __tool::done::<
                Self,
            >(
                hello(
                    __args.name,
                    #[cfg(feature = "times")]
                    __args.times,
                    <Cancellation as __tool::FromContext>::from_context(__cx)?.clone(),
                ),
            )
        }
        fn settings(__definition: __tool::ToolDefinition) -> __tool::ToolDefinition {
            let __definition = __definition.description(DOCS);
            let __definition = __definition.title("Hello");
            let __definition = __definition
                .timeout(__tool::Duration::from_millis(5000u64));
            let __definition = __definition.on_cancel(__tool::OnCancel::Drop);
            let __definition = __tool::classify::<
                Self,
                _,
            >(__definition, |__args| is_safe(__args));
            let __definition = __tool::hints(
                __definition,
                [__tool::Some(true), __tool::Some(false), __tool::None, __tool::None],
            );
            let __definition = __tool::callers(__definition, true, false);
            let __definition = __tool::render::<Self, _, _>(__definition, render);
            let __definition = __tool::presentation_meta::<
                Self,
                _,
                _,
            >(__definition, meta);
            let __definition = __tool::finalize_content(
                __definition,
                |__execution, __result| finish(__execution, __result),
            );
            let __definition = __tool::present_call::<
                Self,
            >(__definition, |__args| call(__args));
            let __definition = __tool::present_result::<
                Self,
            >(__definition, |__args, __result| result(__args, __result));
            __definition
        }
    }
    impl Hello {
        ///How the tool is registered; its methods change what the attribute says.
        fn definition(self) -> __tool::ToolDefinition {
            __tool::Tool::definition(self)
        }
    }
    #[automatically_derived]
    impl __tool::Writes<
        {
            __tool::all(
                &[
                    __tool::Probe::<String>::WRITABLE,
                    #[cfg(feature = "times")]
                    __tool::Probe::<u8>::WRITABLE,
                ],
            )
        },
    > for Hello {}
};
