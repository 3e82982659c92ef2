//! tools-rs: a collection of functions.

use serde_json::Value;
use tool_benches::work::{SearchOut, body};
use tools_rs::{FunctionCall, ToolCollection};

/// Searches.
#[tools_rs::tool]
pub async fn search(query: String, limit: Option<u32>, tags: Vec<String>) -> SearchOut {
    body(&query, limit, &tags)
}

/// Searches, and lets others run in between.
#[tools_rs::tool]
pub async fn search_yield(query: String, limit: Option<u32>, tags: Vec<String>) -> SearchOut {
    tokio::task::yield_now().await;
    body(&query, limit, &tags)
}

pub fn collection() -> ToolCollection {
    ToolCollection::collect_tools().expect("a collection")
}

pub async fn call(collection: &ToolCollection, name: &str, text: &str) -> String {
    let arguments: Value = serde_json::from_str(text).expect("JSON");
    let call = FunctionCall::new(name.to_owned(), arguments);
    let answer = collection.call(call).await.expect("an answer");
    serde_json::to_string(&answer.result).expect("JSON")
}
