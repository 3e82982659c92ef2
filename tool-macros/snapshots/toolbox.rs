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
    use ::tool_core::__private as __t;
    use __t::otherwise::*;
    pub struct __WeatherForecastArgs {
        pub city: String,
        pub unit: <Weather>::Unit,
    }
    #[automatically_derived]
    impl __t::Tool for WeatherForecast {
        type Args = __WeatherForecastArgs;
        type Rule = __t::Rule<
            Result<<Weather>::Answer, Error>,
            {
                __t::Probe::<Result<<Weather>::Answer, Error>>::FALLIBLE
                    + __t::Probe::<Result<<Weather>::Answer, Error>>::CHAINED
            },
        >;
        type Output = <Self::Rule as __t::Ruled>::Success;
        const SETTLE: &'static __t::Settle<Self::Rule> = __t::settle::<Self::Rule>();
        const INFO: &'static __t::Info = &__t::Info::new(
            ["weather_forecast", "WeatherForecast", "The forecast."],
            __t::at(::core::file!(), ::core::line!()),
            &[
                __t::property(
                    "city",
                    "",
                    __t::witness::<String>(),
                    __t::Probe::<String>::WIDE,
                ),
                __t::property(
                    "unit",
                    "",
                    __t::witness::<<Weather>::Unit>(),
                    __t::Probe::<<Weather>::Unit>::WIDE,
                ),
            ],
            &[],
        );
        fn definition(self) -> __t::ToolDefinition {
            __t::define::<Self>(__t::Some(self.0))
        }
        fn decode(__source: &mut __t::Source<'_>) -> __t::Decoded {
            __t::prepared::<
                Self,
            >(__WeatherForecastArgs {
                city: __source.read(__t::witness::<String>())?,
                unit: __source.read(__t::witness::<<Weather>::Unit>())?,
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
                <Weather>::forecast(
                    __receiver.get::<Weather>()?,
                    __args.city,
                    __args.unit,
                ),
            )
        }
        fn settings(__definition: __t::ToolDefinition) -> __t::ToolDefinition {
            let __definition = __t::hints(
                __definition,
                [__t::Some(true), __t::None, __t::None, __t::None],
            );
            __definition
        }
    }
    impl WeatherForecast {
        ///The tool as it is registered, to be changed.
        pub fn definition(self) -> __t::ToolDefinition {
            __t::Tool::definition(self)
        }
    }
};
///The handle of the tool `weather_units`.
#[allow(non_camel_case_types)]
struct WeatherUnits {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private as __t;
    use __t::otherwise::*;
    pub struct __WeatherUnitsArgs {}
    #[automatically_derived]
    impl __t::Tool for WeatherUnits {
        type Args = __WeatherUnitsArgs;
        type Rule = __t::Rule<
            Vec<String>,
            { __t::Probe::<Vec<String>>::FALLIBLE + __t::Probe::<Vec<String>>::CHAINED },
        >;
        type Output = <Self::Rule as __t::Ruled>::Success;
        const SETTLE: &'static __t::Settle<Self::Rule> = __t::settle::<Self::Rule>();
        const INFO: &'static __t::Info = &__t::Info::new(
            ["weather_units", "WeatherUnits", "The units."],
            __t::at(::core::file!(), ::core::line!()),
            &[],
            &[],
        );
        fn decode(__source: &mut __t::Source<'_>) -> __t::Decoded {
            __t::prepared::<Self>(__WeatherUnitsArgs {})
        }
        fn start<'a>(
            __args: Self::Args,
            __receiver: __t::Receiver<'a>,
            __cx: &'a __t::RunContext,
        ) -> __t::Started<'a> {
            __t::done::<Self>(<Weather>::units())
        }
    }
    impl WeatherUnits {
        ///The tool as it is registered, to be changed.
        fn definition(self) -> __t::ToolDefinition {
            __t::Tool::definition(self)
        }
    }
};
///The handle of `known`, a guard.
#[allow(non_camel_case_types)]
struct WeatherKnown(::tool_core::__private::Arc<Weather>);
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private as __t;
    use __t::otherwise::*;
    #[automatically_derived]
    impl __t::Guard for WeatherKnown {
        async fn check(
            &self,
            __execution: &'_ __t::ToolExecution,
        ) -> __t::Result<__t::Verdict, __t::ToolError> {
            self.__start(__execution).await
        }
        fn __start<'a>(
            &'a self,
            __execution: &'a __t::ToolExecution,
        ) -> __t::MaybeFuture<'a, __t::Result<__t::Verdict, __t::ToolError>> {
            fn __run<'a>(
                __hook: &'a WeatherKnown,
                __execution: &'a __t::ToolExecution,
            ) -> __t::Result<
                __t::MaybeFuture<'a, __t::Result<__t::Verdict, __t::ToolError>>,
                __t::ToolError,
            > {
                let __args = <WeatherForecast as __t::Tool>::arguments(__execution)?;
                __t::Ok(
                    __t::MaybeFuture::ready(
                        <Option<
                            String,
                        > as __t::IntoVerdict>::into_verdict(
                            <Weather>::known(
                                &__hook.0,
                                __t::Arg(&__args.city).take::<&str>(),
                            ),
                        ),
                    ),
                )
            }
            __t::started(__run(self, __execution))
        }
        fn __info(&self) -> __t::HookInfo {
            <WeatherForecast as __t::Tool>::bind(
                __t::HookInfo::new("known", __t::at(::core::file!(), ::core::line!())),
            )
        }
    }
};
#[doc(hidden)]
const _: () = {
    use ::tool_core::__private as __t;
    #[automatically_derived]
    impl __t::Toolbox for Weather {
        fn install<__I: __t::Install>(self, __into: __I) -> __I {
            let __this = __t::Arc::new(self);
            let __into = __t::Install::tool(__into, WeatherForecast(__this.clone()));
            let __into = __t::Install::tool(__into, WeatherUnits {});
            let __into = __t::Install::guard(__into, WeatherKnown(__this.clone()));
            __into
        }
    }
};
