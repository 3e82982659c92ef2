/// Is broken.
fn broken(name: String, (a, b): (u8, u8), c: impl ToString) -> impl ToString {}
::core::compile_error! {
    "unknown `#[tool]` argument `zzz`\nhelp: expected one of `name`, `title`, `description`, `timeout`, `on_cancel`, `concurrency_safe`, `read_only`, `destructive`, `idempotent`, `open_world`, `callers`, `max_content_bytes`, `render`, `presentation_meta`, `finalize_content`, `present_call`, `present_result`, `args`, `handle`, `crate`"
}
::core::compile_error! {
    "unknown `#[arg]` argument `nmae`\nhelp: did you mean `name`?"
}
::core::compile_error! {
    "a tool cannot be generic over `impl Trait`: its schema is fixed\nhelp: use a concrete type"
}
::core::compile_error! {
    "a tool cannot be generic over `impl Trait`: its schema is fixed\nhelp: use a concrete type"
}
::core::compile_error! {
    "a tool parameter must be a plain name: it becomes a JSON property\nhelp: name it, and take it apart in the body"
}
///The handle of the tool `broken`.
#[allow(non_camel_case_types)]
struct broken {}
#[allow(deprecated, unused_imports)]
const _: () = {
    use ::tool_core::__private as __t;
    use __t::otherwise::*;
    pub struct __BrokenArgs {
        pub name: String,
    }
    #[automatically_derived]
    impl __t::Tool for broken {
        type Args = __BrokenArgs;
        type Rule = __t::Rule<(), 0>;
        type Output = ();
        const SETTLE: &'static __t::Settle<Self::Rule> = __t::settle::<Self::Rule>();
        const INFO: &'static __t::Info = __t::STAND_IN;
        fn decode(_: &mut __t::Source<'_>) -> __t::Decoded {
            __t::stand_in()
        }
        fn start<'a>(
            _: Self::Args,
            _: __t::Receiver<'a>,
            _: &'a __t::RunContext,
        ) -> __t::Started<'a> {
            __t::stand_in()
        }
    }
    impl broken {
        ///The tool as it is registered, to be changed.
        fn definition(self) -> __t::ToolDefinition {
            __t::Tool::definition(self)
        }
    }
};
