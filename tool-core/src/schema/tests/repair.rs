//! The repairs of the table, and what must never be repaired.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde_json::{Value, json};

use super::types::{Adjacent, Defaults, External, Mode, Node, Shape, Untagged, Wh, one, whole};
use crate::schema::parse::Limits;
use crate::schema::repair::{fill_defaults, repair, repair_root, repair_root_value};

/// What `{"x": value}` becomes where `x: T`, and what is said about it.
fn mended<T: JsonSchema>(value: Value) -> (Value, Vec<String>) {
    let mut arguments = json!({"x": value});
    let done = repair(&one::<T>().schema, &mut arguments, None);
    (
        arguments["x"].take(),
        done.iter().map(ToString::to_string).collect(),
    )
}

fn mends<T: JsonSchema>(from: Value, to: Value, said: &str) {
    let (value, done) = mended::<T>(from.clone());
    assert_eq!(
        (value.to_string(), done),
        (to.to_string(), vec![said.to_owned()]),
        "{from}"
    );
}

fn keeps<T: JsonSchema>(value: Value) {
    let (after, done) = mended::<T>(value.clone());
    assert_eq!(
        (after.to_string(), done),
        (value.to_string(), Vec::<String>::new())
    );
}

#[test]
fn strings_become_the_numbers_they_spell() {
    mends::<u32>(json!("5"), json!(5), r#"/x: read the string "5" as 5"#);
    mends::<u64>(
        json!("18446744073709551615"),
        json!(u64::MAX),
        r#"/x: read the string "18446744073709551615" as 18446744073709551615"#,
    );
    mends::<i64>(
        json!("-9223372036854775808"),
        json!(i64::MIN),
        r#"/x: read the string "-9223372036854775808" as -9223372036854775808"#,
    );
    mends::<f64>(
        json!("1.5"),
        json!(1.5),
        r#"/x: read the string "1.5" as 1.5"#,
    );
    mends::<f64>(
        json!("-0.10"),
        json!(-0.1),
        r#"/x: read the string "-0.10" as -0.1"#,
    );
    mends::<f64>(
        json!("1917043659912705297"),
        json!(1_917_043_659_912_705_297_i64),
        r#"/x: read the string "1917043659912705297" as 1917043659912705297"#,
    );
    mends::<Option<u32>>(json!("7"), json!(7), r#"/x: read the string "7" as 7"#);
    mends::<u32>(
        json!("10.0"),
        json!(10),
        r#"/x: read the string "10.0" as 10"#,
    );
    for text in [
        "",
        " 5",
        "5 ",
        "+5",
        "--5",
        "-",
        "0x10",
        "1_000",
        "1,5",
        "1e3",
        "1e999",
        "NaN",
        "Infinity",
        "inf",
        "00123",
        "5.",
        ".5",
        "٣",
        "18446744073709551616",
        "five",
        "null",
    ] {
        keeps::<u32>(json!(text));
        if text != "18446744073709551616" {
            keeps::<f64>(json!(text));
        }
    }
    keeps::<u32>(json!("1.5"));
    // More digits than a double has.
    keeps::<f64>(json!("0.12345678901234567890123"));
    keeps::<f64>(json!("123456789012345678901234567890"));
    keeps::<f64>(json!("9007199254740993.5"));
}

#[test]
fn booleans_arrays_and_objects_are_read_from_strings() {
    mends::<bool>(
        json!("true"),
        json!(true),
        r#"/x: read the string "true" as true"#,
    );
    mends::<bool>(
        json!("false"),
        json!(false),
        r#"/x: read the string "false" as false"#,
    );
    for text in ["True", "yes", "1", "", " true"] {
        keeps::<bool>(json!(text));
    }
    mends::<Vec<u8>>(
        json!("[1, 2]"),
        json!([1, 2]),
        "/x: decoded the array from a string",
    );
    mends::<Wh>(
        json!("{\"w\":1,\"h\":2}"),
        json!({"w": 1, "h": 2}),
        "/x: decoded the object from a string",
    );
    // One layer, at each place.
    let twice = Value::from("[1]").to_string();
    keeps::<Vec<u8>>(json!(twice));
    let (value, done) = mended::<Vec<Wh>>(json!("[\"{\\\"w\\\":\\\"1\\\",\\\"h\\\":2}\"]"));
    assert_eq!(value, json!([{"w": 1, "h": 2}]));
    assert_eq!(
        done,
        [
            "/x: decoded the array from a string",
            "/x/0: decoded the object from a string",
            "/x/0/w: read the string \"1\" as 1"
        ]
    );
    // Truncated, doubled, or of the wrong type.
    for text in ["[1, 2", "[1,2]]", "[1,]", "{\"w\":1,\"w\":2}", "{}"] {
        keeps::<Vec<u8>>(json!(text));
    }
    keeps::<Wh>(json!("[1,2]"));
}

#[test]
fn integers_written_as_floats() {
    mends::<u32>(json!(10.0), json!(10), "/x: read 10.0 as the integer 10");
    mends::<u32>(
        serde_json::from_str("1e2").unwrap(),
        json!(100),
        "/x: read 100.0 as the integer 100",
    );
    mends::<u32>(
        serde_json::from_str("-0").unwrap(),
        json!(0),
        "/x: read -0.0 as the integer 0",
    );
    mends::<i32>(json!(-3.0), json!(-3), "/x: read -3.0 as the integer -3");
    for (number, integer) in [
        (json!(1e16), json!(10_000_000_000_000_000_u64)),
        (json!(1e18), json!(1_000_000_000_000_000_000_u64)),
        (
            json!(1.844_674_407_370_955e19),
            json!(18_446_744_073_709_549_568_u64),
        ),
    ] {
        let said = format!("/x: read {number} as the integer {integer}");
        mends::<u64>(number, integer, &said);
    }
    mends::<i64>(
        json!(-9_223_372_036_854_775_808.0),
        json!(i64::MIN),
        "/x: read -9.223372036854776e+18 as the integer -9223372036854775808",
    );
    for number in [10.5, 1e300, 18_446_744_073_709_551_616.0] {
        keeps::<u64>(json!(number));
    }
    // What was written is not what a double holds.
    for text in ["9007199254740993.0", "9.007199254740993e15"] {
        let text = format!("{{\"x\":{text}}}");
        let mut value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            repair(&one::<u64>().schema, &mut value, Some(&text)),
            vec![]
        );
        let inner = Value::from(&*text);
        assert_eq!(repair_root_value(inner.clone()), (inner.clone(), vec![]));
        keeps::<HashMap<String, u64>>(inner);
    }
    let text = r#"{"x":1e18}"#;
    let mut value = serde_json::from_str(text).unwrap();
    assert_eq!(
        repair(&one::<u64>().schema, &mut value, Some(text)).len(),
        1
    );
    assert_eq!(value.to_string(), r#"{"x":1000000000000000000}"#);
    keeps::<f64>(json!(10.0));
    keeps::<Untagged>(json!(10.5));
    mends::<Untagged>(json!(10.0), json!(10), "/x: read 10.0 as the integer 10");
}

#[test]
fn c26_nothing_is_read_from_a_string_that_may_be_one() {
    for text in ["5", "00123", "[1,2]", "{}", "true", "null", "[\"a\"]"] {
        keeps::<String>(json!(text));
        keeps::<Option<String>>(json!(text));
        keeps::<Untagged>(json!(text));
        keeps::<Value>(json!(text));
        keeps::<Mode>(json!(text));
    }
    keeps::<String>(json!(5));
    keeps::<String>(json!(true));
    keeps::<Wh>(json!([1, 2]));
    keeps::<Mode>(json!("fast"));
}

#[test]
fn repairs_reach_into_references_maps_tuples_and_the_arm_that_was_meant() {
    mends::<Option<Wh>>(
        json!({"w": 1, "h": "2"}),
        json!({"w": 1, "h": 2}),
        "/x/h: read the string \"2\" as 2",
    );
    mends::<HashMap<String, u8>>(
        json!({"a/b": "1"}),
        json!({"a/b": 1}),
        "/x/a~1b: read the string \"1\" as 1",
    );
    mends::<(u8, String)>(
        json!(["1", "2"]),
        json!([1, "2"]),
        "/x/0: read the string \"1\" as 1",
    );
    mends::<Shape>(
        json!({"kind": "circle", "r": "1.5"}),
        json!({"kind": "circle", "r": 1.5}),
        "/x/r: read the string \"1.5\" as 1.5",
    );
    mends::<Adjacent>(
        json!({"t": "B", "c": "7"}),
        json!({"t": "B", "c": 7}),
        "/x/c: read the string \"7\" as 7",
    );
    mends::<External>(
        json!({"Rect": {"w": 1.0, "h": 2}}),
        json!({"Rect": {"w": 1, "h": 2}}),
        "/x/Rect/w: read 1.0 as the integer 1",
    );
    // An arm that cannot be told is left alone.
    keeps::<Shape>(json!({"kind": "oval", "r": "1"}));
    keeps::<Shape>(json!({"r": "1"}));
    mends::<Node>(
        json!({"v": "a", "kids": [{"v": "b", "kids": "[]"}]}),
        json!({"v": "a", "kids": [{"v": "b", "kids": []}]}),
        "/x/kids/0/kids: decoded the array from a string",
    );
}

#[test]
fn null_becomes_the_default_where_null_is_not_allowed() {
    let schema = whole::<Defaults>().unwrap();
    let mut value = json!({"deep": {"n": null}, "limit": null, "maybe": null, "q": "x"});
    let done: Vec<String> = repair(&schema, &mut value, None)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        value,
        json!({"deep": {"n": 0}, "limit": 10, "maybe": null, "q": "x"})
    );
    assert_eq!(
        done,
        [
            "/deep/n: replaced null by the default 0",
            "/limit: replaced null by the default 10"
        ]
    );
    let mut value = json!({"deep": null, "q": null});
    let done: Vec<String> = repair(&schema, &mut value, None)
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(value, json!({"deep": {"n": 0, "tags": []}, "q": null}));
    assert_eq!(
        done,
        ["/deep: replaced null by the default {\"n\":0,\"tags\":[]}"]
    );
}

#[test]
fn absent_properties_of_the_root_get_their_defaults() {
    let schema = whole::<Defaults>().unwrap();
    let mut value = json!({"q": "x", "deep": {}});
    assert!(fill_defaults(&schema, &mut value));
    assert_eq!(value, json!({"q": "x", "limit": 10, "deep": {}}));
    assert!(!fill_defaults(&schema, &mut value));
    let mut value = json!([]);
    assert!(!fill_defaults(&schema, &mut value));
    assert_eq!(value, json!([]));
}

#[test]
fn c51_c57_the_arguments_as_a_whole() {
    let limits = Limits::default();
    let read = |text: &str| {
        repair_root(text, limits)
            .map(|(value, done)| {
                (
                    value,
                    done.iter().map(ToString::to_string).collect::<Vec<_>>(),
                )
            })
            .map_err(|error| error.to_string())
    };
    let object = json!({"w": 1, "h": 2});
    assert_eq!(read(r#"{"w":1,"h":2}"#), Ok((object.clone(), vec![])));
    let string = Value::from(r#"{"w":1,"h":2}"#).to_string();
    let said = vec!["decoded the arguments from a string".to_owned()];
    assert_eq!(read(&string), Ok((object.clone(), said)));
    let fenced = "```json\n{\"w\":1,\"h\":2}\n```";
    let said = vec!["removed the code fence".to_owned()];
    assert_eq!(read(fenced), Ok((object, said)));
    // Two layers, or something else inside, stay what they are.
    let twice = Value::from(string.as_str()).to_string();
    assert_eq!(read(&twice), Ok((Value::from(string), vec![])));
    for text in ["\"[1,2]\"", "\"5\"", "\"{\\\"q\\\":\"", "[1,2]", "\"x\""] {
        let (value, done) = read(text).unwrap();
        assert_eq!(
            (value, done),
            (serde_json::from_str(text).unwrap(), vec![]),
            "{text}"
        );
    }
    let fence = "unexpected code fence at line 1 column 1; send the JSON alone";
    assert_eq!(read("```json\n[1]\n```"), Err(fence.to_owned()));
    assert_eq!(read("```json\n{\"a\":\n```"), Err(fence.to_owned()));
    assert_eq!(
        read("{\"w\":1,}"),
        Err("trailing comma before `}` at line 1 column 8; remove the comma".to_owned())
    );
    assert_eq!(
        repair_root_value(json!({"a": 1})),
        (json!({"a": 1}), vec![])
    );
    // `repair` leaves the root alone, so that no second layer is decoded.
    let mut root = Value::from("{}");
    assert_eq!(repair(&one::<u8>().schema, &mut root, None), vec![]);
    assert_eq!(root, json!("{}"));
}

#[test]
fn a_decoded_string_does_not_get_around_the_depth() {
    let schema = json!({"$defs": {"A": {"type": "array", "items": {"$ref": "#/$defs/A"}}},
        "$ref": "#/$defs/A"});
    let text = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    let mut value = json!([[text(126)]]);
    assert_eq!(repair(&schema, &mut value, None).len(), 1);
    let mut value = json!([[text(127)]]);
    assert_eq!(repair(&schema, &mut value, None), vec![]);
}
