//! Handles and toolboxes where they are used: definitions without an import, boxes in scopes, and the
//! refinements that need more than a glance.

// A tool owns its arguments, whatever its body does with them.
#![allow(clippy::needless_pass_by_value)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tool_core::{Scope, ToolCall, ToolDefinition, ToolRuntime, tool, toolbox};

/// Says hello.
#[tool]
fn hello(name: String) -> String {
    format!("Hello, {name}!")
}

// `Tool` is not imported here.
#[test]
fn a_handle_has_its_definition() {
    let definition: ToolDefinition = hello {}.definition();
    let runtime = ToolRuntime::builder()
        .tool(definition.name("greet").timeout(Duration::from_secs(2)))
        .tools([hello {}])
        .build()
        .unwrap();
    let names: Vec<_> = runtime
        .schemas()
        .iter()
        .map(|schema| schema.name.clone())
        .collect();
    assert_eq!(names, ["greet", "hello"]);
}

struct Counter(char);

#[toolbox(prefix = "counter_")]
impl Counter {
    /// Repeats the letter.
    #[tool]
    fn letters(&self, count: usize) -> String {
        self.0.to_string().repeat(count)
    }

    #[guard(tool = CounterLetters)]
    fn few(&self, count: usize) -> Option<String> {
        (count > 3).then(|| format!("too many {}", self.0))
    }
}

async fn text(runtime: &ToolRuntime, call: ToolCall) -> String {
    runtime.execute(call).await.text()
}

#[tokio::test]
async fn a_toolbox_goes_into_a_scope_and_comes_out_again() {
    let runtime = ToolRuntime::builder().build().unwrap();
    let agent = runtime.scope("agent").unwrap();
    let registrations = agent.toolbox(Counter('a')).unwrap();
    runtime.toolbox(Counter('b')).unwrap();
    let letters = |count: u32| ToolCall::new("c", "counter_letters", json!({"count": count}));
    let scoped = |count: u32| letters(count).scope(&agent);

    assert_eq!(text(&runtime, scoped(2)).await, "aa");
    assert_eq!(text(&runtime, letters(2)).await, "bb");
    // The guard of the global box stands before that of the scope.
    assert_eq!(text(&runtime, scoped(4)).await, "Error: too many b");

    for registration in registrations {
        registration.dispose();
    }
    assert_eq!(text(&runtime, scoped(2)).await, "bb");
}

#[tokio::test]
async fn a_refused_toolbox_leaves_nothing_behind() {
    let runtime = ToolRuntime::builder()
        .tool(hello {}.definition().name("counter_letters"))
        .build()
        .unwrap();
    let error = runtime.toolbox(Counter('a')).unwrap_err().to_string();
    assert!(
        error.starts_with("tool `counter_letters` is registered twice: "),
        "{error}"
    );
    let call = ToolCall::new("c", "counter_letters", json!({"name": "Ada"}));
    assert_eq!(text(&runtime, call).await, "Hello, Ada!");
}

/// Has bounds of every kind.
#[tool]
#[allow(clippy::too_many_arguments)]
fn bounded(
    #[arg(range = 1..5)] below: u8,
    #[arg(range = ..10)] up_to: i32,
    #[arg(range = 0.0..1.0)] fraction: f64,
    #[arg(range = 1..)] from: u64,
    #[arg(length = 1..4)] short: String,
    #[arg(length = ..3)] few: Vec<u8>,
    #[arg(range = 0..3)] maybe: Option<u8>,
) -> String {
    format!("{below} {up_to} {fraction} {from} {short} {few:?} {maybe:?}")
}

#[test]
fn bounds_may_leave_their_end_out() {
    let runtime = ToolRuntime::builder().tool(bounded {}).build().unwrap();
    let schema = runtime.schemas()[0].parameters.clone();
    let keywords = |name: &str| -> Value {
        let property = schema["properties"][name].as_object().unwrap();
        property
            .iter()
            .filter(|(keyword, _)| *keyword != "type" && *keyword != "items")
            .map(|(keyword, operand)| (keyword.clone(), operand.clone()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    assert_eq!(keywords("below"), json!({"minimum": 1, "maximum": 4}));
    assert_eq!(
        keywords("up_to"),
        json!({"minimum": i32::MIN, "maximum": 9})
    );
    assert_eq!(
        keywords("fraction"),
        json!({"minimum": 0.0, "exclusiveMaximum": 1.0})
    );
    assert_eq!(keywords("from"), json!({"minimum": 1, "maximum": u64::MAX}));
    assert_eq!(keywords("short"), json!({"minLength": 1, "maxLength": 3}));
    assert_eq!(keywords("few"), json!({"maxItems": 2}));
    assert_eq!(keywords("maybe"), json!({"minimum": 0, "maximum": 2}));
}

const LIMIT: usize = 30;

/// Talks.
#[tool(max_content_bytes = LIMIT * 10)]
fn talk() -> String {
    "la ".repeat(1000)
}

#[tokio::test]
async fn a_tool_limits_its_content() {
    let runtime = ToolRuntime::builder().tool(talk {}).build().unwrap();
    let result = runtime.execute(ToolCall::new("c", "talk", "{}")).await;
    assert!(result.text().len() <= 300, "{}", result.text().len());
    assert_eq!(result.value(), Some(&json!("la ".repeat(1000))));
}

/// Takes what comes in any order.
#[tool]
fn ordered(first: String, second: Option<u32>, third: Vec<String>) -> String {
    format!("{first} {second:?} {third:?}")
}

#[tokio::test]
async fn arguments_come_in_any_order() {
    let runtime = ToolRuntime::builder().tool(ordered {}).build().unwrap();
    let ask =
        async |arguments: &str| text(&runtime, ToolCall::new("c", "ordered", arguments)).await;
    let expected = r#"a Some(2) ["b"]"#;
    assert_eq!(
        ask(r#"{"first":"a","second":2,"third":["b"]}"#).await,
        expected
    );
    assert_eq!(
        ask(r#"{"third":["b"],"second":2,"first":"a"}"#).await,
        expected
    );
    assert_eq!(
        ask(r#"{"third":["b"],"first":"a"}"#).await,
        r#"a None ["b"]"#
    );
}

/// Counts from a number that is another one at each registration.
#[tool]
fn count(
    #[arg(default = NEXT.fetch_add(1, Ordering::Relaxed))] from: u32,
    #[arg(examples = [3])] to: u32,
) -> Vec<u32> {
    (from..to).collect()
}

static NEXT: AtomicU32 = AtomicU32::new(7);

// What was prepared is shared by those who register the same, and by nobody else.
#[tokio::test]
async fn a_default_is_evaluated_once_at_each_registration() {
    let runtime = ToolRuntime::builder().build().unwrap();
    let first = runtime.scope("first").unwrap();
    let second = runtime.scope("second").unwrap();
    first.register(count {}).unwrap();
    second.register(count {}).unwrap();
    let default =
        |scope: &Scope| scope.schemas()[0].parameters["properties"]["from"]["default"].clone();
    assert_eq!([default(&first), default(&second)], [json!(7), json!(8)]);
    assert_eq!(NEXT.load(Ordering::Relaxed), 9);
    let call = |scope: &Scope| ToolCall::new("call_1", "count", r#"{"to":9}"#).scope(scope);
    let texts = [
        text(&runtime, call(&first)).await,
        text(&runtime, call(&second)).await,
    ];
    assert_eq!(texts, ["[7,8]", "[8]"]);
}

#[tokio::test]
async fn definitions_that_differ_share_nothing_but_their_schemas() {
    let runtime = ToolRuntime::builder().tool(hello {}).build().unwrap();
    let greet = hello {}.definition().name("greet").max_content_bytes(3);
    let scopes: Vec<Scope> = (0..3)
        .map(|number| runtime.scope(format!("scope_{number}")).unwrap())
        .collect();
    scopes[0].register(greet.clone()).unwrap();
    scopes[1].register(greet.clone()).unwrap();
    scopes[2].register(greet.description("Greets.")).unwrap();
    let shown = |scope: &Scope| {
        let schemas = scope.schemas();
        let [hello, greet] = &*schemas else {
            panic!("{schemas:?}")
        };
        assert!(Arc::ptr_eq(&hello.parameters, &greet.parameters));
        (greet.name.clone(), greet.description.clone())
    };
    let greet = |description: &str| ("greet".to_owned(), description.to_owned());
    let shown: Vec<_> = scopes.iter().map(shown).collect();
    assert_eq!(
        shown,
        [greet("Says hello."), greet("Says hello."), greet("Greets.")]
    );
    let called = ToolCall::new("call_1", "hello", r#"{"name":"Ada"}"#).scope(&scopes[0]);
    assert_eq!(text(&runtime, called).await, "Hello, Ada!");
}
