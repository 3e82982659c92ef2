//! The built-in validator and the engine agree.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::violation::Found;
use super::{Compiled, options};
use crate::schema::parse::depth;

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..12).prop_map(Value::from),
        (-6i32..24).prop_map(|halves| Value::from(f64::from(halves) / 2.0)),
        prop::sample::select(vec![
            json!(u64::MAX),
            json!(i64::MIN),
            json!(1e300),
            json!(1e19)
        ]),
        prop::sample::select(vec!["", "a", "b", "ab", "aaa", "é"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(
                (prop::sample::select(vec!["a", "b", "c", "k"]), inner),
                0..4
            )
            .prop_map(|members| members
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect::<Map<_, _>>()
                .into()),
        ]
    })
}

fn keyword(
    name: &'static str,
    operand: impl Strategy<Value = Value> + 'static,
) -> BoxedStrategy<(String, Value)> {
    operand
        .prop_map(move |operand| (name.to_owned(), operand))
        .boxed()
}

fn small() -> impl Strategy<Value = Value> {
    (0u64..4).prop_map(Value::from)
}

fn names() -> impl Strategy<Value = Value> {
    prop::sample::subsequence(vec!["a", "b", "c"], 0..=2).prop_map(|names| json!(names))
}

/// A schema of the keywords that the built-in validator decides.
fn schemas() -> impl Strategy<Value = Value> {
    let words = vec![
        "null", "boolean", "integer", "number", "string", "array", "object",
    ];
    let bound = || {
        prop_oneof![
            (-3i64..9).prop_map(Value::from),
            Just(json!(2.5)),
            Just(json!(u64::MAX))
        ]
    };
    let leaf = prop_oneof![
        Just(json!({})),
        Just(json!(true)),
        Just(json!(false)),
        Just(json!({"$ref": "#/$defs/d"})),
        Just(json!({"items": {"$ref": "#/$defs/d"}})),
        prop::sample::select(words.clone()).prop_map(|word| json!({"type": word})),
        prop::sample::subsequence(words, 1..=3).prop_map(|words| json!({"type": words})),
        values().prop_map(|value| json!({"const": value})),
        prop::collection::vec(values(), 1..3).prop_map(|values| json!({"enum": values})),
    ];
    leaf.prop_recursive(3, 24, 3, move |inner| {
        let many = |least| prop::collection::vec(inner.clone(), least..3).prop_map(Value::from);
        let named = || {
            prop::collection::vec(
                (prop::sample::select(vec!["a", "b", "k"]), inner.clone()),
                0..3,
            )
            .prop_map(|members| {
                members
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect::<Map<_, _>>()
                    .into()
            })
        };
        let keywords = prop_oneof![
            keyword(
                "type",
                prop::sample::select(vec![json!("object"), json!("array"), json!("number")])
            ),
            keyword("minimum", bound()),
            keyword("maximum", bound()),
            keyword("exclusiveMinimum", bound()),
            keyword("exclusiveMaximum", bound()),
            keyword(
                "multipleOf",
                prop::sample::select(vec![json!(2), json!(0.5), json!(3)])
            ),
            keyword("minLength", small()),
            keyword("maxLength", small()),
            keyword(
                "pattern",
                prop::sample::select(vec![json!("^a"), json!("b$")])
            ),
            keyword("minItems", small()),
            keyword("maxItems", small()),
            keyword("uniqueItems", any::<bool>().prop_map(Value::from)),
            keyword("items", inner.clone()),
            keyword("prefixItems", many(1)),
            keyword("contains", inner.clone()),
            keyword("minContains", small()),
            keyword("maxContains", small()),
            keyword("properties", named()),
            keyword("required", names()),
            keyword("additionalProperties", inner.clone()),
            keyword("unevaluatedProperties", inner.clone()),
            keyword(
                "patternProperties",
                inner.clone().prop_map(|schema| json!({"^a": schema}))
            ),
            keyword("propertyNames", inner.clone()),
            keyword("minProperties", small()),
            keyword("maxProperties", small()),
            keyword(
                "dependentRequired",
                names().prop_map(|names| json!({"a": names}))
            ),
            keyword("dependentSchemas", named()),
            keyword("allOf", many(1)),
            keyword("anyOf", many(1)),
            keyword("oneOf", many(1)),
            keyword("not", inner.clone()),
            keyword("if", inner.clone()),
            keyword("then", inner.clone()),
            keyword("else", inner.clone()),
        ];
        prop::collection::vec(keywords, 1..5)
            .prop_map(|keywords| Value::Object(keywords.into_iter().collect()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn the_walk_and_the_engine_agree(
        schema in schemas(),
        definition in schemas(),
        values in prop::collection::vec(values(), 1..6),
    ) {
        let mut schema = schema;
        if let Value::Object(keywords) = &mut schema {
            keywords.insert("$defs".to_owned(), json!({"d": definition}));
        }
        // Circles are refused, and that is tested elsewhere.
        let Ok(compiled) = Compiled::new(schema.clone()) else { return Ok(()) };
        let engine = options().build(&schema).unwrap();
        for value in values {
            prop_assert!(depth(&value) < 10);
            let verdict = engine.is_valid(&value);
            prop_assert_eq!(compiled.check(&value).is_ok(), verdict);
            let walked = compiled.walk(&value, Found::probe()).is_fine();
            prop_assert_eq!(walked, verdict, "the walk on {} for {}", value, schema);
            let reported = compiled.walk(&value, Found::report()).is_fine();
            prop_assert_eq!(reported, verdict, "the report on {} for {}", value, schema);
            if let Err(violations) = compiled.check(&value) {
                let said = violations.to_string();
                prop_assert!(said.len() < 12_000, "{}", said);
            }
        }
    }
}
