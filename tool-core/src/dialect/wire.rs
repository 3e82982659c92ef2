//! From a schema to what goes over the wire, and back for the checker.

use serde_json::Value;

use super::report::Finding;
use super::{Dialect, Exportable, anthropic, gemini, mcp, openai};

/// One tool, ready to be written.
pub(super) struct Tool<'a> {
    pub(super) name: &'a str,
    pub(super) schema: &'a Value,
    pub(super) strict: bool,
    pub(super) source: Exportable<'a>,
}

impl<'a> Tool<'a> {
    /// The description, unless there is none.
    pub(super) fn description(&self) -> Option<&'a str> {
        Some(self.source.description).filter(|text| !text.is_empty())
    }
}

/// What the checker reads from an exported tool.
pub(super) struct Wire<'v> {
    pub(super) name: &'v str,
    pub(super) schema: Option<&'v Value>,
    pub(super) strict: bool,
}

pub(super) fn write(dialect: Dialect, tool: &Tool<'_>, findings: &mut Vec<Finding>) -> Value {
    match dialect {
        Dialect::OpenAi { .. } | Dialect::DeepSeek { .. } | Dialect::Ollama | Dialect::LlamaCpp => {
            openai::chat(tool)
        }
        Dialect::OpenAiResponses { .. } => openai::responses(tool),
        Dialect::Anthropic { .. } => anthropic::tool(tool),
        Dialect::Gemini => gemini::declaration(tool, gemini::OPENAPI),
        Dialect::GeminiJsonSchema => gemini::declaration(tool, gemini::JSON_SCHEMA),
        Dialect::Mcp => mcp::tool(tool, findings),
    }
}

pub(super) fn read(dialect: Dialect, tool: &Value) -> Result<Wire<'_>, String> {
    match dialect {
        Dialect::OpenAi { .. } | Dialect::DeepSeek { .. } | Dialect::Ollama | Dialect::LlamaCpp => {
            openai::read_chat(tool)
        }
        Dialect::OpenAiResponses { .. } => openai::read_responses(tool),
        Dialect::Anthropic { .. } => anthropic::read(tool),
        Dialect::Gemini => gemini::read(tool, gemini::OPENAPI),
        Dialect::GeminiJsonSchema => gemini::read(tool, gemini::JSON_SCHEMA),
        Dialect::Mcp => mcp::read(tool),
    }
}

/// A string member of an object.
pub(super) fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}
