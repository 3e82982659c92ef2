//! Schemas that are refused at registration, and good ones that look like them.

use serde_json::{Value, json};

use crate::schema::validate::{Compiled, check_object_root};

fn refused(schema: Value) -> String {
    Compiled::new(schema.clone())
        .expect_err("a bad schema")
        .to_string()
}

#[test]
fn c47_hostile_schemas_are_refused() {
    let circle = "refers to itself without ever looking into the value";
    for (schema, expected) in [
        (
            json!({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}),
            format!("#/$defs/A: {circle}"),
        ),
        (json!({"$ref": "#"}), format!("#: {circle}")),
        (
            json!({"properties": {"tree": {"$ref": "#/properties/tree"}}}),
            format!("#/properties/tree: {circle}"),
        ),
        (
            json!({"$defs": {"A": {"anyOf": [{"type": "null"}, {"not": {"$ref": "#/$defs/A"}}]}}}),
            format!("#/$defs/A: {circle}"),
        ),
        (
            json!({"properties": {"x": {"$ref": "#/properties/tree"}}}),
            "#/properties/x: the reference \"#/properties/tree\" leads nowhere".to_owned(),
        ),
        (
            json!({"$ref": "https://example.org/x.json"}),
            "#: the reference \"https://example.org/x.json\" leaves the schema; only `#/…` is \
             followed"
                .to_owned(),
        ),
        (
            json!({"properties": {"a": {"$ref": "other.json#/a"}}}),
            "#/properties/a: the reference \"other.json#/a\" leaves the schema; only `#/…` is \
             followed"
                .to_owned(),
        ),
        (
            json!({"properties": {"a": {"type": "strnig"}}}),
            "#/properties/a: unknown type \"strnig\"; the types are \"string\", \"integer\", \
             \"number\", \"boolean\", \"object\", \"array\" and \"null\""
                .to_owned(),
        ),
        (json!("x"), "#: a schema is an object, not \"x\"".to_owned()),
        (
            json!({"properties": {"a": 5}}),
            "#/properties/a: a schema is an object, not 5".to_owned(),
        ),
        (
            json!({"anyOf": []}),
            "#: `anyOf` is a list of schemas, not []".to_owned(),
        ),
        (
            json!({"properties": {"a": {"$id": "https://example.org/", "$ref": "#/b"}}}),
            "#/properties/a: `$id` below the root changes what references mean".to_owned(),
        ),
        (
            json!({"$dynamicRef": "#a"}),
            "#: `$dynamicRef` is not supported".to_owned(),
        ),
    ] {
        assert_eq!(refused(schema.clone()), expected, "{schema}");
    }
    let mut row = serde_json::Map::new();
    for n in 0..30_000 {
        row.insert(
            format!("A{n}"),
            json!({"$ref": format!("#/$defs/A{}", n + 1)}),
        );
    }
    row.insert("A30000".to_owned(), json!({}));
    let refused_row = refused(json!({"$ref": "#/$defs/A0", "$defs": row}));
    assert!(
        refused_row.ends_with("more than 1536 schemas inside each other"),
        "{refused_row}"
    );
    let wide: Vec<Value> = (0..100_001).map(|n| json!(n)).collect();
    assert_eq!(
        refused(json!({"enum": wide})),
        "#: 100003 JSON values are more than 100000"
    );
    let mut deep = json!({});
    for _ in 0..200 {
        deep = json!({"items": deep});
    }
    assert_eq!(refused(deep), "#: nested more than 128 levels deep");
    assert_eq!(
        refused(json!({"description": "x".repeat(5_000_001)})),
        "#: 5000020 bytes are more than the limit of 5000000 bytes"
    );
}

#[cfg(feature = "jsonschema")]
#[test]
fn c47_an_invalid_pattern_is_refused() {
    let said = refused(json!({"properties": {"a": {"pattern": "["}}}));
    assert_eq!(said, "#/properties/a/pattern: \"[\" is not a \"regex\"");
}

/// What takes a backtracking engine longer than the universe lasts is given up on, and is no yes.
#[cfg(feature = "jsonschema")]
#[test]
fn c47_a_catastrophic_pattern_ends() {
    let text = format!("{}!", "a".repeat(5_000));
    for pattern in [r"^(a+)+$", r"^(a|aa)+$", r"^(?=(a+)+$)a", r"^(a+)+\1$"] {
        // Refused with the schema, or ended by the engine.
        let Ok(compiled) = Compiled::new(json!({"type": "string", "pattern": pattern})) else {
            continue;
        };
        assert!(compiled.check(&json!(text)).is_err(), "{pattern}");
    }
}

/// Twenty definitions, each of which refers twice to the next: a million when inlined.
#[test]
fn c47_references_that_double_are_followed_once() {
    let mut definitions = serde_json::Map::new();
    for level in 0..20 {
        let next = json!({"$ref": format!("#/$defs/D{}", level + 1)});
        let schema = json!({"type": "object", "properties": {"a": next, "b": next}});
        definitions.insert(format!("D{level}"), schema);
    }
    definitions.insert("D20".to_owned(), json!({"type": "string"}));
    let schema = json!({
        "type": "object", "properties": {"x": {"$ref": "#/$defs/D0"}}, "$defs": definitions,
    });
    let compiled = Compiled::new(schema).unwrap();
    assert_eq!(compiled.check(&json!({"x": {"a": {"b": {}}}})), Ok(()));
    let said = compiled.check(&json!({"x": {"a": {"b": 5}}})).unwrap_err();
    assert_eq!(
        said.listed[0].to_string(),
        "/x/a/b: expected an object, got 5"
    );
    assert!(said.shape.len() < 1_000, "{}", said.shape);
}

/// Names of schemas that would change what a reference means, and drafts that nobody has.
#[test]
fn c47_identifiers_lead_nowhere_else() {
    for (schema, said) in [
        (
            json!({"$id": "https://example.org/a", "$ref": "https://example.org/a#/$defs/A",
                "$defs": {"A": {}}}),
            "#: the reference \"https://example.org/a#/$defs/A\" leaves the schema; only `#/…` is \
             followed",
        ),
        (
            json!({"$defs": {"A": {"$anchor": "a"}}, "$ref": "#a"}),
            "#: the reference \"#a\" leaves the schema; only `#/…` is followed",
        ),
        (
            json!({"$ref": "file:///etc/passwd"}),
            "#: the reference \"file:///etc/passwd\" leaves the schema; only `#/…` is followed",
        ),
        (
            json!({"properties": {"a": {"$recursiveRef": "#"}}}),
            "#/properties/a: `$recursiveRef` is not supported",
        ),
    ] {
        assert_eq!(refused(schema), said);
    }
}

#[test]
fn good_schemas_are_not_refused() {
    for schema in [
        json!(true),
        json!({}),
        // A reference to a property is one like any other.
        json!({"properties": {"a": {"type": "string"}, "b": {"$ref": "#/properties/a"}}}),
        // Recursion that looks into the value.
        json!({"properties": {"tree": {"type": "array", "items": {"$ref": "#/properties/tree"}}}}),
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}),
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
            "definitions": {"a": {"type": "string"}},
            "properties": {"$ref": {"$ref": "#/definitions/a"}}}),
        // A reference into what the engine is not given.
        json!({"properties": {"a": {"$ref": "#/default"}}, "default": {"type": "string"}}),
        // Not a reference: a property, a default, an example.
        json!({"properties": {"$ref": {"type": "string"}}, "default": {"$ref": "https://x.org"}}),
    ] {
        let compiled = Compiled::new(schema.clone());
        assert!(compiled.is_ok(), "{schema}: {}", compiled.unwrap_err());
    }
}

#[test]
fn c34_arguments_are_objects() {
    assert_eq!(check_object_root(&json!({"type": "object"})), Ok(()));
    assert_eq!(
        check_object_root(&json!({"$ref": "#/$defs/A", "$defs": {"A": {"type": "object"}}})),
        Ok(())
    );
    for (schema, expected) in [
        (
            json!({"type": "array"}),
            "#/type: the root must be of type \"object\", not \"array\"",
        ),
        (json!({}), "#: the root must say `\"type\": \"object\"`"),
        (
            json!({"type": ["object", "null"]}),
            "#/type: the root must be of type \"object\", not [\"object\",\"null\"]",
        ),
        (
            json!({"$ref": "#"}),
            "#: the root must say `\"type\": \"object\"`",
        ),
    ] {
        assert_eq!(
            check_object_root(&schema).unwrap_err().to_string(),
            expected
        );
    }
}
