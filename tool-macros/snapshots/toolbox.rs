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
    use ::tool_core::__private::{
        self as __tool, Otherwise as _, Unreadable as _, Unwritten as _,
    };
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
                __tool::kind(
                    __tool::Probe::<Result<<Weather>::Answer, Error>>::FALLIBLE,
                    __tool::Probe::<Result<<Weather>::Answer, Error>>::CHAINED,
                )
            },
        >;
        type Output = <Self::Rule as __tool::Ruled>::Success;
        const SETTLE: __tool::Settle<Self::Rule> = __tool::settle::<Self::Rule>();
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
        fn decode(text: &__tool::str) -> __tool::Result<Self::Args, __tool::ToolError> {
            let mut slot0 = __tool::witness::<String>().slot();
            let mut slot1 = __tool::witness::<<Weather>::Unit>().slot();
            __tool::decode(text, Self::INFO, &mut [&mut slot0, &mut slot1])?;
            __tool::Ok(__WeatherForecastArgs {
                city: slot0.take()?,
                unit: slot1.take()?,
            })
        }
        fn start<'a>(
            args: Self::Args,
            receiver: __tool::Receiver<'a>,
            cx: &'a __tool::RunContext,
        ) -> __tool::Result<__tool::Running<'a>, __tool::ToolError> {
            __tool::Ok(
                __tool::pending::<
                    Self,
                >(<Weather>::forecast(receiver.get::<Weather>()?, args.city, args.unit)),
            )
        }
        fn settings(definition: __tool::ToolDefinition) -> __tool::ToolDefinition {
            let definition = __tool::hints(
                definition,
                [__tool::Some(true), __tool::None, __tool::None, __tool::None],
            );
            definition
        }
    }
};
///The handle of the tool `weather_units`.
#[allow(non_camel_case_types)]
struct WeatherUnits {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private::{
        self as __tool, Otherwise as _, Unreadable as _, Unwritten as _,
    };
    pub struct __WeatherUnitsArgs {}
    #[automatically_derived]
    impl __tool::Tool for WeatherUnits {
        type Args = __WeatherUnitsArgs;
        type Rule = __tool::Rule<
            Vec<String>,
            {
                __tool::kind(
                    __tool::Probe::<Vec<String>>::FALLIBLE,
                    __tool::Probe::<Vec<String>>::CHAINED,
                )
            },
        >;
        type Output = <Self::Rule as __tool::Ruled>::Success;
        const SETTLE: __tool::Settle<Self::Rule> = __tool::settle::<Self::Rule>();
        const INFO: &'static __tool::Info = &__tool::Info::new(
            ["weather_units", "WeatherUnits", "The units."],
            __tool::at(::core::file!(), ::core::line!()),
            __tool::Parameters::Each(&[]),
            &[],
        );
        fn decode(text: &__tool::str) -> __tool::Result<Self::Args, __tool::ToolError> {
            __tool::decode(text, Self::INFO, &mut [])?;
            __tool::Ok(__WeatherUnitsArgs {})
        }
        fn start<'a>(
            args: Self::Args,
            receiver: __tool::Receiver<'a>,
            cx: &'a __tool::RunContext,
        ) -> __tool::Result<__tool::Running<'a>, __tool::ToolError> {
            __tool::Ok(__tool::done::<Self>(<Weather>::units()))
        }
    }
};
///The handle of `known`, a guard.
#[allow(non_camel_case_types)]
struct WeatherKnown(::tool_core::__private::Arc<Weather>);
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private::{
        self as __tool, Otherwise as _, Unreadable as _, Unwritten as _,
    };
    #[automatically_derived]
    impl __tool::Guard for WeatherKnown {
        async fn check(
            &self,
            execution: &'_ __tool::ToolExecution,
        ) -> __tool::Result<__tool::Verdict, __tool::ToolError> {
            self.__start(execution).await
        }
        fn __start<'a>(
            &'a self,
            execution: &'a __tool::ToolExecution,
        ) -> __tool::MaybeFuture<
            'a,
            __tool::Result<__tool::Verdict, __tool::ToolError>,
        > {
            fn run<'a>(
                _hook: &'a WeatherKnown,
                execution: &'a __tool::ToolExecution,
            ) -> __tool::Result<
                __tool::MaybeFuture<
                    'a,
                    __tool::Result<__tool::Verdict, __tool::ToolError>,
                >,
                __tool::ToolError,
            > {
                let args = <WeatherForecast as __tool::Tool>::arguments(execution)?;
                __tool::Ok(
                    __tool::MaybeFuture::ready(
                        <Option<
                            String,
                        > as __tool::IntoVerdict>::into_verdict(
                            <Weather>::known(
                                &_hook.0,
                                __tool::arg::<_, &str>(&args.city),
                            ),
                        ),
                    ),
                )
            }
            __tool::started(run(self, execution))
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
        fn install<I: __tool::Install>(self, into: I) -> I {
            let this = __tool::Arc::new(self);
            let into = __tool::Install::tool(into, WeatherForecast(this.clone()));
            let into = __tool::Install::tool(into, WeatherUnits {});
            let into = __tool::Install::guard(into, WeatherKnown(this.clone()));
            into
        }
    }
};
