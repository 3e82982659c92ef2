//! Parameters put together.

use std::collections::{BTreeMap, HashMap};

use schemars::generate::Contract;
use serde_json::{Value, json};

use super::types::{Mode, Wh, one, param, param_of};
use crate::schema::canonical::{self, End, ParamSchema, Refinement, assemble};

#[test]
fn definitions_of_documents_with_the_same_name_do_not_mix() {
    let document = |word: &str| json!({"$ref": "#/$defs/A", "$defs": {"A": {"type": word}}});
    let param = |name: &str, word: &str| ParamSchema {
        name: name.to_owned(),
        schema: document(word),
        ..ParamSchema::default()
    };
    let params = [
        param("a", "string"),
        param("b", "boolean"),
        param("c", "string"),
    ];
    let schema = assemble(&params, serde_json::Map::new()).unwrap().schema;
    assert_eq!(
        schema["$defs"],
        json!({"A": {"type": "string"}, "A2": {"type": "boolean"}})
    );
    assert_eq!(
        schema["properties"],
        json!({"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/A2"}, "c": {"$ref": "#/$defs/A"}})
    );
}

#[test]
fn c08_a_parameter_says_more_than_its_type() {
    let mut generator = canonical::generator(Contract::Deserialize);
    let mut src = param_of::<Mode>("src", &mut generator);
    src.description = Some("Where from".to_owned());
    src.title = Some("Source".to_owned());
    src.examples = vec![json!("Fast")];
    src.default = Some(json!("Deep"));
    src.required = false;
    let dst = param_of::<Mode>("dst", &mut generator);
    let schema = assemble(&[src, dst], generator.take_definitions(true))
        .unwrap()
        .schema;
    assert_eq!(
        schema,
        json!({
            "type": "object",
            "properties": {
                "src": {"$ref": "#/$defs/Mode", "description": "Where from", "title": "Source",
                    "examples": ["Fast"], "default": "Deep"},
                "dst": {"$ref": "#/$defs/Mode"}
            },
            "required": ["dst"],
            "additionalProperties": false,
            "$defs": {"Mode": {
                "type": "string",
                "enum": ["Plain", "Fast", "Deep"],
                "description": "How to scan\n\n- `Fast`: quick scan\n- `Deep`: full scan, slow"
            }}
        })
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn refinements_tighten_and_never_widen() {
    let range = |min: Option<i64>, max: Option<i64>| Refinement::Range {
        min: min.map(Into::into),
        max: max.map(|max| End::Included(max.into())),
    };
    let below = |min: Option<f64>, end: f64| Refinement::Range {
        min: min.and_then(serde_json::Number::from_f64),
        max: serde_json::Number::from_f64(end).map(End::Excluded),
    };
    let length = Refinement::Length {
        min: Some(1),
        max: Some(3),
    };
    let refined = |(mut param, definitions): (ParamSchema, _), refinement: Refinement| {
        param.refinements = vec![refinement];
        assemble(&[param], definitions)
            .map(|canonical| {
                assert!(!canonical.types_decide);
                canonical.schema["properties"]["x"].clone()
            })
            .map_err(|error| error.to_string())
    };
    assert_eq!(
        refined(param::<u8>("x"), range(Some(1), Some(1000))),
        Ok(json!({"type": "integer", "minimum": 1, "maximum": 255}))
    );
    assert_eq!(
        refined(param::<Option<f64>>("x"), range(None, Some(1))),
        Ok(json!({"type": ["number", "null"], "maximum": 1}))
    );
    assert_eq!(
        refined(param::<String>("x"), length.clone()),
        Ok(json!({"type": "string", "minLength": 1, "maxLength": 3}))
    );
    assert_eq!(
        refined(param::<Vec<bool>>("x"), length.clone()),
        Ok(json!({"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 3}))
    );
    assert_eq!(
        refined(param::<BTreeMap<String, bool>>("x"), length.clone()),
        Ok(
            json!({"type": "object", "additionalProperties": {"type": "boolean"},
            "minProperties": 1, "maxProperties": 3})
        )
    );
    assert_eq!(
        refined(param::<String>("x"), Refinement::Pattern("^a".to_owned())),
        Ok(json!({"type": "string", "pattern": "^a"}))
    );
    assert_eq!(
        refined(
            param::<u8>("x"),
            Refinement::Range {
                min: Some(1.into()),
                max: Some(End::Excluded(5.into())),
            }
        ),
        Ok(json!({"type": "integer", "minimum": 1, "maximum": 4}))
    );
    assert_eq!(
        refined(param::<f64>("x"), below(Some(0.0), 1.0)),
        Ok(json!({"type": "number", "minimum": 0.0, "exclusiveMaximum": 1.0}))
    );
    for (min, end) in [(1.0, 1.0), (2.0, 1.0)] {
        assert_eq!(
            refined(param::<f64>("x"), below(Some(min), end)),
            Err(
                "#/properties/x: the parameter `x` has a `range` without any number in it"
                    .to_owned()
            )
        );
    }
    assert_eq!(
        refined(param::<u8>("x"), range(Some(5), Some(4))),
        Err("#/properties/x: the parameter `x` has a `range` without any number in it".to_owned())
    );
    let nothing = Refinement::Length {
        min: Some(1),
        max: Some(0),
    };
    assert_eq!(
        refined(param::<String>("x"), nothing),
        Err("#/properties/x: the parameter `x` has a `length` that nothing can have".to_owned())
    );
    assert_eq!(
        refined(param::<String>("x"), range(Some(1), None)),
        Err(
            "#/properties/x: the parameter `x` has a `range`, which has an effect on numbers only"
                .to_owned()
        )
    );
    assert_eq!(
        refined(param::<bool>("x"), length),
        Err(
            "#/properties/x: the parameter `x` has a `length`, which has an effect on strings, \
             arrays and maps only"
                .to_owned()
        )
    );
    let (param, definitions) = param::<bool>("x");
    assert_eq!(
        assemble(&[param.clone(), param], definitions)
            .unwrap_err()
            .to_string(),
        "#/properties/x: the parameter `x` is declared twice"
    );
}

#[test]
fn types_decide_for_scalars_and_arrays_of_scalars() {
    assert!(one::<u8>().types_decide);
    assert!(one::<Option<u64>>().types_decide);
    // Beyond 64 bits, the type reads what JSON values round.
    assert!(!one::<i128>().types_decide);
    assert!(one::<f64>().types_decide);
    assert!(one::<bool>().types_decide);
    assert!(one::<String>().types_decide);
    assert!(one::<Option<String>>().types_decide);
    assert!(one::<Vec<i32>>().types_decide);
    assert!(one::<Vec<Option<String>>>().types_decide);
    assert!(assemble(&[], serde_json::Map::new()).unwrap().types_decide);

    assert!(!one::<Vec<Vec<i32>>>().types_decide);
    assert!(!one::<[u8; 3]>().types_decide);
    assert!(!one::<(u8, u8)>().types_decide);
    assert!(!one::<char>().types_decide);
    assert!(!one::<Mode>().types_decide);
    assert!(!one::<Wh>().types_decide);
    assert!(!one::<Option<Wh>>().types_decide);
    assert!(!one::<Value>().types_decide);
    assert!(!one::<HashMap<String, u8>>().types_decide);
    assert!(!one::<std::num::NonZeroU8>().types_decide);
    assert!(!one::<std::net::Ipv4Addr>().types_decide);
    assert!(!one::<std::collections::BTreeSet<u8>>().types_decide);
    assert!(!one::<()>().types_decide);
    // The range of a u8 on another type is a bound that the type does not know.
    let by_hand = |schema: Value| {
        let param = ParamSchema {
            name: "x".to_owned(),
            schema,
            ..ParamSchema::default()
        };
        assemble(&[param], serde_json::Map::new())
            .unwrap()
            .types_decide
    };
    assert!(!by_hand(
        json!({"type": "integer", "format": "uint32", "minimum": 0, "maximum": 255})
    ));
    assert!(!by_hand(
        json!({"type": "integer", "minimum": 0, "maximum": 255})
    ));
    assert!(by_hand(
        json!({"type": "integer", "format": "uint8", "minimum": 0, "maximum": 255})
    ));
}
