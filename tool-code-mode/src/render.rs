//! What a model sees of a run that succeeded.

use serde_json::Value;

/// What a program printed and returned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Completion {
    pub(crate) logs: Vec<String>,
    pub(crate) result: Option<Value>,
}

/// What the model reads of a program that printed and returned nothing.
pub const NO_OUTPUT: &str = "(the program printed and returned nothing)";

/// A value that would start at this column is written on one line.
const DEEPEST: usize = 10;

impl Completion {
    /// What it printed, one entry per `console.log`.
    pub fn logs(&self) -> &[String] {
        &self.logs
    }

    /// What it returned; `None` if that is `undefined`.
    pub fn result(&self) -> Option<&Value> {
        self.result.as_ref()
    }

    pub(crate) fn into_parts(self) -> (Vec<String>, Option<Value>) {
        (self.logs, self.result)
    }

    /// The canonical value of the run: `{"logs": [...], "result": ...}`.
    pub fn into_value(self) -> Value {
        let mut value = serde_json::Map::new();
        value.insert("logs".to_owned(), self.logs.into());
        if let Some(result) = self.result {
            value.insert("result".to_owned(), result);
        }
        Value::Object(value)
    }

    /// The text for the model: what was printed, then the result, or [`NO_OUTPUT`].
    ///
    /// A string is written as it is, other JSON with two spaces a level; what would start at ten
    /// spaces is written on one line, so that indentation does not eat the budget.
    pub fn text(&self) -> String {
        let logs = self.logs.join("\n");
        let result = self.result.as_ref().map(rendered).unwrap_or_default();
        match (logs.is_empty(), result.is_empty()) {
            (true, true) => NO_OUTPUT.to_owned(),
            (false, true) => logs,
            (true, false) => result,
            (false, false) => format!("{logs}\n{result}"),
        }
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

/// Recursion ends at [`DEEPEST`]: below it `serde_json` writes, and values are at most 512 deep.
fn indented(value: &Value, column: usize, out: &mut String) {
    let inner = column + 2;
    match value {
        Value::Array(items) if !items.is_empty() => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                open_line(at, inner, out);
                child(item, inner, out);
            }
            close_line(']', column, out);
        }
        Value::Object(entries) if !entries.is_empty() => {
            out.push('{');
            for (at, (key, item)) in entries.iter().enumerate() {
                open_line(at, inner, out);
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push_str(": ");
                child(item, inner, out);
            }
            close_line('}', column, out);
        }
        value => out.push_str(&value.to_string()),
    }
}

fn child(value: &Value, column: usize, out: &mut String) {
    if column >= DEEPEST {
        out.push_str(&value.to_string());
    } else {
        indented(value, column, out);
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

    fn text(logs: &[&str], result: Option<Value>) -> String {
        Completion {
            logs: logs.iter().map(ToString::to_string).collect(),
            result,
        }
        .text()
    }

    #[test]
    fn logs_come_first_and_strings_are_raw() {
        assert_eq!(text(&["a", "b 2"], Some(json!("done"))), "a\nb 2\ndone");
        assert_eq!(text(&["only log"], None), "only log");
        assert_eq!(text(&[], Some(json!("say \"hi\"\n"))), "say \"hi\"\n");
        assert_eq!(text(&[], Some(Value::Null)), "null");
        assert_eq!(text(&[], Some(json!(false))), "false");
    }

    #[test]
    fn nothing_is_said_to_be_nothing() {
        assert_eq!(text(&[], None), NO_OUTPUT);
        assert_eq!(text(&[], Some(json!(""))), NO_OUTPUT);
        assert_eq!(text(&[""], Some(json!(""))), NO_OUTPUT);
    }

    #[test]
    fn json_is_indented_by_two() {
        assert_eq!(
            text(&[], Some(json!([1, {"k": "v"}, [], {}]))),
            "[\n  1,\n  {\n    \"k\": \"v\"\n  },\n  [],\n  {}\n]"
        );
    }

    #[test]
    fn what_would_start_at_ten_spaces_is_compact() {
        let deep = json!({"a": {"a": {"a": {"a": {"a": {"a": [1, 2]}}}}}});
        assert_eq!(
            text(&[], Some(deep)),
            "{\n  \"a\": {\n    \"a\": {\n      \"a\": {\n        \"a\": {\n          \"a\": \
             {\"a\":[1,2]}\n        }\n      }\n    }\n  }\n}"
        );
    }
}
