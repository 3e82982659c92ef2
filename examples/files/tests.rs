//! What the guard and the tools do with paths and files that are not what they should be.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;
use tool_core::{ToolCall, ToolExecution, ToolResult, ToolRuntime};

use super::{Root, runtime};

const SUCH: &str = "give a path below the served directory, such as \"src/main.rs\"";

/// A directory with a file beside it that nobody may see.
fn scene() -> (TempDir, ToolRuntime) {
    let outer = TempDir::new().unwrap();
    fs::write(outer.path().join("secret.txt"), "swordfish").unwrap();
    let served = outer.path().join("served");
    fs::create_dir_all(served.join("src")).unwrap();
    fs::write(served.join("notes.txt"), "one\ntwo\nthree\n").unwrap();
    fs::write(served.join("src/main.rs"), "fn main() {}\n").unwrap();
    let runtime = runtime(&served, false).unwrap();
    (outer, runtime)
}

fn served(outer: &TempDir) -> std::path::PathBuf {
    outer.path().join("served")
}

async fn call(runtime: &ToolRuntime, tool: &str, arguments: Value) -> ToolResult {
    runtime
        .execute(ToolCall::new("call_1", tool, arguments))
        .await
}

async fn read(runtime: &ToolRuntime, path: &str) -> String {
    call(runtime, "read_file", json!({ "path": path }))
        .await
        .text()
}

/// Every tool, asked for a path; all are denied for this reason, and nothing outside has changed.
async fn assert_denied(outer: &TempDir, runtime: &ToolRuntime, path: &str, reason: &str) {
    for (tool, arguments) in [
        ("read_file", json!({ "path": path })),
        ("list_directory", json!({ "path": path })),
        ("search_files", json!({ "path": path, "text": "swordfish" })),
        (
            "edit_file",
            json!({ "path": path, "old": "sword", "new": "gold" }),
        ),
        ("edit_file", json!({ "path": path, "new": "gold" })),
    ] {
        let result = call(runtime, tool, arguments).await;
        assert_eq!(result.error().unwrap().code(), "DENIED", "{tool}");
        assert_eq!(result.text(), format!("Error: {reason}; {SUCH}"), "{tool}");
    }
    let secret = fs::read_to_string(outer.path().join("secret.txt")).unwrap();
    assert_eq!(secret, "swordfish");
}

#[tokio::test]
async fn path_traversal_is_denied() {
    let (outer, runtime) = scene();
    for path in [
        "../secret.txt",
        "src/../../secret.txt",
        "src/../notes.txt",
        "..",
    ] {
        let reason = format!("{path:?} has \"..\"");
        assert_denied(&outer, &runtime, path, &reason).await;
    }
}

#[tokio::test]
async fn an_absolute_path_is_denied() {
    let (outer, runtime) = scene();
    let secret = outer.path().join("secret.txt");
    for path in [secret.to_str().unwrap(), "/", "//etc/passwd"] {
        let reason = format!("{path:?} is absolute");
        assert_denied(&outer, &runtime, path, &reason).await;
    }
}

#[tokio::test]
async fn a_nul_is_denied() {
    let (outer, runtime) = scene();
    let path = "notes.txt\0.rs";
    let reason = format!("{path:?} has a NUL character");
    assert_denied(&outer, &runtime, path, &reason).await;
}

#[tokio::test]
async fn a_symlink_that_leads_out_is_denied() {
    let (outer, runtime) = scene();
    let served = served(&outer);
    symlink(outer.path().join("secret.txt"), served.join("absolute")).unwrap();
    symlink("../secret.txt", served.join("relative")).unwrap();
    symlink("..", served.join("up")).unwrap();
    symlink("up/secret.txt", served.join("twice")).unwrap();
    symlink("../not-there-yet", served.join("dangling")).unwrap();
    for path in [
        "absolute",
        "relative",
        "up",
        "up/secret.txt",
        "twice",
        "dangling",
        "up/new.txt",
    ] {
        let reason = format!("{path:?} is a link out of the served directory");
        assert_denied(&outer, &runtime, path, &reason).await;
    }
    assert!(!outer.path().join("not-there-yet").exists());
    assert!(!outer.path().join("new.txt").exists());
    // A search goes through none of them.
    let found = call(&runtime, "search_files", json!({ "text": "swordfish" })).await;
    assert_eq!(found.value().unwrap()["matches"], json!([]));
}

#[tokio::test]
async fn a_symlink_that_stays_inside_is_followed() {
    let (outer, runtime) = scene();
    let served = served(&outer);
    symlink("notes.txt", served.join("alias")).unwrap();
    assert_eq!(read(&runtime, "alias").await, "one\ntwo\nthree\n");
    let edit = json!({ "path": "alias", "old": "two", "new": "2" });
    assert_eq!(
        call(&runtime, "edit_file", edit).await.text(),
        "edited \"alias\""
    );
    assert_eq!(
        fs::read_to_string(served.join("notes.txt")).unwrap(),
        "one\n2\nthree\n"
    );
    assert!(served.join("alias").is_symlink());
}

/// The guard has looked, and then the path becomes another: what opens does not follow it out.
#[tokio::test]
async fn a_link_that_appears_after_the_guard_is_not_followed() {
    let (outer, _) = scene();
    let place = served(&outer);
    let root = Root::open(&place).unwrap();
    assert_eq!(root.leads_out("notes.txt"), None);
    fs::remove_file(place.join("notes.txt")).unwrap();
    symlink("../secret.txt", place.join("notes.txt")).unwrap();
    let error = root.file("notes.txt").unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot open \"notes.txt\": a path led outside of the filesystem"
    );
}

#[tokio::test]
async fn a_huge_file_is_read_in_portions_and_not_edited() {
    let (outer, runtime) = scene();
    let line = "x".repeat(99);
    let lines: Vec<String> = (1..=50_000).map(|n| format!("{n} {line}\n")).collect();
    let text = lines.concat();
    fs::write(served(&outer).join("huge.txt"), &text).unwrap();

    let first = read(&runtime, "huge.txt").await;
    let lines: Vec<&str> = first.lines().collect();
    assert_eq!(lines.len(), 501);
    assert_eq!(lines[0], format!("1 {line}"));
    assert_eq!(lines[500], "[there is more: go on with `first_line` 501]");

    let portion = json!({ "path": "huge.txt", "first_line": 49_999, "lines": 2_000 });
    let last = call(&runtime, "read_file", portion).await.text();
    assert_eq!(last, format!("49999 {line}\n50000 {line}\n"));

    let portion = json!({ "path": "huge.txt", "lines": 2_000 });
    assert!(call(&runtime, "read_file", portion).await.text().len() < 70_000);

    let beyond = json!({ "path": "huge.txt", "first_line": 60_000 });
    assert_eq!(
        call(&runtime, "read_file", beyond).await.text(),
        "Error: \"huge.txt\" has 50000 lines; there is no line 60000"
    );
    let edit = json!({ "path": "huge.txt", "old": "1 x", "new": "2" });
    assert_eq!(
        call(&runtime, "edit_file", edit).await.text(),
        "Error: \"huge.txt\" has more than 1048576 bytes, too many to edit"
    );

    // One line of megabytes, and more bytes than are gone through.
    fs::write(served(&outer).join("line.txt"), "y".repeat(3_000_000)).unwrap();
    assert_eq!(
        read(&runtime, "line.txt").await,
        format!("{}\n", "y".repeat(2_000))
    );
    let sparse = fs::File::create(served(&outer).join("sparse.bin")).unwrap();
    sparse.set_len(1 << 40).unwrap();
    let refused = read(&runtime, "sparse.bin").await;
    assert_eq!(
        refused,
        "Error: \"sparse.bin\" is binary (1099511627776 bytes): it cannot be read as text"
    );
}

#[tokio::test]
async fn a_file_that_is_not_utf_8_is_shown_and_not_edited() {
    let (outer, runtime) = scene();
    fs::write(served(&outer).join("latin.txt"), b"x\xe9\nplain\n").unwrap();
    assert_eq!(
        read(&runtime, "latin.txt").await,
        "x\u{fffd}\nplain\n[not UTF-8: bytes that are no text are shown as \u{fffd}]\n"
    );
    let edit = json!({ "path": "latin.txt", "old": "plain", "new": "fancy" });
    assert_eq!(
        call(&runtime, "edit_file", edit).await.text(),
        "Error: \"latin.txt\" is not UTF-8 text: it cannot be edited"
    );
    let found = call(&runtime, "search_files", json!({ "text": "plain" })).await;
    assert_eq!(found.value().unwrap()["matches"][0]["line"], 2);
}

#[tokio::test]
async fn a_binary_file_is_named_and_not_shown() {
    let (outer, runtime) = scene();
    let mut bytes = b"plain at first\n".repeat(1_000);
    bytes.extend([0, 159, 146, 150]);
    fs::write(served(&outer).join("image.png"), &bytes).unwrap();
    // Where the zero comes after what is shown, the portion is text.
    let portion = json!({ "path": "image.png", "lines": 1 });
    let shown = call(&runtime, "read_file", portion).await;
    assert!(!shown.is_error());
    let whole = json!({ "path": "image.png", "lines": 2_000 });
    assert_eq!(
        call(&runtime, "read_file", whole).await.text(),
        "Error: \"image.png\" is binary (15004 bytes): it cannot be read as text"
    );
    let found = call(&runtime, "search_files", json!({ "text": "plain" })).await;
    assert_eq!(found.value().unwrap()["matches"], json!([]));
}

#[tokio::test]
async fn pipes_and_directories_are_no_files() {
    let (outer, runtime) = scene();
    let pipe = served(&outer).join("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(
        read(&runtime, "pipe").await,
        "Error: \"pipe\" is not a regular file"
    );
    assert_eq!(
        read(&runtime, "src").await,
        "Error: \"src\" is a directory; call `list_directory`"
    );
    assert_eq!(
        read(&runtime, "nowhere").await,
        "Error: cannot open \"nowhere\": No such file or directory (os error 2)"
    );
}

#[tokio::test]
async fn files_are_listed_searched_and_edited() {
    let (outer, runtime) = scene();
    let listed = call(&runtime, "list_directory", json!({})).await;
    assert_eq!(
        listed.value().unwrap(),
        &json!({
            "entries": [
                { "name": "notes.txt", "kind": "file", "size": 14 },
                { "name": "src", "kind": "directory" },
            ],
            "more": 0,
        })
    );
    let found = call(&runtime, "search_files", json!({ "text": "main" })).await;
    assert_eq!(
        found.value().unwrap(),
        &json!({
            "matches": [{ "path": "src/main.rs", "line": 1, "text": "fn main() {}" }],
            "files": 2,
            "more": false,
        })
    );
    let edit =
        |old: Option<&str>, new: &str, path: &str| json!({ "path": path, "old": old, "new": new });
    let made = call(&runtime, "edit_file", edit(None, "a a\n", "a.txt")).await;
    assert_eq!(made.text(), "made \"a.txt\"");
    let twice = call(&runtime, "edit_file", edit(None, "b", "a.txt")).await;
    assert_eq!(
        twice.text(),
        "Error: cannot make \"a.txt\": File exists (os error 17)"
    );
    for (old, text) in [
        ("b", "Error: \"a.txt\" does not have the text `old`"),
        (
            "a",
            "Error: \"a.txt\" has the text `old` more than once; give more of it",
        ),
        ("", "Error: `old` is empty; leave it out to make a new file"),
        ("a a", "edited \"a.txt\""),
    ] {
        let edited = call(&runtime, "edit_file", edit(Some(old), "c", "a.txt")).await;
        assert_eq!(edited.text(), text);
    }
    let names: Vec<_> = fs::read_dir(served(&outer))
        .unwrap()
        .flatten()
        .map(|e| e.file_name())
        .collect();
    assert_eq!(names.len(), 3, "nothing is left behind: {names:?}");
    assert_eq!(
        fs::read_to_string(served(&outer).join("a.txt")).unwrap(),
        "c\n"
    );
}

#[tokio::test]
async fn without_leave_to_write_there_is_nothing_to_write_with() {
    let outer = TempDir::new().unwrap();
    let runtime = runtime(outer.path(), true).unwrap();
    let names: Vec<String> = runtime
        .schemas()
        .iter()
        .map(|schema| schema.name.clone())
        .collect();
    assert_eq!(names, ["read_file", "list_directory", "search_files"]);
    assert!(super::runtime(Path::new("/no/such/place"), true).is_err());
}

#[tokio::test]
async fn calls_and_results_have_cards() {
    let (outer, runtime) = scene();
    let cards = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = cards.clone();
    runtime.on_result(move |call: &ToolExecution, result: &ToolResult| {
        let pair = (call.call_card(), call.result_card(result));
        seen.lock()
            .unwrap()
            .push(serde_json::to_value(pair).unwrap());
    });
    for (tool, arguments) in [
        ("read_file", json!({ "path": "notes.txt", "first_line": 3 })),
        ("search_files", json!({ "text": "two" })),
        ("list_directory", json!({ "path": "src" })),
        (
            "edit_file",
            json!({ "path": "notes.txt", "old": "two", "new": "2" }),
        ),
    ] {
        assert!(!call(&runtime, tool, arguments).await.is_error(), "{tool}");
    }
    drop(outer);
    let diff = json!({ "kind": "diff", "path": "notes.txt", "before": "two", "after": "2" });
    assert_eq!(
        *cards.lock().unwrap(),
        [
            json!([
                { "kind": "generic", "title": "Read notes.txt" },
                { "kind": "read", "path": "notes.txt", "first_line": 3, "text": "three\n" },
            ]),
            json!([
                { "kind": "generic", "title": "Search . for \"two\"" },
                { "kind": "search", "query": "two", "matches": [
                    { "place": "notes.txt", "line": 2, "text": "two" },
                ] },
            ]),
            json!([
                { "kind": "generic", "title": "List src" },
                { "kind": "generic", "title": "1 entries in src", "detail": "main.rs" },
            ]),
            json!([diff, diff]),
        ]
    );
}
