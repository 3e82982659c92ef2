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
    use crate::core::__private::{
        self as __tool, Otherwise as _, Unreadable as _, Unwritten as _,
    };
    #[automatically_derived]
    impl __tool::Tool for Hello {
        type Args = HelloArgs;
        type Rule = __tool::Rule<
            (),
            { __tool::kind(__tool::Probe::<()>::FALLIBLE, __tool::Probe::<()>::CHAINED) },
        >;
        type Output = <Self::Rule as __tool::Ruled>::Success;
        const SETTLE: __tool::Settle<Self::Rule> = __tool::settle::<Self::Rule>();
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
                        .refined(|property| {
                            property.title("Who");
                            const _: () = __tool::defaultable(
                                __tool::Probe::<String>::OPTIONAL,
                            );
                            property
                                .default_value({
                                    let value: String = <_ as __tool::From<
                                        &'static __tool::str,
                                    >>::from("Ada");
                                    value
                                });
                            property.example("Bob");
                            property.length(__tool::Some(1), __tool::Some(9));
                            property.regex("^[A-Z]");
                        }),
                    #[cfg(feature = "times")]
                    __tool::property(
                            "times",
                            "",
                            __tool::witness::<u8>(),
                            __tool::Probe::<u8>::WIDE,
                        )
                        .refined(|property| {
                            property
                                .range(__tool::Some(1), __tool::None::<__tool::Value>);
                        }),
                ],
            ),
            &[<Cancellation as __tool::FromContext>::need],
        );
        const READ: __tool::Option<__tool::Read<Self::Output>> = __tool::Probe::<
            Self::Output,
        >::READ;
        fn encode(
            args: &Self::Args,
            object: &mut __tool::Object,
        ) -> __tool::Result<(), __tool::ToolError> {
            __tool::Written(&args.name).put("who", object)?;
            #[cfg(feature = "times")] __tool::Written(&args.times).put("times", object)?;
            __tool::Ok(())
        }
        fn decode(text: &__tool::str) -> __tool::Result<Self::Args, __tool::ToolError> {
            let mut slot0 = __tool::witness::<String>().slot();
            #[cfg(feature = "times")]
            let mut slot1 = __tool::witness::<u8>().slot();
            __tool::decode(
                text,
                Self::INFO,
                &mut [&mut slot0, #[cfg(feature = "times")] &mut slot1],
            )?;
            __tool::Ok(HelloArgs {
                name: slot0.take()?,
                #[cfg(feature = "times")]
                times: slot1.take()?,
            })
        }
        fn start<'a>(
            args: Self::Args,
            receiver: __tool::Receiver<'a>,
            cx: &'a __tool::RunContext,
        ) -> __tool::Result<__tool::Running<'a>, __tool::ToolError> {
            __tool::Ok(
                __tool::done::<
                    Self,
                >(
                    hello(
                        args.name,
                        #[cfg(feature = "times")]
                        args.times,
                        <Cancellation as __tool::FromContext>::from_context(cx)?.clone(),
                    ),
                ),
            )
        }
        fn settings(definition: __tool::ToolDefinition) -> __tool::ToolDefinition {
            let definition = definition.description(DOCS);
            let definition = definition.title("Hello");
            let definition = definition.timeout(__tool::Duration::from_millis(5000u64));
            let definition = definition.on_cancel(__tool::OnCancel::Drop);
            let definition = __tool::classify::<
                Self,
                _,
            >(definition, |args| is_safe(args));
            let definition = __tool::hints(
                definition,
                [__tool::Some(true), __tool::Some(false), __tool::None, __tool::None],
            );
            let definition = __tool::callers(definition, true, false);
            let definition = __tool::render::<Self, _, _>(definition, render);
            let definition = __tool::presentation_meta::<Self, _, _>(definition, meta);
            let definition = __tool::finalize_content(
                definition,
                |execution, result| finish(execution, result),
            );
            let definition = __tool::present_call::<Self>(definition, |args| call(args));
            let definition = __tool::present_result::<
                Self,
            >(definition, |args, result| result(args, result));
            definition
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
