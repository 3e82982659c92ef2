//! Plays conformance scenarios: JSON files that say what is registered, what is called, and what
//! the reference was seen to do.
//!
//! [`scenario`], [`tool`], [`policy`] and [`expect`] are the vocabulary; [`run`] plays a scenario
//! through the public interface of `tool-core` while its callbacks write marks; [`compare`] says
//! how what was [`observed`] differs.

mod bodies;
pub mod compare;
pub mod expect;
mod hooks;
mod marks;
pub mod observed;
pub mod policy;
pub mod run;
pub mod scenario;
pub mod text;
pub mod throws;
pub mod tool;
mod world;

use serde::Deserialize as _;
use serde_json::Value;

use scenario::Scenario;

/// One scenario of a file.
#[derive(Clone, Debug)]
pub struct Read {
    /// Its id; its place in the file, such as `#3`, if it has none.
    pub id: String,
    /// The scenario, or why it cannot be read.
    pub scenario: Result<Scenario, String>,
}

/// The scenarios of a file.
///
/// # Errors
///
/// If the text is not a JSON array.
///
/// ```
/// let read = tool_tests::conformance::read(r#"[{"id": "a/b", "colour": "red"}]"#).unwrap();
/// assert_eq!(read[0].id, "a/b");
/// assert!(read[0].scenario.as_ref().unwrap_err().contains("unknown field `colour`"));
/// ```
pub fn read(text: &str) -> Result<Vec<Read>, serde_json::Error> {
    let scenarios: Vec<Value> = serde_json::from_str(text)?;
    let read = |(index, value): (usize, Value)| {
        let id = value["id"]
            .as_str()
            .map_or_else(|| format!("#{index}"), str::to_owned);
        let scenario = Scenario::deserialize(value).map_err(|error| error.to_string());
        Read { id, scenario }
    };
    Ok(scenarios.into_iter().enumerate().map(read).collect())
}
