//! What comes of values: bytes, images, strings, numbers that JSON cannot carry.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use tool_core::{
    ContentBlock, PostDecision, ToolCall, ToolDefinition, ToolExecution, ToolOutput, ToolResult,
    ToolRuntime, tool,
};

use crate::support::{call, code, data, failure, run, success, tool as dynamic};

/// Gives bytes.
#[tool]
fn bytes() -> Vec<u8> {
    vec![0xff, 0xfe, b'a', 0x00]
}

/// Gives text with a NUL in it.
#[tool]
fn nul() -> String {
    "a\0b".into()
}

/// Gives text that is not UTF-8, made readable.
#[tool]
fn lossy() -> String {
    String::from_utf8_lossy(&[0xff, 0xfe, b'a']).into_owned()
}

/// Something that cannot be written as JSON text.
struct NotText;

impl Serialize for NotText {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom(
            "path contains invalid UTF-8 characters",
        ))
    }
}

impl JsonSchema for NotText {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "NotText".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}

/// Gives a path that is not UTF-8.
#[tool]
fn path() -> NotText {
    NotText
}

#[test]
fn c95_non_utf_8_output() {
    let runtime = ToolRuntime::builder()
        .tool(bytes {})
        .tool(nul {})
        .tool(lossy {})
        .tool(path {})
        .build()
        .unwrap();
    let result = |name: &str| data(&run(runtime.execute(call("call_1", name))));
    assert_eq!(result("bytes"), success("call_1", json!([255, 254, 97, 0])));
    assert_eq!(result("nul"), success("call_1", json!("a\0b")));
    assert!(result("nul").to_string().contains(r"a\u0000b"));
    assert_eq!(
        result("lossy"),
        success("call_1", json!("\u{fffd}\u{fffd}a"))
    );
    let message = "tool \"path\" returned invalid output: path contains invalid UTF-8 characters";
    assert_eq!(
        result("path"),
        failure("call_1", "INVALID_TOOL_OUTPUT", message)
    );
}

/// Takes a picture.
#[tool]
fn picture() -> ToolOutput<Value> {
    let pixels = "iVBORw0KGgo".repeat(30_000);
    ToolOutput::new(
        json!({"caption": "a cat"}),
        vec![
            ContentBlock::text("a cat"),
            ContentBlock::image(pixels, "image/png"),
        ],
    )
}

#[test]
fn c96_image_result() {
    let runtime = ToolRuntime::builder().tool(picture {}).build().unwrap();
    let result = run(runtime.execute(call("call_1", "picture")));
    assert_eq!(result.value(), Some(&json!({"caption": "a cat"})));
    let [
        ContentBlock::Text { text, .. },
        ContentBlock::Image {
            data, mime_type, ..
        },
    ] = result.content()
    else {
        panic!("{:?}", result.content());
    };
    assert_eq!((text.as_str(), mime_type.as_str()), ("a cat", "image/png"));
    assert_eq!(data.len(), 330_000);
    // Where an image cannot be shown, a short placeholder is.
    assert_eq!(result.text(), "a cat\n[image content]");
}

/// Gives a plain string.
#[tool]
fn plain() -> String {
    "a\n\"b\"".into()
}

/// Gives JSON text.
#[tool]
fn json_text() -> String {
    r#"{"a":1}"#.into()
}

/// Gives a literal.
#[tool]
fn literal() -> &'static str {
    "a \"literal\""
}

/// Gives a string, or not.
#[tool]
#[allow(
    clippy::unnecessary_wraps,
    reason = "what such a value looks like is the case"
)]
fn fallible() -> Result<String, String> {
    Ok("a \"result\"".into())
}

/// A type whose JSON is a string.
#[derive(Serialize, JsonSchema)]
enum Word {
    #[serde(rename = "a \"word\"")]
    Word,
}

/// Gives a word.
#[tool]
fn word() -> Word {
    Word::Word
}

#[test]
fn c98_plain_strings_are_not_json_quoted() {
    let runtime = ToolRuntime::builder()
        .tool(plain {})
        .tool(json_text {})
        .tool(literal {})
        .tool(fallible {})
        .tool(word {})
        .build()
        .unwrap();
    let table = [
        ("plain", "a\n\"b\""),
        ("json_text", r#"{"a":1}"#),
        ("literal", "a \"literal\""),
        ("fallible", "a \"result\""),
        ("word", "a \"word\""),
    ];
    for (name, text) in table {
        let result = run(runtime.execute(call("call_1", name)));
        assert_eq!(data(&result), success("call_1", json!(text)), "{name}");
        assert_eq!(result.text(), text);
    }
}

fn number_tool(name: &'static str, value: Value) -> ToolDefinition {
    let output = json!({
        "type": "object",
        "properties": {"n": {"type": "integer"}},
        "required": ["n"],
    });
    ToolDefinition::dynamic(name, "Gives a number.", None, output).handler(move |_, _| {
        let value = value.clone();
        async move { value }
    })
}

#[test]
fn c100_output_does_not_match_its_schema() {
    let runtime = ToolRuntime::builder()
        .tool(number_tool("imported", json!({"n": "one"})))
        .tool(number_tool("hooked", json!({"n": 1})))
        .post_execute(|call: &ToolExecution, _: &ToolResult| match call.name() {
            "hooked" => PostDecision::value(json!({"n": "one"})),
            _ => PostDecision::accept(),
        })
        .build()
        .unwrap();
    for name in ["imported", "hooked"] {
        let result = run(runtime.execute(call("call_1", name)));
        assert_eq!(code(&result), "INVALID_TOOL_OUTPUT");
        assert_eq!(result.value(), None);
        let text = result.text();
        for part in [name, "/n", "integer", "\"one\""] {
            assert!(text.contains(part), "{part:?} in {text:?}");
        }
    }
}

/// Many rows.
#[tool]
fn rows() -> BTreeMap<String, Vec<u32>> {
    (0..100)
        .map(|row| (format!("row {row}"), vec![row; 20]))
        .collect()
}

#[test]
fn c101_structured_data_is_shown_once_and_compact() {
    let runtime = ToolRuntime::builder().tool(rows {}).build().unwrap();
    let result = run(runtime.execute(call("call_1", "rows")));
    assert_eq!(result.content().len(), 1);
    let value = result.value().unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&result.text()).unwrap(),
        *value
    );
    assert_eq!(
        result.text().len(),
        value.to_string().len(),
        "no indentation"
    );
}

/// The mean; of nothing, it is no number.
#[tool]
#[allow(
    clippy::cast_precision_loss,
    clippy::needless_pass_by_value,
    reason = "of a few numbers"
)]
fn mean(v: Vec<f64>) -> f64 {
    v.iter().sum::<f64>() / v.len() as f64
}

/// A row of a table.
#[derive(Serialize, JsonSchema)]
struct Row {
    x: f64,
}

/// Gives a table.
#[tool]
fn table() -> Vec<Row> {
    vec![Row { x: 1.0 }, Row { x: f64::INFINITY }]
}

#[test]
fn c102_nan_and_infinity_in_a_result() {
    let runtime = ToolRuntime::builder()
        .tool(mean {})
        .tool(table {})
        .build()
        .unwrap();
    let fine = run(runtime.execute(ToolCall::new("call_1", "mean", r#"{"v":[1.0,2.0]}"#)));
    assert_eq!(data(&fine), success("call_1", json!(1.5)));
    let nan = run(runtime.execute(ToolCall::new("call_1", "mean", r#"{"v":[]}"#)));
    assert_eq!(code(&nan), "INVALID_TOOL_OUTPUT");
    assert!(nan.text().contains("NaN"), "{}", nan.text());
    let infinite = run(runtime.execute(call("call_1", "table")));
    assert_eq!(code(&infinite), "INVALID_TOOL_OUTPUT");
    assert!(infinite.text().contains("/1/x"), "{}", infinite.text());
    // A wrapper or a hook cannot make one either: `serde_json` has no such number.
    let hooked = dynamic("hooked", |_, _| async { json!(f64::NAN) });
    let runtime = ToolRuntime::builder().tool(hooked).build().unwrap();
    assert_eq!(
        run(runtime.execute(call("call_1", "hooked"))).value(),
        Some(&Value::Null)
    );
}
