//! Values in and out of a program: exactly JSON, or refused with the reason and the place.
//!
//! Allowed: null, booleans, strings, finite numbers but `-0`, dense plain arrays, plain objects.
//! Everything else would come out as something it is not.

use rquickjs::object::Filter;
use rquickjs::{Atom, Ctx, Error, Object, Persistent, Type, Value as JsValue};
use serde_json::{Map, Number, Value};

use crate::lossy::{self, Lossy, Step};
use crate::wide::{self, Shape};

/// How deep a value may nest. `serde_json` drops values recursively, so depth is bounded before
/// anything is built.
pub(crate) const DEEPEST: usize = 512;

/// 2^53 - 1: up to here a program's numbers are exact.
pub(crate) const SAFE: i64 = (1 << 53) - 1;

/// The prototypes of plain values, taken before a program could replace them.
pub(crate) struct Plain {
    object: Persistent<Object<'static>>,
    array: Persistent<Object<'static>>,
}

impl Plain {
    pub(crate) fn new<'js>(ctx: &Ctx<'js>) -> rquickjs::Result<Self> {
        let object = Object::new(ctx.clone())?;
        let array = rquickjs::Array::new(ctx.clone())?.into_object();
        let prototype = |of: &Object<'js>| {
            let prototype = of.get_prototype().ok_or(Error::Unknown)?;
            Ok::<_, Error>(Persistent::save(ctx, prototype))
        };
        Ok(Self {
            object: prototype(&object)?,
            array: prototype(&array)?,
        })
    }
}

/// A container that is being filled.
struct Open<'js, 's> {
    object: Object<'js>,
    shape: Shape<'s>,
    rest: Rest<'js>,
    built: Built,
}

enum Rest<'js> {
    Items { next: usize, len: usize },
    Entries(std::vec::IntoIter<Atom<'js>>),
}

enum Built {
    Array(Vec<Value>),
    Object(Map<String, Value>),
}

/// A value that left the program.
pub(crate) struct Snapshot {
    pub(crate) value: Value,
    /// Bytes of memory, about.
    pub(crate) weight: usize,
}

/// A snapshot of `value`, at most `budget` bytes of JSON. `shape` is where the schema wants 64-bit
/// integers, which come as digits.
pub(crate) fn snapshot<'js>(
    ctx: &Ctx<'js>,
    plain: &Plain,
    value: &JsValue<'js>,
    shape: Shape<'_>,
    budget: usize,
) -> Result<Snapshot, Lossy> {
    let mut walk = Walk {
        object: plain.object.clone().restore(ctx).map_err(|_| gone())?,
        array: plain.array.clone().restore(ctx).map_err(|_| gone())?,
        ctx,
        budget,
        left: budget,
        parts: 0,
        path: Vec::new(),
        open: Vec::new(),
    };
    let value = walk.run(value, shape)?;
    let weight = (budget - walk.left) + walk.parts * size_of::<Value>();
    Ok(Snapshot { value, weight })
}

fn gone() -> Lossy {
    Lossy::at(&[], "the engine is gone", None)
}

struct Walk<'c, 'js, 's> {
    ctx: &'c Ctx<'js>,
    object: Object<'js>,
    array: Object<'js>,
    budget: usize,
    left: usize,
    parts: usize,
    path: Vec<Step>,
    open: Vec<Open<'js, 's>>,
}

impl<'js, 's> Walk<'_, 'js, 's> {
    fn run(&mut self, root: &JsValue<'js>, shape: Shape<'s>) -> Result<Value, Lossy> {
        let mut done = self.enter(root, shape)?;
        loop {
            if let Some(value) = done.take() {
                let Some(parent) = self.open.last_mut() else {
                    return Ok(value);
                };
                match (&mut parent.built, self.path.pop()) {
                    (Built::Object(map), Some(Step::Key(key))) => drop(map.insert(key, value)),
                    (Built::Array(items), _) => items.push(value),
                    (Built::Object(_), _) => {}
                }
            }
            done = match self.next_part()? {
                Some((value, shape)) => self.enter(&value, shape)?,
                None => self.open.pop().map(|open| match open.built {
                    Built::Array(items) => Value::Array(items),
                    Built::Object(map) => Value::Object(map),
                }),
            };
        }
    }

    /// The next part of the innermost open container; `path` names it.
    fn next_part(&mut self) -> Result<Option<(JsValue<'js>, Shape<'s>)>, Lossy> {
        let Some(open) = self.open.last_mut() else {
            return Ok(None);
        };
        let (step, read, shape) = match &mut open.rest {
            Rest::Items { next, len } if *next < *len => {
                let at = *next;
                *next += 1;
                let read = u32::try_from(at).map_err(|_| Error::Unknown);
                let read = read.and_then(|at| open.object.get::<_, JsValue<'js>>(at));
                (Step::Index(at), read, open.shape.item(at))
            }
            Rest::Items { .. } => return Ok(None),
            Rest::Entries(keys) => {
                let Some(atom) = keys.next() else {
                    return Ok(None);
                };
                // Not by way of `Atom::to_string`, which takes half of a character for UTF-8.
                let name = atom.to_js_string().and_then(|name| name.to_string());
                let Ok(key) = name else {
                    self.ctx.catch();
                    return Err(self.lossy("a key with half of a character is not JSON", None));
                };
                let shape = open.shape.property(&key);
                let read = open.object.get::<_, JsValue<'js>>(atom);
                (Step::Key(key), read, shape)
            }
        };
        if let Step::Key(key) = &step {
            let cost = key.len() + 4;
            self.path.push(step);
            self.charge(cost)?;
        } else {
            self.path.push(step);
            self.charge(1)?;
        }
        match read {
            Ok(value) => Ok(Some((value, shape))),
            Err(_) => {
                self.ctx.catch();
                Err(self.lossy("a getter that throws is not JSON", None))
            }
        }
    }

    /// A scalar's value, or `None` after opening a container.
    fn enter(&mut self, value: &JsValue<'js>, shape: Shape<'s>) -> Result<Option<Value>, Lossy> {
        self.parts += 1;
        match value.type_of() {
            Type::Null => self.scalar(4, Value::Null),
            Type::Bool => self.scalar(5, Value::Bool(value.as_bool() == Some(true))),
            Type::Int | Type::Float => self.number(value.as_number().unwrap_or(f64::NAN), &shape),
            Type::String => self.string(value, &shape),
            Type::BigInt => self.big_int(value, &shape),
            Type::Array => self.open_array(value, shape),
            Type::Object => self.open_object(value, shape),
            other => Err(self.odd(other, value)),
        }
    }

    fn scalar(&mut self, cost: usize, value: Value) -> Result<Option<Value>, Lossy> {
        self.charge(cost)?;
        Ok(Some(value))
    }

    #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
    #[expect(clippy::cast_precision_loss, reason = "2^53 - 1 is exact")]
    fn number(&mut self, number: f64, shape: &Shape<'_>) -> Result<Option<Value>, Lossy> {
        if number == 0.0 && number.is_sign_negative() {
            return Err(self.lossy("-0 is not JSON", Some("use 0")));
        }
        let exact = number.abs() <= SAFE as f64;
        if number.fract() == 0.0 && exact {
            let number = number as i64;
            let digits = number.unsigned_abs().checked_ilog10().unwrap_or(0) as usize + 1;
            return self.scalar(digits + usize::from(number < 0), Value::from(number));
        }
        if !exact && number.is_finite() && shape.is_wide() {
            return Err(self.lossy(
                "a number beyond 2^53 has lost digits",
                Some("write the integer as a string of all its digits"),
            ));
        }
        match Number::from_f64(number) {
            Some(number) => self.scalar(20, Value::Number(number)),
            None => {
                let name = match number {
                    f64::INFINITY => "Infinity",
                    f64::NEG_INFINITY => "-Infinity",
                    _ => "NaN",
                };
                Err(self.lossy(&format!("{name} is not JSON"), Some("use null")))
            }
        }
    }

    fn string(&mut self, value: &JsValue<'js>, shape: &Shape<'_>) -> Result<Option<Value>, Lossy> {
        let text = value.as_string().and_then(|text| text.to_string().ok());
        let Some(text) = text else {
            // Also clears what the engine raised when it had no memory for the copy.
            self.ctx.catch();
            return Err(self.lossy(
                "a string with half of a character is not JSON",
                Some("call `.toWellFormed()` on it"),
            ));
        };
        if shape.is_wide()
            && let Some(number) = wide::digits(&text)
        {
            return self.scalar(20, Value::Number(number));
        }
        self.charge(text.len() + 2)?;
        Ok(Some(Value::String(text)))
    }

    fn big_int(&mut self, value: &JsValue<'js>, shape: &Shape<'_>) -> Result<Option<Value>, Lossy> {
        let text = value.get::<rquickjs::Coerced<String>>().map(|text| text.0);
        match text
            .ok()
            .filter(|_| shape.is_wide())
            .and_then(|text| wide::digits(&text))
        {
            Some(number) => self.scalar(20, Value::Number(number)),
            None => Err(self.lossy("a BigInt is not JSON", Some("use a number or a string"))),
        }
    }

    fn open_array(
        &mut self,
        value: &JsValue<'js>,
        shape: Shape<'s>,
    ) -> Result<Option<Value>, Lossy> {
        let Some(object) = value.clone().into_object() else {
            return Err(self.odd(Type::Unknown, value));
        };
        if object.get_prototype().as_ref() != Some(&self.array) {
            return Err(self.odd(Type::Object, value));
        }
        let len = value.as_array().map_or(0, rquickjs::Array::len);
        if len > self.left {
            self.charge(len)?;
        }
        let keys = object
            .own_keys::<Atom<'js>>(Filter::new().string().symbol())
            .count();
        // `length` is a key of its own.
        if keys != len + 1 {
            return Err(self.lossy("an array with holes or extra properties is not JSON", None));
        }
        self.open(Open {
            object,
            shape,
            rest: Rest::Items { next: 0, len },
            built: Built::Array(Vec::new()),
        })
    }

    fn open_object(
        &mut self,
        value: &JsValue<'js>,
        shape: Shape<'s>,
    ) -> Result<Option<Value>, Lossy> {
        let Some(object) = value.clone().into_object() else {
            return Err(self.odd(Type::Unknown, value));
        };
        if object
            .get_prototype()
            .is_some_and(|prototype| prototype != self.object)
        {
            return Err(self.odd(Type::Object, value));
        }
        let all = object
            .own_keys::<Atom<'js>>(Filter::new().string().symbol())
            .count();
        let keys: Vec<Atom<'js>> = object
            .own_keys(Filter::default())
            .collect::<Result<_, _>>()
            .unwrap_or_default();
        if keys.len() != all {
            return Err(self.lossy(
                "an object with symbols or hidden properties is not JSON",
                None,
            ));
        }
        self.open(Open {
            object,
            shape,
            rest: Rest::Entries(keys.into_iter()),
            built: Built::Object(Map::new()),
        })
    }

    fn open(&mut self, open: Open<'js, 's>) -> Result<Option<Value>, Lossy> {
        self.charge(2)?;
        if self.open.iter().any(|outer| outer.object == open.object) {
            return Err(self.lossy("an object that holds itself is not JSON", None));
        }
        if self.open.len() >= DEEPEST {
            self.path.clear();
            return Err(self.lossy(&format!("more than {DEEPEST} levels are not allowed"), None));
        }
        self.open.push(open);
        Ok(None)
    }

    fn charge(&mut self, bytes: usize) -> Result<(), Lossy> {
        if let Some(left) = self.left.checked_sub(bytes) {
            self.left = left;
            return Ok(());
        }
        self.path.clear();
        let what = format!("more than {} of JSON", crate::limits::bytes(self.budget));
        let mut lossy = self.lossy(&what, None);
        lossy.too_large = true;
        Err(lossy)
    }

    fn odd(&self, ty: Type, value: &JsValue<'js>) -> Lossy {
        let (what, instead) = lossy::kind(self.ctx, ty, value, self.path.is_empty());
        self.lossy(&format!("{what} is not JSON"), instead)
    }

    fn lossy(&self, what: &str, instead: Option<&'static str>) -> Lossy {
        Lossy::at(&self.path, what, instead)
    }
}
