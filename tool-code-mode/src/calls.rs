//! The calls of a program: from `tools.name(args)` to the settled promise.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use rquickjs::function::Rest;
use rquickjs::object::Property;
use rquickjs::{Ctx, Function, Object, Persistent, Value as JsValue};
use serde_json::{Map, Value};

use crate::bridge::{Outcome, Reply, Submitted};
use crate::control::Stop;
use crate::limits;
use crate::lossless::{self, Snapshot};
use crate::sdk;
use crate::state::{Pending, State};
use crate::trace;
use crate::wide::{self, Shape};

/// The object `tools`: one function per tool, and `$describe` beside them, which is not enumerable.
pub(crate) fn tools_object<'js>(
    ctx: &Ctx<'js>,
    state: &Rc<State>,
) -> rquickjs::Result<Object<'js>> {
    let tools = Object::new_proto(ctx.clone(), None)?;
    let describe = {
        let state = Rc::clone(state);
        Function::new(ctx.clone(), move |ctx: Ctx<'js>, name: String| {
            state.goes_on(&ctx)?;
            state
                .run
                .host
                .tool(&name)
                .map(|tool| sdk::described(&tool))
                .ok_or_else(|| {
                    rquickjs::Exception::throw_type(&ctx, &format!("there is no tool `{name}`"))
                })
        })?
    };
    tools.prop(
        "$describe",
        Property::from(describe.with_name("$describe")?).configurable(),
    )?;
    let mut names = state.run.host.tools();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let function = {
            let state = Rc::clone(state);
            let name = name.clone();
            Function::new(
                ctx.clone(),
                move |ctx: Ctx<'js>, arguments: Rest<JsValue<'js>>| {
                    call(&state, &ctx, &name, arguments.0)
                },
            )?
        };
        let function = function.with_name(&name)?;
        tools.prop(name, Property::from(function).enumerable().configurable())?;
    }
    Ok(tools)
}

/// `tools.name(...)`: a promise, always. What is wrong with the call rejects it.
fn call<'js>(
    state: &Rc<State>,
    ctx: &Ctx<'js>,
    tool: &str,
    arguments: Vec<JsValue<'js>>,
) -> rquickjs::Result<JsValue<'js>> {
    state.goes_on(ctx)?;
    let (promise, resolve, reject) = ctx.promise()?;
    let site = state.site(ctx)?;
    match snapshot(state, ctx, tool, arguments).and_then(|arguments| admit(state, ctx, arguments)) {
        Ok((arguments, ticket)) => {
            let call = {
                let mut calls = state.calls.borrow_mut();
                calls.submitted += 1;
                calls.weight += arguments.weight;
                let number = calls.submitted;
                let pending = Pending {
                    tool: tool.to_owned(),
                    resolve: Persistent::save(ctx, resolve),
                    reject: Persistent::save(ctx, reject),
                    site: Persistent::save(ctx, site),
                    weight: arguments.weight,
                };
                calls.pending.insert(number, pending);
                Submitted {
                    number,
                    tool: tool.to_owned(),
                    arguments: arguments.value,
                    cancellation: state.run.signal.clone(),
                }
            };
            let run = &state.run;
            let reply = Reply::new(&call, &run.host, &run.wall, &run.inbox, ticket);
            // A host that panics has dropped the reply, and with it failed the call.
            let _ = catch_unwind(AssertUnwindSafe(|| run.host.submit(call, reply)));
        }
        Err(message) => {
            let error = state.failure(ctx, &site, tool, &message)?;
            reject.call::<_, ()>((error,))?;
        }
    }
    Ok(promise.into_value())
}

fn snapshot<'js>(
    state: &State,
    ctx: &Ctx<'js>,
    tool: &str,
    mut arguments: Vec<JsValue<'js>>,
) -> Result<Snapshot, String> {
    if arguments.len() > 1 {
        return Err(format!(
            "`tools{}` takes one argument, an object; it got {}",
            crate::spell::member(tool),
            arguments.len()
        ));
    }
    let Some(argument) = arguments.pop() else {
        return Ok(Snapshot {
            value: Value::Object(Map::new()),
            weight: 0,
        });
    };
    let world = state.world.borrow();
    let Some(world) = world.as_ref() else {
        return Err("the run is over".to_owned());
    };
    let shown = state.run.host.tool(tool);
    let shape = shown.map_or_else(Shape::unknown, |tool| Shape::of(tool.parameters));
    lossless::snapshot(
        ctx,
        &world.plain,
        &argument,
        shape,
        state.run.limits.argument_bytes(),
    )
    .map_err(|lossy| format!("the arguments are not acceptable: {lossy}"))
}

/// What stops a call whose arguments are fine.
fn admit(
    state: &State,
    ctx: &Ctx<'_>,
    arguments: Snapshot,
) -> Result<(Snapshot, crate::control::Ticket), String> {
    let run = &state.run;
    let (submitted, weight) = {
        let calls = state.calls.borrow();
        (calls.submitted, calls.weight)
    };
    if submitted >= run.limits.call_count() {
        run.control.stop(Stop::Calls);
        state.mark_limit_site(ctx);
        return Err(format!("more than {} calls", run.limits.call_count()));
    }
    if weight.saturating_add(arguments.weight) > run.limits.heap_bytes() {
        return Err(format!(
            "the calls in flight hold more than {} of arguments: await some of them first",
            limits::bytes(run.limits.heap_bytes())
        ));
    }
    match run.control.take_off() {
        Some(ticket) => Ok((arguments, ticket)),
        None => Err("the run is over".to_owned()),
    }
}

/// Takes an outcome in. The program gets it once it has those of all earlier calls.
pub(crate) fn arrive(state: &State, number: u32, outcome: Outcome) {
    state.calls.borrow_mut().ready.insert(number, outcome);
}

/// Settles the promises of all calls whose turn it is.
///
/// # Errors
///
/// The engine has no memory left for an outcome.
pub(crate) fn deliver(state: &State, ctx: &Ctx<'_>) -> rquickjs::Result<bool> {
    let mut any = false;
    loop {
        let (pending, outcome) = {
            let mut calls = state.calls.borrow_mut();
            let number = calls.next;
            let Some(outcome) = calls.ready.remove(&number) else {
                return Ok(any);
            };
            calls.next += 1;
            let Some(pending) = calls.pending.remove(&number) else {
                continue;
            };
            calls.weight = calls.weight.saturating_sub(pending.weight);
            (pending, outcome)
        };
        any = true;
        let site = pending.site.restore(ctx)?;
        let value = match outcome {
            Ok(value) => match wide::text_for_program(&value) {
                Some(text) => Ok(ctx.json_parse(text)?),
                None => Err(format!("the value nests deeper than {}", lossless::DEEPEST)),
            },
            Err(message) => Err(message),
        };
        match value {
            Ok(value) => pending.resolve.restore(ctx)?.call::<_, ()>((value,))?,
            Err(message) => {
                let error = state.failure(ctx, &site, &pending.tool, &message)?;
                pending.reject.restore(ctx)?.call::<_, ()>((error,))?;
            }
        }
        State::nothing_was_lost(ctx)?;
    }
}

/// Where the calls in flight stand in the program, for a run that ended while waiting:
/// the tool and the stack.
pub(crate) fn waiting_for(state: &State, ctx: &Ctx<'_>) -> Vec<(String, Vec<trace::Frame>)> {
    let calls = state.calls.borrow();
    let mut found = Vec::new();
    for pending in calls.pending.values().take(3) {
        let Ok(site) = pending.site.clone().restore(ctx) else {
            continue;
        };
        let stack = site
            .get::<_, Option<String>>("stack")
            .ok()
            .flatten()
            .unwrap_or_default();
        found.push((pending.tool.clone(), trace::frames(&stack, &state.program)));
    }
    found
}
