//! A random pipeline as data, and how it is generated.

use proptest::collection::vec;
use proptest::prelude::*;
use tool_core::Approval;

/// Something registered in a layer (0 is the runtime, 1 the outermost scope, ...) that is pending
/// `wait` times before it acts.
#[derive(Clone, Debug)]
pub(crate) struct Placed<A> {
    pub(crate) layer: usize,
    pub(crate) wait: usize,
    pub(crate) act: A,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pre {
    Allow,
    Ask,
    Deny,
    Fail,
    Panic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guarding {
    Abstain,
    Deny,
    Fail,
    Panic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Around {
    Pass,
    Retry,
    /// Runs what is inside, and answers a failure with a success of its own.
    Rescue,
    Answer,
    AnswerInvalid,
    AnswerFailure,
    Fail,
    PanicBefore,
    PanicAfter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    Value,
    Invalid,
    Fail,
    Panic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Render {
    Works,
    Fails,
    Panics,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Post {
    Accept,
    Content,
    Value,
    InvalidValue,
    Block,
    Fail,
    Panic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Final {
    Absent,
    Keep,
    Replace,
    Fail,
    Panic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Observe {
    Look,
    Fail,
    Panic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Gives(Approval),
    Panics,
}

/// One call and everything that has a say in it.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    /// How many scopes are below each other; the call is made in the innermost.
    pub(crate) scopes: usize,
    /// The layer the tool is registered in.
    pub(crate) tool_layer: usize,
    pub(crate) pre: Vec<Placed<Pre>>,
    pub(crate) guards: Vec<Placed<Guarding>>,
    pub(crate) approver: Option<Placed<Answer>>,
    pub(crate) around: Vec<Placed<Around>>,
    /// What the body does at each attempt; the last goes on.
    pub(crate) body: Vec<(usize, Body)>,
    pub(crate) render: Render,
    pub(crate) post: Vec<Placed<Post>>,
    pub(crate) finalizer: Final,
    pub(crate) observers: Vec<Placed<Observe>>,
    /// The arguments as the model writes them.
    pub(crate) arguments: &'static str,
}

/// Arguments that fit as they are, after a repair, or with a default filled in.
pub(crate) const ARGUMENTS: [&str; 5] = [
    r#"{"n":1,"tag":"x"}"#,
    r#"{"tag":"x","n":"1"}"#,
    r#"{"n":1.0}"#,
    "```json\n{\"n\":1}\n```",
    r#""{\"n\":1}""#,
];

fn placed<A: Clone + std::fmt::Debug>(
    act: impl Strategy<Value = A>,
    scopes: usize,
) -> impl Strategy<Value = Placed<A>> {
    (0..=scopes, 0..3usize, act).prop_map(|(layer, wait, act)| Placed { layer, wait, act })
}

pub(crate) fn pre() -> impl Strategy<Value = Pre> {
    use Pre::*;
    prop_oneof![6 => Just(Allow), 3 => Just(Ask), 1 => Just(Deny), 1 => Just(Fail), 1 => Just(Panic)]
}

pub(crate) fn guarding() -> impl Strategy<Value = Guarding> {
    use Guarding::*;
    prop_oneof![12 => Just(Abstain), 2 => Just(Deny), 1 => Just(Fail), 1 => Just(Panic)]
}

fn answer() -> impl Strategy<Value = Answer> {
    use Answer::{Gives, Panics};
    prop_oneof![
        6 => Just(Gives(Approval::AllowedOnce)),
        1 => Just(Gives(Approval::Rejected)),
        1 => Just(Gives(Approval::Cancelled)),
        1 => Just(Gives(Approval::Unavailable)),
        1 => Just(Panics),
    ]
}

fn around() -> impl Strategy<Value = Around> {
    use Around::*;
    prop_oneof![
        6 => Just(Pass),
        2 => Just(Retry),
        2 => Just(Rescue),
        1 => Just(Answer),
        1 => Just(AnswerInvalid),
        1 => Just(AnswerFailure),
        1 => Just(Fail),
        1 => Just(PanicBefore),
        1 => Just(PanicAfter),
    ]
}

fn body() -> impl Strategy<Value = Body> {
    use Body::*;
    prop_oneof![6 => Just(Value), 1 => Just(Invalid), 1 => Just(Fail), 1 => Just(Panic)]
}

fn post() -> impl Strategy<Value = Post> {
    use Post::*;
    prop_oneof![
        3 => Just(Accept),
        3 => Just(Content),
        3 => Just(Value),
        1 => Just(InvalidValue),
        2 => Just(Block),
        1 => Just(Fail),
        1 => Just(Panic),
    ]
}

/// A call in a random pipeline.
pub(crate) fn spec() -> impl Strategy<Value = Spec> {
    (0..3usize).prop_flat_map(|scopes| {
        let render =
            prop_oneof![6 => Just(Render::Works), 1 => Just(Render::Fails), 1 => Just(Render::Panics)];
        let finalizer = prop_oneof![
            2 => Just(Final::Absent),
            2 => Just(Final::Keep),
            2 => Just(Final::Replace),
            1 => Just(Final::Fail),
            1 => Just(Final::Panic),
        ];
        let observe = prop_oneof![Just(Observe::Look), Just(Observe::Fail), Just(Observe::Panic)];
        let policy = (
            0..=scopes,
            vec(placed(pre(), scopes), 0..4),
            vec(placed(guarding(), scopes), 0..4),
            proptest::option::weighted(0.8, placed(answer(), scopes)),
        );
        let rest = (
            vec(placed(around(), scopes), 0..4),
            vec((0..3usize, body()), 1..3),
            render,
            vec(placed(post(), scopes), 0..4),
            finalizer,
            vec(placed(observe, scopes), 0..3),
            proptest::sample::select(&ARGUMENTS[..]),
        );
        (policy, rest).prop_map(move |(policy, rest)| {
            let (tool_layer, pre, guards, approver) = policy;
            let (around, body, render, post, finalizer, observers, arguments) = rest;
            Spec {
                scopes,
                tool_layer,
                pre,
                guards,
                approver,
                around,
                body,
                render,
                post,
                finalizer,
                observers,
                arguments,
            }
        })
    })
}
