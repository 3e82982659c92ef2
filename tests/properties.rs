//! Properties of the pipeline, over random pipelines: hooks of all kinds that decide, wait, fail
//! and panic; scopes; wrappers that retry and answer; cancellation and dropping at any point.

#[path = "properties/batches.rs"]
mod batches;
#[path = "properties/model.rs"]
mod model;
#[path = "properties/spec.rs"]
mod spec;
#[path = "properties/stage.rs"]
#[allow(dead_code, reason = "shared with the tests of Code Mode")]
mod stage;
mod support;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use proptest::prelude::*;
use serde_json::json;
use tool_core::ToolResult;

use spec::{Final, Guarding, Placed, Post, Pre, Spec};
use stage::{Probe, Stage, content, mark, shown};
use support::{PAYLOAD, code, data, poll_by_hand, run};

/// Runs one call of a spec, cancelled at a tick, or dropped before a poll.
fn execute(
    spec: &Spec,
    cancel_at: Option<usize>,
    drop_at: Option<usize>,
) -> (Arc<Probe>, Option<ToolResult>) {
    let probe = Probe::new(cancel_at);
    let stage = Stage::build(spec, &probe);
    let calling = stage.runtime.execute(stage.call("call_1"));
    let result = poll_by_hand(calling, |number| Some(number) != drop_at);
    (probe, result)
}

/// What must hold however a call ends.
fn check_always(spec: &Spec, probe: &Probe, result: Option<&ToolResult>) {
    // One notification, and it is about the result that came back.
    let told = probe.told.lock().unwrap().clone();
    assert_eq!(told.len(), 1, "one notification per call: {told:?}");
    if let Some(result) = result {
        assert_eq!(result.call_id(), "call_1");
        assert_eq!(told[0].code, code(result));
    } else {
        let started = probe.bodies.load(Ordering::Acquire) > 0;
        let dropped = if started {
            "ABORTED"
        } else {
            "ABORTED_BEFORE_DISPATCH"
        };
        assert_eq!(told[0].code, dropped);
    }
    // The same arguments for everybody.
    let seen = probe.seen.lock().unwrap().clone();
    let known: Vec<_> = seen
        .iter()
        .filter_map(|seen| seen.identity.as_ref())
        .collect();
    for one in &seen {
        assert_eq!(
            one.arguments, seen[0].arguments,
            "{} sees other arguments",
            one.station
        );
    }
    for (text, digest) in &known {
        assert_eq!(digest, &known[0].1, "one digest");
        assert!(text.is_empty() || text == &known[0].0, "one text");
    }
    // Nothing of what was replaced, blocked or dropped is left, and no panic's payload.
    let mut everything = told[0].shown.clone();
    if let Some(result) = result {
        everything.push_str(&shown(result));
    }
    assert!(
        !everything.contains(PAYLOAD),
        "a payload leaked: {everything}"
    );
    for gone in gone(spec, &seen, told[0].code != "ok") {
        assert!(!everything.contains(&gone), "{gone} leaked: {everything}");
    }
}

/// The marks of all values and contents that something later in the call has replaced.
fn gone(spec: &Spec, seen: &[stage::Seen], failed: bool) -> Vec<String> {
    let text = |value: serde_json::Value| value["mark"].as_str().unwrap().to_owned();
    let mut values: Vec<String> = (0..4).map(|n| text(mark("body", n))).collect();
    values.extend((0..spec.around.len()).map(|n| text(mark("around", n))));
    let mut gone = Vec::new();
    let mut contents: Vec<String> = Vec::new();
    let reviewed = seen.iter().filter(|seen| seen.station == "post");
    for (index, act) in reviewed.map(|seen| (seen.index, spec.post[seen.index].act)) {
        match act {
            Post::Accept => {}
            Post::Content => {
                gone.append(&mut contents);
                contents.push(content("post", index));
            }
            Post::Value => {
                gone.append(&mut contents);
                gone.append(&mut values);
                values.push(text(mark("post", index)));
            }
            Post::InvalidValue | Post::Fail | Post::Panic | Post::Block => {
                gone.append(&mut contents);
                gone.append(&mut values);
                if act == Post::Block {
                    contents.push(content("block", index));
                }
            }
        }
    }
    if seen.iter().any(|seen| seen.station == "finalizer") {
        match spec.finalizer {
            Final::Absent | Final::Keep => {}
            // Content only: the message of a block is still its feedback.
            Final::Replace => gone.extend(contents.into_iter().filter(|it| !it.contains("block"))),
            Final::Fail | Final::Panic => gone.append(&mut contents),
        }
    }
    // A failure has no value.
    if failed {
        gone.append(&mut values);
    }
    gone
}

fn forbids(spec: &Spec) -> bool {
    spec.pre
        .iter()
        .any(|hook| !matches!(hook.act, Pre::Allow | Pre::Ask))
        || spec.guards.iter().any(|hook| hook.act != Guarding::Abstain)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The pipeline agrees with a plainer one, and everything that always holds does.
    #[test]
    fn a_call_ends_as_the_model_says(spec in spec::spec()) {
        let (probe, result) = execute(&spec, None, None);
        let result = result.unwrap();
        check_always(&spec, &probe, Some(&result));
        let value = result.value().map(|value| value["mark"].as_str().unwrap().to_owned());
        let text = Some(result.text()).filter(|text| !text.starts_with("Error: "));
        let got = model::Expected {
            code: code(&result).to_owned(),
            bodies: probe.bodies.load(Ordering::Acquire),
            asked: probe.times("approver") == 1,
            reviews: probe.times("post"),
            value,
            text,
        };
        prop_assert_eq!(got, model::expected(&spec));
        prop_assert!(probe.times("approver") <= 1, "nobody is asked twice");
        prop_assert_eq!(probe.times("observer"), spec.observers.len());
    }

    /// A denial is final: whoever else says what, in whatever order, the body does not run.
    #[test]
    fn what_is_denied_does_not_run(
        spec in spec::spec(),
        cancel_at in proptest::option::of(0..20usize),
    ) {
        let (probe, result) = execute(&spec, cancel_at, None);
        let result = result.unwrap();
        if forbids(&spec) {
            prop_assert!(result.is_error());
            prop_assert_eq!(probe.bodies.load(Ordering::Acquire), 0);
            prop_assert_eq!(probe.times("around"), 0);
        }
        if spec.guards.iter().any(|hook| hook.act != Guarding::Abstain) {
            prop_assert_eq!(probe.times("approver"), 0, "asked about a forbidden call");
        }
    }

    /// A block is final: no hook after it is asked, and no success follows.
    #[test]
    fn what_is_blocked_stays_blocked(
        spec in spec::spec(),
        cancel_at in proptest::option::of(0..20usize),
    ) {
        let (probe, result) = execute(&spec, cancel_at, None);
        let result = result.unwrap();
        let seen = probe.seen.lock().unwrap();
        let reviews: Vec<_> =
            seen.iter().filter(|seen| seen.station == "post").map(|seen| seen.index).collect();
        if let Some(at) = reviews.iter().position(|&index| spec.post[index].act == Post::Block) {
            prop_assert_eq!(at, reviews.len() - 1);
            let last_word = match spec.finalizer {
                Final::Fail | Final::Panic => "HOOK_FAILED",
                Final::Absent | Final::Keep | Final::Replace => "BLOCKED",
            };
            prop_assert_eq!(code(&result), last_word);
        }
    }

    /// The body runs if and only if no guard denies, whatever the guards and their order.
    #[test]
    fn a_call_runs_if_and_only_if_no_guard_denies(
        acts in proptest::collection::vec((spec::guarding(), 0..3usize, 0..3usize), 0..8),
    ) {
        let guards: Vec<_> =
            acts.iter().map(|&(act, layer, wait)| Placed { layer, wait, act }).collect();
        let allowed = guards.iter().all(|hook| hook.act == Guarding::Abstain);
        let (probe, result) = execute(&only_guards(guards), None, None);
        prop_assert_eq!(!result.unwrap().is_error(), allowed);
        prop_assert_eq!(probe.bodies.load(Ordering::Acquire), usize::from(allowed));
    }

    /// The order of guards decides which reason is given, and nothing else.
    #[test]
    fn the_order_of_guards_decides_only_the_reason(
        (one, other) in shuffled(proptest::collection::vec(
            (prop_oneof![3 => Just(Guarding::Abstain), 1 => Just(Guarding::Deny)], 0..3usize, 0..3usize),
            0..8,
        )),
    ) {
        let outcome = |acts: &[(Guarding, usize, usize)]| {
            let guards = acts
                .iter()
                .map(|&(act, layer, wait)| Placed { layer, wait, act })
                .collect();
            let (probe, result) = execute(&only_guards(guards), None, None);
            let result = result.unwrap();
            let mut data = data(&result);
            data.as_object_mut().unwrap().remove("trail");
            if result.is_error() {
                // The reason, and the content that shows it.
                data["error"]["message"] = json!("");
                data["content"] = json!([]);
                assert!(result.text().starts_with("Error: guard "));
            }
            let stations = ["body", "renderer", "post", "finalizer", "recorder"];
            (data, stations.map(|station| probe.times(station)))
        };
        prop_assert_eq!(outcome(&one), outcome(&other));
    }

    /// Cancelled anywhere, a call has one result, one notification, and leaks nothing.
    #[test]
    fn a_cancelled_call_has_one_result(spec in spec::spec(), cancel_at in 0..40usize) {
        let (probe, result) = execute(&spec, Some(cancel_at), None);
        let result = result.unwrap();
        check_always(&spec, &probe, Some(&result));
        let started = probe.bodies.load(Ordering::Acquire) > 0;
        match code(&result) {
            "ABORTED" => prop_assert!(started),
            "ABORTED_BEFORE_DISPATCH" => prop_assert!(!started),
            // Too late, or never: as if it had not been cancelled.
            "ok" => prop_assert_eq!(&model::expected(&spec).code, "ok"),
            _ => {}
        }
    }

    /// Cancelled before it begins, a call meets no policy and no body.
    #[test]
    fn a_call_cancelled_before_it_begins_meets_no_policy(spec in spec::spec()) {
        let probe = Probe::new(Some(0));
        probe.tick();
        let stage = Stage::build(&spec, &probe);
        let result = run(stage.runtime.execute(stage.call("call_1")));
        let seen = probe.seen.lock().unwrap();
        let stations: Vec<_> = seen.iter().map(|seen| seen.station).collect();
        let mut met = vec!["finalizer"; usize::from(spec.finalizer != Final::Absent)];
        met.extend(vec!["observer"; spec.observers.len()]);
        met.push("recorder");
        prop_assert_eq!(stations, met);
        let broken = matches!(spec.finalizer, Final::Fail | Final::Panic);
        let aborted = if broken { "HOOK_FAILED" } else { "ABORTED_BEFORE_DISPATCH" };
        prop_assert_eq!(code(&result), aborted);
    }

    /// Dropped anywhere, a call gives one notification and leaks nothing.
    #[test]
    fn a_dropped_call_gives_one_notification(
        spec in spec::spec(),
        drop_at in 1..20usize,
        cancel_at in proptest::option::of(0..40usize),
    ) {
        let (probe, result) = execute(&spec, cancel_at, Some(drop_at));
        check_always(&spec, &probe, result.as_ref());
    }
}

/// The conclusion is a mark on the call: it counts whichever attempt made it, if the call succeeds.
#[test]
fn a_conclusion_counts_whichever_attempt_succeeds() {
    for (concluding, succeeds) in [(0, true), (1, true), (1, false)] {
        let attempts = std::sync::atomic::AtomicUsize::new(0);
        let body = support::tool("act", move |_, cx: tool_core::RunContext| {
            let attempt = attempts.fetch_add(1, Ordering::AcqRel);
            if attempt == concluding {
                cx.conclude_turn();
            }
            async move {
                if attempt == 0 && succeeds {
                    Ok(json!("done"))
                } else {
                    Err("no luck")
                }
            }
        });
        let runtime = tool_core::ToolRuntime::builder()
            .tool(body)
            .around_execute(tool_core::around_fn(|_, mut next: tool_core::Next<'_>| {
                Box::pin(async move {
                    let first = next.attempt().await;
                    let _second = next.attempt().await;
                    Ok(first)
                })
            }))
            .build()
            .unwrap();
        let result = run(runtime.execute(support::call("call_1", "act")));
        assert_eq!(!result.is_error(), succeeds);
        assert_eq!(result.concludes_turn(), succeeds);
    }
}

fn only_guards(guards: Vec<Placed<Guarding>>) -> Spec {
    Spec {
        scopes: 2,
        tool_layer: 1,
        pre: Vec::new(),
        guards,
        approver: None,
        around: Vec::new(),
        body: vec![(1, spec::Body::Value)],
        render: spec::Render::Works,
        post: vec![Placed {
            layer: 1,
            wait: 1,
            act: Post::Accept,
        }],
        finalizer: Final::Keep,
        observers: Vec::new(),
        arguments: spec::ARGUMENTS[0],
    }
}

/// The same items in two orders.
fn shuffled<T: Clone + std::fmt::Debug>(
    items: impl Strategy<Value = Vec<T>>,
) -> impl Strategy<Value = (Vec<T>, Vec<T>)> {
    items.prop_flat_map(|items| (Just(items.clone()), Just(items).prop_shuffle()))
}
