//! Tools for the files below one directory, and the guard that keeps them there.

mod edit;
mod list;
mod read;
mod root;
mod search;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::path::Path;

use tool_core::{State, ToolExecution, ToolRuntime, guard};

pub(crate) use root::Root;

/// The tools over the files below `directory`; without `edit_file` if they may only be read.
pub(crate) fn runtime(directory: &Path, read_only: bool) -> Result<ToolRuntime, Box<dyn Error>> {
    let mut builder = ToolRuntime::builder()
        .state(Root::open(directory)?)
        .tool(read::read_file {})
        .tool(list::list_directory {})
        .tool(search::search_files {})
        .guard(inside {});
    if !read_only {
        builder = builder.tool(edit::edit_file {});
    }
    Ok(builder.build()?)
}

/// No call names a place outside the directory, by whatever spelling.
///
/// It is a guard, so nothing that is registered beside it can allow what it denies. What changes
/// between this look and the tool's own (a symlink that appears) is stopped by [`Root`], which
/// opens nothing outside, whoever asks.
#[guard]
fn inside(call: &ToolExecution, root: &State<Root>) -> Option<String> {
    root.leads_out(call.arguments()["path"].as_str()?)
}
