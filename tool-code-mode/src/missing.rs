//! What programs look for and do not find, and what to do instead.

/// Names of other worlds. Using one throws its lesson; `typeof` says `"undefined"`.
pub(crate) const MISSING: &[(&str, &str)] = &[
    ("require", MODULES),
    ("module", MODULES),
    ("exports", MODULES),
    ("fetch", NETWORK),
    ("XMLHttpRequest", NETWORK),
    ("WebSocket", NETWORK),
    ("net", NETWORK),
    ("http", NETWORK),
    ("https", NETWORK),
    ("fs", FILES),
    ("path", MODULES),
    ("os", MODULES),
    ("child_process", MODULES),
    ("process", HOST),
    ("Deno", HOST),
    ("Bun", HOST),
    ("global", "use `globalThis`"),
    ("Buffer", "use `TextEncoder` and `Uint8Array`"),
    ("__dirname", FILES),
    ("__filename", FILES),
    ("window", PAGE),
    ("document", PAGE),
    (
        "localStorage",
        "keep values in variables: nothing outlives a run",
    ),
    (
        "setInterval",
        "loop with `await new Promise(done => setTimeout(done, ms))`",
    ),
    ("setImmediate", "use `setTimeout(f, 0)`"),
    ("Temporal", "use `Date`"),
    (
        "Intl",
        "write numbers with `toFixed` and dates with `toISOString`",
    ),
];

/// Names that programs call without declaring them, and what does the same.
const HABITS: &[(&str, &str)] = &[
    ("print", "use `console.log`"),
    ("printf", "use `console.log`"),
    ("len", "use `.length`"),
    (
        "sleep",
        "use `await new Promise(done => setTimeout(done, ms))`",
    ),
    ("True", "write `true`: `code` is TypeScript, not Python"),
    ("False", "write `false`: `code` is TypeScript, not Python"),
    ("None", "write `null`: `code` is TypeScript, not Python"),
    (
        "args",
        "call tools with what they need: a program has no arguments",
    ),
    ("arguments", "a program has no arguments"),
    (
        "input",
        "a program has no input: everything it needs comes from `tools`",
    ),
];

/// What does what the undeclared `name` does elsewhere.
pub(crate) fn habit(name: &str) -> Option<&'static str> {
    let (_, instead) = HABITS.iter().find(|(habit, _)| *habit == name)?;
    Some(instead)
}

const MODULES: &str = "there are no modules; everything a program can reach is a member of `tools`";
const NETWORK: &str =
    "there is no network; call a tool that fetches, as `await tools.<name>({...})`";
const FILES: &str =
    "there are no files; call a tool that reads or writes, as `await tools.<name>({...})`";
const HOST: &str =
    "there is no host to reach; everything a program can reach is a member of `tools`";
const PAGE: &str = "there is no web page; print with `console.log` or `return` a value";

pub(crate) fn is_missing(name: &str) -> bool {
    MISSING.iter().any(|(missing, _)| *missing == name)
}

/// The lesson for `name`: `` `fetch` does not exist in a program: there is no network; ... ``.
pub(crate) fn lesson(name: &str) -> Option<String> {
    let (name, instead) = MISSING.iter().find(|(missing, _)| *missing == name)?;
    Some(format!("`{name}` does not exist in a program: {instead}"))
}
