//! Guards, hooks, observers and the approver of a scenario, made of its words.

use std::sync::Arc;

use serde_json::Value;
use tokio_util::sync::CancellationToken;
use tool_core::{
    Approval, ApprovalRequest, Approver, AroundExecute, Decision, Guard, Next, OnResult,
    PostDecision, PostExecute, PreExecute, ToolError, ToolExecution, ToolResult, Verdict,
};

use super::expect::Request;
use super::policy::{
    AroundKind, GivenError, GivenResult, GuardKind, Hook, ObserverKind, PostKind, PreKind, Signal,
    When,
};
use super::scenario::Outcome;
use super::text;
use super::tool::{Step, Throw};
use super::world::World;

/// A hook of the scenario, as it is registered.
pub(super) struct Played<K> {
    world: Arc<World>,
    hook: Hook<K>,
}

impl<K: Clone> Played<K> {
    pub(super) fn new(world: &Arc<World>, hook: &Hook<K>) -> Self {
        Self {
            world: world.clone(),
            hook: hook.clone(),
        }
    }
}

impl<K> Played<K> {
    /// Writes the mark and does the steps, if the hook has something to say about this call.
    async fn acts(&self, execution: &ToolExecution, is_error: Option<bool>, station: &str) -> bool {
        let acts = self.hook.when.holds(execution, is_error);
        if acts {
            self.mark(execution, station);
            self.perform(&self.hook.steps).await;
        }
        acts
    }

    async fn perform(&self, steps: &[Step]) {
        for step in steps {
            self.world.perform(step).await;
        }
    }

    fn mark(&self, execution: &ToolExecution, station: &str) {
        self.world.marks.write(
            execution.call_id(),
            &format!("{station}:{}", self.hook.label),
        );
    }
}

impl When {
    fn holds(&self, execution: &ToolExecution, is_error: Option<bool>) -> bool {
        let arg = self.arg.as_ref().is_none_or(|arg| {
            let argument = execution.arguments().pointer(&arg.pointer);
            argument.is_some_and(|argument| text::same(argument, &arg.equals))
        });
        arg && self
            .tool
            .as_ref()
            .is_none_or(|tool| tool == execution.name())
            && self
                .call
                .as_ref()
                .is_none_or(|call| call == execution.call_id().as_str())
            && self
                .is_error
                .is_none_or(|outcome| is_error == Some(outcome))
    }
}

impl Guard for Played<GuardKind> {
    async fn check(&self, execution: &ToolExecution) -> Result<Verdict, ToolError> {
        if !self.acts(execution, None, "guard").await {
            return Ok(Verdict::Abstain);
        }
        match &self.hook.kind {
            GuardKind::Abstain {} => Ok(Verdict::Abstain),
            GuardKind::Deny { reason } => Ok(Verdict::deny(reason)),
            GuardKind::Throw(throw) => Err(self.world.throw(throw)),
        }
    }
}

impl PreExecute for Played<PreKind> {
    async fn decide(&self, execution: &ToolExecution) -> Result<Decision, ToolError> {
        if !self.acts(execution, None, "pre_execute").await {
            return Ok(Decision::Allow);
        }
        match &self.hook.kind {
            PreKind::Delegate {} | PreKind::Allow {} => Ok(Decision::Allow),
            PreKind::Deny { reason } => Ok(Decision::deny(reason)),
            PreKind::Ask { reason } => {
                let call = execution.call_id().as_str().to_owned();
                self.world.marks.noticed().asked.insert(call);
                Ok(Decision::Ask(reason.clone()))
            }
            PreKind::Throw(throw) => Err(self.world.throw(throw)),
        }
    }
}

impl AroundExecute for Played<AroundKind> {
    async fn around(
        &self,
        execution: &ToolExecution,
        next: Next<'_>,
    ) -> Result<ToolResult, ToolError> {
        if !self.acts(execution, None, "around_enter").await {
            return Ok(next.run().await);
        }
        let answer = self.wrap(execution, next).await;
        self.world.marks.leave(execution.call_id());
        answer
    }
}

impl Played<AroundKind> {
    async fn wrap(
        &self,
        execution: &ToolExecution,
        mut next: Next<'_>,
    ) -> Result<ToolResult, ToolError> {
        let delegated = match &self.hook.kind {
            AroundKind::ShortCircuit { result } => return made(result),
            AroundKind::Throw(throw) => return Err(self.break_call(execution, throw)),
            AroundKind::ReturnResultOf { call } => {
                let earlier = self.world.marks.noticed().told.get(call).cloned();
                return earlier.ok_or_else(|| format!("no result of call `{call}`").into());
            }
            AroundKind::ReplaceSignal {
                signal,
                then_return_if_cancelled,
            } => {
                let token = self.signal(execution, signal);
                next = next.cancel(token.clone());
                let delegated = self.delegate(execution, &mut next).await;
                match then_return_if_cancelled {
                    Some(result) if delegated.is_ok() && token.is_cancelled() => {
                        return made(result);
                    }
                    _ => delegated,
                }
            }
            _ => self.delegate(execution, &mut next).await,
        };
        let mut result = match delegated {
            Ok(result) => result,
            // Passed on as it is, so that the call breaks.
            Err(broken) => return Ok(broken),
        };
        match &self.hook.kind {
            AroundKind::PassThrough { exit_steps } => self.perform(exit_steps).await,
            AroundKind::DelegateThenThrow(throw) => return Err(self.break_call(execution, throw)),
            AroundKind::DelegateThenReturn { result } => return made(result),
            AroundKind::DelegateThenAddContexts {
                additional_contexts,
            } => {
                // A new result, also where there are no contexts to add.
                let content = result.content().to_vec();
                result = result.with_content(content);
                for context in additional_contexts {
                    result = result.with_context(context.as_str());
                }
            }
            AroundKind::RetryFailures { times } => {
                for _ in 0..*times {
                    if !result.is_error() {
                        break;
                    }
                    result = match self.delegate(execution, &mut next).await {
                        Ok(result) => result,
                        Err(broken) => return Ok(broken),
                    };
                }
            }
            _ => {}
        }
        Ok(result)
    }

    /// Delegates once. `Err`: a wrapper inside has broken, so the delegation does not come back:
    /// what it left is passed on, without an exit mark.
    async fn delegate(
        &self,
        execution: &ToolExecution,
        next: &mut Next<'_>,
    ) -> Result<ToolResult, ToolResult> {
        let result = next.attempt().await;
        if self
            .world
            .marks
            .noticed()
            .broken_wrappers
            .contains(execution.call_id().as_str())
        {
            return Err(result);
        }
        self.mark(execution, "around_exit");
        Ok(result)
    }

    fn break_call(&self, execution: &ToolExecution, throw: &Throw) -> ToolError {
        let call = execution.call_id().as_str().to_owned();
        self.world.marks.noticed().broken_wrappers.insert(call);
        self.world.throw(throw)
    }

    fn signal(&self, execution: &ToolExecution, signal: &Signal) -> CancellationToken {
        let token = CancellationToken::new();
        match signal {
            Signal::Fresh => {}
            Signal::AlreadyCancelled => token.cancel(),
            Signal::CancelAt(mark) => {
                let call = execution.call_id().as_str().to_owned();
                self.world.marks.arm(vec![call], mark, token.clone());
            }
        }
        token
    }
}

/// A result as a wrapper makes it.
fn made(given: &GivenResult) -> Result<ToolResult, ToolError> {
    let mut result = match &given.outcome {
        Ok(value) => ToolResult::success(value)?,
        Err(GivenError { message, info }) => {
            let error = ToolError::new(message);
            ToolResult::failure(match info.as_ref().and_then(|info| info.code.clone()) {
                Some(code) => error.with_code(code),
                None => error,
            })
        }
    };
    if let Some(blocks) = &given.content {
        result = result.with_content(text::content(blocks));
    }
    if let Some(meta) = &given.meta {
        result = result.with_meta(meta.clone());
    }
    for context in &given.additional_contexts {
        result = result.with_context(context.as_str());
    }
    Ok(result)
}

impl PostExecute for Played<PostKind> {
    async fn review(
        &self,
        execution: &ToolExecution,
        result: &ToolResult,
    ) -> Result<PostDecision, ToolError> {
        if !self
            .acts(execution, Some(result.is_error()), "post_execute")
            .await
        {
            return Ok(PostDecision::accept());
        }
        let none = Vec::new();
        let (decision, contexts): (PostDecision<Value>, _) = match &self.hook.kind {
            PostKind::Delegate {} => (PostDecision::accept(), &none),
            PostKind::Accept {
                content,
                value,
                additional_contexts,
            } => {
                let decision = match (content, value) {
                    (None, None) => PostDecision::accept(),
                    (Some(blocks), None) => PostDecision::content(text::content(blocks)),
                    (None, Some(value)) => PostDecision::value(value.clone()),
                    // The type makes both unwritable, so the hook itself refuses.
                    (Some(_), Some(_)) => return Err("both value and content".into()),
                };
                (decision, additional_contexts)
            }
            PostKind::Block {
                feedback,
                additional_contexts,
            } => (
                PostDecision::block(text::content(feedback)),
                additional_contexts,
            ),
            PostKind::Throw(throw) => return Err(self.world.throw(throw)),
        };
        self.world.marks.leave(execution.call_id());
        Ok(contexts
            .iter()
            .fold(decision, |decision, text| decision.context(text.as_str())))
    }
}

impl OnResult for Played<ObserverKind> {
    fn observe(&self, execution: &ToolExecution, result: &ToolResult) -> Result<(), ToolError> {
        if !self.hook.when.holds(execution, Some(result.is_error())) {
            return Ok(());
        }
        self.mark(execution, "result");
        match &self.hook.kind {
            ObserverKind::Observe {} => Ok(()),
            ObserverKind::Throw { message, .. } => Err(self.world.throw_message(message)),
        }
    }
}

/// The approval service.
pub(super) struct Answerer {
    pub(super) world: Arc<World>,
    pub(super) outcome: Outcome,
}

impl Approver for Answerer {
    async fn request(&self, ask: ApprovalRequest) -> Approval {
        match self.outcome {
            // These answer before any answerer is reached.
            Outcome::NoAnswerer => return Approval::Unavailable,
            Outcome::PolicyNever => return Approval::Rejected,
            _ => {}
        }
        let ApprovalRequest {
            call_id,
            tool,
            reason,
            ..
        } = ask;
        let call = call_id.as_str().to_owned();
        self.world.marks.noticed().requests.push(Request {
            call_id: call,
            tool,
            reason,
        });
        self.world.marks.write(&call_id, "approval");
        match self.outcome {
            Outcome::AllowedOnce => Approval::AllowedOnce,
            Outcome::Rejected | Outcome::PolicyNever => Approval::Rejected,
            Outcome::Cancelled => Approval::Cancelled,
            Outcome::Unavailable | Outcome::NoAnswerer => Approval::Unavailable,
            Outcome::Throw => {
                // An approver has no error to return: broken, it says that it is unavailable.
                let _broken = self.world.throw_message("the answerer broke");
                Approval::Unavailable
            }
            Outcome::WaitForCancel => std::future::pending().await,
        }
    }
}
