//! Tools whose schemas are written by hand.

#![allow(
    unreachable_pub,
    clippy::needless_pass_by_value,
    reason = "a module of a test crate that takes what `json!` makes"
)]

use serde_json::{Value, json};
use tool_code_mode::SdkTool;

pub struct Owned {
    pub name: String,
    pub description: String,
    pub parameters: Value,
    pub output: Value,
}

impl Owned {
    pub fn new(name: &str, parameters: Value, output: Value) -> Self {
        let description = format!("Does {name}. At length.");
        Self {
            name: name.to_owned(),
            description,
            parameters,
            output,
        }
    }

    pub fn shown(&self) -> SdkTool<'_> {
        SdkTool {
            name: &self.name,
            description: &self.description,
            parameters: &self.parameters,
            output: &self.output,
        }
    }
}

pub fn object(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// Three tools, with what schemas usually hold.
pub fn catalogue() -> Vec<Owned> {
    vec![
        Owned::new(
            "search",
            json!({
                "type": "object",
                "properties": {
                    "q": {"type": "string", "description": "What to look for.\nAll of it. */ evil()"},
                    "limit": {"type": ["integer", "null"], "minimum": 1, "maximum": 100, "default": 10},
                    "span": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}], "minItems": 2, "maxItems": 2},
                },
                "required": ["q"],
                "additionalProperties": false,
            }),
            json!({"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer", "minimum": 0, "maximum": u64::MAX}, "tags": {"type": "object", "additionalProperties": {"type": "string"}}}, "required": ["id", "tags"]}}),
        ),
        Owned::new("get user", object(json!({}), &[]), json!({"type": "null"})),
        Owned::new(
            "any",
            json!({"type": "object", "properties": {"v": {}}}),
            json!({}),
        ),
    ]
}
