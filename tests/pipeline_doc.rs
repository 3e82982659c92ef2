//! Writes the table of outcomes in `docs/pipeline.md` from the pipeline itself, and compares.
//!
//! With `BLESS=1` in the environment the file is written instead.

mod support;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tool_core::{
    Approval, ApprovalRequest, Decision, Next, PostDecision, Registration, RunContext, ToolCall,
    ToolError, ToolExecution, ToolResult, ToolRuntime, around_fn,
};

use support::{call, code, on_paused_clock, panic_now};

/// The stations of the table, in the order of its columns.
const STATIONS: [&str; 9] = [
    "pre",
    "guard",
    "approver",
    "around",
    "body",
    "output",
    "post",
    "finalizer",
    "observer",
];

/// What happens in one outcome; everything else does what it does in a success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Twist {
    Nothing,
    Unknown,
    InvalidArguments,
    Nested,
    Cancel(&'static str),
    PreDenies,
    Panics(&'static str),
    Hangs,
    GuardDenies,
    NobodyToAsk,
    Answer(Approval),
    Revoked,
    WrapperAnswers,
    WrapperAnswersInvalid,
    WrapperFails,
    BodyFails,
    BodyInvalid,
    BodyTooLong,
    RenderFails,
    PostContent,
    PostValue,
    PostInvalid,
    PostValueOfFailure,
    PostBlocks,
    FinalContent,
}

const OUTCOMES: &[(&str, Twist)] = &[
    ("success", Twist::Nothing),
    (
        "intake: cancelled before it begins",
        Twist::Cancel("intake"),
    ),
    ("intake: unknown tool", Twist::Unknown),
    ("intake: arguments do not fit", Twist::InvalidArguments),
    ("intake: nested too deep", Twist::Nested),
    ("1: denies", Twist::PreDenies),
    ("1: breaks", Twist::Panics("pre")),
    ("1: hangs", Twist::Hangs),
    ("1: cancelled", Twist::Cancel("pre")),
    ("2: denies", Twist::GuardDenies),
    ("2: breaks", Twist::Panics("guard")),
    ("2: cancelled", Twist::Cancel("guard")),
    ("approver: there is none", Twist::NobodyToAsk),
    ("approver: rejects", Twist::Answer(Approval::Rejected)),
    ("approver: withdraws", Twist::Answer(Approval::Cancelled)),
    (
        "approver: cannot be reached",
        Twist::Answer(Approval::Unavailable),
    ),
    ("approver: breaks", Twist::Panics("approver")),
    (
        "approver: cancelled while the question is open",
        Twist::Cancel("approver"),
    ),
    ("3: answers in the body's place", Twist::WrapperAnswers),
    (
        "3: answers with an invalid value",
        Twist::WrapperAnswersInvalid,
    ),
    ("3: answers with a failure", Twist::WrapperFails),
    ("3: breaks", Twist::Panics("around")),
    (
        "3: cancelled before the body starts",
        Twist::Cancel("around"),
    ),
    ("3: the tool is gone before the body starts", Twist::Revoked),
    ("4: fails", Twist::BodyFails),
    ("4: panics", Twist::Panics("body")),
    ("4: takes too long", Twist::BodyTooLong),
    ("4: cancelled in the body", Twist::Cancel("body")),
    ("5: the value is invalid", Twist::BodyInvalid),
    ("5: cannot be rendered", Twist::RenderFails),
    ("5: cancelled while rendering", Twist::Cancel("output")),
    ("6: replaces the content", Twist::PostContent),
    ("6: replaces the value", Twist::PostValue),
    ("6: replaces it by an invalid one", Twist::PostInvalid),
    (
        "6: replaces the value of a failure",
        Twist::PostValueOfFailure,
    ),
    ("6: blocks", Twist::PostBlocks),
    ("6: breaks", Twist::Panics("post")),
    ("6: cancelled", Twist::Cancel("post")),
    ("7: replaces the content", Twist::FinalContent),
    ("7: breaks", Twist::Panics("finalizer")),
    ("7: cancelled", Twist::Cancel("finalizer")),
    ("8: breaks", Twist::Panics("observer")),
];

/// What was seen of one outcome.
#[derive(Default)]
struct Seen {
    /// Station and call id.
    stations: Mutex<Vec<(&'static str, String)>>,
    results: Mutex<Vec<ToolResult>>,
    registration: Mutex<Option<Registration>>,
    token: CancellationToken,
}

/// What every station does first: it is seen, cancels, or breaks.
#[derive(Clone)]
struct Probe {
    seen: Arc<Seen>,
    twist: Twist,
}

impl Probe {
    fn reach(&self, station: &'static str, call_id: &str) {
        self.seen
            .stations
            .lock()
            .unwrap()
            .push((station, call_id.to_owned()));
        if self.twist == Twist::Cancel(station) {
            self.seen.token.cancel();
        }
        if self.twist == Twist::Panics(station) {
            panic_now();
        }
    }

    fn is(&self, twist: Twist) -> bool {
        self.twist == twist
    }
}

fn act(probe: &Probe) -> tool_core::ToolDefinition {
    let (body, output, finalizer) = (probe.clone(), probe.clone(), probe.clone());
    let parameters = json!({"type": "object", "additionalProperties": false});
    tool_core::ToolDefinition::dynamic("act", "Acts.", parameters, json!({"type": "string"}))
        .handler(move |_: Value, cx: RunContext| {
            let body = body.clone();
            async move {
                cx.defer_context("from the body");
                body.reach("body", cx.call_id());
                match body.twist {
                    Twist::Nested => {
                        let nested = cx.call_by_name("act", "{}").await;
                        Err(nested.error().unwrap().clone())
                    }
                    Twist::BodyTooLong => std::future::pending().await,
                    Twist::BodyFails | Twist::PostValueOfFailure => Err("no luck".into()),
                    Twist::BodyInvalid => Ok(json!(5)),
                    _ => Ok(json!("done")),
                }
            }
        })
        .timeout(Duration::from_secs(5))
        .render(move |_, value| {
            output.reach("output", "");
            match output.twist {
                Twist::RenderFails => Err(ToolError::new("no words")),
                _ => Ok(value.as_str().unwrap().to_owned()),
            }
        })
        .finalize_content(move |call, _| {
            finalizer.reach("finalizer", call.call_id());
            finalizer
                .is(Twist::FinalContent)
                .then(|| vec!["final content".into()])
        })
}

fn around<'a>(
    probe: Probe,
    call: &'a ToolExecution,
    next: Next<'a>,
) -> tool_core::BoxFuture<'a, Result<ToolResult, ToolError>> {
    Box::pin(async move {
        probe.reach("around", call.call_id());
        match probe.twist {
            Twist::WrapperAnswers => return ToolResult::success("from the wrapper"),
            Twist::WrapperAnswersInvalid => return ToolResult::success(5),
            Twist::WrapperFails => return Ok(ToolResult::failure("wrapped")),
            Twist::Revoked => {
                probe
                    .seen
                    .registration
                    .lock()
                    .unwrap()
                    .take()
                    .unwrap()
                    .dispose();
            }
            _ => {}
        }
        Ok(next.run().await)
    })
}

fn review(twist: Twist) -> PostDecision {
    match twist {
        Twist::PostContent => PostDecision::content("other content"),
        Twist::PostValue | Twist::PostValueOfFailure => PostDecision::value(json!("other value")),
        Twist::PostInvalid => PostDecision::value(json!(5)),
        Twist::PostBlocks => PostDecision::block("held back"),
        _ => PostDecision::accept(),
    }
}

/// A runtime with something at every station, all of it the hook called `policy`.
fn runtime(probe: &Probe) -> ToolRuntime {
    let on = || probe.clone();
    let (pre, guard, approver, wrapper, post, observer) = (on(), on(), on(), on(), on(), on());
    let builder = ToolRuntime::builder()
        .pre_execute(move |call: &ToolExecution| {
            pre.reach("pre", call.call_id());
            let twist = pre.twist;
            Box::pin(async move {
                match twist {
                    Twist::PreDenies => Decision::deny("not today"),
                    Twist::Hangs => std::future::pending().await,
                    Twist::NobodyToAsk
                    | Twist::Answer(_)
                    | Twist::Panics("approver")
                    | Twist::Cancel("approver") => Decision::ask("may it?"),
                    _ => Decision::Allow,
                }
            })
        })
        .guard(move |call: &ToolExecution| {
            guard.reach("guard", call.call_id());
            guard.is(Twist::GuardDenies).then_some("not today")
        })
        .around_execute(around_fn(move |call: &ToolExecution, next: Next<'_>| {
            around(wrapper.clone(), call, next)
        }))
        .post_execute(move |call: &ToolExecution, _: &ToolResult| {
            post.reach("post", call.call_id());
            review(post.twist)
        })
        .on_result(move |call: &ToolExecution, result: &ToolResult| {
            observer.seen.results.lock().unwrap().push(result.clone());
            observer.reach("observer", call.call_id());
        });
    if probe.is(Twist::NobodyToAsk) {
        return builder.build().unwrap();
    }
    builder
        .approver(move |ask: ApprovalRequest| {
            approver.reach("approver", &ask.call_id);
            let answer = match approver.twist {
                Twist::Answer(answer) => answer,
                _ => Approval::AllowedOnce,
            };
            std::future::ready(answer)
        })
        .build()
        .unwrap()
}

/// Runs one outcome and writes its row.
fn row(outcome: &str, twist: Twist) -> String {
    let seen = Arc::new(Seen::default());
    let probe = Probe {
        seen: seen.clone(),
        twist,
    };
    let returned = on_paused_clock(async {
        let runtime = runtime(&probe);
        let registration = runtime.register(act(&probe)).unwrap();
        *seen.registration.lock().unwrap() = Some(registration);
        let calling = match twist {
            Twist::Unknown => call("call_1", "atc"),
            Twist::InvalidArguments => ToolCall::new("call_1", "act", r#"{"n":1}"#),
            _ => call("call_1", "act"),
        };
        if twist == Twist::Cancel("intake") {
            seen.token.cancel();
        }
        runtime.execute(calling.cancel(seen.token.clone())).await
    });
    // Of nested calls, the innermost: the first that observers were told of.
    let results = seen.results.lock().unwrap();
    let result = &results[0];
    if twist != Twist::Nested {
        assert_eq!(support::data(result), support::data(&returned));
        assert_eq!(results.len(), 1);
    }
    let stations = seen.stations.lock().unwrap();
    let mut row = format!("| {outcome} |");
    for station in STATIONS {
        let reached = |(name, call_id): &(&str, String)| {
            *name == station && (call_id.is_empty() || *call_id == **result.call_id())
        };
        // The mark of a station that was not asked is a space: the eye finds the others.
        row.push_str(if stations.iter().any(reached) {
            " ● |"
        } else {
            "   |"
        });
    }
    let contexts = if result.additional_contexts().is_empty() {
        " "
    } else {
        "kept"
    };
    let text = result.text().replace('|', "\\|").replace('\n', "<br>");
    let _ = write!(row, " {contexts} | `{}` | {text} |", code(result));
    row
}

fn table() -> String {
    let mut table = String::from(
        "| outcome | 1 pre | 2 guard | ask | 3 around | 4 body | 5 output | 6 post | 7 final | \
         8 observe | contexts | code | the model sees |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for (outcome, twist) in OUTCOMES {
        table.push_str(&row(outcome, *twist));
        table.push('\n');
    }
    table
}

#[test]
fn the_table_of_outcomes_is_what_the_pipeline_does() {
    const BEGIN: &str = "<!-- outcomes -->\n\n";
    const END: &str = "<!-- end of outcomes -->";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pipeline.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("the table begins");
    let (written, after) = rest.split_once(END).expect("the table ends");
    let table = table() + "\n";
    if std::env::var_os("BLESS").is_some() {
        let text = format!("{before}{BEGIN}{table}{END}{after}");
        std::fs::write(&path, text).unwrap();
        return;
    }
    for (written, real) in written.lines().zip(table.lines()) {
        assert_eq!(written, real, "BLESS=1 writes docs/pipeline.md anew");
    }
    assert_eq!(written, table, "BLESS=1 writes docs/pipeline.md anew");
}
