//! What a client is listed, kept until it changes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::Tool;
use tool_core::dialect::{Dialect, Export, NameMap};
use tool_core::{Changes, Offer, RegisterError, Scope, ToolRuntime};

/// The tool that runs programs, see [`Presentation`](tool_core::Presentation).
const RUN_CODE: &str = "run_code";

/// The tools of one place, as they are listed.
pub(super) struct Catalog {
    tools: Vec<Tool>,
    places: HashMap<String, usize>,
    names: NameMap,
    /// Why there is no list.
    wrong: Option<String>,
}

impl Catalog {
    fn of(offer: Result<Offer, RegisterError>, place: &Live) -> Self {
        let (export, declarations, wrong) = match offer {
            Ok(offer) => {
                let declarations = offer.system_prompt().map(str::to_owned);
                (offer.export(Dialect::Mcp), declarations, None)
            }
            // Tools can be called as before; what to tell of them cannot be said.
            Err(error) => (place.export(), None, Some(error.to_string())),
        };
        for loss in &export.report {
            tracing::debug!(%loss, "listing a tool over MCP");
        }
        let mut tools = Vec::with_capacity(export.tools.len());
        for tool in export.tools {
            match serde_json::from_value::<Tool>(tool) {
                Ok(mut tool) => {
                    if !place.output_schemas {
                        tool.output_schema = None;
                    }
                    if let Some(declarations) = &declarations
                        && export.names.original_tool(&tool.name) == Some(RUN_CODE)
                    {
                        declare(&mut tool, declarations);
                    }
                    tools.push(tool);
                }
                Err(error) => tracing::warn!(%error, "a tool cannot be listed over MCP"),
            }
        }
        let places = tools
            .iter()
            .enumerate()
            .map(|(at, tool)| (tool.name.to_string(), at))
            .collect();
        Self {
            tools,
            places,
            names: export.names,
            wrong,
        }
    }

    /// Why there is nothing to list.
    pub(super) fn wrong(&self) -> Option<&str> {
        self.wrong.as_deref()
    }

    pub(super) fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// The tool that is listed under a name.
    pub(super) fn get(&self, listed: &str) -> Option<&Tool> {
        self.tools.get(*self.places.get(listed)?)
    }

    /// The tool's own name, given the one it is listed under.
    pub(super) fn own_name(&self, listed: &str) -> Option<&str> {
        self.places.get(listed)?;
        self.names.original_tool(listed)
    }
}

/// A server has no system prompt to put declarations into, and clients hand a tool's description to
/// their model.
fn declare(tool: &mut Tool, declarations: &str) {
    let description = tool.description.take().unwrap_or_default();
    tool.description = Some(
        format!("{description}\n\nThe system prompt's part on it follows.\n\n{declarations}")
            .into(),
    );
}

/// A place and its catalog, made anew when something was registered.
pub(super) struct Live {
    runtime: ToolRuntime,
    scope: Option<Scope>,
    output_schemas: bool,
    kept: Mutex<Kept>,
}

struct Kept {
    changes: Changes,
    catalog: Option<Arc<Catalog>>,
}

impl Live {
    pub(super) fn new(runtime: ToolRuntime, scope: Option<Scope>, output_schemas: bool) -> Self {
        let kept = Mutex::new(Kept {
            changes: runtime.changes(),
            catalog: None,
        });
        Self {
            runtime,
            scope,
            output_schemas,
            kept,
        }
    }

    pub(super) fn listing_output(&self, listed: bool) -> Self {
        Self::new(self.runtime.clone(), self.scope.clone(), listed)
    }

    fn export(&self) -> Export {
        match &self.scope {
            Some(scope) => scope.export(Dialect::Mcp),
            None => self.runtime.export(Dialect::Mcp),
        }
    }

    pub(super) fn runtime(&self) -> &ToolRuntime {
        &self.runtime
    }

    pub(super) fn scope(&self) -> Option<&Scope> {
        self.scope.as_ref()
    }

    /// The catalog of now.
    pub(super) fn catalog(&self) -> Arc<Catalog> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // First the mark, then the look: a change in between is looked at twice, never missed.
        if !kept.changes.take()
            && let Some(catalog) = &kept.catalog
        {
            return catalog.clone();
        }
        let offer = match &self.scope {
            Some(scope) => scope.offer(),
            None => self.runtime.offer(),
        };
        let catalog = Arc::new(Catalog::of(offer, self));
        match &kept.catalog {
            // A hook was registered, and the list is what it was: whoever compares sees no change.
            Some(last) if last.tools == catalog.tools && last.wrong == catalog.wrong => {
                last.clone()
            }
            _ => {
                kept.catalog = Some(catalog.clone());
                catalog
            }
        }
    }
}

/// Waits until the catalog of a place is another one than it was.
pub(super) struct Watch {
    live: Arc<Live>,
    changes: Changes,
    last: Arc<Catalog>,
}

impl Watch {
    pub(super) fn new(live: &Arc<Live>) -> Self {
        let changes = live.runtime.changes();
        Self {
            last: live.catalog(),
            live: live.clone(),
            changes,
        }
    }

    /// `false` once the runtime is gone.
    pub(super) async fn changed(&mut self) -> bool {
        while self.changes.changed().await {
            let now = self.live.catalog();
            if !Arc::ptr_eq(&now, &self.last) {
                self.last = now;
                return true;
            }
        }
        false
    }
}
