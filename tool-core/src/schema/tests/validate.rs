//! What a caller reads when a value does not fit.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde_json::{Value, json};

use super::types::{Many, Mode, Node, Numbers, Unit, one};
use crate::schema::validate::{Compiled, nearest};

pub(super) fn text(schema: &Value, value: &Value) -> String {
    let compiled = Compiled::new(schema.clone()).expect("a good schema");
    compiled.check(value).expect_err("does not fit").to_string()
}

/// What is said about `{"x": value}` where `x: T`, without the last line, the shape.
pub(super) fn about<T: JsonSchema>(value: Value) -> String {
    let all = text(&one::<T>().schema, &json!({"x": value}));
    let (violations, shape) = all.rsplit_once('\n').expect("two lines");
    assert!(shape.starts_with("expected {\"x\": "), "{shape}");
    violations.to_owned()
}

pub(super) fn fits<T: JsonSchema>(value: Value) -> bool {
    Compiled::new(one::<T>().schema)
        .unwrap()
        .check(&json!({"x": value}))
        .is_ok()
}

fn weather() -> Value {
    json!({
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "items": {"type": "array", "items": {
                "type": "object",
                "properties": {"qty": {"type": "integer", "minimum": 0, "maximum": 255}},
                "required": ["qty"],
                "additionalProperties": false
            }},
            "unit": {"type": "string", "enum": ["Celsius", "Kelvin"]}
        },
        "required": ["city"],
        "additionalProperties": false
    })
}

const WEATHER: &str =
    r#"expected {"city": string, "items"?: {"qty": integer}[], "unit"?: "Celsius" | "Kelvin"}"#;

#[test]
fn lists_every_violation_path_first_and_the_shape_last() {
    let value =
        json!({"citi": "Oslo", "items": [{}, {"qty": 256}, {"qty": "x"}], "unit": "celsius"});
    let expected = [
        "/city: missing (expected a string)",
        r#"/citi: unknown property; did you mean "city"?"#,
        "/items/0/qty: missing (expected an integer)",
        "/items/1/qty: expected an integer from 0 to 255, got 256",
        r#"/items/2/qty: expected an integer, got "x""#,
        r#"/unit: "celsius" is not one of "Celsius", "Kelvin"; did you mean "Celsius"?"#,
        WEATHER,
    ];
    assert_eq!(text(&weather(), &value), expected.join("\n"));
    assert_eq!(
        Compiled::new(weather())
            .unwrap()
            .check(&json!({"city": "Oslo"})),
        Ok(())
    );
}

#[test]
fn c50_a_root_of_another_type_is_one_violation() {
    for (value, got) in [
        (json!([1, 2]), "[1,2]"),
        (json!("x"), "\"x\""),
        (json!(null), "null"),
    ] {
        let expected = format!("expected an object, got {got}\n{WEATHER}");
        assert_eq!(text(&weather(), &value), expected);
    }
}

#[test]
fn c61_an_unknown_property_is_named_with_what_is_allowed() {
    let value = json!({"city": "x", "explanation": "because"});
    let expected = r#"/explanation: unknown property; expected one of "city", "items", "unit""#;
    assert_eq!(text(&weather(), &value), format!("{expected}\n{WEATHER}"));
    let none = json!({"type": "object", "properties": {}, "additionalProperties": false});
    assert_eq!(
        text(&none, &json!({"a": 1})),
        "/a: unknown property; no properties are allowed here\nexpected {}"
    );
}

#[test]
fn c13_c20_c28_c55_types_of_rust() {
    assert_eq!(
        about::<Option<u32>>(json!("x")),
        "/x: expected an integer or null, got \"x\""
    );
    assert!(fits::<Option<u32>>(json!(null)));
    assert_eq!(
        about::<u8>(json!(300)),
        "/x: expected an integer from 0 to 255, got 300"
    );
    assert_eq!(
        about::<u32>(json!(10.5)),
        "/x: expected an integer from 0 to 4294967295, got 10.5"
    );
    assert_eq!(
        about::<u64>(json!(-1)),
        "/x: expected an integer of at least 0, got -1"
    );
    assert_eq!(about::<i64>(json!(1.5)), "/x: expected an integer, got 1.5");
    assert_eq!(
        about::<(f64, f64)>(json!([1])),
        "/x: expected an array of exactly 2 items, got 1 item: [1]"
    );
    assert_eq!(
        about::<(f64, f64)>(json!(["a", 2])),
        "/x/0: expected a number, got \"a\""
    );
    assert_eq!(
        about::<Mode>(json!("fast")),
        r#"/x: "fast" is not one of "Plain", "Fast", "Deep"; did you mean "Fast"?"#
    );
    assert_eq!(
        about::<Option<Unit>>(json!("kelvin")),
        r#"/x: "kelvin" is not one of "Celsius", "Kelvin"; did you mean "Kelvin"?"#
    );
    assert_eq!(
        about::<HashMap<String, String>>(json!({"a": 1})),
        "/x/a: expected a string, got 1"
    );
    assert_eq!(
        about::<Numbers>(
            json!({"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "g": 6, "i": 0, "j": 0, "k": 128, "v": [65536]})
        ),
        "/x/k: expected an integer from -128 to 127, got 128\n/x/v/0: expected an integer from 0 to 65535, got 65536"
    );
}

#[test]
fn c32_c45_limits_are_in_the_text_and_long_lists_are_cut() {
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "array", "items": {}, "minItems": 1, "maxItems": 2},
        "any": {"type": "array", "contains": {"type": "integer"}},
        "k": {"type": "integer", "minimum": 1, "maximum": 10},
        "map": {"type": "object", "maxProperties": 1, "propertyNames": {"maxLength": 1}},
        "n": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 2},
        "not": {"not": {"const": 0}},
        "s": {"type": "string", "minLength": 1},
        "u": {"type": "array", "uniqueItems": true},
    }});
    let value = json!({"a": [], "any": ["x"], "k": 11, "map": {"a": 1, "bc": 2}, "n": 3, "not": 0,
        "s": "", "u": [1, 1.0]});
    let said = text(&schema, &value);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines[..lines.len() - 1],
        [
            "/a: expected an array of 1 to 2 items, got 0 items: []",
            "/any: expected an array with at least 1 of: an integer, got [\"x\"]",
            "/k: expected an integer from 1 to 10, got 11",
            "/map: expected an object of at most 1 property, got {\"a\":1,\"bc\":2}",
            "/map/bc: expected a string of at most 1 character, got \"bc\"",
            "/n: expected a number greater than 0 that is a multiple of 2, got 3",
            "/not: expected anything but 0, got 0",
            "/s: expected a string of at least 1 character, got \"\"",
            "/u: expected items that are all different, got 1 twice",
        ]
    );
    let words: Vec<String> = (0..1_200).map(|n| format!("variant_{n}")).collect();
    let schema = json!({"type": "object", "properties": {"v": {"type": "string", "enum": words}}});
    assert_eq!(
        text(&schema, &json!({"v": "?"})),
        "/v: \"?\" is not one of \"variant_0\", \"variant_1\", \"variant_2\", \"variant_3\", \
         \"variant_4\", \"variant_5\", \"variant_6\", \"variant_7\", \"variant_8\", \"variant_9\", \
         … and 1190 more\n\
         expected {\"v\"?: \"variant_0\" | \"variant_1\" | \"variant_2\" | \"variant_3\" | \
         \"variant_4\" | \"variant_5\" | \"variant_6\" | \"variant_7\" | \"variant_8\" | \
         \"variant_9\" | … 1190 more}"
    );
    let names: serde_json::Map<String, Value> = (0..150)
        .map(|n| (format!("field_{n:03}"), json!({"type": "integer"})))
        .collect();
    let schema = json!({"type": "object", "properties": names, "additionalProperties": false});
    let said = text(&schema, &json!({"zzzzzzzzz": 1}));
    assert!(said.contains("\"field_009\", … and 140 more"), "{said}");
    assert!(said.len() < 1_000, "{}", said.len());
}

#[test]
fn c65_the_text_is_bounded_whatever_comes() {
    let schema = json!({"type": "object", "properties": {"v": {"type": "array", "items": {"type": "string"}}}});
    let value = json!({"v": vec![1; 500_000]});
    let violations = Compiled::new(schema.clone())
        .unwrap()
        .check(&value)
        .unwrap_err();
    assert_eq!((violations.listed.len(), violations.more), (16, 499_984));
    assert_eq!(
        violations.listed[15].to_string(),
        "/v/15: expected a string, got 1"
    );
    let said = violations.to_string();
    assert!(
        said.ends_with("… and 499984 more\nexpected {\"v\"?: string[]}"),
        "{said}"
    );

    let value = json!({"v": "x".repeat(1_000_000)});
    assert_eq!(
        text(&schema, &value),
        format!(
            "/v: expected an array of strings, got \"{}…{}\"\nexpected {{\"v\"?: string[]}}",
            "x".repeat(42),
            "x".repeat(15)
        )
    );
    let deep_name = "n".repeat(10_000);
    let said = text(
        &json!({"additionalProperties": false}),
        &json!({ deep_name: 1 }),
    );
    assert!(said.len() < 300, "{said}");
}

#[cfg(feature = "jsonschema")]
#[test]
fn c30_formats_are_asserted() {
    let property = |format: &str| json!({"type": "string", "format": format});
    let schema = json!({"type": "object", "properties": {
        "at": property("date-time"), "day": property("date"), "id": property("uuid"),
        "ip": property("ip"), "m": property("email"),
        "p": {"type": "string", "pattern": "^a+$"},
        "t": property("time"), "u": property("uri"),
        "v4": property("ipv4"), "v6": property("ipv6"),
    }});
    let good = json!({"at": "2024-01-01T00:00:00Z", "day": "2024-02-29",
        "id": "67e55044-10b1-426f-9247-bb680e5fe0c8", "ip": "10.0.0.1", "m": "a@example.org",
        "p": "aa", "t": "12:00:00Z", "u": "https://example.org/a", "v4": "127.0.0.1", "v6": "::1"});
    assert_eq!(Compiled::new(schema.clone()).unwrap().check(&good), Ok(()));
    let bad = json!({"at": "2024-01-01", "day": "2024-02-30", "id": "zz", "ip": "x", "m": "a", "p": "b",
        "t": "25:00", "u": "::", "v4": "1.2.3", "v6": "x"});
    let said = text(&schema, &bad);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines[..lines.len() - 1],
        [
            "/at: expected a date and time such as 2024-01-31T12:00:00Z, got \"2024-01-01\"",
            "/day: expected a date such as 2024-01-31, got \"2024-02-30\"",
            "/id: expected a UUID, got \"zz\"",
            "/ip: expected a string in the format \"ip\", got \"x\"",
            "/m: expected an email address, got \"a\"",
            "/p: expected a string that matches \"^a+$\", got \"b\"",
            "/t: expected a time such as 12:00:00Z, got \"25:00\"",
            "/u: expected a URI, got \"::\"",
            "/v4: expected an IPv4 address, got \"1.2.3\"",
            "/v6: expected an IPv6 address, got \"x\"",
        ]
    );
}

/// Without the feature the walk has no `unevaluatedItems`, and says so at registration.
#[cfg(feature = "jsonschema")]
#[test]
fn what_only_the_engine_knows_is_still_reported() {
    let schema = json!({"prefixItems": [{}], "unevaluatedItems": false});
    assert_eq!(
        text(&schema, &json!([1, 2])),
        "expected what `unevaluatedItems` allows, got [1,2]\nexpected any"
    );
}

#[test]
fn conditions_and_dependencies_are_explained() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {}, "b": {}},
        "if": {"required": ["a"]},
        "then": {"properties": {"b": {"type": "string"}}, "required": ["b"]},
        "else": {"properties": {"b": {"type": "integer"}}},
        "dependentRequired": {"c": ["d"]},
        "unevaluatedProperties": false,
        "dependentSchemas": {"c": {"properties": {"c": {"type": "null"}, "d": true}}}
    });
    let compiled = Compiled::new(schema.clone()).unwrap();
    let first = |value: Value| {
        compiled
            .check(&value)
            .unwrap_err()
            .listed
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    assert_eq!(first(json!({"a": 1})), ["/b: missing (expected a string)"]);
    assert_eq!(
        first(json!({"a": 1, "b": 1})),
        ["/b: expected a string, got 1"]
    );
    assert_eq!(
        first(json!({"b": "x"})),
        ["/b: expected an integer, got \"x\""]
    );
    assert_eq!(
        first(json!({"c": null})),
        ["/d: missing (expected a value)"]
    );
    assert_eq!(
        first(json!({"d": 1})),
        ["/d: unknown property; expected one of \"a\", \"b\""]
    );
    assert_eq!(compiled.check(&json!({"c": null, "d": 1})), Ok(()));
}

#[test]
fn the_nearest_name_is_near() {
    let names = ["city", "unit", "first_name", "max_results"];
    let near = |word| nearest(word, names);
    assert_eq!(near("citi"), Some("city"));
    assert_eq!(near("City"), Some("city"));
    assert_eq!(near("untis"), Some("unit"));
    assert_eq!(near("firstName"), Some("first_name"));
    assert_eq!(near("maxresult"), Some("max_results"));
    assert_eq!(near("query"), None);
    assert_eq!(near("a"), None);
    assert_eq!(near(""), None);
    assert_eq!(near(&"x".repeat(1_000_000)), None);
}

#[test]
fn every_type_of_the_zoo_compiles_and_has_a_shape() {
    assert_eq!(
        text(&one::<Many>().schema, &json!({}))
            .lines()
            .last()
            .unwrap(),
        "expected {\"x\": {\"mode\": \"Plain\" | \"Fast\" | \"Deep\", \"map\": {[key]: {\"w\": \
         integer, \"h\": integer}}, \"counts\": {}, \"set\": string[], \"pair\": [number, number], \
         \"rgb\": integer[], \"any\": any, \"list\": any[], \"c\": string, \"unit_value\": null, \
         \"result\": {\"Ok\": integer} | {\"Err\": string}, \"unit\"?: \"Celsius\" | \"Kelvin\" | \
         null}}"
    );
    assert_eq!(
        text(&one::<Node>().schema, &json!({}))
            .lines()
            .last()
            .unwrap(),
        "expected {\"x\": {\"v\": string, \"kids\": {\"v\": string, \"kids\": {\"v\": string, \
         \"kids\": {…}[]}[]}[]}}"
    );
}

#[test]
fn a_model_is_told_the_tool_and_what_it_takes() {
    let schema = json!({"type": "object", "properties": {"v": {"type": "array", "items": {"type": "null"}}}});
    let compiled = Compiled::new(schema).unwrap();
    let violations = compiled.check(&json!({"v": [1]})).unwrap_err();
    assert_eq!(
        violations.for_tool("t"),
        "invalid arguments: /v/0: expected null, got 1\ntool \"t\" takes {\"v\"?: null[]}"
    );
    let violations = compiled.check(&json!({"v": vec![1; 20]})).unwrap_err();
    assert!(
        violations.for_tool("t").ends_with(
            "/v/15: expected null, got 1\n… and 4 more\ntool \"t\" takes {\"v\"?: null[]}"
        )
    );
    assert_eq!(compiled.shape(), "{\"v\"?: null[]}");
}
