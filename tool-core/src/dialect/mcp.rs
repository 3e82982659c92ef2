//! The wire shape of the Model Context Protocol.

use serde_json::{Map, Value, json};

use super::report::{Action, Finding};
use super::schema::resolve;
use super::wire::{Tool, Wire, text};

/// `{"name": .., "inputSchema": {..}}` with the title, the hints and the output schema.
///
/// An output schema is sent if it has an object at its root: up to protocol 2025-11-25 another
/// one has to be wrapped, and then the structured content, too.
pub(super) fn tool(tool: &Tool<'_>, findings: &mut Vec<Finding>) -> Value {
    let mut written = json!({ "name": tool.name, "inputSchema": tool.schema });
    if let Some(description) = tool.description() {
        written["description"] = json!(description);
    }
    if let Some(title) = tool.source.title {
        written["title"] = json!(title);
    }
    if let Some(output) = tool.source.output {
        if is_object(output, output, 8) {
            let mut output = output.clone();
            output["type"] = json!("object");
            written["outputSchema"] = output;
        } else {
            findings.push(Finding {
                path: String::new(),
                what: "an output schema that is not an object".to_owned(),
                action: Action::Dropped,
            });
        }
    }
    let hints = tool.source.hints;
    let mut annotations = Map::new();
    for (name, hint) in [
        ("readOnlyHint", hints.read_only),
        ("destructiveHint", hints.destructive),
        ("idempotentHint", hints.idempotent),
        ("openWorldHint", hints.open_world),
    ] {
        if let Some(hint) = hint {
            annotations.insert(name.to_owned(), json!(hint));
        }
    }
    if !annotations.is_empty() {
        written["annotations"] = Value::Object(annotations);
    }
    written
}

/// Whether every value of `schema` is an object, as far as its types say.
fn is_object(root: &Value, schema: &Value, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    if let Some(one) = schema.get("type") {
        return one == "object";
    }
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        return resolve(root, target).is_some_and(|target| is_object(root, target, depth));
    }
    ["anyOf", "oneOf"].iter().any(|union| {
        let arms = schema.get(union).and_then(Value::as_array);
        arms.is_some_and(|arms| {
            !arms.is_empty() && arms.iter().all(|arm| is_object(root, arm, depth))
        })
    })
}

pub(super) fn read(tool: &Value) -> Result<Wire<'_>, String> {
    if let Some(output) = tool.get("outputSchema")
        && output.get("type") != Some(&json!("object"))
    {
        return Err("`outputSchema` has no object at its root".to_owned());
    }
    Ok(Wire {
        name: text(tool, "name").ok_or("`name` is missing")?,
        schema: Some(tool.get("inputSchema").ok_or("`inputSchema` is missing")?),
        strict: false,
    })
}
