//! Texts made of JSON: templates, compact JSON, contexts; and JSON compared by value.

use serde_json::{Map, Number, Value};
use tool_core::{AdditionalContext, ContentBlock};

use super::tool::Block;

/// A string as it is, anything else as compact JSON.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => by_value(other).to_string(),
    }
}

/// Fills in a template: `{/args/...}` and `{/value/...}` are JSON pointers; absent is nothing.
///
/// ```
/// use serde_json::json;
/// use tool_tests::conformance::text::filled;
///
/// let filled = filled("{/args/a}: {/value}{/value/b}", &json!({"a": [1]}), &json!("x"));
/// assert_eq!(filled, "[1]: x");
/// ```
pub fn filled(template: &str, arguments: &Value, value: &Value) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let found = after.split_once('}').and_then(|(pointer, after)| {
            let inside = |root: &str| {
                let path = pointer.strip_prefix(root)?;
                (path.is_empty() || path.starts_with('/')).then_some(path)
            };
            match (inside("/args"), inside("/value")) {
                (Some(path), _) => Some((arguments.pointer(path), after)),
                (_, Some(path)) => Some((value.pointer(path), after)),
                (None, None) => None,
            }
        });
        if let Some((value, after)) = found {
            text.push_str(&value.map(shown).unwrap_or_default());
            rest = after;
        } else {
            text.push('{');
            rest = after;
        }
    }
    text.push_str(rest);
    text
}

/// The same value with its numbers in one form: `2.0` is `2`.
pub fn by_value(value: &Value) -> Value {
    /// From here on, neighbouring integers are not told apart by a double any more.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) if number.is_f64() => {
            let float = number.as_f64().unwrap_or_default();
            if float.fract() == 0.0 && float.abs() < EXACT {
                #[expect(clippy::cast_possible_truncation, reason = "an integer below 2^53")]
                return Value::Number(Number::from(float as i64));
            }
            value.clone()
        }
        Value::Array(items) => items.iter().map(by_value).collect(),
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| (key.clone(), by_value(value)))
            .collect::<Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

/// Whether two JSON values are equal, numbers by value and objects regardless of key order.
pub fn same(left: &Value, right: &Value) -> bool {
    by_value(left) == by_value(right)
}

/// A context as scenarios write it: its texts joined by newlines, an image as `[image]`.
pub fn of_context(context: &AdditionalContext) -> String {
    let texts = context
        .content
        .iter()
        .map(|block| block.as_text().unwrap_or("[image]"));
    texts.collect::<Vec<_>>().join("\n")
}

/// Blocks of a scenario as blocks of content. The reference of an image stands for its bytes.
pub fn content(blocks: &[Block]) -> Vec<ContentBlock> {
    let content = |block: &Block| match block {
        Block::Text { text } => ContentBlock::text(text),
        Block::Image { r#ref } => ContentBlock::image(r#ref, "image/png"),
    };
    blocks.iter().map(content).collect()
}

/// The text without stack frames: lines of spaces, `at` and a place.
pub fn without_frames(text: &str) -> String {
    let is_frame = |line: &&str| line.starts_with(' ') && line.trim_start().starts_with("at ");
    text.lines()
        .filter(|line| !is_frame(line))
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn templates_leave_other_braces_alone() {
        let filled = filled(
            "{x} {/argsy} {/args/a/0} {",
            &json!({"a": [2.0]}),
            &json!(null),
        );
        assert_eq!(filled, "{x} {/argsy} 2 {");
    }

    #[test]
    fn absent_is_nothing_and_null_is_shown() {
        assert_eq!(
            filled("[{/value/a}{/args/b}]", &json!({}), &json!({"a": null})),
            "[null]"
        );
    }

    #[test]
    fn numbers_are_compared_by_value() {
        assert!(same(&json!({"a": [1, 2.5]}), &json!({"a": [1.0, 2.5]})));
        assert!(!same(&json!(1), &json!(1.5)));
        assert!(!same(&json!([1, 2]), &json!([2, 1])));
        assert!(same(&json!({"a": 1, "b": 2}), &json!({"b": 2, "a": 1})));
    }

    #[test]
    fn keys_are_shown_in_the_order_given() {
        let value: Value = serde_json::from_str(r#"{"b":1,"a":{"d":2.0,"c":[]}}"#).unwrap();
        assert_eq!(shown(&value), r#"{"b":1,"a":{"d":2,"c":[]}}"#);
    }

    #[test]
    fn stack_frames_are_dropped() {
        assert_eq!(
            without_frames("boom\n    at f (x:1)\nat last"),
            "boom\nat last"
        );
    }
}
