//! The TypeScript compiler, where there is one.

#![allow(unreachable_pub, reason = "shared by several test crates")]

use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

/// Checks `files` (name and text) with `tsc --noEmit --strict`; the report if it finds mistakes.
///
/// `tsc` comes from the variable `TSC`, or from a `node_modules` of this crate or above it. Without
/// one nothing is checked, and standard error says so.
pub fn check(directory: &str, files: &[(String, String)]) -> Result<(), String> {
    let Some(tsc) = tsc() else {
        // Not `eprintln!`, which is only shown for tests that fail.
        let _ = writeln!(
            std::io::stderr(),
            "SKIPPED: {directory}: no TypeScript compiler; set TSC to the path of `tsc`, or run \
             `npm install typescript` in the workspace"
        );
        return Ok(());
    };
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(directory);
    std::fs::create_dir_all(&dir).expect("a directory");
    let mut paths = Vec::new();
    for (name, text) in files {
        let path = dir.join(format!("{name}.ts"));
        std::fs::write(&path, text).expect("written");
        paths.push(path);
    }
    let output = Command::new(tsc)
        .args(["--noEmit", "--strict", "--noUncheckedIndexedAccess"])
        .args(["--target", "es2022", "--module", "es2022"])
        .args(&paths)
        .output()
        .expect("tsc runs");
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn tsc() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("TSC") {
        return Some(path.into());
    }
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.ancestors()
        .map(|dir| dir.join("node_modules/.bin/tsc"))
        .find(|path| path.exists())
}
