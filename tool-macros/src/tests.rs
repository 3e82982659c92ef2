//! Expansions, as they are: `UPDATE_EXPECT=1 cargo test -p tool-macros` records them anew.

use expect_test::{ExpectFile, expect_file};
use proc_macro2::TokenStream;
use quote::quote;

use crate::entry;
use crate::model::Role;

fn check(expected: &ExpectFile, expansion: TokenStream) {
    let file = syn::parse2(expansion).expect("an expansion is items");
    expected.assert_eq(&prettyplease::unparse(&file));
}

#[test]
fn tool() {
    let item = quote! {
        /// Greets somebody by name.
        pub async fn hello(
            /// Who to greet.
            name: String,
            times: Option<u32>,
            cx: &RunContext,
        ) -> Result<String, Error> {
            Ok(name)
        }
    };
    check(
        &expect_file!["../snapshots/tool.rs"],
        entry::tool(TokenStream::new(), item),
    );
}

#[test]
fn tool_with_everything() {
    let args = quote! {
        name = "say-hello", title = "Hello", description = DOCS, timeout = "5s", on_cancel = "drop",
        concurrency_safe = is_safe, read_only, destructive = false, callers = [direct],
        render = render, presentation_meta = meta, finalize_content = finish, present_call = call,
        present_result = result, args = HelloArgs, handle = Hello, crate = crate::core
    };
    let item = quote! {
        fn hello(
            #[arg(name = "who", title = "Who", default = "Ada", examples = ["Bob"], length = 1..=9, regex = "^[A-Z]")]
            name: String,
            #[cfg(feature = "times")]
            #[arg(range = 1..)]
            times: u8,
            #[context] cancellation: Cancellation,
        ) {
        }
    };
    check(
        &expect_file!["../snapshots/tool_with_everything.rs"],
        entry::tool(args, item),
    );
}

#[test]
fn tool_of_one_struct() {
    let item = quote! {
        /// Searches.
        fn search(#[args] query: Query) -> Vec<Hit> {}
    };
    check(
        &expect_file!["../snapshots/tool_of_one_struct.rs"],
        entry::tool(TokenStream::new(), item),
    );
}

#[test]
fn broken_tool() {
    let item = quote! {
        /// Is broken.
        fn broken(name: String, (a, b): (u8, u8), #[arg(nmae = "x")] c: impl ToString) -> impl ToString {}
    };
    check(
        &expect_file!["../snapshots/broken_tool.rs"],
        entry::tool(quote!(zzz), item),
    );
}

#[test]
fn guard() {
    let item = quote! {
        fn not_world(name: &str, #[context] state: &State<Db>) -> Option<String> {}
    };
    check(
        &expect_file!["../snapshots/guard.rs"],
        entry::hook(Role::Guard, quote!(tool = hello), item),
    );
}

#[test]
fn around_execute() {
    let item = quote! {
        pub async fn timed(execution: &ToolExecution, next: Next<'_>) -> ToolResult {}
    };
    check(
        &expect_file!["../snapshots/around_execute.rs"],
        entry::hook(Role::AroundExecute, TokenStream::new(), item),
    );
}

#[test]
fn post_execute() {
    let item = quote! {
        async fn calm_down(value: &str, result: &ToolResult) -> PostDecision<String> {}
    };
    check(
        &expect_file!["../snapshots/post_execute.rs"],
        entry::hook(Role::PostExecute, quote!(tool = hello), item),
    );
}

#[test]
fn on_result() {
    let item = quote! {
        fn log(execution: &ToolExecution, result: &ToolResult) {}
    };
    check(
        &expect_file!["../snapshots/on_result.rs"],
        entry::hook(Role::OnResult, TokenStream::new(), item),
    );
}

#[test]
fn toolbox() {
    let item = quote! {
        impl Weather {
            /// The forecast.
            #[tool(read_only)]
            pub async fn forecast(&self, city: String, unit: Self::Unit) -> Result<Self::Answer, Error> {}

            /// The units.
            #[tool]
            fn units() -> Vec<String> {}

            #[guard(tool = WeatherForecast)]
            fn known(&self, city: &str) -> Option<String> {}

            fn other(&self) {}
        }
    };
    check(
        &expect_file!["../snapshots/toolbox.rs"],
        entry::toolbox(quote!(prefix = "weather_"), item),
    );
}

/// What is half typed is passed on token by token: rustc reports it better than a macro can.
#[test]
fn bodies_are_not_read() {
    let item = quote! {
        /// Half typed.
        fn half() -> u32 { let x = ; x. }
    };
    let expansion = entry::tool(TokenStream::new(), item).to_string();
    assert!(
        expansion.contains(&quote!({ let x = ; x. }).to_string()),
        "{expansion}"
    );
    assert!(!expansion.contains("compile_error"), "{expansion}");
}
