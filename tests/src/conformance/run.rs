//! Plays one scenario and observes.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tool_core::{
    ExecutionMode, Offer, ProgramTool, RegisterError, ToolCall, ToolResult, ToolSchema,
    additional_contexts,
};

use super::compare::{Difference, compare};
use super::expect::{BatchOutcome, Refusal, RefusalKind};
use super::observed::{Observed, traces};
use super::scenario::{
    Action, BatchAction, BatchCall, CallAction, Cancel, Registration, Scenario, View,
};
use super::text;
use super::throws::Pass;
use super::world::{Unopened, World};

/// How long a scenario may take. One that takes longer waits for what will never happen.
pub const LIMIT: Duration = Duration::from_secs(5);

/// Plays a scenario in one pass, and says how it differs from its expectation.
pub fn play(scenario: &Scenario, pass: Pass) -> Vec<Difference> {
    match observe(scenario, pass, LIMIT) {
        Ok(observed) => compare(&scenario.expect, &observed),
        Err(difference) => vec![difference],
    }
}

/// Plays a scenario in one pass, for at most `limit`.
///
/// # Errors
///
/// If it cannot be played, or does not come to its end.
pub fn observe(scenario: &Scenario, pass: Pass, limit: Duration) -> Result<Observed, Difference> {
    let unplayable = |what: &str| Difference::new("scenario", "one that can be played", what);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(|error| unplayable(&error.to_string()))?;
    let world = match World::open(scenario, pass) {
        Ok(world) => world,
        Err(Unopened::Configuration) => return Ok(configuration_refused()),
        Err(Unopened::Unplayable(what)) => return Err(unplayable(&what)),
    };
    let mut observed = Observed::default();
    let playing = async {
        set_up(&world, scenario);
        for action in &scenario.steps {
            act(&world, action, &mut observed).await?;
        }
        Ok::<(), String>(())
    };
    let played = runtime.block_on(async { tokio::time::timeout(limit, playing).await });
    let refusals = world.close();
    match played {
        Ok(Ok(())) => {
            observed.registration_errors = refusals;
            observed.add(scenario, &mut world.marks.noticed());
            Ok(observed)
        }
        Ok(Err(what)) => Err(unplayable(&what)),
        Err(_elapsed) => {
            let traces = traces(&world.marks.noticed().all);
            let within = format!("an end within {limit:?}");
            Err(Difference::new("scenario", &within, &traces))
        }
    }
}

fn configuration_refused() -> Observed {
    let refusal = Refusal {
        label: "configuration".to_owned(),
        error_kind: RefusalKind::InvalidConfiguration,
        names: None,
    };
    Observed {
        registration_errors: vec![refusal],
        ..Observed::default()
    }
}

fn set_up(world: &Arc<World>, scenario: &Scenario) {
    let tools = scenario
        .tools
        .iter()
        .cloned()
        .map(Box::new)
        .map(Registration::Tool);
    let present_as = scenario
        .present_as
        .iter()
        .cloned()
        .map(Registration::PresentAs);
    let restrictions = scenario
        .restrictions
        .iter()
        .cloned()
        .map(Registration::Restriction);
    let guards = scenario.guards.iter().cloned().map(Registration::Guard);
    let pre = scenario
        .pre_execute
        .iter()
        .cloned()
        .map(Registration::PreExecute);
    let around = scenario.around.iter().cloned().map(Registration::Around);
    let post = scenario
        .post_execute
        .iter()
        .cloned()
        .map(Registration::PostExecute);
    let observers = scenario
        .result_observers
        .iter()
        .cloned()
        .map(Registration::ResultObserver);
    let policy = guards.chain(pre).chain(around).chain(post).chain(observers);
    for registration in tools.chain(present_as).chain(restrictions).chain(policy) {
        world.register(&registration);
    }
}

async fn act(world: &Arc<World>, action: &Action, observed: &mut Observed) -> Result<(), String> {
    match action {
        Action::Call(call) => {
            let result = world.runtime().execute(single(world, call)?).await;
            world
                .marks
                .noticed()
                .returned
                .insert(call.call_id.clone(), result);
        }
        Action::Batch(batch) => {
            let outcome = run_batch(world, batch, observed).await?;
            observed.batches.insert(batch.id.clone(), outcome);
        }
        Action::ExecutionMode {
            id,
            name,
            arguments,
            scope,
            parent,
        } => {
            let call = ToolCall::new(id.as_str(), name, arguments);
            let call = place(world, call, scope.as_ref(), parent.as_ref())?;
            let mode = match world.runtime().execution_mode(&call) {
                ExecutionMode::Parallel => "parallel",
                ExecutionMode::Exclusive => "exclusive",
            };
            observed.execution_modes.insert(id.clone(), mode.to_owned());
        }
        Action::Snapshot { id, scope, view } => {
            let scope = scope.as_ref().map(|scope| world.scope(scope)).transpose()?;
            let shown = match view {
                View::Catalog => catalog(&match &scope {
                    Some(scope) => scope.catalog(),
                    None => world.runtime().catalog(),
                }),
                View::Offered => offered(&match &scope {
                    Some(scope) => scope.offer(),
                    None => world.runtime().offer(),
                }),
            };
            observed.snapshots.insert(id.clone(), shown);
        }
        Action::Register(registration) => world.register(registration),
        Action::Dispose { label } => world.dispose(label),
        Action::DisposeScope { scope } => world.scope(scope)?.dispose(),
    }
    Ok(())
}

fn single(world: &World, call: &CallAction) -> Result<ToolCall, String> {
    let CallAction {
        call_id,
        name,
        arguments,
        scope,
        parent,
        cancel,
    } = call;
    let made = ToolCall::new(call_id.as_str(), name, arguments);
    let made = place(world, made, scope.as_ref(), parent.as_ref())?;
    Ok(match cancel {
        Some(cancel) => made.cancel(signal(world, cancel, vec![call_id.clone()])),
        None => made,
    })
}

fn place(
    world: &World,
    mut call: ToolCall,
    scope: Option<&String>,
    parent: Option<&String>,
) -> Result<ToolCall, String> {
    if let Some(scope) = scope {
        call = call.scope(&world.scope(scope)?);
    }
    if let Some(parent) = parent {
        let token = world.marks.token_of(parent);
        call = call.parent(token.ok_or_else(|| format!("no execution of call `{parent}`"))?);
    }
    Ok(call)
}

/// The caller's signal, armed. `calls` are those whose traces it watches by default.
fn signal(world: &World, cancel: &Cancel, calls: Vec<String>) -> CancellationToken {
    let token = CancellationToken::new();
    if cancel.at == "start" {
        token.cancel();
    } else {
        let calls = cancel.call.clone().map_or(calls, |call| vec![call]);
        world.marks.arm(calls, &cancel.at, token.clone());
    }
    token
}

async fn run_batch(
    world: &World,
    action: &BatchAction,
    observed: &mut Observed,
) -> Result<BatchOutcome, String> {
    let mut calls = Vec::with_capacity(action.calls.len());
    for BatchCall {
        call_id,
        name,
        arguments,
    } in &action.calls
    {
        let call = ToolCall::new(call_id.as_str(), name, arguments);
        calls.push(place(world, call, action.scope.as_ref(), None)?);
    }
    let mut batch = world.runtime().batch(calls);
    if let Some(limit) = action.max_parallel {
        batch = batch.max_parallel(limit);
    }
    if let Some(cancel) = &action.cancel {
        let calls = action
            .calls
            .iter()
            .map(|call| call.call_id.clone())
            .collect();
        batch = batch.cancel(&signal(world, cancel, calls));
    }
    // Both ways of running a batch are played, one in each pass.
    let results: Vec<ToolResult> = match world.pass {
        Pass::Errors => batch.run().await,
        Pass::Panics => batch.stream().collect().await,
    };
    let mut noticed = world.marks.noticed();
    let committed: Vec<String> = results
        .iter()
        .map(|result| result.call_id().as_str().to_owned())
        .collect();
    let skipped: Vec<String> = committed
        .iter()
        .filter(|call| !noticed.told.contains_key(*call))
        .cloned()
        .collect();
    let contexts = additional_contexts(&results)
        .map(text::of_context)
        .collect();
    let concluded = results.iter().any(ToolResult::concludes_turn);
    observed.skipped.extend(skipped.iter().cloned());
    noticed
        .returned
        .extend(committed.iter().cloned().zip(results));
    Ok(BatchOutcome {
        committed,
        skipped,
        contexts,
        concluded,
    })
}

fn catalog(schemas: &[Arc<ToolSchema>]) -> Value {
    let shown = schemas.iter().map(|schema| {
        let ToolSchema {
            name,
            description,
            parameters,
            ..
        } = &**schema;
        if name == "run_code" {
            return json!({"name": name});
        }
        json!({"name": name, "description": description, "parameters": parameters})
    });
    shown.collect()
}

fn offered(offer: &Result<Offer, RegisterError>) -> Value {
    let offer = match offer {
        Ok(offer) => offer,
        Err(RegisterError::MissingCodeRuntime { .. }) => {
            return json!({"error_kind": "missing_code_runtime"});
        }
        Err(other) => return json!({"message": other.to_string()}),
    };
    let schemas = offer.schemas();
    let program_tools = offer
        .program_tools()
        .map(|tools| sorted(tools.iter().map(ProgramTool::name)));
    json!({
        "tools": sorted(schemas.iter().map(|schema| schema.name.as_str())),
        "program_tools": program_tools,
        "only_run_code_rule": offer.only_run_code(),
    })
}

/// By code units.
fn sorted<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<&str> = names.collect();
    names.sort_by_key(|name| name.encode_utf16().collect::<Vec<_>>());
    names
}
