//! What came of an import.

use std::fmt;

/// Which tools of a server were registered and which were refused, and why.
///
/// Written out, it is one line for each tool:
///
/// ```text
/// `read_file` as `files_read_file`
/// `search`: refused: tool `files_search` is registered here already
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportReport {
    /// The tools that can be called, in the server's order.
    pub imported: Vec<ImportedTool>,
    /// The tools that cannot, in the server's order.
    pub refused: Vec<RefusedTool>,
    /// Why the server's newest list could not be read, if so: then this is what came of the one
    /// before.
    pub stale: Option<String>,
}

/// A tool that was registered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportedTool {
    /// Its name there.
    pub remote: String,
    /// Its name here.
    pub name: String,
}

/// A tool that was not registered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedTool {
    /// Its name there; `#3` for the third of the list, if it has none.
    pub remote: String,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for ImportReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let imported = self
            .imported
            .iter()
            .map(|tool| format!("`{}` as `{}`", tool.remote, tool.name));
        let refused = self
            .refused
            .iter()
            .map(|tool| format!("`{}`: refused: {}", tool.remote, tool.reason));
        let stale = self
            .stale
            .iter()
            .map(|reason| format!("not up to date: {reason}"));
        let lines: Vec<String> = imported.chain(refused).chain(stale).collect();
        f.write_str(&lines.join("\n"))
    }
}
