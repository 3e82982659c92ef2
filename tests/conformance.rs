//! Plays the scenarios under `conformance/`: the recorded ones in `scenarios/`, and those written
//! for this project in `own/`. One test per file and pass; it fails with all differences.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tool_tests::conformance::compare::{Difference, compare};
use tool_tests::conformance::expect::Expect;
use tool_tests::conformance::run::{LIMIT, observe, play};
use tool_tests::conformance::scenario::Scenario;
use tool_tests::conformance::throws::Pass;
use tool_tests::conformance::{Read, read};

macro_rules! themes {
    ($($folder:ident: $($theme:ident),+;)+) => {
        $(mod $folder {
            $(mod $theme {
                use tool_tests::conformance::throws::Pass;

                const FILE: &str = concat!(stringify!($folder), "/", stringify!($theme), ".json");

                #[test]
                fn with_errors() {
                    crate::play_file(FILE, Pass::Errors);
                }

                #[test]
                fn with_panics() {
                    crate::play_file(FILE, Pass::Panics);
                }
            })+
        })+

        const PLAYED: &[&str] = &[
            $($(concat!(stringify!($folder), "/", stringify!($theme), ".json")),+),+
        ];
    };
}

themes! {
    scenarios: around, cancellation, definition, execute, finalize, guards, output, post_execute,
        pre_execute, presentation, programs, scheduling, scopes;
    own: around, cancellation, definition, execute, finalize, guards, output, post_execute,
        pre_execute, scheduling, scopes;
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance")
}

fn scenarios_of(file: &str) -> Vec<(Value, Scenario)> {
    let text = fs::read_to_string(folder().join(file)).unwrap();
    let raw: Vec<Value> = serde_json::from_str(&text).unwrap();
    let read = read(&text)
        .unwrap()
        .into_iter()
        .map(|Read { id, scenario }| scenario.unwrap_or_else(|error| panic!("{id}: {error}")));
    raw.into_iter().zip(read).collect()
}

fn play_file(file: &str, pass: Pass) {
    let scenarios = scenarios_of(file);
    assert!(!scenarios.is_empty(), "{file} has no scenarios");
    let failed: Vec<String> = scenarios
        .iter()
        .flat_map(|(_, scenario)| {
            let differences = play(scenario, pass);
            differences
                .into_iter()
                .map(|difference| format!("{}: {difference}", scenario.id))
        })
        .collect();
    assert!(
        failed.is_empty(),
        "{} differences in {file}\n{}",
        failed.len(),
        failed.join("\n")
    );
}

#[test]
fn every_file_is_played() {
    let mut files = Vec::new();
    for sub in ["scenarios", "own"] {
        for entry in fs::read_dir(folder().join(sub)).unwrap() {
            files.push(format!(
                "{sub}/{}",
                entry.unwrap().file_name().to_str().unwrap()
            ));
        }
    }
    files.sort();
    let mut played = PLAYED.to_vec();
    played.sort_unstable();
    assert_eq!(files, played);
}

#[test]
fn ids_name_their_theme_once() {
    let mut ids = Vec::new();
    for file in PLAYED {
        let theme = Path::new(file).file_stem().unwrap().to_str().unwrap();
        for (_, scenario) in scenarios_of(file) {
            assert!(
                scenario.id.starts_with(&format!("{theme}/")),
                "{} in {file}",
                scenario.id
            );
            assert!(!scenario.title.is_empty(), "{}", scenario.id);
            ids.push(scenario.id);
        }
    }
    let all = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), all);
}

/// Every leaf of every expectation matters: changed, it makes a difference.
#[test]
fn a_changed_expectation_is_noticed() {
    let mut missed = Vec::new();
    for (raw, scenario) in PLAYED.iter().flat_map(|file| scenarios_of(file)) {
        let observed = observe(&scenario, Pass::Errors, LIMIT).unwrap();
        assert_eq!(
            compare(&scenario.expect, &observed),
            Vec::<Difference>::new(),
            "{}",
            scenario.id
        );
        for (path, changed) in changes(&raw["expect"]) {
            // An expectation that is no longer in the vocabulary is noticed as well.
            let Ok(expect) = Expect::deserialize(changed) else {
                continue;
            };
            if compare(&expect, &observed).is_empty() {
                missed.push(format!("{}: {path}", scenario.id));
            }
        }
    }
    assert!(
        missed.is_empty(),
        "{} changes went unnoticed\n{}",
        missed.len(),
        missed.join("\n")
    );
}

/// Copies of an expectation, each with one leaf changed or one entry gone.
fn changes(expect: &Value) -> Vec<(String, Value)> {
    let mut pointers = vec![String::new()];
    let mut leaves = Vec::new();
    while let Some(pointer) = pointers.pop() {
        let inside: Vec<String> = match expect.pointer(&pointer).unwrap() {
            Value::Object(map) => map
                .keys()
                .map(|key| key.replace('~', "~0").replace('/', "~1"))
                .collect(),
            Value::Array(items) => (0..items.len()).map(|index| index.to_string()).collect(),
            _ => Vec::new(),
        };
        pointers.extend(inside.iter().map(|key| format!("{pointer}/{key}")));
        leaves.push(pointer);
    }
    leaves.remove(0);
    let mut changes = Vec::new();
    for pointer in leaves
        .into_iter()
        .filter(|pointer| is_compared(expect, pointer))
    {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let mut gone = expect.clone();
        match gone.pointer_mut(parent).unwrap() {
            Value::Object(map) => {
                map.shift_remove(&key.replace("~1", "/").replace("~0", "~"));
            }
            Value::Array(items) => {
                items.remove(key.parse().unwrap());
            }
            _ => unreachable!("only containers have entries"),
        }
        let mut other = expect.clone();
        let leaf = other.pointer_mut(&pointer).unwrap();
        let replacement = match leaf {
            Value::Null => Some(json!("null")),
            Value::Bool(bool) => Some(json!(!*bool)),
            Value::Number(number) => Some(json!(number.as_f64().unwrap() + 1.0)),
            Value::String(text) => Some(json!(format!("{text}?"))),
            Value::Array(_) | Value::Object(_) => None,
        };
        if let Some(replacement) = replacement {
            *leaf = replacement;
            changes.push((format!("changed {pointer}"), other));
        }
        if !is_optional(expect, &pointer) {
            changes.push((format!("without {pointer}"), gone));
        }
    }
    changes
}

/// What the rules of comparing leave out: names of errors, the reference's own words, and in calls
/// that were asked about the marks of guards.
fn is_compared(expect: &Value, pointer: &str) -> bool {
    let key = pointer.rsplit_once('/').map_or("", |(_, key)| key);
    let in_info = pointer.ends_with("/info/name") || pointer.ends_with("/error/info");
    let is_guard = expect
        .pointer(pointer)
        .and_then(Value::as_str)
        .is_some_and(|mark| mark.starts_with("guard:") || mark.contains(" guard:"));
    !(in_info || key == "message_info" || is_guard)
}

/// What says the same when it is not there.
fn is_optional(expect: &Value, pointer: &str) -> bool {
    let is_empty = match expect.pointer(pointer).unwrap() {
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    };
    // A code that the expectation does not name is the implementation's; so is a wording.
    is_empty || pointer.ends_with("/info/code") || pointer.ends_with("/message_must_name")
}

#[test]
fn words_that_are_not_in_the_vocabulary_are_refused() {
    let whole = json!({
        "id": "a/b", "title": "t", "steps": [{"op": "dispose", "label": "x"}],
        "guards": [{"label": "g", "kind": "abstain", "when": {"tool": "t"}}],
        "tools": [{
            "name": "t", "description": "d", "parameters": {"type": "object"},
            "output": {"schema": {}, "render": {"kind": "text_of_value"}},
            "finalize": {"kind": "keep", "when": {"is_error": true}},
            "body": {"steps": [{"op": "conclude_turn"}], "return": null},
        }],
        "expect": {"results": {"c": {"is_error": false, "content": [{"type": "text", "text": "x"}]}}},
    });
    serde_json::from_value::<Scenario>(whole.clone()).unwrap();
    for place in [
        "",
        "/steps/0",
        "/guards/0",
        "/guards/0/when",
        "/tools/0",
        "/tools/0/output",
        "/tools/0/output/render",
        "/tools/0/finalize",
        "/tools/0/finalize/when",
        "/tools/0/body",
        "/tools/0/body/steps/0",
        "/expect",
        "/expect/results/c",
        "/expect/results/c/content/0",
    ] {
        let mut changed = whole.clone();
        changed.pointer_mut(place).unwrap()["colour"] = json!("red");
        let error = serde_json::from_value::<Scenario>(changed)
            .unwrap_err()
            .to_string();
        assert!(error.contains("unknown field `colour`"), "{place}: {error}");
    }
}

#[test]
fn a_scenario_that_hangs_fails() {
    let scenario: Scenario = serde_json::from_value(json!({
        "id": "a/b", "title": "t",
        "tools": [{
            "name": "t", "description": "d", "parameters": {"type": "object"},
            "output": {"schema": {}, "render": {"kind": "text_of_value"}},
            "body": {"steps": [{"op": "wait_latch", "latch": "never"}], "return": null},
        }],
        "steps": [{"op": "call", "call_id": "c1", "name": "t", "arguments": {}}],
        "expect": {},
    }))
    .unwrap();
    let difference = observe(&scenario, Pass::Errors, Duration::from_millis(20)).unwrap_err();
    assert_eq!(
        difference.to_string(),
        r#"scenario: expected "an end within 20ms", got {"c1": ["body:t", "body_end:t", "result"]}"#
    );
}
