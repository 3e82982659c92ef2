//! What should come of a call that nobody cancels: a second, plainer pipeline, over data only.

use tool_core::Approval;

use crate::spec::{Answer, Around, Body, Final, Guarding, Placed, Post, Pre, Render, Spec};
use crate::stage::{content, mark};

/// What should come of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expected {
    /// `ok`, or the code of the failure.
    pub(crate) code: String,
    /// How often the body runs.
    pub(crate) bodies: usize,
    /// Whether the approver is asked.
    pub(crate) asked: bool,
    /// How many post hooks are asked.
    pub(crate) reviews: usize,
    /// The mark of the value.
    pub(crate) value: Option<String>,
    /// The text of the content; `None` for `Error: ...`.
    pub(crate) text: Option<String>,
}

/// A result so far.
#[derive(Clone)]
struct Out {
    outcome: Result<String, &'static str>,
    text: Option<String>,
    /// A wrapper made it, or it was made by this pipeline.
    by_wrapper: bool,
}

fn failed(code: &'static str) -> Out {
    Out {
        outcome: Err(code),
        text: None,
        by_wrapper: false,
    }
}

/// How station 3 ends: with a result, or with a wrapper that broke.
enum Wrapped {
    Result(Out),
    Broken,
}

/// The hooks in the order of their layers; each layer in registration order.
pub(crate) fn in_order<A: Clone>(placed: &[Placed<A>]) -> Vec<(usize, A)> {
    let mut hooks: Vec<_> = placed.iter().enumerate().collect();
    hooks.sort_by_key(|(_, hook)| hook.layer);
    hooks
        .into_iter()
        .map(|(index, hook)| (index, hook.act.clone()))
        .collect()
}

pub(crate) fn expected(spec: &Spec) -> Expected {
    let mut model = Model {
        spec,
        bodies: 0,
        asked: false,
        reviews: 0,
    };
    let out = model.call();
    let Model {
        bodies,
        asked,
        reviews,
        ..
    } = model;
    Expected {
        code: out
            .outcome
            .as_ref()
            .err()
            .copied()
            .unwrap_or("ok")
            .to_owned(),
        bodies,
        asked,
        reviews,
        value: out.outcome.ok(),
        text: out.text,
    }
}

struct Model<'a> {
    spec: &'a Spec,
    bodies: usize,
    asked: bool,
    reviews: usize,
}

impl Model<'_> {
    fn call(&mut self) -> Out {
        let out = match self.admit() {
            Err(broken_or_refused) => broken_or_refused,
            Ok(()) => match self.wrap(0) {
                Wrapped::Broken => Err(failed("HOOK_FAILED")),
                Wrapped::Result(out) => self.normalised(out),
            },
        };
        let out = match out {
            Ok(reviewed) => self.review(reviewed),
            Err(skips_review) => skips_review,
        };
        self.finish(out)
    }

    /// `Err(Ok(..))` goes to station 6, `Err(Err(..))` to station 7.
    fn admit(&mut self) -> Result<(), Result<Out, Out>> {
        let mut ask = false;
        for (_, act) in in_order(&self.spec.pre) {
            match act {
                Pre::Allow => {}
                Pre::Ask => ask = true,
                Pre::Deny => return Err(Ok(failed("DENIED"))),
                Pre::Fail | Pre::Panic => return Err(Err(failed("HOOK_FAILED"))),
            }
        }
        for (_, act) in in_order(&self.spec.guards) {
            match act {
                Guarding::Abstain => {}
                Guarding::Deny => return Err(Ok(failed("DENIED"))),
                Guarding::Fail | Guarding::Panic => return Err(Err(failed("HOOK_FAILED"))),
            }
        }
        if ask {
            let Some(approver) = &self.spec.approver else {
                return Err(Ok(failed("DENIED")));
            };
            self.asked = true;
            let code = match approver.act {
                Answer::Gives(Approval::AllowedOnce) => return Ok(()),
                Answer::Gives(Approval::Rejected) => "APPROVAL_REJECTED",
                Answer::Gives(Approval::Cancelled) => "APPROVAL_CANCELLED",
                Answer::Gives(_) | Answer::Panics => "APPROVAL_UNAVAILABLE",
            };
            return Err(Ok(failed(code)));
        }
        Ok(())
    }

    fn wrap(&mut self, depth: usize) -> Wrapped {
        let hooks = in_order(&self.spec.around);
        let Some((index, act)) = hooks.get(depth) else {
            return Wrapped::Result(self.body());
        };
        let value = mark("around", *index)["mark"].as_str().unwrap().to_owned();
        let answered = Out {
            outcome: Ok(value),
            text: None,
            by_wrapper: true,
        };
        let is_error = |wrapped: &Wrapped| match wrapped {
            Wrapped::Result(out) => out.outcome.is_err(),
            Wrapped::Broken => true,
        };
        match act {
            Around::Pass => self.wrap(depth + 1),
            Around::Retry => {
                let mut wrapped = self.wrap(depth + 1);
                for _ in 0..2 {
                    if is_error(&wrapped) {
                        wrapped = self.wrap(depth + 1);
                    }
                }
                wrapped
            }
            Around::Rescue => {
                let wrapped = self.wrap(depth + 1);
                if is_error(&wrapped) {
                    Wrapped::Result(answered)
                } else {
                    wrapped
                }
            }
            Around::Answer => Wrapped::Result(answered),
            Around::AnswerInvalid => Wrapped::Result(Out {
                outcome: Ok(String::new()),
                ..answered
            }),
            Around::AnswerFailure => Wrapped::Result(failed("ANSWERED")),
            Around::Fail | Around::PanicBefore => Wrapped::Broken,
            Around::PanicAfter => {
                let _ = self.wrap(depth + 1);
                Wrapped::Broken
            }
        }
    }

    fn body(&mut self) -> Out {
        let attempt = self.bodies;
        self.bodies += 1;
        let body = &self.spec.body;
        match body[attempt.min(body.len() - 1)].1 {
            Body::Value => {
                let value = mark("body", attempt)["mark"].as_str().unwrap().to_owned();
                self.rendered(value).unwrap_or_else(failed)
            }
            Body::Invalid => failed("INVALID_TOOL_OUTPUT"),
            Body::Fail => failed("TOOL_FAILED"),
            Body::Panic => failed("TOOL_PANICKED"),
        }
    }

    fn rendered(&self, value: String) -> Result<Out, &'static str> {
        if self.spec.render != Render::Works {
            return Err("INVALID_TOOL_OUTPUT");
        }
        let text = Some(format!("rendered \"{value}\""));
        Ok(Out {
            outcome: Ok(value),
            text,
            by_wrapper: false,
        })
    }

    /// A success of a wrapper is checked and rendered; what does not fit ends the call.
    fn normalised(&self, out: Out) -> Result<Out, Out> {
        match out {
            Out {
                outcome: Ok(value),
                by_wrapper: true,
                ..
            } => {
                if value.is_empty() {
                    return Err(failed("INVALID_TOOL_OUTPUT"));
                }
                self.rendered(value).map_err(failed)
            }
            own => Ok(own),
        }
    }

    fn review(&mut self, mut out: Out) -> Out {
        for (index, act) in in_order(&self.spec.post) {
            self.reviews += 1;
            match act {
                Post::Accept => {}
                Post::Content => out.text = Some(content("post", index)),
                Post::Value | Post::InvalidValue if out.outcome.is_err() => {
                    return failed("HOOK_FAILED");
                }
                Post::Value => {
                    let value = mark("post", index)["mark"].as_str().unwrap().to_owned();
                    match self.rendered(value) {
                        Ok(rendered) => out = rendered,
                        Err(code) => return failed(code),
                    }
                }
                Post::InvalidValue => return failed("INVALID_TOOL_OUTPUT"),
                Post::Block => {
                    return Out {
                        text: Some(content("block", index)),
                        ..failed("BLOCKED")
                    };
                }
                Post::Fail | Post::Panic => return failed("HOOK_FAILED"),
            }
        }
        out
    }

    fn finish(&self, out: Out) -> Out {
        match self.spec.finalizer {
            Final::Absent | Final::Keep => out,
            Final::Replace => Out {
                text: Some(content("finalizer", 0)),
                ..out
            },
            Final::Fail | Final::Panic => failed("HOOK_FAILED"),
        }
    }
}
