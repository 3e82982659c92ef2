//! The canonical form, case by case.

use std::collections::HashMap;

use schemars::generate::Contract;
use serde_json::{Value, json};

use super::types::{
    Braces, ClosedFlat, Defaults, Endless, External, Flat, Keywords, Mode, Mutual, Nested, Node,
    Numbers, One, Open, Renamed, Shape, UnitStruct, Wh, one, output, param, param_of, whole,
};
use crate::schema::canonical::{self, ParamSchema, assemble, canonical_object, empty_object};
use crate::schema::validate::Compiled;

/// The schema of `x: T`, references followed once.
fn of<T: schemars::JsonSchema>() -> Value {
    let schema = one::<T>().schema;
    let x = schema["properties"]["x"].clone();
    match x["$ref"].as_str() {
        Some(reference) => schema.pointer(&reference[1..]).expect("resolves").clone(),
        None => x,
    }
}

#[test]
fn c01_no_parameters_is_one_schema() {
    let empty = json!({"type": "object", "properties": {}, "additionalProperties": false});
    assert_eq!(empty_object(), empty);
    assert_eq!(assemble(&[], serde_json::Map::new()).unwrap().schema, empty);
    assert_eq!(whole::<()>(), Ok(empty.clone()));
    assert_eq!(whole::<UnitStruct>(), Ok(empty.clone()));
    assert_eq!(whole::<Braces>(), Ok(empty));
}

#[test]
fn c02_c62_bounds_have_all_digits_and_no_format() {
    let numbers = of::<Numbers>();
    let integer = |minimum: Value, maximum: Value| json!({"type": "integer", "minimum": minimum, "maximum": maximum});
    let u32s = integer(json!(0), json!(u32::MAX));
    let expected = json!({
        "a": integer(json!(0), json!(255)),
        "b": u32s,
        "c": integer(json!(0), json!(u64::MAX)),
        "d": integer(json!(0), json!(u64::MAX)),
        "e": integer(json!(i64::MIN), json!(u64::MAX)),
        "g": {"type": "number", "minimum": f32::MIN, "maximum": f32::MAX},
        "h": {"type": ["integer", "null"], "minimum": 0, "maximum": u32::MAX},
        "v": {"type": "array", "items": integer(json!(0), json!(65535))},
        "i": integer(json!(i64::MIN), json!(i64::MAX)),
        "j": integer(json!(i64::MIN), json!(i64::MAX)),
        "k": integer(json!(-128), json!(127)),
    });
    assert_eq!(numbers["properties"], expected);
    assert!(numbers.to_string().contains("18446744073709551615"));
}

#[test]
fn c05_no_schema_uri_and_no_title_of_a_hidden_struct() {
    let schema = whole::<Wh>().unwrap();
    let u32s = json!({"type": "integer", "minimum": 0, "maximum": u32::MAX});
    assert_eq!(
        schema,
        json!({
            "type": "object",
            "properties": {"w": u32s, "h": u32s},
            "required": ["w", "h"],
            "additionalProperties": false
        })
    );
    let mut own = json!({"$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Mine", "type": "object"});
    let kept = canonical_object(own.clone(), "Args").unwrap().schema;
    assert_eq!(kept["title"], "Mine");
    own["title"] = json!("Args");
    assert_eq!(
        canonical_object(own, "Args").unwrap().schema,
        empty_object()
    );
}

#[test]
fn c06_a_recursive_root_stays_itself() {
    let node = json!({
        "type": "object",
        "properties": {
            "v": {"type": "string"},
            "kids": {"type": "array", "items": {"$ref": "#/$defs/Node"}}
        },
        "required": ["v", "kids"]
    });
    let mut root = node.clone();
    root["additionalProperties"] = json!(false);
    root["$defs"] = json!({"Node": node});
    assert_eq!(whole::<Node>(), Ok(root));
    assert_eq!(of::<Node>(), node);

    // A whole document moved under a property: its `#` is the property, not the arguments.
    let document = canonical::generator(Contract::Deserialize).into_root_schema_for::<Node>();
    let param = ParamSchema {
        name: "tree".to_owned(),
        schema: document.to_value(),
        required: true,
        ..ParamSchema::default()
    };
    let schema = assemble(&[param], serde_json::Map::new()).unwrap().schema;
    let compiled = Compiled::new(schema.clone()).unwrap();
    let tree = json!({"v": "a", "kids": [{"v": "b", "kids": []}]});
    assert_eq!(compiled.check(&json!({"tree": tree})), Ok(()));
    let wrong = json!({"tree": {"v": "a", "kids": [{"tree": {}}]}});
    assert_eq!(
        compiled.check(&wrong).unwrap_err().listed[0].to_string(),
        "/tree/kids/0/v: missing (expected a string)"
    );
}

#[test]
fn c22_every_arm_of_a_tagged_union_is_complete() {
    let kind = |word: &str| json!({"type": "string", "const": word});
    let u32s = json!({"type": "integer", "minimum": 0, "maximum": u32::MAX});
    let i64s = json!({"type": "integer", "minimum": i64::MIN, "maximum": i64::MAX});
    assert_eq!(
        of::<Shape>(),
        json!({"anyOf": [
            {"type": "object", "properties": {"kind": kind("dot")}, "required": ["kind"]},
            {"type": "object", "properties": {"kind": kind("circle"), "r": {"type": "number"}},
                "required": ["kind", "r"]},
            {"type": "object", "description": "A box.",
                "properties": {"kind": kind("rect"), "w": u32s, "h": u32s},
                "required": ["kind", "w", "h"]},
            {"type": "object", "description": "A closed one.",
                "properties": {"kind": kind("shut"), "a": i64s},
                "required": ["kind", "a"], "additionalProperties": false}
        ]})
    );
    // A tagged variant that holds a tagged enum: one arm for each pair.
    let nested = of::<Nested>();
    let pairs: Vec<(&Value, &Value)> = nested["anyOf"]
        .as_array()
        .unwrap()
        .iter()
        .map(|arm| {
            (
                &arm["properties"]["outer"]["const"],
                &arm["properties"]["kind"]["const"],
            )
        })
        .collect();
    let none = Value::Null;
    let word = |text: &str| json!(text);
    let [plain, inner, either] = ["Plain", "Inner", "Either"].map(word);
    let [dot, circle, rect, shut] = ["dot", "circle", "rect", "shut"].map(word);
    assert_eq!(
        pairs,
        [
            (&plain, &none),
            (&inner, &dot),
            (&inner, &circle),
            (&inner, &rect),
            (&inner, &shut),
            (&either, &none),
            (&either, &none),
            (&either, &none)
        ]
    );
    // A reference beside the tag, as schemars writes it for a struct that is not inlined; and a
    // variant that holds its own enum, which must end.
    let schema = json!({
        "$ref": "#/$defs/E",
        "$defs": {
            "E": {"oneOf": [
                {"type": "object", "properties": {"t": kind("a")}, "required": ["t"], "$ref": "#/$defs/W"},
                {"type": "object", "properties": {"t": kind("b")}, "required": ["t"], "$ref": "#/$defs/E"}
            ]},
            "W": {"type": "object", "properties": {"w": {"type": "integer"}}, "required": ["w"]}
        }
    });
    let schema = canonical::canonical_output(schema, "E");
    let compiled = Compiled::new(schema.clone()).unwrap();
    assert_eq!(compiled.check(&json!({"t": "a", "w": 1})), Ok(()));
    assert!(compiled.check(&json!({"t": "a"})).is_err());
}

#[test]
fn c28_unit_enums_are_lists_of_strings() {
    assert_eq!(
        of::<One>(),
        json!({"type": "string", "enum": ["Only"], "description": "- `Only`: the only one"})
    );
    let external = of::<External>();
    assert_eq!(
        external["anyOf"][0],
        json!({"type": "string", "enum": ["None", "Nothing"],
            "description": "- `Nothing`: Nothing at all"})
    );
    assert_eq!(external["anyOf"].as_array().unwrap().len(), 4);
    assert_eq!(external.get("oneOf"), None);
}

#[test]
fn keywords_are_stripped_by_position_only() {
    let schema = of::<Keywords>();
    assert_eq!(
        schema["required"],
        json!(["title", "format", "properties", "$ref", "required", "enum"])
    );
    assert_eq!(
        schema["properties"],
        json!({
            "title": {"type": "string"},
            "format": {"type": "integer", "minimum": 0, "maximum": 255},
            "properties": {"type": "array",
                "items": {"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX}},
            "$ref": {"type": "boolean"},
            "default": {"anyOf": [{"$ref": "#/$defs/Unit"}, {"type": "null"}]},
            "required": {"$ref": "#/$defs/Mode"},
            "enum": {"$ref": "#/$defs/Shape"}
        })
    );
    // What looks like a schema inside a default, an example or an enum is data.
    let data = json!({"format": "uint8", "oneOf": [{"const": "a"}], "$ref": "#/$defs/Gone"});
    let root = json!({"type": "object", "properties": {
        "x": {"default": data, "examples": [data], "enum": [data]}}});
    let schema = canonical_object(root.clone(), "T").unwrap().schema;
    assert_eq!(schema["properties"], root["properties"]);
}

#[test]
fn the_root_is_closed_unless_the_type_is_open() {
    assert_eq!(
        whole::<Open>(),
        Ok(
            json!({"type": "object", "properties": {"known": {"type": "boolean"}},
            "required": ["known"], "additionalProperties": true})
        )
    );
    assert_eq!(
        whole::<Value>(),
        Ok(json!({"type": "object", "properties": {}, "additionalProperties": true}))
    );
    assert_eq!(
        whole::<HashMap<String, bool>>(),
        Ok(
            json!({"type": "object", "properties": {}, "additionalProperties": {"type": "boolean"}})
        )
    );
    assert_eq!(whole::<Option<Wh>>(), whole::<Wh>());
    let flat = whole::<Flat>().unwrap();
    assert_eq!(flat["unevaluatedProperties"], json!(false));
    let mut arms = of::<Shape>()["anyOf"].clone();
    // A flattened struct cannot be closed: it sees the fields of the outer one.
    arms[3]
        .as_object_mut()
        .unwrap()
        .remove("additionalProperties");
    assert_eq!(flat["anyOf"], arms);
    let shape = whole::<Shape>().unwrap();
    assert_eq!(
        (&shape["type"], &shape["properties"]),
        (&json!("object"), &json!({}))
    );
    let external = whole::<External>().unwrap();
    assert_eq!(external["anyOf"].as_array().unwrap().len(), 3);
}

#[test]
fn c34_arguments_that_are_no_object_are_refused() {
    assert_eq!(
        whole::<Vec<u8>>(),
        Err("#: `Array_of_uint8` is not an object in JSON, which arguments always are".to_owned())
    );
    assert_eq!(
        whole::<Mode>(),
        Err("#: `Mode` is not an object in JSON, which arguments always are".to_owned())
    );
}

#[test]
fn c23_flatten_with_deny_unknown_fields_is_refused() {
    let expected = "#: `ClosedFlat` combines `#[serde(flatten)]` with \
                    `#[serde(deny_unknown_fields)]`, which refuses every call; remove one of them";
    assert_eq!(whole::<ClosedFlat>(), Err(expected.to_owned()));
    let (as_param, definitions) = param::<ClosedFlat>("x");
    assert_eq!(
        assemble(&[as_param], definitions).unwrap_err().to_string(),
        expected
    );
    // serde does refuse it, which is why.
    let args = json!({"n": 1, "kind": "circle", "r": 2.0});
    assert!(serde_json::from_value::<ClosedFlat>(args.clone()).is_err());
    assert!(serde_json::from_value::<Flat>(args).is_ok());
    // A generator shared with another tool does not bring its mistakes along.
    let mut generator = canonical::generator(Contract::Deserialize);
    let _ = param_of::<ClosedFlat>("other", &mut generator);
    let good = param_of::<Mode>("x", &mut generator);
    let schema = assemble(&[good], generator.take_definitions(true))
        .unwrap()
        .schema;
    assert_eq!(
        schema["$defs"]
            .as_object()
            .unwrap()
            .keys()
            .collect::<Vec<_>>(),
        ["Mode"]
    );
}

#[test]
fn c37_output_is_the_serialize_contract() {
    let u32s = json!({"type": "integer", "minimum": 0, "maximum": u32::MAX});
    let tags = json!({"type": "array", "items": {"type": "string"}});
    assert_eq!(
        output::<Renamed>(),
        json!({"type": "object", "properties": {"out": u32s, "tags": tags}, "required": ["out"]})
    );
    assert_eq!(
        whole::<Renamed>(),
        Ok(
            json!({"type": "object", "properties": {"in_": u32s, "tags": tags},
            "required": ["in_"], "additionalProperties": false})
        )
    );
    let value = serde_json::to_value(Renamed { x: 1, tags: vec![] }).unwrap();
    assert_eq!(
        Compiled::new(output::<Renamed>()).unwrap().check(&value),
        Ok(())
    );
    // Any root.
    assert_eq!(output::<()>(), json!({"type": "null"}));
    assert_eq!(
        output::<u8>(),
        json!({"type": "integer", "minimum": 0, "maximum": 255})
    );
    assert_eq!(
        output::<Vec<bool>>(),
        json!({"type": "array", "items": {"type": "boolean"}})
    );
    assert_eq!(output::<Value>(), json!({}));
    assert_eq!(
        output::<Braces>(),
        json!({"type": "object", "properties": {}})
    );
    let maybe = output::<Option<Node>>();
    assert_eq!(
        maybe["anyOf"],
        json!([{"$ref": "#/$defs/Node"}, {"type": "null"}])
    );
}

#[test]
fn every_reference_resolves_from_the_root() {
    fn check(schema: &Value) {
        assert!(Compiled::new(schema.clone()).is_ok(), "{schema}");
        let text = schema.to_string();
        for part in text.split("\"$ref\":\"").skip(1) {
            let reference = part.split('"').next().unwrap();
            assert!(reference.starts_with("#/$defs/"), "{reference} in {schema}");
        }
        assert_eq!(
            text.matches("\"$defs\"").count().min(1),
            text.matches("\"$defs\"").count()
        );
    }
    for schema in [
        one::<Nested>().schema,
        one::<Node>().schema,
        one::<Mutual>().schema,
        one::<Endless>().schema,
        one::<Result<Wh, Node>>().schema,
        one::<Vec<Option<(Shape, Mode)>>>().schema,
        whole::<Node>().unwrap(),
        whole::<Mutual>().unwrap(),
        whole::<Endless>().unwrap(),
        whole::<Defaults>().unwrap(),
        output::<Mutual>(),
        output::<Vec<Node>>(),
    ] {
        check(&schema);
    }
}
