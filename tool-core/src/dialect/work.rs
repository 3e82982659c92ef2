//! What both walkers share: findings, the budget, and the definitions still to be written.

use std::collections::{BTreeMap, HashSet, VecDeque};

use super::graph::Graph;
use super::names::Keys;
use super::report::{Action, Finding};
use super::rule::Rules;
use super::schema::{pointer_of, short_name};

/// Most schemas of one exported tool. Inlining can multiply them; a hundred times the largest
/// schema anybody wrote by hand still fits.
pub(super) const MOST_SCHEMAS: usize = 50_000;

/// How many schemas deep an export may be.
pub(super) const DEEPEST: usize = 64;

/// Most reasons that are reported for one tool.
const MOST_REASONS: usize = 16;

pub(super) struct Work<'a> {
    pub(super) rules: &'static Rules,
    /// The tool's parameters, with a plain object at the root.
    pub(super) document: &'a serde_json::Value,
    pub(super) graph: &'a Graph,
    pub(super) keys: &'a Keys,
    pub(super) definitions: Definitions,
    findings: Vec<Finding>,
    seen: HashSet<Finding>,
    reasons: Vec<Finding>,
    schemas: usize,
}

impl<'a> Work<'a> {
    pub(super) fn new(
        rules: &'static Rules,
        document: &'a serde_json::Value,
        graph: &'a Graph,
        keys: &'a Keys,
    ) -> Self {
        Self {
            rules,
            document,
            graph,
            keys,
            definitions: Definitions::default(),
            findings: Vec::new(),
            seen: HashSet::new(),
            reasons: Vec::new(),
            schemas: 0,
        }
    }

    /// Notes a loss, once for each place: what is inlined twice is reported once.
    pub(super) fn found(&mut self, path: &str, what: impl Into<String>, action: Action) {
        let finding = Finding {
            path: path.to_owned(),
            what: what.into(),
            action,
        };
        if self.seen.insert(finding.clone()) {
            self.findings.push(finding);
        }
    }

    /// Notes a reason why the tool cannot follow these rules.
    pub(super) fn cannot(&mut self, path: &str, what: impl Into<String>) {
        let action = if self.rules.strict {
            Action::WentNonStrict
        } else {
            Action::LeftOut
        };
        let finding = Finding {
            path: path.to_owned(),
            what: what.into(),
            action,
        };
        if self.reasons.len() < MOST_REASONS && !self.reasons.contains(&finding) {
            self.reasons.push(finding);
        }
    }

    /// Counts one more schema; `false` if there are too many, and the walk should end.
    pub(super) fn spend(&mut self, path: &str, depth: usize) -> bool {
        self.schemas += 1;
        if self.schemas > MOST_SCHEMAS {
            if self.schemas == MOST_SCHEMAS + 1 {
                self.cannot(
                    "",
                    format!("inlined, it has more than {MOST_SCHEMAS} schemas"),
                );
            }
            return false;
        }
        if depth > DEEPEST {
            self.cannot(path, format!("more than {DEEPEST} levels of schemas"));
            return false;
        }
        true
    }

    /// The losses, or the reasons why there is no export.
    pub(super) fn finish(self) -> Result<Vec<Finding>, Vec<Finding>> {
        if self.reasons.is_empty() {
            Ok(self.findings)
        } else {
            Err(self.reasons)
        }
    }
}

/// The definitions that the export refers to. Those nobody refers to are not sent.
#[derive(Default)]
pub(super) struct Definitions {
    names: BTreeMap<String, String>,
    /// Names given, each with the last number that was added to it.
    used: BTreeMap<String, usize>,
    open: VecDeque<String>,
}

impl Definitions {
    /// The reference to write for `reference`. Whatever it points to in the source, in the
    /// export it is a definition: a reference to the root means the root's type, not the root.
    pub(super) fn refer(&mut self, reference: &str, keyword: &str) -> String {
        let name = match self.names.get(reference) {
            Some(name) => name.clone(),
            None => self.name(reference),
        };
        format!("#/{keyword}/{name}")
    }

    fn name(&mut self, reference: &str) -> String {
        let pointer = pointer_of(reference).map(|pointer| format!("#{pointer}"));
        let base: String = short_name(pointer.as_deref().unwrap_or(reference))
            .chars()
            // A `$ref` is a URI, and not every reader decodes one.
            .map(|c| {
                if c.is_ascii_alphanumeric() || "_-.".contains(c) {
                    c
                } else {
                    '_'
                }
            })
            .collect();
        let mut name = base.clone();
        let mut number = self.used.get(&base).copied().unwrap_or(1);
        while self.used.contains_key(&name) {
            number += 1;
            name = format!("{base}_{number}");
        }
        self.used.insert(base, number);
        self.used.entry(name.clone()).or_insert(1);
        self.names.insert(reference.to_owned(), name.clone());
        self.open.push_back(reference.to_owned());
        name
    }

    /// The next definition to write: its reference in the source, its name in the export.
    pub(super) fn next(&mut self) -> Option<(String, String)> {
        let reference = self.open.pop_front()?;
        let name = self.names[&reference].clone();
        Some((reference, name))
    }
}
