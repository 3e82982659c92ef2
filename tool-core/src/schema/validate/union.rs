//! Unions: find the arm that was meant, and report inside it.

use serde_json::{Map, Value};

use super::describe;
use super::violation::{Found, Problem, Violation, mismatch, names, not_listed, show};
use super::walk::Walk;
use crate::schema::arms::{self, listed};
use crate::schema::kinds::Kinds;
use crate::schema::pointer::Path;

impl<'a> Walk<'a> {
    /// `anyOf`, or `oneOf` if `exactly_one`.
    #[inline(never)]
    pub(super) fn union(
        &mut self,
        arms: &'a [Value],
        exactly_one: bool,
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        let possible = self.possible(arms, value);
        // With one arm left there is nothing to choose: `Option`, or types told apart.
        if let [only] = possible[..] {
            return self.visit(only, value, path, found);
        }
        let mut holding = 0;
        for arm in &possible {
            if self.holds(arm, value) {
                holding += 1;
                if !exactly_one {
                    return;
                }
            }
        }
        match holding {
            1 => {}
            _ if found.is_full() => found.count(),
            0 => self.no_arm(arms, &possible, value, path, found),
            _ => self.many_arms(&possible, value, path, found),
        }
    }

    /// The arms that may accept a value of this type.
    #[inline(never)]
    fn possible(&self, arms: &'a [Value], value: &Value) -> Vec<&'a Value> {
        let kind = Kinds::of_value(value);
        let fits = |arm: &&Value| Kinds::of_schema(self.root, arm).intersects(kind);
        arms.iter().filter(fits).collect()
    }

    #[inline(never)]
    fn many_arms(
        &mut self,
        possible: &[&'a Value],
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        let root = self.root;
        let holding = possible.iter().filter(|arm| self.holds(arm, value));
        let kinds: Vec<String> = holding.map(|arm| describe::kind(root, arm)).collect();
        found.add(|| Violation {
            got: format!("{}, which is {}", show(value), kinds.join(" and ")),
            ..mismatch(path, "exactly one of the alternatives".to_owned(), value)
        });
    }

    /// No arm holds: says what to change, in the arm that was meant if that can be told.
    #[inline(never)]
    fn no_arm(
        &mut self,
        all: &'a [Value],
        possible: &[&'a Value],
        value: &Value,
        path: &Path<'_>,
        found: &mut Found,
    ) {
        let flat = arms::possible(self.root, possible.iter().copied(), Kinds::of_value(value));
        if let Value::Object(map) = value {
            let at = At { map, value, path };
            if self.by_tag(&flat, &at, found) || self.by_key(&flat, &at, found) {
                return;
            }
        }
        found.add(|| self.alternatives(all, possible, &flat, value, path));
    }

    /// Nothing tells which arm was meant: all of them are named.
    #[inline(never)]
    fn alternatives(
        &self,
        all: &'a [Value],
        possible: &[&'a Value],
        flat: &[&'a Value],
        value: &Value,
        path: &Path<'_>,
    ) -> Violation {
        if !flat.is_empty() && flat.iter().all(|arm| !listed(arm).is_empty()) {
            let allowed: Vec<&Value> = flat.iter().flat_map(|arm| listed(arm)).collect();
            return not_listed(path, value, &allowed);
        }
        if let Some(expected) = self.tagged(all).filter(|_| flat.is_empty()) {
            return mismatch(path, expected, value);
        }
        let wanted = if possible.is_empty() {
            all.iter().collect()
        } else {
            possible.to_vec()
        };
        let alternatives = wanted
            .iter()
            .map(|arm| alternative(self.root, arm))
            .collect();
        mismatch(path, describe::or(alternatives), value)
    }

    /// `an object with "kind": "dot" or "rect"`, if that is what all arms are.
    fn tagged(&self, all: &'a [Value]) -> Option<String> {
        let arms = arms::possible(self.root, all, Kinds::ALL);
        let tag = arms::tag(&arms)?;
        let values = arms
            .iter()
            .filter_map(|arm| arms::property(arm, tag))
            .flat_map(listed);
        let values = describe::or(values.map(show).collect());
        Some(format!(
            "an object with {}: {values}",
            show(&Value::from(tag))
        ))
    }

    /// Internally or adjacently tagged: all arms have one property of fixed, different values.
    fn by_tag(&mut self, arms: &[&'a Value], at: &At<'_>, found: &mut Found) -> bool {
        let Some(tag) = arms::tag(arms) else {
            return false;
        };
        let allowed = |arm: &'a Value| arms::property(arm, tag).map(listed).unwrap_or_default();
        let all: Vec<&Value> = arms.iter().flat_map(|arm| allowed(arm)).collect();
        let Some(value) = at.map.get(tag) else {
            found.add(|| Violation {
                path: at.path.key(tag).pointer(),
                problem: Problem::Missing,
                expected: describe::or(all.iter().map(|value| show(value)).collect()),
                got: String::new(),
                suggestion: None,
            });
            return true;
        };
        let meant = arms::with_tag(arms, tag, value);
        match meant[..] {
            [] => found.add(|| not_listed(&at.path.key(tag), value, &all)),
            [arm] => self.visit(arm, at.value, at.path, found),
            // A tagged variant that holds a tagged enum.
            _ => return self.by_tag(&meant, at, found),
        }
        true
    }

    /// Externally tagged: each arm has exactly one property, of its own name.
    fn by_key(&mut self, arms: &[&'a Value], at: &At<'_>, found: &mut Found) -> bool {
        let keyed: Option<Vec<_>> = arms
            .iter()
            .map(|arm| Some((arms::only_key(arm)?, *arm)))
            .collect();
        let Some(keyed) = keyed.filter(|keyed| keyed.len() > 1) else {
            return false;
        };
        let mut meant = keyed.iter().filter(|(key, _)| at.map.contains_key(*key));
        match (meant.next(), meant.next(), at.map.keys().next()) {
            (Some((_, arm)), None, _) => self.visit(arm, at.value, at.path, found),
            (None, _, Some(came)) if at.map.len() == 1 => {
                let allowed: Vec<Value> = keyed.iter().map(|(key, _)| Value::from(*key)).collect();
                let came = Value::from(came.as_str());
                found.add(|| not_listed(at.path, &came, &allowed.iter().collect::<Vec<_>>()));
            }
            _ => {
                let keys = names(keyed.iter().map(|(key, _)| *key));
                let expected = format!("an object with exactly one of {keys}");
                found.add(|| mismatch(at.path, expected, at.value));
            }
        }
        true
    }
}

/// An object, where it stands.
struct At<'p> {
    map: &'p Map<String, Value>,
    value: &'p Value,
    path: &'p Path<'p>,
}

/// An arm among others: an object by its shape, anything else in words.
fn alternative(root: &Value, arm: &Value) -> String {
    let target = arm
        .as_object()
        .and_then(|keywords| arms::reference(root, keywords));
    let target = target.unwrap_or(arm);
    if target.get("properties").is_some() {
        describe::shape(root, target)
    } else {
        describe::expected(root, target)
    }
}
