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
    use crate::core::__private as __t;
    use __t::otherwise::*;
    #[automatically_derived]
    impl __t::Tool for Hello {
        type Args = HelloArgs;
        type Rule = __t::Rule<
            (),
            { __t::Probe::<()>::FALLIBLE + __t::Probe::<()>::CHAINED },
        >;
        type Output = <Self::Rule as __t::Ruled>::Success;
        const SETTLE: &'static __t::Settle<Self::Rule> = __t::settle::<Self::Rule>();
        const INFO: &'static __t::Info = &__t::Info::new(
            ["say-hello", "Hello", ""],
            __t::at(::core::file!(), ::core::line!()),
            &[
                __t::property(
                        "who",
                        "",
                        __t::witness::<String>(),
                        __t::Probe::<String>::WIDE,
                    )
                    .refined(|__property| {
                        __property.title("Who");
                        const _: () = __t::defaultable(__t::Probe::<String>::OPTIONAL);
                        __property
                            .default_value({
                                let __value: String = <_ as __t::FromText>::from_text(
                                    "Ada",
                                );
                                __value
                            });
                        __property.example("Bob");
                        __property.length(__t::Some(1), __t::Some(9));
                        __property.regex("^[A-Z]");
                    }),
                #[cfg(feature = "times")]
                __t::property("times", "", __t::witness::<u8>(), __t::Probe::<u8>::WIDE)
                    .refined(|__property| {
                        __property.range(__t::Some(1), __t::None::<__t::Unit>);
                    }),
            ],
            &[<Cancellation as __t::FromContext>::need],
        );
        const READ: __t::Option<__t::Read<Self::Output>> = __t::Probe::<
            Self::Output,
        >::READ;
        fn encode(
            __args: &Self::Args,
            __object: &mut __t::Object,
        ) -> __t::Result<(), __t::ToolError> {
            __t::Written(&__args.name).put("who", __object)?;
            #[cfg(feature = "times")]
            __t::Written(&__args.times).put("times", __object)?;
            __t::Ok(())
        }
        fn decode(__source: &mut __t::Source<'_>) -> __t::Decoded {
            __t::prepared::<
                Self,
            >(HelloArgs {
                name: __source.read(__t::witness::<String>())?,
                #[cfg(feature = "times")]
                times: __source.read(__t::witness::<u8>())?,
            })
        }
        fn start<'a>(
            __args: Self::Args,
            __receiver: __t::Receiver<'a>,
            __cx: &'a __t::RunContext,
        ) -> __t::Started<'a> {
            __t::done::<
                Self,
            >(
                hello(
                    __args.name,
                    #[cfg(feature = "times")]
                    __args.times,
                    <Cancellation as __t::FromContext>::from_context(__cx)?.clone(),
                ),
            )
        }
        fn settings(__definition: __t::ToolDefinition) -> __t::ToolDefinition {
            let __definition = __definition.description(DOCS);
            let __definition = __definition.title("Hello");
            let __definition = __definition.timeout(__t::Duration::from_millis(5000u64));
            let __definition = __definition.on_cancel(__t::OnCancel::Drop);
            let __definition = __t::classify::<
                Self,
                _,
            >(__definition, |__args| is_safe(__args));
            let __definition = __t::hints(
                __definition,
                [__t::Some(true), __t::Some(false), __t::None, __t::None],
            );
            let __definition = __t::callers(__definition, true, false);
            let __definition = __t::render::<Self, _, _>(__definition, render);
            let __definition = __t::presentation_meta::<Self, _, _>(__definition, meta);
            let __definition = __t::finalize_content(
                __definition,
                |__execution, __result| finish(__execution, __result),
            );
            let __definition = __t::present_call::<
                Self,
            >(__definition, |__args| call(__args));
            let __definition = __t::present_result::<
                Self,
            >(__definition, |__args, __result| result(__args, __result));
            __definition
        }
    }
    impl Hello {
        ///The tool as it is registered, to be changed.
        fn definition(self) -> __t::ToolDefinition {
            __t::Tool::definition(self)
        }
    }
    #[automatically_derived]
    impl __t::Writes<
        {
            __t::all(
                &[
                    __t::Probe::<String>::WRITABLE,
                    #[cfg(feature = "times")]
                    __t::Probe::<u8>::WRITABLE,
                ],
            )
        },
    > for Hello {}
};
