//! Reading a server's list of tools. One that cannot be read spoils itself and no other.

use std::time::Duration;

use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams, ServerResult, Tool};
use serde_json::Value;

use super::Remote;
use super::import::ImportError;
use super::report::RefusedTool;
use crate::withdraw;

/// How long a server may take to shake hands, or to send its list.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// How many pages a list may have: a server could go on for ever.
const PAGES: usize = 1_000;

/// What a server listed.
#[derive(Default)]
pub(super) struct Listing {
    pub(super) tools: Vec<Tool>,
    pub(super) unreadable: Vec<RefusedTool>,
}

impl Listing {
    fn len(&self) -> usize {
        self.tools.len() + self.unreadable.len()
    }
}

pub(super) async fn list(remote: &Remote, most: usize) -> Result<Listing, ImportError> {
    let failed = |reason: String| ImportError {
        label: remote.label.to_string(),
        reason,
    };
    match tokio::time::timeout(PATIENCE, pages(remote, most)).await {
        Ok(listed) => listed.map_err(failed),
        Err(_) => Err(failed("it did not list its tools within 30s".to_owned())),
    }
}

async fn pages(remote: &Remote, most: usize) -> Result<Listing, String> {
    let mut listing = Listing::default();
    let mut cursor: Option<String> = None;
    for _ in 0..PAGES {
        let params = cursor.clone().map(|cursor| {
            let mut params = PaginatedRequestParams::default();
            params.cursor = Some(cursor);
            params
        });
        let next = page(remote, params, &mut listing).await?;
        if next.is_none() {
            return Ok(listing);
        }
        if next == cursor {
            return Err("its list of tools goes round in circles".to_owned());
        }
        if listing.len() > most {
            // The rest is not asked for; whoever registers says that there are too many.
            return Ok(listing);
        }
        cursor = next;
    }
    Err(format!("its list of tools has more than {PAGES} pages"))
}

async fn page(
    remote: &Remote,
    params: Option<PaginatedRequestParams>,
    listing: &mut Listing,
) -> Result<Option<String>, String> {
    let request = ClientRequest::ListToolsRequest(ListToolsRequest {
        params,
        ..ListToolsRequest::default()
    });
    let answer = withdraw::request(&remote.peer, request, |_| ())
        .await
        .map_err(|error| format!("it did not list its tools: {error}"))?;
    match answer {
        ServerResult::ListToolsResult(page) => {
            listing.tools.extend(page.tools);
            Ok(page.next_cursor)
        }
        // One tool that is none makes the whole page something else.
        ServerResult::CustomResult(page) => one_by_one(page.0, listing),
        _ => Err("it answered `tools/list` with something else".to_owned()),
    }
}

fn one_by_one(mut page: Value, listing: &mut Listing) -> Result<Option<String>, String> {
    let Some(Value::Array(tools)) = page.get_mut("tools").map(Value::take) else {
        return Err("it answered `tools/list` without a list of tools".to_owned());
    };
    for tool in tools {
        let name = tool.get("name").and_then(Value::as_str).map(str::to_owned);
        match serde_json::from_value::<Tool>(tool) {
            Ok(tool) => listing.tools.push(tool),
            Err(error) => {
                let number = listing.len() + 1;
                listing.unreadable.push(RefusedTool {
                    remote: name.unwrap_or_else(|| format!("#{number}")),
                    reason: format!("it is not described as the protocol says: {error}"),
                });
            }
        }
    }
    Ok(page
        .get("nextCursor")
        .and_then(Value::as_str)
        .map(str::to_owned))
}
