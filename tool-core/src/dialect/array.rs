//! Arrays and tuples.

use serde_json::{Value, json};

use super::describe::{brief, with_notes};
use super::schema::Object;

/// The members of a tuple: `prefixItems`, or `items` as a list, as it was before 2020-12.
pub(super) struct Members<'s> {
    keyword: &'static str,
    prefix: &'s [Value],
    rest: Rest<'s>,
    given_most: bool,
}

enum Rest<'s> {
    Nothing,
    Anything,
    Some(&'static str, &'s Value),
}

static ANYTHING: Value = Value::Bool(true);

impl<'s> Members<'s> {
    pub(super) fn of(schema: &'s Object) -> Option<Self> {
        let (keyword, members, rest_keyword) =
            match (schema.get("prefixItems"), schema.get("items")) {
                (Some(Value::Array(members)), _) => ("prefixItems", members, "items"),
                (_, Some(Value::Array(members))) => ("items", members, "additionalItems"),
                _ => return None,
            };
        let most = schema.get("maxItems").and_then(Value::as_u64);
        let full = most.is_some_and(|most| most <= members.len() as u64);
        let rest = match schema.get(rest_keyword) {
            Some(Value::Bool(false)) => Rest::Nothing,
            _ if full => Rest::Nothing,
            None | Some(Value::Bool(true)) => Rest::Anything,
            Some(rest) => Rest::Some(rest_keyword, rest),
        };
        Some(Self {
            keyword,
            prefix: members,
            rest,
            given_most: most.is_some(),
        })
    }

    /// Every schema that a member may have, with the pointer from the array's schema.
    pub(super) fn all(&self) -> impl Iterator<Item = (String, &'s Value)> {
        let keyword = self.keyword;
        let rest = match self.rest {
            Rest::Nothing => None,
            Rest::Anything => Some(("items".to_owned(), &ANYTHING)),
            Rest::Some(keyword, rest) => Some((keyword.to_owned(), rest)),
        };
        let members = self.prefix.iter().enumerate();
        members
            .map(move |(at, member)| (format!("{keyword}/{at}"), member))
            .chain(rest)
    }

    /// Writes an array of any of `members`, which are those of [`Members::all`] as exported.
    /// The order goes to the description, a length that nothing says to `maxItems`.
    pub(super) fn write_as_array(&self, members: &[Value], out: &mut Object) {
        if let Some(note) = self.order(members) {
            let description = out.get("description").and_then(Value::as_str);
            let description = with_notes(description, &[note]);
            out.insert("description".to_owned(), json!(description));
        }
        out.insert("items".to_owned(), any_of(members));
        self.write_most(out);
    }

    /// `items: false` is a length, too.
    pub(super) fn write_most(&self, out: &mut Object) {
        if matches!(self.rest, Rest::Nothing) && !self.given_most {
            out.insert("maxItems".to_owned(), json!(self.prefix.len()));
        }
    }

    /// `in this order: number, string`, if the order matters.
    pub(super) fn order(&self, members: &[Value]) -> Option<String> {
        differ(members).then(|| {
            let listed = members.iter().take(self.prefix.len()).map(brief);
            format!("in this order: {}", listed.collect::<Vec<_>>().join(", "))
        })
    }
}

/// Whether not all members have the same schema.
pub(super) fn differ(members: &[Value]) -> bool {
    members.windows(2).any(|pair| pair[0] != pair[1])
}

/// A schema for any of `members`.
pub(super) fn any_of(members: &[Value]) -> Value {
    let mut different: Vec<&Value> = Vec::new();
    for member in members {
        if !different.contains(&member) {
            different.push(member);
        }
    }
    match different.as_slice() {
        [] => json!({}),
        [one] => (*one).clone(),
        // `{}` accepts what the others do.
        several if several.iter().any(|member| *member == &json!({})) => json!({}),
        several => json!({ "anyOf": several }),
    }
}
