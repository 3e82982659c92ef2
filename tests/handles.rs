//! Handles and toolboxes where they are used: definitions without an import, boxes in scopes, and the
//! refinements that need more than a glance.

// A tool owns its arguments, whatever its body does with them.
#![allow(clippy::needless_pass_by_value)]

use std::time::Duration;

use serde_json::{Value, json};
use tool_core::{ToolCall, ToolDefinition, ToolRuntime, tool, toolbox};

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
