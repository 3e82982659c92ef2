//! The world of a program: `tools`, `console`, timers, a few things of the web, and lessons where it
//! looks for more.

use std::rc::Rc;

use rquickjs::context::EvalOptions;
use rquickjs::function::{Constructor, Rest};
use rquickjs::{Array, Ctx, Exception, Function, Object, Persistent, Value as JsValue};

use crate::calls;
use crate::inspect;
use crate::lossless::Plain;
use crate::missing;
use crate::state::{State, World};
use crate::timers;

const PRELUDE: &str = include_str!("world/prelude.js");

/// Globals that are made when they are first named.
const LAZY: &[&str] = &[
    "structuredClone",
    "URL",
    "URLSearchParams",
    "TextEncoder",
    "TextDecoder",
    "crypto",
];

/// Makes the world. Nothing of the program has been evaluated yet.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, state: &Rc<State>) -> rquickjs::Result<()> {
    let host = Object::new(ctx.clone())?;
    host.set("tools", calls::tools_object(ctx, state)?)?;
    host.set("lesson", Function::new(ctx.clone(), lesson)?)?;
    host.set("load", Function::new(ctx.clone(), load)?)?;
    host.set("print", print_function(ctx, state)?)?;
    timers::install(ctx, state, &host)?;
    let missing: Vec<&str> = missing::MISSING.iter().map(|(name, _)| *name).collect();
    let prelude: Function<'_> = evaluate(ctx, PRELUDE)?;
    let made: Object<'_> = prelude.call((host.clone(), missing, LAZY.to_vec()))?;
    let tools: Object<'_> = host.get("tools")?;
    let freeze: Function<'_> = ctx
        .globals()
        .get::<_, Object<'_>>("Object")?
        .get("freeze")?;
    freeze.call::<_, ()>((tools,))?;
    *state.world.borrow_mut() = Some(World {
        plain: Plain::new(ctx)?,
        error: Persistent::save(ctx, ctx.globals().get::<_, Constructor<'js>>("Error")?),
        tool_call_error: Persistent::save(ctx, made.get::<_, Constructor<'js>>("ToolCallError")?),
        parts: Persistent::save(ctx, made.get::<_, Function<'js>>("parts")?),
    });
    Ok(())
}

fn evaluate<'js, T: rquickjs::FromJs<'js>>(ctx: &Ctx<'js>, source: &str) -> rquickjs::Result<T> {
    let mut options = EvalOptions::default();
    options.filename = Some("<world>".to_owned());
    ctx.eval_with_options(source, options)
}

/// The getter of a global that belongs to another world.
#[expect(clippy::needless_pass_by_value, reason = "the engine calls it")]
fn lesson<'js>(ctx: Ctx<'js>, name: String) -> rquickjs::Result<JsValue<'js>> {
    let lesson = missing::lesson(&name).unwrap_or(name);
    // Not `throw_reference`, which cuts a message at 255 bytes and has no stack of its own.
    let class: Constructor<'js> = ctx.globals().get("ReferenceError")?;
    let error: JsValue<'js> = class.construct((lesson,))?;
    Err(ctx.throw(error))
}

/// The value of a global that is made when it is first named.
#[expect(clippy::needless_pass_by_value, reason = "the engine calls it")]
fn load<'js>(ctx: Ctx<'js>, name: String) -> rquickjs::Result<JsValue<'js>> {
    let member = |source: &str| evaluate::<Object<'js>>(&ctx, source)?.get(name.as_str());
    match name.as_str() {
        "structuredClone" => evaluate(&ctx, include_str!("world/structuredClone.js")),
        "URL" | "URLSearchParams" => member(include_str!("world/url.js")),
        "TextEncoder" | "TextDecoder" => member(include_str!("world/encoding.js")),
        "crypto" => {
            let make: Function<'js> = evaluate(&ctx, include_str!("world/crypto.js"))?;
            make.call((Function::new(ctx.clone(), random)?,))
        }
        _ => Ok(JsValue::new_undefined(ctx)),
    }
}

fn random(ctx: Ctx<'_>, count: usize) -> rquickjs::Result<Array<'_>> {
    let mut bytes = vec![0_u8; count.min(1 << 16)];
    getrandom::fill(&mut bytes)
        .map_err(|_| Exception::throw_message(&ctx, "no random numbers can be had"))?;
    let array = Array::new(ctx)?;
    for (at, byte) in bytes.into_iter().enumerate() {
        array.set(at, byte)?;
    }
    Ok(array)
}

fn print_function<'js>(ctx: &Ctx<'js>, state: &Rc<State>) -> rquickjs::Result<Function<'js>> {
    let state = Rc::clone(state);
    Function::new(
        ctx.clone(),
        move |ctx: Ctx<'js>, values: Rest<JsValue<'js>>| {
            state.goes_on(&ctx)?;
            let shown: Vec<String> = values
                .0
                .iter()
                .map(|value| inspect::top(&state, &ctx, value))
                .collect();
            state.run.control.print(shown.join(" ")).map_err(|_| {
                state.mark_limit_site(&ctx);
                Exception::throw_message(&ctx, "too much output")
            })
        },
    )?
    .with_name("log")
}
