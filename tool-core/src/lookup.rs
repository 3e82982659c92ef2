//! Lookup: which definition a call's name stands for, and what to say when it stands for none.

use std::sync::Arc;

use crate::call::Request;
use crate::definition::{Definition, RUN_CODE};
use crate::error::{ToolError, code};
use crate::execution::ToolExecution;
use crate::presentation::Presentation;
use crate::registry::View;
use crate::runtime::Shared;
use crate::schema;

/// Who makes a call: that decides which tools it may name.
#[derive(Clone, Copy)]
pub(crate) struct Caller {
    /// Another execution, not the model.
    nested: bool,
    /// A program, or a body that a program started.
    in_program: bool,
}

impl Caller {
    pub(crate) fn of(call: &Request) -> Self {
        Self {
            nested: call.parent().is_some(),
            in_program: call.in_program,
        }
    }
}

/// What a name stands for.
#[derive(Clone, Copy)]
pub(crate) enum Lookup<'a> {
    /// A tool that this caller may call.
    Found(&'a Arc<Definition>),
    /// A tool that only programs may call, named by the model itself.
    Collapsed(&'a Arc<Definition>),
    /// Nothing, as far as this caller can see.
    Unknown,
}

impl<'a> Lookup<'a> {
    pub(crate) fn definition(self) -> Option<&'a Arc<Definition>> {
        match self {
            Self::Found(definition) => Some(definition),
            Self::Collapsed(_) | Self::Unknown => None,
        }
    }
}

pub(crate) fn look_up<'a>(
    shared: &'a Shared,
    view: &'a View,
    name: &str,
    caller: Caller,
) -> Lookup<'a> {
    if name == RUN_CODE {
        let presented = shared.presentation(view) != Presentation::Native;
        return if presented && !caller.in_program {
            Lookup::Found(&shared.run_code)
        } else {
            Lookup::Unknown
        };
    }
    let Some(definition) = view.find(name) else {
        return Lookup::Unknown;
    };
    let callers = definition.settings.callers;
    if caller.nested {
        Lookup::Found(definition)
    } else if shared.presentation(view) == Presentation::Code {
        match callers.code {
            true => Lookup::Collapsed(definition),
            false => Lookup::Unknown,
        }
    } else if callers.direct {
        Lookup::Found(definition)
    } else {
        Lookup::Unknown
    }
}

/// The definition a running call would find now.
pub(crate) fn look_up_again<'a>(
    shared: &'a Shared,
    view: &'a View,
    execution: &ToolExecution,
) -> Option<&'a Arc<Definition>> {
    look_up(
        shared,
        view,
        &execution.request.name,
        Caller::of(&execution.request),
    )
    .definition()
}

/// What to say when a running call finds its definition no more.
pub(crate) fn gone(execution: &ToolExecution) -> ToolError {
    let shared = execution.shared();
    let view = shared.view(execution.scope());
    unknown_tool(
        shared,
        &view,
        &execution.request.name,
        Caller::of(&execution.request),
    )
}

/// Everything the scope sees, in catalog order; `run_code` last.
pub(crate) fn catalog<'a>(shared: &'a Shared, view: &'a View) -> Vec<&'a Arc<Definition>> {
    let mut all = view.catalog();
    if shared.presentation(view) != Presentation::Native {
        all.push(&shared.run_code);
    }
    all
}

/// What a model is sent by name.
pub(crate) fn presented<'a>(shared: &'a Shared, view: &'a View) -> Vec<&'a Arc<Definition>> {
    let mut presented = Vec::new();
    let presentation = shared.presentation(view);
    if presentation != Presentation::Code {
        presented = view.catalog();
        presented.retain(|definition| definition.settings.callers.direct);
    }
    if presentation != Presentation::Native {
        presented.push(&shared.run_code);
    }
    presented
}

/// What a program may call.
pub(crate) fn callable_by_programs(view: &View) -> Vec<&Arc<Definition>> {
    let mut callable = view.catalog();
    callable.retain(|definition| definition.settings.callers.code);
    callable
}

/// Says where a tool can be called that is not callable here; else names what there is: the nearest
/// name first, then the list, cut short.
pub(crate) fn unknown_tool(shared: &Shared, view: &View, name: &str, caller: Caller) -> ToolError {
    const LISTED: usize = 20;
    let mut message = format!("unknown tool \"{}\"", schema::Elided(name));
    let presentation = shared.presentation(view);
    if name == RUN_CODE && caller.in_program {
        message.push_str(": a program cannot run another one");
        return ToolError::coded(code::UNKNOWN_TOOL, message);
    }
    let for_programs = |definition: &Arc<Definition>| definition.settings.callers.code;
    if !caller.nested
        && presentation != Presentation::Native
        && view.find(name).is_some_and(for_programs)
    {
        let rule = match presentation {
            Presentation::Code => format!("only `{RUN_CODE}` is callable directly"),
            _ => "it is not callable directly".to_owned(),
        };
        message.push_str(&format!(
            ": {rule}; call `{name}` from inside a `{RUN_CODE}` program instead"
        ));
        return ToolError::coded(code::UNKNOWN_TOOL, message);
    }
    let known = match caller.nested {
        true => view.catalog(),
        false => presented(shared, view),
    };
    let names = || known.iter().map(|definition| definition.name());
    if let Some(near) = schema::nearest(name, names()) {
        message.push_str(&format!("; did you mean \"{near}\"?"));
    }
    let listed: Vec<_> = names().take(LISTED).collect();
    if !listed.is_empty() {
        message.push_str(&format!("; available: {}", listed.join(", ")));
        let more = known.len() - listed.len();
        if more > 0 {
            message.push_str(&format!(" and {more} more"));
        }
    }
    ToolError::coded(code::UNKNOWN_TOOL, message)
}
