//! Editing: one text for another, all or nothing.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use cap_std::fs::OpenOptions;
use tool_core::{CallCard, DiffCard, ResultCard, State, Tool, ToolError, ToolResult, tool};

use super::root::{Root, blocking, cannot};

/// How many bytes a file that is edited may have.
const BYTES: u64 = 1024 * 1024;

/// Replaces a text in a file, or makes a new file.
///
/// The old text must occur exactly once, so give enough of what is around it.
#[tool(
    title = "Edit a file", destructive, open_world = false,
    present_call = call_card, present_result = result_card
)]
pub(super) async fn edit_file(
    /// Below the served directory, such as `src/main.rs`.
    path: String,
    /// What to replace. Without it the file is made new, and must not be there.
    old: Option<String>,
    /// What to put in its place.
    new: String,
    root: &State<Root>,
) -> Result<String, ToolError> {
    let root = (*root).clone();
    blocking(move || match old {
        Some(old) => replace(&root, &path, &old, &new),
        None => create(&root, &path, &new),
    })
    .await
}

fn create(root: &Root, path: &str, new: &str) -> Result<String, ToolError> {
    let mut options = OpenOptions::new();
    let mut file = root
        .dir()
        .open_with(path, options.write(true).create_new(true))
        .map_err(cannot("make", path))?;
    file.write_all(new.as_bytes())
        .map_err(cannot("write", path))?;
    Ok(format!("made {path:?}"))
}

fn replace(root: &Root, path: &str, old: &str, new: &str) -> Result<String, ToolError> {
    let text = text_of(root, path)?;
    if old.is_empty() {
        return Err("`old` is empty; leave it out to make a new file".into());
    }
    match text.matches(old).take(2).count() {
        0 => return Err(format!("{path:?} does not have the text `old`").into()),
        1 => {}
        _ => {
            return Err(
                format!("{path:?} has the text `old` more than once; give more of it").into(),
            );
        }
    }
    let text = text.replacen(old, new, 1);
    let place = root.resolve(path)?;
    write(root, &place, text.as_bytes()).map_err(cannot("write", path))?;
    Ok(format!("edited {path:?}"))
}

fn text_of(root: &Root, path: &str) -> Result<String, ToolError> {
    let mut bytes = Vec::new();
    let mut file = root.file(path)?.take(BYTES + 1);
    file.read_to_end(&mut bytes).map_err(cannot("read", path))?;
    if bytes.len() as u64 > BYTES {
        return Err(format!("{path:?} has more than {BYTES} bytes, too many to edit").into());
    }
    let binary = || ToolError::new(format!("{path:?} is not UTF-8 text: it cannot be edited"));
    String::from_utf8(bytes).map_err(|_| binary())
}

/// Readers see the old text or the new one, never a part: the new one is written beside it, and takes its place.
fn write(root: &Root, place: &Path, text: &[u8]) -> std::io::Result<()> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let beside = place.with_file_name(format!(".edit-{}-{number}", std::process::id()));
    let dir = root.dir();
    let written = (|| {
        let mut options = OpenOptions::new();
        let mut file = dir.open_with(&beside, options.write(true).create_new(true))?;
        file.write_all(text)?;
        file.set_permissions(dir.metadata(place)?.permissions())?;
        drop(file);
        dir.rename(&beside, dir, place)
    })();
    if written.is_err() {
        let _already_gone = dir.remove_file(&beside);
    }
    written
}

fn call_card(args: &<edit_file as Tool>::Args) -> CallCard {
    DiffCard::new(&args.path, args.old.clone(), args.new.clone()).into()
}

fn result_card(args: &<edit_file as Tool>::Args, result: &ToolResult) -> ResultCard {
    if result.is_error() {
        return ResultCard::detailed(format!("Edit {}", args.path), result.text());
    }
    ResultCard::from(DiffCard::new(
        &args.path,
        args.old.clone(),
        args.new.clone(),
    ))
}
