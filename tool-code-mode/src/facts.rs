//! What a program's text says about itself: used by messages, never to decide what may run.

use std::collections::BTreeSet;

use oxc_span::Span;

use crate::missing;
use crate::source::{self, OPEN};

/// Observations on a program. Places are byte offsets until [`located`](Facts::located), then lines.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    declared: BTreeSet<String>,
    named: BTreeSet<String>,
    type_of: Vec<(Span, String)>,
    throws: Vec<usize>,
    returns: Vec<usize>,
    promises: Vec<usize>,
    tools: Vec<(usize, String)>,
    throws_null: bool,
}

impl Facts {
    pub(crate) fn declares(&mut self, name: &str) {
        self.declared.insert(name.to_owned());
    }

    pub(crate) fn names(&mut self, name: &str) {
        self.named.insert(name.to_owned());
    }

    pub(crate) fn asks_type_of(&mut self, span: Span, name: &str) {
        if missing::is_missing(name) {
            self.type_of.push((span, name.to_owned()));
        }
    }

    pub(crate) fn throws(&mut self, at: u32, null: bool) {
        self.throws.push(at as usize);
        self.throws_null |= null;
    }

    pub(crate) fn returns(&mut self, at: u32) {
        self.returns.push(at as usize);
    }

    pub(crate) fn makes_promise(&mut self, at: u32) {
        self.promises.push(at as usize);
    }

    pub(crate) fn rejects_with_null(&mut self) {
        self.throws_null = true;
    }

    pub(crate) fn reaches_for(&mut self, at: u32, tool: &str) {
        self.tools.push((at as usize, tool.to_owned()));
    }

    /// `typeof process` is `"undefined"`, though naming `process` in any other way throws: the name
    /// is overwritten by one that nobody declared. A program that declares the name keeps it.
    pub(crate) fn hide_missing_globals(&self, puts: &mut Vec<(u32, char)>) {
        for (span, name) in &self.type_of {
            let nobody = ["_", "$"]
                .map(|filler| filler.repeat(name.len()))
                .into_iter()
                .find(|filler| !self.declared.contains(filler) && !self.named.contains(filler));
            let Some(nobody) = nobody.filter(|_| !self.declared.contains(name)) else {
                continue;
            };
            puts.extend((span.start..span.end).zip(nobody.chars()));
        }
    }

    /// With lines of `program` in place of offsets into the wrapped text.
    pub(crate) fn located(mut self, program: &str) -> Self {
        let line = |at: &mut usize| {
            *at = source::position(program, at.saturating_sub(OPEN.len())).line;
        };
        self.throws.iter_mut().for_each(line);
        self.returns.iter_mut().for_each(line);
        self.promises.iter_mut().for_each(line);
        self.tools.iter_mut().for_each(|(at, _)| line(at));
        self
    }

    /// The line of the only `throw`, which is where a thrown text must come from.
    pub(crate) fn only_throw(&self) -> Option<usize> {
        if let [line] = self.throws[..] {
            Some(line)
        } else {
            None
        }
    }

    /// The line of the only `return` of the program itself.
    pub(crate) fn only_return(&self) -> Option<usize> {
        if let [line] = self.returns[..] {
            Some(line)
        } else {
            None
        }
    }

    /// The line of the first promise that the program makes by hand.
    pub(crate) fn first_promise(&self) -> Option<usize> {
        self.promises.first().copied()
    }

    /// Whether a thrown `null` may be the program's own. If not, the engine had no memory left for
    /// an error.
    pub(crate) fn may_throw_null(&self) -> bool {
        self.throws_null
    }

    /// The tools that `line` names, such as `search` for `tools.search({})`.
    pub(crate) fn tools_on(&self, line: usize) -> impl Iterator<Item = &str> {
        self.tools
            .iter()
            .filter(move |(at, _)| *at == line)
            .map(|(_, name)| name.as_str())
    }
}
