//! Strict JSON: what is read, what is refused, and in which words.

use serde_json::{Value, json};

use crate::schema::MAX_DEPTH;
use crate::schema::parse::{
    Limits, ParseErrorKind, check_value, depth, drop_deep, fence, is_blank, parse, scan,
};

fn read(text: &str) -> Result<Value, String> {
    let read = parse(text, Limits::default()).map_err(|error| error.to_string());
    let scanned = scan(text).map_err(|error| error.to_string());
    assert_eq!(
        scanned.err(),
        read.clone().err(),
        "scan and parse disagree on {text:?}"
    );
    read
}

fn refusal(text: &str) -> String {
    read(text).expect_err(text)
}

#[test]
fn reads_what_json_is() {
    let text = r#" {"a": [1, -2, 0, 1.5, 1e2, -0, true, false, null, "x\n\u00e9\ud83d\ude00\/"],
        "": {}, "b c": [[], {}]} "#;
    let expected: Value = serde_json::from_str(text).unwrap();
    assert_eq!(read(text), Ok(expected));
    assert_eq!(read("18446744073709551615"), Ok(json!(u64::MAX)));
    assert_eq!(read("-9223372036854775808"), Ok(json!(i64::MIN)));
    assert_eq!(
        read("12345678901234567890.5"),
        Ok(json!(12_345_678_901_234_567_890.5))
    );
}

#[test]
fn names_a_duplicate_key_at_any_depth() {
    assert_eq!(
        refusal(r#"{"a": 1, "a": 2}"#),
        "/a: the key \"a\" is given twice at line 1 column 10; give each key once"
    );
    assert_eq!(
        refusal("{\"x\": [0, {\"y/z\": 1,\n  \"y\\u002fz\": 2}]}"),
        "/x/1/y~1z: the key \"y/z\" is given twice at line 2 column 3; give each key once"
    );
    let many: Vec<String> = (0..40)
        .chain([20])
        .map(|n| format!("\"k{n}\": {n}"))
        .collect();
    let text = format!("{{{}}}", many.join(","));
    assert!(
        refusal(&text).starts_with("/k20: the key \"k20\" is given twice"),
        "{}",
        refusal(&text)
    );
    // The same key in different objects is fine.
    assert_eq!(
        read(r#"{"a":{"a":1},"b":{"a":2}}"#),
        Ok(json!({"a": {"a": 1}, "b": {"a": 2}}))
    );
}

#[test]
fn c62_refuses_integers_that_would_be_rounded() {
    assert_eq!(
        refusal(r#"{"id": 18446744073709551616}"#),
        "/id: the integer `18446744073709551616` needs more than 64 bits at line 1 column 8; \
         send it as a string if the schema allows one"
    );
    assert_eq!(
        refusal("[-9223372036854775809]"),
        "/0: the integer `-9223372036854775809` needs more than 64 bits at line 1 column 2; \
         send it as a string if the schema allows one"
    );
    assert_eq!(
        refusal("1e400"),
        "`1e400` is too large a number at line 1 column 1"
    );
    let long = "9".repeat(400);
    assert!(refusal(&format!("{long}.5")).contains("is too large a number"));
    assert_eq!(read("1e-400"), Ok(json!(0.0)));
}

#[test]
fn c57_c58_says_what_is_wrong_and_what_to_do() {
    for (text, expected) in [
        (
            r#"{"path":"a.txt","content":"hello wor"#,
            "/content: the JSON is incomplete: it ends inside a string at line 1 column 37; \
             send the whole value again",
        ),
        (
            r#"{"a":"#,
            "/a: the JSON is incomplete: it ends too early at line 1 column 6; \
             send the whole value again",
        ),
        (
            r#"{"w":1,"h":2,}"#,
            "trailing comma before `}` at line 1 column 14; remove the comma",
        ),
        (
            "[1,2,]",
            "trailing comma before `]` at line 1 column 6; remove the comma",
        ),
        (
            "\u{FEFF}{\"w\":1}",
            "unexpected byte order mark at line 1 column 1; remove it",
        ),
        (
            r#"{"w":1 /*c*/,"h":2}"#,
            "unexpected comment at line 1 column 8; JSON has no comments",
        ),
        (
            "{'w':1}",
            "single quotes are not JSON at line 1 column 2; put strings and keys in double quotes",
        ),
        (
            "{\"w\":1}\n{\"w\":2}",
            "unexpected second value after the first at line 2 column 1; \
             send one JSON value per call",
        ),
        (
            "{} and",
            "unexpected text after the value: `and` at line 1 column 4",
        ),
        (
            "{\"x\":NaN}",
            "/x: `NaN` is not JSON at line 1 column 6; JSON numbers are finite",
        ),
        (
            "{\"x\":-Infinity}",
            "/x: a number is not finite at line 1 column 7; JSON numbers are finite",
        ),
        (
            "[True]",
            "/0: `True` is not JSON at line 1 column 2; did you mean `true`?",
        ),
        (
            "[undefined]",
            "/0: `undefined` is not JSON at line 1 column 2; did you mean `null`?",
        ),
        (
            "[abc]",
            "/0: `abc` is not JSON at line 1 column 2; put strings in double quotes",
        ),
        (
            "{w:1}",
            "expected a key in double quotes, found `w` at line 1 column 2; \
             put every key in double quotes",
        ),
        (
            "[01]",
            "/0: a number starts with `0` at line 1 column 4; remove the leading zero",
        ),
        ("[1.]", "/0: expected a digit, found `]` at line 1 column 4"),
        (
            "[\"a\nb\"]",
            "/0: a string holds the raw control character U+000A at line 1 column 4; \
             escape it: `\\n` for a line break, `\\t` for a tab",
        ),
        (
            r#"["\x"]"#,
            "/0: invalid escape in a string at line 1 column 3; write a backslash as `\\\\`",
        ),
        (
            r#"["\ud800x"]"#,
            "/0: a string holds half of a surrogate pair at line 1 column 9; \
             write the character itself",
        ),
        ("[1 2]", "expected `,` or `]`, found `2` at line 1 column 4"),
        (r#"{"a" 1}"#, "expected `:`, found `1` at line 1 column 6"),
        (
            "```json\n{}\n```",
            "unexpected code fence at line 1 column 1; send the JSON alone",
        ),
        (
            "[tru",
            "/0: the JSON is incomplete: it ends too early at line 1 column 5; send the whole value again",
        ),
    ] {
        assert_eq!(refusal(text), expected, "{text:?}");
    }
}

#[test]
fn every_cut_of_a_text_is_incomplete() {
    let text = r#"{"a":[1.5e3,"é\u00e9\ud83d\ude00",true,null,{"b":-1}]}"#;
    for (end, _) in text.char_indices() {
        let error = parse(&text[..end], Limits::default()).expect_err("a prefix");
        assert_eq!(error.kind, ParseErrorKind::Incomplete, "{:?}", &text[..end]);
        assert!(scan(&text[..end]).is_err());
    }
}

#[test]
fn c64_nesting_ends_at_128() {
    let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    assert_eq!(depth(&read(&nested(MAX_DEPTH)).unwrap()), MAX_DEPTH);
    let error = parse(&nested(MAX_DEPTH + 1), Limits::default()).unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::TooDeep);
    assert_eq!(error.message, "nested more than 128 levels deep");
    assert_eq!(error.path, "/0".repeat(MAX_DEPTH));
    // The text shows a part of such a path.
    assert!(error.to_string().len() < 130, "{error}");
    let objects = "{\"a\":".repeat(MAX_DEPTH + 1);
    assert_eq!(
        parse(&objects, Limits::default()).unwrap_err().kind,
        ParseErrorKind::TooDeep
    );
}

#[test]
fn c65_the_size_is_checked_before_the_text() {
    let limits = Limits { max_bytes: 10 };
    assert_eq!(parse("[1,2,3,4]", limits), Ok(json!([1, 2, 3, 4])));
    // Not JSON, and nobody looked.
    let error = parse("not JSON at all", limits).unwrap_err();
    assert_eq!(
        error.to_string(),
        "15 bytes are more than the limit of 10 bytes"
    );
    assert_eq!(Limits::default().max_bytes, 1_048_576);
}

#[test]
fn c64_a_value_built_in_code_is_checked_and_dropped_without_recursion() {
    let mut value = Value::Null;
    for _ in 0..100_000 {
        value = Value::Array(vec![value]);
    }
    let error = check_value(&value, Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), "nested more than 128 levels deep");
    assert_eq!(depth(&value), 100_000);
    drop_deep(value);

    let mut value = json!({});
    for _ in 1..MAX_DEPTH {
        value = json!({ "a": value });
    }
    assert_eq!(check_value(&value, Limits::default()), Ok(()));
    assert!(check_value(&json!([value]), Limits::default()).is_err());
    let long = json!(["x".repeat(20)]);
    let error = check_value(&long, Limits { max_bytes: 20 }).unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::TooLarge);
}

#[test]
fn blank_means_no_arguments() {
    for text in ["", "  ", "\n\t", "null", " null "] {
        assert!(is_blank(text), "{text:?}");
    }
    for text in ["{}", "\"\"", "nul", "0"] {
        assert!(!is_blank(text), "{text:?}");
    }
}

#[test]
fn a_fence_is_one_and_around_everything() {
    assert_eq!(fence("```json\n{\"w\":1}\n```"), Some("{\"w\":1}"));
    assert_eq!(fence(" ```\n{}\n``` \n"), Some("{}"));
    assert_eq!(fence("```{}```"), Some("{}"));
    // A fence inside a string is content.
    assert_eq!(
        fence("```json\n{\"c\":\"```\"}\n```"),
        Some("{\"c\":\"```\"}")
    );
    for text in ["{}", "```json\n{}", "{}\n```", "text ```{}```", "```", ""] {
        assert_eq!(fence(text), None, "{text:?}");
    }
}
