//! Registering what a server lists, and what has changed since.

use std::collections::{HashMap, HashSet};

use rmcp::model::Tool;
use tool_core::{RegisterError, Registration, ToolDefinition};

use super::Remote;
use super::import::{ImportOptions, ImportTarget};
use super::list::Listing;
use super::remote::definition;
use super::report::{ImportReport, ImportedTool, RefusedTool};

/// What is registered of a server.
pub(super) struct Registered {
    remote: Remote,
    target: ImportTarget,
    options: ImportOptions,
    tools: HashMap<String, Entry>,
}

struct Entry {
    /// As it was listed, to know a change by.
    listed: Tool,
    registration: Registration,
}

impl Registered {
    pub(super) fn new(remote: Remote, target: ImportTarget, options: ImportOptions) -> Self {
        Self {
            remote,
            target,
            options,
            tools: HashMap::new(),
        }
    }

    pub(super) fn most(&self) -> usize {
        self.options.max_tools
    }

    /// Makes what is registered what was listed. A tool that did not change is not touched: no
    /// call of it meets a gap.
    pub(super) fn update(&mut self, listing: Listing) -> ImportReport {
        let mut report = ImportReport::default();
        let newest: HashMap<&str, &Tool> = listing
            .tools
            .iter()
            .map(|tool| (&*tool.name, tool))
            .collect();
        self.tools.retain(|name, entry| {
            let stays = newest.get(name.as_str()) == Some(&&entry.listed);
            if !stays {
                entry.registration.dispose();
            }
            stays
        });
        let mut taken = self.names_in_use();
        let mut seen = HashSet::new();
        for tool in &listing.tools {
            match self.take(tool, seen.insert(tool.name.to_string()), &mut taken) {
                Ok(name) => report.imported.push(ImportedTool {
                    remote: tool.name.to_string(),
                    name,
                }),
                Err(reason) => report.refused.push(RefusedTool {
                    remote: tool.name.to_string(),
                    reason,
                }),
            }
        }
        report.refused.extend(listing.unreadable);
        for tool in &report.refused {
            tracing::warn!(
                server = %self.remote.label,
                tool = tool.remote,
                reason = tool.reason,
                "a tool was not imported"
            );
        }
        report
    }

    /// Registers one tool, unless it is registered as it is.
    fn take(
        &mut self,
        tool: &Tool,
        first: bool,
        taken: &mut HashSet<String>,
    ) -> Result<String, String> {
        if !first {
            return Err("the server lists two tools of this name".to_owned());
        }
        let name = format!("{}{}", self.options.prefix, tool.name);
        if self.tools.contains_key(&*tool.name) {
            return Ok(name);
        }
        if self.tools.len() >= self.options.max_tools {
            let most = self.options.max_tools;
            return Err(format!("the server lists more than {most} tools"));
        }
        if taken.contains(&name) {
            // In a scope it could be registered, and would hide the one that is known by this name.
            return Err(format!("tool `{name}` is registered here already"));
        }
        let definition = definition(tool, name.clone(), &self.options, &self.remote)?;
        let registration = self
            .register(definition)
            .map_err(|error| error.to_string())?;
        taken.insert(name.clone());
        let listed = tool.clone();
        self.tools.insert(
            tool.name.to_string(),
            Entry {
                listed,
                registration,
            },
        );
        Ok(name)
    }

    fn names_in_use(&self) -> HashSet<String> {
        let schemas = match &self.target {
            ImportTarget::Runtime(runtime) => runtime.schemas(),
            ImportTarget::Scope(scope) => scope.schemas(),
        };
        schemas.iter().map(|schema| schema.name.clone()).collect()
    }

    fn register(&self, definition: ToolDefinition) -> Result<Registration, RegisterError> {
        match &self.target {
            ImportTarget::Runtime(runtime) => runtime.register(definition),
            ImportTarget::Scope(scope) => scope.register(definition),
        }
    }

    pub(super) fn dispose(&mut self) {
        for entry in self.tools.drain().map(|(_, entry)| entry) {
            entry.registration.dispose();
        }
    }
}
