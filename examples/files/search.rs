//! Searching text files for a text.

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;
use tool_core::{
    CallCard, Cancellation, ResultCard, SearchMatch, State, Tool, ToolError, ToolResult, tool,
};

use super::read::next_line;
use super::root::{Root, blocking, cannot};

/// How many files one call opens, how many bytes of each it reads, and how deep it goes.
const FILES: usize = 10_000;
const BYTES: u64 = 1024 * 1024;
const DEPTH: usize = 32;
/// How many characters of a matching line are given.
const SHOWN: usize = 200;

/// What a search found.
#[derive(Serialize, JsonSchema)]
pub(super) struct Found {
    matches: Vec<Match>,
    /// How many files were searched.
    files: usize,
    /// Whether there may be more: a limit was reached.
    more: bool,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Match {
    path: String,
    line: u64,
    text: String,
}

/// Searches the text files of a directory, and of those below it, for a text.
///
/// Binary files and links are passed over, and of each file the first MiB is searched.
#[tool(
    title = "Search files", read_only, idempotent, open_world = false, concurrency_safe,
    present_call = call_card, present_result = result_card
)]
pub(super) async fn search_files(
    /// What to look for, word for word.
    #[arg(length = 1..=1_000)]
    text: String,
    /// Where: a directory below the served one; `.` for that itself.
    #[arg(default = ".")]
    path: String,
    /// How many matches to give.
    #[arg(default = 100, range = 1..=1_000)]
    most: usize,
    root: &State<Root>,
    cancellation: &Cancellation,
) -> Result<Found, ToolError> {
    let (root, cancellation) = ((*root).clone(), cancellation.clone());
    blocking(move || {
        let mut search = Search {
            root,
            text,
            most,
            cancellation,
            found: Found {
                matches: Vec::new(),
                files: 0,
                more: false,
            },
        };
        search.directory(Path::new(&path), DEPTH)?;
        Ok(search.found)
    })
    .await
}

struct Search {
    root: Root,
    text: String,
    most: usize,
    cancellation: Cancellation,
    found: Found,
}

impl Search {
    /// Whether to go no further.
    fn is_over(&mut self) -> bool {
        let full = self.found.matches.len() >= self.most || self.found.files >= FILES;
        self.found.more |= full;
        full || self.cancellation.is_cancelled()
    }

    fn directory(&mut self, path: &Path, depth: usize) -> Result<(), ToolError> {
        let shown = path.to_string_lossy();
        let entries = self
            .root
            .dir()
            .read_dir(path)
            .map_err(cannot("search", &shown))?;
        let mut children: Vec<(PathBuf, bool)> = entries
            .flatten()
            .filter_map(|entry| {
                let kind = entry.file_type().ok()?;
                let child = path.join(entry.file_name());
                (kind.is_dir() || kind.is_file()).then_some((child, kind.is_dir()))
            })
            .collect();
        children.sort();
        for (child, is_directory) in children {
            if self.is_over() {
                return Ok(());
            }
            if !is_directory {
                self.file(&child);
            } else if depth == 0 {
                self.found.more = true;
            } else {
                // One that cannot be read spoils nothing but itself.
                let _unreadable = self.directory(&child, depth - 1);
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path) {
        let shown = path.strip_prefix(".").unwrap_or(path);
        let Some(shown) = shown.to_str() else { return };
        let Ok(file) = self.root.file(shown) else {
            return;
        };
        self.found.files += 1;
        let mut reader = BufReader::new(file.take(BYTES));
        let before = self.found.matches.len();
        let mut number = 0;
        while let Ok(Some(line)) = next_line(&mut reader) {
            if line.contains(&0) {
                self.found.matches.truncate(before);
                return;
            }
            number += 1;
            let line = String::from_utf8_lossy(&line);
            if line.contains(&self.text) && self.found.matches.len() < self.most {
                self.found.matches.push(Match {
                    path: shown.to_owned(),
                    line: number,
                    text: line.trim().chars().take(SHOWN).collect(),
                });
            }
        }
    }
}

fn call_card(args: &<search_files as Tool>::Args) -> CallCard {
    CallCard::generic(format!("Search {} for {:?}", args.path, args.text))
}

fn result_card(args: &<search_files as Tool>::Args, result: &ToolResult) -> ResultCard {
    let found = result.value_as::<search_files>();
    let matches = found.map_or(&[][..], |found| &found.matches);
    ResultCard::search(
        &args.text,
        matches
            .iter()
            .map(|found| SearchMatch::new(&found.path, &found.text).line(found.line)),
    )
}
