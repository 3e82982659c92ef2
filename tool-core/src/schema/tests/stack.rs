//! Nothing here overflows the stack of a small worker thread.

use schemars::generate::Contract;
use serde_json::{Value, json};

use super::types::{Node, one, whole};
use crate::schema::canonical;
use crate::schema::finite::check_finite;
use crate::schema::parse::{Limits, ParseErrorKind, check_value, drop_deep, parse, scan};
use crate::schema::repair::repair;
use crate::schema::validate::Compiled;

/// Runs on half of the stack that a worker thread of tokio has. Frames are widest without optimisation and with
/// debug information.
fn small<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new()
        .stack_size(1024 * 1024)
        .spawn(run);
    thread.expect("a thread").join().expect("no panic")
}

#[test]
fn c64_a_hundred_thousand_brackets() {
    for open in ["[", "{\"a\":", "[{\"a\":"] {
        let text = open.repeat(100_000);
        let kinds = small(move || {
            let parsed = parse(&text, Limits::default()).unwrap_err().kind;
            (parsed, scan(&text).unwrap_err().kind)
        });
        assert_eq!(kinds, (ParseErrorKind::TooDeep, ParseErrorKind::TooDeep));
    }
}

/// A tree of nodes whose innermost `kids` array is the 127th container, inside `{"x": ..}` the 128th.
fn tree(innermost: &Value) -> Value {
    (0..62).fold(innermost.clone(), |kid, _| json!({"v": "a", "kids": [kid]}))
}

#[test]
fn c64_the_deepest_tree_is_parsed_repaired_validated_and_dropped() {
    for schema in [
        one::<Node>().schema,
        json!({"properties": {"x": whole::<Node>().unwrap()},
        "$defs": whole::<Node>().unwrap()["$defs"]}),
    ] {
        small(move || {
            let compiled = Compiled::new(schema.clone()).unwrap();
            let good = json!({"x": tree(&json!({"v": "a", "kids": "[]"}))});
            let text = good.to_string();
            let mut value = parse(&text, Limits::default()).unwrap();
            assert_eq!(scan(&text), Ok(()));
            assert_eq!(repair(&schema, &mut value, None).len(), 1);
            assert_eq!(compiled.check(&value), Ok(()));
            assert_eq!(check_finite(&value), Ok(()));
            let bad = json!({"x": tree(&json!({"v": 1, "kids": []}))});
            let violations = compiled.check(&bad).unwrap_err();
            assert_eq!((violations.listed.len(), violations.more), (1, 0));
            assert_eq!(
                violations.listed[0].path,
                format!("/x{}/v", "/kids/0".repeat(62))
            );
        });
    }
}

#[test]
fn c64_a_union_at_every_level() {
    // serde_json::Value spelt out, plus a detour: as many frames for a level as there may be.
    let mut definitions = serde_json::Map::new();
    definitions.insert(
        "A".to_owned(),
        json!({"anyOf": [
            {"type": "string"},
            {"allOf": [{"$ref": "#/$defs/B"}]},
            {"type": "object", "additionalProperties": {"$ref": "#/$defs/A"}}
        ]}),
    );
    definitions.insert(
        "B".to_owned(),
        json!({"oneOf": [{"type": "array", "items": {"$ref": "#/$defs/A"}}, {"type": "null"}]}),
    );
    let schema = json!({"$ref": "#/$defs/A", "$defs": definitions});
    small(move || {
        let compiled = Compiled::new(schema.clone()).unwrap();
        let deep = |innermost: Value| (0..127).fold(innermost, |inner, _| json!([inner]));
        assert_eq!(compiled.check(&deep(json!({"a": "x"}))), Ok(()));
        let violations = compiled.check(&deep(json!({"a": 1}))).unwrap_err();
        assert_eq!(violations.listed[0].path, format!("{}/a", "/0".repeat(127)));
    });
}

/// A recursive array with a row of `length` references or combinators before each level.
#[cfg(feature = "jsonschema")]
fn recursive(keyword: &str, length: usize) -> Value {
    let mut definitions = serde_json::Map::new();
    for n in 0..length {
        let next = json!({"$ref": format!("#/$defs/A{}", n + 1)});
        let row = match keyword {
            "$ref" => next,
            "allOf" => json!({"allOf": [next]}),
            keyword => json!({ keyword: [{"type": "string"}, next] }),
        };
        definitions.insert(format!("A{n}"), row);
    }
    let last = json!({"type": "array", "items": {"$ref": "#/$defs/A0"}});
    definitions.insert(format!("A{length}"), last);
    json!({"$ref": "#/$defs/A0", "$defs": definitions})
}

/// Without the engine, the walk is the verdict and gives up earlier.
#[cfg(feature = "jsonschema")]
#[test]
fn c64_the_longest_rows_that_are_accepted_are_walked() {
    for (keyword, length) in [("$ref", 11), ("allOf", 5), ("anyOf", 5), ("oneOf", 5)] {
        let schema = recursive(keyword, length);
        let longer = recursive(keyword, length + 1);
        assert_eq!(
            Compiled::new(longer.clone()).unwrap_err().reason,
            "more than 12 references or combinators in a row, in a recursive schema"
        );
        small(move || {
            let compiled = Compiled::new(schema.clone()).unwrap();
            let deep = |innermost: Value| (0..127).fold(innermost, |inner, _| json!([inner]));
            assert_eq!(compiled.check(&deep(json!([]))), Ok(()));
            assert_eq!(compiled.check(&deep(json!(1))).unwrap_err().listed.len(), 1);
            repair(&schema, &mut deep(json!("[]")), None);
        });
    }
}

#[test]
fn c64_values_built_in_code() {
    small(|| {
        let deep = (0..100_000).fold(json!(1), |inner, _| {
            Value::Object(serde_json::Map::from_iter([("a".to_owned(), inner)]))
        });
        assert_eq!(
            check_value(&deep, Limits::default()).unwrap_err().kind,
            ParseErrorKind::TooDeep
        );
        assert!(check_finite(&deep).is_err());
        drop_deep(deep);
    });
}

#[test]
fn c06_schemas_of_recursive_types_are_made() {
    let schema = small(|| {
        let root = canonical::generator(Contract::Deserialize).into_root_schema_for::<Node>();
        canonical::canonical_object(root.to_value(), "Node")
            .unwrap()
            .schema
    });
    assert_eq!(Ok(schema), whole::<Node>());
}
