//! Intake: what comes before any policy. The tool is looked up; the arguments are read once, mended
//! where that is certain, checked, and frozen.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::call::{RawArguments, Request, ToolCall};
use crate::contain::{Panicked, Sheltered, contain};
use crate::definition::{CallArguments, Concurrency, Definition, ExecutionMode};
use crate::error::{ToolError, code};
use crate::execution::{BoxedArguments, Frozen, ToolExecution};
use crate::lookup::{Caller, Lookup, look_up, unknown_tool};
use crate::registry::View;
use crate::runtime::Shared;
use crate::schema;
pub(crate) use crate::schema::Limits;
use crate::trail::{Recorder, Said, Station};

/// Whether arguments are mended at intake.
///
/// Models make the same few mistakes: arguments as a JSON string or in a code fence, `"5"` for `5`,
/// `10.0` for an integer. A repair is made only where it is certain, guided by the schema, before
/// anybody sees the arguments; the trail names each one. Defaults are filled in either way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Repair {
    /// They are.
    #[default]
    On,
    /// They are taken as they come, and refused if they do not fit.
    Off,
}

/// How much stack may be around a call, where a level of nesting counts [`LEVEL`] and each wrapper
/// of a level 1. Without a bound, a tool that calls itself ends the process.
///
/// Without optimisation a level takes up to 8 KiB and 5 KiB more per wrapper, so this is some
/// 0.3 MiB: 32 levels without wrappers, seven with six each. The rest of a thread's usual 2 MiB is
/// for what the bodies themselves put on it.
const MAX_NESTING: u32 = 64;

/// What a level of nesting counts, beside its wrappers.
pub(crate) const LEVEL: u32 = 2;

/// Why a call is not taken in.
pub(crate) enum Refusal {
    /// It names nothing, or its arguments do not fit: post hooks and the finalizer see that.
    Refused(ToolError),
    /// It names a tool that only programs may call here: that is told, and no policy is asked.
    Collapsed(ToolError),
}

impl Refusal {
    fn error(&self) -> &ToolError {
        match self {
            Self::Refused(error) | Self::Collapsed(error) => error,
        }
    }
}

/// Takes a call in, with what was `early` made of its arguments in this very view, if they were read
/// before. The second part is why it is refused, if it is.
pub(crate) fn take(
    shared: &Arc<Shared>,
    view: &View,
    mut call: ToolCall,
    early: Option<Reading>,
) -> (Arc<ToolExecution>, Option<Refusal>) {
    let execution = call.execution_mut();
    let request = &mut execution.request;
    let recorder = request
        .trail
        .unwrap_or(shared.settings.trail)
        .then(Box::<Recorder>::default);
    let opened = recorder
        .as_ref()
        .map(|recorder| recorder.open(Station::Intake, "", None));
    let caller = Caller::of(request);
    let found = look_up(shared, view, &request.name, caller);
    let cancelled = request.cancellation.is_cancelled();
    let too_deep = request.nesting() > 0
        && found.definition().is_some_and(|definition| {
            nesting_with_wrappers(view, request, definition) > MAX_NESTING
        });
    let is_over = too_deep || cancelled;
    let mut raw = || request.arguments.take();
    let read = match (found, early) {
        (_, Some(Err(refused))) if is_over => Ok(refused.0),
        (_, Some(reading)) => reading,
        (Lookup::Found(definition), None) if !is_over => read(definition, raw(), shared),
        // Nobody reads the arguments of a call that is over before it begins.
        _ => Ok(Read::unread(raw())),
    };
    let (read, mut refusal) = match read {
        Ok(read) => (read, None),
        Err(refused) => (refused.0, Some(Refusal::Refused(refused.1))),
    };
    match found {
        Lookup::Unknown => {
            let error = unknown_tool(shared, view, &request.name, caller);
            refusal = Some(Refusal::Refused(error));
        }
        Lookup::Collapsed(_) => {
            let error = unknown_tool(shared, view, &request.name, caller);
            refusal = Some(Refusal::Collapsed(error));
        }
        Lookup::Found(_) if too_deep => {
            let message = format!(
                "tool \"{}\" was not called: tools call each other too deeply here",
                request.name
            );
            let error = ToolError::coded(code::NESTED_TOO_DEEP, message);
            refusal = Some(Refusal::Refused(error));
        }
        Lookup::Found(_) => {}
    }
    if let (Some(recorder), Some(opened)) = (&recorder, opened) {
        let (said, reason) = match &refusal {
            Some(refusal) => (Said::Refused, Some(refusal.error().code().to_owned())),
            None if read.repairs.is_empty() => (Said::Accepted, None),
            None => (Said::Repaired, Some(read.repairs.join("; "))),
        };
        recorder.close(opened, said, reason);
    }
    execution.definition = match found {
        Lookup::Found(definition) => Some(definition),
        // Nothing was refused about a call that was over before: its tool has the last word.
        Lookup::Collapsed(definition) if cancelled => Some(definition),
        Lookup::Collapsed(_) | Lookup::Unknown => None,
    }
    .cloned();
    execution.arguments.freeze(read.text, read.json, read.early);
    execution.recorder = recorder;
    execution.enter(shared);
    (call.execution, refusal)
}

/// What intake makes of a call's arguments, see [`ToolRuntime::check`](crate::ToolRuntime::check).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CheckedArguments {
    /// The arguments as every hook and the body would see them: repaired, defaults filled in.
    pub arguments: Value,
    /// What was repaired, one line each.
    pub repairs: Vec<String>,
}

/// Reads a call's arguments as intake does, and runs nothing.
pub(crate) fn check_call(
    shared: &Arc<Shared>,
    call: &ToolCall,
) -> Result<CheckedArguments, ToolError> {
    let request = call.request();
    let view = shared.view(request.scope.as_ref());
    let caller = Caller::of(request);
    let Lookup::Found(definition) = look_up(shared, &view, &request.name, caller) else {
        return Err(unknown_tool(shared, &view, &request.name, caller));
    };
    let read = read(definition, request.arguments.clone(), shared).map_err(|refused| refused.1)?;
    let arguments = Frozen::new(read.text, read.json, None).json().clone();
    Ok(CheckedArguments {
        arguments,
        repairs: read.repairs,
    })
}

/// The stack around a nested call's body: that around the call, and its own wrappers.
fn nesting_with_wrappers(view: &View, call: &Request, definition: &Definition) -> u32 {
    let tool = definition.settings.handle.map(|handle| handle.id);
    let own: usize = view
        .layers()
        .iter()
        .map(|layer| layer.around.for_tool(tool).len())
        .sum();
    call.nesting()
        .saturating_add(u32::try_from(own).unwrap_or(u32::MAX))
}

/// Whether a batch would let the call overlap others: only on a clear yes of a visible definition.
pub(crate) fn execution_mode(shared: &Arc<Shared>, call: &ToolCall) -> ExecutionMode {
    let call = call.request();
    let view = shared.view(call.scope.as_ref());
    classify(shared, &view, call, || call.arguments.clone()).0
}

/// A call of a batch, looked at: whether it may overlap others, and what was read to know it.
pub(crate) struct Classified {
    pub(crate) mode: ExecutionMode,
    pub(crate) view: Arc<View>,
    pub(crate) reading: Option<Reading>,
}

impl Classified {
    /// Looks at a call that will start now, whatever it is: it keeps no arguments of its own.
    pub(crate) fn starting(shared: &Arc<Shared>, call: &mut ToolCall) -> Self {
        let call = call.request_mut();
        let view = shared.view(call.scope.as_ref());
        let mut arguments = call.arguments.take();
        let taken = || arguments.take();
        let (mode, reading) = classify(shared, &view, call, taken);
        if reading.is_none() {
            call.arguments = arguments;
        }
        Self {
            mode,
            view,
            reading,
        }
    }

    /// Looks at a call that may have to wait.
    pub(crate) fn waiting(shared: &Arc<Shared>, call: &ToolCall) -> Self {
        let call = call.request();
        let view = shared.view(call.scope.as_ref());
        let (mode, reading) = classify(shared, &view, call, || call.arguments.clone());
        Self {
            mode,
            view,
            reading,
        }
    }
}

fn classify(
    shared: &Shared,
    view: &View,
    call: &Request,
    arguments: impl FnOnce() -> RawArguments,
) -> (ExecutionMode, Option<Reading>) {
    let Lookup::Found(definition) = look_up(shared, view, &call.name, Caller::of(call)) else {
        return (ExecutionMode::Exclusive, None);
    };
    let classify = match &definition.settings.concurrency {
        Concurrency::Exclusive => return (ExecutionMode::Exclusive, None),
        Concurrency::Parallel => None,
        Concurrency::When(classify) => Some(classify),
    };
    let read = match read(definition, arguments(), shared) {
        Ok(read) => read,
        refused @ Err(_) => return (ExecutionMode::Exclusive, Some(refused)),
    };
    let Some(classify) = classify else {
        return (ExecutionMode::Parallel, Some(Ok(read)));
    };
    let repairs = read.repairs;
    let mut frozen = Frozen::new(read.text, read.json, read.early);
    let arguments = CallArguments {
        frozen: &frozen,
        definition,
    };
    let mode = match contain(|| classify(arguments)) {
        Ok(Ok(true)) => ExecutionMode::Parallel,
        _ => ExecutionMode::Exclusive,
    };
    let read = Read {
        text: std::mem::take(&mut frozen.text),
        early: frozen.early.take().map(Sheltered::into_inner),
        json: frozen.into_json(),
        repairs,
    };
    (mode, Some(Ok(read)))
}

/// Any size: only the depth is looked at.
const UNLIMITED: Limits = Limits {
    max_bytes: usize::MAX,
};

/// Arguments that were read: the text to freeze, and what reading it has already made.
pub(crate) struct Read {
    text: String,
    json: Option<Value>,
    early: Option<BoxedArguments>,
    repairs: Vec<String>,
}

impl Read {
    /// Arguments as they came: of a call that is refused, or was over before it began.
    fn unread(raw: RawArguments) -> Self {
        let (text, json) = match raw {
            RawArguments::Text(text) => (text, None),
            RawArguments::Json(value) => {
                if schema::check_value(&value, UNLIMITED).is_ok() {
                    (schema::text_of(&value), Some(value))
                } else {
                    schema::drop_deep(value);
                    (String::new(), Some(Value::Null))
                }
            }
        };
        Self {
            text,
            json,
            early: None,
            repairs: Vec::new(),
        }
    }

    /// Arguments that nothing had to be changed about.
    fn as_it_came(text: String, json: Option<Value>, early: Option<BoxedArguments>) -> Self {
        Self {
            text,
            json,
            early,
            repairs: Vec::new(),
        }
    }

    /// Arguments that are refused: the text for the record, no value for anybody.
    fn refused(raw: RawArguments) -> Self {
        Self {
            json: Some(Value::Null),
            ..Self::unread(raw)
        }
    }
}

/// Boxed: the way of a call that is taken in stays narrow.
type Refused = Box<(Read, ToolError)>;

/// What reading a call's arguments came to.
pub(crate) type Reading = Result<Read, Refused>;

fn read(definition: &Definition, raw: RawArguments, shared: &Shared) -> Reading {
    let settings = &shared.settings;
    match raw {
        RawArguments::Text(text) => {
            if text.len() <= settings.limits.max_bytes
                && types_decide(definition, &text)
                && let Ok(early) = decode(definition, &text)
            {
                return Ok(Read::as_it_came(text, None, early));
            }
            read_text(definition, text, shared)
        }
        RawArguments::Json(value) => {
            if let Err(error) = schema::check_value(&value, settings.limits) {
                let error = invalid(definition, &error);
                return Err(Box::new((Read::refused(RawArguments::Json(value)), error)));
            }
            if definition.types_decide && value.is_object() {
                let text = schema::text_of(&value);
                if types_decide(definition, &text)
                    && let Ok(early) = decode(definition, &text)
                {
                    return Ok(Read::as_it_came(text, Some(value), early));
                }
            }
            check_root(definition, value, Vec::new(), None, shared)
        }
    }
}

/// Whether the types alone decide: the hot path, on which the text is read once.
fn types_decide(definition: &Definition, text: &str) -> bool {
    definition.types_decide && !(definition.has_numbers && schema::has_long_integer(text))
}

fn read_text(definition: &Definition, text: String, shared: &Shared) -> Reading {
    let settings = &shared.settings;
    if schema::is_blank(&text) {
        return check(
            definition,
            Value::Object(Map::new()),
            Vec::new(),
            None,
            shared,
        );
    }
    let parsed = if settings.repair_of(definition) {
        schema::repair_root(&text, settings.limits).map(|(value, repairs)| (value, lines(&repairs)))
    } else {
        schema::parse(&text, settings.limits).map(|value| (value, Vec::new()))
    };
    match parsed {
        Ok((value, repairs)) => check_root(definition, value, repairs, Some(text), shared),
        Err(error) => {
            let error = invalid(definition, &error);
            Err(Box::new((Read::refused(RawArguments::Text(text)), error)))
        }
    }
}

fn lines(repairs: &[impl ToString]) -> Vec<String> {
    repairs.iter().map(ToString::to_string).collect()
}

/// The root must be an object; one layer of string around one is taken off.
fn check_root(
    definition: &Definition,
    mut value: Value,
    mut repairs: Vec<String>,
    text: Option<String>,
    shared: &Shared,
) -> Reading {
    if repairs.is_empty() && shared.settings.repair_of(definition) {
        let (root, done) = schema::repair_root_value(value);
        value = root;
        repairs = lines(&done);
    }
    match value {
        Value::Object(_) => check(definition, value, repairs, text, shared),
        Value::Null => check(definition, Value::Object(Map::new()), repairs, None, shared),
        other => {
            let what = format!("expected an object, got {}", schema::kind_of(&other));
            let raw = text.map_or(RawArguments::Json(other), RawArguments::Text);
            Err(Box::new((Read::refused(raw), invalid(definition, &what))))
        }
    }
}

/// Mends, fills in defaults, checks against the schema, and decodes what the body takes. `text` is
/// what the value was read from, and stays if nothing had to be changed.
fn check(
    definition: &Definition,
    mut value: Value,
    mut repairs: Vec<String>,
    text: Option<String>,
    shared: &Shared,
) -> Reading {
    let schema = definition.compiled_parameters.schema();
    if shared.settings.repair_of(definition) {
        repairs.extend(lines(&schema::repair(schema, &mut value, text.as_deref())));
    }
    let filled = schema::fill_defaults(schema, &mut value);
    let unchanged = text.filter(|_| repairs.is_empty() && !filled);
    let text = unchanged.unwrap_or_else(|| schema::text_of(&value));
    let refused = |text, value, error| {
        let read = Read {
            text,
            json: Some(value),
            early: None,
            repairs: Vec::new(),
        };
        Err(Box::new((read, error)))
    };
    if let Err(violations) = definition.compiled_parameters.check(&value) {
        let error = violations.for_tool(definition.name());
        return refused(text, value, ToolError::coded(code::INVALID_ARGS, error));
    }
    match decode(definition, &text) {
        Ok(early) => Ok(Read {
            text,
            json: Some(value),
            early,
            repairs,
        }),
        Err(error) => {
            let error = invalid(definition, &error);
            refused(text, value, error)
        }
    }
}

/// Typed arguments, for a typed tool. A user's `Deserialize` may panic.
fn decode(definition: &Definition, text: &str) -> Result<Option<BoxedArguments>, ToolError> {
    if definition.settings.handle.is_none() {
        return Ok(None);
    }
    match contain(|| definition.body().decode(text)) {
        Ok(decoded) => decoded.map(Some),
        Err(Panicked) => Err(ToolError::new("their `Deserialize` panicked")),
    }
}

fn invalid(definition: &Definition, what: &impl std::fmt::Display) -> ToolError {
    ToolError::coded(
        code::INVALID_ARGS,
        format!(
            "invalid arguments: {what}\ntool \"{}\" takes {}",
            definition.name(),
            definition.compiled_parameters.shape()
        ),
    )
}
