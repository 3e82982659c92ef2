//! How `console.log` shows a value that is not a string.

use std::fmt::Write as _;

use rquickjs::object::Filter;
use rquickjs::promise::PromiseState;
use rquickjs::{Atom, Coerced, Ctx, Object, Type, Value as JsValue};

use crate::spell;
use crate::state::State;
use crate::trace;

const DEPTH: usize = 4;
const ITEMS: usize = 100;
const STRING: usize = 10_000;

/// Nothing is added to a text that is so long. Parts may be shared, so a small value can be shown
/// at any length.
const TEXT: usize = 100_000;

/// `value` as an argument of `console.log`: a string is itself, an object is shown in part.
pub(crate) fn top<'js>(state: &State, ctx: &Ctx<'js>, value: &JsValue<'js>) -> String {
    if let Some(text) = value.as_string() {
        return text.to_string().unwrap_or_else(|_| well_formed(ctx, value));
    }
    let mut out = String::new();
    show(state, ctx, value, 0, &mut Vec::new(), &mut out);
    out
}

/// A string with half of a character in it, which becomes a replacement character.
fn well_formed<'js>(ctx: &Ctx<'js>, value: &JsValue<'js>) -> String {
    let json = ctx.json_stringify(value.clone()).ok().flatten();
    let json = json.and_then(|json| json.to_string().ok());
    ctx.catch();
    json.and_then(|json| serde_json::from_str(&mended(&json)).ok())
        .unwrap_or_else(|| "[string]".to_owned())
}

/// JSON text whose escaped halves of characters, such as `\ud800`, are replacement characters.
fn mended(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let half = escape.get(2..4).is_some_and(|digits| {
            escape.starts_with("\\u") && digits.starts_with('d') && digits > "d7"
        });
        let len = if half { 6 } else { 2 };
        let (escape, after) = escape.split_at(len.min(escape.len()));
        out.push_str(if half { "\u{fffd}" } else { escape });
        rest = after;
    }
    out.push_str(rest);
    out
}

fn show<'js>(
    state: &State,
    ctx: &Ctx<'js>,
    value: &JsValue<'js>,
    depth: usize,
    open: &mut Vec<Object<'js>>,
    out: &mut String,
) {
    if out.len() > TEXT {
        out.push_str("...");
        return;
    }
    match value.type_of() {
        Type::Undefined | Type::Uninitialized => out.push_str("undefined"),
        Type::Null => out.push_str("null"),
        Type::Bool => out.push_str(if value.as_bool() == Some(true) {
            "true"
        } else {
            "false"
        }),
        Type::Int | Type::Float | Type::BigInt => {
            let negative_zero = value
                .as_float()
                .is_some_and(|n| n == 0.0 && n.is_sign_negative());
            if negative_zero {
                out.push('-');
            }
            out.push_str(&coerced(ctx, value));
            if value.is_big_int() {
                out.push('n');
            }
        }
        Type::String => {
            let text = value.as_string().and_then(|text| text.to_string().ok());
            let text = text.unwrap_or_else(|| well_formed(ctx, value));
            out.push_str(&spell::quoted(&crate::source::shortened(&text, STRING)));
        }
        Type::Symbol => {
            let name = value
                .as_symbol()
                .and_then(|symbol| symbol.description().ok());
            let name =
                name.and_then(|name| name.as_string().and_then(|name| name.to_string().ok()));
            let _ = write!(out, "Symbol({})", name.unwrap_or_default());
        }
        Type::Function | Type::Constructor => {
            let name = value
                .as_object()
                .and_then(|object| object.get::<_, String>("name").ok());
            ctx.catch();
            match name.filter(|name| !name.is_empty()) {
                Some(name) => drop(write!(
                    out,
                    "[Function {}]",
                    crate::source::shortened(&name, 80)
                )),
                None => out.push_str("[Function]"),
            }
        }
        Type::Promise => out.push_str(match value.as_promise().map(rquickjs::Promise::state) {
            Some(PromiseState::Pending) => "[Promise pending: did you forget `await`?]",
            Some(PromiseState::Rejected) => "[Promise rejected: did you forget `await`?]",
            _ => "[Promise fulfilled: did you forget `await`?]",
        }),
        Type::Proxy => out.push_str("[Proxy]"),
        Type::Exception => {
            let thrown = trace::describe(state, ctx, value);
            out.push_str(&thrown.message);
            if depth == 0 {
                for frame in &thrown.frames {
                    let _ = write!(out, "\n    {}", frame.text);
                }
            }
        }
        Type::Array | Type::Object => match value.as_object() {
            Some(object) => show_object(state, ctx, object, depth, open, out),
            None => out.push_str("[object]"),
        },
        _ => out.push_str("[unknown]"),
    }
}

fn show_object<'js>(
    state: &State,
    ctx: &Ctx<'js>,
    object: &Object<'js>,
    depth: usize,
    open: &mut Vec<Object<'js>>,
    out: &mut String,
) {
    if open.contains(object) {
        out.push_str("[Circular]");
        return;
    }
    let parts = special(state, ctx, object);
    if let Some((kind, shown)) = &parts
        && kind == "text"
    {
        out.push_str(&coerced(ctx, shown));
        return;
    }
    if depth >= DEPTH {
        out.push_str(if object.is_array() {
            "[Array]"
        } else {
            "[Object]"
        });
        return;
    }
    open.push(object.clone());
    if let Some((kind, shown)) = parts {
        let step = if kind == "Map" { 2 } else { 1 };
        let parts = shown.as_array();
        let len = parts.map_or(0, rquickjs::Array::len);
        let _ = write!(out, "{kind}({}) {{", len / step);
        for at in (0..len).step_by(step).take(ITEMS) {
            if out.len() > TEXT {
                break;
            }
            out.push_str(if at == 0 { " " } else { ", " });
            for part in at..at + step {
                if part > at {
                    out.push_str(" => ");
                }
                if let Some(part) = parts.and_then(|parts| parts.get::<JsValue<'js>>(part).ok()) {
                    show(state, ctx, &part, depth + 1, open, out);
                }
            }
        }
        close(out, "}", len / step);
    } else if let Some(array) = object.as_value().as_array() {
        out.push('[');
        for at in 0..array.len().min(ITEMS) {
            if out.len() > TEXT {
                break;
            }
            out.push_str(if at == 0 { " " } else { ", " });
            match array.get::<JsValue<'js>>(at) {
                Ok(item) => show(state, ctx, &item, depth + 1, open, out),
                Err(_) => out.push_str(thrown(ctx)),
            }
        }
        close(out, "]", array.len());
    } else {
        show_entries(state, ctx, object, depth, open, out);
    }
    open.pop();
}

fn show_entries<'js>(
    state: &State,
    ctx: &Ctx<'js>,
    object: &Object<'js>,
    depth: usize,
    open: &mut Vec<Object<'js>>,
    out: &mut String,
) {
    let class = object
        .get::<_, Object<'js>>("constructor")
        .and_then(|class| class.get::<_, String>("name"))
        .unwrap_or_default();
    ctx.catch();
    if !class.is_empty() && class != "Object" {
        let _ = write!(out, "{} ", crate::source::shortened(&class, 80));
    }
    out.push('{');
    let mut count = 0;
    for key in object.own_keys::<Atom<'js>>(Filter::default()) {
        let Ok(key) = key else { break };
        count += 1;
        if count > ITEMS || out.len() > TEXT {
            continue;
        }
        out.push_str(if count == 1 { " " } else { ", " });
        let name = key.to_value().map(|name| top(state, ctx, &name));
        out.push_str(&spell::key(&name.unwrap_or_default()));
        out.push_str(": ");
        match object.get::<_, JsValue<'js>>(key) {
            Ok(value) => show(state, ctx, &value, depth + 1, open, out),
            Err(_) => out.push_str(thrown(ctx)),
        }
    }
    close(out, "}", count);
}

fn close(out: &mut String, bracket: &str, len: usize) {
    if len > ITEMS {
        let _ = write!(out, ", ... {} more", len - ITEMS);
    }
    if len > 0 {
        out.push(' ');
    }
    out.push_str(bracket);
}

fn thrown(ctx: &Ctx<'_>) -> &'static str {
    ctx.catch();
    "[getter threw]"
}

fn coerced<'js>(ctx: &Ctx<'js>, value: &JsValue<'js>) -> String {
    match value.get::<Coerced<String>>() {
        Ok(text) => text.0,
        Err(_) => {
            ctx.catch();
            "[unknown]".to_owned()
        }
    }
}

/// A map's, set's, date's or pattern's kind and parts, from the prelude.
fn special<'js>(
    state: &State,
    ctx: &Ctx<'js>,
    object: &Object<'js>,
) -> Option<(String, JsValue<'js>)> {
    let parts = state
        .world
        .borrow()
        .as_ref()
        .map(|world| world.parts.clone())?;
    let parts = parts.restore(ctx).ok()?;
    let found = parts.call::<_, Option<rquickjs::Array<'js>>>((object.clone(),));
    let Ok(found) = found else {
        ctx.catch();
        return None;
    };
    let found = found?;
    Some((found.get(0).ok()?, found.get(1).ok()?))
}
