//! Twenty wrong calls that models make, and what each model reads: enough to write the right call
//! without having seen the schema. `tests/wrong_calls.txt` holds them.
//!
//! With `BLESS=1` in the environment the file is written instead.

// The tools stand here for what they take.
#![allow(clippy::needless_pass_by_value, dead_code, unused_variables)]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::Deserialize;
use tool_core::{ToolCall, ToolRuntime, code, tool, tools};
use uuid::Uuid;

#[derive(Deserialize, JsonSchema)]
enum Unit {
    Celsius,
    Kelvin,
}

/// Tells the weather.
#[tool]
fn weather(city: String, unit: Option<Unit>, days: Option<u8>) {}

#[derive(Deserialize, JsonSchema)]
struct Item {
    sku: String,
    qty: u32,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "method", rename_all = "snake_case")]
enum Payment {
    Card { number: String, cvc: Option<String> },
    Invoice { vat: String },
    Cash,
}

/// Orders things.
#[tool]
fn order(items: Vec<Item>, payment: Payment, labels: Option<HashMap<String, String>>) {}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Target {
    Line(u32),
    Name(String),
    Lines(Vec<u32>),
}

#[derive(Deserialize, JsonSchema)]
enum Edit {
    Insert { at: u32, text: String },
    Delete(u32),
    Undo,
}

/// Edits a file.
#[tool]
fn edit(
    #[arg(length = 1..)] path: String,
    target: Target,
    edits: Vec<Edit>,
    #[arg(range = 1..=100, default = 10)] limit: u32,
) {
}

/// Books a room.
#[tool]
fn book(room: Uuid, day: NaiveDate, span: (u8, u8)) {}

/// What is wrong, the tool, the arguments.
const CALLS: [(&str, &str, &str); 20] = [
    ("no arguments", "weather", ""),
    ("a wrong name", "weather", r#"{"town":"Oslo"}"#),
    ("a misspelt name", "weather", r#"{"citty":"Oslo","days":3}"#),
    (
        "the wrong case",
        "weather",
        r#"{"city":"Oslo","unit":"celsius"}"#,
    ),
    (
        "a value of its own",
        "weather",
        r#"{"city":"Oslo","unit":"Fahrenheit"}"#,
    ),
    (
        "a number for a string, and too large a one",
        "weather",
        r#"{"city":7,"days":300}"#,
    ),
    (
        "words for a number",
        "weather",
        r#"{"city":"Oslo","days":"three"}"#,
    ),
    ("by position", "weather", r#"["Oslo","Celsius",3]"#),
    ("prose", "weather", "the weather in Oslo please"),
    (
        "cut off",
        "order",
        r#"{"items":[{"sku":"a","qty":1},{"sku":"b"#,
    ),
    ("single quotes", "weather", "{'city': 'Oslo'}"),
    ("a trailing comma", "weather", r#"{"city":"Oslo",}"#),
    (
        "a key twice",
        "weather",
        r#"{"city":"Oslo","city":"Bergen"}"#,
    ),
    (
        "several mistakes deep inside",
        "order",
        r#"{"items":[{"sku":"a"},{"sku":"b","qty":-1},{"sku":3,"qty":1,"colour":"red"}],"payment":{"method":"card"},"labels":{"a":1}}"#,
    ),
    (
        "a variant that is not there",
        "order",
        r#"{"items":[],"payment":{"method":"paypal","account":"x"}}"#,
    ),
    (
        "a variant without its tag",
        "order",
        r#"{"items":[],"payment":"cash"}"#,
    ),
    (
        "a union, and an enum written as another kind",
        "edit",
        r#"{"path":"","target":true,"edits":[{"insert":{"at":1,"text":"x"}},{"Delete":"all"},{"Insert":{"at":1}},"Redo"],"limit":0}"#,
    ),
    (
        "formats and a tuple",
        "book",
        r#"{"room":"12b","day":"31.01.2024","span":[9,17,30]}"#,
    ),
    (
        "two calls in one",
        "weather",
        "{\"city\":\"Oslo\"}\n{\"city\":\"Bergen\"}",
    ),
    ("no such tool", "wether", r#"{"city":"Oslo"}"#),
];

#[tokio::test]
async fn wrong_calls_are_told_what_would_be_right() {
    let runtime = ToolRuntime::builder()
        .tools(tools![weather, order, edit, book])
        .build()
        .unwrap();
    let mut text = String::new();
    for (what, name, arguments) in CALLS {
        let result = runtime
            .execute(ToolCall::new("call_1", name, arguments))
            .await;
        let error = result.error().expect(what);
        assert!(
            [code::INVALID_ARGS, code::UNKNOWN_TOOL].contains(&error.code()),
            "{error}"
        );
        let arguments = arguments.replace('\n', "\n  ");
        let said = result.text().replace('\n', "\n  ");
        let _ = write!(text, "# {what}\n{name}:\n  {arguments}\n=>\n  {said}\n\n");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("wrong_calls.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let written = std::fs::read_to_string(&path).unwrap();
    for (written, real) in written.lines().zip(text.lines()) {
        assert_eq!(written, real, "BLESS=1 writes wrong_calls.txt anew");
    }
    assert_eq!(written, text, "BLESS=1 writes wrong_calls.txt anew");
}
