//! JSON Schemas as TypeScript types.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::docs::doc;
use crate::naming::{Named, Names, address};
use crate::resolve::Document;
use crate::spell;
use crate::union::{Alternatives, braced, literal};
use crate::wide;

/// Types nested deeper than this say nothing more.
pub(crate) const DEEPEST: usize = 40;

/// The type of `schema`, indented for a line that starts at `indent`. `base` names the root where a
/// type refers to it, and `untyped` is what stands for "any JSON". `Names::spell` completes the text.
pub(crate) fn type_of(
    schema: &Value,
    base: &str,
    untyped: &'static str,
    indent: usize,
    names: &mut Names,
) -> String {
    let document = Document::new(schema);
    let found = Named::find(document, base);
    let mut renderer = Renderer {
        document,
        untyped,
        names,
        called: BTreeMap::new(),
        touched: 0,
    };
    let mut reserved = Vec::new();
    for target in &found.targets {
        let (number, name) = renderer.names.reserve(&target.base);
        renderer.called.insert(address(target.schema), name.clone());
        reserved.push((number, name, target.schema));
    }
    for (number, name, schema) in reserved {
        let declaration = renderer.declaration(&name, schema);
        renderer.names.declare(number, declaration);
    }
    renderer.union(schema, indent, 0, None).joined()
}

struct Renderer<'s, 'n> {
    document: Document<'s>,
    untyped: &'static str,
    names: &'n mut Names,
    /// The names of schemas, by their address in the document.
    called: BTreeMap<usize, String>,
    /// How often a name was used so far.
    touched: usize,
}

impl<'s> Renderer<'s, '_> {
    fn declaration(&mut self, name: &str, schema: &'s Value) -> String {
        let doc = doc(&self.describing(schema, true), 0);
        let object = is_plain_object(schema);
        let ty = self.top(schema);
        match (object, ty.starts_with('{')) {
            (true, true) => format!("{doc}interface {name} {ty}\n"),
            _ => format!("{doc}type {name} = {ty};\n"),
        }
    }

    /// The body of a named type. Where an alternative of it leads straight back to it, TypeScript
    /// could not tell what it is; `type A = A | null` becomes `type A = unknown | null`.
    fn top(&mut self, schema: &'s Value) -> String {
        self.parts(schema, 0, 0, Some(schema)).joined()
    }

    /// The alternatives of a schema, after looking up its name.
    fn union(
        &mut self,
        schema: &'s Value,
        indent: usize,
        depth: usize,
        own: Option<&'s Value>,
    ) -> Alternatives {
        if let Some(name) = self.called.get(&address(schema)).cloned() {
            if own.is_some_and(|own| self.leads_back(schema, own)) {
                return Alternatives::one(self.untyped);
            }
            self.touched += 1;
            return Alternatives::one(name);
        }
        self.parts(schema, indent, depth, own)
    }

    /// What describes a value beside `schema`: what it refers to, unless that has a name and with it
    /// a comment of its own, and the one alternative that is not `null`.
    fn describing(&self, schema: &'s Value, named: bool) -> Vec<&'s Value> {
        let mut found = Vec::new();
        let mut next = Some(schema);
        while let Some(schema) = next {
            let own_name = self.called.contains_key(&address(schema));
            if (own_name && !(named && found.is_empty())) || found.len() > DEEPEST {
                break;
            }
            found.push(schema);
            let reference = schema.get("$ref").and_then(Value::as_str);
            let parts = ["anyOf", "oneOf"].map(|keyword| schema.get(keyword));
            let parts = parts.into_iter().flatten().filter_map(Value::as_array);
            let some: Vec<&Value> = parts
                .flatten()
                .filter(|part| part.get("type").is_none_or(|ty| ty != "null"))
                .collect();
            next = match (reference, &some[..]) {
                (Some(reference), _) => self.document.target(reference),
                (None, [only]) => Some(*only),
                _ => None,
            };
        }
        found
    }

    fn leads_back(&self, from: &'s Value, own: &'s Value) -> bool {
        let mut reached = Vec::new();
        self.document.alternatives(from, usize::MAX, &mut reached);
        reached.iter().any(|schema| std::ptr::eq(*schema, own))
    }

    fn parts(
        &mut self,
        schema: &'s Value,
        indent: usize,
        depth: usize,
        own: Option<&'s Value>,
    ) -> Alternatives {
        let map = match schema {
            Value::Bool(false) => return Alternatives::one("never"),
            Value::Object(map) if depth <= DEEPEST => map,
            _ => return Alternatives::one(self.untyped),
        };
        let deeper = depth + 1;
        // All of these hold at once.
        let mut all: Vec<Alternatives> = Vec::new();
        if let Some(value) = map.get("const") {
            all.push(Alternatives::one(literal(value)));
        } else if let Some(Value::Array(values)) = map.get("enum") {
            all.push(Alternatives::of(values.iter().map(literal).collect()));
        } else if let Some(own_type) = self.own_type(map, indent, depth) {
            all.push(own_type);
        }
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            match self.document.target(reference) {
                Some(target) => all.push(self.union(target, indent, deeper, own)),
                None => all.push(Alternatives::one(self.untyped)),
            }
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(parts)) = map.get(keyword).filter(|parts| !is_empty(parts)) {
                let mut any = Vec::new();
                for part in parts {
                    any.extend(self.union(part, indent, deeper, own).0);
                }
                all.push(Alternatives::of(any));
            }
        }
        if let Some(Value::Array(parts)) = map.get("allOf") {
            for part in parts {
                all.push(self.union(part, indent, deeper, own));
            }
        }
        all.retain(|part| part.0.len() != 1 || part.0[0] != self.untyped);
        match all.len() {
            0 => Alternatives::one(self.untyped),
            1 => all.remove(0),
            _ => {
                let parts: Vec<String> = all.iter().map(Alternatives::enclosed).collect();
                Alternatives::one(parts.join(" & "))
            }
        }
    }

    /// What `type` and the keywords beside it say.
    fn own_type(
        &mut self,
        map: &'s Map<String, Value>,
        indent: usize,
        depth: usize,
    ) -> Option<Alternatives> {
        let types: Vec<&str> = match map.get("type") {
            Some(Value::String(ty)) => vec![ty],
            Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect(),
            _ if map.contains_key("properties") => vec!["object"],
            _ if map.contains_key("prefixItems") || map.contains_key("items") => vec!["array"],
            _ => return None,
        };
        let mut any = Vec::new();
        for ty in types {
            any.push(match ty {
                "null" => "null".to_owned(),
                "boolean" => "boolean".to_owned(),
                "number" => "number".to_owned(),
                "string" => "string".to_owned(),
                "integer" => self.integer(map),
                "array" => self.array(map, indent, depth),
                "object" => self.object(map, indent, depth),
                _ => self.untyped.to_owned(),
            });
        }
        Some(Alternatives::of(any))
    }

    fn integer(&mut self, map: &Map<String, Value>) -> String {
        if wide::is_64_bit(map) {
            self.names.uses_int64 = true;
            "Int64".to_owned()
        } else {
            "number".to_owned()
        }
    }

    fn array(&mut self, map: &'s Map<String, Value>, indent: usize, depth: usize) -> String {
        let size = |keyword: &str| {
            map.get(keyword)
                .and_then(Value::as_u64)
                .and_then(|size| usize::try_from(size).ok())
        };
        let (least, most) = (size("minItems").unwrap_or(0), size("maxItems"));
        let (prefix, rest) = match (map.get("prefixItems"), map.get("items")) {
            (Some(Value::Array(prefix)), rest) => (prefix.as_slice(), rest),
            (_, Some(Value::Array(prefix))) => (prefix.as_slice(), map.get("additionalItems")),
            (_, rest) => (&[][..], rest),
        };
        if prefix.is_empty() {
            let Some(item) = rest else {
                return format!("{}[]", self.untyped);
            };
            let item = self.union(item, indent, depth + 1, None).enclosed();
            return match most {
                // `[u8; 3]`
                Some(size) if size == least && (1..=8).contains(&size) => {
                    format!("[{}]", vec![item; size].join(", "))
                }
                _ => format!("{item}[]"),
            };
        }
        let mut items = Vec::new();
        for (at, item) in prefix.iter().enumerate() {
            let item = self.union(item, indent, depth + 1, None);
            let optional = at >= least && most.is_none_or(|most| most > least);
            items.push(if optional {
                format!("{}?", item.enclosed())
            } else {
                item.joined()
            });
        }
        let full = most.is_some_and(|most| most <= prefix.len());
        match rest {
            _ if full => {}
            Some(Value::Bool(false)) => {}
            Some(rest) => {
                let rest = self.union(rest, indent, depth + 1, None).enclosed();
                items.push(format!("...{rest}[]"));
            }
            None => items.push(format!("...{}[]", self.untyped)),
        }
        format!("[{}]", items.join(", "))
    }

    fn object(&mut self, map: &'s Map<String, Value>, indent: usize, depth: usize) -> String {
        let none = Map::new();
        let properties = map.get("properties").and_then(Value::as_object);
        let required: BTreeSet<&str> = match map.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => BTreeSet::new(),
        };
        let mut keys: BTreeSet<&str> = required.clone();
        keys.extend(properties.unwrap_or(&none).keys().map(String::as_str));
        let additional = Additional::of(map, keys.is_empty());
        if keys.is_empty() {
            return match additional {
                Additional::None => "Record<string, never>".to_owned(),
                Additional::Any => format!("Record<string, {}>", self.untyped),
                Additional::Typed(schemas) => self.record(&schemas, indent, depth),
            };
        }
        let mut lines = Vec::new();
        let mut types = Vec::new();
        for key in keys {
            let schema = properties.and_then(|properties| properties.get(key));
            let ty = match schema {
                Some(schema) => self.union(schema, indent + 2, depth + 1, None),
                None => Alternatives::one(self.untyped),
            };
            let mark = if required.contains(key) { "" } else { "?" };
            let doc = schema
                .map(|schema| doc(&self.describing(schema, false), indent + 2))
                .unwrap_or_default();
            lines.push((doc, format!("{}{mark}: {}", spell::key(key), ty.joined())));
            types.extend(ty.0);
            if mark == "?" {
                types.push("undefined".to_owned());
            }
        }
        match additional {
            Additional::None => {}
            Additional::Any => lines.push((String::new(), "[key: string]: unknown".to_owned())),
            Additional::Typed(schemas) => {
                // An index signature has to cover the named properties, too.
                let mut any = self.any_of(&schemas, indent + 2, depth + 1);
                any.append(&mut types);
                let any = Alternatives::of(any).joined();
                lines.push((String::new(), format!("[key: string]: {any}")));
            }
        }
        braced(&lines, indent)
    }

    /// `Record<string, T>`; where `T` has a name it may be recursive, and only an index signature
    /// may refer to a type that is still being declared.
    fn record(&mut self, schemas: &[&'s Value], indent: usize, depth: usize) -> String {
        let before = self.touched;
        let ty = Alternatives::of(self.any_of(schemas, indent, depth + 1)).joined();
        if self.touched == before {
            format!("Record<string, {ty}>")
        } else {
            format!("{{ [key: string]: {ty} }}")
        }
    }

    fn any_of(&mut self, schemas: &[&'s Value], indent: usize, depth: usize) -> Vec<String> {
        let mut any = Vec::new();
        for schema in schemas {
            any.extend(self.union(schema, indent, depth, None).0);
        }
        any
    }
}

/// The properties of an object that have no name.
enum Additional<'s> {
    None,
    Any,
    /// As one of these says: those of `patternProperties` and `additionalProperties`.
    Typed(Vec<&'s Value>),
}

impl<'s> Additional<'s> {
    /// An object that says nothing at all, not even names, holds anything; where there are names,
    /// more is allowed but not worth a mention.
    fn of(map: &'s Map<String, Value>, nameless: bool) -> Self {
        let patterns = map.get("patternProperties").and_then(Value::as_object);
        let mut typed: Vec<&Value> = patterns.iter().flat_map(|map| map.values()).collect();
        match map.get("additionalProperties") {
            Some(Value::Bool(true)) => return Self::Any,
            Some(Value::Bool(false)) => {}
            Some(schema) => typed.push(schema),
            None if nameless && typed.is_empty() => return Self::Any,
            None => {}
        }
        if typed.is_empty() {
            Self::None
        } else {
            Self::Typed(typed)
        }
    }
}

/// An object that says nothing beside its own type, so that an `interface` can hold it.
fn is_plain_object(schema: &Value) -> bool {
    let object = match schema.get("type") {
        Some(ty) => ty == "object",
        None => schema.get("properties").is_some(),
    };
    object
        && !["anyOf", "oneOf", "allOf", "$ref", "enum", "const"]
            .iter()
            .any(|keyword| schema.get(keyword).is_some())
}

fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty)
}
