//! The files: tools in any of the shapes they are passed around in.

use std::io::Read as _;
use std::sync::Arc;

use serde_json::{Value, json};

/// A tool as it was read.
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) parameters: Arc<Value>,
    pub(crate) output: Option<Value>,
}

/// The text of a file, or of the standard input for `-`, without a byte order mark.
pub(crate) fn read(path: &str) -> Result<String, String> {
    let mut bytes = Vec::new();
    let read = match path {
        "-" => std::io::stdin().read_to_end(&mut bytes),
        path => std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)),
    };
    read.map_err(|error| format!("{path}: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("{path}: not UTF-8 from byte {at} on; save it as UTF-8")
    })?;
    Ok(text
        .strip_prefix('\u{feff}')
        .map_or(text.clone(), str::to_owned))
}

/// What a file should hold.
const SHAPES: &str = "expected a JSON array of `{name, description, parameters}`, \
                      an MCP `tools/list` result, or an OpenAI `tools` array";

/// The tools of a file, and what was passed over.
pub(crate) fn tools(text: &str) -> Result<(Vec<Listed>, Vec<String>), String> {
    if text.trim().is_empty() {
        return Err(format!("the file is empty; {SHAPES}"));
    }
    let root: Value =
        serde_json::from_str(text).map_err(|error| format!("cannot be read as JSON: {error}"))?;
    let (at, list) = [
        ("", Some(&root)),
        ("/result/tools", root.pointer("/result/tools")),
        ("/tools", root.get("tools")),
    ]
    .into_iter()
    .find_map(|(at, value)| Some((at, value?.as_array()?)))
    .ok_or_else(|| format!("found {}; {SHAPES}", kind(&root)))?;
    let mut tools = Vec::new();
    let mut passed_over = Vec::new();
    for (index, tool) in list.iter().enumerate() {
        match listed(tool) {
            Ok(tool) => tools.push(tool),
            Err(Unlisted::Other(kind)) => {
                passed_over.push(format!(
                    "{at}/{index}: `{kind}` is no function, and passed over"
                ));
            }
            Err(Unlisted::Bad(what)) => return Err(format!("{at}/{index}: {what}")),
        }
    }
    Ok((tools, passed_over))
}

/// Why an entry of the list is no tool.
enum Unlisted {
    /// It is a tool of the provider's own, of this type.
    Other(String),
    Bad(String),
}

fn listed(entry: &Value) -> Result<Listed, Unlisted> {
    // OpenAI's Chat Completions wrap the tool, its Responses do not.
    let tool = entry.get("function").unwrap_or(entry);
    let bad = |what: String| Unlisted::Bad(what);
    if !tool.is_object() {
        return Err(bad(format!("a tool is an object, found {}", kind(tool))));
    }
    if let Some(other) = entry.get("type").and_then(Value::as_str)
        && !matches!(other, "function" | "custom")
    {
        return Err(Unlisted::Other(other.to_owned()));
    }
    let text = |key: &str| match tool.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(bad(format!("`{key}` is a string, found {}", kind(other)))),
    };
    let given = |key: &str| tool.get(key).filter(|value| !value.is_null()).cloned();
    let name = text("name")?.ok_or_else(|| bad("a tool needs a `name`".to_owned()))?;
    let schema = ["parameters", "inputSchema", "input_schema"]
        .into_iter()
        .find_map(given);
    Ok(Listed {
        name,
        description: text("description")?.unwrap_or_default(),
        parameters: Arc::new(schema.unwrap_or_else(|| json!({"type": "object", "properties": {}}))),
        output: given("outputSchema"),
    })
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<(String, Value)> {
        let (tools, passed_over) = tools(text).unwrap();
        assert_eq!(passed_over, [""; 0]);
        tools
            .into_iter()
            .map(|tool| (tool.name, Value::clone(&tool.parameters)))
            .collect()
    }

    #[test]
    fn every_shape_is_read() {
        let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        let plain = json!({"name": "f", "description": "Does.", "parameters": schema});
        let expected = [("f".to_owned(), schema.clone())];
        let chat = json!([{"type": "function", "function": plain}]);
        let responses = json!([{"type": "function", "name": "f", "parameters": schema}]);
        let mcp = json!({"tools": [{"name": "f", "inputSchema": schema}]});
        let rpc = json!({"jsonrpc": "2.0", "id": 1, "result": mcp});
        let anthropic = json!([{"name": "f", "input_schema": schema}]);
        let request = json!({"model": "m", "tools": chat});
        for shape in [
            json!([plain]),
            chat,
            responses,
            mcp,
            rpc,
            anthropic,
            request,
        ] {
            assert_eq!(names(&shape.to_string()), expected, "{shape}");
        }
        let none = json!({"type": "object", "properties": {}});
        for bare in [
            json!([{"name": "f"}]),
            json!([{"name": "f", "inputSchema": null}]),
        ] {
            assert_eq!(names(&bare.to_string()), [("f".to_owned(), none.clone())]);
        }
        assert_eq!(names("[]"), []);
        let (tools, passed_over) = tools(r#"[{"type":"web_search"},{"name":"f"}]"#).unwrap();
        assert_eq!(tools.len(), 1);
        assert_eq!(
            passed_over,
            ["/0: `web_search` is no function, and passed over"]
        );
    }

    #[test]
    fn what_is_no_list_of_tools_says_so() {
        for (text, said) in [
            ("", format!("the file is empty; {SHAPES}")),
            (" \n", format!("the file is empty; {SHAPES}")),
            ("5", format!("found a number; {SHAPES}")),
            ("{}", format!("found an object; {SHAPES}")),
            (
                "[{]",
                "cannot be read as JSON: key must be a string at line 1 column 3".to_owned(),
            ),
            ("[5]", "/0: a tool is an object, found a number".to_owned()),
            (
                r#"[{"name":"f"},{}]"#,
                "/1: a tool needs a `name`".to_owned(),
            ),
            (
                r#"{"tools":[{"name":5}]}"#,
                "/tools/0: `name` is a string, found a number".to_owned(),
            ),
        ] {
            assert_eq!(tools(text).err(), Some(said), "{text}");
        }
    }
}
