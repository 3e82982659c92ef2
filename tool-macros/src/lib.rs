//! The attributes of `tool-core`, which re-exports them: use them from there.
//!
//! | attribute | on | makes |
//! |---|---|---|
//! | [`macro@tool`] | a function | a tool |
//! | [`macro@toolbox`] | an `impl` block | tools and hooks that share an instance |
//! | [`macro@guard`] | a function | policy that can only deny |
//! | [`macro@pre_execute`] | a function | policy that allows, asks or denies |
//! | [`macro@around_execute`] | a function | a wrapper of calls |
//! | [`macro@post_execute`] | a function | a review of results |
//! | [`macro@on_result`] | a function | an observer of results |
//!
//! Whatever an attribute stands on is emitted first and unchanged: functions stay functions, to be
//! called and tested. Bodies are not read. All mistakes of an item are reported in one run.

// Tokens in, tokens out: one verb per file, from top to bottom.
mod args;
mod diagnostics;
mod docs;
mod entry;
mod expand;
mod grammar;
mod item;
mod model;
mod validate;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

use crate::model::Role;

/// Turns a function into a tool that a language model can call.
///
/// ```
/// use tool_core::{ToolCall, ToolRuntime, tool};
///
/// /// Greets somebody by name.
/// #[tool(timeout = "5s", concurrency_safe)]
/// async fn hello(
///     /// Who to greet.
///     name: String,
///     /// How often.
///     #[arg(default = 1, range = 1..=3)]
///     times: usize,
/// ) -> String {
///     format!("Hello, {name}! ").repeat(times)
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let runtime = ToolRuntime::builder().tool(hello {}).build().unwrap();
/// let call = ToolCall::new("call_1", "hello", r#"{"name":"Ada"}"#);
/// assert_eq!(runtime.execute(call).await.text(), "Hello, Ada! ");
/// assert_eq!(hello("Bob".to_owned(), 1).await, "Hello, Bob! ");
/// # }
/// ```
///
/// `hello` stays the function it is. Beside it stands its *handle* `hello {}`, a struct of the same
/// name and visibility: it registers the tool, and names it in `#[guard(tool = hello)]`,
/// `execution.args::<hello>()` and `result.value_as::<hello>()`.
///
/// # Arguments
///
/// | argument | meaning |
/// |---|---|
/// | [`name = "..."`](#name-title-description) | what the model calls it; default: the function's name |
/// | [`title = "..."`](#name-title-description) | what people call it |
/// | [`description = EXPR`](#name-title-description) | what it does; default: the doc comment |
/// | [`timeout = "30s"`](#timeout-on_cancel) | how long the body may take: a string, or a `Duration` |
/// | [`on_cancel = "drop"`](#timeout-on_cancel) | a cancelled body is dropped at its next await, not awaited |
/// | [`concurrency_safe`](#concurrency_safe) | calls may overlap others of their batch; `= path` decides by the arguments |
/// | [`read_only`, `destructive`, `idempotent`, `open_world`](#read_only-destructive-idempotent-open_world) | hints, as MCP defines them; `= false` says the opposite |
/// | [`callers = [direct, code]`](#callers) | who may call it: the model, a Code Mode program, or both |
/// | [`render = path`](#render-presentation_meta) | how the value is shown to the model |
/// | [`presentation_meta = path`](#render-presentation_meta) | a projection for a user interface |
/// | [`finalize_content = path`](#finalize_content) | the last word on the content |
/// | [`present_call = path`, `present_result = path`](#present_call-present_result) | cards for a user interface |
/// | [`args = Name`](#args) | names the arguments, for typed calls |
/// | [`handle = Name`](#handle) | names the handle |
/// | [`crate = path`](#crate) | where `tool_core` is |
///
/// # Parameters
///
/// A parameter taken *by value* is an argument of the model and becomes a property of the schema.
/// Its type derives `serde::Deserialize` and `schemars::JsonSchema`; its `///` comment is the
/// property's description. It is optional exactly if serde takes a missing field of its type, as it
/// does for `Option`.
///
/// A parameter taken *by reference* is context, and not in the schema: `&RunContext`, `&State<T>`,
/// `&Cancellation`, `&CallId`, or any `&T` where `T: FromContext`. `#[context]` marks context that is
/// taken by value, as a clone.
///
/// `#[arg(...)]` refines a property:
///
/// | argument | meaning |
/// |---|---|
/// | `name = "..."` | another name in the schema |
/// | `title = "..."` | a title for people |
/// | `default = EXPR` | the value where the property is missing or `null`; evaluated once, shown in the schema |
/// | `examples = [EXPR, ..]` | values to go by, shown in the schema |
/// | `range = 1..=100` | bounds of a number, both included; either may be left out |
/// | `length = 1..=100` | bounds of the length of a string, an array or a map |
/// | `regex = "..."` | a pattern a string must match somewhere |
///
/// ```
/// use tool_core::tool;
///
/// /// Books a table.
/// #[tool]
/// fn book(
///     #[arg(name = "type", title = "Kind of table", default = "inside", examples = ["inside", "terrace"])]
///     kind: String,
///     #[arg(range = 1..=12)] guests: u8,
///     #[arg(length = 1..=80)] name: String,
///     #[arg(regex = "^[0-9]{2}:[0-9]{2}$")] at: String,
///     note: Option<String>,
/// ) -> String {
///     format!("{kind}, {guests}, {name}, {at}, {note:?}")
/// }
/// # let _ = book {};
/// ```
///
/// `#[args]` takes a whole struct, as the only argument:
///
/// ```
/// use tool_core::tool;
///
/// #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// struct Query {
///     words: Vec<String>,
/// }
///
/// /// Searches.
/// #[tool]
/// fn search(#[args] query: Query) -> usize {
///     query.words.len()
/// }
/// # let _ = search {};
/// ```
///
/// # Return types
///
/// Anything that derives `serde::Serialize` and `schemars::JsonSchema`, `()`, `ToolOutput` for images
/// and other content of one's own, and a `Result` of one of these, by whatever name. The error may be
/// a `ToolError`, which keeps its code; a `std::error::Error`, shown with its sources; or anything that
/// is `Display`, such as `String` or `anyhow::Error`, shown as `{:#}`. A `ToolError` inside
/// `anyhow::Error` loses its code.
///
/// ```
/// use tool_core::{ToolError, tool};
///
/// /// Divides.
/// #[tool]
/// fn divide(a: f64, b: f64) -> Result<f64, ToolError> {
///     if b == 0.0 {
///         return Err(ToolError::new("division by zero").with_code("DIVISION_BY_ZERO"));
///     }
///     Ok(a / b)
/// }
/// # let _ = divide {};
/// ```
///
/// # Each argument by example
///
/// ## `name`, `title`, `description`
///
/// ```
/// use tool_core::tool;
///
/// #[tool(name = "add-numbers", title = "Addition", description = concat!("Adds ", "two numbers."))]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
/// # let _ = add {};
/// ```
///
/// ## `timeout`, `on_cancel`
///
/// The time counts from the body's start. Then the body is cancelled, has a grace period to end by
/// itself, and is dropped.
///
/// ```
/// use std::time::Duration;
/// use tool_core::tool;
///
/// const LIMIT: Duration = Duration::from_secs(30);
///
/// /// Waits.
/// #[tool(timeout = LIMIT / 2, on_cancel = "drop")]
/// async fn wait() {}
///
/// /// Waits less.
/// #[tool(timeout = "500ms")]
/// async fn wait_less() {}
/// # let _ = (wait {}, wait_less {});
/// ```
///
/// ## `concurrency_safe`
///
/// ```
/// use tool_core::{Tool, tool};
///
/// /// Reads a file.
/// #[tool(concurrency_safe)]
/// fn read(path: String) -> String {
///     path
/// }
///
/// /// Runs a command.
/// #[tool(concurrency_safe = only_looks)]
/// fn run(command: String) -> String {
///     command
/// }
///
/// fn only_looks(args: &<run as Tool>::Args) -> bool {
///     args.command.starts_with("ls ")
/// }
/// # let _ = (read {}, run {});
/// ```
///
/// ## `read_only`, `destructive`, `idempotent`, `open_world`
///
/// ```
/// use tool_core::tool;
///
/// /// Looks up the time.
/// #[tool(read_only, open_world = false)]
/// fn now() -> u64 {
///     0
/// }
/// # let _ = now {};
/// ```
///
/// ## `callers`
///
/// ```
/// use tool_core::tool;
///
/// /// For programs only.
/// #[tool(callers = [code])]
/// fn raw() -> Vec<u8> {
///     Vec::new()
/// }
/// # let _ = raw {};
/// ```
///
/// ## `render`, `presentation_meta`
///
/// Both take the value, or the arguments and the value. If a hook may replace the value by JSON, its
/// type derives `serde::Deserialize`, or rendering fails then.
///
/// ```
/// use serde_json::{Value, json};
/// use tool_core::{Tool, tool};
///
/// /// Adds.
/// #[tool(render = show, presentation_meta = meta)]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// fn show(args: &<add as Tool>::Args, sum: &i64) -> String {
///     format!("{} + {} = {sum}", args.a, args.b)
/// }
///
/// fn meta(sum: &i64) -> Value {
///     json!({"is_negative": *sum < 0})
/// }
/// # let _ = add {};
/// ```
///
/// ## `finalize_content`
///
/// ```
/// use tool_core::{ContentBlock, ToolExecution, ToolResult, tool};
///
/// /// Says a lot.
/// #[tool(finalize_content = shorten)]
/// fn talk() -> String {
///     "la ".repeat(1000)
/// }
///
/// fn shorten(_call: &ToolExecution, result: &ToolResult) -> Option<Vec<ContentBlock>> {
///     let text = result.text();
///     (text.len() > 100).then(|| vec![ContentBlock::text(&text[..100])])
/// }
/// # let _ = talk {};
/// ```
///
/// ## `present_call`, `present_result`
///
/// ```
/// use tool_core::{CallCard, ResultCard, Tool, ToolResult, tool};
///
/// /// Runs a command.
/// #[tool(present_call = before, present_result = after)]
/// fn run(command: String) -> String {
///     command
/// }
///
/// fn before(args: &<run as Tool>::Args) -> CallCard {
///     CallCard::terminal(&args.command)
/// }
///
/// fn after(_args: &<run as Tool>::Args, result: &ToolResult) -> ResultCard {
///     ResultCard::terminal(result.text(), 0)
/// }
/// # let _ = run {};
/// ```
///
/// ## `args`
///
/// The arguments' struct gets a name, to make a typed call with. Every parameter's type derives
/// `serde::Serialize` then.
///
/// ```
/// use tool_core::{ToolRuntime, tool};
///
/// /// Adds.
/// #[tool(args = AddArgs)]
/// fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let runtime = ToolRuntime::builder().tool(add {}).build().unwrap();
/// assert_eq!(runtime.call::<add>(AddArgs { a: 1, b: 2 }).await, Ok(3));
/// # }
/// ```
///
/// ## `handle`
///
/// The handle is a type, so it clashes with a type, a module or a crate of the function's name: *the
/// name `time` is defined multiple times*. Another name helps:
///
/// ```
/// use tool_core::{ToolRuntime, tool};
///
/// mod time {}
///
/// /// Looks up the time.
/// #[tool(handle = Time)]
/// fn time() -> u64 {
///     0
/// }
///
/// let runtime = ToolRuntime::builder().tool(Time {}).build().unwrap();
/// # let _ = runtime;
/// ```
///
/// ## `crate`
///
/// Generated code names `::tool_core`. Where that is called otherwise, in `Cargo.toml` or behind a
/// re-export, rustc says *cannot find `tool_core` in the crate root* or *could not find `tool_core` in
/// the list of imported crates*; say where it is:
///
/// ```
/// mod my {
///     pub use tool_core as tools;
/// }
///
/// /// Greets.
/// #[my::tools::tool(crate = my::tools)]
/// fn hello(name: String) -> String {
///     name
/// }
///
/// fn main() {
///     let _ = hello {};
/// }
/// ```
///
/// # Limitations
///
/// A tool is not generic: its schema is fixed.
///
/// ```compile_fail
/// /// Generic.
/// #[tool_core::tool]
/// fn first<T>(list: Vec<T>) -> T {
///     list.into_iter().next().unwrap()
/// }
/// ```
///
/// Methods need [`#[toolbox]`](macro@toolbox) on their `impl` block.
///
/// ```compile_fail
/// struct Weather;
///
/// impl Weather {
///     /// The forecast.
///     #[tool_core::tool]
///     fn forecast(&self) -> String {
///         String::new()
///     }
/// }
/// ```
///
/// Context is told from arguments by the `&` in front of it: an alias of a reference is taken for an
/// argument.
///
/// ```compile_fail
/// type Context<'a> = &'a tool_core::RunContext;
///
/// /// Looks.
/// #[tool_core::tool]
/// fn look(cx: Context<'_>) {}
/// ```
#[proc_macro_attribute]
pub fn tool(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::tool(args.into(), item.into()).into()
}

/// Turns methods of an `impl` block into tools and hooks that share an instance.
///
/// ```
/// use tool_core::{ToolCall, ToolRuntime, toolbox};
///
/// struct Weather {
///     unit: char,
/// }
///
/// #[toolbox(prefix = "weather_")]
/// impl Weather {
///     /// The forecast for a city.
///     #[tool(read_only)]
///     async fn forecast(&self, city: String) -> String {
///         format!("{city}: 20 {}", self.unit)
///     }
///
///     /// The units there are.
///     #[tool]
///     fn units() -> Vec<char> {
///         vec!['C', 'F']
///     }
///
///     /// Not a tool.
///     fn knows(&self, city: &str) -> bool {
///         city != "Atlantis"
///     }
///
///     #[guard(tool = WeatherForecast)]
///     fn known(&self, city: &str) -> Option<String> {
///         (!self.knows(city)).then(|| format!("{city} is unknown"))
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let runtime = ToolRuntime::builder().toolbox(Weather { unit: 'C' }).build().unwrap();
/// let call = |city| ToolCall::new("call_1", "weather_forecast", format!(r#"{{"city":"{city}"}}"#));
/// assert_eq!(runtime.execute(call("Oslo")).await.text(), "Oslo: 20 C");
/// assert_eq!(runtime.execute(call("Atlantis")).await.text(), "Error: Atlantis is unknown");
/// # }
/// ```
///
/// Tools and hooks take `&self` or nothing; calls may overlap, so what changes stands behind a lock.
/// The attributes inside are those of this crate, by their own names; `crate = path` is given once,
/// to `#[toolbox]`. A method's handle is named after both: `WeatherForecast` for `Weather::forecast`,
/// unless `handle = Name` says otherwise. Hooks of the block are registered with its tools.
///
/// | argument | meaning |
/// |---|---|
/// | `prefix = "..."` | stands before the names of the tools, where they have no `name` of their own |
/// | `crate = path` | where `tool_core` is, as for [`macro@tool`] |
///
/// # Limitations
///
/// The block is an inherent one, and not generic.
///
/// ```compile_fail
/// struct Weather<C>(C);
///
/// #[tool_core::toolbox]
/// impl<C: Send + Sync + 'static> Weather<C> {
///     /// The forecast.
///     #[tool]
///     fn forecast(&self) -> String {
///         String::new()
///     }
/// }
/// ```
#[proc_macro_attribute]
pub fn toolbox(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::toolbox(args.into(), item.into()).into()
}

/// Turns a function into a guard: policy that can deny a call and nothing else (station 2).
///
/// ```
/// use tool_core::{ToolCall, ToolExecution, ToolRuntime, guard, tool};
///
/// /// Removes a file.
/// #[tool(destructive)]
/// fn remove(path: String, force: bool) -> String {
///     format!("removed {path} {force}")
/// }
///
/// /// Bound to a tool, it takes that tool's parameters by name and type.
/// #[guard(tool = remove)]
/// fn inside(path: &str, force: bool) -> Option<String> {
///     (path.starts_with('/') && !force).then(|| format!("{path} is outside"))
/// }
///
/// /// Bound to none, it is asked about every call.
/// #[guard]
/// async fn short(call: &ToolExecution) -> Option<&'static str> {
///     (call.arguments_text().len() > 1000).then_some("too long")
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let runtime = ToolRuntime::builder().tool(remove {}).guard(inside {}).guard(short {}).build().unwrap();
/// let call = ToolCall::new("call_1", "remove", r#"{"path":"/etc","force":false}"#);
/// assert_eq!(runtime.execute(call).await.text(), "Error: /etc is outside");
/// # }
/// ```
///
/// | argument | meaning |
/// |---|---|
/// | `tool = path` | binds the hook to that tool: it runs for it alone, and may take its parameters |
/// | `handle = Name` | names the handle; default: the function's name |
/// | `crate = path` | where `tool_core` is, as for [`macro@tool`] |
///
/// # Parameters
///
/// Without `tool`, a hook takes context by reference: `&ToolExecution`, `&State<T>`, `&CallId`, any
/// `&T` where `T: FromExecution`, and after the body `&ToolResult`.
///
/// With `tool = hello`, it takes any of that tool's parameters by their names, in any order: `&T` for a
/// `T`, `&str` for a `String`, `&[T]` for a `Vec<T>`, `Option<&T>` for an `Option<T>`, and what is `Copy`
/// by value. A name that the tool lacks and a type that does not fit are errors at that very token.
/// Some names mean something else; a parameter of the tool that has one is written `#[arg] value: &T`:
///
/// | name | what it is | where |
/// |---|---|---|
/// | `execution` | `&ToolExecution` | everywhere |
/// | `result` | `&ToolResult` | after the body |
/// | `value` | the tool's output, such as `&str` for a `String` | after the body |
/// | `next` | `Next<'_>` | around the body |
///
/// Other context carries `#[context]`: `#[context] db: &State<Db>`. A hook that takes `value` runs for
/// successes only.
///
/// The hook is bound to the handle, not to the name: another definition that shadows the tool in some
/// scope is not covered. If the tool is registered nowhere, `build()` fails: such a hook would never run.
///
/// # Return types
///
/// `Option<String>` (a reason denies), `Result<(), Denied>`, `Verdict`, or a `Result` of the first or the
/// last whose error breaks the call. Never `bool`.
///
/// ```compile_fail
/// #[tool_core::guard]
/// fn quiet(call: &tool_core::ToolExecution) -> bool {
///     call.name() != "shout"
/// }
/// ```
#[proc_macro_attribute]
pub fn guard(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::hook(Role::Guard, args.into(), item.into()).into()
}

/// Turns a function into a pre-execute hook: it allows a call, denies it, or has somebody asked
/// (station 1).
///
/// Returns `Decision`, or a `Result` of it. Of several hooks deny beats ask, and ask beats allow.
/// Parameters and arguments are those of [`macro@guard`].
///
/// ```
/// use tool_core::{Decision, pre_execute, tool};
///
/// /// Pays.
/// #[tool]
/// fn pay(amount: u32) -> u32 {
///     amount
/// }
///
/// #[pre_execute(tool = pay)]
/// async fn ask_for_much(amount: u32) -> Decision {
///     if amount > 100 { Decision::ask(format!("it costs {amount}")) } else { Decision::Allow }
/// }
/// # let _ = (pay {}, ask_for_much {});
/// ```
///
/// | argument | meaning |
/// |---|---|
/// | `tool = path` | binds the hook to that tool: it runs for it alone, and may take its parameters |
/// | `handle = Name` | names the handle; default: the function's name |
/// | `crate = path` | where `tool_core` is, as for [`macro@tool`] |
#[proc_macro_attribute]
pub fn pre_execute(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::hook(Role::PreExecute, args.into(), item.into()).into()
}

/// Turns a function into a wrapper of calls: it may retry, time, or answer without the body
/// (station 3).
///
/// Takes `next: Next<'_>` and returns `ToolResult`, or a `Result` of it. Other parameters and the
/// arguments are those of [`macro@guard`].
///
/// ```
/// use tool_core::{Next, ToolExecution, ToolResult, around_execute};
///
/// #[around_execute]
/// async fn once_more(call: &ToolExecution, mut next: Next<'_>) -> ToolResult {
///     let result = next.attempt().await;
///     if result.is_error() && call.name().starts_with("read_") { next.run().await } else { result }
/// }
/// # let _ = once_more {};
/// ```
///
/// | argument | meaning |
/// |---|---|
/// | `tool = path` | binds the hook to that tool: it runs for it alone, and may take its parameters |
/// | `handle = Name` | names the handle; default: the function's name |
/// | `crate = path` | where `tool_core` is, as for [`macro@tool`] |
#[proc_macro_attribute]
pub fn around_execute(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::hook(Role::AroundExecute, args.into(), item.into()).into()
}

/// Turns a function into a review of results, before the model sees them (station 6).
///
/// Returns `PostDecision`, whose value is JSON; bound to a tool also `PostDecision<Output>`, whose value
/// is the tool's own; or a `Result` of one of these. Parameters and arguments are those of
/// [`macro@guard`].
///
/// ```
/// use tool_core::{PostDecision, ToolResult, post_execute, tool};
///
/// /// Greets.
/// #[tool]
/// fn hello(name: String) -> String {
///     format!("Hello, {name}!")
/// }
///
/// /// Bound to a tool, it takes the value by its type.
/// #[post_execute(tool = hello)]
/// fn calm_down(value: &str, name: &str) -> PostDecision<String> {
///     if name == "Ada" { PostDecision::accept() } else { PostDecision::value(value.replace('!', ".")) }
/// }
///
/// /// Bound to none, it takes the result.
/// #[post_execute]
/// async fn no_secrets(result: &ToolResult) -> PostDecision {
///     if result.text().contains("password") { PostDecision::block("held back") } else { PostDecision::accept() }
/// }
/// # let _ = (hello {}, calm_down {}, no_secrets {});
/// ```
///
/// A hook that takes `value` may meet one that another hook has replaced by JSON; it is read again then,
/// so the output derives `serde::Deserialize`.
///
/// | argument | meaning |
/// |---|---|
/// | `tool = path` | binds the hook to that tool: it runs for it alone, and may take its parameters |
/// | `handle = Name` | names the handle; default: the function's name |
/// | `crate = path` | where `tool_core` is, as for [`macro@tool`] |
#[proc_macro_attribute]
pub fn post_execute(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::hook(Role::PostExecute, args.into(), item.into()).into()
}

/// Turns a function into an observer of final results: it changes nothing, and no result waits for it
/// (station 8).
///
/// Not `async`. Returns nothing, or a `Result` of nothing whose error is logged. Parameters and arguments
/// are those of [`macro@guard`].
///
/// ```
/// use tool_core::{ToolExecution, ToolResult, on_result};
///
/// #[on_result]
/// fn log(execution: &ToolExecution, result: &ToolResult) {
///     println!("{}: {}", execution.name(), result.text());
/// }
/// # let _ = log {};
/// ```
///
/// | argument | meaning |
/// |---|---|
/// | `tool = path` | binds the hook to that tool: it runs for it alone, and may take its parameters |
/// | `handle = Name` | names the handle; default: the function's name |
/// | `crate = path` | where `tool_core` is, as for [`macro@tool`] |
#[proc_macro_attribute]
pub fn on_result(args: TokenStream, item: TokenStream) -> TokenStream {
    entry::hook(Role::OnResult, args.into(), item.into()).into()
}
