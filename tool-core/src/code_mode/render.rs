//! What a model reads of a run that succeeded.

use serde_json::Value;

/// What it reads of a program that printed and returned nothing.
const NO_OUTPUT: &str = "(the program printed and returned nothing)";

/// A value that would start at this column is written on one line: indentation grows with depth,
/// and with it the text, faster than what it says.
const DEEPEST: usize = 10;

/// The text of a run's value, `{"logs": [...], "result": ...}`: what was printed, then the result.
///
/// A string is written as it is, other JSON with two spaces a level.
pub(super) fn text(value: &Value) -> String {
    let logs = value["logs"].as_array().map_or(&[][..], Vec::as_slice);
    let logs: Vec<_> = logs.iter().filter_map(Value::as_str).collect();
    written(&logs.join("\n"), value.get("result"))
}

/// The same of its parts.
pub(super) fn written(logs: &str, result: Option<&Value>) -> String {
    let result = result.map(rendered).unwrap_or_default();
    match (logs.is_empty(), result.is_empty()) {
        (true, true) => NO_OUTPUT.to_owned(),
        (false, true) => logs.to_owned(),
        (true, false) => result,
        (false, false) => format!("{logs}\n{result}"),
    }
}

fn rendered(value: &Value) -> String {
    if let Value::String(text) = value {
        return text.clone();
    }
    let mut out = String::new();
    indented(value, 0, &mut out);
    out
}

/// Recursion ends at [`DEEPEST`]; below it `serde_json` writes.
fn indented(value: &Value, column: usize, out: &mut String) {
    if column >= DEEPEST {
        out.push_str(&value.to_string());
        return;
    }
    let inner = column + 2;
    match value {
        Value::Array(items) if !items.is_empty() => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                open_line(at, inner, out);
                indented(item, inner, out);
            }
            close_line(']', column, out);
        }
        Value::Object(entries) if !entries.is_empty() => {
            out.push('{');
            for (at, (key, item)) in entries.iter().enumerate() {
                open_line(at, inner, out);
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push_str(": ");
                indented(item, inner, out);
            }
            close_line('}', column, out);
        }
        value => out.push_str(&value.to_string()),
    }
}

fn open_line(at: usize, column: usize, out: &mut String) {
    if at > 0 {
        out.push(',');
    }
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', column));
}

fn close_line(bracket: char, column: usize, out: &mut String) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', column));
    out.push(bracket);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn logs_come_first_and_strings_are_raw() {
        let done = json!({"logs": ["a", "b 2"], "result": "done"});
        assert_eq!(text(&done), "a\nb 2\ndone");
        assert_eq!(text(&json!({"logs": ["only log"]})), "only log");
        assert_eq!(
            text(&json!({"logs": [], "result": "say \"hi\"\n"})),
            "say \"hi\"\n"
        );
        assert_eq!(text(&json!({"logs": [], "result": null})), "null");
        assert_eq!(text(&json!({"logs": [], "result": false})), "false");
    }

    #[test]
    fn nothing_is_said_to_be_nothing() {
        assert_eq!(text(&json!({"logs": []})), NO_OUTPUT);
        assert_eq!(text(&json!({"logs": [], "result": ""})), NO_OUTPUT);
        assert_eq!(text(&json!({"logs": [""], "result": ""})), NO_OUTPUT);
    }

    #[test]
    fn json_is_indented_by_two() {
        assert_eq!(
            text(&json!({"logs": [], "result": [1, {"k": "v"}, [], {}]})),
            "[\n  1,\n  {\n    \"k\": \"v\"\n  },\n  [],\n  {}\n]"
        );
    }

    #[test]
    fn what_would_start_at_ten_spaces_is_compact() {
        let deep = json!({"a": {"a": {"a": {"a": {"a": {"a": [1, 2]}}}}}});
        assert_eq!(
            text(&json!({"logs": [], "result": deep})),
            "{\n  \"a\": {\n    \"a\": {\n      \"a\": {\n        \"a\": {\n          \"a\": \
             {\"a\":[1,2]}\n        }\n      }\n    }\n  }\n}"
        );
    }
}
