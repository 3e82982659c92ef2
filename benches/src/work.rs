//! The work of a row: a search whose body is trivial, so that what is around it shows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_core::tool;

/// What is looked for.
#[derive(Deserialize, Serialize, JsonSchema)]
pub struct SearchArgs {
    /// What to look for.
    pub query: String,
    /// How many hits at most.
    pub limit: Option<u32>,
    /// Tags every hit must have.
    pub tags: Vec<String>,
}

/// One hit.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Hit {
    /// Its title.
    pub title: String,
    /// How well it fits.
    pub score: f64,
}

/// What is found.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct SearchOut {
    /// The hits.
    pub hits: Vec<Hit>,
    /// How many there are.
    pub total: u32,
}

/// `limit` short titles.
#[inline(never)]
pub fn body(query: &str, limit: Option<u32>, tags: &[String]) -> SearchOut {
    let count = limit.unwrap_or(3);
    let tags = u32::try_from(tags.len()).unwrap_or(u32::MAX);
    let hits = (0..count).map(|n| Hit {
        title: format!("{query} #{n}"),
        score: f64::from(tags + n) / 8.0,
    });
    SearchOut {
        hits: hits.collect(),
        total: count,
    }
}

/// Searches.
#[tool(concurrency_safe)]
pub async fn search(
    /// What to look for.
    query: String,
    /// How many hits at most.
    limit: Option<u32>,
    /// Tags every hit must have.
    tags: Vec<String>,
) -> SearchOut {
    body(&query, limit, &tags)
}

/// Searches, and lets others run in between.
#[tool(concurrency_safe)]
pub async fn search_yield(
    /// What to look for.
    query: String,
    /// How many hits at most.
    limit: Option<u32>,
    /// Tags every hit must have.
    tags: Vec<String>,
) -> SearchOut {
    tokio::task::yield_now().await;
    body(&query, limit, &tags)
}

/// The same, written out: text, struct, async function, text.
pub async fn by_hand(text: &str) -> String {
    let arguments: SearchArgs = serde_json::from_str(text).expect("arguments that fit");
    let found = search(arguments.query, arguments.limit, arguments.tags).await;
    serde_json::to_string(&found).expect("a value that can be written")
}

/// [`by_hand`], and lets others run in between.
pub async fn by_hand_yield(text: &str) -> String {
    let arguments: SearchArgs = serde_json::from_str(text).expect("arguments that fit");
    tokio::task::yield_now().await;
    let found = search(arguments.query, arguments.limit, arguments.tags).await;
    serde_json::to_string(&found).expect("a value that can be written")
}

/// Arguments for three hits.
pub const SMALL: &str = r#"{"query":"rust async tool pipeline","limit":3,"tags":["lang:rust","kind:crate","sort:recent"]}"#;

/// Arguments with a hundred tags, for five hundred hits.
pub fn big() -> String {
    let tags: Vec<String> = (0..100).map(|n| format!("\"tag-number-{n}\"")).collect();
    format!(
        r#"{{"query":"rust async tool pipeline","limit":500,"tags":[{}]}}"#,
        tags.join(",")
    )
}

/// An executor of one thread.
pub fn one_thread() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime of one thread")
}
