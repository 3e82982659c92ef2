//! What was observed of one scenario.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tool_core::ToolResult;

use super::compare::Difference;
use super::expect::{BatchOutcome, Lineage, Refusal, Request};
use super::marks::Noticed;
use super::scenario::{Measure, Scenario};

/// What was observed of one scenario.
#[derive(Debug, Default)]
pub struct Observed {
    /// By call id, nested calls too.
    pub results: BTreeMap<String, ToolResult>,
    /// The calls whose result no observer was told of.
    pub skipped: BTreeSet<String>,
    /// By call id, the marks in order.
    pub traces: BTreeMap<String, Vec<String>>,
    /// The global order of the marks asked for.
    pub timeline: Option<Vec<String>>,
    /// The most bodies that were open at once, if it was asked for.
    pub peak_bodies: Option<usize>,
    /// Parent and root by call id, if it was asked for.
    pub lineage: BTreeMap<String, Lineage>,
    /// By id, `parallel` or `exclusive`.
    pub execution_modes: BTreeMap<String, String>,
    /// By id.
    pub snapshots: BTreeMap<String, Value>,
    /// By id.
    pub batches: BTreeMap<String, BatchOutcome>,
    /// The questions that reached the answerer.
    pub approval_requests: Vec<Request>,
    /// The refused registrations.
    pub registration_errors: Vec<Refusal>,
    /// The calls that a pre-execute hook asked about.
    pub asked: BTreeSet<String>,
    /// The labels of guards that abstain.
    pub abstaining: BTreeSet<String>,
    /// The messages of panics.
    pub thrown: BTreeSet<String>,
    /// What contradicts itself, whatever the expectation.
    pub contradictions: Vec<Difference>,
}

impl Observed {
    /// Adds what callbacks noticed.
    pub(super) fn add(&mut self, scenario: &Scenario, noticed: &mut Noticed) {
        self.traces = traces(&noticed.all);
        self.timeline = scenario.timeline.as_ref().map(|kinds| {
            let kind = |mark: &str| {
                mark.split_once(':')
                    .map_or(mark, |(kind, _)| kind)
                    .to_owned()
            };
            let listed = noticed
                .all
                .iter()
                .filter(|(_, mark)| kinds.contains(&kind(mark)));
            listed
                .map(|(call, mark)| format!("{call} {mark}"))
                .collect()
        });
        if scenario.measure.contains(&Measure::PeakBodies) {
            self.peak_bodies = Some(noticed.peak_bodies);
        }
        if scenario.measure.contains(&Measure::Lineage) {
            for (call, (parent, root)) in &noticed.parents {
                let parent = noticed.executions.get(parent).cloned().unwrap_or_default();
                self.lineage.insert(
                    call.clone(),
                    Lineage {
                        parent,
                        root: root.clone(),
                    },
                );
            }
        }
        // What a caller got and what observers were told of must be one and the same.
        for (call, got) in &noticed.returned {
            if let Some(told) = noticed.told.get(call) {
                let (got, told) = (json!(got), json!(told));
                if got != told {
                    let path = format!("results.{call}, as observers were told");
                    self.contradictions
                        .push(Difference::new(&path, &got, &told));
                }
            }
        }
        self.results = std::mem::take(&mut noticed.told);
        self.results.extend(std::mem::take(&mut noticed.returned));
        self.approval_requests = std::mem::take(&mut noticed.requests);
        self.asked = std::mem::take(&mut noticed.asked);
        self.abstaining = std::mem::take(&mut noticed.abstaining);
        self.thrown = std::mem::take(&mut noticed.thrown);
    }
}

/// The marks of each call, in order.
pub(super) fn traces(marks: &[(String, String)]) -> BTreeMap<String, Vec<String>> {
    let mut traces = BTreeMap::<String, Vec<String>>::new();
    for (call, mark) in marks {
        traces.entry(call.clone()).or_default().push(mark.clone());
    }
    traces
}
