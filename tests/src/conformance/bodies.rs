//! The tools of a scenario: bodies, renderers, projectors and finalizers made of its words.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::Value;
use tool_core::{
    ContentBlock, RunContext, ToolCall, ToolDefinition, ToolError, ToolExecution, ToolResult,
};

use super::text;
use super::tool::{
    Body, End, Finalizer, FinalizerKind, MetaProjector, NestedCall, OnError, Renderer, Safety,
    Step, ToolEntry,
};
use super::world::World;

/// A tool of the scenario, as it is registered.
pub(super) fn definition(world: &Arc<World>, tool: &ToolEntry) -> ToolDefinition {
    // What declares no renderer declares no output.
    let output = tool
        .output
        .as_ref()
        .filter(|output| output.render.is_some());
    let body = Arc::new(PlayedBody {
        world: world.clone(),
        tool: tool.name.clone(),
        body: tool.body.clone(),
        invocations: AtomicUsize::new(0),
    });
    let mut definition = ToolDefinition::dynamic(
        tool.name.clone(),
        tool.description.clone(),
        tool.parameters.clone(),
        output.map(|output| output.schema.clone()),
    )
    .handler(move |arguments, cx| {
        let body = body.clone();
        async move { body.run(&arguments, &cx).await }
    });
    if let Some(render) = output.and_then(|output| output.render.clone()) {
        definition = definition.render(renderer(world, &tool.name, render));
    }
    if let Some(meta) = output.and_then(|output| output.presentation_meta.clone()) {
        definition = definition.presentation_meta(projector(world, &tool.name, meta));
    }
    if let Some(finalize) = &tool.finalize {
        definition = definition.finalize_content(finalizer(world, &tool.name, finalize.clone()));
    }
    if let Some(limit) = tool.timeout_ms {
        definition = definition.timeout(timeout(limit));
    }
    match tool.concurrency_safe.clone() {
        None => definition,
        Some(Safety::Always(safe)) => definition.concurrency_safe(safe),
        Some(Safety::WhenArg(safe)) => definition.concurrency_safe_if(move |arguments| {
            let argument = arguments.pointer(&safe.when_arg.pointer);
            argument.is_some_and(|argument| text::same(argument, &safe.when_arg.equals))
        }),
        Some(Safety::Throw(safe)) => {
            let world = world.clone();
            definition.concurrency_safe_if(move |_| {
                Err::<bool, ToolError>(world.throw_message(&safe.throw))
            })
        }
    }
}

/// Milliseconds as a duration: what is longer than any clock is the longest, and only zero is zero.
fn timeout(milliseconds: f64) -> Duration {
    let limit = Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or(Duration::MAX);
    if milliseconds > 0.0 {
        limit.max(Duration::from_nanos(1))
    } else {
        limit
    }
}

fn renderer(
    world: &Arc<World>,
    tool: &str,
    renderer: Renderer,
) -> impl Fn(&Value, &Value) -> Result<Vec<ContentBlock>, ToolError> + Send + Sync + 'static {
    let (world, mark) = (world.clone(), format!("render:{tool}"));
    move |arguments, value| {
        world.marks.write_projection(&mark);
        Ok(match &renderer {
            Renderer::TextOfValue {} => vec![text::shown(value).into()],
            Renderer::Template { template } => {
                vec![text::filled(template, arguments, value).into()]
            }
            Renderer::Blocks { blocks } => text::content(blocks),
            Renderer::Throw { message } => return Err(world.throw_message(message)),
        })
    }
}

fn projector(
    world: &Arc<World>,
    tool: &str,
    projector: MetaProjector,
) -> impl Fn(&Value, &Value) -> Result<Value, ToolError> + Send + Sync + 'static {
    let (world, mark) = (world.clone(), format!("meta:{tool}"));
    move |arguments, value| {
        world.marks.write_projection(&mark);
        Ok(match &projector {
            MetaProjector::Const { value } => value.clone(),
            MetaProjector::Value {} => value.clone(),
            MetaProjector::Template { template } => text::filled(template, arguments, value).into(),
            MetaProjector::Throw { message } => return Err(world.throw_message(message)),
        })
    }
}

fn finalizer(
    world: &Arc<World>,
    tool: &str,
    finalizer: Finalizer,
) -> impl Fn(&ToolExecution, &ToolResult) -> Result<Option<Vec<ContentBlock>>, ToolError>
+ Send
+ Sync
+ 'static {
    let (world, mark) = (world.clone(), format!("finalize:{tool}"));
    move |execution, result| {
        world.marks.write(execution.call_id(), &mark);
        if finalizer
            .is_error
            .is_some_and(|outcome| outcome != result.is_error())
        {
            return Ok(None);
        }
        Ok(match &finalizer.kind {
            FinalizerKind::Keep {} => None,
            FinalizerKind::Replace { blocks } => Some(text::content(blocks)),
            FinalizerKind::Append { text } => {
                let mut content = result.content().to_vec();
                content.push(ContentBlock::text(text));
                Some(content)
            }
            FinalizerKind::Throw(throw) => return Err(world.throw(throw)),
        })
    }
}

/// The body of one definition.
struct PlayedBody {
    world: Arc<World>,
    tool: String,
    body: Body,
    invocations: AtomicUsize,
}

impl PlayedBody {
    async fn run(&self, arguments: &Value, cx: &RunContext) -> Result<Value, ToolError> {
        let _open = self.world.marks.enter_body(cx.call_id(), &self.tool);
        let mut nested = HashMap::new();
        for step in &self.body.steps {
            match step {
                Step::DeferContext { text } => cx.defer_context(text.as_str()),
                Step::ConcludeTurn {} => cx.conclude_turn(),
                Step::WaitForCancel {} => cx.cancellation().cancelled().await,
                Step::CallTool(call) => {
                    let value = self.call_tool(call, cx).await?;
                    nested.insert(call.call_id.as_str(), value);
                }
                common => {
                    self.world.perform(common).await;
                }
            }
        }
        let invocation = self.invocations.fetch_add(1, Ordering::Relaxed);
        if let Some(fail) = self
            .body
            .fail_first
            .as_ref()
            .filter(|fail| invocation < fail.times)
        {
            return Err(self.world.throw(&fail.throw));
        }
        match &self.body.end {
            End::Return(value) => Ok(value.clone()),
            End::ReturnArg(pointer) => {
                Ok(arguments.pointer(pointer).cloned().unwrap_or(Value::Null))
            }
            End::ReturnNested(call) => Ok(nested.remove(call.as_str()).unwrap_or(Value::Null)),
            End::Throw(throw) => Err(self.world.throw(throw)),
        }
    }

    /// The value of a nested call, `null` if it failed and that does not matter.
    async fn call_tool(&self, call: &NestedCall, cx: &RunContext) -> Result<Value, ToolError> {
        let NestedCall {
            call_id,
            name,
            arguments,
            ..
        } = call;
        let result = cx
            .call_tool(ToolCall::new(call_id.as_str(), name, arguments))
            .await;
        self.world
            .marks
            .noticed()
            .returned
            .insert(call_id.clone(), result.clone());
        if call.forward_contexts {
            for context in result.additional_contexts() {
                cx.defer_context(context.clone());
            }
        }
        if call.forward_conclusion && result.concludes_turn() {
            cx.conclude_turn();
        }
        match result.error() {
            Some(error) if call.on_error == OnError::Throw => Err(ToolError::new(error.message())),
            _ => Ok(result.value().cloned().unwrap_or(Value::Null)),
        }
    }
}
