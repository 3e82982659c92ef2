//! What a program threw, in its own lines.

use rquickjs::{Coerced, Ctx, Object, Value as JsValue};

use crate::inspect;
use crate::source::{self, FILE, OPEN, Position, Program};
use crate::state::State;

/// One line of a stack that is the program's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// `at pick (program.ts:3:12)`
    pub(crate) text: String,
    pub(crate) at: Position,
}

/// So many frames are shown.
const SHOWN: usize = 8;

/// The frames of the engine's `stack` that are in `program`.
pub(crate) fn frames(stack: &str, program: &Program) -> Vec<Frame> {
    let mut frames: Vec<Frame> = Vec::new();
    let mut times = 1;
    for frame in stack.lines().filter_map(|line| frame(line, program)) {
        if frames.last().is_some_and(|last| last.text == frame.text) {
            times += 1;
            continue;
        }
        repeated(&mut frames, &mut times);
        if frames.len() == SHOWN {
            break;
        }
        frames.push(frame);
    }
    repeated(&mut frames, &mut times);
    frames
}

/// A function that calls itself is one line: `at down (program.ts:2:3), again and again`.
fn repeated(frames: &mut [Frame], times: &mut usize) {
    if let Some(last) = frames.last_mut().filter(|_| *times > 2) {
        last.text.push_str(", again and again");
    }
    *times = 1;
}

/// The lines of the engine's `stack` that are in the program, as they are.
pub(crate) fn own_lines(stack: &str) -> String {
    let own = stack.lines().filter(|line| line.contains(FILE));
    own.take(SHOWN).flat_map(|line| [line, "\n"]).collect()
}

/// `    at pick (program.ts:3:12)`, also `at program.ts:3:12`.
fn frame(line: &str, program: &Program) -> Option<Frame> {
    let line = line.trim().strip_prefix("at ")?;
    let start = line.rfind(FILE)?;
    let mut numbers = line[start + FILE.len()..]
        .trim_end_matches(')')
        .split(':')
        .skip(1);
    let number: usize = numbers.next()?.parse().ok()?;
    let column: usize = numbers
        .next()
        .and_then(|column| column.parse().ok())
        .unwrap_or(1);
    let shift = if number == 1 { OPEN.len() } else { 0 };
    let at = program.place(number, column.saturating_sub(shift));
    let name = line[..start].trim().trim_end_matches('(').trim();
    let text = match name {
        "" | "<anonymous>" | "<eval>" => format!("at {at}"),
        name => format!("at {} ({at})", source::shortened(name, 80)),
    };
    Some(Frame { text, at })
}

/// A thrown value.
#[derive(Debug)]
pub(crate) struct Thrown {
    /// `TypeError: x is not a function`, or what was thrown instead of an error.
    pub(crate) message: String,
    pub(crate) frames: Vec<Frame>,
    pub(crate) is_error: bool,
    pub(crate) is_null: bool,
}

impl Thrown {
    /// The engine could not allocate: it says so, or had no memory to say it.
    pub(crate) fn is_out_of_memory(&self, may_throw_null: bool) -> bool {
        (self.is_error && self.message == "InternalError: out of memory")
            || (self.is_null && !may_throw_null)
    }

    /// A string would have been longer than the engine's strings can be, 2^30 - 1 characters.
    pub(crate) fn is_string_too_long(&self) -> bool {
        self.is_error && self.message == "InternalError: string too long"
    }
}

/// So much of a message is kept.
const MESSAGE: usize = 4_000;

/// Describes what was thrown. May run the program's own getters, within its budgets.
pub(crate) fn describe<'js>(state: &State, ctx: &Ctx<'js>, value: &JsValue<'js>) -> Thrown {
    described(state, ctx, value, 0)
}

/// What an error says of others: `caused by Error: timeout`, and the parts of an `AggregateError`.
fn behind<'js>(state: &State, ctx: &Ctx<'js>, error: &Object<'js>) -> Vec<String> {
    let own = |key: &str| match error.get::<_, Option<JsValue<'js>>>(key) {
        Ok(value) => value.filter(|value| !value.is_undefined()),
        Err(_) => {
            ctx.catch();
            None
        }
    };
    let mut found = Vec::new();
    if let Some(cause) = own("cause") {
        let cause = described(state, ctx, &cause, 1).message;
        found.push(format!("caused by {}", source::shortened(&cause, 500)));
    }
    let errors = own("errors").and_then(JsValue::into_array);
    for error in errors
        .iter()
        .flat_map(rquickjs::Array::iter::<JsValue<'js>>)
    {
        let Ok(error) = error else {
            ctx.catch();
            break;
        };
        if found.len() > 5 {
            found.push("...".to_owned());
            break;
        }
        let error = described(state, ctx, &error, 1).message;
        found.push(source::shortened(&error, 500));
    }
    found
}

fn described<'js>(state: &State, ctx: &Ctx<'js>, value: &JsValue<'js>, depth: usize) -> Thrown {
    let is_null = value.is_null();
    let Some(error) = value.as_object().filter(|object| object.is_error()) else {
        let shown = inspect::top(state, ctx, value);
        let message = source::shortened(&shown, MESSAGE);
        return Thrown {
            message,
            frames: Vec::new(),
            is_error: false,
            is_null,
        };
    };
    let text = |key: &str| match error.get::<_, Option<Coerced<String>>>(key) {
        Ok(text) => text.map(|text| text.0).unwrap_or_default(),
        Err(_) => {
            ctx.catch();
            String::new()
        }
    };
    let (name, message) = (text("name"), text("message"));
    let name = if name.is_empty() {
        "Error".to_owned()
    } else {
        name
    };
    let mut message = if message.is_empty() {
        name
    } else {
        format!("{name}: {message}")
    };
    if depth == 0 {
        for inner in behind(state, ctx, error) {
            message.push_str("\n  ");
            message.push_str(&inner);
        }
    }
    Thrown {
        message: source::shortened(&message, MESSAGE),
        frames: frames(&text("stack"), &state.program),
        is_error: true,
        is_null,
    }
}
