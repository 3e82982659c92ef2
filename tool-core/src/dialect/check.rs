//! What a target is known to refuse about an exported tool.
//!
//! The checker reads the same table as the exporter, and nothing else of it: it walks what goes
//! over the wire, so that a mistake of the exporter does not hide itself.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Dialect;
use super::checker::Checker;
use super::measure::Size;
use super::rule::{Count, Per};
use super::wire;

/// Everything that `dialect` is known to refuse about one exported tool: what, where in its
/// schema, and who says so. Empty if there is nothing.
///
/// ```
/// use serde_json::json;
/// use tool_core::dialect::{Dialect, check};
///
/// let tool = json!({ "type": "function", "function": { "name": "find", "strict": true,
///     "parameters": { "type": "object", "properties": {}, "required": [] } } });
/// assert_eq!(check(Dialect::OpenAi { strict: true }, &tool), [
///     "OpenAI strict: ``: `additionalProperties` is not `false` \
///      (OpenAI guide Structured Outputs, Supported schemas)",
/// ]);
/// ```
#[must_use]
pub fn check(dialect: Dialect, tool: &Value) -> Vec<String> {
    let wire = match wire::read(dialect, tool) {
        Ok(wire) => wire,
        Err(what) => return vec![format!("{}: {what}", dialect.rules().label)],
    };
    let rules = match (wire.strict, dialect.strict_rules()) {
        (true, Some(rules)) => rules,
        (true, None) => return vec![format!("{dialect}: `strict` was not asked for")],
        (false, _) => dialect.rules(),
    };
    let mut check = Checker {
        rules,
        root: wire.schema.unwrap_or(&Value::Null),
        found: Vec::new(),
    };
    if !rules.tool_name.accepts(wire.name) {
        let what = format!(
            "the name `{}` does not match {}",
            wire.name, rules.tool_name.pattern
        );
        check.say("", &what, rules.tool_name.source);
    }
    if let Some(schema) = wire.schema {
        check.whole(schema);
    }
    check.found
}

/// Everything that `dialect` is known to refuse about the tools of one request: about each of
/// them, and about all of them together.
///
/// ```
/// use serde_json::json;
/// use tool_core::dialect::{Dialect, check_request};
///
/// let tool = json!({ "name": "ping", "input_schema": { "type": "object", "properties": {} } });
/// assert_eq!(check_request(Dialect::Anthropic { strict: false }, &[tool.clone(), tool]), [
///     "Anthropic: two tools have the name `ping`",
/// ]);
/// ```
#[must_use]
pub fn check_request(dialect: Dialect, tools: &[Value]) -> Vec<String> {
    let mut found: Vec<String> = tools.iter().flat_map(|tool| check(dialect, tool)).collect();
    let label = dialect.strict_rules().unwrap_or(dialect.rules()).label;
    let mut names = BTreeSet::new();
    let mut strict_tools = 0;
    let mut sizes = Vec::new();
    for wire in tools
        .iter()
        .filter_map(|tool| wire::read(dialect, tool).ok())
    {
        if !names.insert(wire.name) {
            found.push(format!("{label}: two tools have the name `{}`", wire.name));
        }
        if wire.strict {
            strict_tools += 1;
            sizes.extend(wire.schema.map(Size::of));
        }
    }
    let Some(rules) = dialect.strict_rules().or(Some(dialect.rules())) else {
        return found;
    };
    for limit in rules
        .limits
        .iter()
        .filter(|limit| limit.per == Per::Request)
    {
        let total: usize = match limit.count {
            Count::Tools => tools.len(),
            count => sizes.iter().map(|size| size.count(count)).sum(),
        };
        if total > limit.most {
            let noun = limit.count.noun();
            let most = limit.most;
            found.push(format!(
                "{label}: {total} {noun}, {most} are accepted ({})",
                limit.source
            ));
        }
    }
    if rules.all_or_none && strict_tools > 0 && strict_tools < tools.len() {
        found.push(format!(
            "{label}: {strict_tools} of {} tools are strict",
            tools.len()
        ));
    }
    found
}
