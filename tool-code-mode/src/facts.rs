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
    ends: Ends,
}

/// When a loop ends, as far as its head tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ends {
    /// After the last item.
    ByItself,
    /// On a condition.
    Perhaps,
    /// The condition is `true`, or there is none.
    Never,
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

    pub(crate) fn has_loop(&mut self, span: Span, ends: Ends) {
        self.loops.push(Loop {
            whole: range(span),
            ends,
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
    /// The engine knows the place of a call, not of a jump: in `f(); while (true) n += 1` it gives
    /// that of `f()`, be that in another loop. So it is a loop of the same function that holds `at`
    /// or comes after it: the one that is most likely endless, else the innermost around `at`, else
    /// the next.
    pub(crate) fn running_loop(&self, at: usize) -> Option<usize> {
        let function = |place: usize| {
            let holding = self.functions.iter().filter(|range| range.contains(&place));
            holding.max_by_key(|range| range.start)
        };
        let own = function(at);
        let candidates = self.loops.iter().filter(|found| {
            let start = found.whole.start;
            (start >= at || found.whole.contains(&at)) && function(start) == own
        });
        let found = candidates.max_by_key(|found| {
            let start = found.whole.start;
            let around = start < at;
            (
                found.ends,
                around,
                if around { start } else { usize::MAX - start },
            )
        })?;
        let exact = found.ends == Ends::ByItself && found.whole.contains(&at);
        (!exact).then_some(found.whole.start)
    }

    /// The only loop of the program.
    pub(crate) fn only_loop(&self) -> Option<usize> {
        match &self.loops[..] {
            [found] => Some(found.whole.start),
            _ => None,
        }
    }
}

fn only(places: &[usize]) -> Option<usize> {
    match places {
        [place] => Some(*place),
        _ => None,
    }
}
