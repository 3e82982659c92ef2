//! One schema under the rules of its target: everything that is refused.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::measure::Size;
use super::root::REFUSED;
use super::rule::{Closing, Null, Per, Refs, Root, Rules, Treat, Untyped, Values};
use super::schema::{
    Object, for_each_child, is_annotation, is_definitions, listed_types, required, resolve, type_of,
};

/// One exported schema under the rules of its target.
pub(super) struct Checker<'v> {
    pub(super) rules: &'static Rules,
    pub(super) root: &'v Value,
    pub(super) found: Vec<String>,
}

impl<'v> Checker<'v> {
    /// Everything that is refused about the schema.
    pub(super) fn whole(&mut self, schema: &'v Value) {
        self.root(schema);
        self.schema(schema, "", false);
        self.definitions(schema);
        self.cycles(schema);
        self.limits(schema);
    }

    pub(super) fn say(&mut self, at: &str, what: &str, source: &str) {
        self.found
            .push(format!("{}: `{at}`: {what} ({source})", self.rules.label));
    }

    fn root(&mut self, schema: &Value) {
        let (source, plain) = match self.rules.root {
            Root::Object => (self.rules.others_source, false),
            Root::Plain { source } => (source, true),
        };
        if schema.get("type") != Some(&json!("object")) {
            self.say("", "the root is not an object", source);
        }
        let unsaid = matches!(self.rules.closing(), Closing::Unsaid)
            || schema
                .get("additionalProperties")
                .is_some_and(|more| more != &json!(false));
        if plain && !unsaid && !schema.get("properties").is_some_and(Value::is_object) {
            self.say("", "the root has no `properties`", source);
        }
        for keyword in REFUSED
            .iter()
            .filter(|keyword| plain && schema.get(**keyword).is_some())
        {
            self.say("", &format!("`{keyword}` at the root"), source);
        }
    }

    fn schema(&mut self, schema: &'v Value, at: &str, in_union: bool) {
        let Value::Object(map) = schema else {
            let plain = matches!(self.rules.root, Root::Plain { .. });
            let closes = at.ends_with("/additionalProperties")
                || (self.rules.takes_any_schema() && !at.ends_with("/items"));
            let in_properties = at.rsplit('/').nth(1) == Some("properties");
            if plain && (!closes || in_properties) {
                self.say(
                    at,
                    "a schema that is not an object",
                    self.rules.others_source,
                );
            }
            return;
        };
        for (keyword, value) in map {
            self.keyword(map, keyword, value, at, in_union);
        }
        self.types(map, at);
        self.objects(map, at);
        self.arrays(map, at);
        let mut children = Vec::new();
        for_each_child(map, |step, child| {
            let in_union = in_union || step.keyword == "anyOf";
            children.push((step.below(at), child, in_union));
        });
        for (at, child, in_union) in children {
            self.schema(child, &at, in_union);
        }
    }

    fn keyword(&mut self, map: &Object, keyword: &str, value: &Value, at: &str, in_union: bool) {
        let (treat, source) = self.rules.treat(keyword);
        let refused = match treat {
            Treat::Keep
            | Treat::Type(_)
            | Treat::RequireEvery
            | Treat::RequireDeclared
            | Treat::ItemsPresent => None,
            Treat::Describe
            | Treat::Drop
            | Treat::AsAnyOf
            | Treat::Merge
            | Treat::AsEnum
            | Treat::Tuple(super::rule::Tuple::AsArray | super::rule::Tuple::AlikeOrNotStrict) => {
                Some(format!("`{keyword}`"))
            }
            Treat::Tuple(_) => {
                (!map.contains_key("items")).then(|| "`prefixItems` without `items`".to_owned())
            }
            Treat::Closing(closing) => match closing {
                Closing::Free => None,
                Closing::Unsaid => Some(format!("`{keyword}`")),
                Closing::False | Closing::FalseAndFilled => (value != &json!(false))
                    .then(|| "`additionalProperties` is not `false`".to_owned()),
            },
            Treat::Definitions(name) => {
                (*name != keyword).then(|| format!("`{keyword}` instead of `{name}`"))
            }
            Treat::Ref(refs) => reference(*refs, map, in_union),
            Treat::Alone => map
                .keys()
                .find(|other| *other != "anyOf" && *other != "nullable" && !is_annotation(other))
                .map(|other| format!("`{other}` beside `anyOf`")),
            Treat::Values(values) => unlisted(*values, value),
            Treat::Formats(known) => value
                .as_str()
                .is_none_or(|own| !known.contains(&own))
                .then(|| format!("`format`: {value}")),
            Treat::Pattern(refused) => refused
                .iter()
                .find(|part| value.as_str().is_some_and(|own| own.contains(**part)))
                .map(|part| format!("`pattern` with `{part}`")),
            Treat::AtMost(most) => value
                .as_u64()
                .is_none_or(|own| own > *most)
                .then(|| format!("`{keyword}`: {value}, at most {most} is accepted")),
            Treat::IntegerBound => {
                let of_integer = map
                    .get("type")
                    .is_some_and(|one| one == "integer" || one == &json!(["integer", "null"]));
                (!of_integer || value.as_i64().is_none())
                    .then(|| format!("`{keyword}`: {value}, not on an integer of 64 bits"))
            }
        };
        if let Some(what) = refused {
            self.say(at, &what, source);
        }
        if keyword == "$ref"
            && value
                .as_str()
                .is_none_or(|reference| resolve(self.root, reference).is_none())
        {
            self.say(at, &format!("`$ref`: {value} points to nothing"), source);
        }
    }

    /// A list of types, no type at all, a value that no listed type allows.
    fn types(&mut self, map: &Object, at: &str) {
        if self.rules.takes_any_schema() {
            return;
        }
        let (_, source) = self.rules.treat("type");
        let types = self.rules.types();
        match map.get("type") {
            Some(Value::String(one)) if one == "null" && types.null == Null::Keyword => {
                self.say(at, "`type`: `null`", source);
            }
            Some(Value::Array(list)) => {
                let scalar = list.iter().all(|one| one != "object" && one != "array");
                let null = list.len() == 2 && list[1] == "null";
                if types.null == Null::Keyword || !scalar || !null {
                    self.say(at, &format!("`type`: {}", map["type"]), source);
                }
            }
            None if !map.contains_key("anyOf")
                && !map.contains_key("$ref")
                && types.untyped != Untyped::Kept =>
            {
                self.say(at, "no `type`", source);
            }
            _ => {}
        }
        if let (Some(types), Some(Value::Array(values))) = (listed_types(map), map.get("enum")) {
            for value in values {
                let own = type_of(value);
                let integral = own == "integer" && types.contains(&"number");
                let float = own == "number" && types.contains(&"integer");
                if !types.contains(&own) && !integral && !float {
                    self.say(at, &format!("`enum` has {value}, `type` does not"), source);
                }
            }
        }
    }

    fn objects(&mut self, map: &Object, at: &str) {
        let properties = map.get("properties").and_then(Value::as_object);
        if let (Some(charset), Some(properties)) = (self.rules.property_name, properties) {
            for name in properties.keys().filter(|name| !charset.accepts(name)) {
                let what = format!("the property `{name}` does not match {}", charset.pattern);
                self.say(at, &what, charset.source);
            }
        }
        if self.rules.takes_any_schema() {
            return;
        }
        let is_object = listed_types(map).is_some_and(|types| types.contains(&"object"));
        let (_, source) = self.rules.treat("additionalProperties");
        match self.rules.closing() {
            Closing::False | Closing::FalseAndFilled if is_object => {
                if !map.contains_key("additionalProperties") {
                    self.say(at, "`additionalProperties` is not `false`", source);
                }
                if properties.is_none() {
                    self.say(at, "an object without `properties`", source);
                }
            }
            _ => {}
        }
        let empty = properties.is_none_or(Object::is_empty);
        if is_object && empty && !at.is_empty() && self.rules.closing() == Closing::FalseAndFilled {
            self.say(at, "an object without properties", source);
        }
        let (_, source) = self.rules.treat("required");
        let listed: BTreeSet<&str> = required(map).collect();
        let declared: BTreeSet<&str> = properties
            .into_iter()
            .flatten()
            .map(|(name, _)| name.as_str())
            .collect();
        for name in listed.difference(&declared) {
            self.say(
                at,
                &format!("`{name}` is required, but not declared"),
                source,
            );
        }
        if self.rules.requires_every_property() {
            for name in declared.difference(&listed) {
                self.say(at, &format!("`{name}` is not required"), source);
            }
        }
    }

    fn arrays(&mut self, map: &Object, at: &str) {
        let (treat, source) = self.rules.treat("items");
        let lists = listed_types(map).is_some_and(|types| types.contains(&"array"));
        let fixed = map.contains_key("enum") || map.contains_key("const");
        if matches!(treat, Treat::ItemsPresent)
            && lists
            && !fixed
            && !map.get("items").is_some_and(Value::is_object)
        {
            self.say(at, "an array without `items`", source);
        }
    }

    fn definitions(&mut self, schema: &'v Value) {
        for (keyword, definitions) in schema.as_object().into_iter().flatten() {
            if !is_definitions(keyword) {
                continue;
            }
            for (name, definition) in definitions.as_object().into_iter().flatten() {
                let at = format!("/{keyword}/{}", super::schema::escape(name));
                self.schema(definition, &at, false);
            }
        }
    }

    /// Recursion where there may be none, by following every way through the definitions.
    fn cycles(&mut self, schema: &'v Value) {
        let refs = self.rules.refs();
        if !matches!(refs, Refs::Sole | Refs::OptionalCycles) {
            return;
        }
        let mut below: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut open = vec![("#", schema)];
        while let Some((from, schema)) = open.pop() {
            if below.contains_key(from) {
                continue;
            }
            let mut references = BTreeSet::new();
            // A property that may be absent is where a cycle may go through.
            follow(schema, refs == Refs::OptionalCycles, &mut references);
            for reference in &references {
                open.extend(resolve(self.root, reference).map(|target| (*reference, target)));
            }
            below.insert(from, references);
        }
        let starts: Vec<&str> = below.keys().copied().collect();
        for start in starts {
            let mut seen = BTreeSet::new();
            let mut open: Vec<&str> = below[start].iter().copied().collect();
            while let Some(reference) = open.pop() {
                if reference == start {
                    let source = self.rules.treat("$ref").1;
                    self.say("", &format!("`{start}` is recursive"), source);
                    break;
                }
                if seen.insert(reference) {
                    open.extend(below.get(reference).into_iter().flatten().copied());
                }
            }
        }
    }

    fn limits(&mut self, schema: &Value) {
        let size = Size::of(schema);
        for limit in self
            .rules
            .limits
            .iter()
            .filter(|limit| limit.per == Per::Tool)
        {
            let count = size.count(limit.count);
            if count > limit.most {
                let noun = limit.count.noun();
                let most = limit.most;
                self.say(
                    "",
                    &format!("{count} {noun}, {most} are accepted"),
                    limit.source,
                );
            }
        }
    }
}

/// The references in `schema`, without those in properties that may be absent if `optional`.
fn follow<'v>(schema: &'v Value, skip_optional: bool, found: &mut BTreeSet<&'v str>) {
    let Value::Object(map) = schema else { return };
    found.extend(map.get("$ref").and_then(Value::as_str));
    for_each_child(map, |step, child| {
        let optional = step
            .property()
            .is_some_and(|name| !required(map).any(|listed| listed == name));
        if !(skip_optional && optional) {
            follow(child, skip_optional, found);
        }
    });
}

/// What is wrong with a `$ref` here.
fn reference(refs: Refs, map: &Object, in_union: bool) -> Option<String> {
    let beside = map.keys().find(|other| *other != "$ref");
    match refs {
        Refs::Inlined | Refs::Cut => Some("`$ref`".to_owned()),
        Refs::OutsideAnyOf if in_union => Some("`$ref` inside `anyOf`".to_owned()),
        Refs::Free | Refs::OutsideAnyOf => None,
        Refs::Wrapped | Refs::Sole | Refs::OptionalCycles => {
            beside.map(|other| format!("`{other}` beside `$ref`"))
        }
    }
}

/// The first value of an `enum` that is not of the accepted kinds.
fn unlisted(values: Values, listed: &Value) -> Option<String> {
    let accepted = |value: &Value| match values {
        Values::Strings => value.is_string(),
        Values::StringsAndNumbers => value.is_string() || value.is_number() || value.is_null(),
        Values::Scalars => !value.is_array() && !value.is_object(),
    };
    let listed = listed.as_array()?;
    if listed.is_empty() {
        return Some("an `enum` without values".to_owned());
    }
    listed
        .iter()
        .find(|value| !accepted(value))
        .map(|value| format!("`enum` with {value}"))
}
