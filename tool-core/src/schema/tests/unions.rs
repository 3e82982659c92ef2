//! Unions and recursive types: the arm that was meant is explained.

use serde_json::json;

use super::types::{Adjacent, External, Nested, Node, Shape, Untagged, whole};
use super::validate::{about, fits, text};
use crate::schema::validate::Compiled;

#[test]
fn c22_a_tagged_union_is_explained_inside_its_arm() {
    assert_eq!(
        about::<Shape>(json!({"kind": "rect", "w": 1})),
        "/x/h: missing (expected an integer)"
    );
    assert_eq!(
        about::<Shape>(json!({"kind": "oval"})),
        r#"/x/kind: "oval" is not one of "dot", "circle", "rect", "shut""#
    );
    assert_eq!(
        about::<Shape>(json!({"w": 1})),
        r#"/x/kind: missing (expected "dot", "circle", "rect" or "shut")"#
    );
    assert_eq!(
        about::<Shape>(json!("dot")),
        r#"/x: expected an object with "kind": "dot", "circle", "rect" or "shut", got "dot""#
    );
    // schemars writes the tag first; a map in the order of the alphabet puts it last.
    let order = json!({"kind": 0, "a": 0});
    let first = order.as_object().and_then(|order| order.keys().next());
    let names = match first.map(String::as_str) {
        Some("kind") => r#""kind", "a""#,
        _ => r#""a", "kind""#,
    };
    assert_eq!(
        about::<Shape>(json!({"kind": "shut", "a": 1, "b": 2})),
        format!("/x/b: unknown property; expected one of {names}")
    );
    assert!(fits::<Shape>(json!({"kind": "rect", "w": 1, "h": 2})));
    assert!(fits::<Shape>(json!({"h": 2, "w": 1, "kind": "rect"})));
    assert!(fits::<Shape>(json!({"kind": "shut", "a": 1})));
    assert!(fits::<Shape>(json!({"kind": "dot"})));
    assert_eq!(
        about::<Nested>(json!({"outer": "Inner", "kind": "circle", "r": "1"})),
        "/x/r: expected a number, got \"1\""
    );
    assert_eq!(
        about::<Adjacent>(json!({"t": "B", "c": 70000})),
        "/x/c: expected an integer from 0 to 65535, got 70000"
    );
}

#[test]
fn an_externally_tagged_union_is_explained_by_its_key() {
    assert_eq!(
        about::<External>(json!({"Rect": {"w": 1}})),
        "/x/Rect/h: missing (expected an integer)"
    );
    assert_eq!(
        about::<External>(json!({"Rct": {"w": 1}})),
        r#"/x: "Rct" is not one of "Circle", "Rect", "Pair"; did you mean "Rect"?"#
    );
    assert_eq!(
        about::<External>(json!("nothing")),
        r#"/x: "nothing" is not one of "None", "Nothing"; did you mean "Nothing"?"#
    );
    assert_eq!(
        about::<External>(json!({"Circle": 1, "Rect": {"h": 1, "w": 1}})),
        r#"/x: expected an object with exactly one of "Circle", "Rect", "Pair", got {"Circle":1,"Rect":{"h":1,"w":1}}"#
    );
    assert_eq!(
        about::<External>(json!({"Pair": [1]})),
        "/x/Pair: expected an array of exactly 2 items, got 1 item: [1]"
    );
}

#[test]
fn c26_an_untagged_union_names_its_alternatives() {
    assert_eq!(
        about::<Untagged>(json!(true)),
        "/x: expected an integer, a string or an array of strings, got true"
    );
    assert_eq!(
        about::<Untagged>(json!([1])),
        "/x/0: expected a string, got 1"
    );
    for value in [json!("5"), json!(5), json!("[\"a\"]"), json!(["a"])] {
        assert!(fits::<Untagged>(value));
    }
}

#[test]
fn one_of_means_exactly_one() {
    let schema = json!({"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 5}]});
    assert_eq!(
        Compiled::new(schema.clone()).unwrap().check(&json!(1)),
        Ok(())
    );
    assert_eq!(
        Compiled::new(schema.clone()).unwrap().check(&json!(5.5)),
        Ok(())
    );
    assert_eq!(
        text(&schema, &json!(7)),
        "expected exactly one of the alternatives, got 7, which is an integer and a number of at least 5\n\
         expected integer | number"
    );
}

#[test]
fn c06_a_recursive_type_is_checked_at_every_level() {
    assert!(fits::<Node>(
        json!({"v": "a", "kids": [{"v": "b", "kids": [{"v": "c", "kids": []}]}]})
    ));
    assert_eq!(
        about::<Node>(json!({"v": "a", "kids": [{"v": 1, "kids": []}]})),
        "/x/kids/0/v: expected a string, got 1"
    );
    let schema = whole::<Node>().unwrap();
    let compiled = Compiled::new(schema.clone()).unwrap();
    // The root is closed; the nodes inside are as open as serde takes them.
    let value = json!({"v": "a", "kids": [{"v": "b", "kids": [], "more": 1}]});
    assert_eq!(compiled.check(&value), Ok(()));
    let value = json!({"v": "a", "kids": [], "more": 1});
    assert!(
        compiled
            .check(&value)
            .unwrap_err()
            .to_string()
            .starts_with("/more: unknown property")
    );
}
