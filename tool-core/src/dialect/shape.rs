//! One tool's parameters under one set of rules.

use serde_json::{Value, json};

use super::free;
use super::graph::Graph;
use super::measure::Size;
use super::names::Keys;
use super::report::{Action, Finding};
use super::root::fold;
use super::rule::{Per, Refs, Root, Rules};
use super::schema::{Object, pointer_of, resolve};
use super::typed::Typed;
use super::work::Work;

/// How many levels of JSON a schema may have before anything walks it by recursion.
const DEEPEST_JSON: usize = 160;

/// The only dialect MCP clients have to know.
const CURRENT_DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// A tool's parameters as a target accepts them.
#[derive(Debug)]
pub(super) struct Shaped {
    pub(super) schema: Value,
    pub(super) findings: Vec<Finding>,
    pub(super) size: Size,
    pub(super) keys: Keys,
}

/// Rewrites `parameters` to what `rules` accept, or says why that cannot be.
///
/// With `drop_nulls`, a property that may be absent is not also `null`: fewer unions.
pub(super) fn shape(
    parameters: &Value,
    rules: &'static Rules,
    drop_nulls: bool,
) -> Result<Shaped, Vec<Finding>> {
    let refuse = |what: String| {
        let action = if rules.strict {
            Action::WentNonStrict
        } else {
            Action::LeftOut
        };
        vec![Finding {
            path: String::new(),
            what,
            action,
        }]
    };
    if deeper_than(parameters, DEEPEST_JSON) {
        return Err(refuse(format!(
            "a schema of more than {DEEPEST_JSON} levels of JSON"
        )));
    }
    if parameters.get("type").is_none_or(|one| one != "object") && !has_reference(parameters) {
        return Err(refuse("parameters that are not an object".to_owned()));
    }
    if rules.root == Root::Object {
        return Ok(as_it_is(parameters));
    }
    let mut findings = Vec::new();
    let document = fold(parameters, &mut findings);
    let graph = Graph::new(&document);
    if let Some(cycle) = refused_cycle(&graph, rules.refs()) {
        return Err(refuse(format!("a recursive type: {cycle}")));
    }
    let keys = Keys::new(&document, rules.property_name);
    let mut work = Work::new(rules, &document, &graph, &keys);
    for finding in findings {
        work.found(&finding.path, finding.what, finding.action);
    }
    for (own, exported) in keys.iter() {
        work.found(
            "",
            format!("property `{own}`, as `{exported}`"),
            Action::Renamed,
        );
    }
    let (schema, work) = if rules.takes_any_schema() {
        write(work, |work, schema, at, _, depth| {
            free::copy(work, schema, at, depth)
        })
    } else {
        let mut typed = Typed::new(drop_nulls);
        write(work, |work, schema, at, reference, depth| {
            typed.definition(work, schema, at, reference, depth)
        })
    };
    let findings = work.finish()?;
    let size = Size::of(&schema);
    let excess: Vec<Finding> = rules
        .limits
        .iter()
        .filter(|limit| limit.per == Per::Tool && size.count(limit.count) > limit.most)
        .flat_map(|limit| {
            let (count, noun) = (size.count(limit.count), limit.count.noun());
            refuse(format!("{count} {noun}, {} are accepted", limit.most))
        })
        .collect();
    if excess.is_empty() {
        Ok(Shaped {
            schema,
            findings,
            size,
            keys,
        })
    } else {
        Err(excess)
    }
}

/// Writes the root, then each definition that something written refers to.
fn write<'a>(
    mut work: Work<'a>,
    mut walk: impl FnMut(&mut Work<'a>, &Value, &str, &str, usize) -> Value,
) -> (Value, Work<'a>) {
    let document = work.document;
    let mut schema = walk(&mut work, document, "", "#", 0);
    let mut definitions = Object::new();
    while let Some((reference, name)) = work.definitions.next() {
        let at = pointer_of(&reference).unwrap_or_default().into_owned();
        let Some(target) = resolve(document, &reference) else {
            work.cannot("", format!("`$ref` to `{reference}`, which is not there"));
            continue;
        };
        let definition = walk(&mut work, target, &at, &reference, 1);
        definitions.insert(name, definition);
    }
    if !definitions.is_empty() {
        schema[work.rules.definitions()] = Value::Object(definitions);
    }
    (schema, work)
}

/// MCP takes any schema with an object at the root.
fn as_it_is(parameters: &Value) -> Shaped {
    let mut schema = parameters.clone();
    if let Value::Object(map) = &mut schema {
        if map
            .get("$schema")
            .is_some_and(|dialect| dialect != CURRENT_DIALECT)
        {
            map.remove("$schema");
        }
        map.entry("type").or_insert_with(|| json!("object"));
    }
    Shaped {
        schema,
        findings: Vec::new(),
        size: Size::default(),
        keys: Keys::default(),
    }
}

fn refused_cycle(graph: &Graph, refs: Refs) -> Option<String> {
    match refs {
        Refs::Inlined | Refs::Sole => graph.cycle(),
        Refs::OptionalCycles => graph.bare_cycle(),
        _ => None,
    }
}

fn has_reference(schema: &Value) -> bool {
    schema.get("$ref").is_some()
}

/// Without recursion, since that is what it protects.
fn deeper_than(value: &Value, most: usize) -> bool {
    let mut open = vec![(value, 0)];
    while let Some((value, depth)) = open.pop() {
        if depth > most {
            return true;
        }
        match value {
            Value::Array(members) => {
                open.extend(members.iter().map(|member| (member, depth + 1)));
            }
            Value::Object(members) => {
                open.extend(members.values().map(|member| (member, depth + 1)));
            }
            _ => {}
        }
    }
    false
}
