//! Canonical schemas for tests, and the relation between a schema and its export.

use std::sync::Arc;

use schemars::JsonSchema;
use schemars::generate::Contract;
use serde_json::{Map, Value, json};

use super::super::schema::{Holds, holds, listed_values, resolve};
use super::super::wire;
use super::super::{Dialect, Export, Exportable, check_request, export};
use crate::schema::canonical::{self, ParamSchema};

/// One parameter `x: T`, as a tool that has it is registered.
pub(super) fn parameter<T: JsonSchema>() -> Arc<Value> {
    let mut generator = canonical::generator(Contract::Deserialize);
    let parameter = ParamSchema {
        name: "x".to_owned(),
        schema: generator.subschema_for::<T>().to_value(),
        required: true,
        ..ParamSchema::default()
    };
    let assembled = canonical::assemble(&[parameter], generator.take_definitions(true));
    Arc::new(assembled.expect("a good type").schema)
}

/// Exports one tool `f` with the description `Does it.`
pub(super) fn export_one(parameters: &Arc<Value>, dialect: Dialect) -> Export {
    export([Exportable::new("f", "Does it.", parameters)], dialect)
}

/// The exported parameters of one tool, and whether they are strict.
pub(super) fn exported(parameters: &Value, dialect: Dialect) -> (Value, bool) {
    let parameters = Arc::new(parameters.clone());
    let export = export_one(&parameters, dialect);
    assert_eq!(export.tools.len(), 1, "{dialect}: {}", export.report);
    schema_of(dialect, &export.tools[0])
}

pub(super) fn schema_of(dialect: Dialect, tool: &Value) -> (Value, bool) {
    let wire = wire::read(dialect, tool).unwrap();
    let none = json!({ "type": "object", "properties": {} });
    (wire.schema.cloned().unwrap_or(none), wire.strict)
}

/// The schema at a path of property names and `[]` for items, through `$ref` and a union with
/// `null`.
pub(super) fn at<'v>(root: &'v Value, path: &str) -> &'v Value {
    let mut schema = plain(root, root);
    for step in path.split('.') {
        let below = if step == "[]" {
            &schema["items"]
        } else {
            &schema["properties"][step]
        };
        assert!(below.is_object(), "no `{step}` in {schema}");
        schema = plain(root, below);
    }
    schema
}

fn plain<'v>(root: &'v Value, schema: &'v Value) -> &'v Value {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        return plain(root, resolve(root, reference).unwrap());
    }
    match schema
        .get("anyOf")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
    {
        Some([one]) => plain(root, one),
        Some([one, null]) if null == &json!({ "type": "null" }) => plain(root, one),
        _ => schema,
    }
}

/// Every schema of a document, with its pointer.
pub(super) fn every_schema(document: &Value, mut visit: impl FnMut(&str, &Map<String, Value>)) {
    let mut open = vec![(String::new(), document)];
    while let Some((at, schema)) = open.pop() {
        let Value::Object(map) = schema else { continue };
        visit(&at, map);
        for (keyword, value) in map {
            match (holds(keyword, value), value) {
                (Holds::Schema, _) => open.push((format!("{at}/{keyword}"), value)),
                (Holds::Schemas, Value::Array(list)) => {
                    let member = |(index, member)| (format!("{at}/{keyword}/{index}"), member);
                    open.extend(list.iter().enumerate().map(member));
                }
                (Holds::NamedSchemas, Value::Object(named)) => {
                    let member = |(name, member)| (format!("{at}/{keyword}/{name}"), member);
                    open.extend(named.iter().map(member));
                }
                _ => {}
            }
        }
    }
}

/// That an export breaks no rule of its target, and that each `$ref` in it resolves.
pub(super) fn assert_accepted(export: &Export, dialect: Dialect) {
    let found = check_request(dialect, &export.tools);
    assert!(
        found.is_empty(),
        "{dialect}: {found:#?}\n{:#?}",
        export.tools
    );
    for tool in &export.tools {
        let (schema, _) = schema_of(dialect, tool);
        every_schema(&schema, |at, map| {
            if let Some(reference) = map.get("$ref") {
                let target = reference.as_str().and_then(|one| resolve(&schema, one));
                assert!(
                    target.is_some(),
                    "{dialect}: {reference} at {at} of {schema}"
                );
            }
        });
    }
}

/// Gemini's `nullable` and DeepSeek's `$def` in JSON Schema, for a validator.
pub(super) fn as_json_schema(schema: &Value) -> Value {
    let Value::Object(map) = schema else {
        return schema.clone();
    };
    let mut out = Map::new();
    for (keyword, value) in map {
        let value = match (holds(keyword, value), value) {
            (Holds::Schema, _) => as_json_schema(value),
            (Holds::Schemas, Value::Array(list)) => list.iter().map(as_json_schema).collect(),
            (Holds::NamedSchemas, Value::Object(named)) => {
                let named = named
                    .iter()
                    .map(|(name, one)| (name.clone(), as_json_schema(one)));
                Value::Object(named.collect())
            }
            _ => value.clone(),
        };
        let value = match value {
            Value::String(reference) if keyword == "$ref" => {
                json!(reference.replacen("#/$def/", "#/$defs/", 1))
            }
            value => value,
        };
        let keyword = if keyword == "$def" { "$defs" } else { keyword };
        out.insert(keyword.to_owned(), value);
    }
    let nullable = out.remove("nullable") == Some(json!(true));
    let out = Value::Object(out);
    if nullable {
        json!({ "anyOf": [out, { "type": "null" }] })
    } else {
        out
    }
}

pub(super) fn is_valid(schema: &Value, value: &Value) -> bool {
    judge(schema).is_valid(value)
}

/// What decides in tests: the `jsonschema` crate, by JSON Schema 2020-12.
pub(super) fn judge(schema: &Value) -> jsonschema::Validator {
    let options = jsonschema::draft202012::options().should_validate_formats(true);
    crate::schema::validate::format::OWN
        .into_iter()
        .fold(options, |options, (name, check)| {
            options.with_format(name, check)
        })
        .build(schema)
        .unwrap_or_else(|error| panic!("{error}: {schema}"))
}

/// What a model that obeys an exported schema sends for `value`: a `null` for each required
/// property that `value` leaves out.
pub(super) fn completed(root: &Value, schema: &Value, value: &Value) -> Value {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        return completed(root, resolve(root, reference).unwrap(), value);
    }
    if let Some(Value::Array(arms)) = schema.get("anyOf") {
        for arm in arms {
            let filled = completed(root, arm, value);
            let mut arm = arm.clone();
            if let (Value::Object(arm), Some(definitions)) = (&mut arm, root.get("$defs")) {
                arm.insert("$defs".to_owned(), definitions.clone());
            }
            if is_valid(&arm, &filled) {
                return filled;
            }
        }
        return value.clone();
    }
    match value {
        Value::Object(members) => {
            let mut filled: Map<String, Value> = members
                .iter()
                .map(|(name, member)| {
                    (
                        name.clone(),
                        completed(root, &schema["properties"][name], member),
                    )
                })
                .collect();
            for name in schema["required"].as_array().into_iter().flatten() {
                filled.entry(name.as_str().unwrap()).or_insert(Value::Null);
            }
            Value::Object(filled)
        }
        Value::Array(members) => members
            .iter()
            .map(|member| completed(root, &schema["items"], member))
            .collect(),
        _ => value.clone(),
    }
}

/// The strings that a schema lists, wherever they are.
pub(super) fn listed(document: &Value) -> Vec<String> {
    let mut all = Vec::new();
    every_schema(document, |_, map| {
        let values = listed_values(map).unwrap_or_default();
        all.extend(values.iter().filter_map(Value::as_str).map(str::to_owned));
    });
    all.sort();
    all.dedup();
    all
}

pub(super) fn none() -> Arc<Value> {
    Arc::new(json!({ "type": "object", "properties": {}, "additionalProperties": false }))
}

pub(super) fn names(count: usize) -> Vec<String> {
    (0..count)
        .map(|number| format!("tool{number:05}"))
        .collect()
}

pub(super) fn export_all(tools: &[(String, Arc<Value>)], dialect: Dialect) -> Export {
    let tools = tools
        .iter()
        .map(|(name, parameters)| Exportable::new(name, "Does it.", parameters));
    export(tools, dialect)
}
