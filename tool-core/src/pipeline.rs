//! The pipeline: eight stations between a model's call and the model's result.
//!
//! | # | station | here |
//! |---|---|---|
//! | – | intake | [`InFlight::begin`] |
//! | 1, 2 | `pre_execute`, `guard` | [`InFlight::admit`] |
//! | 3 | `around_execute` | [`InFlight::dispatch`], [`Next`] |
//! | 4, 5 | body, output | [`InFlight::run_body`], [`InFlight::success`] |
//! | 6 | `post_execute` | [`InFlight::review`] |
//! | 7, 8 | `finalize_content`, `on_result` | [`InFlight::finish`] |
//!
//! A call is in one [`Stage`] at a time. A station that ends it names the next stage: `Review`
//! still passes station 6, `Final` goes to station 7. Stations 7 and 8 are never skipped.

use std::any::TypeId;
use std::borrow::Cow;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, Span};

use crate::approval::{Approval, ApprovalRequest};
use crate::call::{Asking, ToolCall};
use crate::cancellation::Cancellation;
use crate::contain::{Contained, Panicked, Sheltered, contain, drop_contained};
use crate::content::{Content, ContentBlock, joined_text};
use crate::definition::{BodyOutcome, CallArguments, CheckValue, Definition, OnCancel};
use crate::drive::{Stopped, drive, within};
use crate::error::{ToolError, code};
use crate::execution::{BoxedArguments, RunContext, ToolExecution};
use crate::future::MaybeFuture;
use crate::hook::{Decision, PostAction, PostOutcome, Verdict};
use crate::intake::{self, Reading, Refusal};
use crate::lookup;
use crate::observe::{self, Opened};
use crate::registry::{AroundObject, Hook, Layer, View};
use crate::result::{Outcome, ToolResult};
use crate::runtime::Shared;
use crate::trail::{Recorder, Said, Station};
use crate::value::{ErasedValue, Stored};
use crate::wire::bound_content;

/// Where a call goes next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stage {
    /// Stations 1 and 2.
    Admit,
    /// Stations 3 to 5.
    Dispatch,
    /// Station 6, with the result so far.
    Review,
    /// Station 7, with the result so far.
    Final,
}

/// Runs one call through all stations.
pub(crate) async fn execute(shared: &Arc<Shared>, call: ToolCall) -> ToolResult {
    let view = shared.view(call.scope.as_ref());
    let (mut call, mut stage) = InFlight::begin(shared, call, view, None);
    let span = call.span.clone();
    if let Stage::Admit = stage {
        stage = in_span(&span, pin!(call.admit())).await;
    }
    if let Stage::Dispatch = stage {
        stage = in_span(&span, pin!(call.dispatch())).await;
    }
    *in_span(&span, pin!(call.settle(stage))).await
}

/// As `Instrument::instrument`, of a future that stays where it is: these are large, and each move
/// is a copy.
fn in_span<'a, F: Future>(
    span: &'a Span,
    mut future: Pin<&'a mut F>,
) -> impl Future<Output = F::Output> + use<'a, F> {
    poll_fn(move |cx| {
        let _entered = span.enter();
        future.as_mut().poll(cx)
    })
}

/// How a call ended before its time. Boxed: that is rare, and the way of all others stays narrow.
type Ended = Box<(Stage, ToolResult)>;

/// A call between its intake and its result. Dropped in between, its observers are told that it was aborted.
pub(crate) struct InFlight {
    execution: Arc<ToolExecution>,
    view: Arc<View>,
    /// The handle that typed hooks of this call are bound to.
    bound: Option<TypeId>,
    /// The epoch at which the definition was looked up.
    resolved_at: u64,
    /// All stations run in it.
    pub(crate) span: Span,
    settled: bool,
    /// The result so far, from the body on. It stays here from station to station, and in one place
    /// from when it is made: as a value it would be copied into and out of every future on its way.
    result: Option<Box<ToolResult>>,
}

impl InFlight {
    /// Intake: the tool is looked up, arguments are read, repaired, checked and frozen; or were, in
    /// this view, when a batch looked at the call.
    pub(crate) fn begin(
        shared: &Arc<Shared>,
        mut call: ToolCall,
        view: Arc<View>,
        reading: Option<Reading>,
    ) -> (Self, Stage) {
        let outer = call.outer_span.take();
        let (execution, refusal) = intake::take(shared, &view, call, reading);
        let span = observe::call_span(&execution, outer.as_deref());
        execution.running.begin(&span);
        let resolved_at = view.epoch;
        let handle = |definition: &Arc<Definition>| definition.settings.handle;
        let mut call = Self {
            bound: execution
                .definition
                .as_ref()
                .and_then(handle)
                .map(|handle| handle.id),
            execution,
            view,
            resolved_at,
            span,
            settled: false,
            result: None,
        };
        let stage = if call.execution.cancellation.is_cancelled() {
            call.end((Stage::Final, call.aborted()))
        } else {
            match refusal {
                None => Stage::Admit,
                Some(Refusal::Refused(error)) => {
                    call.end((Stage::Review, ToolResult::failure(error)))
                }
                Some(Refusal::Collapsed(error)) => {
                    call.end((Stage::Final, ToolResult::failure(error)))
                }
            }
        };
        (call, stage)
    }

    /// Ends what comes before a stage with this result.
    fn end(&mut self, (stage, result): (Stage, ToolResult)) -> Stage {
        self.put(Box::new(result));
        stage
    }

    /// What the body came to, or what came in its place.
    fn result(&self) -> &ToolResult {
        self.result
            .as_deref()
            .expect("stations after the body have a result")
    }

    fn result_mut(&mut self) -> &mut ToolResult {
        self.result
            .as_deref_mut()
            .expect("stations after the body have a result")
    }

    /// Stations 1 and 2, and between them the approver if a hook asks.
    pub(crate) async fn admit(&mut self) -> Stage {
        let ask = match self.pre_execute().await {
            Ok(ask) => ask,
            Err(ended) => return self.end(*ended),
        };
        // Nobody is asked to approve what a guard forbids.
        if let Err(ended) = self.guards().await {
            return self.end(*ended);
        }
        if let Some(reason) = ask {
            if let Err(result) = self.approval(reason).await {
                return self.end((Stage::Review, result));
            }
            // No grant lifts a denial: guards may have changed while the question was open.
            if let Err(ended) = self.guards().await {
                return self.end(*ended);
            }
        }
        if self.execution.cancellation.is_cancelled() {
            return self.end((Stage::Review, self.aborted()));
        }
        Stage::Dispatch
    }

    /// Station 1. Deny beats ask beats allow: the first denial ends the chain; the first question is kept.
    async fn pre_execute(&mut self) -> Result<Option<Option<String>>, Ended> {
        self.refresh();
        let mut ask = None;
        for layer in self.view.layers() {
            for hook in layer.pre.for_tool(self.bound) {
                let opened = self.open(Station::PreExecute, hook);
                let decided = self
                    .ask_hook(hook, &opened, |h| h.run.start(&self.execution))
                    .await;
                match decided {
                    Ok(Decision::Allow) => self.close(opened, Said::Allowed, None),
                    Ok(Decision::Ask(reason)) => {
                        self.close(opened, Said::Asked, reason.clone());
                        ask.get_or_insert(reason);
                    }
                    Ok(Decision::Deny(reason)) => {
                        self.close(opened, Said::Denied, Some(reason.clone()));
                        return Err(Box::new((Stage::Review, denied(reason))));
                    }
                    Err(error) => return Err(self.broken(opened, error)),
                }
            }
        }
        Ok(ask)
    }

    /// Station 2. Any reason ends the call.
    async fn guards(&mut self) -> Result<(), Ended> {
        self.refresh();
        for layer in self.view.layers() {
            for hook in layer.guards.for_tool(self.bound) {
                let opened = self.open(Station::Guard, hook);
                match self
                    .ask_hook(hook, &opened, |h| h.run.start(&self.execution))
                    .await
                {
                    Ok(Verdict::Abstain) => self.close(opened, Said::Abstained, None),
                    Ok(Verdict::Deny(reason)) => {
                        self.close(opened, Said::Denied, Some(reason.clone()));
                        return Err(Box::new((Stage::Review, denied(reason))));
                    }
                    Err(error) => return Err(self.broken(opened, error)),
                }
            }
        }
        Ok(())
    }

    /// Asks the nearest approver. Only a grant that arrives before any cancellation lets the call run.
    async fn approval(&mut self, reason: Option<String>) -> Result<(), ToolResult> {
        self.refresh();
        let execution = &*self.execution;
        let tool = &execution.name;
        let opened = Opened::approval(self.recorder());
        let Some(approver) = self.view.approver().cloned() else {
            self.close(opened, Said::Unavailable, None);
            return Err(denied(reason.unwrap_or_else(|| {
                format!("tool \"{tool}\" requires approval, and there is nobody to give it")
            })));
        };
        if execution.cancellation.is_cancelled() {
            self.close(opened, Said::Cancelled, None);
            return Err(self.aborted());
        }
        let ask = ApprovalRequest {
            call_id: execution.call_id.clone(),
            tool: tool.to_string(),
            arguments: execution.arguments().clone(),
            digest: execution.digest(),
            reason,
            cancellation: execution.cancellation.clone(),
        };
        // Held while the question is open, such as a clock that stands still.
        let held = execution.asking.as_ref().map(Asking::begin);
        let span = &opened.span;
        let asking = span
            .in_scope(|| contain(|| approver.request(ask)))
            .map(|asking| Contained::new(asking).instrument(span.clone()));
        let answer = match asking {
            Ok(asking) => execution.cancellation.run_until_cancelled(asking).await,
            Err(panicked) => Some(Err(panicked)),
        };
        drop_contained(held);
        // An answer given at the moment of cancellation does not count.
        let Some(answer) = answer.filter(|_| !execution.cancellation.is_cancelled()) else {
            self.close(opened, Said::Cancelled, None);
            return Err(self.aborted());
        };
        let (said, code, message) = match answer {
            Ok(Approval::AllowedOnce) => {
                self.close(opened, Said::Granted, None);
                return Ok(());
            }
            Ok(Approval::Rejected) => (
                Said::Rejected,
                code::APPROVAL_REJECTED,
                format!("approval for tool \"{tool}\" was rejected"),
            ),
            Ok(Approval::Cancelled) => (
                Said::Cancelled,
                code::APPROVAL_CANCELLED,
                format!("approval for tool \"{tool}\" was cancelled"),
            ),
            Ok(Approval::Unavailable) | Err(Panicked) => (
                Said::Unavailable,
                code::APPROVAL_UNAVAILABLE,
                format!("tool \"{tool}\" requires approval, but the approver is unavailable"),
            ),
        };
        self.close(opened, said, None);
        Err(ToolResult::failure(ToolError::coded(code, message)))
    }

    /// Stations 3 to 5: the wrappers, and inside them body and output.
    pub(crate) async fn dispatch(&mut self) -> Stage {
        self.refresh();
        // Nobody else holds the execution before the body does, so the decoded arguments can move.
        let mut early = Arc::get_mut(&mut self.execution)
            .and_then(|execution| execution.arguments.early.take());
        let wrappers = self.view.layers().iter();
        let wrappers: usize = wrappers
            .map(|layer| layer.around.for_tool(self.bound).len())
            .sum();
        let wrappers = u32::try_from(wrappers).unwrap_or(u32::MAX / 2);
        self.execution.wrappers.store(wrappers, Ordering::Relaxed);
        let outcome = Next {
            call: self,
            wrappers: Wrappers {
                layers: self.view.layers(),
                at: 0,
            },
            early: &mut early,
            cancellation: self.execution.cancellation.clone(),
        }
        .step()
        .await;
        let returned = match outcome {
            Ok(result) => self.normalised(result),
            Err(broken) => Err(broken),
        };
        match returned {
            Ok(mut result) => {
                let mut contexts = std::mem::take(
                    &mut *self
                        .execution
                        .deferred
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner),
                );
                contexts.append(&mut result.contexts);
                result.contexts = contexts;
                // A mark on the execution: whichever attempt made it, and whichever succeeded.
                result.concludes_turn =
                    !result.is_error() && self.execution.concluded.load(Ordering::Acquire);
                self.put(result);
                self.unless_cancelled();
                Stage::Review
            }
            Err(error) => self.end((Stage::Final, ToolResult::failure(error))),
        }
    }

    /// What wrappers returned, as this call's own result: a success that this pipeline has not
    /// validated and rendered for this call is, now; a failure keeps what it says.
    fn normalised(&self, result: Box<ToolResult>) -> Result<Box<ToolResult>, ToolError> {
        if result.canonical == Some(self.execution.token) {
            return Ok(result);
        }
        let ToolResult {
            outcome,
            content,
            meta,
            contexts,
            ..
        } = *result;
        let mut result = match outcome {
            Outcome::Success(stored) => {
                let definition = self.current_definition()?;
                self.success(definition, stored, Maker::Policy)?
            }
            failure @ Outcome::Failure(_) => Box::new(ToolResult {
                meta,
                ..ToolResult::of(failure, content)
            }),
        };
        result.contexts = contexts;
        Ok(result)
    }

    /// Station 4: the body, and what comes of it. `Err` never leaves here: a body's failure is a result.
    async fn run_body(
        &self,
        early: &mut Option<Sheltered<BoxedArguments>>,
        cancellation: Cancellation,
    ) -> Box<ToolResult> {
        if cancellation.is_cancelled() {
            return Box::new(self.aborted());
        }
        let definition = match self.current_definition() {
            Ok(definition) => definition,
            Err(error) => return Box::new(ToolResult::failure(error)),
        };
        let settings = &definition.settings;
        let opened = self.open_named(Station::Body, definition.name());
        self.execution.started.store(true, Ordering::Release);
        let expiry = settings
            .timeout
            .map(|limit| (limit, CancellationToken::new()));
        let cancellation = match &expiry {
            Some((_, token)) => cancellation.fused_with(token.clone()),
            None => cancellation,
        };
        let cx = RunContext::new(self.execution.clone(), cancellation.clone());
        let early = early.take().map(Sheltered::into_inner);
        let ended = match contain(|| definition.run(early, &cx)) {
            Ok(running) => {
                let dropping = settings.on_cancel == OnCancel::Drop;
                let grace = self.execution.shared.settings.grace;
                let wait = dropping.then_some(&cancellation);
                drive(Contained::new(running), expiry.as_ref(), grace, wait).await
            }
            Err(panicked) => Ok(Err(panicked)),
        };
        drop_contained(cx);
        let expired = expiry.filter(|(_, token)| token.is_cancelled());
        let result = self.body_result(definition, ended, expired.map(|(limit, _)| limit), opened);
        if !result.is_error() && cancellation.is_cancelled() {
            drop_contained(result);
            return Box::new(self.aborted());
        }
        result
    }

    fn body_result(
        &self,
        definition: &Definition,
        ended: Result<Result<BodyOutcome, Panicked>, Stopped>,
        expired: Option<Duration>,
        opened: Opened,
    ) -> Box<ToolResult> {
        let tool = definition.name();
        let timed_out = |limit: Duration| {
            ToolError::coded(
                code::TOOL_TIMEOUT,
                format!("tool \"{tool}\" timed out after {limit:?}; it may have taken effect"),
            )
        };
        let error = match (ended, expired) {
            (Err(Stopped::Cancelled), _) => {
                self.close(opened, Said::Aborted, None);
                return Box::new(self.aborted());
            }
            (Err(Stopped::Expired(limit)), _) => timed_out(limit),
            (Ok(Ok(Ok(late))), Some(limit)) => {
                drop_contained(late);
                timed_out(limit)
            }
            (Ok(Err(Panicked)), _) => {
                ToolError::coded(code::TOOL_PANICKED, format!("tool \"{tool}\" panicked"))
            }
            (Ok(Ok(Err(error))), _) => error.or_code(code::TOOL_FAILED),
            (Ok(Ok(Ok(value))), None) => {
                self.close(opened, Said::Succeeded, None);
                return self
                    .success(definition, Stored::typed(value), Maker::Body)
                    .unwrap_or_else(|error| Box::new(ToolResult::failure(error)));
            }
        };
        self.close(opened, Said::Failed, Some(error.code().to_owned()));
        Box::new(ToolResult::failure(error))
    }

    /// Station 5: the value checked against the output schema, rendered, and projected.
    fn success(
        &self,
        definition: &Definition,
        stored: Stored,
        maker: Maker,
    ) -> Result<Box<ToolResult>, ToolError> {
        let opened = self.open_named(Station::Output, definition.name());
        let made = self.checked(definition, stored, maker);
        match &made {
            Ok(_) => self.close(opened, Said::Succeeded, None),
            Err(error) => self.close(opened, Said::Failed, Some(error.code().to_owned())),
        }
        made
    }

    fn checked(
        &self,
        definition: &Definition,
        stored: Stored,
        maker: Maker,
    ) -> Result<Box<ToolResult>, ToolError> {
        let invalid = |what: String| {
            let tool = definition.name();
            ToolError::coded(
                code::INVALID_TOOL_OUTPUT,
                format!("tool \"{tool}\" returned invalid output: {what}"),
            )
        };
        // Whoever made it: a value of the tool's own type is what its type says.
        let check = match maker {
            Maker::Policy if !definition.is_own_output(&stored) => CheckValue::Schema,
            Maker::Policy | Maker::Body => definition.check_value,
        };
        let settings = &definition.settings;
        // Then one pass over the value does both.
        let renders_what_it_checks = check == CheckValue::Finite && settings.render.is_none();
        if !renders_what_it_checks {
            contain(|| check_value(definition, &stored, check))
                .unwrap_or_else(|Panicked| Err("its `Serialize` panicked".to_owned()))
                .map_err(&invalid)?;
        }
        let arguments = CallArguments {
            frozen: &self.execution.arguments,
            definition,
        };
        let content = match &settings.render {
            Some(render) => contain(|| render(arguments, &stored))
                .unwrap_or_else(|Panicked| Err("it panicked".into()))
                .map(Content::from)
                .map_err(|error| format!("render failed: {error}")),
            None => contain(|| match renders_what_it_checks {
                true => stored.render_finite(),
                false => stored.render(),
            })
            .unwrap_or_else(|Panicked| Err("its `Serialize` panicked".to_owned())),
        }
        .map_err(&invalid)?;
        let project = settings
            .project
            .as_ref()
            .filter(|_| self.execution.parent.is_none());
        let meta = project
            .map(|project| {
                contain(|| project(arguments, &stored))
                    .unwrap_or_else(|Panicked| Err("it panicked".into()))
                    .map_err(|error| invalid(format!("presentation_meta failed: {error}")))
            })
            .transpose()?;
        let mut result = Box::new(ToolResult::of(Outcome::Success(stored), content));
        result.meta = meta.map(Box::new);
        result.concludes_turn = self.execution.concluded.load(Ordering::Acquire);
        result.canonical = Some(self.execution.token);
        Ok(result)
    }

    /// Stations 6 to 8.
    pub(crate) async fn settle(&mut self, stage: Stage) -> Box<ToolResult> {
        match stage {
            Stage::Review => self.review().await,
            Stage::Final => {}
            Stage::Admit | Stage::Dispatch => unreachable!("a call settles after its stations"),
        }
        self.finish()
    }

    /// Station 6: each hook sees the result so far; a block is final.
    async fn review(&mut self) {
        self.refresh();
        let mut layers = self.view.layers().iter();
        if layers.all(|layer| layer.post.for_tool(self.bound).is_empty()) {
            return self.unless_cancelled();
        }
        let view = self.view.clone();
        'hooks: for layer in view.layers() {
            for hook in layer.post.for_tool(self.bound) {
                let opened = self.open(Station::PostExecute, hook);
                let reviewed = self
                    .ask_hook(hook, &opened, |h| {
                        h.run.start(&self.execution, self.result())
                    })
                    .await;
                match reviewed.and_then(|outcome| self.apply(outcome, hook.name)) {
                    Ok(said) => {
                        self.close(opened, said, None);
                        if said == Said::Blocked {
                            break 'hooks;
                        }
                    }
                    Err(error) => {
                        self.close(opened, Said::Failed, Some(error.code().to_owned()));
                        self.put(Box::new(ToolResult::failure(error)));
                        return;
                    }
                }
            }
        }
        self.unless_cancelled();
    }

    fn apply(&mut self, outcome: PostOutcome, hook: &str) -> Result<Said, ToolError> {
        let PostOutcome { action, contexts } = outcome;
        let contexts = contexts.into_iter().map(|context| context.sourced(hook));
        let said = match action {
            PostAction::Accept => Said::Accepted,
            PostAction::Content(blocks) => {
                let result = self.result_mut();
                result.content = blocks.into();
                result.content_replaced = true;
                Said::ReplacedContent
            }
            PostAction::Value(stored) => {
                if self.result().is_error() {
                    return Err(ToolError::coded(
                        code::HOOK_FAILED,
                        "a post-execute hook cannot replace the value of a failed call",
                    ));
                }
                let definition = self.current_definition()?;
                let mut replaced = self.success(definition, stored, Maker::Policy)?;
                replaced.contexts = std::mem::take(&mut self.result_mut().contexts);
                self.put(replaced);
                Said::ReplacedValue
            }
            PostAction::Block(feedback) => {
                self.put(Box::new(blocked(feedback)));
                Said::Blocked
            }
        };
        self.result_mut().contexts.extend(contexts);
        Ok(said)
    }

    /// Stations 7 and 8: the definition's own last word on the content, then the observers.
    fn finish(&mut self) -> Box<ToolResult> {
        if let Some(definition) = &self.execution.definition
            && let Some(finalize) = &definition.settings.finalize
        {
            let opened = self.open_named(Station::FinalizeContent, definition.name());
            let finalized =
                contain(|| finalize(&self.execution, self.result())).unwrap_or_else(|Panicked| {
                    Err(ToolError::new(format!(
                        "the finalizer of tool \"{}\" panicked",
                        definition.name()
                    )))
                });
            match finalized {
                Ok(None) => self.close(opened, Said::Kept, None),
                Ok(Some(blocks)) => {
                    self.close(opened, Said::ReplacedContent, None);
                    let result = self.result_mut();
                    result.content = blocks.into();
                    result.content_replaced = true;
                }
                Err(error) => {
                    let error = error.or_code(code::HOOK_FAILED);
                    self.close(opened, Said::Failed, Some(error.code().to_owned()));
                    self.put(Box::new(ToolResult::failure(error)));
                }
            }
        }
        self.limit_content();
        self.notify();
        self.result.take().expect("it was there for all stations")
    }

    /// Cuts content that is longer than its limit. After the last station that can make content,
    /// whatever it is, and before the first that only looks: observers see what the model sees.
    /// The value stays whole.
    fn limit_content(&mut self) {
        let definition = self.execution.definition.as_deref();
        let settings = &self.execution.shared.settings;
        let Some(limit) = settings.max_content_bytes_of(definition) else {
            return;
        };
        if let Cow::Owned(bounded) = bound_content(self.result().content.blocks(), limit) {
            let opened = self.open_named(Station::FinalizeContent, "max_content_bytes");
            let result = self.result_mut();
            result.content = bounded.into();
            result.content_replaced = true;
            self.close(
                opened,
                Said::ReplacedContent,
                Some(format!("limit of {limit} bytes")),
            );
        }
    }

    /// Station 8. Whatever an observer does, the result stays.
    fn notify(&mut self) {
        self.settled = true;
        self.refresh();
        self.record_trail();
        observe::record_outcome(&self.span, &self.execution, self.result());
        for layer in self.view.layers() {
            for hook in layer.observers.for_tool(self.bound) {
                let opened = self.open(Station::OnResult, hook);
                let observe = || contain(|| hook.run.observe(&self.execution, self.result()));
                let observed = opened
                    .span
                    .in_scope(observe)
                    .unwrap_or_else(|Panicked| Err("it panicked".into()));
                match observed {
                    Ok(()) => self.close(opened, Said::Observed, None),
                    Err(error) => {
                        self.close(opened, Said::Failed, None);
                        tracing::warn!(
                            observer = hook.name,
                            tool = self.execution.name.as_str(),
                            call_id = self.execution.call_id.as_str(),
                            %error,
                            "an observer of results failed"
                        );
                    }
                }
            }
        }
        self.record_trail();
        if !self.span.is_disabled() {
            self.execution.running.end();
        }
    }

    fn record_trail(&mut self) {
        if let Some(recorder) = self.recorder() {
            self.result_mut().trail = Some(Arc::new(recorder.trail()));
        }
    }

    // What the stations share.

    /// Takes up what was registered and disposed since the last station.
    fn refresh(&mut self) {
        let shared = &self.execution.shared;
        if shared.epoch.now() != self.view.epoch {
            self.view = shared.view(self.execution.scope.as_ref());
        }
    }

    /// The definition this call runs: the one of its intake, as long as it is still the one that is
    /// visible. A body that has started keeps it whatever happens.
    fn current_definition(&self) -> Result<&Definition, ToolError> {
        let execution = &*self.execution;
        let known = execution.definition.as_ref().filter(|definition| {
            execution.has_started() || execution.shared.epoch.now() == self.resolved_at || {
                let view = execution.shared.view(execution.scope.as_ref());
                lookup::look_up_again(&execution.shared, &view, execution)
                    .is_some_and(|found| Arc::ptr_eq(found, definition))
            }
        });
        let known = known.map(|definition| &**definition);
        known.ok_or_else(|| lookup::gone(execution))
    }

    /// Runs one hook: panics contained, time limited, failures coded.
    async fn ask_hook<'a, H: ?Sized, T>(
        &'a self,
        hook: &'a Hook<H>,
        opened: &Opened,
        start: impl FnOnce(&'a Hook<H>) -> MaybeFuture<'a, Result<T, ToolError>>,
    ) -> Result<T, ToolError> {
        let span = &opened.span;
        let asked = match span.in_scope(|| contain(|| start(hook))) {
            Ok(MaybeFuture::Ready(Some(answer))) => return answer.map_err(coded_hook_failure),
            Ok(waiting) => {
                let limit = self.execution.shared.settings.hook_timeout;
                within(limit, Contained::new(waiting))
                    .instrument(span.clone())
                    .await
            }
            Err(panicked) => Ok(Err(panicked)),
        };
        match asked {
            Ok(Ok(answer)) => answer.map_err(coded_hook_failure),
            Ok(Err(Panicked)) => Err(ToolError::coded(
                code::HOOK_FAILED,
                format!("hook `{}` panicked", hook.name),
            )),
            Err(limit) => Err(ToolError::coded(
                code::HOOK_FAILED,
                format!("hook `{}` did not answer within {limit:?}", hook.name),
            )),
        }
    }

    /// A broken pre hook or guard ends the call without station 6.
    fn broken(&self, opened: Opened, error: ToolError) -> Ended {
        self.close(opened, Said::Failed, Some(error.code().to_owned()));
        Box::new((Stage::Final, ToolResult::failure(error)))
    }

    /// A success that the caller has cancelled is none.
    fn unless_cancelled(&mut self) {
        if self.result().is_error() || !self.execution.cancellation.is_cancelled() {
            return;
        }
        let mut aborted = self.aborted();
        aborted.contexts = std::mem::take(&mut self.result_mut().contexts);
        self.put(Box::new(aborted));
    }

    /// Puts a result in the place of the one so far, which hooks and bodies made: its `Drop` may panic.
    fn put(&mut self, mut result: Box<ToolResult>) {
        result.call_id.clone_from(&self.execution.call_id);
        drop_contained(self.result.replace(result));
    }

    fn aborted(&self) -> ToolResult {
        aborted(self.execution.has_started())
    }

    fn open<H: ?Sized>(&self, station: Station, hook: &Hook<H>) -> Opened {
        Opened::hook(self.recorder(), station, hook.name, hook.scope.as_deref())
    }

    fn open_named(&self, station: Station, name: &str) -> Opened {
        Opened::own(self.recorder(), station, name)
    }

    fn close(&self, opened: Opened, said: Said, reason: Option<String>) {
        opened.close(self.recorder(), said, reason);
    }

    fn recorder(&self) -> Option<&Recorder> {
        self.execution.recorder.as_ref()
    }
}

/// One result per call, also for a call whose future is dropped.
impl Drop for InFlight {
    fn drop(&mut self) {
        if !self.settled {
            let span = self.span.clone();
            let _entered = span.enter();
            self.put(Box::new(self.aborted()));
            self.notify();
        }
    }
}

/// Who made a success value: the body, whose type may vouch for it, or a wrapper or post hook.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Maker {
    Body,
    Policy,
}

fn check_value(definition: &Definition, stored: &Stored, check: CheckValue) -> Result<(), String> {
    match check {
        CheckValue::Types => Ok(()),
        CheckValue::Finite => stored.erased().map_or(Ok(()), ErasedValue::check_finite),
        CheckValue::Schema => {
            if let Some(value) = stored.erased() {
                value.check_finite()?;
            }
            definition
                .compiled_output
                .check(stored.to_json())
                .map_err(|error| error.to_string())
        }
    }
}

/// What a cancelled call comes to: it matters only whether its body has started.
pub(crate) fn aborted(started: bool) -> ToolResult {
    ToolResult::failure(if started {
        ToolError::coded(code::ABORTED, "tool call aborted")
    } else {
        ToolError::coded(
            code::ABORTED_BEFORE_DISPATCH,
            "tool call aborted before dispatch",
        )
    })
}

fn denied(reason: String) -> ToolResult {
    ToolResult::failure(ToolError::coded(code::DENIED, reason))
}

fn blocked(feedback: Vec<ContentBlock>) -> ToolResult {
    let text = joined_text(&feedback);
    let message = if text.is_empty() {
        "the result was blocked by policy".to_owned()
    } else {
        text
    };
    let error = ToolError::coded(code::BLOCKED, message);
    ToolResult::of(Outcome::Failure(error), feedback.into())
}

fn coded_hook_failure(error: ToolError) -> ToolError {
    error.or_code(code::HOOK_FAILED)
}

/// The rest of the call, as a wrapper sees it: the wrappers inside it, body and output.
///
/// [`run`](Self::run) runs it once; [`attempt`](Self::attempt) may be called again. Never both at
/// the same time: one call has one body running.
#[must_use = "a wrapper that never runs `next` answers in the body's place"]
pub struct Next<'a> {
    call: &'a InFlight,
    wrappers: Wrappers<'a>,
    early: &'a mut Option<Sheltered<BoxedArguments>>,
    cancellation: Cancellation,
}

/// The wrappers that are still to come, found one by one: no list is made of them.
#[derive(Clone, Copy)]
struct Wrappers<'a> {
    layers: &'a [Arc<Layer>],
    /// How many wrappers of the first layer are behind.
    at: usize,
}

impl<'a> Wrappers<'a> {
    /// The next one for the tool of this handle, and those inside it.
    fn outermost(mut self, tool: Option<TypeId>) -> Option<(&'a Hook<dyn AroundObject>, Self)> {
        loop {
            let (layer, below) = self.layers.split_first()?;
            if let Some(hook) = layer.around.for_tool(tool).get(self.at) {
                self.at += 1;
                return Some((hook, self));
            }
            (self.layers, self.at) = (below, 0);
        }
    }
}

impl Next<'_> {
    /// Runs the rest of the call, once.
    pub async fn run(mut self) -> ToolResult {
        self.attempt().await
    }

    /// Runs the rest of the call; may be called again, for a retry. A timeout counts per attempt.
    pub async fn attempt(&mut self) -> ToolResult {
        match self.step().await {
            Ok(mut result) => {
                result.call_id.clone_from(&self.call.execution.call_id);
                *result
            }
            Err(error) => ToolResult::failure(error).broken(),
        }
    }

    /// Puts a cancel signal of one's own in the place of an outer wrapper's, for what is inside.
    /// The caller's signal stays in force: no wrapper can detach the caller.
    ///
    /// To keep an outer wrapper's signal too, make the token fire with [`cancellation`](Self::cancellation).
    pub fn cancel(mut self, token: CancellationToken) -> Self {
        self.cancellation = self.call.execution.cancellation.fused_with(token);
        self
    }

    /// The signal for what is inside.
    pub fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    /// One step inward. `Err`: a wrapper broke, and nobody outside it has answered in its place.
    async fn step(&mut self) -> Result<Box<ToolResult>, ToolError> {
        let call = self.call;
        let Some((hook, inner)) = self.wrappers.outermost(call.bound) else {
            return Ok(call.run_body(self.early, self.cancellation.clone()).await);
        };
        let opened = call.open(Station::AroundExecute, hook);
        let next = Next {
            call,
            wrappers: inner,
            early: &mut *self.early,
            cancellation: self.cancellation.clone(),
        };
        let span = &opened.span;
        let wrapped = match span.in_scope(|| contain(|| hook.run.start(&call.execution, next))) {
            Ok(running) => Contained::new(running).instrument(span.clone()).await,
            Err(panicked) => Err(panicked),
        }
        .unwrap_or_else(|Panicked| {
            Err(ToolError::coded(
                code::HOOK_FAILED,
                format!("hook `{}` panicked", hook.name),
            ))
        })
        .map_err(coded_hook_failure)
        .and_then(ToolResult::unbroken)
        .map(Box::new);
        match &wrapped {
            Ok(result) => match result.error() {
                None => call.close(opened, Said::Succeeded, None),
                Some(error) => call.close(opened, Said::Failed, Some(error.code().to_owned())),
            },
            Err(error) => call.close(opened, Said::Failed, Some(error.code().to_owned())),
        }
        wrapped
    }
}

impl std::fmt::Debug for Next<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Next")
            .field("call", &self.call.execution)
            .finish_non_exhaustive()
    }
}
