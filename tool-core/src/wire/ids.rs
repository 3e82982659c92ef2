//! Ids that are unique in a turn.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};

use crate::id::CallId;

/// How much of a repeated id stays in front of its suffix: OpenAI Chat Completions refuses ids of
/// more than 40 characters ("string too long. Expected a string with maximum length 40").
const STEM: usize = 32;

/// An id that names nothing.
pub(super) fn is_missing(id: &str) -> bool {
    id.trim().is_empty()
}

/// The first call with an id keeps it; `seed` goes into those that are made up.
///
/// Suffixes are letters, digits and `_`, which every provider takes.
pub(super) fn unique<'a>(
    given: impl Iterator<Item = Option<&'a str>> + Clone,
    seed: impl FnOnce() -> String,
) -> Vec<CallId> {
    let given = given.map(|id| id.filter(|id| !is_missing(id)));
    let mut taken: HashSet<String> = given.clone().flatten().map(str::to_owned).collect();
    let mut met = HashSet::new();
    let mut next = HashMap::new();
    // Ids are seldom missing, and the seed takes time.
    let made_up = LazyCell::new(|| format!("call_{}", seed()));
    given
        .map(|id| match id {
            Some(id) if met.insert(id) => CallId::from(id),
            Some(id) => {
                let stem = &id[..id.floor_char_boundary(STEM)];
                suffixed(stem, 2, &mut next, &mut taken)
            }
            None => suffixed(&made_up, 1, &mut next, &mut taken),
        })
        .collect()
}

/// The first of `stem_2`, `stem_3` and so on that is free. Counts on from where it stopped, so
/// that many repetitions take linear time.
fn suffixed(
    stem: &str,
    from: usize,
    next: &mut HashMap<String, usize>,
    taken: &mut HashSet<String>,
) -> CallId {
    let n = next.entry(stem.to_owned()).or_insert(from);
    loop {
        let id = format!("{stem}_{n}");
        *n += 1;
        if !taken.contains(&id) {
            taken.insert(id.clone());
            return CallId::from(id);
        }
    }
}
