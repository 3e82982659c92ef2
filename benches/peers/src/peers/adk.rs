//! adk-tool: tools behind their trait, in a map.

use std::collections::HashMap;
use std::sync::Arc;

use adk_tool::{AdkError, SimpleToolContext, Tool};
use serde_json::Value;
use tool_benches::work::{SearchArgs, body};

fn found(it: &SearchArgs) -> Value {
    serde_json::to_value(body(&it.query, it.limit, &it.tags)).expect("JSON")
}

/// Searches.
#[adk_tool::tool]
pub async fn search(it: SearchArgs) -> Result<Value, AdkError> {
    Ok(found(&it))
}

/// Searches, and lets others run in between.
#[adk_tool::tool]
pub async fn search_yield(it: SearchArgs) -> Result<Value, AdkError> {
    tokio::task::yield_now().await;
    Ok(found(&it))
}

/// One context for all calls, which is more than fair: adk's own runtime makes one for each.
pub struct Host {
    tools: HashMap<String, Arc<dyn Tool>>,
    context: Arc<SimpleToolContext>,
}

impl Host {
    pub fn new() -> Self {
        let tools: [Arc<dyn Tool>; 2] = [Arc::new(Search), Arc::new(SearchYield)];
        Self {
            tools: tools
                .into_iter()
                .map(|it| (it.name().to_owned(), it))
                .collect(),
            context: Arc::new(SimpleToolContext::new("bench")),
        }
    }

    pub async fn call(&self, name: &str, text: &str) -> String {
        let arguments: Value = serde_json::from_str(text).expect("JSON");
        let answer = self.tools[name]
            .execute(self.context.clone(), arguments)
            .await;
        serde_json::to_string(&answer.expect("an answer")).expect("JSON")
    }
}
