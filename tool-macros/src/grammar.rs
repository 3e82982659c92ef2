//! The words of each attribute: one table for parsing, for messages and for the documentation.

use crate::model::Role;

/// What one attribute takes.
pub(crate) struct Grammar {
    /// As it is written: `#[tool]`.
    pub attribute: &'static str,
    pub keys: &'static [Key],
    /// Words people try, and what to write for them.
    pub wrong: &'static [(&'static str, &'static str)],
    /// What a lone literal was most likely meant to be.
    pub literal: &'static str,
}

pub(crate) struct Key {
    pub name: &'static str,
    pub form: Form,
    /// A whole entry, to be copied.
    pub example: &'static str,
}

/// How a key is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// `key`, or `key = true`.
    Flag,
    /// `key = "..."`.
    Text,
    /// `key = Name`.
    Name,
    /// `key = some::path`.
    Path,
    /// `key`, or `key = some::path`.
    FlagOrPath,
    /// `key = <any expression>`.
    Value,
}

const fn key(name: &'static str, form: Form, example: &'static str) -> Key {
    Key {
        name,
        form,
        example,
    }
}

pub(crate) const TOOL: Grammar = Grammar {
    attribute: "#[tool]",
    keys: &[
        key("name", Form::Text, "name = \"...\""),
        key("title", Form::Text, "title = \"...\""),
        key("description", Form::Value, "description = \"...\""),
        key("timeout", Form::Value, "timeout = \"30s\""),
        key("on_cancel", Form::Text, "on_cancel = \"drop\""),
        key("concurrency_safe", Form::FlagOrPath, "concurrency_safe"),
        key("read_only", Form::Flag, "read_only"),
        key("destructive", Form::Flag, "destructive"),
        key("idempotent", Form::Flag, "idempotent"),
        key("open_world", Form::Flag, "open_world"),
        key("callers", Form::Value, "callers = [direct, code]"),
        key(
            "max_content_bytes",
            Form::Value,
            "max_content_bytes = 10_000",
        ),
        key("render", Form::Path, "render = path"),
        key("presentation_meta", Form::Path, "presentation_meta = path"),
        key("finalize_content", Form::Path, "finalize_content = path"),
        key("present_call", Form::Path, "present_call = path"),
        key("present_result", Form::Path, "present_result = path"),
        key("args", Form::Name, "args = HelloArgs"),
        key("handle", Form::Name, "handle = Hello"),
        key("crate", Form::Path, "crate = path"),
    ],
    wrong: &[
        ("desc", "use `description = \"...\"`"),
        ("about", "use `description = \"...\"`"),
        ("doc", "use `description = \"...\"`"),
        ("parallel", "use `concurrency_safe`"),
        ("concurrent", "use `concurrency_safe`"),
        ("readonly", "use `read_only`"),
        ("ask", "use `#[pre_execute]` with `Decision::ask(reason)`"),
        (
            "guard",
            "use `#[guard(tool = ...)]` on a function of its own",
        ),
    ],
    literal: "`description = \"...\"`, or a doc comment",
};

pub(crate) const TOOLBOX: Grammar = Grammar {
    attribute: "#[toolbox]",
    keys: &[
        key("prefix", Form::Text, "prefix = \"weather_\""),
        key("crate", Form::Path, "crate = path"),
    ],
    wrong: &[("name", "use `prefix = \"...\"`")],
    literal: "`prefix = \"...\"`",
};

pub(crate) const ARG: Grammar = Grammar {
    attribute: "#[arg]",
    keys: &[
        key("name", Form::Text, "name = \"...\""),
        key("title", Form::Text, "title = \"...\""),
        key("default", Form::Value, "default = 10"),
        key("examples", Form::Value, "examples = [\"a\", \"b\"]"),
        key("range", Form::Value, "range = 1..=100"),
        key("length", Form::Value, "length = 1..=100"),
        key("regex", Form::Text, "regex = \"^[a-z]+$\""),
    ],
    wrong: &[
        ("rename", "use `name = \"...\"`"),
        ("pattern", "use `regex = \"...\"`"),
        ("example", "use `examples = [...]`"),
        ("min", "use `range = 1..`"),
        ("max", "use `range = ..=100`"),
        ("minimum", "use `range = 1..`"),
        ("maximum", "use `range = ..=100`"),
        ("description", "use a `///` comment above the parameter"),
        ("desc", "use a `///` comment above the parameter"),
    ],
    literal: "a `///` comment above the parameter describes it; `name = \"...\"` renames it",
};

/// What all hooks take.
const HOOK_KEYS: &[Key] = &[
    key("tool", Form::Path, "tool = hello"),
    key("handle", Form::Name, "handle = Name"),
    key("crate", Form::Path, "crate = path"),
];

/// The grammar of `#[guard]` and the other hooks.
pub(crate) fn hook(role: Role) -> Grammar {
    Grammar {
        attribute: match role {
            Role::Guard => "#[guard]",
            Role::PreExecute => "#[pre_execute]",
            Role::AroundExecute => "#[around_execute]",
            Role::PostExecute => "#[post_execute]",
            Role::OnResult => "#[on_result]",
        },
        keys: HOOK_KEYS,
        wrong: &[
            (
                "name",
                "a hook has the name of its function; `tool = hello` binds it to a tool",
            ),
            ("on", "use `tool = hello`"),
            ("for", "use `tool = hello`"),
        ],
        literal: "`tool = hello`",
    }
}
