//! Answers a model: reads its message as the provider sends it, runs every call through policy, and
//! prints the messages to send back, one per call id.
//!
//! ```text
//! answer_model [--trail] [FILE | -]
//! ```
//!
//! `FILE` holds an OpenAI Chat Completions response; `-` reads it from the standard input; without
//! either, a sample is answered. `--trail` prints, per call, which station said what and how long it took.

#![expect(
    clippy::needless_pass_by_value,
    clippy::unused_async,
    reason = "tools own their arguments, and would wait for something"
)]

use std::io::Read as _;
use std::process::ExitCode;

use serde_json::{Value, json};
use tool_core::wire::Provider;
use tool_core::{PostDecision, RegisterError, ToolRuntime, guard, post_execute, tool};

const SAMPLE: &str = include_str!("data/answer.json");

/// The weather of the next days in a city.
///
/// Temperatures are in degrees Celsius.
#[tool(read_only, concurrency_safe)]
async fn forecast(
    /// The city, in English.
    city: String,
    /// How many days, from 1 to 7.
    #[arg(default = 1)]
    days: u8,
) -> Result<Vec<String>, String> {
    if !(1..=7).contains(&days) {
        return Err(format!("a forecast has 1 to 7 days, not {days}"));
    }
    Ok((1..=days)
        .map(|day| format!("{city}, day {day}: {} °C", 18 + day))
        .collect())
}

/// Writes a note to a file below `notes/`.
#[tool(destructive)]
async fn write_note(
    /// Where to, such as `notes/today.md`.
    path: String,
    /// What to write.
    text: String,
) -> String {
    format!("{} bytes written to {path}", text.len())
}

/// Looks somebody up in the address book.
#[tool(read_only, concurrency_safe)]
fn find_contact(
    /// A first name.
    name: String,
) -> String {
    format!("{name} Hopper, +1 555 0100, secret PIN 1906")
}

/// Notes stay in their folder.
#[guard(tool = write_note)]
fn below_notes(path: &str) -> Option<String> {
    let inside = path.starts_with("notes/") && !path.contains("..");
    (!inside).then(|| format!("{path:?} is not below notes/"))
}

/// No PIN leaves the house.
#[post_execute(tool = find_contact)]
fn no_pins(value: &str) -> PostDecision<String> {
    match value.find(", secret PIN") {
        Some(at) => PostDecision::value(value[..at].to_owned()),
        None => PostDecision::accept(),
    }
}

fn runtime() -> Result<ToolRuntime, RegisterError> {
    ToolRuntime::builder()
        .tool(forecast {})
        .tool(write_note {})
        .tool(find_contact {})
        .guard(below_notes {})
        .post_execute(no_pins {})
        .build()
}

#[tokio::main]
async fn main() -> ExitCode {
    match answer(std::env::args().skip(1)).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("answer_model: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn answer(arguments: impl Iterator<Item = String>) -> Result<(), Box<dyn std::error::Error>> {
    let (mut with_trail, mut file) = (false, None);
    for argument in arguments {
        match argument.as_str() {
            "--trail" => with_trail = true,
            flag if flag.starts_with("--") => {
                return Err(format!(
                    "unknown flag {flag}\nusage: answer_model [--trail] [FILE | -]"
                )
                .into());
            }
            _ if file.is_some() => {
                return Err("more than one file\nusage: answer_model [--trail] [FILE | -]".into());
            }
            _ => file = Some(argument),
        }
    }
    let text = match file.as_deref() {
        None => SAMPLE.to_owned(),
        Some("-") => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text)?;
            text
        }
        Some(path) => std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?,
    };
    let response: Value = serde_json::from_str(&text)
        .map_err(|error| format!("not a Chat Completions response: {error}"))?;
    let turn = Provider::OpenAiChat.read(&response)?;
    let calls = turn.calls().into_iter().map(|call| call.trail(with_trail));
    let results = runtime()?.execute_batch(calls).await;
    let messages = turn.answers(&results);
    println!("{:#}", Value::Array(messages.clone()));
    for result in &results {
        if let Some(trail) = result.trail() {
            println!("\n{}\n{trail}", result.call_id());
        }
    }
    if file.is_none() {
        assert_sample(&messages);
    }
    Ok(())
}

fn assert_sample(messages: &[Value]) {
    let expected = [
        (
            "call_forecast",
            r#"["Lisbon, day 1: 19 °C","Lisbon, day 2: 20 °C"]"#,
        ),
        (
            "call_forbidden",
            r#"Error: "/etc/passwd" is not below notes/"#,
        ),
        ("call_contact", "Grace Hopper, +1 555 0100"),
        (
            "call_misfit",
            "Error: invalid arguments: /city: missing (expected a string)\n\
             /days: expected an integer, got \"many\"\n\
             /town: unknown property; expected one of \"city\", \"days\"\n\
             tool \"forecast\" takes {\"city\": string, \"days\"?: integer}",
        ),
        (
            "call_unknown",
            "Error: unknown tool \"forcast\"; did you mean \"forecast\"?; \
             available: forecast, write_note, find_contact",
        ),
    ];
    let expected: Vec<Value> = expected
        .iter()
        .map(|(id, content)| json!({"role": "tool", "tool_call_id": id, "content": content}))
        .collect();
    assert_eq!(messages, expected);
}
