//! What the attributes make of functions: each argument, each kind of parameter and return, each hook.

// A tool owns its arguments, whatever its body does with them; some stand here for their shape alone.
#![allow(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    clippy::trivially_copy_pass_by_ref
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tool_core::{
    CallCard, CallId, Cancellation, ContentBlock, Decision, Denied, FromContext, Next,
    PostDecision, ResultCard, RunContext, State, Tool, ToolCall, ToolError, ToolExecution,
    ToolOutput, ToolResult, ToolRuntime, around_execute, guard, on_result, post_execute,
    pre_execute, tool, toolbox, tools,
};

async fn call(runtime: &ToolRuntime, name: &str, arguments: &Value) -> ToolResult {
    runtime
        .execute(ToolCall::new("call_1", name, arguments.to_string()))
        .await
}

async fn text(runtime: &ToolRuntime, name: &str, arguments: Value) -> String {
    call(runtime, name, &arguments).await.text()
}

fn parameters(runtime: &ToolRuntime, name: &str) -> Value {
    let schemas = runtime.schemas();
    schemas
        .iter()
        .find(|schema| schema.name == name)
        .expect(name)
        .parameters
        .as_ref()
        .clone()
}

// ---- the program of the README ----

/// Greets somebody by name.
#[tool(timeout = "5s", concurrency_safe)]
async fn hello(
    /// Who to greet.
    name: String,
) -> String {
    format!("Hello, {name}!")
}

/// Nobody greets the whole world.
#[guard(tool = hello)]
fn not_world(name: &str) -> Option<String> {
    (name == "World").then(|| format!("greeting {name:?} is not allowed"))
}

/// Shouting is for the program, not for the model.
#[post_execute(tool = hello)]
async fn calm_down(value: &str) -> PostDecision<String> {
    PostDecision::value(value.replace('!', "."))
}

#[tokio::test]
async fn a_tool_with_typed_policy() {
    let runtime = ToolRuntime::builder()
        .tool(hello {})
        .guard(not_world {})
        .post_execute(calm_down {})
        .build()
        .unwrap();
    assert_eq!(
        text(&runtime, "hello", json!({"name": "Ada"})).await,
        "Hello, Ada."
    );
    assert_eq!(
        text(&runtime, "hello", json!({"name": "World"})).await,
        "Error: greeting \"World\" is not allowed"
    );
    assert_eq!(hello("Ada".to_owned()).await, "Hello, Ada!");
    assert_eq!(
        parameters(&runtime, "hello"),
        json!({
            "type": "object",
            "properties": {"name": {"type": "string", "description": "Who to greet."}},
            "required": ["name"],
            "additionalProperties": false,
        })
    );
}

// ---- parameters ----

struct Db(&'static str);

/// Takes every kind of parameter.
#[tool]
#[allow(clippy::too_many_arguments)]
fn kinds(
    r#type: String,
    limit: Option<u32>,
    any: Value,
    #[arg(name = "some tags", default = vec!["a".to_owned()])] tags: Vec<String>,
    #[arg(default = "metric")] unit: String,
    #[cfg(any())] missing: Missing,
    #[cfg(test)] present: bool,
    cx: &RunContext,
    db: &State<Db>,
    id: &CallId,
    cancellation: &Cancellation,
    #[context] owned: Cancellation,
) -> String {
    let quiet = !cancellation.is_cancelled() && !owned.is_cancelled() && cx.call_id() == id;
    format!(
        "{type} {limit:?} {any} {tags:?} {unit} {present} {} {quiet}",
        db.0
    )
}

#[tokio::test]
async fn parameters_are_arguments_or_context() {
    let runtime = ToolRuntime::builder()
        .state(Db("main"))
        .tool(kinds {})
        .build()
        .unwrap();
    assert_eq!(
        parameters(&runtime, "kinds"),
        json!({
            "type": "object",
            "properties": {
                "type": {"type": "string"},
                "limit": {"type": ["integer", "null"], "minimum": 0, "maximum": u32::MAX},
                "any": {},
                "some tags": {"type": "array", "items": {"type": "string"}, "default": ["a"]},
                "unit": {"type": "string", "default": "metric"},
                "present": {"type": "boolean"},
            },
            "required": ["type", "any", "present"],
            "additionalProperties": false,
        })
    );
    let arguments = json!({"type": "x", "any": null, "present": true});
    assert_eq!(
        text(&runtime, "kinds", arguments).await,
        "x None null [\"a\"] metric true main true"
    );
    let arguments = json!({"type": "x", "any": [1], "present": false, "limit": 3, "unit": null, "some tags": []});
    assert_eq!(
        text(&runtime, "kinds", arguments).await,
        "x Some(3) [1] [] metric false main true"
    );
}

#[test]
fn a_state_that_is_not_given_is_an_error() {
    let error = ToolRuntime::builder().tool(kinds {}).build().unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("tool `kinds` needs `State<macros::Db>`, which was not given"),
        "{text}"
    );
}

/// Refines its parameters.
#[tool]
fn refined(
    #[arg(title = "City", examples = ["Oslo", "Rome"], length = 1..=40, regex = "^[A-Z]")]
    city: String,
    #[arg(range = 1..=14)] days: u8,
    #[arg(range = -1.5..)] offset: f64,
) -> String {
    format!("{city} {days} {offset}")
}

#[tokio::test]
async fn refinements_are_in_the_schema_and_enforced() {
    let runtime = ToolRuntime::builder().tool(refined {}).build().unwrap();
    assert_eq!(
        parameters(&runtime, "refined")["properties"],
        json!({
            "city": {
                "type": "string", "title": "City", "examples": ["Oslo", "Rome"],
                "minLength": 1, "maxLength": 40, "pattern": "^[A-Z]",
            },
            "days": {"type": "integer", "minimum": 1, "maximum": 14},
            "offset": {"type": "number", "minimum": -1.5},
        })
    );
    let good = json!({"city": "Oslo", "days": 3, "offset": 0.5});
    assert_eq!(text(&runtime, "refined", good).await, "Oslo 3 0.5");
    for bad in [
        json!({"city": "oslo", "days": 3, "offset": 0}),
        json!({"city": "Oslo", "days": 15, "offset": 0}),
        json!({"city": "Oslo", "days": 3, "offset": -2}),
    ] {
        assert_eq!(
            call(&runtime, "refined", &bad)
                .await
                .error()
                .unwrap()
                .code(),
            "INVALID_ARGS"
        );
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Query {
    words: Vec<String>,
    limit: Option<u32>,
}

/// Takes a struct.
#[tool]
fn search(#[args] query: Query, id: &CallId) -> String {
    format!("{id}: {:?} {:?}", query.words, query.limit)
}

#[guard(tool = search)]
fn not_empty(words: &[String], limit: Option<u32>) -> Result<(), Denied> {
    if words.is_empty() {
        Err(Denied::new(format!("no words, {limit:?}")))
    } else {
        Ok(())
    }
}

/// Takes nothing, in a strange way.
#[tool]
fn nothing(#[args] _nothing: ()) {}

#[tokio::test]
async fn a_struct_can_take_all_arguments() {
    let runtime = ToolRuntime::builder()
        .tools(tools![search, nothing])
        .guard(not_empty {})
        .build()
        .unwrap();
    let arguments = json!({"words": ["a"], "limit": 2});
    assert_eq!(
        text(&runtime, "search", arguments).await,
        "call_1: [\"a\"] Some(2)"
    );
    assert_eq!(
        text(&runtime, "search", json!({"words": []})).await,
        "Error: no words, None"
    );
    assert_eq!(
        call(&runtime, "nothing", &json!({})).await.value(),
        Some(&Value::Null)
    );
    let query = Query {
        words: vec!["b".to_owned()],
        limit: None,
    };
    let found = runtime.call::<search>(query).await.unwrap();
    assert_eq!(found.split_once(": ").unwrap().1, "[\"b\"] None");
}

/// Context of one's own.
struct Tenant;

impl FromContext for Tenant {
    fn from_context(cx: &RunContext) -> Result<&Self, ToolError> {
        match cx.arguments()["tenant"].as_bool() {
            Some(true) => Ok(&Tenant),
            _ => Err(ToolError::new("no tenant").with_code("NO_TENANT")),
        }
    }
}

/// Needs a tenant.
#[tool]
fn tenant(tenant: bool, _who: &Tenant) -> bool {
    tenant
}

#[tokio::test]
async fn context_that_is_not_there_fails_the_call() {
    let runtime = ToolRuntime::builder().tool(tenant {}).build().unwrap();
    assert_eq!(
        text(&runtime, "tenant", json!({"tenant": true})).await,
        "true"
    );
    let result = call(&runtime, "tenant", &json!({"tenant": false})).await;
    assert_eq!(
        (result.error().unwrap().code(), result.text().as_str()),
        ("NO_TENANT", "Error: no tenant")
    );
}

// ---- returns ----

type Alias<T> = Result<T, ToolError>;

/// By an alias.
#[tool]
fn alias(ok: bool) -> Alias<u32> {
    if ok {
        Ok(5)
    } else {
        Err(ToolError::new("coded").with_code("MINE"))
    }
}

#[derive(Debug)]
struct Outer(std::num::ParseIntError);

impl std::fmt::Display for Outer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("outer")
    }
}

impl std::error::Error for Outer {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// With a source.
#[tool]
fn chained(number: String) -> Result<u32, Outer> {
    number.parse().map_err(Outer)
}

/// With anyhow.
#[tool]
async fn anyhow_tool(number: String) -> anyhow::Result<u32> {
    use anyhow::Context as _;
    number.parse().context("not a number")
}

/// With a boxed error.
#[tool]
fn boxed(number: String) -> Result<u32, Box<dyn std::error::Error>> {
    Ok(number.parse().map_err(Outer)?)
}

/// With text.
#[tool]
fn texted(number: String) -> Result<u32, &'static str> {
    number.parse().map_err(|_| "text")
}

/// An option.
#[tool]
fn maybe(some: bool) -> Option<u32> {
    some.then_some(1)
}

/// An image.
#[tool]
fn image(ok: bool) -> Result<ToolOutput<u32>, String> {
    if !ok {
        return Err("no image".to_owned());
    }
    Ok(ToolOutput::new(
        7,
        [
            ContentBlock::image("AAAA", "image/png"),
            ContentBlock::text("a dot"),
        ],
    ))
}

#[guard(tool = image)]
fn image_seen(ok: bool) -> Option<String> {
    let _ = ok;
    None
}

#[post_execute(tool = image)]
fn image_value(value: &ToolOutput<u32>) -> PostDecision {
    PostDecision::accept().context(format!("value {}", value.value()))
}

#[tokio::test]
async fn returns_settle_into_values_and_failures() {
    let runtime = ToolRuntime::builder()
        .tools(tools![
            alias,
            chained,
            anyhow_tool,
            boxed,
            texted,
            maybe,
            image
        ])
        .guard(image_seen {})
        .post_execute(image_value {})
        .build()
        .unwrap();
    assert_eq!(text(&runtime, "alias", json!({"ok": true})).await, "5");
    let failed = call(&runtime, "alias", &json!({"ok": false})).await;
    assert_eq!(failed.error().unwrap().code(), "MINE");
    let cause = "invalid digit found in string";
    for (name, expected) in [
        ("chained", format!("Error: outer: {cause}")),
        ("anyhow_tool", format!("Error: not a number: {cause}")),
        ("boxed", format!("Error: outer: {cause}")),
        ("texted", "Error: text".to_owned()),
    ] {
        assert_eq!(text(&runtime, name, json!({"number": "x"})).await, expected);
        assert_eq!(text(&runtime, name, json!({"number": "4"})).await, "4");
    }
    assert_eq!(
        call(&runtime, "maybe", &json!({"some": false}))
            .await
            .value(),
        Some(&Value::Null)
    );
    let result = call(&runtime, "image", &json!({"ok": true})).await;
    assert_eq!(result.value(), Some(&json!(7)));
    assert_eq!(result.value_as::<image>().map(ToolOutput::value), Some(&7));
    assert_eq!(result.text(), "[image content]\na dot");
    assert_eq!(result.additional_contexts()[0].text(), "value 7");
    assert_eq!(
        text(&runtime, "image", json!({"ok": false})).await,
        "Error: no image"
    );
}

// ---- settings ----

const DOCS: &str = "Described elsewhere.";

fn only_small(args: &<settings as Tool>::Args) -> bool {
    args.size < 10
}

fn show(args: &<settings as Tool>::Args, value: &u32) -> String {
    format!("{} becomes {value}", args.size)
}

fn meta(value: &u32) -> Value {
    json!({"half": value / 2})
}

fn finish(execution: &ToolExecution, result: &ToolResult) -> Option<Vec<ContentBlock>> {
    Some(vec![ContentBlock::text(format!(
        "{}: {}",
        execution.name(),
        result.text()
    ))])
}

fn call_card(args: &<settings as Tool>::Args) -> CallCard {
    CallCard::terminal(format!("double {}", args.size))
}

fn result_card(args: &<settings as Tool>::Args, result: &ToolResult) -> ResultCard {
    ResultCard::detailed(args.size.to_string(), result.text())
}

/// Not this.
#[tool(
    name = "double-it",
    title = "Doubles",
    description = DOCS,
    timeout = Duration::from_secs(2) * 2,
    on_cancel = "drop",
    concurrency_safe = only_small,
    read_only,
    destructive = false,
    callers = [direct],
    render = show,
    presentation_meta = meta,
    finalize_content = finish,
    present_call = call_card,
    present_result = result_card,
)]
fn settings(size: u32) -> u32 {
    size * 2
}

#[tokio::test]
async fn every_setting_has_its_effect() {
    let cards = Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = cards.clone();
    let runtime = ToolRuntime::builder()
        .tool(settings {})
        .on_result(move |execution: &ToolExecution, result: &ToolResult| {
            let pair = (execution.call_card(), execution.result_card(result));
            seen.lock()
                .unwrap()
                .push(serde_json::to_value(pair).unwrap());
        })
        .build()
        .unwrap();
    let schema = &runtime.schemas()[0];
    assert_eq!(
        (schema.name.as_str(), schema.description.as_str()),
        ("double-it", DOCS)
    );
    let result = call(&runtime, "double-it", &json!({"size": 3})).await;
    assert_eq!(result.text(), "double-it: 3 becomes 6");
    assert_eq!(result.meta(), Some(&json!({"half": 3})));
    let expected = json!([
        {"kind": "terminal", "command": "double 3"},
        {"kind": "generic", "title": "3", "detail": "double-it: 3 becomes 6"},
    ]);
    assert_eq!(*cards.lock().unwrap(), [expected]);
    let mode = |size: u32| {
        let call = ToolCall::new("c", "double-it", json!({"size": size}));
        format!("{:?}", runtime.execution_mode(&call))
    };
    assert_eq!(
        (mode(3), mode(30)),
        ("Parallel".to_owned(), "Exclusive".to_owned())
    );
}

/// First line
/// goes on.
///
/// - bullet
///   indented
#[tool]
#[allow(clippy::unused_unit)]
fn documented() -> () {}

/** block
doc */
#[tool]
fn block() {}

#[tool]
#[doc = concat!("made ", "of parts")]
/// and a line
fn parts() {}

#[test]
fn descriptions_are_the_doc_comments() {
    let runtime = ToolRuntime::builder()
        .tools(tools![documented, block, parts])
        .build()
        .unwrap();
    let descriptions: Vec<_> = runtime
        .schemas()
        .iter()
        .map(|schema| schema.description.clone())
        .collect();
    assert_eq!(
        descriptions,
        [
            "First line\ngoes on.\n\n- bullet\n  indented",
            "block\ndoc",
            "made of parts\nand a line"
        ]
    );
}

// ---- typed calls ----

/// Adds.
#[tool(args = AddArgs)]
fn add(a: i64, #[arg(name = "and")] b: i64, note: Option<String>) -> String {
    format!("{}{}", a + b, note.unwrap_or_default())
}

#[tokio::test]
async fn a_typed_call_goes_through_the_pipeline() {
    let runtime = ToolRuntime::builder().tool(add {}).build().unwrap();
    let sum = runtime
        .call::<add>(AddArgs {
            a: 1,
            b: 2,
            note: None,
        })
        .await;
    assert_eq!(sum, Ok("3".to_owned()));
    let guarded = ToolRuntime::builder()
        .tool(add {})
        .guard(|call: &ToolExecution| (call.arguments()["and"] == 2).then_some("no twos"))
        .build()
        .unwrap();
    let denied = guarded
        .call::<add>(AddArgs {
            a: 1,
            b: 2,
            note: Some("x".to_owned()),
        })
        .await;
    assert_eq!(denied.unwrap_err().code(), "DENIED");
    let replaced = ToolRuntime::builder()
        .tool(add {})
        .post_execute(|_: &ToolExecution, _: &ToolResult| PostDecision::value(json!("other")))
        .build()
        .unwrap();
    let other = replaced
        .call::<add>(AddArgs {
            a: 1,
            b: 2,
            note: None,
        })
        .await;
    assert_eq!(other, Ok("other".to_owned()));
}

// ---- hooks ----

#[pre_execute(tool = hello)]
async fn ask_for_long(name: &String, execution: &ToolExecution) -> Result<Decision, ToolError> {
    match name.len() {
        0..10 => Ok(Decision::Allow),
        10..20 => Ok(Decision::deny(format!(
            "{} is too long for {}",
            name,
            execution.name()
        ))),
        _ => Err("far too long".into()),
    }
}

#[pre_execute]
fn count_calls(count: &State<AtomicU32>, id: &CallId) -> Decision {
    count.fetch_add(1, Ordering::Relaxed);
    if id == "never" {
        Decision::deny("never")
    } else {
        Decision::Allow
    }
}

#[around_execute]
async fn twice(mut next: Next<'_>) -> ToolResult {
    let _ = next.attempt().await;
    next.run().await
}

#[around_execute(tool = hello)]
async fn for_hello(name: &str, next: Next<'_>) -> Result<ToolResult, ToolError> {
    if name == "cached" {
        return ToolResult::success("from the cache");
    }
    Ok(next.run().await)
}

#[post_execute]
fn no_secrets(result: &ToolResult) -> PostDecision {
    if result.text().contains("secret") {
        PostDecision::block("held back")
    } else {
        PostDecision::accept()
    }
}

#[on_result]
fn log(
    execution: &ToolExecution,
    result: &ToolResult,
    count: &State<AtomicU32>,
) -> Result<(), String> {
    count.fetch_add(100, Ordering::Relaxed);
    let _ = (execution, result);
    Err("a failure of an observer changes nothing".to_owned())
}

#[on_result(tool = hello)]
fn seen(name: &str, value: &String, #[context] count: &State<AtomicU32>) {
    assert_eq!(*value, format!("Hello, {name}!"));
    count.fetch_add(1000, Ordering::Relaxed);
}

#[tokio::test]
async fn hooks_take_parameters_and_context() {
    let runtime = ToolRuntime::builder()
        .state(AtomicU32::new(0))
        .tool(hello {})
        .pre_execute(ask_for_long {})
        .pre_execute(count_calls {})
        .around_execute(for_hello {})
        .around_execute(twice {})
        .post_execute(no_secrets {})
        .on_result(log {})
        .on_result(seen {})
        .build()
        .unwrap();
    let greet = async |name: &str| text(&runtime, "hello", json!({"name": name})).await;
    assert_eq!(greet("Ada").await, "Hello, Ada!");
    assert_eq!(greet("cached").await, "from the cache");
    assert_eq!(greet("a secret").await, "held back");
    assert_eq!(
        greet("0123456789").await,
        "Error: 0123456789 is too long for hello"
    );
    assert_eq!(greet("01234567890123456789").await, "Error: far too long");
    let never = ToolCall::new("never", "hello", r#"{"name":"Ada"}"#);
    assert_eq!(runtime.execute(never).await.text(), "Error: never");
}

/// Has parameters of reserved names.
#[tool]
fn reserved(value: String, result: u32, next: bool, execution: String) -> String {
    format!("{value} {result} {next} {execution}")
}

#[post_execute(tool = reserved)]
fn reserved_post(
    #[arg] value: &str,
    #[arg] result: u32,
    next: bool,
    #[arg] execution: &str,
) -> Result<PostDecision<String>, ToolError> {
    Ok(PostDecision::value(format!(
        "{execution} {next} {result} {value}"
    )))
}

#[guard(tool = reserved)]
fn reserved_guard(#[arg] value: &str, #[arg] result: u32) -> Option<String> {
    (value == "no").then(|| format!("no {result}"))
}

#[tokio::test]
async fn reserved_names_can_be_parameters() {
    let builder = || ToolRuntime::builder().tool(reserved {});
    let runtime = builder().post_execute(reserved_post {}).build().unwrap();
    let guarded = builder().guard(reserved_guard {}).build().unwrap();
    let arguments =
        |value: &str| json!({"value": value, "result": 1, "next": true, "execution": "e"});
    assert_eq!(
        text(&runtime, "reserved", arguments("v")).await,
        "e true 1 v"
    );
    assert_eq!(
        text(&guarded, "reserved", arguments("no")).await,
        "Error: no 1"
    );
}

#[test]
fn a_typed_hook_whose_tool_is_missing_is_an_error() {
    let error = ToolRuntime::builder()
        .guard(not_world {})
        .build()
        .unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("hook `not_world` ("), "{text}");
    assert!(
        text.contains("is bound to `hello`, which is registered nowhere"),
        "{text}"
    );
}

// ---- toolboxes ----

struct Weather {
    unit: char,
    asked: AtomicU32,
}

#[toolbox(prefix = "weather_")]
impl Weather {
    const BASE: u32 = 20;

    /// The forecast for a city.
    #[tool(read_only)]
    async fn forecast(&self, city: String, cx: &RunContext) -> Result<String, ToolError> {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        Ok(format!(
            "{city}: {}{} for {}, question {asked}",
            Self::BASE,
            self.unit,
            cx.call_id()
        ))
    }

    /// The units there are.
    #[tool(handle = Units, name = "units")]
    fn units() -> Vec<String> {
        vec!["C".to_owned()]
    }

    /// Not a tool.
    fn is_known(&self, city: &str) -> bool {
        city != "Atlantis" && self.unit == 'C'
    }

    #[guard(tool = WeatherForecast)]
    fn known(&self, city: &str) -> Option<String> {
        (!self.is_known(city)).then(|| format!("{city} is unknown"))
    }

    #[on_result(tool = Units)]
    fn counted(value: &[String]) {
        assert_eq!(value.len(), 1);
    }
}

#[tokio::test]
async fn the_tools_of_a_box_share_it() {
    let weather = Weather {
        unit: 'C',
        asked: AtomicU32::new(0),
    };
    let runtime = ToolRuntime::builder().toolbox(weather).build().unwrap();
    let names: Vec<_> = runtime
        .schemas()
        .iter()
        .map(|schema| schema.name.clone())
        .collect();
    assert_eq!(names, ["weather_forecast", "units"]);
    let ask = async |city: &str| text(&runtime, "weather_forecast", json!({"city": city})).await;
    assert_eq!(ask("Oslo").await, "Oslo: 20C for call_1, question 1");
    assert_eq!(ask("Rome").await, "Rome: 20C for call_1, question 2");
    assert_eq!(ask("Atlantis").await, "Error: Atlantis is unknown");
    assert_eq!(
        call(&runtime, "units", &json!({})).await.value(),
        Some(&json!(["C"]))
    );
}

// ---- places ----

mod elsewhere {
    use tool_core::tool;

    /// In a module.
    #[tool]
    pub(crate) fn inner(x: u8) -> u8 {
        x
    }
}

macro_rules! doubled {
    ($name:ident, $parameter:ident: $ty:ty, $docs:literal) => {
        #[doc = $docs]
        #[tool]
        fn $name($parameter: $ty, cx: &RunContext) -> $ty {
            let _ = cx;
            $parameter * 2
        }
    };
}

doubled!(double, number: u32, "Doubles.");

/// Clashes with the module of its name, were it not for its handle.
#[tool(handle = Time)]
fn time() -> u32 {
    time::NOW
}

mod time {
    pub(super) const NOW: u32 = 5;
}

#[tokio::test]
async fn tools_can_stand_anywhere() {
    /// In a function.
    #[tool]
    fn local(x: u8) -> u8 {
        x + 1
    }

    #[guard(tool = local)]
    fn small(x: u8) -> Option<String> {
        (x > 9).then(|| "too big".to_owned())
    }

    let runtime = ToolRuntime::builder()
        .tools(tools![elsewhere::inner, double, Time, local])
        .guard(small {})
        .build()
        .unwrap();
    assert_eq!(text(&runtime, "inner", json!({"x": 1})).await, "1");
    assert_eq!(text(&runtime, "double", json!({"number": 4})).await, "8");
    assert_eq!(text(&runtime, "time", json!({})).await, "5");
    assert_eq!(text(&runtime, "local", json!({"x": 8})).await, "9");
    assert_eq!(
        text(&runtime, "local", json!({"x": 10})).await,
        "Error: too big"
    );
}

// ---- mistakes that only show at registration ----

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Closed {
    n: i32,
    #[serde(flatten)]
    shape: Shape,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(dead_code)]
enum Shape {
    Dot,
    Circle { r: f64 },
}

/// C23: serde refuses what the schema of this type accepts.
#[tool]
fn closed(#[args] _closed: Closed) {}

/// Has the name of another.
#[tool(name = "hello")]
fn second_hello() {}

fn refusal(builder: tool_core::ToolRuntimeBuilder) -> String {
    builder.build().unwrap_err().to_string()
}

#[test]
fn a_schema_that_serde_would_not_honour_is_refused() {
    let text = refusal(ToolRuntime::builder().tool(closed {}));
    assert!(text.contains("`closed`"), "{text}");
    assert!(
        text.contains("flatten") && text.contains("deny_unknown_fields"),
        "{text}"
    );
}

#[test]
fn two_tools_of_one_name_are_both_located() {
    let text = refusal(ToolRuntime::builder().tool(hello {}).tool(second_hello {}));
    let lines: Vec<&str> = text.split("macros.rs:").skip(1).collect();
    assert!(
        text.starts_with("tool `hello` is registered twice: "),
        "{text}"
    );
    assert_eq!(lines.len(), 2, "{text}");
    assert_ne!(
        lines[0].split(' ').next(),
        lines[1].split('\n').next(),
        "{text}"
    );
}
