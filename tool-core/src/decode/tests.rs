use super::*;
use crate::param::Parameter;

type Read = (String, Option<u32>, Vec<u8>);

const PROPERTIES: &[Property] = &[
    Property::new("name", "", &String::WITNESS.ty),
    Property::new("a/b", "", &<Option<u32>>::WITNESS.ty),
    Property::new("q\"t", "", &<Vec<u8>>::WITNESS.ty),
];

fn read(text: &str) -> Result<Read, String> {
    fn each(source: &mut Source<'_>) -> Option<Read> {
        Some((
            source.read(String::WITNESS)?,
            source.read(<Option<u32>>::WITNESS)?,
            source.read(<Vec<u8>>::WITNESS)?,
        ))
    }
    let mut source = Source::new(text, PROPERTIES);
    let values = each(&mut source);
    source.finish(values).map_err(|error| error.to_string())
}

#[expect(clippy::unnecessary_wraps, reason = "compared with results")]
fn values(name: &str, number: Option<u32>, bytes: &[u8]) -> Result<Read, String> {
    Ok((name.to_owned(), number, bytes.to_owned()))
}

#[test]
fn an_object_becomes_values() {
    assert_eq!(
        read(r#"{"name":"a","a/b":3,"q\"t":[1]}"#),
        values("a", Some(3), &[1])
    );
    assert_eq!(
        read(r#" { "a/b" : null , "q\u0022t" : [ 1 , 2 ] , "n\u0061me" : "b" } "#),
        values("b", None, &[1, 2])
    );
    assert_eq!(read(r#"{"name":"c","q\"t":[]}"#), values("c", None, &[]));
}

#[test]
fn any_order_gives_the_same() {
    let pairs = [r#""name":"a""#, r#""a/b":3"#, r#""q\"t":[4]"#];
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let text = order.map(|index| pairs[index]).join(",");
        assert_eq!(
            read(&format!("{{{text}}}")),
            values("a", Some(3), &[4]),
            "{text}"
        );
    }
}

#[test]
fn the_path_of_what_does_not_fit_is_named() {
    let error = |text: &str| read(text).unwrap_err();
    assert_eq!(error("{}"), "/name: missing");
    assert_eq!(error(r#"{"name":"a"}"#), "/q\"t: missing");
    assert_eq!(
        error(r#"{"name":null}"#),
        "/name: invalid type: null, expected a string"
    );
    assert_eq!(
        error(r#"{"name":"a","a/b":"x"}"#),
        "/a~1b: invalid type: string \"x\", expected u32"
    );
    assert_eq!(
        error(r#"{"a/b":"x","name":"a"}"#),
        "/a~1b: invalid type: string \"x\", expected u32"
    );
    assert_eq!(error(r#"{"nmae":"a"}"#), "unknown property `nmae`");
    assert_eq!(error(r#"{"name":"a","q"t":[]}"#), "unknown property `q`");
}

#[test]
fn a_property_is_given_once() {
    let error = |text: &str| read(text).unwrap_err();
    assert_eq!(error(r#"{"name":"a","name":"b"}"#), "/name: given twice");
    assert_eq!(
        error(r#"{"a/b":null,"a/b":1,"name":"b"}"#),
        "/a~1b: given twice"
    );
    assert_eq!(
        error(r#"{"name":"a","q\"t":[],"a/b":1,"a/b":1}"#),
        "/a~1b: given twice"
    );
    assert_eq!(
        error(r#"{"a/b":1,"q\"t":[],"name":"a","q\"t":[]}"#),
        "/q\"t: given twice"
    );
}

#[test]
fn what_is_no_object_is_refused() {
    let error = |text: &str| read(text).unwrap_err();
    assert_eq!(error("[]"), "expected an object of arguments at byte 0");
    assert_eq!(error(""), "expected an object of arguments at byte 0");
    assert_eq!(error(r#"{"name":"a","q\"t":[]} 5"#), "trailing characters");
    assert_eq!(
        error(r#"{"name":"a" "b":1}"#),
        "expected `,` or `}` at byte 12"
    );
    assert_eq!(error(r#"{"name" "a"}"#), "expected `:` at byte 8");
    assert_eq!(error(r#"{"name":"a",}"#), "expected value at byte 12");
    assert_eq!(error(r#"{,"name":"a"}"#), "expected value at byte 1");
    assert_eq!(error(r#"{"name":"a""#), "expected `,` or `}` at byte 11");
    assert_eq!(error(r#"{"name":"#), "/name: EOF while parsing a value");
    assert_eq!(error("{"), "EOF while parsing a value at byte 1");
}

#[test]
fn unit_arguments_are_an_empty_object() {
    #[derive(serde::Deserialize, Debug, PartialEq)]
    struct Nothing;
    assert_eq!(whole::<()>("{}"), Ok(()));
    assert_eq!(whole::<Nothing>(" { } "), Ok(Nothing));
    assert!(whole::<Nothing>(r#"{"a":1}"#).is_err());
    assert!(whole::<u32>("{}").is_err());
}
