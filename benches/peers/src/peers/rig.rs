//! rig: a set of tools.

use rig_agent::tool::{DynamicTool, ToolContext, ToolOutput, ToolSet};
use rig_core::tool::ToolExecutionError;
use serde_json::Value;
use tool_benches::work::{SearchArgs, SearchOut, body};

/// Searches.
#[rig_core::rig_tool(name = "search", description = "Searches.")]
pub async fn search(
    query: String,
    limit: Option<u32>,
    tags: Vec<String>,
) -> Result<SearchOut, ToolExecutionError> {
    Ok(body(&query, limit, &tags))
}

/// Searches, and lets others run in between.
#[rig_core::rig_tool(name = "search_yield", description = "Searches.")]
pub async fn search_yield(
    query: String,
    limit: Option<u32>,
    tags: Vec<String>,
) -> Result<SearchOut, ToolExecutionError> {
    tokio::task::yield_now().await;
    Ok(body(&query, limit, &tags))
}

pub fn set() -> ToolSet {
    let mut set = ToolSet::default();
    set.add_tool(Search);
    set.add_tool(SearchYield);
    set
}

pub async fn call(set: &ToolSet, name: &str, text: &str) -> String {
    let mut context = ToolContext::new();
    set.execute(name, text, &mut context)
        .await
        .output()
        .render()
}

/// A tool of another name.
pub fn named(name: &str) -> DynamicTool {
    let schema = schemars::schema_for!(SearchArgs).to_value();
    let name = name.to_owned().try_into().expect("a name");
    DynamicTool::new(name, "Searches.", schema, |arguments: Value| {
        Box::pin(async move {
            let it: SearchArgs = serde_json::from_value(arguments)
                .map_err(|error| ToolExecutionError::invalid_args(error.to_string()))?;
            let found = body(&it.query, it.limit, &it.tags);
            Ok(ToolOutput::json(serde_json::to_value(found).expect("JSON")))
        })
    })
}
