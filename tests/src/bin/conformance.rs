//! Plays conformance scenarios: `conformance FILE...`.
//!
//! Prints `ok ID` or `FAIL ID: what differs` for each, then `N passed, N failed` alone on a line.
//! Each scenario is played twice, its failures once as errors returned and once as panics.

use std::process::ExitCode;

use tool_tests::conformance::run::play;
use tool_tests::conformance::scenario::Scenario;
use tool_tests::conformance::throws::Pass;
use tool_tests::conformance::{Read, read};

fn main() -> ExitCode {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        eprintln!("usage: conformance FILE...\nplays the scenarios of JSON files");
        return ExitCode::from(2);
    }
    let (mut passed, mut failed) = (0_usize, 0_usize);
    let mut report = |id: &str, differences: Result<(), String>| match differences {
        Ok(()) => {
            passed += 1;
            println!("ok {id}");
        }
        Err(what) => {
            failed += 1;
            println!("FAIL {id}: {what}");
        }
    };
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|error| error.to_string());
        match text.and_then(|text| read(&text).map_err(|error| error.to_string())) {
            Ok(scenarios) => {
                for Read { id, scenario } in scenarios {
                    report(&id, scenario.and_then(|scenario| play_both(&scenario)));
                }
            }
            Err(error) => report(&file, Err(error)),
        }
    }
    println!("{passed} passed, {failed} failed");
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Plays both passes; an error names all differences of the first pass that has some.
fn play_both(scenario: &Scenario) -> Result<(), String> {
    for pass in Pass::BOTH {
        let differences = play(scenario, pass);
        if !differences.is_empty() {
            let what: Vec<String> = differences.iter().map(ToString::to_string).collect();
            let how = if pass == Pass::Panics {
                "with panics, "
            } else {
                ""
            };
            return Err(format!("{how}{}", what.join("; ")));
        }
    }
    Ok(())
}
