//! What a schema accepts, its type reads, and the other way round: for every type of the list,
//! over values made for the schema and values that were damaged.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use serde_json::{Value, json};

use super::samples::{Sample, samples};
use super::support::judge;
use crate::schema::tests::generate::{Choices, any_value, damaged, made_for};
use crate::schema::validate::{Compiled, compare_values};
use crate::schema::{fill_defaults, repair};

/// A run that is the same on every machine.
fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        cases,
        rng_seed: RngSeed::Fixed(0x00c0_ffee),
        failure_persistence: None,
        ..Config::default()
    })
}

/// Where a type reads less than its schema says: calls that are refused with serde's own message.
///
/// Of keys, schemars says nothing; and it leaves open what serde closes.
const KNOWN: &[(&str, &[&str])] = &[
    // The nanoseconds are carried over into the seconds.
    ("Duration", &["overflow", "unknown field"]),
    ("Range<u8>", &["unknown field"]),
    ("BTreeMap<char, u8>", &["expected a character"]),
    ("BTreeMap<bool, u8>", &["expected a boolean"]),
    ("HashMap<Uuid, u8>", &["UUID parsing failed"]),
    ("Holding", &["expected unit struct"]),
];

/// Types with attributes for schemars alone: serde reads more than they say.
const REFINED: &[&str] = &["Ranged"];

/// What becomes of arguments, step by step, as intake takes them.
fn sound(
    sample: &Sample,
    compiled: &Compiled,
    judge: &jsonschema::Validator,
    arguments: Value,
) -> Result<(), TestCaseError> {
    let (name, schema) = (sample.name, &*sample.parameters);
    let before = arguments.clone();
    let mut arguments = arguments;
    let was_valid = judge.is_valid(&before);
    prop_assert_eq!(
        was_valid,
        compiled.is_valid(&before),
        "{}: {}",
        name,
        before
    );
    let done = repair(schema, &mut arguments, None);
    if was_valid {
        let same = compare_values(&before, &arguments).is_eq();
        prop_assert!(same, "{name}: {before} became {arguments}: {done:?}");
    }
    let again = repair(schema, &mut arguments.clone(), None);
    prop_assert!(
        again.is_empty(),
        "{name}: {arguments} repaired twice: {again:?}"
    );
    fill_defaults(schema, &mut arguments);
    let verdict = compiled.check(&arguments);
    let judged = judge.is_valid(&arguments);
    prop_assert_eq!(verdict.is_ok(), judged, "{}: {}", name, arguments);
    if let Err(violations) = &verdict {
        let said = violations.to_string();
        prop_assert!(
            !violations.listed.is_empty() && said.len() < 8_000,
            "{said}"
        );
    }
    let Some(x) = arguments.get("x") else {
        return Ok(());
    };
    match (verdict, (sample.read)(x)) {
        (Ok(()), Err(error)) => {
            let says = |said: &&str| error.contains(said);
            let known = KNOWN
                .iter()
                .any(|(of, said)| *of == name && said.iter().any(says));
            prop_assert!(known, "{name}: the schema accepts {x}, serde says: {error}");
        }
        // serde also reads arrays as structs, and `{"A": null}` as a unit variant; what it read is
        // accepted in its own form.
        (_, Ok(own)) if !REFINED.contains(&name) => {
            let own = json!({ "x": own });
            prop_assert!(
                compiled.is_valid(&own),
                "{name}: serde reads {x}, the schema refuses {own}"
            );
        }
        _ => {}
    }
    Ok(())
}

#[test]
fn schemas_and_types_agree() {
    let choices = || prop::collection::vec(any::<u32>(), 0..60);
    let input = (
        choices(),
        prop::collection::vec(any_value(), 0..3),
        any::<bool>(),
    );
    let mut failures = Vec::new();
    for sample in samples() {
        let compiled = Compiled::new(sample.parameters.clone()).expect("a good schema");
        let judge = judge(&sample.parameters);
        let run = runner(48).run(&input, |(choices, strange, fresh)| {
            let mut choices = Choices::new(&choices);
            let schema = &*sample.parameters;
            let arguments = if fresh {
                made_for(schema, schema, &strange, &mut choices)
            } else {
                let value = &sample.values[choices.below(sample.values.len())];
                damaged(value, &strange, &mut choices)
            };
            sound(&sample, &compiled, &judge, arguments)
        });
        failures.extend(run.err().map(|failure| failure.to_string()));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// The values that the list gives are read as what they are.
#[test]
fn values_are_read_as_they_are() {
    for sample in samples() {
        for value in &sample.values {
            let read = (sample.read)(&value["x"]).unwrap_or_else(|error| {
                panic!("{}: {value}: {error}", sample.name);
            });
            assert_eq!(read, value["x"], "{}", sample.name);
        }
    }
}
