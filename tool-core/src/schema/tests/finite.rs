//! C102: what JSON cannot carry is found before it is written.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use serde_json::{Value, json};

use super::types::{External, Shape};
use crate::schema::finite::check_finite;

#[derive(Serialize)]
struct Series {
    name: &'static str,
    points: Vec<Point>,
}

#[derive(Serialize)]
struct Point(f64, Option<f32>);

fn failure<T: Serialize + ?Sized>(value: &T) -> (String, String) {
    check_finite(value).expect_err("something is wrong with it")
}

fn at(path: &str, what: &str) -> (String, String) {
    (path.to_owned(), what.to_owned())
}

#[test]
fn c102_names_the_float_and_its_path() {
    assert_eq!(
        failure(&f64::NAN),
        at("", "is NaN, which JSON cannot carry")
    );
    let points = vec![Point(0.0, None), Point(1.0, Some(f32::NEG_INFINITY))];
    assert_eq!(
        failure(&Series { name: "a", points }),
        at("/points/1/1", "is -inf, which JSON cannot carry")
    );
    let map = HashMap::from([("a/b", vec![f64::INFINITY])]);
    assert_eq!(
        failure(&map),
        at("/a~1b/0", "is inf, which JSON cannot carry")
    );
    assert_eq!(
        failure(&Shape::Circle { r: f64::NAN }),
        at("/r", "is NaN, which JSON cannot carry")
    );
    assert_eq!(
        failure(&[External::Circle(f64::NAN)]),
        at("/0/Circle", "is NaN, which JSON cannot carry")
    );
}

#[test]
fn variants_show_in_the_path() {
    #[derive(Serialize)]
    enum E {
        Struct { f: f64 },
        Tuple(u8, f64),
    }
    let what = "is NaN, which JSON cannot carry";
    assert_eq!(failure(&E::Struct { f: f64::NAN }), at("/Struct/f", what));
    assert_eq!(failure(&E::Tuple(1, f64::NAN)), at("/Tuple/1", what));
}

#[test]
fn integers_end_where_readers_do() {
    assert_eq!(check_finite(&i128::from(i64::MIN)), Ok(()));
    assert_eq!(check_finite(&u128::from(u64::MAX)), Ok(()));
    assert_eq!(
        failure(&[0, u128::from(u64::MAX) + 1]),
        at(
            "/1",
            "is 18446744073709551616, which needs more than 64 bits"
        )
    );
    assert_eq!(
        failure(&(i128::from(i64::MIN) - 1)),
        at("", "is -9223372036854775809, which needs more than 64 bits")
    );
}

#[test]
fn keys_are_what_serde_json_writes() {
    let composite = BTreeMap::from([(vec![1], 2)]);
    assert_eq!(
        failure(&composite),
        at("", "has a map key that is not a string in JSON")
    );
    assert!(serde_json::to_string(&composite).is_err());
    let unit = BTreeMap::from([((), 2)]);
    assert_eq!(
        failure(&unit),
        at("", "has a map key that is not a string in JSON")
    );
    let nested = BTreeMap::from([(7u8, BTreeMap::from([(true, f64::NAN)]))]);
    assert_eq!(
        failure(&nested),
        at("/7/true", "is NaN, which JSON cannot carry")
    );
    assert_eq!(check_finite(&BTreeMap::from([('c', 1)])), Ok(()));
}

#[test]
fn nesting_is_bounded() {
    let nested = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    assert_eq!(check_finite(&nested(128)), Ok(()));
    let (path, what) = failure(&nested(129));
    assert_eq!(
        (path.len(), what.as_str()),
        (256, "is nested more than 128 levels deep")
    );
}

#[test]
fn everything_else_passes() {
    let value = json!({"a": [1, -1, 1.5, "x", null, true], "b": {}});
    assert_eq!(check_finite(&value), Ok(()));
    assert_eq!(check_finite::<str>("text"), Ok(()));
    assert_eq!(check_finite(&Value::Null), Ok(()));
    assert_eq!(
        check_finite(&(1u8, 'c', "s", b"bytes", Some(()), None::<f64>)),
        Ok(())
    );
}

#[test]
fn an_error_of_the_type_itself_comes_out_with_its_path() {
    struct Broken;
    impl Serialize for Broken {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("lock poisoned"))
        }
    }
    assert_eq!(failure(&vec![Some(Broken)]), at("/0", "lock poisoned"));
}
