//! From canonical JSON Schemas to what each provider accepts, with a report of what was lost.
//!
//! Providers take different subsets of JSON Schema, and one tool that breaks the rules makes
//! them refuse the whole request. [`export`] rewrites each tool for one [`Dialect`], says in a
//! [`LossReport`] what that dialect could not express, and leaves a tool out rather than send
//! one that would be refused. What an export loses, the runtime still enforces when the tool is
//! called. [`NameMap`] leads from what a model sends back to the tool's own names.
//!
//! ```
//! use std::sync::Arc;
//! use serde_json::json;
//! use tool_core::dialect::{Dialect, Exportable, export};
//!
//! let parameters = Arc::new(json!({
//!     "type": "object",
//!     "properties": {
//!         "limit": { "type": ["integer", "null"], "minimum": 0 },
//!         "q": { "type": "string", "minLength": 1 },
//!     },
//!     "required": ["q"],
//!     "additionalProperties": false,
//! }));
//! let find = Exportable::new("find", "Finds documents.", &parameters);
//!
//! let export = export([find], Dialect::OpenAi { strict: true });
//! assert_eq!(
//!     export.tools,
//!     [json!({
//!         "type": "function",
//!         "function": {
//!             "name": "find",
//!             "description": "Finds documents.",
//!             "strict": true,
//!             "parameters": {
//!                 "type": "object",
//!                 "properties": {
//!                     "limit": { "type": ["integer", "null"], "minimum": 0 },
//!                     "q": { "type": "string", "description": "at least 1 character" },
//!                 },
//!                 "required": ["limit", "q"],
//!                 "additionalProperties": false,
//!             },
//!         },
//!     })],
//! );
//! assert_eq!(
//!     export.report.to_string(),
//!     "`find` at `/properties/q`: moved to the description: `minLength`: 1",
//! );
//! ```

mod anthropic;
mod array;
mod check;
mod checker;
mod describe;
mod export;
mod flatten;
mod free;
mod gemini;
mod graph;
mod keyword;
mod mcp;
mod measure;
mod merge;
mod names;
mod null;
mod object;
mod openai;
mod plan;
mod portable;
mod report;
mod restore;
mod root;
mod rule;
#[rustfmt::skip] // a table has rows
mod rules;
mod schema;
mod shape;
mod typed;
mod union;
mod wire;
mod work;

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

pub use check::{check, check_request};
pub use export::{Export, Exportable, export};
pub use names::NameMap;
pub use portable::{Portable, unportable};
pub use report::{Action, Loss, LossReport};

use rule::Rules;

/// A provider's way to be told about tools.
///
/// Dialects have names, for configuration files and command lines:
///
/// ```
/// use tool_core::dialect::Dialect;
///
/// let dialect: Dialect = "openai-strict".parse()?;
/// assert_eq!(dialect, Dialect::OpenAi { strict: true });
/// assert_eq!(Dialect::GeminiJsonSchema.to_string(), "gemini-json-schema");
/// # Ok::<(), tool_core::dialect::UnknownDialect>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Dialect {
    /// OpenAI Chat Completions: at most 128 tools. `openai`, `openai-strict`.
    OpenAi {
        /// Whether tools that can be are sent with `strict: true`.
        strict: bool,
    },
    /// OpenAI Responses: the rules of Chat Completions, another wire shape. `openai-responses`,
    /// `openai-responses-strict`.
    OpenAiResponses {
        /// Whether tools that can be are sent with `strict: true`.
        strict: bool,
    },
    /// Anthropic Messages. `anthropic`, `anthropic-strict`.
    Anthropic {
        /// Whether tools are sent with `strict: true`, as far as the limits of a request reach:
        /// 20 strict tools with 24 optional properties and 16 unions in all.
        strict: bool,
    },
    /// Gemini function declarations with `parameters`, the OpenAPI subset. A tool with a
    /// recursive type is left out. `gemini`.
    Gemini,
    /// Gemini function declarations with `parametersJsonSchema`. `gemini-json-schema`.
    GeminiJsonSchema,
    /// DeepSeek Chat Completions: at most 128 tools. `deepseek`, `deepseek-strict`.
    DeepSeek {
        /// Whether tools are sent with `strict: true`, which the `/beta` endpoint takes if all
        /// tools of the request can be strict. If one cannot, none is.
        strict: bool,
    },
    /// Ollama's own API, which prints the schema into the prompt. A recursive type is cut where
    /// it comes again. `ollama`.
    Ollama,
    /// llama.cpp, which compiles the schema into a grammar. A recursive type is cut where it
    /// comes again. `llama-cpp`.
    LlamaCpp,
    /// The Model Context Protocol, which takes any JSON Schema with an object at the root. `mcp`.
    Mcp,
}

impl Dialect {
    /// Every dialect, with and without `strict` where there is a choice.
    pub const ALL: [Self; 13] = [
        Self::OpenAi { strict: false },
        Self::OpenAi { strict: true },
        Self::OpenAiResponses { strict: false },
        Self::OpenAiResponses { strict: true },
        Self::Anthropic { strict: false },
        Self::Anthropic { strict: true },
        Self::Gemini,
        Self::GeminiJsonSchema,
        Self::DeepSeek { strict: false },
        Self::DeepSeek { strict: true },
        Self::Ollama,
        Self::LlamaCpp,
        Self::Mcp,
    ];

    /// The dialect's name, as [`FromStr`] reads it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAi { strict: false } => "openai",
            Self::OpenAi { strict: true } => "openai-strict",
            Self::OpenAiResponses { strict: false } => "openai-responses",
            Self::OpenAiResponses { strict: true } => "openai-responses-strict",
            Self::Anthropic { strict: false } => "anthropic",
            Self::Anthropic { strict: true } => "anthropic-strict",
            Self::Gemini => "gemini",
            Self::GeminiJsonSchema => "gemini-json-schema",
            Self::DeepSeek { strict: false } => "deepseek",
            Self::DeepSeek { strict: true } => "deepseek-strict",
            Self::Ollama => "ollama",
            Self::LlamaCpp => "llama-cpp",
            Self::Mcp => "mcp",
        }
    }

    /// The rules for a tool that goes out without `strict`.
    fn rules(self) -> &'static Rules {
        match self {
            Self::OpenAi { .. } | Self::OpenAiResponses { .. } => &rules::OPENAI,
            Self::Anthropic { .. } => &rules::ANTHROPIC,
            Self::Gemini => &rules::GEMINI,
            Self::GeminiJsonSchema => &rules::GEMINI_JSON_SCHEMA,
            Self::DeepSeek { .. } => &rules::DEEPSEEK,
            Self::Ollama => &rules::OLLAMA,
            Self::LlamaCpp => &rules::LLAMA_CPP,
            Self::Mcp => &rules::MCP,
        }
    }

    /// The rules for a tool that goes out with `strict: true`, if the dialect asks for that.
    fn strict_rules(self) -> Option<&'static Rules> {
        match self {
            Self::OpenAi { strict: true } | Self::OpenAiResponses { strict: true } => {
                Some(&rules::OPENAI_STRICT)
            }
            Self::Anthropic { strict: true } => Some(&rules::ANTHROPIC_STRICT),
            Self::DeepSeek { strict: true } => Some(&rules::DEEPSEEK_STRICT),
            _ => None,
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|dialect| dialect.name() == name)
            .ok_or_else(|| UnknownDialect {
                name: name.to_owned(),
            })
    }
}

/// No [`Dialect`] has this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownDialect {
    name: String,
}

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown dialect `{}`, known are: ", self.name)?;
        for (at, dialect) in Dialect::ALL.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{dialect}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownDialect {}
