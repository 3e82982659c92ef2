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
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::approval::{Approval, ApprovalRequest};
use crate::call::{Asking, ToolCall};
use crate::cancellation::Cancellation;
use crate::contain::{Contained, Panicked, Sheltered, contain, drop_contained};
use crate::content::{Content, ContentBlock, joined_text};
use crate::definition::{BodyOutcome, CallArguments, CheckValue, Definition, OnCancel};
use crate::digest;
use crate::drive::{Drive, Stopped, within};
use crate::error::{ToolError, code};
use crate::execution::{BoxedArguments, RunContext};
use crate::future::{BoxFuture, MaybeFuture};
use crate::hook::{Decision, PostAction, PostOutcome, Verdict};
use crate::intake::{self, Reading, Refusal};
use crate::lookup;
use crate::observe::{self, MaybeSpan, Opened};
use crate::registry::{AroundObject, Hook, Layer, View};
use crate::result::{Outcome, Parts, ToolResult};
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
    let view = shared.view(call.request().scope.as_ref());
    let (mut call, stage) = InFlight::begin(shared, call, view, None);
    let span = call.span.clone();
    span.around_pinned(pin!(call.run(stage))).await
}

/// How a call ended before its time.
type Early = (Stage, ToolResult);

/// How a body ended.
struct Ended {
    outcome: Result<Result<BodyOutcome, Panicked>, Stopped>,
    /// The time limit, if it has passed.
    expired: Option<Duration>,
    /// Whether a signal that was in force has fired.
    cancelled: bool,
}

/// A call between its intake and its result. Dropped in between, its observers are told that it was aborted.
pub(crate) struct InFlight {
    /// The execution, as a body sees it that nothing is added for.
    cx: RunContext,
    view: Arc<View>,
    /// The epoch at which the definition was looked up.
    resolved_at: u64,
    /// All stations run in it.
    pub(crate) span: MaybeSpan,
    settled: bool,
    /// The result so far, from the body on.
    result: Option<ToolResult>,
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
        // Taken away: the execution may be kept for longer than the span it was made in lasts.
        let outer = match call.request().origin() {
            Some(_) => std::mem::take(&mut call.request_mut().origin_mut().span),
            None => MaybeSpan::default(),
        };
        let (execution, refusal) = intake::take(shared, &view, call, reading);
        let span = observe::call_span(&execution, &outer);
        if span.is_some() {
            execution.running.begin(&span);
        }
        let resolved_at = view.epoch;
        let mut call = Self {
            cx: RunContext::new(execution, None),
            view,
            resolved_at,
            span,
            settled: false,
            result: None,
        };
        let stage = if call.cx.execution.request.cancellation.is_cancelled() {
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

    /// The handle that typed hooks of this call are bound to.
    fn bound(&self) -> Option<TypeId> {
        let definition = self.cx.execution.definition.as_deref()?;
        Some(definition.settings.handle?.id)
    }

    /// Ends what comes before a stage with this result.
    fn end(&mut self, (stage, result): (Stage, ToolResult)) -> Stage {
        self.put(result);
        stage
    }

    /// What the body came to, or what came in its place.
    fn result(&self) -> &ToolResult {
        self.result
            .as_ref()
            .expect("stations after the body have a result")
    }

    fn result_mut(&mut self) -> &mut ToolResult {
        self.result
            .as_mut()
            .expect("stations after the body have a result")
    }

    /// All stations that are left.
    async fn run(&mut self, mut stage: Stage) -> ToolResult {
        if let Stage::Admit = stage {
            stage = self.admit().await;
        }
        if let Stage::Dispatch = stage {
            stage = self.dispatch().await;
        }
        self.settle(stage).await
    }

    /// Stations 1 and 2, and between them the approver if a hook asks.
    pub(crate) async fn admit(&mut self) -> Stage {
        let mut ask = None;
        if self.meets(|layer, tool| !layer.pre.for_tool(tool).is_empty()) {
            match self.pre_execute().await {
                Ok(asked) => ask = asked,
                Err(ended) => return self.end(ended),
            }
        }
        // Nobody is asked to approve what a guard forbids.
        if self.meets(|layer, tool| !layer.guards.for_tool(tool).is_empty())
            && let Err(ended) = self.guards().await
        {
            return self.end(ended);
        }
        if let Some(reason) = &mut ask {
            // In a box, for the same reason as in `waited`.
            if let Err(result) = Box::pin(self.approval(reason)).await {
                return self.end((Stage::Review, result));
            }
            // No grant lifts a denial: guards may have changed while the question was open.
            self.refresh();
            if let Err(ended) = self.guards().await {
                return self.end(ended);
            }
        }
        if self.cx.execution.request.cancellation.is_cancelled() {
            return self.end((Stage::Review, self.aborted()));
        }
        Stage::Dispatch
    }

    /// Station 1. Deny beats ask beats allow: the first denial ends the chain; the first question is kept.
    async fn pre_execute(&self) -> Result<Option<Option<String>>, Early> {
        let mut ask = None;
        for layer in self.view.layers() {
            for hook in layer.pre.for_tool(self.bound()) {
                let opened = self.open(Station::PreExecute, hook);
                let start = || hook.run.start(&self.cx.execution);
                let decided = match ask_hook(hook.name, &opened, start) {
                    Ok(answer) => answer,
                    Err(waiting) => self.waited(hook.name, &opened, waiting).await,
                };
                match decided {
                    Ok(Decision::Allow) => self.close(opened, Said::Allowed, None),
                    Ok(Decision::Ask(reason)) => {
                        self.close(opened, Said::Asked, reason.clone());
                        ask.get_or_insert(reason);
                    }
                    Ok(Decision::Deny(reason)) => {
                        self.close(opened, Said::Denied, Some(reason.clone()));
                        return Err((Stage::Review, denied(reason)));
                    }
                    Err(error) => return Err(self.broken(opened, error)),
                }
            }
        }
        Ok(ask)
    }

    /// Station 2. Any reason ends the call.
    async fn guards(&self) -> Result<(), Early> {
        for layer in self.view.layers() {
            for hook in layer.guards.for_tool(self.bound()) {
                let opened = self.open(Station::Guard, hook);
                let start = || hook.run.start(&self.cx.execution);
                let verdict = match ask_hook(hook.name, &opened, start) {
                    Ok(answer) => answer,
                    Err(waiting) => self.waited(hook.name, &opened, waiting).await,
                };
                match verdict {
                    Ok(Verdict::Abstain) => self.close(opened, Said::Abstained, None),
                    Ok(Verdict::Deny(reason)) => {
                        self.close(opened, Said::Denied, Some(reason.clone()));
                        return Err((Stage::Review, denied(reason)));
                    }
                    Err(error) => return Err(self.broken(opened, error)),
                }
            }
        }
        Ok(())
    }

    /// Asks the nearest approver. Only a grant that arrives before any cancellation lets the call run.
    async fn approval(&mut self, reason: &mut Option<String>) -> Result<(), ToolResult> {
        self.refresh();
        let execution = &*self.cx.execution;
        let tool = &execution.request.name;
        let opened = Opened::approval(self.recorder());
        let Some(approver) = self.view.approver().cloned() else {
            self.close(opened, Said::Unavailable, None);
            return Err(denied(reason.take().unwrap_or_else(|| {
                format!("tool \"{tool}\" requires approval, and there is nobody to give it")
            })));
        };
        if execution.request.cancellation.is_cancelled() {
            self.close(opened, Said::Cancelled, None);
            return Err(self.aborted());
        }
        let arguments = execution.arguments.to_json();
        let ask = ApprovalRequest {
            call_id: execution.request.call_id.clone(),
            tool: tool.to_string(),
            digest: digest::sha256_hex(&arguments),
            arguments,
            reason: reason.take(),
            cancellation: execution.request.cancellation.clone(),
        };
        // Held while the question is open, such as a clock that stands still.
        let held = execution.request.asking().and_then(Asking::begin);
        let asking = opened
            .in_scope(|| contain(|| approver.request(ask)))
            .map(|asking| opened.span.around(Contained::new(asking)));
        let answer = match asking {
            Ok(mut asking) => {
                let withdrawn = Some(self.cx.cancellation());
                let asked = Drive::new(&mut asking, None, Duration::ZERO, withdrawn);
                asked.await.ok()
            }
            Err(panicked) => Some(Err(panicked)),
        };
        drop_contained(held);
        // An answer given at the moment of cancellation does not count.
        let Some(answer) = answer.filter(|_| !execution.request.cancellation.is_cancelled()) else {
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
        let mut early = Arc::get_mut(&mut self.cx.execution)
            .and_then(|execution| execution.arguments.early.take());
        let wrappers = Wrappers::of(self);
        self.cx
            .execution
            .wrappers
            .store(wrappers.left, Ordering::Relaxed);
        let outcome = if wrappers.left == 0 {
            Ok(self.run_body(&mut early, None).await)
        } else {
            let mut next = Next {
                call: self,
                wrappers,
                early: &mut early,
                cancellation: None,
            };
            next.step().await
        };
        let returned = match outcome {
            Ok(result) => self.normalised(result),
            Err(broken) => Err(broken),
        };
        match returned {
            Ok(mut result) => {
                let mut contexts = self.cx.execution.deferred.take();
                contexts.append(&mut result.parts.contexts);
                result.parts.contexts = contexts;
                // A mark on the execution: whichever attempt made it, and whichever succeeded.
                result.parts.concludes_turn =
                    !result.is_error() && self.cx.execution.concluded.load(Ordering::Acquire);
                self.put(result);
                self.unless_cancelled();
                Stage::Review
            }
            Err(error) => self.end((Stage::Final, ToolResult::failure(error))),
        }
    }

    /// What wrappers returned, as this call's own result: a success that this pipeline has not
    /// validated and rendered for this call is, now; a failure keeps what it says.
    fn normalised(&self, result: ToolResult) -> Result<ToolResult, ToolError> {
        if result.parts.canonical == Some(self.cx.execution.token) {
            return Ok(result);
        }
        let Parts {
            outcome,
            content,
            meta,
            contexts,
            ..
        } = *result.parts;
        let mut result = match outcome {
            Outcome::Success(stored) => {
                let definition = self.current_definition()?;
                self.success(definition, stored, Maker::Policy)?
            }
            failure @ Outcome::Failure(_) => {
                let mut result = ToolResult::of(failure, content);
                result.parts.meta = meta;
                result
            }
        };
        result.parts.contexts = contexts;
        Ok(result)
    }

    /// Station 4: the body, and what comes of it. `Err` never leaves here: a body's failure is a result.
    /// The call's own signal is in force, if there is no other.
    async fn run_body(
        &self,
        early: &mut Option<Sheltered<BoxedArguments>>,
        signal: Option<Cancellation>,
    ) -> ToolResult {
        if signal
            .as_ref()
            .unwrap_or(self.cx.cancellation())
            .is_cancelled()
        {
            return self.aborted();
        }
        let definition = match self.current_definition() {
            Ok(definition) => definition,
            Err(error) => return ToolResult::failure(error),
        };
        let opened = self.open_named(Station::Body, definition.name());
        self.cx.execution.started.store(true, Ordering::Release);
        let early = early.take().map(Sheltered::into_inner);
        let settings = &definition.settings;
        let may_drop = settings.on_cancel == OnCancel::Drop && self.cx.cancellation().can_fire();
        let is_limited = signal.is_some() || settings.timeout.is_some() || may_drop;
        let ended = if is_limited {
            // In a box: a call carries no room for what most do not need.
            Box::pin(self.run_limited(definition, early, signal)).await
        } else {
            let outcome = match contain(|| definition.run(early, &self.cx)) {
                Ok(running) => Contained::new(running).await,
                Err(panicked) => Err(panicked),
            };
            Ended {
                outcome: Ok(outcome),
                expired: None,
                cancelled: self.cx.cancellation().is_cancelled(),
            }
        };
        let cancelled = ended.cancelled;
        let result = self.body_result(definition, ended, opened);
        if !result.is_error() && cancelled {
            drop_contained(result);
            return self.aborted();
        }
        result
    }

    /// A body with a time limit, with a signal that a wrapper gave it, or that may be dropped.
    async fn run_limited(
        &self,
        definition: &Definition,
        early: Option<BoxedArguments>,
        signal: Option<Cancellation>,
    ) -> Ended {
        let settings = &definition.settings;
        let mut signal = signal.unwrap_or_else(|| self.cx.cancellation().clone());
        let expiry = settings
            .timeout
            .map(|limit| (limit, CancellationToken::new()));
        if let Some((_, token)) = &expiry {
            signal = signal.fused_with(token.clone());
        }
        let cx = RunContext::new(self.cx.execution.clone(), Some(signal));
        let outcome = match contain(|| definition.run(early, &cx)) {
            Ok(running) => {
                let mut running = Contained::new(running);
                let dropping = settings.on_cancel == OnCancel::Drop;
                let grace = self.cx.execution.shared().settings.grace;
                let wait = dropping.then_some(cx.cancellation());
                Drive::new(&mut running, expiry.as_ref(), grace, wait).await
            }
            Err(panicked) => Ok(Err(panicked)),
        };
        let expired = expiry.filter(|(_, token)| token.is_cancelled());
        Ended {
            outcome,
            expired: expired.map(|(limit, _)| limit),
            cancelled: cx.cancellation().is_cancelled(),
        }
    }

    fn body_result(&self, definition: &Definition, ended: Ended, opened: Opened) -> ToolResult {
        let tool = definition.name();
        let timed_out = |limit: Duration| {
            ToolError::coded(
                code::TOOL_TIMEOUT,
                format!("tool \"{tool}\" timed out after {limit:?}; it may have taken effect"),
            )
        };
        let error = match (ended.outcome, ended.expired) {
            (Err(Stopped::Cancelled), _) => {
                self.close(opened, Said::Aborted, None);
                return self.aborted();
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
                    .unwrap_or_else(ToolResult::failure);
            }
        };
        self.close(opened, Said::Failed, Some(error.code().to_owned()));
        ToolResult::failure(error)
    }

    /// Station 5: the value checked against the output schema, rendered, and projected.
    fn success(
        &self,
        definition: &Definition,
        stored: Stored,
        maker: Maker,
    ) -> Result<ToolResult, ToolError> {
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
    ) -> Result<ToolResult, ToolError> {
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
            frozen: &self.cx.execution.arguments,
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
            .filter(|_| self.cx.execution.request.parent().is_none());
        let meta = project
            .map(|project| {
                contain(|| project(arguments, &stored))
                    .unwrap_or_else(|Panicked| Err("it panicked".into()))
                    .map_err(|error| invalid(format!("presentation_meta failed: {error}")))
            })
            .transpose()?;
        let mut result = ToolResult::of(Outcome::Success(stored), content);
        result.parts.meta = meta.map(Box::new);
        result.parts.concludes_turn = self.cx.execution.concluded.load(Ordering::Acquire);
        result.parts.canonical = Some(self.cx.execution.token);
        Ok(result)
    }

    /// Stations 6 to 8.
    pub(crate) async fn settle(&mut self, stage: Stage) -> ToolResult {
        match stage {
            Stage::Review => {
                if self.meets(|layer, tool| !layer.post.for_tool(tool).is_empty()) {
                    self.review().await;
                }
                self.unless_cancelled();
            }
            Stage::Final => {}
            Stage::Admit | Stage::Dispatch => unreachable!("a call settles after its stations"),
        }
        self.finish()
    }

    /// Station 6: each hook sees the result so far; a block is final.
    async fn review(&mut self) {
        let Some(mut result) = self.result.take() else {
            return;
        };
        let this = &*self;
        'hooks: for layer in this.view.layers() {
            for hook in layer.post.for_tool(this.bound()) {
                let opened = this.open(Station::PostExecute, hook);
                let start = || hook.run.start(&this.cx.execution, &result);
                let reviewed = match ask_hook(hook.name, &opened, start) {
                    Ok(answer) => answer,
                    Err(waiting) => this.waited(hook.name, &opened, waiting).await,
                };
                match reviewed.and_then(|outcome| this.apply(&mut result, outcome, hook.name)) {
                    Ok(said) => {
                        this.close(opened, said, None);
                        if said == Said::Blocked {
                            break 'hooks;
                        }
                    }
                    Err(error) => {
                        this.close(opened, Said::Failed, Some(error.code().to_owned()));
                        this.replace(&mut result, ToolResult::failure(error));
                        break 'hooks;
                    }
                }
            }
        }
        self.put(result);
    }

    fn apply(
        &self,
        result: &mut ToolResult,
        outcome: PostOutcome,
        hook: &str,
    ) -> Result<Said, ToolError> {
        let PostOutcome { action, contexts } = outcome;
        let contexts = contexts.into_iter().map(|context| context.sourced(hook));
        let said = match action {
            PostAction::Accept => Said::Accepted,
            PostAction::Content(blocks) => {
                result.parts.content = blocks.into();
                result.parts.content_replaced = true;
                Said::ReplacedContent
            }
            PostAction::Value(stored) => {
                if result.is_error() {
                    return Err(ToolError::coded(
                        code::HOOK_FAILED,
                        "a post-execute hook cannot replace the value of a failed call",
                    ));
                }
                let definition = self.current_definition()?;
                let mut replaced = self.success(definition, stored, Maker::Policy)?;
                replaced.parts.contexts = std::mem::take(&mut result.parts.contexts);
                self.replace(result, replaced);
                Said::ReplacedValue
            }
            PostAction::Block(feedback) => {
                self.replace(result, blocked(feedback));
                Said::Blocked
            }
        };
        result.parts.contexts.extend(contexts);
        Ok(said)
    }

    /// Stations 7 and 8: the definition's own last word on the content, then the observers.
    fn finish(&mut self) -> ToolResult {
        if let Some(definition) = &self.cx.execution.definition
            && let Some(finalize) = &definition.settings.finalize
        {
            let opened = self.open_named(Station::FinalizeContent, definition.name());
            let finalized = contain(|| finalize(&self.cx.execution, self.result())).unwrap_or_else(
                |Panicked| {
                    Err(ToolError::new(format!(
                        "the finalizer of tool \"{}\" panicked",
                        definition.name()
                    )))
                },
            );
            match finalized {
                Ok(None) => self.close(opened, Said::Kept, None),
                Ok(Some(blocks)) => {
                    self.close(opened, Said::ReplacedContent, None);
                    let result = self.result_mut();
                    result.parts.content = blocks.into();
                    result.parts.content_replaced = true;
                }
                Err(error) => {
                    let error = error.or_code(code::HOOK_FAILED);
                    self.close(opened, Said::Failed, Some(error.code().to_owned()));
                    self.put(ToolResult::failure(error));
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
        let definition = self.cx.execution.definition.as_deref();
        let settings = &self.cx.execution.shared().settings;
        let Some(limit) = settings.max_content_bytes_of(definition) else {
            return;
        };
        if let Cow::Owned(bounded) = bound_content(self.result().content(), limit) {
            let opened = self.open_named(Station::FinalizeContent, "max_content_bytes");
            let result = self.result_mut();
            result.parts.content = bounded.into();
            result.parts.content_replaced = true;
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
        observe::record_outcome(&self.span, &self.cx.execution, self.result());
        for layer in self.view.layers() {
            for hook in layer.observers.for_tool(self.bound()) {
                let opened = self.open(Station::OnResult, hook);
                let observe = || contain(|| hook.run.observe(&self.cx.execution, self.result()));
                let observed = opened
                    .in_scope(observe)
                    .unwrap_or_else(|Panicked| Err("it panicked".into()));
                match observed {
                    Ok(()) => self.close(opened, Said::Observed, None),
                    Err(error) => {
                        self.close(opened, Said::Failed, None);
                        tracing::warn!(
                            observer = hook.name,
                            tool = self.cx.execution.request.name.as_str(),
                            call_id = self.cx.execution.request.call_id.as_str(),
                            %error,
                            "an observer of results failed"
                        );
                    }
                }
            }
        }
        self.record_trail();
        if self.span.is_some() {
            self.cx.execution.running.end();
        }
    }

    fn record_trail(&mut self) {
        if let Some(recorder) = self.recorder() {
            self.result_mut().parts.trail = Some(Arc::new(recorder.trail()));
        }
    }

    // What the stations share.

    /// Whether there are hooks for this call at a station that is next. Most stations have none;
    /// then no future is made that would say so.
    fn meets(&mut self, has_some: impl Fn(&Layer, Option<TypeId>) -> bool) -> bool {
        self.refresh();
        let mut layers = self.view.layers().iter();
        layers.any(|layer| has_some(layer, self.bound()))
    }

    /// Takes up what was registered and disposed since the last station.
    fn refresh(&mut self) {
        let shared = &self.cx.execution.shared();
        if shared.epoch.now() != self.view.epoch {
            self.view = shared.view(self.cx.execution.scope());
        }
    }

    /// The definition this call runs: the one of its intake, as long as it is still the one that is
    /// visible. A body that has started keeps it whatever happens.
    fn current_definition(&self) -> Result<&Definition, ToolError> {
        let execution = &*self.cx.execution;
        let known = execution.definition.as_ref().filter(|definition| {
            execution.has_started() || execution.shared().epoch.now() == self.resolved_at || {
                let view = execution.shared().view(execution.scope());
                lookup::look_up_again(execution.shared(), &view, execution)
                    .is_some_and(|found| Arc::ptr_eq(found, definition))
            }
        });
        let known = known.map(|definition| &**definition);
        known.ok_or_else(|| lookup::gone(execution))
    }

    /// Waits for a hook, within its time limit. In a box: most hooks answer at once, and a call
    /// carries no room for this.
    fn waited<'a, T: Send + 'a>(
        &'a self,
        name: &'a str,
        opened: &'a Opened,
        waiting: MaybeFuture<'a, Result<T, ToolError>>,
    ) -> BoxFuture<'a, Result<T, ToolError>> {
        Box::pin(self.wait(name, opened, waiting))
    }

    async fn wait<T>(
        &self,
        name: &str,
        opened: &Opened,
        waiting: MaybeFuture<'_, Result<T, ToolError>>,
    ) -> Result<T, ToolError> {
        let limit = self.cx.execution.shared().settings.hook_timeout;
        let waited = pin!(within(limit, Contained::new(waiting)));
        match opened.span.around_pinned(waited).await {
            Ok(Ok(answer)) => answer.map_err(coded_hook_failure),
            Ok(Err(Panicked)) => Err(hook_panicked(name)),
            Err(limit) => Err(ToolError::coded(
                code::HOOK_FAILED,
                format!("hook `{name}` did not answer within {limit:?}"),
            )),
        }
    }

    /// A broken pre hook or guard ends the call without station 6.
    fn broken(&self, opened: Opened, error: ToolError) -> Early {
        self.close(opened, Said::Failed, Some(error.code().to_owned()));
        (Stage::Final, ToolResult::failure(error))
    }

    /// A success that the caller has cancelled is none.
    fn unless_cancelled(&mut self) {
        if self.result().is_error() || !self.cx.execution.request.cancellation.is_cancelled() {
            return;
        }
        let mut aborted = self.aborted();
        aborted.parts.contexts = std::mem::take(&mut self.result_mut().parts.contexts);
        self.put(aborted);
    }

    /// Puts a result in the place of the one so far.
    fn put(&mut self, mut result: ToolResult) {
        result.parts.call_id.clone_from(self.cx.call_id());
        drop_contained(self.result.replace(result));
    }

    /// Puts a result in another's place, which hooks and bodies made: its `Drop` may panic.
    fn replace(&self, result: &mut ToolResult, mut by: ToolResult) {
        by.parts.call_id.clone_from(self.cx.call_id());
        drop_contained(std::mem::replace(result, by));
    }

    fn aborted(&self) -> ToolResult {
        aborted(self.cx.execution.has_started())
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
        self.cx.execution.recorder.as_deref()
    }
}

/// One result per call, also for a call whose future is dropped.
impl Drop for InFlight {
    fn drop(&mut self) {
        if !self.settled {
            let span = self.span.clone();
            let _entered = span.enter();
            self.put(self.aborted());
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

/// Starts one hook: its answer, or what has to be waited for. Panics are contained, failures coded.
fn ask_hook<'a, T>(
    name: &str,
    opened: &Opened,
    start: impl FnOnce() -> MaybeFuture<'a, Result<T, ToolError>>,
) -> Result<Result<T, ToolError>, MaybeFuture<'a, Result<T, ToolError>>> {
    match opened.in_scope(|| contain(start)) {
        Ok(MaybeFuture::Ready(Some(answer))) => Ok(answer.map_err(coded_hook_failure)),
        Ok(waiting) => Err(waiting),
        Err(Panicked) => Ok(Err(hook_panicked(name))),
    }
}

fn hook_panicked(name: &str) -> ToolError {
    ToolError::coded(code::HOOK_FAILED, format!("hook `{name}` panicked"))
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
    wrappers: Wrappers,
    early: &'a mut Option<Sheltered<BoxedArguments>>,
    /// What is in force inside, if that is not the call's own.
    cancellation: Option<Cancellation>,
}

/// The wrappers that are still to come, found one by one: no list is made of them.
#[derive(Clone, Copy)]
struct Wrappers {
    /// How many are still to come.
    left: u32,
    /// How many are behind.
    passed: u32,
}

impl Wrappers {
    fn of(call: &InFlight) -> Self {
        let bound = call.bound();
        let layers = call.view.layers().iter();
        let all: usize = layers.map(|layer| layer.around.for_tool(bound).len()).sum();
        Self {
            left: u32::try_from(all).unwrap_or(u32::MAX / 2),
            passed: 0,
        }
    }

    /// The next one for this call, and those inside it.
    fn outermost(self, call: &InFlight) -> Option<(&Hook<dyn AroundObject>, Self)> {
        let left = self.left.checked_sub(1)?;
        let bound = call.bound();
        let mut at = self.passed as usize;
        for layer in call.view.layers() {
            let wrappers = layer.around.for_tool(bound);
            if let Some(hook) = wrappers.get(at) {
                let passed = self.passed + 1;
                return Some((hook, Self { left, passed }));
            }
            at -= wrappers.len();
        }
        None
    }
}

impl<'a> Next<'a> {
    /// Runs the rest of the call, once.
    #[expect(
        clippy::manual_async_fn,
        reason = "an `async fn` would keep `self` twice"
    )]
    pub fn run(mut self) -> impl Future<Output = ToolResult> + Send + use<'a> {
        async move { self.attempt().await }
    }

    /// Runs the rest of the call; may be called again, for a retry. A timeout counts per attempt.
    pub async fn attempt(&mut self) -> ToolResult {
        match self.step().await {
            Ok(mut result) => {
                result
                    .parts
                    .call_id
                    .clone_from(&self.call.cx.execution.request.call_id);
                result
            }
            Err(error) => ToolResult::failure(error).broken(),
        }
    }

    /// Puts a cancel signal of one's own in the place of an outer wrapper's, for what is inside.
    /// The caller's signal stays in force: no wrapper can detach the caller.
    ///
    /// To keep an outer wrapper's signal too, make the token fire with [`cancellation`](Self::cancellation).
    pub fn cancel(mut self, token: CancellationToken) -> Self {
        self.cancellation = Some(self.call.cx.cancellation().fused_with(token));
        self
    }

    /// The signal for what is inside.
    pub fn cancellation(&self) -> &Cancellation {
        let own = self.call.cx.cancellation();
        self.cancellation.as_ref().unwrap_or(own)
    }

    /// One step inward. `Err`: a wrapper broke, and nobody outside it has answered in its place.
    async fn step(&mut self) -> Result<ToolResult, ToolError> {
        let call = self.call;
        let Some((hook, inner)) = self.wrappers.outermost(call) else {
            return Ok(call.run_body(self.early, self.cancellation.clone()).await);
        };
        let opened = call.open(Station::AroundExecute, hook);
        let next = Next {
            call,
            wrappers: inner,
            early: &mut *self.early,
            cancellation: self.cancellation.clone(),
        };
        let wrapped =
            match opened.in_scope(|| contain(|| hook.run.start(&call.cx.execution, next))) {
                Ok(running) => opened.span.around(Contained::new(running)).await,
                Err(panicked) => Err(panicked),
            }
            .unwrap_or_else(|Panicked| {
                Err(ToolError::coded(
                    code::HOOK_FAILED,
                    format!("hook `{}` panicked", hook.name),
                ))
            })
            .map_err(coded_hook_failure)
            .and_then(ToolResult::unbroken);
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
            .field("call", &self.call.cx.execution)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::mem::{size_of, size_of_val};

    use super::*;
    use crate::{RawArguments, ToolExecution, ToolRuntime};

    /// Thousands of calls may wait at the same time, each in a future of this size.
    #[test]
    fn a_call_waits_in_little_room() {
        let runtime = ToolRuntime::builder().build().expect("nothing is wrong");
        let call = ToolCall::new("call_1", "missing", "{}");
        assert!(size_of_val(&runtime.execute(call)) <= 420);
        // How large a JSON value is depends on the features of `serde_json`.
        assert!(size_of::<ToolExecution>() <= 270 + size_of::<RawArguments>());
    }
}
