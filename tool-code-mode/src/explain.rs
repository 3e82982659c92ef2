//! From what happened to what a model reads: the kind, the program's line, what to change.

use crate::bridge::Host;
use crate::control::Stop;
use crate::facts::Facts;
use crate::failure::{Failure, FailureKind};
use crate::help::help;
use crate::limits::{Limits, bytes, spelled};
use crate::lossy::Lossy;
use crate::source::Program;
use crate::trace::{self, Frame, Thrown};

/// What is known of a run when it fails.
pub(crate) struct Known<'k> {
    pub(crate) program: &'k Program,
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
                frames = trace::frames(site, known.program);
            } else if thrown.is_error {
                to_running_loop(&mut frames, known);
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
        None if thrown.is_string_too_long() => Failure::new(
            FailureKind::OutOfMemory,
            "the program made a string of more than 2**30 - 1 characters",
        )
        .help("work through the data in parts and keep only what the result needs"),
        None => exception(thrown, &mut frames, known),
    };
    if frames.is_empty() && failure.kind() == FailureKind::OutOfMemory {
        frames.extend(
            known
                .facts
                .only_loop()
                .map(|at| frame_at(at, known.program)),
        );
    }
    placed(failure, &frames, known.program)
}

/// Replaces the innermost place of an interrupted program by the loop that it sits in.
fn to_running_loop(frames: &mut [Frame], known: &Known<'_>) {
    let Some(first) = frames.first_mut() else {
        return;
    };
    let at = known.program.offset(first.at);
    if let Some(start) = at.and_then(|at| known.facts.running_loop(at)) {
        let text = first.at.to_string();
        first.at = known.program.position(start);
        first.text = first.text.replace(&text, &first.at.to_string());
    }
}

fn exception(thrown: &Thrown, frames: &mut Vec<Frame>, known: &Known<'_>) -> Failure {
    let failure = Failure::new(FailureKind::Exception, thrown.message.clone());
    if !thrown.is_error {
        if let Some(at) = known.facts.only_throw() {
            frames.push(frame_at(at, known.program));
        }
        return failure.help("throw `new Error(text)` to have the line and the stack shown");
    }
    match help(&thrown.message, frames.first().map(|frame| frame.at), known) {
        Some(help) => failure.help(help),
        None => failure,
    }
}

/// A program that waits for something that nothing will do.
pub(crate) fn stuck(facts: &Facts, program: &Program) -> Failure {
    let failure = Failure::new(
        FailureKind::Exception,
        "the program waits for a promise that nothing can settle: no call and no timer is left",
    )
    .help("call the `resolve` of each `new Promise`, and await calls of `tools` directly");
    let frames: Vec<Frame> = facts
        .first_promise()
        .map(|at| frame_at(at, program))
        .into_iter()
        .collect();
    placed(failure, &frames, program)
}

/// A returned value that is not JSON, or too much of it.
pub(crate) fn not_returnable(
    lossy: &Lossy,
    facts: &Facts,
    program: &Program,
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
    let frames: Vec<Frame> = facts
        .only_return()
        .map(|at| frame_at(at, program))
        .into_iter()
        .collect();
    placed(failure, &frames, program)
}

fn frame_at(offset: usize, program: &Program) -> Frame {
    let at = program.position(offset);
    Frame {
        text: format!("at {at}"),
        at,
    }
}

fn placed(mut failure: Failure, frames: &[Frame], program: &Program) -> Failure {
    let parts = failure.parts_mut();
    parts.frames = frames.iter().map(|frame| frame.text.clone()).collect();
    if let Some(first) = frames.first() {
        let line = first.at.line;
        parts.line = program.line(line).map(|text| (line, text));
    }
    failure
}
