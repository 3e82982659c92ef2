//! Listing one directory.

use schemars::JsonSchema;
use serde::Serialize;
use tool_core::{CallCard, ResultCard, State, Tool, ToolError, ToolResult, tool};

use super::root::{Root, blocking, cannot};

/// How many entries one call gives.
const ENTRIES: usize = 1_000;

/// What a directory holds.
#[derive(Serialize, JsonSchema)]
pub(super) struct Listing {
    entries: Vec<Entry>,
    /// How many more there are than are given.
    more: usize,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Entry {
    name: String,
    kind: Kind,
    /// In bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    File,
    Directory,
    Link,
    Other,
}

/// Lists a directory, in the order of the names.
#[tool(
    title = "List a directory", read_only, idempotent, open_world = false, concurrency_safe,
    present_call = call_card, present_result = result_card
)]
pub(super) async fn list_directory(
    /// Below the served directory; `.` for that itself.
    #[arg(default = ".")]
    path: String,
    root: &State<Root>,
) -> Result<Listing, ToolError> {
    let root = (*root).clone();
    blocking(move || list(&root, &path)).await
}

fn list(root: &Root, path: &str) -> Result<Listing, ToolError> {
    let mut entries = Vec::new();
    for entry in root.dir().read_dir(path).map_err(cannot("list", path))? {
        let entry = entry.map_err(cannot("list", path))?;
        let kind = entry.file_type().map_err(cannot("list", path))?;
        let size = kind
            .is_file()
            .then(|| entry.metadata().ok().map(|found| found.len()));
        entries.push(Entry {
            // A name that is no UTF-8 is shown, and cannot be asked for.
            name: entry.file_name().to_string_lossy().into_owned(),
            kind: match () {
                () if kind.is_file() => Kind::File,
                () if kind.is_dir() => Kind::Directory,
                () if kind.is_symlink() => Kind::Link,
                () => Kind::Other,
            },
            size: size.flatten(),
        });
    }
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    let more = entries.len().saturating_sub(ENTRIES);
    entries.truncate(ENTRIES);
    Ok(Listing { entries, more })
}

fn call_card(args: &<list_directory as Tool>::Args) -> CallCard {
    CallCard::generic(format!("List {}", args.path))
}

fn result_card(args: &<list_directory as Tool>::Args, result: &ToolResult) -> ResultCard {
    let Some(listing) = result.value_as::<list_directory>() else {
        return ResultCard::detailed(format!("List {}", args.path), result.text());
    };
    let names: Vec<&str> = listing.entries.iter().map(|entry| &*entry.name).collect();
    ResultCard::detailed(
        format!("{} entries in {}", names.len(), args.path),
        names.join("\n"),
    )
}
