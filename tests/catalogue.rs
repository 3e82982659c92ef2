//! The catalogue of mistakes: each text occurs in a recorded message, and each recorded file holds as
//! many errors as its source says.

use std::fs;
use std::path::{Path, PathBuf};

/// The number of a mistake, and what is said of it. Mistakes that only show at run time are tested
/// where they happen.
const CATALOGUE: &[(u32, &str)] = &[
    (1, "`#[tool]` can only be used on a function"),
    (1, "help: mark the function that does the work"),
    (
        2,
        "a tool that takes `self` needs `#[toolbox]` on its `impl` block",
    ),
    (3, "a tool takes `&self`: calls may overlap"),
    (3, "help: put changing state behind a lock"),
    (4, "`#[tool]` is already applied to this function"),
    (5, "a tool cannot be `unsafe`"),
    (5, "a tool cannot be `const`"),
    (5, "a tool cannot be `extern`"),
    (5, "a tool cannot be `variadic`"),
    (6, "a tool needs a body"),
    (7, "unknown `#[tool]` argument `nmae`"),
    (7, "help: did you mean `name`?"),
    (8, "help: expected one of `name`, `title`"),
    (9, "help: use `description = \"...\"`"),
    (9, "help: use `concurrency_safe`"),
    (10, "`name` is given twice"),
    (11, "`name` needs a value"),
    (11, "`name` must be a string literal"),
    (12, "expected `key = value`"),
    (12, "help: `description = \"...\"`, or a doc comment"),
    (
        13,
        "a tool name may only contain ASCII letters, digits, `_` and `-` (1 to 64)",
    ),
    (
        14,
        "a tool needs a description: the model chooses tools by it",
    ),
    (14, "help: add a `///` comment"),
    (15, "`timeout` must be longer than zero"),
    (15, "help: `\"30s\"`, `\"500ms\"`"),
    (16, "a read-only tool cannot be destructive"),
    (17, "a tool cannot be generic over `T`: its schema is fixed"),
    (
        17,
        "a tool cannot be generic over `'a`: its schema is fixed",
    ),
    (
        17,
        "a tool cannot be generic over `impl Trait`: its schema is fixed",
    ),
    (18, "`&str` is not context, and an argument must be owned"),
    (18, "`String` for `&str`"),
    (
        19,
        "a tool parameter must be a plain name: it becomes a JSON property",
    ),
    (20, "two parameters are named `type`"),
    (21, "the context is not part of the schema"),
    (22, "`default` has no effect on an `Option` parameter"),
    (23, "mismatched types"),
    (24, "unknown `#[arg]` argument `titel`"),
    (25, "`Neither` cannot be a tool parameter"),
    (25, "derive `serde::Deserialize` and `schemars::JsonSchema`"),
    (25, "cannot be shared between threads safely"),
    (26, "`Widget` cannot be returned from a tool"),
    (27, "`Silent` cannot be a tool's error"),
    (28, "future returned by `local` is not `Send`"),
    (29, "JSON numbers cannot carry 128 bits"),
    (29, "help: use `String`"),
    (31, "`bool` is not a verdict"),
    (31, "return `Option<String>`: `Some(reason)` denies"),
    (
        32,
        "a guard can only deny; to allow or ask, use `#[pre_execute]`",
    ),
    (33, "no field `nmae`"),
    (33, "a field with a similar name exists"),
    (33, "`State` is context, not a parameter of the tool"),
    (
        34,
        "a hook cannot take a `String` parameter of its tool as `&u32`",
    ),
    (35, "expected a path, found a string"),
    (35, "help: remove the quotes"),
    (36, "cannot find type `missing` in this scope"),
    (37, "no method named `content` found"),
    (37, "this is an associated function, not a method"),
    (
        38,
        "a guard that takes `self` needs `#[toolbox]` on its `impl` block",
    ),
    (38, "a guard cannot be generic over `T`"),
    (39, "function defined here"),
    (
        40,
        "could not find `not_there` in the list of imported crates",
    ),
    (41, "function `unused` is never used"),
    (45, "`#[args]` takes all arguments: it must be the only one"),
    (46, "the name `time` is defined multiple times"),
];

fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
    let folders = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let failing = folders.filter(|folder| !folder.ends_with("pass"));
    failing
        .flat_map(|folder| {
            fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().path())
        })
        .filter(|file| file.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

#[test]
fn every_text_is_recorded() {
    let recorded: String = sources()
        .iter()
        .map(|source| fs::read_to_string(source.with_extension("stderr")).unwrap_or_default())
        .collect();
    let missing: Vec<_> = CATALOGUE
        .iter()
        .filter(|(_, text)| !recorded.contains(text))
        .collect();
    assert!(missing.is_empty(), "no recorded message says {missing:#?}");
}

#[test]
fn one_mistake_is_one_error() {
    let mut wrong = Vec::new();
    for source in sources() {
        let name = source.display().to_string();
        let text = fs::read_to_string(&source).unwrap();
        let first = text.lines().next().unwrap_or_default();
        let expected: usize = first
            .strip_prefix("// errors: ")
            .and_then(|number| number.parse().ok())
            .unwrap_or_else(|| panic!("{name} does not begin with `// errors: <number>`"));
        let recorded = fs::read_to_string(source.with_extension("stderr")).unwrap_or_default();
        let found = recorded
            .lines()
            .filter(|line| line.starts_with("error"))
            .count();
        if found != expected {
            wrong.push(format!("{name}: {expected} expected, {found} recorded"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
