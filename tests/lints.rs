//! Clippy looks at this file too: generated code must not be what it finds.

#[path = "ui/pass/lints.rs"]
pub mod lints;

#[test]
fn it_runs() {
    lints::main();
}
