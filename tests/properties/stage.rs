//! Builds the pipeline a [`Spec`] describes; everything in it reports to a [`Probe`].

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tool_core::{
    Approval, ApprovalRequest, Approver, AroundExecute, Decision, Guard, Next, OnResult,
    PostDecision, PostExecute, PreExecute, Scope, ToolCall, ToolDefinition, ToolError,
    ToolExecution, ToolResult, ToolRuntime, ToolRuntimeBuilder, Trail, Verdict,
};

use crate::spec::{
    Answer, Around, Body, Final, Guarding, Observe, Placed, Post, Pre, Render, Spec,
};
use crate::support::{panic_now, pending_times};

/// One thing that happened: who was asked, about which arguments.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) station: &'static str,
    pub(crate) index: usize,
    pub(crate) arguments: Value,
    /// Where the station sees more than the arguments as JSON.
    pub(crate) identity: Option<(String, String)>,
}

/// What observers were told: the result as data, as `Debug`, and its trail.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) code: String,
    pub(crate) shown: String,
    pub(crate) trail: Option<Trail>,
}

#[derive(Default)]
pub(crate) struct Probe {
    pub(crate) seen: Mutex<Vec<Seen>>,
    pub(crate) told: Mutex<Vec<Told>>,
    pub(crate) bodies: AtomicUsize,
    ticks: AtomicUsize,
    cancel_at: Option<usize>,
    pub(crate) token: CancellationToken,
}

impl Probe {
    /// A probe that cancels the call at its `cancel_at`th tick.
    pub(crate) fn new(cancel_at: Option<usize>) -> Arc<Self> {
        Arc::new(Self {
            cancel_at,
            ..Self::default()
        })
    }

    pub(crate) fn tick(&self) {
        if Some(self.ticks.fetch_add(1, Ordering::AcqRel)) == self.cancel_at {
            self.token.cancel();
        }
    }

    fn saw(&self, station: &'static str, index: usize, arguments: &Value) {
        let arguments = arguments.clone();
        self.seen.lock().unwrap().push(Seen {
            station,
            index,
            arguments,
            identity: None,
        });
        self.tick();
    }

    fn saw_call(&self, station: &'static str, index: usize, call: &ToolExecution) {
        let identity = Some((call.arguments_text().to_owned(), call.digest()));
        let arguments = call.arguments().clone();
        self.seen.lock().unwrap().push(Seen {
            station,
            index,
            arguments,
            identity,
        });
        self.tick();
    }

    /// How often this station was asked, all hooks together.
    pub(crate) fn times(&self, station: &str) -> usize {
        self.seen
            .lock()
            .unwrap()
            .iter()
            .filter(|seen| seen.station == station)
            .count()
    }

    async fn wait(&self, times: usize) {
        for _ in 0..times {
            pending_times(1).await;
            self.tick();
        }
    }
}

/// A value that says who made it.
pub(crate) fn mark(maker: &str, index: usize) -> Value {
    json!({ "mark": format!("<{maker} {index}>") })
}

/// The text of a content that says who made it.
pub(crate) fn content(maker: &str, index: usize) -> String {
    format!("<content of {maker} {index}>")
}

struct Acting<A> {
    probe: Arc<Probe>,
    index: usize,
    wait: usize,
    act: A,
}

/// Programs are not what is tested: their calls are.
fn is_transport(call: &ToolExecution) -> bool {
    call.name() == "run_code"
}

impl PreExecute for Acting<Pre> {
    async fn decide(&self, call: &ToolExecution) -> Result<Decision, ToolError> {
        if is_transport(call) {
            return Ok(Decision::Allow);
        }
        self.probe.saw_call("pre", self.index, call);
        self.probe.wait(self.wait).await;
        match self.act {
            Pre::Allow => Ok(Decision::Allow),
            Pre::Ask => Ok(Decision::ask(format!("question {}", self.index))),
            Pre::Deny => Ok(Decision::deny(format!("pre {} says no", self.index))),
            Pre::Fail => Err("broken".into()),
            Pre::Panic => panic_now(),
        }
    }
}

impl Guard for Acting<Guarding> {
    async fn check(&self, call: &ToolExecution) -> Result<Verdict, ToolError> {
        if is_transport(call) {
            return Ok(Verdict::Abstain);
        }
        self.probe.saw_call("guard", self.index, call);
        self.probe.wait(self.wait).await;
        match self.act {
            Guarding::Abstain => Ok(Verdict::Abstain),
            Guarding::Deny => Ok(Verdict::deny(format!("guard {} says no", self.index))),
            Guarding::Fail => Err("broken".into()),
            Guarding::Panic => panic_now(),
        }
    }
}

impl Approver for Acting<Answer> {
    async fn request(&self, ask: ApprovalRequest) -> Approval {
        let seen = Seen {
            station: "approver",
            index: self.index,
            identity: Some((String::new(), ask.digest)),
            arguments: ask.arguments,
        };
        self.probe.seen.lock().unwrap().push(seen);
        self.probe.tick();
        self.probe.wait(self.wait).await;
        match self.act {
            Answer::Gives(approval) => approval,
            Answer::Panics => panic_now(),
        }
    }
}

impl AroundExecute for Acting<Around> {
    async fn around(
        &self,
        call: &ToolExecution,
        mut next: Next<'_>,
    ) -> Result<ToolResult, ToolError> {
        if is_transport(call) {
            return Ok(next.run().await);
        }
        self.probe.saw_call("around", self.index, call);
        self.probe.wait(self.wait).await;
        let result = match self.act {
            Around::Answer => return ToolResult::success(mark("around", self.index)),
            Around::AnswerInvalid => return ToolResult::success(json!({ "mark": self.index })),
            Around::AnswerFailure => {
                return Ok(ToolResult::failure(
                    ToolError::new("answered").with_code("ANSWERED"),
                ));
            }
            Around::Fail => return Err("broken".into()),
            Around::PanicBefore => panic_now(),
            Around::Pass => next.run().await,
            Around::Retry => {
                let mut result = next.attempt().await;
                for _ in 0..2 {
                    if result.is_error() {
                        result = next.attempt().await;
                    }
                }
                result
            }
            Around::Rescue => {
                let result = next.run().await;
                if !result.is_error() {
                    return Ok(result);
                }
                return ToolResult::success(mark("around", self.index));
            }
            Around::PanicAfter => {
                let _result = next.run().await;
                panic_now()
            }
        };
        self.probe.wait(self.wait).await;
        Ok(result)
    }
}

impl PostExecute for Acting<Post> {
    async fn review(
        &self,
        call: &ToolExecution,
        result: &ToolResult,
    ) -> Result<PostDecision, ToolError> {
        if is_transport(call) {
            return Ok(PostDecision::accept());
        }
        self.probe.saw_call("post", self.index, call);
        assert_eq!(result.call_id(), call.call_id());
        self.probe.wait(self.wait).await;
        Ok(match self.act {
            Post::Accept => PostDecision::accept(),
            Post::Content => PostDecision::content(content("post", self.index)),
            Post::Value => PostDecision::value(mark("post", self.index)),
            Post::InvalidValue => PostDecision::value(json!({ "mark": self.index })),
            Post::Block => PostDecision::block(content("block", self.index)),
            Post::Fail => return Err("broken".into()),
            Post::Panic => panic_now(),
        })
    }
}

impl OnResult for Acting<Observe> {
    fn observe(&self, call: &ToolExecution, _: &ToolResult) -> Result<(), ToolError> {
        if is_transport(call) {
            return Ok(());
        }
        self.probe.saw_call("observer", self.index, call);
        match self.act {
            Observe::Look => Ok(()),
            Observe::Fail => Err("broken".into()),
            Observe::Panic => panic_now(),
        }
    }
}

/// The last observer: keeps all that can be seen of a result.
struct Recorder(Arc<Probe>);

impl OnResult for Recorder {
    fn observe(&self, call: &ToolExecution, result: &ToolResult) -> Result<(), ToolError> {
        if is_transport(call) {
            return Ok(());
        }
        self.0.saw_call("recorder", 0, call);
        self.0.told.lock().unwrap().push(Told {
            code: crate::support::code(result).to_owned(),
            shown: shown(result),
            trail: result.trail().cloned(),
        });
        Ok(())
    }
}

/// All that can be seen of a result.
pub(crate) fn shown(result: &ToolResult) -> String {
    format!(
        "{} {result:?} {}",
        crate::support::data(result),
        result.trail().expect("asked for")
    )
}

fn tool(spec: &Spec, probe: &Arc<Probe>) -> ToolDefinition {
    let parameters = json!({
        "type": "object",
        "properties": {
            "n": { "type": "integer" },
            "tag": { "type": "string", "default": "by default" },
        },
        "required": ["n"],
    });
    let output = json!({
        "type": "object",
        "properties": { "mark": { "type": "string" } },
        "required": ["mark"],
    });
    let acts = spec.body.clone();
    let by_body = probe.clone();
    let body = move |arguments: Value, cx: tool_core::RunContext| {
        let probe = by_body.clone();
        probe.saw_call("body", 0, &cx);
        assert_eq!(&arguments, cx.arguments());
        let attempt = probe.bodies.fetch_add(1, Ordering::AcqRel);
        let (wait, act) = acts[attempt.min(acts.len() - 1)];
        async move {
            probe.wait(wait).await;
            match act {
                Body::Value => Ok(mark("body", attempt)),
                Body::Invalid => Ok(json!({ "mark": attempt })),
                Body::Fail => Err(ToolError::new("no luck")),
                Body::Panic => panic_now(),
            }
        }
    };
    let mut tool = ToolDefinition::dynamic("act", "For tests.", parameters, output).handler(body);
    let (render, by_renderer) = (spec.render, probe.clone());
    tool = tool.render(move |arguments, value| {
        by_renderer.saw("renderer", 0, arguments);
        match render {
            Render::Works => Ok(format!("rendered {}", value["mark"])),
            Render::Fails => Err(ToolError::new("no words")),
            Render::Panics => panic_now(),
        }
    });
    if spec.finalizer != Final::Absent {
        let (act, by_finalizer) = (spec.finalizer, probe.clone());
        tool = tool.finalize_content(move |call, _| {
            by_finalizer.saw_call("finalizer", 0, call);
            match act {
                Final::Absent | Final::Keep => Ok(None),
                Final::Replace => Ok(Some(vec![content("finalizer", 0).into()])),
                Final::Fail => Err("broken"),
                Final::Panic => panic_now(),
            }
        });
    }
    tool
}

/// Registers on the runtime for layer 0, on a scope for any other.
macro_rules! register {
    ($stage:ident, $layer:expr, $method:ident, $what:expr) => {
        match $layer {
            0 => $stage.runtime.$method($what),
            layer => $stage.scopes[layer - 1].$method($what),
        }
    };
}

/// A built pipeline.
pub(crate) struct Stage {
    pub(crate) runtime: ToolRuntime,
    scopes: Vec<Scope>,
    arguments: &'static str,
    token: CancellationToken,
}

impl Stage {
    pub(crate) fn build(spec: &Spec, probe: &Arc<Probe>) -> Self {
        Self::build_on(ToolRuntime::builder(), spec, probe)
    }

    pub(crate) fn build_on(builder: ToolRuntimeBuilder, spec: &Spec, probe: &Arc<Probe>) -> Self {
        // No time limit on hooks: it would need a clock.
        let runtime = builder.hook_timeout(None).trail(true).build().unwrap();
        let mut scopes: Vec<Scope> = Vec::new();
        for depth in 0..spec.scopes {
            let id = format!("scope{depth}");
            let scope = scopes
                .last()
                .map_or_else(|| runtime.scope(&id), |above| above.child(&id));
            scopes.push(scope.unwrap());
        }
        let token = probe.token.clone();
        let stage = Self {
            runtime,
            scopes,
            arguments: spec.arguments,
            token,
        };
        register!(stage, spec.tool_layer, register, tool(spec, probe)).unwrap();
        for (layer, hook) in acting(&spec.pre, probe) {
            register!(stage, layer, pre_execute, hook);
        }
        for (layer, hook) in acting(&spec.guards, probe) {
            register!(stage, layer, guard, hook);
        }
        for (layer, hook) in acting(&spec.around, probe) {
            register!(stage, layer, around_execute, hook);
        }
        for (layer, hook) in acting(&spec.post, probe) {
            register!(stage, layer, post_execute, hook);
        }
        for (layer, hook) in acting(&spec.observers, probe) {
            register!(stage, layer, on_result, hook);
        }
        for (layer, approver) in acting(spec.approver.as_slice(), probe) {
            register!(stage, layer, approver, approver).unwrap();
        }
        register!(stage, spec.scopes, on_result, Recorder(probe.clone()));
        stage
    }

    pub(crate) fn call(&self, call_id: &str) -> ToolCall {
        self.placed(ToolCall::new(call_id, "act", self.arguments))
    }

    /// A call in the innermost scope, under the probe's signal.
    pub(crate) fn placed(&self, call: ToolCall) -> ToolCall {
        let call = call.cancel(self.token.clone());
        match self.scopes.last() {
            Some(scope) => call.scope(scope),
            None => call,
        }
    }
}

fn acting<A: Copy>(
    placed: &[Placed<A>],
    probe: &Arc<Probe>,
) -> impl Iterator<Item = (usize, Acting<A>)> {
    placed
        .iter()
        .enumerate()
        .map(move |(index, &Placed { layer, wait, act })| {
            (
                layer,
                Acting {
                    probe: probe.clone(),
                    index,
                    wait,
                    act,
                },
            )
        })
}
