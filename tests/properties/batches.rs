//! Properties of batches: calls that may overlap and calls that may not, in any mix.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::StreamExt as _;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tool_core::{
    Decision, ExecutionMode, PostDecision, ToolCall, ToolDefinition, ToolError, ToolExecution,
    ToolResult, ToolRuntime,
};

use crate::support::{Gauge, Record, code, panic_now, pending_times, poll_by_hand, tool};

/// What one call of a batch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// May overlap, by its definition or by its arguments.
    Parallel,
    Classified(bool),
    /// May not: undeclared, or its classifier breaks.
    Exclusive,
    ClassifierFails,
    ClassifierPanics,
    /// Never reaches a body.
    Unknown,
    InvalidArguments,
    Denied,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Parallel | Self::InvalidArguments | Self::Denied => "parallel",
            Self::Classified(true) => "classified_safe",
            Self::Classified(false) => "classified_unsafe",
            Self::Exclusive => "exclusive",
            Self::ClassifierFails => "classifier_fails",
            Self::ClassifierPanics => "classifier_panics",
            Self::Unknown => "unknown",
        }
    }

    fn overlaps(self) -> bool {
        matches!(self, Self::Parallel | Self::Denied | Self::Classified(true))
    }

    fn code(self, body: &Act) -> &'static str {
        match (self, body.end) {
            (Self::Unknown, _) => "UNKNOWN_TOOL",
            (Self::InvalidArguments, _) => "INVALID_ARGS",
            (Self::Denied, _) => "DENIED",
            (_, End::Value) => "ok",
            (_, End::Failure) => "TOOL_FAILED",
            (_, End::Panic) => "TOOL_PANICKED",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Value,
    Failure,
    Panic,
}

#[derive(Clone, Debug)]
struct Act {
    kind: Kind,
    /// How often policy and body are pending.
    policy: usize,
    body: usize,
    end: End,
}

fn act() -> impl Strategy<Value = Act> {
    let kind = prop_oneof![
        6 => Just(Kind::Parallel),
        2 => any::<bool>().prop_map(Kind::Classified),
        2 => Just(Kind::Exclusive),
        1 => Just(Kind::ClassifierFails),
        1 => Just(Kind::ClassifierPanics),
        1 => Just(Kind::Unknown),
        1 => Just(Kind::InvalidArguments),
        1 => Just(Kind::Denied),
    ];
    let end = prop_oneof![4 => Just(End::Value), 1 => Just(End::Failure), 1 => Just(End::Panic)];
    (kind, 0..3usize, 0..5usize, end).prop_map(|(kind, policy, body, end)| Act {
        kind,
        policy,
        body,
        end,
    })
}

/// What a batch does is written down here.
#[derive(Default)]
struct Watch {
    bodies: Gauge,
    exclusive: Gauge,
    /// Bodies that ran while an exclusive one did.
    overlaps: AtomicUsize,
    /// `<station> <call>`
    policy: Record,
    told: Record,
    ticks: AtomicUsize,
    cancel_at: Option<usize>,
    token: CancellationToken,
    acts: Mutex<Vec<Act>>,
}

impl Watch {
    fn tick(&self) {
        if Some(self.ticks.fetch_add(1, Ordering::AcqRel)) == self.cancel_at {
            self.token.cancel();
        }
    }

    fn act(&self, call: &ToolExecution) -> Act {
        self.acts.lock().unwrap()[number(call.call_id())].clone()
    }
}

fn number(call_id: &str) -> usize {
    call_id.parse().unwrap()
}

fn batch_tool(kind: Kind, watch: &Arc<Watch>) -> ToolDefinition {
    let watch = watch.clone();
    let tool = tool(kind.name(), move |_, cx| {
        let watch = watch.clone();
        async move {
            let _inside = watch.bodies.enter();
            let act = watch.act(&cx);
            let _alone = (!act.kind.overlaps()).then(|| watch.exclusive.enter());
            for _ in 0..=act.body {
                if watch.exclusive.now() > 0 && watch.bodies.now() > 1 {
                    watch.overlaps.fetch_add(1, Ordering::AcqRel);
                }
                watch.tick();
                pending_times(1).await;
            }
            match act.end {
                End::Value => Ok(json!(number(cx.call_id()))),
                End::Failure => Err(ToolError::new("no luck")),
                End::Panic => panic_now(),
            }
        }
    });
    match kind {
        Kind::Parallel => tool.concurrency_safe(true),
        Kind::Classified(safe) => tool.concurrency_safe_if(move |_| safe),
        Kind::ClassifierFails => tool.concurrency_safe_if(|_| Err::<bool, _>("do not know")),
        Kind::ClassifierPanics => tool.concurrency_safe_if(|_: &Value| -> bool { panic_now() }),
        _ => tool,
    }
}

fn runtime(watch: &Arc<Watch>) -> ToolRuntime {
    let kinds = [
        Kind::Parallel,
        Kind::Classified(true),
        Kind::Classified(false),
        Kind::Exclusive,
        Kind::ClassifierFails,
        Kind::ClassifierPanics,
    ];
    let (before, after, told) = (watch.clone(), watch.clone(), watch.told.clone());
    ToolRuntime::builder()
        .hook_timeout(None)
        .tools(kinds.map(|kind| batch_tool(kind, watch)))
        .pre_execute(move |call: &ToolExecution| {
            before.policy.add(format!("pre {}", call.call_id()));
            before.tick();
            let act = before.act(call);
            Box::pin(async move {
                pending_times(act.policy).await;
                if act.kind == Kind::Denied {
                    Decision::deny("no")
                } else {
                    Decision::Allow
                }
            })
        })
        .post_execute(move |call: &ToolExecution, _: &ToolResult| {
            after.policy.add(format!("post {}", call.call_id()));
            after.tick();
            let waits = after.act(call).policy;
            Box::pin(async move {
                pending_times(waits).await;
                PostDecision::accept()
            })
        })
        .on_result(move |_: &ToolExecution, result: &ToolResult| {
            told.add(result.call_id().as_str());
        })
        .build()
        .unwrap()
}

fn calls(acts: &[Act]) -> Vec<ToolCall> {
    let call = |(number, act): (usize, &Act)| {
        let arguments = if act.kind == Kind::InvalidArguments {
            "[]"
        } else {
            "{}"
        };
        ToolCall::new(number.to_string(), act.kind.name(), arguments)
    };
    acts.iter().enumerate().map(call).collect()
}

struct Ran {
    watch: Arc<Watch>,
    /// What came back before the end or the drop.
    results: Vec<ToolResult>,
}

fn run_batch(
    acts: &[Act],
    limit: usize,
    cancel_at: Option<usize>,
    drop_at: Option<usize>,
    streamed: bool,
) -> Ran {
    let watch = Arc::new(Watch {
        cancel_at,
        acts: Mutex::new(acts.to_vec()),
        ..Watch::default()
    });
    let runtime = runtime(&watch);
    let batch = runtime
        .batch(calls(acts))
        .max_parallel(limit)
        .cancel(&watch.token);
    let yielded = Mutex::new(Vec::new());
    let running = async {
        if streamed {
            let mut stream = std::pin::pin!(batch.stream());
            while let Some(result) = stream.next().await {
                yielded.lock().unwrap().push(result);
            }
        } else {
            *yielded.lock().unwrap() = batch.run().await;
        }
    };
    poll_by_hand(running, |number| Some(number) != drop_at);
    Ran {
        watch,
        results: yielded.into_inner().unwrap(),
    }
}

/// What must hold of any batch, however it ended.
fn check(ran: &Ran, limit: usize) {
    let Ran { watch, results } = ran;
    assert_eq!(watch.bodies.now(), 0, "a body is left");
    assert!(
        watch.bodies.most() <= limit,
        "{} bodies at once",
        watch.bodies.most()
    );
    assert_eq!(
        watch.overlaps.load(Ordering::Acquire),
        0,
        "an exclusive body was not alone"
    );
    let ids: Vec<_> = results
        .iter()
        .map(|result| number(result.call_id()))
        .collect();
    assert_eq!(
        ids,
        (0..results.len()).collect::<Vec<_>>(),
        "results in model order"
    );
    for station in ["pre ", "post "] {
        let lines = watch.policy.lines();
        let met: Vec<_> = lines
            .iter()
            .filter_map(|line| line.strip_prefix(station))
            .map(number)
            .collect();
        assert!(
            met.is_sorted_by(|a, b| a < b),
            "{station} in model order, once: {met:?}"
        );
        for call in met {
            assert_eq!(
                watch.told.count(&call.to_string()),
                1,
                "one notification for {call}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_batch_answers_every_call_in_order(
        acts in vec(act(), 0..12),
        limit in 1..5usize,
        streamed: bool,
    ) {
        let ran = run_batch(&acts, limit, None, None, streamed);
        check(&ran, limit);
        let codes: Vec<_> = ran.results.iter().map(code).collect();
        let expected: Vec<_> = acts.iter().map(|act| act.kind.code(act)).collect();
        prop_assert_eq!(codes, expected);
        let told: Vec<_> = ran.watch.told.lines().iter().map(|line| number(line)).collect();
        prop_assert_eq!(told, (0..acts.len()).collect::<Vec<_>>(), "told in model order");
    }

    #[test]
    fn a_cancelled_batch_answers_every_call_in_order(
        acts in vec(act(), 0..12),
        limit in 1..5usize,
        cancel_at in 0..60usize,
        streamed: bool,
    ) {
        let ran = run_batch(&acts, limit, Some(cancel_at), None, streamed);
        check(&ran, limit);
        prop_assert_eq!(ran.results.len(), acts.len());
        for (call, (result, act)) in ran.results.iter().zip(&acts).enumerate() {
            let told = ran.watch.told.count(&call.to_string());
            match code(result) {
                "ABORTED_BEFORE_DISPATCH" => prop_assert!(told <= 1),
                "ABORTED" => prop_assert_eq!((told, act.end), (1, End::Value)),
                other => {
                    prop_assert_eq!(told, 1);
                    prop_assert_eq!(other, act.kind.code(act));
                }
            }
        }
        // Nothing starts after the first call that met no station.
        let untold: Vec<_> =
            (0..acts.len()).map(|call| ran.watch.told.count(&call.to_string()) == 0).collect();
        prop_assert!(untold.is_sorted(), "a call started after the cancellation: {:?}", untold);
    }

    #[test]
    fn a_dropped_batch_leaves_nothing_running(
        acts in vec(act(), 0..12),
        limit in 1..5usize,
        cancel_at in proptest::option::of(0..60usize),
        drop_at in 1..30usize,
        streamed: bool,
    ) {
        let ran = run_batch(&acts, limit, cancel_at, Some(drop_at), streamed);
        check(&ran, limit);
        for call in 0..acts.len() {
            prop_assert!(ran.watch.told.count(&call.to_string()) <= 1);
        }
    }

    /// The mode a batch goes by is the one the runtime tells.
    #[test]
    fn the_mode_is_told(act in act()) {
        let watch = Arc::new(Watch::default());
        let call = calls(std::slice::from_ref(&act)).remove(0);
        let parallel = runtime(&watch).execution_mode(&call) == ExecutionMode::Parallel;
        prop_assert_eq!(parallel, act.kind.overlaps());
    }
}

/// Parallel calls do overlap, up to the limit and no further.
#[test]
fn parallel_calls_fill_the_limit() {
    let act = Act {
        kind: Kind::Parallel,
        policy: 0,
        body: 20,
        end: End::Value,
    };
    let ran = run_batch(&vec![act; 12], 4, None, None, false);
    check(&ran, 4);
    assert_eq!(ran.watch.bodies.most(), 4);
}
