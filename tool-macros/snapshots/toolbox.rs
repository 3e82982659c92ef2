impl Weather {
    /// The forecast.
    pub async fn forecast(
        &self,
        city: String,
        unit: Self::Unit,
    ) -> Result<Self::Answer, Error> {}
    /// The units.
    fn units() -> Vec<String> {}
    fn known(&self, city: &str) -> Option<String> {}
    fn other(&self) {}
}
///The handle of the tool `weather_forecast`.
#[allow(non_camel_case_types)]
pub struct WeatherForecast(::tool_core::__private::Arc<Weather>);
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private as __tool;
    use __tool::otherwise::*;
    pub struct __WeatherForecastArgs {
        pub city: String,
        pub unit: <Weather>::Unit,
    }
    #[automatically_derived]
    impl __tool::Tool for WeatherForecast {
        type Args = __WeatherForecastArgs;
        type Rule = __tool::Rule<
            Result<<Weather>::Answer, Error>,
            {
                __tool::Probe::<Result<<Weather>::Answer, Error>>::FALLIBLE
                    + __tool::Probe::<Result<<Weather>::Answer, Error>>::CHAINED
            },
        >;
        type Output = <Self::Rule as __tool::Ruled>::Success;
        const SETTLE: &'static __tool::Settle<Self::Rule> = __tool::settle::<
            Self::Rule,
        >();
        const INFO: &'static __tool::Info = &__tool::Info::new(
            ["weather_forecast", "WeatherForecast", "The forecast."],
            __tool::at(::core::file!(), ::core::line!()),
            __tool::Parameters::Each(
                &[
                    __tool::property(
                        "city",
                        "",
                        __tool::witness::<String>(),
                        __tool::Probe::<String>::WIDE,
                    ),
                    __tool::property(
                        "unit",
                        "",
                        __tool::witness::<<Weather>::Unit>(),
                        __tool::Probe::<<Weather>::Unit>::WIDE,
                    ),
                ],
            ),
            &[],
        );
        fn definition(self) -> __tool::ToolDefinition {
            __tool::define::<Self>(__tool::Some(self.0))
        }
        fn decode(__source: &mut __tool::Source<'_>) -> __tool::Decoded {
            __tool::prepared::<
                Self,
            >(__WeatherForecastArgs {
                city: __source.read(__tool::witness::<String>())?,
                unit: __source.read(__tool::witness::<<Weather>::Unit>())?,
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
                <Weather>::forecast(
                    __receiver.get::<Weather>()?,
                    __args.city,
                    __args.unit,
                ),
            )
        }
        fn settings(__definition: __tool::ToolDefinition) -> __tool::ToolDefinition {
            let __definition = __tool::hints(
                __definition,
                [__tool::Some(true), __tool::None, __tool::None, __tool::None],
            );
            __definition
        }
    }
    impl WeatherForecast {
        ///How the tool is registered; its methods change what the attribute says.
        pub fn definition(self) -> __tool::ToolDefinition {
            __tool::Tool::definition(self)
        }
    }
};
///The handle of the tool `weather_units`.
#[allow(non_camel_case_types)]
struct WeatherUnits {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private as __tool;
    use __tool::otherwise::*;
    pub struct __WeatherUnitsArgs {}
    #[automatically_derived]
    impl __tool::Tool for WeatherUnits {
        type Args = __WeatherUnitsArgs;
        type Rule = __tool::Rule<
            Vec<String>,
            {
                __tool::Probe::<Vec<String>>::FALLIBLE
                    + __tool::Probe::<Vec<String>>::CHAINED
            },
        >;
        type Output = <Self::Rule as __tool::Ruled>::Success;
        const SETTLE: &'static __tool::Settle<Self::Rule> = __tool::settle::<
            Self::Rule,
        >();
        const INFO: &'static __tool::Info = &__tool::Info::new(
            ["weather_units", "WeatherUnits", "The units."],
            __tool::at(::core::file!(), ::core::line!()),
            __tool::Parameters::Each(&[]),
            &[],
        );
        fn decode(__source: &mut __tool::Source<'_>) -> __tool::Decoded {
            __tool::prepared::<Self>(__WeatherUnitsArgs {})
        }
        fn start<'a>(
            __args: Self::Args,
            __receiver: __tool::Receiver<'a>,
            __cx: &'a __tool::RunContext,
        ) -> __tool::Started<'a> {
            __tool::done::<Self>(<Weather>::units())
        }
    }
    impl WeatherUnits {
        ///How the tool is registered; its methods change what the attribute says.
        fn definition(self) -> __tool::ToolDefinition {
            __tool::Tool::definition(self)
        }
    }
};
///The handle of `known`, a guard.
#[allow(non_camel_case_types)]
struct WeatherKnown(::tool_core::__private::Arc<Weather>);
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private as __tool;
    use __tool::otherwise::*;
    #[automatically_derived]
    impl __tool::Guard for WeatherKnown {
        async fn check(
            &self,
            __execution: &'_ __tool::ToolExecution,
        ) -> __tool::Result<__tool::Verdict, __tool::ToolError> {
            self.__start(__execution).await
        }
        fn __start<'a>(
            &'a self,
            __execution: &'a __tool::ToolExecution,
        ) -> __tool::MaybeFuture<
            'a,
            __tool::Result<__tool::Verdict, __tool::ToolError>,
        > {
            fn __run<'a>(
                __hook: &'a WeatherKnown,
                __execution: &'a __tool::ToolExecution,
            ) -> __tool::Result<
                __tool::MaybeFuture<
                    'a,
                    __tool::Result<__tool::Verdict, __tool::ToolError>,
                >,
                __tool::ToolError,
            > {
                let __args = <WeatherForecast as __tool::Tool>::arguments(__execution)?;
                __tool::Ok(
                    __tool::MaybeFuture::ready(
                        <Option<
                            String,
                        > as __tool::IntoVerdict>::into_verdict(
                            <Weather>::known(
                                &__hook.0,
                                __tool::Arg(&__args.city).take::<&str>(),
                            ),
                        ),
                    ),
                )
            }
            __tool::started(__run(self, __execution))
        }
        fn __info(&self) -> __tool::HookInfo {
            <WeatherForecast as __tool::Tool>::bind(
                __tool::HookInfo::new(
                    "known",
                    __tool::at(::core::file!(), ::core::line!()),
                ),
            )
        }
    }
};
#[doc(hidden)]
const _: () = {
    use ::tool_core::__private as __tool;
    #[automatically_derived]
    impl __tool::Toolbox for Weather {
        fn install<__I: __tool::Install>(self, __into: __I) -> __I {
            let __this = __tool::Arc::new(self);
            let __into = __tool::Install::tool(__into, WeatherForecast(__this.clone()));
            let __into = __tool::Install::tool(__into, WeatherUnits {});
            let __into = __tool::Install::guard(__into, WeatherKnown(__this.clone()));
            __into
        }
    }
};
