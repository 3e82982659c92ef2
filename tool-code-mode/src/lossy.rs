//! Why a value is not JSON, in words: what it is, where it is, what to use instead.

use std::fmt::{self, Write as _};

use rquickjs::{Ctx, Object, Type, Value as JsValue};

use crate::source::shortened;
use crate::spell;

/// Why a value is not JSON, or not acceptable as such.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Lossy {
    /// `.items[3].x`; empty for the whole value.
    path: String,
    /// `undefined is not JSON`
    what: String,
    /// `leave the property out, or use null`
    instead: Option<&'static str>,
    /// The value is too large, not of the wrong kind.
    pub(crate) too_large: bool,
}

impl Lossy {
    pub(crate) fn at(path: &[Step], what: &str, instead: Option<&'static str>) -> Self {
        let mut place = String::new();
        for step in path {
            let _ = match step {
                Step::Index(at) => write!(place, "[{at}]"),
                Step::Key(key) if spell::is_identifier(key) => write!(place, ".{key}"),
                Step::Key(key) => write!(place, "[{}]", spell::quoted(key)),
            };
        }
        Self {
            path: place,
            what: what.to_owned(),
            instead,
            too_large: false,
        }
    }

    /// `undefined is not JSON at .items[3].x`
    pub(crate) fn what(&self) -> String {
        if self.path.is_empty() {
            self.what.clone()
        } else {
            format!("{} at {}", self.what, self.path)
        }
    }

    /// What to write instead.
    pub(crate) fn instead(&self) -> Option<&'static str> {
        self.instead
    }
}

impl fmt::Display for Lossy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what())?;
        if let Some(instead) = self.instead {
            write!(f, ": {instead}")?;
        }
        Ok(())
    }
}

/// One step from a value to a part of it.
pub(crate) enum Step {
    Key(String),
    Index(usize),
}

/// `a Date` and what to use instead of it; `whole` if it is not a part of anything.
pub(crate) fn kind<'js>(
    ctx: &Ctx<'js>,
    ty: Type,
    value: &JsValue<'js>,
    whole: bool,
) -> (String, Option<&'static str>) {
    let (what, instead) = match ty {
        Type::Undefined | Type::Uninitialized if whole => {
            ("undefined", Some("pass an object, such as `{}`"))
        }
        Type::Undefined | Type::Uninitialized => {
            ("undefined", Some("leave the property out, or use null"))
        }
        Type::Promise => ("a promise", Some("did you forget `await`?")),
        Type::Function | Type::Constructor => ("a function", Some("call it, or leave it out")),
        Type::Symbol => ("a symbol", None),
        Type::Proxy => ("a Proxy", Some("copy what it shows into an object")),
        Type::Exception => ("an Error", Some("use its `.message`")),
        _ => return instance(ctx, value),
    };
    (what.to_owned(), instead)
}

/// `a Date`, by the name of its class.
fn instance<'js>(ctx: &Ctx<'js>, value: &JsValue<'js>) -> (String, Option<&'static str>) {
    let class = value
        .as_object()
        .and_then(|object| object.get::<_, Object<'js>>("constructor").ok())
        .and_then(|class| class.get::<_, String>("name").ok())
        .map(|name| shortened(&name, 60))
        .unwrap_or_default();
    ctx.catch();
    let instead = match class.as_str() {
        "Date" => Some("use `.toISOString()`"),
        "Map" => Some("use `Object.fromEntries(map)`"),
        "Set" => Some("use `[...set]`"),
        "String" | "Number" | "Boolean" => Some("use `.valueOf()`"),
        "RegExp" => Some("use its `.source`"),
        "Uint8Array" => Some("use `Array.from(bytes)`"),
        _ => Some("copy what you need into a plain object"),
    };
    match class.as_str() {
        "" => ("an object of a class".to_owned(), instead),
        class if class.starts_with(['A', 'E', 'I', 'O', 'U']) => {
            (format!("an instance of {class}"), instead)
        }
        class => (format!("a {class}"), instead),
    }
}
