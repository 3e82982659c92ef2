//! From what happened to what a model reads: the kind, the program's line, what to change.

use crate::bridge::Host;
use crate::control::Stop;
use crate::facts::Facts;
use crate::failure::{Failure, FailureKind};
use crate::limits::{Limits, bytes, spelled};
use crate::lossless::Lossy;
use crate::missing;
use crate::source::{self, Position};
use crate::spell;
use crate::trace::{self, Frame, Thrown};

/// What is known of a run when it fails.
pub(crate) struct Known<'k> {
    pub(crate) program: &'k str,
    pub(crate) facts: &'k Facts,
    pub(crate) limits: &'k Limits,
    pub(crate) stop: Option<Stop>,
    /// The stack of the statement that ran into a limit.
    pub(crate) limit_site: Option<&'k str>,
    pub(crate) host: &'k dyn Host,
}

/// A run that was made to stop, without a place.
pub(crate) fn stopped(stop: Stop, limits: &Limits) -> Failure {
    match stop {
        Stop::Abort => Failure::new(FailureKind::Abort, "the caller cancelled the run"),
        Stop::Cpu => Failure::new(
            FailureKind::Timeout,
            format!(
                "the program computed for more than {}",
                spelled(limits.cpu_time())
            ),
        )
        .help("end the loop or the recursion that does not end, or do less in one program"),
        Stop::Wall => Failure::new(
            FailureKind::Timeout,
            format!("the run took more than {}", spelled(limits.wall_time())),
        )
        .help("start independent calls together with `Promise.all`, or do less in one program"),
        Stop::Output => Failure::new(
            FailureKind::OutputLimit,
            format!(
                "the program printed more than {}",
                bytes(limits.output_bytes())
            ),
        )
        .help("print and return a summary or a slice instead of everything"),
        Stop::Calls => Failure::new(
            FailureKind::CallLimit,
            format!("the program made more than {} calls", limits.call_count()),
        )
        .help("ask for more with each call, or do a part of the work in each program"),
    }
}

/// A program that failed with `thrown`, or was stopped while that was thrown.
pub(crate) fn failed(thrown: &Thrown, known: &Known<'_>) -> Failure {
    let mut frames = thrown.frames.clone();
    let failure = match known.stop {
        Some(stop) => {
            if let Some(site) = known.limit_site {
                frames = trace::frames(site);
            }
            stopped(stop, known.limits)
        }
        None if thrown.is_out_of_memory(known.facts.may_throw_null()) => Failure::new(
            FailureKind::OutOfMemory,
            format!(
                "the program held more than {}",
                bytes(known.limits.heap_bytes())
            ),
        )
        .help("work through the data in parts and keep only what the result needs"),
        None => exception(thrown, &mut frames, known),
    };
    placed(failure, &frames, known.program)
}

fn exception(thrown: &Thrown, frames: &mut Vec<Frame>, known: &Known<'_>) -> Failure {
    let failure = Failure::new(FailureKind::Exception, thrown.message.clone());
    if !thrown.is_error {
        if let Some(line) = known.facts.only_throw() {
            frames.push(frame_at(line));
        }
        return failure.help("throw `new Error(text)` to have the line and the stack shown");
    }
    match help(
        &thrown.message,
        frames.first().map(|frame| frame.at.line),
        known,
    ) {
        Some(help) => failure.help(help),
        None => failure,
    }
}

/// What usually helps against an error with this message.
fn help(message: &str, line: Option<usize>, known: &Known<'_>) -> Option<String> {
    let (class, text) = message.split_once(": ").unwrap_or((message, ""));
    match class {
        "ToolCallError" => {
            Some("correct the call, or catch the error with `try` and go on without it".to_owned())
        }
        "ReferenceError" => {
            let name = text.strip_suffix(" is not defined")?.trim_matches('\'');
            if missing::is_missing(name) {
                return missing::lesson(name);
            }
            let tool = known.host.tools().iter().any(|tool| tool == name);
            Some(if tool {
                format!(
                    "`{name}` is a tool: call `await tools{}({{...}})`",
                    spell::member(name)
                )
            } else {
                format!("declare `{name}` before this line, or correct its spelling")
            })
        }
        "TypeError" if text.contains("not a function") => Some(
            line.and_then(|line| unknown_tool(line, known))
                .unwrap_or_else(|| {
                    "print the value with `console.log` to see what it is".to_owned()
                }),
        ),
        "TypeError" if text.contains("of undefined") || text.contains("of null") => Some(
            "the value before the dot is missing: did a call return something else, or was \
             `await` forgotten? print it with `console.log`, or write `?.`"
                .to_owned(),
        ),
        "TypeError" if text.contains("not iterable") => Some(
            "only arrays, strings, maps and sets can be looped over: was `await` forgotten, or is \
             the array a property of the value?"
                .to_owned(),
        ),
        "TypeError" if text.contains("read-only") || text.contains("constant") => {
            Some("declare it with `let` to assign to it again".to_owned())
        }
        "RangeError" if text.contains("call stack") => {
            Some("the recursion is too deep or never ends: use a loop".to_owned())
        }
        "RangeError" => Some("use a value within the bounds".to_owned()),
        "SyntaxError" if text.contains("JSON") => Some(
            "the text is not JSON; the result of a tool is a value already and needs no parsing"
                .to_owned(),
        ),
        "SyntaxError" if text.contains("redefinition") => {
            Some("give the second declaration another name, or assign without `let`".to_owned())
        }
        _ => None,
    }
}

/// `tools.serach` where there is a `search`.
fn unknown_tool(line: usize, known: &Known<'_>) -> Option<String> {
    let tools = known.host.tools();
    let wrong = known
        .facts
        .tools_on(line)
        .find(|name| !tools.iter().any(|tool| tool == name))?;
    let near = tools
        .iter()
        .map(|tool| (distance(tool, wrong), tool))
        .filter(|(distance, tool)| *distance <= (tool.chars().count() / 3).max(1))
        .min();
    Some(match near {
        Some((_, tool)) => {
            let member = spell::member(tool);
            format!("there is no tool `{wrong}`; did you mean `tools{member}`?")
        }
        None => {
            let mut names: Vec<&str> = tools.iter().map(String::as_str).collect();
            names.sort_unstable();
            let list = source::shortened(&names.join(", "), 300);
            format!("there is no tool `{wrong}`; the tools are: {list}")
        }
    })
}

/// Insertions, deletions and replacements between two names, case aside.
fn distance(a: &str, b: &str) -> usize {
    let simple = |text: &str| text.to_lowercase().chars().take(64).collect::<Vec<char>>();
    let (a, b) = (simple(a), simple(b));
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// A program that waits for something that nothing will do.
pub(crate) fn stuck(facts: &Facts, program: &str) -> Failure {
    let failure = Failure::new(
        FailureKind::Exception,
        "the program waits for a promise that nothing can settle: no call and no timer is left",
    )
    .help("call the `resolve` of each `new Promise`, and await calls of `tools` directly");
    let frames: Vec<Frame> = facts.first_promise().map(frame_at).into_iter().collect();
    placed(failure, &frames, program)
}

/// A returned value that is not JSON, or too much of it.
pub(crate) fn not_returnable(
    lossy: &Lossy,
    facts: &Facts,
    program: &str,
    limits: &Limits,
) -> Failure {
    let failure = if lossy.too_large {
        Failure::new(
            FailureKind::OutputLimit,
            format!(
                "the program printed and returned more than {}",
                bytes(limits.output_bytes())
            ),
        )
        .help("print and return a summary or a slice instead of everything")
    } else {
        let failure = Failure::new(
            FailureKind::InvalidOutput,
            format!("returned value: {}", lossy.what()),
        );
        match lossy.instead() {
            Some(instead) => failure.help(instead),
            None => {
                failure.help("return plain objects, arrays, strings, numbers, booleans or null")
            }
        }
    };
    let frames: Vec<Frame> = facts.only_return().map(frame_at).into_iter().collect();
    placed(failure, &frames, program)
}

fn frame_at(line: usize) -> Frame {
    let at = Position { line, column: 1 };
    Frame {
        text: format!("at {}:{line}", source::FILE),
        at,
    }
}

fn placed(mut failure: Failure, frames: &[Frame], program: &str) -> Failure {
    failure.frames = frames.iter().map(|frame| frame.text.clone()).collect();
    if let Some(first) = frames.first() {
        let line = first.at.line;
        failure.line = source::line(program, line).map(|text| (line, text));
    }
    failure
}
