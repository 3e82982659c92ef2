//! Which definitions a schema refers to, and which of them are recursive.

use std::collections::{HashMap, VecDeque};

use serde_json::Value;

use super::schema::{for_each_child, resolve, short_name};

/// The definitions reachable from the root of a schema. Node 0 is the root.
#[derive(Debug)]
pub(super) struct Graph {
    references: Vec<String>,
    numbers: HashMap<String, usize>,
    edges: Vec<Vec<Edge>>,
    /// Nodes of one component lie on a common cycle.
    component: Vec<usize>,
    cyclic: Vec<bool>,
}

#[derive(Debug)]
struct Edge {
    to: usize,
    /// The property the reference is in, if any.
    via: Option<String>,
}

impl Graph {
    /// Follows every `$ref`. The caller has bounded the depth of `root`.
    pub(super) fn new(root: &Value) -> Self {
        let mut graph = Self {
            references: vec!["#".to_owned()],
            numbers: HashMap::from([("#".to_owned(), 0)]),
            edges: Vec::new(),
            component: Vec::new(),
            cyclic: Vec::new(),
        };
        let mut next = 0;
        while next < graph.references.len() {
            let mut found = Vec::new();
            if let Some(schema) = resolve(root, &graph.references[next]) {
                direct_references(schema, None, &mut found);
            }
            let edges = found
                .into_iter()
                .map(|(reference, via)| Edge {
                    to: graph.number(reference),
                    via: via.map(str::to_owned),
                })
                .collect();
            graph.edges.push(edges);
            next += 1;
        }
        graph.component = components(&graph.edges, |_| true);
        graph.cyclic = cyclic(&graph.edges, &graph.component, |_| true);
        graph
    }

    fn number(&mut self, reference: &str) -> usize {
        if let Some(number) = self.numbers.get(reference) {
            return *number;
        }
        let number = self.references.len();
        self.references.push(reference.to_owned());
        self.numbers.insert(reference.to_owned(), number);
        number
    }

    /// Whether what `reference` points to contains itself.
    pub(super) fn is_recursive(&self, reference: &str) -> bool {
        self.numbers
            .get(reference)
            .is_some_and(|node| self.cyclic[*node])
    }

    /// Whether a reference to `to`, found in `from`, closes a cycle.
    pub(super) fn closes_cycle(&self, from: &str, to: &str) -> bool {
        let (Some(&from), Some(&to)) = (self.numbers.get(from), self.numbers.get(to)) else {
            return false;
        };
        self.cyclic[to] && self.component[from] == self.component[to]
    }

    /// The first cycle, as `Node -> kids -> Node`.
    pub(super) fn cycle(&self) -> Option<String> {
        let start = self.cyclic.iter().position(|cyclic| *cyclic)?;
        Some(self.name_cycle(start, |_| true))
    }

    /// A cycle through what `reference` points to.
    pub(super) fn cycle_through(&self, reference: &str) -> Option<String> {
        let node = *self.numbers.get(reference)?;
        self.cyclic[node].then(|| self.name_cycle(node, |_| true))
    }

    /// The first cycle that goes through no property, as `List -> List`.
    pub(super) fn bare_cycle(&self) -> Option<String> {
        let bare = |edge: &Edge| edge.via.is_none();
        let component = components(&self.edges, bare);
        let start = cyclic(&self.edges, &component, bare)
            .iter()
            .position(|cyclic| *cyclic)?;
        Some(self.name_cycle(start, bare))
    }

    /// The shortest way from `start` to itself.
    fn name_cycle(&self, start: usize, follow: impl Fn(&Edge) -> bool) -> String {
        let mut came: HashMap<usize, (usize, &Edge)> = HashMap::new();
        let mut open = VecDeque::from([start]);
        while let Some(node) = open.pop_front() {
            for edge in self.edges[node].iter().filter(|edge| follow(edge)) {
                came.entry(edge.to).or_insert_with(|| {
                    open.push_back(edge.to);
                    (node, edge)
                });
            }
            if came.contains_key(&start) {
                break;
            }
        }
        let mut names = vec![short_name(&self.references[start])];
        let mut node = start;
        while let Some((from, edge)) = came.get(&node) {
            names.extend(edge.via.clone());
            names.push(short_name(&self.references[*from]));
            node = *from;
            if node == start {
                break;
            }
        }
        names.reverse();
        names.join(" -> ")
    }
}

/// The references in `schema` that are reached without following one, each with the innermost
/// property it is in.
pub(super) fn direct_references<'s>(
    schema: &'s Value,
    via: Option<&'s str>,
    found: &mut Vec<(&'s str, Option<&'s str>)>,
) {
    let Value::Object(map) = schema else { return };
    if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
        found.push((reference, via));
    }
    for_each_child(map, |step, child| {
        let via = match (&step.member, step.keyword) {
            (Some(std::borrow::Cow::Borrowed(name)), "properties") => Some(*name),
            _ => via,
        };
        direct_references(child, via, found);
    });
}

/// Strongly connected components: Kosaraju's two passes, without recursion.
fn components(edges: &[Vec<Edge>], follow: impl Fn(&Edge) -> bool) -> Vec<usize> {
    let mut order = Vec::with_capacity(edges.len());
    let mut seen = vec![false; edges.len()];
    for start in 0..edges.len() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut open = vec![(start, 0)];
        while let Some((node, at)) = open.last_mut() {
            let Some(edge) = edges[*node].get(*at) else {
                order.push(*node);
                open.pop();
                continue;
            };
            *at += 1;
            if follow(edge) && !seen[edge.to] {
                seen[edge.to] = true;
                open.push((edge.to, 0));
            }
        }
    }
    let mut back = vec![Vec::new(); edges.len()];
    for (from, edges) in edges.iter().enumerate() {
        for edge in edges.iter().filter(|edge| follow(edge)) {
            back[edge.to].push(from);
        }
    }
    let mut component = vec![usize::MAX; edges.len()];
    for start in order.into_iter().rev() {
        if component[start] != usize::MAX {
            continue;
        }
        let mut open = vec![start];
        while let Some(node) = open.pop() {
            if component[node] == usize::MAX {
                component[node] = start;
                open.extend(&back[node]);
            }
        }
    }
    component
}

/// Which nodes have an edge inside their own component.
fn cyclic(edges: &[Vec<Edge>], component: &[usize], follow: impl Fn(&Edge) -> bool) -> Vec<bool> {
    let inside = |(from, edges): (usize, &Vec<Edge>)| {
        edges
            .iter()
            .any(|edge| follow(edge) && component[from] == component[edge.to])
    };
    edges.iter().enumerate().map(inside).collect()
}
