//! Generated schemas, each with a value that it accepts, through every dialect.

use std::sync::Arc;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::report::Action;
use super::super::{Dialect, Exportable, export};
use super::support::{as_json_schema, assert_accepted, completed, export_one, is_valid, schema_of};

type Pair = (Value, Value);

/// Definitions that every generated document has, with a value of each.
fn definitions() -> Vec<(&'static str, Value, Value)> {
    let node = json!({
        "type": "object",
        "properties": {
            "v": { "type": "string", "description": "A name." },
            "kids": { "type": "array", "items": { "$ref": "#/$defs/Node" } },
        },
        "required": ["v", "kids"],
        "additionalProperties": false,
    });
    let list = json!({
        "type": "object",
        "properties": {
            "next": { "anyOf": [{ "$ref": "#/$defs/List" }, { "type": "null" }] },
        },
    });
    let point = json!({
        "type": "object",
        "description": "A point.",
        "properties": { "x": { "type": "number" }, "y": { "type": "number", "default": 0 } },
        "required": ["x"],
    });
    let shape = json!({
        "anyOf": [
            {
                "type": "object",
                "properties": { "kind": { "type": "string", "const": "dot" } },
                "required": ["kind"],
            },
            {
                "type": "object",
                "properties": { "kind": { "type": "string", "const": "at" } },
                "required": ["kind"],
                "$ref": "#/$defs/Point",
            },
        ],
    });
    vec![
        (
            "Node",
            node,
            json!({ "v": "a", "kids": [{ "v": "b", "kids": [] }] }),
        ),
        ("List", list, json!({ "next": { "next": null } })),
        ("Point", point, json!({ "x": 1.5 })),
        ("Shape", shape, json!({ "kind": "at", "x": 1, "y": 2 })),
        (
            "a/b c",
            json!({ "type": "string", "enum": ["a", "b"] }),
            json!("b"),
        ),
    ]
}

fn leaf() -> impl Strategy<Value = Pair> {
    let integer = (-5_i64..5).prop_map(|value| {
        (
            json!({ "type": "integer", "minimum": -5, "format": "int64" }),
            json!(value),
        )
    });
    let text = "[a-c]{1,3}".prop_map(|text| {
        (
            json!({ "type": "string", "minLength": 1, "pattern": "^(?=[a-c])" }),
            json!(text),
        )
    });
    let word = prop::sample::select(vec!["on", "off"])
        .prop_map(|word| (json!({ "enum": ["on", "off", "auto"] }), json!(word)));
    let nullable = any::<Option<bool>>()
        .prop_map(|value| (json!({ "type": ["boolean", "null"] }), json!(value)));
    let number = prop::sample::select(vec![1, 2]).prop_map(|value| {
        (
            json!({ "type": "integer", "enum": [1, 2, 3] }),
            json!(value),
        )
    });
    let mixed = prop::sample::select(vec![json!("a"), json!(1), json!(null)])
        .prop_map(|value| (json!({ "enum": ["a", 1, null] }), value));
    let several =
        prop::sample::select(vec![json!("a"), json!(1.5), json!(["a"])]).prop_map(|value| {
            let types = ["string", "number", "array"];
            (
                json!({ "type": types, "items": { "type": "string" }, "maxLength": 3 }),
                value,
            )
        });
    let reference = prop::sample::select(definitions()).prop_map(|(name, _, value)| {
        let reference = format!("#/$defs/{}", name.replace('/', "~1").replace(' ', "%20"));
        (json!({ "$ref": reference }), value)
    });
    let documented = prop::sample::select(definitions()).prop_map(|(name, _, value)| {
        let reference = format!("#/$defs/{}", name.replace('/', "~1").replace(' ', "%20"));
        (
            json!({ "$ref": reference, "description": "It.", "title": "It" }),
            value,
        )
    });
    let untyped = Just((json!({}), json!({ "any": [1] })));
    prop_oneof![
        4 => integer, 4 => text, 2 => word, 2 => nullable, 2 => number, 1 => mixed, 1 => several,
        3 => reference, 3 => documented, 1 => untyped,
        1 => Just((json!({ "type": "null" }), json!(null))),
        1 => Just((json!({ "const": "c", "description": "C." }), json!("c"))),
    ]
}

/// A property: its schema, a value, whether it is required and whether the value is there.
type Property = (Pair, bool, bool);

fn object(properties: &std::collections::BTreeMap<String, Property>, closed: Option<bool>) -> Pair {
    let mut schema = json!({ "type": "object", "properties": {}, "required": [] });
    let mut value = json!({});
    for (name, ((property, member), required, present)) in properties {
        schema["properties"][name] = property.clone();
        if *required {
            schema["required"].as_array_mut().unwrap().push(json!(name));
        }
        if *required || *present {
            value[name] = member.clone();
        }
    }
    if let Some(closed) = closed {
        schema["additionalProperties"] = json!(!closed);
    }
    (schema, value)
}

fn objects(inner: impl Strategy<Value = Pair>) -> impl Strategy<Value = Pair> {
    let property = (inner, any::<bool>(), any::<bool>());
    (
        btree_map("[a-d ]{1,2}", property, 0..4),
        any::<Option<bool>>(),
    )
        .prop_map(|(properties, closed)| object(&properties, closed))
}

fn schemas() -> impl Strategy<Value = Pair> {
    leaf().prop_recursive(4, 24, 4, |inner| {
        let array = vec(inner.clone(), 1..2).prop_map(|mut members| {
            let (schema, value) = members.remove(0);
            (json!({ "type": "array", "items": schema, "uniqueItems": true, "maxItems": 9 }), json!([value]))
        });
        let tuple = vec(inner.clone(), 1..4).prop_map(|members| {
            let (schemas, values): (Vec<Value>, Vec<Value>) = members.into_iter().unzip();
            let count = schemas.len();
            let schema = json!({
                "type": "array", "prefixItems": schemas, "items": false, "minItems": count,
            });
            (schema, json!(values))
        });
        let map = inner.clone().prop_map(|(schema, value)| {
            (json!({ "type": "object", "additionalProperties": schema }), json!({ "key": value }))
        });
        let union = (vec(inner.clone(), 1..4), any::<prop::sample::Index>()).prop_map(
            |(arms, chosen)| {
                let value = arms[chosen.index(arms.len())].1.clone();
                let arms: Vec<Value> = arms.into_iter().map(|(schema, _)| schema).collect();
                (json!({ "anyOf": arms, "description": "Either." }), value)
            },
        );
        let flattened = (objects(inner.clone()), any::<bool>()).prop_map(|((mut base, mut value), dot)| {
            // As serde's `flatten` of a tagged enum comes out.
            base.as_object_mut().unwrap().remove("additionalProperties");
            base["anyOf"] = json!([
                { "type": "object", "properties": { "tag": { "const": "dot" } }, "required": ["tag"] },
                { "type": "object", "properties": { "tag": { "const": "to" }, "n": { "type": "integer" } },
                  "required": ["tag", "n"] },
            ]);
            value["tag"] = json!(if dot { "dot" } else { "to" });
            if !dot {
                value["n"] = json!(1);
            }
            (base, value)
        });
        let all = (objects(inner.clone()), inner.clone()).prop_map(|((base, mut value), (schema, more))| {
            let mut base = base;
            base.as_object_mut().unwrap().remove("additionalProperties");
            let extra = json!({ "type": "object", "properties": { "more": schema }, "required": ["more"] });
            value["more"] = more;
            (json!({ "allOf": [base, extra] }), value)
        });
        prop_oneof![
            3 => objects(inner), 2 => array, 1 => tuple, 1 => map, 2 => union, 1 => flattened, 1 => all,
        ]
    })
}

fn documents() -> impl Strategy<Value = Pair> {
    objects(schemas()).prop_map(|(mut schema, value)| {
        let named = definitions()
            .into_iter()
            .map(|(name, schema, _)| (name.to_owned(), schema));
        schema["$defs"] = Value::Object(named.collect());
        (schema, value)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// No target refuses what goes out; what the tool accepts, the export does, too, unless the
    /// report says otherwise; and what comes back is what the tool accepts.
    #[test]
    fn exports_are_accepted_and_complete((schema, value) in documents()) {
        prop_assert!(is_valid(&schema, &value), "{value} against {schema}");
        let parameters = Arc::new(schema);
        for dialect in Dialect::ALL {
            let export = export_one(&parameters, dialect);
            assert_accepted(&export, dialect);
            let left_out = export.report.left_out().count();
            prop_assert_eq!(export.tools.is_empty(), left_out > 0);
            let Some(tool) = export.tools.first() else { continue };
            let has = |action| export.report.iter().any(|loss| loss.action == action);
            if has(Action::Narrowed) || has(Action::Renamed) {
                continue;
            }
            let (schema, strict) = schema_of(dialect, tool);
            let schema = as_json_schema(&schema);
            let sent = if strict { completed(&schema, &schema, &value) } else { value.clone() };
            prop_assert!(is_valid(&schema, &sent), "{}: {} against {:#}", dialect, sent, schema);
            let restored = export.names.restore_arguments("f", sent);
            prop_assert!(is_valid(&parameters, &restored), "{}: {}", dialect, restored);
        }
    }

    /// The list keeps its order; names and strictness do not depend on it.
    #[test]
    fn exports_do_not_depend_on_the_order(
        documents in vec(documents(), 1..6),
        names in btree_map("[a-z.ö]{1,3}", Just(()), 6),
    ) {
        let documents: Vec<Arc<Value>> =
            documents.into_iter().map(|(schema, _)| Arc::new(schema)).collect();
        let names: Vec<&String> = names.keys().collect();
        let tools: Vec<Exportable<'_>> = names
            .iter()
            .zip(&documents)
            .map(|(name, parameters)| Exportable::new(name, "Does it.", parameters))
            .collect();
        for dialect in Dialect::ALL {
            let forwards = export(tools.iter().copied(), dialect);
            let mut backwards = export(tools.iter().rev().copied(), dialect);
            assert_accepted(&forwards, dialect);
            backwards.tools.reverse();
            prop_assert_eq!(&forwards.tools, &backwards.tools, "{}", dialect);
        }
    }

    /// Arguments of any shape come through, and nothing panics.
    #[test]
    fn restoring_never_panics((schema, _) in documents(), (_, other) in documents()) {
        let parameters = Arc::new(schema);
        for dialect in Dialect::ALL {
            let export = export_one(&parameters, dialect);
            for arguments in [json!(null), json!([other]), json!({ "f": other }), other.clone()] {
                let restored = export.names.restore_arguments("f", arguments.clone());
                prop_assert_eq!(restored.is_object(), arguments.is_object());
            }
        }
    }
}
