//! The list of tools for one request.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;

use super::Dialect;
use super::names::{NameMap, assign};
use super::plan::Budget;
use super::report::{Action, Finding, LossReport};
use super::restore::Restore;
use super::rule::{Count, Rules};
use super::shape::{Shaped, shape};
use super::wire;
use crate::definition::Hints;

/// A tool to export: what a model is told, and what programs know besides.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Exportable<'a> {
    /// The tool's own name.
    pub name: &'a str,
    /// What the tool does. May be empty.
    pub description: &'a str,
    /// The canonical JSON Schema of the arguments: an object at the root, definitions in `$defs`
    /// there.
    pub parameters: &'a Arc<Value>,
    /// A name for people. Sent to MCP.
    pub title: Option<&'a str>,
    /// The JSON Schema of a successful result. Sent to MCP.
    pub output: Option<&'a Value>,
    /// What a client may assume. Sent to MCP.
    pub hints: Hints,
}

impl<'a> Exportable<'a> {
    /// A tool without title, output schema and hints.
    #[must_use]
    pub fn new(name: &'a str, description: &'a str, parameters: &'a Arc<Value>) -> Self {
        let hints = Hints::default();
        Self {
            name,
            description,
            parameters,
            title: None,
            output: None,
            hints,
        }
    }

    /// The tool with a name for people.
    #[must_use]
    pub fn title(self, title: &'a str) -> Self {
        Self {
            title: Some(title),
            ..self
        }
    }

    /// The tool with the schema of its result.
    #[must_use]
    pub fn output(self, output: &'a Value) -> Self {
        Self {
            output: Some(output),
            ..self
        }
    }

    /// The tool with hints for clients.
    #[must_use]
    pub fn hints(self, hints: Hints) -> Self {
        Self { hints, ..self }
    }
}

/// Tools as one provider takes them.
///
/// ```
/// use tool_core::dialect::Dialect;
/// use tool_core::{ToolRuntime, tool};
///
/// /// Waits.
/// #[tool]
/// fn wait(#[arg(range = 1..=60)] seconds: u32) -> String { format!("{seconds} s later") }
///
/// let runtime = ToolRuntime::builder().tool(wait {}).build()?;
/// let export = runtime.export(Dialect::Gemini);
/// assert_eq!(export.tools[0]["name"], "wait");
/// assert_eq!(export.names.original_tool("wait"), Some("wait"));
/// for loss in &export.report {
///     println!("{loss}");
/// }
/// # Ok::<(), tool_core::RegisterError>(())
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Export {
    /// One JSON value for each tool, in the order given, to be put into the request's list.
    pub tools: Vec<Value>,
    /// From the names that the model uses to those that the tools have.
    pub names: NameMap,
    /// What the provider's dialect could not express.
    pub report: LossReport,
}

/// A tool on its way into the list.
struct Candidate<'a> {
    tool: Exportable<'a>,
    findings: Vec<Finding>,
    strict: Option<Shaped>,
    loose: Option<Shaped>,
}

impl Candidate<'_> {
    fn is_listed(&self) -> bool {
        self.strict.is_some() || self.loose.is_some()
    }

    fn leave_out(&mut self, what: String) {
        let action = Action::LeftOut;
        self.findings.push(Finding {
            path: String::new(),
            what,
            action,
        });
    }

    /// Gives up being strict, or being listed at all.
    fn loosen(&mut self, rules: &'static Rules) {
        self.strict = None;
        match shape(self.tool.parameters, rules, false) {
            Ok(shaped) => self.loose = Some(shaped),
            Err(reasons) => self.findings.extend(reasons),
        }
    }
}

/// Writes `tools` for `dialect`.
///
/// The order of the list is that of `tools`; which tools go out strict and how they are named
/// does not depend on it. A tool that the dialect cannot take is left out and named in the
/// report; the others are not affected. Nothing else than MCP takes a title, hints or an output
/// schema, and that is not reported.
///
/// Time and memory are linear in the number of tools and in the size of their schemas. A `$ref`
/// that multiplies when inlined is followed up to 50 000 schemas for one tool.
///
/// ```
/// # use std::sync::Arc;
/// # use serde_json::json;
/// use tool_core::dialect::{Action, Dialect, Exportable, export};
///
/// let tree = Arc::new(json!({
///     "type": "object",
///     "properties": { "node": { "$ref": "#/$defs/Node" } },
///     "$defs": { "Node": {
///         "type": "object",
///         "properties": { "kids": { "type": "array", "items": { "$ref": "#/$defs/Node" } } },
///     } },
/// }));
/// let none = Arc::new(json!({ "type": "object", "properties": {} }));
/// let tools = [Exportable::new("grow", "Grows.", &tree), Exportable::new("ping", "Pings.", &none)];
///
/// let export = export(tools, Dialect::Gemini);
/// assert_eq!(export.tools, [json!({ "name": "ping", "description": "Pings." })]);
/// assert_eq!(
///     export.report.to_string(),
///     "`grow`: left out: a recursive type: Node -> kids -> Node",
/// );
/// ```
pub fn export<'a>(tools: impl IntoIterator<Item = Exportable<'a>>, dialect: Dialect) -> Export {
    let mut candidates = shaped(tools, dialect);
    if let Some(strict) = dialect.strict_rules() {
        if strict.all_or_none {
            all_or_none(&mut candidates, dialect.rules());
        } else {
            within_budget(&mut candidates, strict, dialect.rules());
        }
    }
    write(candidates, dialect)
}

/// Every tool under the rules that it can follow.
fn shaped<'a>(
    tools: impl IntoIterator<Item = Exportable<'a>>,
    dialect: Dialect,
) -> Vec<Candidate<'a>> {
    let room = most_tools(dialect.rules());
    let mut names = HashSet::new();
    let mut listed = 0;
    let mut candidates = Vec::new();
    for tool in tools {
        let mut candidate = Candidate {
            tool,
            findings: Vec::new(),
            strict: None,
            loose: None,
        };
        if tool.name.is_empty() {
            candidate.leave_out("a tool without a name".to_owned());
        } else if !names.insert(tool.name) {
            candidate.leave_out("another tool has this name".to_owned());
        } else if listed == room {
            candidate.leave_out(format!("{room} tools are accepted, and there are as many"));
        } else {
            match dialect
                .strict_rules()
                .map(|rules| shape(tool.parameters, rules, false))
            {
                Some(Ok(shaped)) => candidate.strict = Some(shaped),
                Some(Err(reasons)) => {
                    candidate.findings = reasons;
                    candidate.loosen(dialect.rules());
                }
                None => candidate.loosen(dialect.rules()),
            }
        }
        listed += usize::from(candidate.is_listed());
        candidates.push(candidate);
    }
    candidates
}

fn most_tools(rules: &Rules) -> usize {
    let limit = rules
        .limits
        .iter()
        .find(|limit| limit.count == Count::Tools);
    limit.map_or(usize::MAX, |limit| limit.most)
}

/// All tools are strict, or none is.
fn all_or_none(candidates: &mut [Candidate<'_>], loose: &'static Rules) {
    let cannot = |candidate: &&Candidate<'_>| candidate.loose.is_some();
    let Some(name) = candidates
        .iter()
        .find(cannot)
        .map(|candidate| candidate.tool.name)
    else {
        return;
    };
    for candidate in candidates
        .iter_mut()
        .filter(|candidate| candidate.strict.is_some())
    {
        candidate.findings.push(Finding {
            path: String::new(),
            what: format!("all tools have to be strict or none, and `{name}` cannot be"),
            action: Action::WentNonStrict,
        });
        candidate.loosen(loose);
    }
}

/// As many tools are strict as a request has room for: first those that take the least of it.
fn within_budget(candidates: &mut [Candidate<'_>], strict: &'static Rules, loose: &'static Rules) {
    let mut budget = Budget::new(strict);
    let mut order: Vec<(usize, &str, usize)> = Vec::new();
    for (at, candidate) in candidates.iter().enumerate() {
        if let Some(shaped) = &candidate.strict {
            order.push((budget.share(&shaped.size), candidate.tool.name, at));
        }
    }
    order.sort_unstable();
    for (_, _, at) in order {
        let candidate = &mut candidates[at];
        let Some(shaped) = &candidate.strict else {
            continue;
        };
        let Err((count, finding)) = budget.take(&shaped.size) else {
            continue;
        };
        if count == Count::Unions
            && let Ok(fewer) = shape(candidate.tool.parameters, strict, true)
            && budget.take(&fewer.size).is_ok()
        {
            candidate.strict = Some(fewer);
            continue;
        }
        candidate.findings.push(finding);
        candidate.loosen(loose);
    }
}

fn write(candidates: Vec<Candidate<'_>>, dialect: Dialect) -> Export {
    let listed = candidates.iter().filter(|candidate| candidate.is_listed());
    let exported = assign(
        listed.map(|candidate| candidate.tool.name),
        dialect.rules().tool_name,
    );
    let mut export = Export::default();
    for candidate in candidates {
        let Candidate {
            tool,
            mut findings,
            strict,
            loose,
        } = candidate;
        let is_strict = strict.is_some();
        if let Some(shaped) = strict.or(loose) {
            let name = &exported[tool.name];
            if name != tool.name {
                let what = format!("tool `{}`, as `{name}`", tool.name);
                findings.push(Finding {
                    path: String::new(),
                    what,
                    action: Action::Renamed,
                });
            }
            findings.extend(shaped.findings);
            let written = wire::Tool {
                name,
                schema: &shaped.schema,
                strict: is_strict,
                source: tool,
            };
            export
                .tools
                .push(wire::write(dialect, &written, &mut findings));
            export.names.insert_tool(tool.name, name.clone());
            let null_means_absent = is_strict
                && dialect
                    .strict_rules()
                    .is_some_and(Rules::requires_every_property);
            if null_means_absent || !shaped.keys.is_empty() {
                let restore = Restore::new(tool.parameters, &shaped.keys, null_means_absent);
                export.names.insert_restore(tool.name, restore);
            }
        }
        for finding in findings {
            export.report.push(tool.name, finding);
        }
    }
    export
}
