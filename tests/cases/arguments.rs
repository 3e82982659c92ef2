//! Section B: arguments as models make them.

use serde_json::{Value, json};
use tool_core::{RawArguments, tool};

use crate::one;

#[tool(description = "Does it.")]
fn nothing() -> &'static str {
    "ran"
}

#[tool(description = "Does it.")]
fn optional(a: Option<u8>, #[arg(default = 2)] b: u8) -> String {
    format!("{a:?} {b}")
}

#[tool(description = "Does it.")]
fn search(q: String) -> String {
    q
}

#[tokio::test]
async fn c49_no_arguments() {
    let (nothing, optional, search) = (one(nothing {}), one(optional {}), one(search {}));
    let texts = ["", "  ", "\n\t", "null", " null "].map(RawArguments::from);
    let values = [json!(null), json!({}), json!("")].map(RawArguments::from);
    for arguments in texts.into_iter().chain(values) {
        assert_eq!(nothing.text(arguments.clone()).await, "ran");
        assert_eq!(optional.text(arguments.clone()).await, "None 2");
        assert_eq!(
            search.refusal(arguments).await,
            "/q: missing (expected a string)"
        );
    }
}

#[tool(description = "Does it.")]
fn area(w: u32, h: u32) -> u32 {
    w * h
}

#[tokio::test]
async fn c50_arguments_that_are_no_object() {
    let area = one(area {});
    for (text, kind) in [
        ("[1,2]", "an array"),
        ("[]", "an array"),
        ("\"x\"", "a string"),
        ("5", "a number"),
        ("true", "a boolean"),
    ] {
        let said = format!("expected an object, got {kind}");
        assert_eq!(area.refusal(text).await, said);
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(area.refusal(value).await, said);
    }
}

#[tokio::test]
async fn c51_whole_arguments_as_a_string() {
    let search = one(search {});
    let once = json!(r#"{"q":"x"}"#);
    for arguments in [RawArguments::from(once.to_string()), once.clone().into()] {
        let (seen, text) = search.call(arguments).await.unwrap();
        assert_eq!((seen, &*text), (json!({"q": "x"}), "x"));
    }
    let twice = json!(once.to_string());
    let said = "expected an object, got a string";
    assert_eq!(search.refusal(twice.to_string()).await, said);
    assert_eq!(search.refusal(twice).await, said);
}

#[tool(description = "Does it.")]
fn float(x: f64) -> String {
    assert!(x.is_finite());
    x.to_string()
}

#[tokio::test]
async fn c54_non_finite_numbers() {
    let float = one(float {});
    for word in ["Infinity", "-Infinity", "NaN", "inf", "1e999"] {
        assert_eq!(
            float.refusal(json!({"x": word})).await,
            format!("/x: expected a number, got \"{word}\"")
        );
    }
    for (text, said) in [
        (
            r#"{"x":1e400}"#,
            "/x: `1e400` is too large a number at line 1 column 6",
        ),
        (
            r#"{"x":-1e400}"#,
            "/x: `-1e400` is too large a number at line 1 column 6",
        ),
    ] {
        assert_eq!(float.refusal(text).await, said);
    }
    for word in ["NaN", "Infinity", "-Infinity"] {
        let said = float.refusal(format!(r#"{{"x":{word}}}"#)).await;
        assert!(
            said.starts_with("/x: ") && said.contains("line 1 column"),
            "{said}"
        );
    }
    assert_eq!(float.text(r#"{"x":"1.5"}"#).await, "1.5");
    assert_eq!(float.text(r#"{"x":1e308}"#).await, 1e308.to_string());
}

#[tool(description = "Does it.")]
fn limit(limit: u32, small: Option<u8>, large: Option<u64>) -> String {
    format!("{limit} {small:?} {large:?}")
}

#[tokio::test]
async fn c55_integral_floats() {
    let limit = one(limit {});
    for (text, said) in [
        (r#"{"limit":10.0}"#, "10 None None"),
        (r#"{"limit":1e2}"#, "100 None None"),
        (r#"{"limit":-0}"#, "0 None None"),
        (r#"{"limit":0,"small":2.55e2}"#, "0 Some(255) None"),
        (
            r#"{"limit":0,"large":1e18}"#,
            "0 None Some(1000000000000000000)",
        ),
        (
            r#"{"limit":0,"large":18446744073709549568.0}"#,
            "0 None Some(18446744073709549568)",
        ),
    ] {
        assert_eq!(limit.text(text).await, said, "{text}");
    }
    for (text, said) in [
        (
            r#"{"limit":10.5}"#,
            "/limit: expected an integer from 0 to 4294967295, got 10.5",
        ),
        (
            r#"{"limit":-1.0}"#,
            "/limit: expected an integer from 0 to 4294967295, got -1",
        ),
        (
            r#"{"limit":1,"small":300}"#,
            "/small: expected an integer from 0 to 255, got 300",
        ),
        (
            r#"{"limit":1e300}"#,
            "/limit: expected an integer from 0 to 4294967295, got 1e+300",
        ),
    ] {
        assert_eq!(limit.refusal(text).await, said, "{text}");
    }
    // Not the integer that was written, so not read as one.
    let said = limit
        .refusal(r#"{"limit":1,"large":9007199254740993.0}"#)
        .await;
    assert!(said.contains("/large"), "{said}");
}

#[tokio::test]
async fn c57_fences_commas_marks_and_comments() {
    let area = one(area {});
    let fenced = "```json\n{\"w\":1,\"h\":2}\n```";
    let (seen, text) = area.call(fenced).await.unwrap();
    assert_eq!((seen, &*text), (json!({"w": 1, "h": 2}), "2"));
    for (text, said) in [
        (
            "{\"w\":1,\"h\":2,}",
            "trailing comma before `}` at line 1 column 14; remove the comma",
        ),
        (
            "\u{feff}{\"w\":1,\"h\":2}",
            "unexpected byte order mark at line 1 column 1; remove it",
        ),
        (
            "{\"w\":1 /*c*/,\"h\":2}",
            "unexpected comment at line 1 column 8; JSON has no comments",
        ),
        (
            "{'w':1,'h':2}",
            "single quotes are not JSON at line 1 column 2; put strings and keys in double quotes",
        ),
    ] {
        assert_eq!(area.refusal(text).await, said, "{text}");
    }
}

#[tool(description = "Does it.")]
fn write(path: String, content: String) -> String {
    format!("{path} {content}")
}

#[tokio::test]
async fn c58_truncated_json() {
    let write = one(write {});
    assert_eq!(
        write
            .refusal(r#"{"path":"a.txt","content":"hello wor"#)
            .await,
        "/content: the JSON is incomplete: it ends inside a string at line 1 column 37; \
         send the whole value again"
    );
}

#[tokio::test]
async fn c61_extra_fields() {
    let search = one(search {});
    assert_eq!(
        search.refusal(r#"{"q":"x","explanation":"because"}"#).await,
        "/explanation: unknown property; only \"q\" is allowed"
    );
}

#[tool(description = "Does it.")]
fn get(id: u64) -> u64 {
    id
}

#[tokio::test]
async fn c62_integers_above_2_to_the_53rd() {
    let get = one(get {});
    for id in [1_917_043_659_912_705_297, u64::MAX, 9_007_199_254_740_993] {
        for arguments in [format!(r#"{{"id":{id}}}"#), format!(r#"{{"id":"{id}"}}"#)] {
            let (seen, text) = get.call(arguments).await.unwrap();
            assert_eq!((seen, text), (json!({"id": id}), id.to_string()));
        }
    }
    assert_eq!(
        get.refusal(r#"{"id":18446744073709551616}"#).await,
        "/id: the integer `18446744073709551616` needs more than 64 bits at line 1 column 7; \
         send it as a string if the schema allows one"
    );
}

#[tool(description = "Does it.")]
fn anything(v: Value) -> String {
    let mut depth = 0;
    let mut at = &v;
    while let Value::Array(items) = at {
        depth += 1;
        let Some(first) = items.first() else { break };
        at = first;
    }
    depth.to_string()
}

#[tokio::test]
async fn c64_deep_nesting() {
    let anything = one(anything {});
    let nested = |levels: usize| format!(r#"{{"v":{}{}}}"#, "[".repeat(levels), "]".repeat(levels));
    assert_eq!(anything.text(nested(127)).await, "127");
    for text in [
        nested(128),
        nested(129),
        nested(100_000),
        "[".repeat(100_000),
    ] {
        let said = anything.refusal(text).await;
        assert!(said.contains("nested more than 128 levels deep"), "{said}");
    }
}

#[tool(description = "Does it.")]
fn flags(flags: Vec<bool>) -> usize {
    flags.len()
}

#[tokio::test]
async fn c65_huge_payload() {
    let search = one(search {});
    let text = format!(r#"{{"q":"{}"}}"#, "x".repeat(64 << 20));
    let said = format!(
        "{} bytes are more than the limit of 1048576 bytes",
        text.len()
    );
    assert_eq!(search.refusal(text).await, said);
    // As many violations as fit.
    let flags = one(flags {});
    let said = flags
        .call(json!({"flags": vec![json!("x"); 260_000]}))
        .await
        .unwrap_err();
    assert!(
        said.contains("/flags/0: expected a boolean, got \"x\"\n"),
        "{said}"
    );
    assert!(said.contains("… and 259984 more\n"), "{said}");
    assert!(said.len() < 2_000, "{}", said.len());
}
