//! What a program threw, in its own lines.

use rquickjs::{Coerced, Ctx, Value as JsValue};

use crate::inspect;
use crate::source::{self, FILE, OPEN, Position};
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

/// The frames of the engine's `stack` that are in the program.
pub(crate) fn frames(stack: &str) -> Vec<Frame> {
    stack.lines().filter_map(frame).take(SHOWN).collect()
}

/// `    at pick (program.ts:3:12)`, also `at program.ts:3:12`.
fn frame(line: &str) -> Option<Frame> {
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
    let at = Position {
        line: number,
        column: column.saturating_sub(shift).max(1),
    };
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
}

/// So much of a message is kept.
const MESSAGE: usize = 4_000;

/// Describes what was thrown. May run the program's own getters, within its budgets.
pub(crate) fn describe<'js>(state: &State, ctx: &Ctx<'js>, value: &JsValue<'js>) -> Thrown {
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
    let message = if message.is_empty() {
        name
    } else {
        format!("{name}: {message}")
    };
    Thrown {
        message: source::shortened(&message, MESSAGE),
        frames: frames(&text("stack")),
        is_error: true,
        is_null,
    }
}
