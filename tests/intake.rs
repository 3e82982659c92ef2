//! What arrives as arguments, good and bad: the outcome for the model, and whether the body ran.

#![expect(
    clippy::needless_pass_by_value,
    reason = "the arguments of a tool are owned"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use tool_core::{RawArguments, Repair, State, ToolCall, ToolResult, ToolRuntime, tool};

#[derive(Default)]
struct Runs(AtomicUsize);

impl Runs {
    fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// Takes nothing.
#[tool]
fn nothing(runs: &State<Arc<Runs>>) -> &'static str {
    runs.0.fetch_add(1, Ordering::SeqCst);
    "ran"
}

/// Takes one text, and perhaps a limit.
#[tool]
fn search(runs: &State<Arc<Runs>>, q: String, limit: Option<u8>) -> String {
    runs.0.fetch_add(1, Ordering::SeqCst);
    format!("{q} {limit:?}")
}

/// Takes anything.
#[tool]
fn anything(runs: &State<Arc<Runs>>, v: Value) -> Value {
    runs.0.fetch_add(1, Ordering::SeqCst);
    v
}

/// Takes a number with a default.
#[tool]
fn page(runs: &State<Arc<Runs>>, #[arg(default = 20)] size: u32, ratio: Option<f64>) -> String {
    runs.0.fetch_add(1, Ordering::SeqCst);
    format!("{size} {ratio:?}")
}

fn runtime(repair: Repair) -> (ToolRuntime, Arc<Runs>) {
    let runs = Arc::new(Runs::default());
    let runtime = ToolRuntime::builder()
        .state(runs.clone())
        .tool(nothing {})
        .tool(search {})
        .tool(anything {})
        .tool(page {})
        .repair(repair)
        .build()
        .unwrap();
    (runtime, runs)
}

/// Makes one call; says what the model reads, and whether the body ran.
async fn call(name: &str, arguments: impl Into<RawArguments>) -> (String, bool) {
    call_with(Repair::On, name, arguments).await
}

async fn call_with(
    repair: Repair,
    name: &str,
    arguments: impl Into<RawArguments>,
) -> (String, bool) {
    let (runtime, runs) = runtime(repair);
    let result = runtime
        .execute(ToolCall::new("call_1", name, arguments))
        .await;
    assert_eq!(result.call_id(), "call_1");
    let ran = runs.count();
    assert!(ran <= 1);
    assert_eq!(result.is_error(), ran == 0, "{result:?}");
    if let Some(error) = result.error() {
        assert_eq!(error.code(), "INVALID_ARGS");
    }
    (result.text(), ran == 1)
}

fn refused(text: &str) -> (String, bool) {
    (format!("Error: invalid arguments: {text}"), false)
}

fn ran(text: &str) -> (String, bool) {
    (text.to_owned(), true)
}

const SEARCH: &str = r#"tool "search" takes {"q": string, "limit"?: integer | null}"#;

#[tokio::test]
async fn no_arguments_are_an_empty_object() {
    for text in ["", "  \n", "null", " null ", "{}"] {
        assert_eq!(call("nothing", text).await, ran("ran"), "{text:?}");
        let missing = format!("/q: missing (expected a string)\n{SEARCH}");
        assert_eq!(call("search", text).await, refused(&missing), "{text:?}");
    }
    assert_eq!(call("nothing", Value::Null).await, ran("ran"));
    assert_eq!(call("nothing", json!({})).await, ran("ran"));
}

#[tokio::test]
async fn text_that_is_no_json_is_refused() {
    let (text, ran) = call("search", "please search for rust").await;
    assert!(!ran);
    assert!(text.starts_with("Error: invalid arguments: "), "{text}");
    assert!(text.contains("line 1 column 1"), "{text}");
    assert!(text.ends_with(SEARCH), "{text}");
}

#[tokio::test]
async fn a_root_that_is_no_object_is_refused() {
    for (text, kind) in [
        ("[]", "an array"),
        (r#"["a",2]"#, "an array"),
        ("5", "a number"),
        ("true", "a boolean"),
        (r#""just text""#, "a string"),
    ] {
        let expected = refused(&format!("expected an object, got {kind}\n{SEARCH}"));
        assert_eq!(call("search", text).await, expected, "{text}");
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(call("search", value).await, expected, "{text}");
    }
}

#[tokio::test]
async fn one_layer_of_string_around_the_arguments_is_taken_off() {
    let once = json!(r#"{"q":"x"}"#);
    assert_eq!(call("search", once.to_string()).await, ran("x None"));
    assert_eq!(call("search", once.clone()).await, ran("x None"));
    let twice = json!(once.to_string());
    let expected = refused(&format!("expected an object, got a string\n{SEARCH}"));
    assert_eq!(call("search", twice.to_string()).await, expected);
    assert_eq!(
        call_with(Repair::Off, "search", once.to_string()).await,
        expected
    );
}

#[tokio::test]
async fn a_duplicate_key_is_refused_at_any_depth() {
    for (name, text, path) in [
        ("search", r#"{"q":"a","q":"b"}"#, "/q"),
        ("anything", r#"{"v":{"a":[{"k":1,"k":2}]}}"#, "/v/a/0/k"),
    ] {
        let (text, ran) = call(name, text).await;
        assert!(!ran);
        assert!(
            text.starts_with(&format!("Error: invalid arguments: {path}: ")),
            "{text}"
        );
    }
}

#[tokio::test]
async fn nesting_has_an_end() {
    let nested =
        |levels: usize| format!(r#"{{"v":{}1{}}}"#, "[".repeat(levels), "]".repeat(levels));
    assert!(call("anything", nested(126)).await.1);
    for levels in [128, 200, 100_000] {
        let (text, ran) = call("anything", nested(levels)).await;
        assert!(!ran);
        assert!(text.contains("nested more than 128 levels deep"), "{text}");
        assert!(text.len() < 1_000);
    }
    let unclosed = "[".repeat(100_000);
    assert!(!call("anything", unclosed).await.1);
    let mut deep = Value::Null;
    for _ in 0..200 {
        deep = Value::Array(vec![deep]);
    }
    assert!(!call("anything", json!({ "v": deep })).await.1);
}

#[tokio::test]
async fn a_huge_payload_is_refused_before_it_is_read() {
    let text = format!(r#"{{"q":"{}"}}"#, "x".repeat(10 << 20));
    let bytes = text.len();
    let expected = refused(&format!(
        "{bytes} bytes are more than the limit of 1048576 bytes\n{SEARCH}"
    ));
    assert_eq!(call("search", text).await, expected);
}

#[tokio::test]
async fn all_violations_are_named_at_once() {
    let (text, ran) = call("search", r#"{"limit":300,"query":"x"}"#).await;
    assert!(!ran);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    for path in ["/q: ", "/limit: ", "/query: "] {
        assert!(text.contains(path), "{path} in {text}");
    }
    assert_eq!(lines[3], SEARCH);
}

#[tokio::test]
async fn certain_mistakes_are_mended_and_named() {
    let (runtime, _) = runtime(Repair::On);
    let call = ToolCall::new("call_1", "search", r#"{"q":"x","limit":"5"}"#).trail(true);
    let result = runtime.execute(call).await;
    assert_eq!(result.text(), "x Some(5)");
    let intake = &result.trail().unwrap().entries()[0];
    assert_eq!(intake.said, Some(tool_core::Said::Repaired));
    assert_eq!(
        intake.reason.as_deref(),
        Some(r#"/limit: read the string "5" as 5"#)
    );
    let (text, ran) = call_with(Repair::Off, "search", r#"{"q":"x","limit":"5"}"#).await;
    assert!(!ran, "{text}");
}

#[tokio::test]
async fn strings_stay_what_they_are() {
    for text in ["00123", "[1,2]", "5", "true", "null", " x "] {
        let arguments = json!({ "q": text });
        assert_eq!(
            call("search", arguments).await,
            ran(&format!("{text} None"))
        );
        assert_eq!(call("anything", json!({ "v": text })).await, ran(text));
    }
}

#[tokio::test]
async fn defaults_stand_in_for_absent_and_null() {
    for (text, expected) in [
        ("", "20 None"),
        ("{}", "20 None"),
        (r#"{"size":null}"#, "20 None"),
        (r#"{"size":7,"ratio":0.5}"#, "7 Some(0.5)"),
        (r#"{"ratio":null}"#, "20 None"),
    ] {
        assert_eq!(call("page", text).await, ran(expected), "{text}");
    }
}

#[tokio::test]
async fn numbers_keep_every_digit_or_are_refused() {
    assert!(!call("page", r#"{"ratio":18446744073709551616}"#).await.1);
    assert!(!call("page", r#"{"ratio":1e400}"#).await.1);
    assert!(!call("page", r#"{"ratio":NaN}"#).await.1);
    assert_eq!(call("page", r#"{"size":1e1}"#).await, ran("10 None"));
    assert!(!call("page", r#"{"size":10.5}"#).await.1);
    assert!(!call("page", r#"{"size":-1.0}"#).await.1);
    let max = u64::MAX.to_string();
    assert_eq!(
        call("anything", format!(r#"{{"v":{max}}}"#)).await,
        ran(&max)
    );
}

/// Counts how often it is read.
#[derive(JsonSchema)]
struct Counted(u32);

static READ: AtomicUsize = AtomicUsize::new(0);

impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        READ.fetch_add(1, Ordering::Relaxed);
        u32::deserialize(deserializer).map(Counted)
    }
}

/// Takes a number.
#[tool(concurrency_safe)]
fn count(n: Counted) -> u32 {
    n.0
}

/// A batch looks at the arguments to see whether a call may overlap others. It does not look twice.
#[tokio::test]
async fn arguments_of_a_batch_are_read_once() {
    let runtime = ToolRuntime::builder().tool(count {}).build().unwrap();
    // Registering tries what an absent argument is.
    let before = READ.load(Ordering::Relaxed);
    let calls = (0..10).map(|n| ToolCall::new(format!("{n}"), "count", format!(r#"{{"n":{n}}}"#)));
    let results = runtime.batch(calls).run().await;
    let texts: Vec<_> = results.iter().map(ToolResult::text).collect();
    assert_eq!(texts, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    assert_eq!(READ.load(Ordering::Relaxed) - before, 10);
}
