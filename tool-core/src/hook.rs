//! Policy: one small trait per role. `#[guard]` and the other attributes implement them; closures
//! and structs do as well.

use std::any::{TypeId, type_name};
use std::future::Future;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::content::{AdditionalContext, ContentBlock, IntoContent};
use crate::context::Need;
use crate::definition::Handle;
use crate::error::{Location, ToolError, code};
use crate::execution::ToolExecution;
use crate::future::{BoxFuture, MaybeFuture};
use crate::pipeline::Next;
use crate::result::ToolResult;
use crate::tool::Tool;
use crate::value::{ErasedValue, Stored};

/// What is known of a hook before it runs. The macros fill it in.
#[derive(Clone, Debug)]
pub struct HookInfo {
    pub(crate) name: &'static str,
    pub(crate) location: Option<Location>,
    pub(crate) bound: Option<HandleInfo>,
    pub(crate) needs: &'static [fn() -> Option<Need>],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct HandleInfo {
    pub(crate) id: TypeId,
    pub(crate) name: &'static str,
}

impl HookInfo {
    /// A hook called `name`, written at `location`.
    pub const fn new(name: &'static str, location: Location) -> Self {
        Self {
            name,
            location: Some(location),
            bound: None,
            needs: &[],
        }
    }

    /// The states the hook cannot do without.
    #[must_use]
    pub const fn needs(mut self, needs: &'static [fn() -> Option<Need>]) -> Self {
        self.needs = needs;
        self
    }

    /// The same hook, bound to the tool of handle `T`: it runs for that tool alone.
    #[must_use]
    pub fn bound_to<T: Tool>(mut self) -> Self {
        let Handle { id, name, .. } = T::TYPED.handle;
        self.bound = Some(HandleInfo { id, name });
        self
    }

    /// A hook of type `H`, known by its type's name.
    fn of_type<H: 'static>() -> Self {
        Self {
            name: short_name(type_name::<H>()),
            location: None,
            bound: None,
            needs: &[],
        }
    }
}

/// The last part of a type's path: `Timed` of `my_crate::Timed<u8>`; a closure is one of its function.
fn short_name(path: &'static str) -> &'static str {
    // By single characters: a search for `::` is set up at a hundred times the cost of this.
    let mut path = path.split('<').next().unwrap_or(path);
    while let Some(function) = path.strip_suffix("::{{closure}}") {
        path = function;
    }
    path.rsplit(':').next().unwrap_or(path)
}

/// What a guard says: a reason to deny, or nothing. It has no way to allow.
///
/// ```
/// use tool_core::Verdict;
///
/// assert_eq!(Verdict::deny("too big"), Verdict::Deny("too big".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing against it; the next guard is asked.
    Abstain,
    /// The call ends with this reason. An empty one denies as well.
    Deny(String),
}

impl Verdict {
    /// A denial, and why.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny(reason.into())
    }
}

/// The denial of a guard that returns `Result<(), Denied>`.
///
/// ```
/// use tool_core::{Denied, guard, ToolExecution};
///
/// /// Only reading.
/// #[guard]
/// fn only_reading(call: &ToolExecution) -> Result<(), Denied> {
///     if call.name().starts_with("read_") { Ok(()) } else { Err(Denied::new("only reading")) }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denied {
    reason: String,
}

impl Denied {
    /// A denial, and why.
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
        }
    }
}

/// What a guard may return: `Option<String>`, `Result<(), Denied>`, [`Verdict`], or a `Result` of the
/// first and the last whose error breaks the call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a verdict",
    label = "a guard cannot return this",
    note = "return `Option<String>`: `Some(reason)` denies, `None` leaves it to the others",
    note = "a guard can only deny; to allow or ask, use `#[pre_execute]`"
)]
pub trait IntoVerdict {
    /// The verdict.
    ///
    /// # Errors
    ///
    /// The guard's own failure; the call ends with it.
    fn into_verdict(self) -> Result<Verdict, ToolError>;
}

impl IntoVerdict for Verdict {
    fn into_verdict(self) -> Result<Verdict, ToolError> {
        Ok(self)
    }
}

impl<R: Into<String>> IntoVerdict for Option<R> {
    fn into_verdict(self) -> Result<Verdict, ToolError> {
        Ok(self.map_or(Verdict::Abstain, Verdict::deny))
    }
}

impl IntoVerdict for Result<(), Denied> {
    fn into_verdict(self) -> Result<Verdict, ToolError> {
        Ok(self
            .err()
            .map_or(Verdict::Abstain, |denied| Verdict::Deny(denied.reason)))
    }
}

impl<R: Into<String>, E: Into<ToolError>> IntoVerdict for Result<Option<R>, E> {
    fn into_verdict(self) -> Result<Verdict, ToolError> {
        self.map_err(Into::into)?.into_verdict()
    }
}

impl<E: Into<ToolError>> IntoVerdict for Result<Verdict, E> {
    fn into_verdict(self) -> Result<Verdict, ToolError> {
        self.map_err(Into::into)
    }
}

/// What a pre-execute hook says. Several combine as a lattice: deny beats ask, ask beats allow.
///
/// ```
/// use tool_core::Decision;
///
/// assert_eq!(Decision::ask("it costs money"), Decision::Ask(Some("it costs money".into())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// Nothing against it.
    Allow,
    /// The approver decides; the reason is shown to it.
    Ask(Option<String>),
    /// The call ends with this reason.
    Deny(String),
}

impl Decision {
    /// A question to the approver, and why it is asked.
    pub fn ask(reason: impl Into<String>) -> Self {
        Self::Ask(Some(reason.into()))
    }

    /// A denial, and why.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny(reason.into())
    }
}

/// What a pre-execute hook may return: [`Decision`], a `Result` of it, or a boxed future of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a decision",
    label = "a pre-execute hook cannot return this",
    note = "return `Decision::Allow`, `Decision::deny(reason)` or `Decision::ask(reason)`"
)]
pub trait IntoDecision {
    /// The decision.
    fn into_decision<'a>(self) -> MaybeFuture<'a, Result<Decision, ToolError>>
    where
        Self: 'a;
}

impl IntoDecision for Decision {
    fn into_decision<'a>(self) -> MaybeFuture<'a, Result<Decision, ToolError>> {
        MaybeFuture::ready(Ok(self))
    }
}

impl<E: Into<ToolError>> IntoDecision for Result<Decision, E> {
    fn into_decision<'a>(self) -> MaybeFuture<'a, Result<Decision, ToolError>>
    where
        Self: 'a,
    {
        MaybeFuture::ready(self.map_err(Into::into))
    }
}

impl<F> IntoDecision for std::pin::Pin<Box<F>>
where
    F: Future<Output: IntoDecision + Send> + Send + ?Sized,
{
    fn into_decision<'a>(self) -> MaybeFuture<'a, Result<Decision, ToolError>>
    where
        Self: 'a,
    {
        MaybeFuture::boxed(async move { self.await.into_decision().await })
    }
}

/// What a post-execute hook says of the result so far: accept it, replace its content or its
/// value, or block it; and what it adds to the next user message.
///
/// Content and value cannot be replaced together: a replaced value is rendered again.
///
/// ```
/// use tool_core::PostDecision;
///
/// let shorter: PostDecision = PostDecision::content("[long output]");
/// let other = PostDecision::value(serde_json::json!("REPLACED")).context("the value was changed");
/// let gone: PostDecision = PostDecision::block("the result names a restricted person");
/// # let _ = (shorter, other, gone);
/// ```
#[doc(alias = "PostToolDecision")]
#[derive(Clone, Debug)]
#[must_use = "a decision changes nothing until the hook returns it"]
pub struct PostDecision<T = Value> {
    pub(crate) action: PostAction<T>,
    pub(crate) contexts: Vec<AdditionalContext>,
    pub(crate) failure: Option<ToolError>,
}

#[derive(Clone, Debug)]
pub(crate) enum PostAction<T> {
    Accept,
    Content(Vec<ContentBlock>),
    Value(T),
    Block(Vec<ContentBlock>),
}

impl<T> PostDecision<T> {
    /// The result stays as it is.
    pub fn accept() -> Self {
        Self::of(PostAction::Accept)
    }

    /// The model is shown this instead; value and meta stay.
    pub fn content(content: impl IntoContent) -> Self {
        Self::of_content(content, PostAction::Content)
    }

    /// Programs get this instead; it is validated and rendered again, meta included.
    /// On a failed call it is an error: a hook cannot revive one.
    pub fn value(value: T) -> Self {
        Self::of(PostAction::Value(value))
    }

    /// The result is gone; the model is shown the feedback, and later hooks are not asked.
    pub fn block(feedback: impl IntoContent) -> Self {
        Self::of_content(feedback, PostAction::Block)
    }

    /// Adds to the next user message.
    pub fn context(mut self, context: impl Into<AdditionalContext>) -> Self {
        self.contexts.push(context.into());
        self
    }

    fn of(action: PostAction<T>) -> Self {
        Self {
            action,
            contexts: Vec::new(),
            failure: None,
        }
    }

    fn of_content(
        content: impl IntoContent,
        action: impl FnOnce(Vec<ContentBlock>) -> PostAction<T>,
    ) -> Self {
        match content.into_content() {
            Ok(blocks) => Self::of(action(blocks)),
            Err(error) => Self {
                failure: Some(error),
                ..Self::of(PostAction::Accept)
            },
        }
    }
}

/// A decision about a result, its value behind its type: what the pipeline acts on.
pub struct PostOutcome {
    pub(crate) action: PostAction<Stored>,
    pub(crate) contexts: Vec<AdditionalContext>,
}

impl PostOutcome {
    fn new<T>(
        decision: PostDecision<T>,
        store: impl FnOnce(T) -> Stored,
    ) -> Result<Self, ToolError> {
        if let Some(failure) = decision.failure {
            return Err(failure);
        }
        let action = match decision.action {
            PostAction::Accept => PostAction::Accept,
            PostAction::Content(blocks) => PostAction::Content(blocks),
            PostAction::Value(value) => PostAction::Value(store(value)),
            PostAction::Block(blocks) => PostAction::Block(blocks),
        };
        Ok(Self {
            action,
            contexts: decision.contexts,
        })
    }

    /// A decision whose value is JSON.
    pub(crate) fn json(decision: PostDecision) -> Result<Self, ToolError> {
        Self::new(decision, Stored::json)
    }

    /// The decision, its value as JSON.
    pub fn into_decision(self) -> PostDecision {
        let action = match self.action {
            PostAction::Accept => PostAction::Accept,
            PostAction::Content(blocks) => PostAction::Content(blocks),
            PostAction::Value(value) => PostAction::Value(value.to_json().clone()),
            PostAction::Block(blocks) => PostAction::Block(blocks),
        };
        PostDecision {
            action,
            contexts: self.contexts,
            failure: None,
        }
    }

    /// A typed decision: the value stays typed.
    ///
    /// # Errors
    ///
    /// What making the decision's content said.
    pub fn typed<T: ErasedValue + 'static>(decision: PostDecision<T>) -> Result<Self, ToolError> {
        Self::new(decision, |value| Stored::typed(Arc::new(value)))
    }
}

/// What an untyped post-execute hook may return: [`PostDecision`], a `Result` of it, or a boxed
/// future of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a decision about a result",
    label = "a post-execute hook cannot return this",
    note = "return `PostDecision::accept()`, `::content(..)`, `::value(..)` or `::block(..)`"
)]
pub trait IntoPostOutcome {
    /// The decision.
    fn into_post_outcome<'a>(self) -> MaybeFuture<'a, Result<PostOutcome, ToolError>>
    where
        Self: 'a;
}

impl IntoPostOutcome for PostDecision {
    fn into_post_outcome<'a>(self) -> MaybeFuture<'a, Result<PostOutcome, ToolError>> {
        MaybeFuture::ready(PostOutcome::new(self, Stored::json))
    }
}

impl<E: Into<ToolError>> IntoPostOutcome for Result<PostDecision, E> {
    fn into_post_outcome<'a>(self) -> MaybeFuture<'a, Result<PostOutcome, ToolError>>
    where
        Self: 'a,
    {
        match self {
            Ok(decision) => decision.into_post_outcome(),
            Err(error) => MaybeFuture::ready(Err(error.into())),
        }
    }
}

impl<F> IntoPostOutcome for std::pin::Pin<Box<F>>
where
    F: Future<Output: IntoPostOutcome + Send> + Send + ?Sized,
{
    fn into_post_outcome<'a>(self) -> MaybeFuture<'a, Result<PostOutcome, ToolError>>
    where
        Self: 'a,
    {
        MaybeFuture::boxed(async move { self.await.into_post_outcome().await })
    }
}

/// Station 2: denies calls, or says nothing. Any reason ends the call, whatever others say.
///
/// Written as `#[guard]`, as a closure `|call: &ToolExecution| -> Option<String>`, or as a struct:
///
/// ```
/// use tool_core::{Guard, ToolError, ToolExecution, Verdict};
///
/// struct OnlyUnder(String);
///
/// impl Guard for OnlyUnder {
///     async fn check(&self, call: &ToolExecution) -> Result<Verdict, ToolError> {
///         let path = call.arguments()["path"].as_str().unwrap_or_default();
///         Ok(if path.starts_with(&self.0) { Verdict::Abstain } else { Verdict::deny("outside") })
///     }
/// }
/// ```
#[doc(alias = "ToolGuard")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a guard",
    label = "not a guard",
    note = "write a `#[guard]` function, a closure `|call: &ToolExecution| -> Option<String>`, or implement `Guard`"
)]
pub trait Guard: Send + Sync + 'static {
    /// Looks at the call.
    fn check(
        &self,
        execution: &ToolExecution,
    ) -> impl Future<Output = Result<Verdict, ToolError>> + Send;

    #[doc(hidden)]
    fn __start<'a>(
        &'a self,
        execution: &'a ToolExecution,
    ) -> MaybeFuture<'a, Result<Verdict, ToolError>> {
        MaybeFuture::boxed(self.check(execution))
    }

    #[doc(hidden)]
    fn __info(&self) -> HookInfo
    where
        Self: Sized,
    {
        HookInfo::of_type::<Self>()
    }
}

#[diagnostic::do_not_recommend]
impl<F, V> Guard for F
where
    F: Fn(&ToolExecution) -> V + Send + Sync + 'static,
    V: IntoVerdict,
{
    async fn check(&self, execution: &ToolExecution) -> Result<Verdict, ToolError> {
        self.__start(execution).await
    }

    fn __start<'a>(
        &'a self,
        execution: &'a ToolExecution,
    ) -> MaybeFuture<'a, Result<Verdict, ToolError>> {
        MaybeFuture::ready(self(execution).into_verdict())
    }
}

/// Station 1: allows, denies or asks, before any guard.
///
/// Written as `#[pre_execute]`, as a closure that returns a [`Decision`] (or a boxed future of one), or as a struct.
///
/// ```
/// use tool_core::{Decision, PreExecute, ToolError, ToolExecution};
///
/// struct AskFor(&'static str);
///
/// impl PreExecute for AskFor {
///     async fn decide(&self, call: &ToolExecution) -> Result<Decision, ToolError> {
///         Ok(if call.name() == self.0 { Decision::ask("it changes things") } else { Decision::Allow })
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a pre-execute hook",
    label = "not a pre-execute hook",
    note = "write a `#[pre_execute]` function, a closure `|call: &ToolExecution| -> Decision`, or implement `PreExecute`"
)]
pub trait PreExecute: Send + Sync + 'static {
    /// Decides about the call.
    fn decide(
        &self,
        execution: &ToolExecution,
    ) -> impl Future<Output = Result<Decision, ToolError>> + Send;

    #[doc(hidden)]
    fn __start<'a>(
        &'a self,
        execution: &'a ToolExecution,
    ) -> MaybeFuture<'a, Result<Decision, ToolError>> {
        MaybeFuture::boxed(self.decide(execution))
    }

    #[doc(hidden)]
    fn __info(&self) -> HookInfo
    where
        Self: Sized,
    {
        HookInfo::of_type::<Self>()
    }
}

#[diagnostic::do_not_recommend]
impl<F, D> PreExecute for F
where
    F: Fn(&ToolExecution) -> D + Send + Sync + 'static,
    D: IntoDecision + 'static,
{
    async fn decide(&self, execution: &ToolExecution) -> Result<Decision, ToolError> {
        self.__start(execution).await
    }

    fn __start<'a>(
        &'a self,
        execution: &'a ToolExecution,
    ) -> MaybeFuture<'a, Result<Decision, ToolError>> {
        self(execution).into_decision()
    }
}

/// Station 3: wraps body and rendering. It may retry, time, replace the cancel signal, or answer
/// without calling `next`; it changes neither identity nor arguments.
///
/// Written as `#[around_execute]`, as [`around_fn`], or as a struct:
///
/// ```
/// use tool_core::{AroundExecute, Next, ToolError, ToolExecution, ToolResult};
///
/// struct Retry(usize);
///
/// impl AroundExecute for Retry {
///     async fn around(&self, _call: &ToolExecution, mut next: Next<'_>) -> Result<ToolResult, ToolError> {
///         let mut result = next.attempt().await;
///         for _ in 0..self.0 {
///             if !result.is_error() {
///                 break;
///             }
///             result = next.attempt().await;
///         }
///         Ok(result)
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an around-execute hook",
    label = "not an around-execute hook",
    note = "write an `#[around_execute]` function, pass `around_fn(|call, next| Box::pin(async move {{ next.run().await }}))`, or implement `AroundExecute`"
)]
pub trait AroundExecute: Send + Sync + 'static {
    /// Wraps the call; `next` runs what is inside.
    fn around(
        &self,
        execution: &ToolExecution,
        next: Next<'_>,
    ) -> impl Future<Output = Result<ToolResult, ToolError>> + Send;

    #[doc(hidden)]
    fn __start<'a>(
        &'a self,
        execution: &'a ToolExecution,
        next: Next<'a>,
    ) -> MaybeFuture<'a, Result<ToolResult, ToolError>> {
        MaybeFuture::boxed(self.around(execution, next))
    }

    #[doc(hidden)]
    fn __info(&self) -> HookInfo
    where
        Self: Sized,
    {
        HookInfo::of_type::<Self>()
    }
}

/// A closure as a wrapper of calls.
///
/// ```
/// use tool_core::{ToolRuntime, around_fn};
///
/// let runtime = ToolRuntime::builder()
///     .around_execute(around_fn(|_call, next| Box::pin(async move { Ok(next.run().await) })))
///     .build()
///     .unwrap();
/// # let _ = runtime;
/// ```
pub fn around_fn<F>(wrap: F) -> AroundFn<F>
where
    F: for<'a> Fn(&'a ToolExecution, Next<'a>) -> BoxFuture<'a, Result<ToolResult, ToolError>>
        + Send
        + Sync
        + 'static,
{
    AroundFn(wrap)
}

/// A closure that wraps calls: what [`around_fn`] returns.
#[derive(Clone, Copy, Debug)]
pub struct AroundFn<F>(F);

impl<F> AroundExecute for AroundFn<F>
where
    F: for<'a> Fn(&'a ToolExecution, Next<'a>) -> BoxFuture<'a, Result<ToolResult, ToolError>>
        + Send
        + Sync
        + 'static,
{
    async fn around(
        &self,
        execution: &ToolExecution,
        next: Next<'_>,
    ) -> Result<ToolResult, ToolError> {
        (self.0)(execution, next).await
    }

    fn __start<'a>(
        &'a self,
        execution: &'a ToolExecution,
        next: Next<'a>,
    ) -> MaybeFuture<'a, Result<ToolResult, ToolError>> {
        MaybeFuture::Boxed((self.0)(execution, next))
    }

    fn __info(&self) -> HookInfo {
        HookInfo::of_type::<F>()
    }
}

/// Station 6: reviews a result before the model sees it.
///
/// Written as `#[post_execute]`, as a closure that returns a [`PostDecision`], or as a struct:
///
/// ```
/// use tool_core::{PostDecision, PostExecute, ToolError, ToolExecution, ToolResult};
///
/// struct NoSecrets;
///
/// impl PostExecute for NoSecrets {
///     async fn review(&self, _call: &ToolExecution, result: &ToolResult) -> Result<PostDecision, ToolError> {
///         let secret = result.text().contains("password");
///         Ok(if secret { PostDecision::block("held back: it shows a password") } else { PostDecision::accept() })
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a post-execute hook",
    label = "not a post-execute hook",
    note = "write a `#[post_execute]` function, a closure `|call: &ToolExecution, result: &ToolResult| -> PostDecision`, or implement `PostExecute`"
)]
pub trait PostExecute: Send + Sync + 'static {
    /// Reviews the result so far.
    fn review(
        &self,
        execution: &ToolExecution,
        result: &ToolResult,
    ) -> impl Future<Output = Result<PostDecision, ToolError>> + Send;

    #[doc(hidden)]
    fn __start<'a>(
        &'a self,
        execution: &'a ToolExecution,
        result: &'a ToolResult,
    ) -> MaybeFuture<'a, Result<PostOutcome, ToolError>> {
        MaybeFuture::boxed(async move {
            PostOutcome::new(self.review(execution, result).await?, Stored::json)
        })
    }

    #[doc(hidden)]
    fn __info(&self) -> HookInfo
    where
        Self: Sized,
    {
        HookInfo::of_type::<Self>()
    }
}

#[diagnostic::do_not_recommend]
impl<F, D> PostExecute for F
where
    F: Fn(&ToolExecution, &ToolResult) -> D + Send + Sync + 'static,
    D: IntoPostOutcome + 'static,
{
    async fn review(
        &self,
        execution: &ToolExecution,
        result: &ToolResult,
    ) -> Result<PostDecision, ToolError> {
        self.__start(execution, result)
            .await
            .map(PostOutcome::into_decision)
    }

    fn __start<'a>(
        &'a self,
        execution: &'a ToolExecution,
        result: &'a ToolResult,
    ) -> MaybeFuture<'a, Result<PostOutcome, ToolError>> {
        self(execution, result).into_post_outcome()
    }
}

/// Station 8: sees every final result, and changes nothing.
///
/// Written as `#[on_result]`, as a closure `|call: &ToolExecution, result: &ToolResult|`, or as a struct.
///
/// ```
/// use tool_core::{ToolExecution, ToolResult, ToolRuntime};
///
/// let runtime = ToolRuntime::builder().on_result(|call: &ToolExecution, result: &ToolResult| {
///     let code = result.error().map_or("ok", |error| error.code());
///     eprintln!("{} {}: {code}", call.call_id(), call.name());
/// });
/// # runtime.build().unwrap();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an observer of results",
    label = "not an observer",
    note = "write an `#[on_result]` function, a closure `|call: &ToolExecution, result: &ToolResult|`, or implement `OnResult`"
)]
pub trait OnResult: Send + Sync + 'static {
    /// Looks at the final result. A failure is logged and changes nothing.
    ///
    /// # Errors
    ///
    /// The observer's own.
    fn observe(&self, execution: &ToolExecution, result: &ToolResult) -> Result<(), ToolError>;

    #[doc(hidden)]
    fn __info(&self) -> HookInfo
    where
        Self: Sized,
    {
        HookInfo::of_type::<Self>()
    }
}

#[diagnostic::do_not_recommend]
impl<F, R> OnResult for F
where
    F: Fn(&ToolExecution, &ToolResult) -> R + Send + Sync + 'static,
    R: IntoObserved,
{
    fn observe(&self, execution: &ToolExecution, result: &ToolResult) -> Result<(), ToolError> {
        self(execution, result).into_observed()
    }
}

/// What an observer may return: nothing, or a `Result` of nothing.
#[diagnostic::on_unimplemented(
    message = "an observer cannot return `{Self}`",
    label = "an observer changes nothing, so it returns nothing",
    note = "return `()`, or `Result<(), E>` to have a failure logged"
)]
pub trait IntoObserved {
    /// Whether it went well.
    ///
    /// # Errors
    ///
    /// The observer's own.
    fn into_observed(self) -> Result<(), ToolError>;
}

impl IntoObserved for () {
    fn into_observed(self) -> Result<(), ToolError> {
        Ok(())
    }
}

impl<E: Into<ToolError>> IntoObserved for Result<(), E> {
    fn into_observed(self) -> Result<(), ToolError> {
        self.map_err(Into::into)
    }
}

/// What an around-execute hook may return: [`ToolResult`], or a `Result` of it.
#[diagnostic::on_unimplemented(
    message = "an around-execute hook cannot return `{Self}`",
    label = "not a result of a call",
    note = "return `ToolResult`, or `Result<ToolResult, E>`"
)]
pub trait IntoAroundResult {
    /// The result.
    ///
    /// # Errors
    ///
    /// The hook's own failure; the call ends with it.
    fn into_around_result(self) -> Result<ToolResult, ToolError>;
}

impl IntoAroundResult for ToolResult {
    fn into_around_result(self) -> Result<ToolResult, ToolError> {
        Ok(self)
    }
}

impl<E: Into<ToolError>> IntoAroundResult for Result<ToolResult, E> {
    fn into_around_result(self) -> Result<ToolResult, ToolError> {
        self.map_err(Into::into)
    }
}

/// Writes any `Serialize` value as the JSON of a [`PostDecision`].
impl PostDecision<Value> {
    /// Programs get `value`, written as JSON, instead.
    ///
    /// # Errors
    ///
    /// If `value` cannot be written as JSON.
    pub fn json(value: impl Serialize) -> Result<Self, ToolError> {
        let value = serde_json::to_value(value).map_err(|error| {
            ToolError::coded(code::HOOK_FAILED, format!("the value is not JSON: {error}"))
        })?;
        Ok(Self::value(value))
    }
}
