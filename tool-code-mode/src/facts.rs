//! What a program's text says about itself: used by messages, never to decide what may run.

use std::collections::BTreeSet;
use std::ops::Range;

use oxc_span::Span;

use crate::missing;
use crate::source::OPEN;

/// Observations on a program. Places are byte offsets into it.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    declared: BTreeSet<String>,
    named: BTreeSet<String>,
    type_of: Vec<(Span, String)>,
    throws: Vec<usize>,
    returns: Vec<usize>,
    promises: Vec<usize>,
    tools: Vec<(usize, String)>,
    calls: Vec<Callee>,
    functions: Vec<Range<usize>>,
    loops: Vec<Loop>,
    throws_null: bool,
}

/// What a call calls, by its name: `pick`, or `rows.map`.
#[derive(Clone, Debug)]
pub(crate) struct Callee {
    pub(crate) whole: Range<usize>,
    /// The part before the last dot.
    pub(crate) object: Option<Range<usize>>,
}

#[derive(Debug)]
struct Loop {
    whole: Range<usize>,
    body: usize,
}

fn inside(offset: u32) -> usize {
    (offset as usize).saturating_sub(OPEN.len())
}

fn range(span: Span) -> Range<usize> {
    inside(span.start)..inside(span.end)
}

/// While the program is walked. Offsets are those of the wrapped text.
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
        self.throws.push(inside(at));
        self.throws_null |= null;
    }

    pub(crate) fn returns(&mut self, at: u32) {
        self.returns.push(inside(at));
    }

    pub(crate) fn makes_promise(&mut self, at: u32) {
        self.promises.push(inside(at));
    }

    pub(crate) fn rejects_with_null(&mut self) {
        self.throws_null = true;
    }

    pub(crate) fn reaches_for(&mut self, at: u32, tool: &str) {
        self.tools.push((inside(at), tool.to_owned()));
    }

    pub(crate) fn calls(&mut self, callee: Span, object: Option<Span>) {
        self.calls.push(Callee {
            whole: range(callee),
            object: object.map(range),
        });
    }

    pub(crate) fn has_function(&mut self, span: Span) {
        self.functions.push(range(span));
    }

    pub(crate) fn has_loop(&mut self, span: Span, body: u32) {
        self.loops.push(Loop {
            whole: range(span),
            body: inside(body),
        });
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
}

/// What messages ask.
impl Facts {
    /// The only `throw`, which is where a thrown text must come from.
    pub(crate) fn only_throw(&self) -> Option<usize> {
        only(&self.throws)
    }

    /// The only `return` of the program itself.
    pub(crate) fn only_return(&self) -> Option<usize> {
        only(&self.returns)
    }

    /// The first promise that the program makes by hand.
    pub(crate) fn first_promise(&self) -> Option<usize> {
        self.promises.first().copied()
    }

    /// Whether a thrown `null` may be the program's own. If not, the engine had no memory left for
    /// an error.
    pub(crate) fn may_throw_null(&self) -> bool {
        self.throws_null
    }

    /// The tools named within `line`, such as `search` for `tools.search({})`.
    pub(crate) fn tools_on(&self, line: Range<usize>) -> impl Iterator<Item = &str> {
        self.tools
            .iter()
            .filter(move |(at, _)| line.contains(at))
            .map(|(_, name)| name.as_str())
    }

    /// The call within `line` whose last name is nearest to `at`.
    pub(crate) fn call_near(&self, at: usize, line: &Range<usize>) -> Option<&Callee> {
        let name = |callee: &Callee| callee.object.as_ref().map_or(callee.whole.start, |o| o.end);
        self.calls
            .iter()
            .filter(|callee| line.contains(&name(callee)))
            .min_by_key(|callee| name(callee).abs_diff(at))
    }

    /// The loop that was running when the engine was interrupted at `at`.
    ///
    /// The engine knows the place of a call, not of a jump: in `let n = 0; while (true) n += 1` it
    /// gives the last place before the loop. So it is the loop whose head holds `at`, else the next
    /// one within the same function and the same outer loop.
    pub(crate) fn loop_after(&self, at: usize) -> Option<usize> {
        let holding = |range: &&Range<usize>| range.contains(&at);
        let function = innermost(self.functions.iter().filter(holding));
        let outer = innermost(self.loops.iter().map(|found| &found.whole).filter(holding));
        let found = self.loops.iter().filter(|found| {
            let start = found.whole.start;
            let head = found.whole.start <= at && at < found.body;
            let within = |range: Option<&Range<usize>>| range.is_none_or(|r| r.contains(&start));
            let own = innermost(self.functions.iter().filter(|f| f.contains(&start)));
            head || (start >= at && own == function && within(outer))
        });
        found
            .map(|found| found.whole.start)
            .min_by_key(|start| (*start < at, *start))
    }

    /// The only loop of the program.
    pub(crate) fn only_loop(&self) -> Option<usize> {
        match &self.loops[..] {
            [found] => Some(found.whole.start),
            _ => None,
        }
    }
}

fn innermost<'r>(holding: impl Iterator<Item = &'r Range<usize>>) -> Option<&'r Range<usize>> {
    holding.max_by_key(|range| range.start)
}

fn only(places: &[usize]) -> Option<usize> {
    match places {
        [place] => Some(*place),
        _ => None,
    }
}
