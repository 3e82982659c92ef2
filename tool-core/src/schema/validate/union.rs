//! Unions: find the arm that was meant, and report inside it.

use serde_json::{Map, Value};

use super::describe;
use super::violation::{Found, Problem, Violation, names, show};
use super::walk::{Walk, mismatch, not_listed};
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
        let kind = Kinds::of_value(value);
        let root = self.root;
        let fits = |arm: &&Value| Kinds::of_schema(root, arm).intersects(kind);
        let possible: Vec<&Value> = arms.iter().filter(fits).collect();
        // With one arm left there is nothing to choose: `Option`, or types told apart.
        if let [only] = possible[..] {
            return self.visit(only, value, path, found);
        }
        let mut holding = Vec::new();
        for arm in &possible {
            if self.holds(arm, value) {
                holding.push(*arm);
                if !exactly_one {
                    return;
                }
            }
        }
        if holding.len() == 1 {
            return;
        }
        if found.is_probe() {
            found.add(|| mismatch(path, String::new(), value));
        } else if holding.is_empty() {
            self.no_arm(arms, &possible, value, path, found);
        } else {
            let fitting = holding
                .iter()
                .map(|arm| describe::kind(root, arm))
                .collect::<Vec<_>>();
            found.add(|| Violation {
                got: format!("{}, which is {}", show(value), fitting.join(" and ")),
                ..mismatch(path, "exactly one of the alternatives".to_owned(), value)
            });
        }
    }

    /// No arm holds: says what to change, in the arm that was meant if that can be told.
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
        if !flat.is_empty() && flat.iter().all(|arm| !listed(arm).is_empty()) {
            let allowed: Vec<&Value> = flat.iter().flat_map(|arm| listed(arm)).collect();
            found.add(|| not_listed(path, value, &allowed));
            return;
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
        found.add(|| mismatch(path, describe::or(alternatives), value));
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
        let meant: Vec<&Value> = arms
            .iter()
            .copied()
            .filter(|arm| allowed(arm).contains(&value))
            .collect();
        match meant[..] {
            [] => found.add(|| not_listed(&at.path.key(tag), value, &all)),
            [arm] => self.visit(arm, at.value, at.path, found),
            _ => return false,
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
