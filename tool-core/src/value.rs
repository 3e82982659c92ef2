//! The canonical value of a result: typed as the body returned it, JSON when somebody asks.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::Serialize;
use serde_json::Value;

use crate::contain::Sheltered;
use crate::content::{Content, ContentBlock};
use crate::schema;

/// A value behind its type: what the pipeline can do with any of them.
pub trait ErasedValue: Send + Sync {
    /// The value itself.
    fn as_any(&self) -> &dyn Any;
    /// The value itself, shared.
    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
    /// The value as JSON.
    ///
    /// # Errors
    ///
    /// What its `Serialize` says.
    fn to_json(&self) -> Result<Value, String>;
    /// The value as compact JSON text.
    ///
    /// # Errors
    ///
    /// What its `Serialize` says.
    fn to_text(&self) -> Result<String, String>;
    /// [`to_text`](Self::to_text) and [`check_finite`](Self::check_finite) in one.
    ///
    /// # Errors
    ///
    /// What either says.
    fn to_finite_text(&self) -> Result<String, String>;
    /// Refuses what JSON cannot carry: `NaN`, infinities, integers beyond 64 bits.
    ///
    /// # Errors
    ///
    /// The path and what stands there.
    fn check_finite(&self) -> Result<(), String>;
    /// Blocks that the body made itself (images, sounds, resources).
    fn own_content(&self) -> Option<&[ContentBlock]> {
        None
    }
}

impl<T: Serialize + Send + Sync + 'static> ErasedValue for T {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }

    fn to_json(&self) -> Result<Value, String> {
        serde_json::to_value(self).map_err(|error| error.to_string())
    }

    fn to_text(&self) -> Result<String, String> {
        serde_json::to_string(self).map_err(|error| error.to_string())
    }

    fn to_finite_text(&self) -> Result<String, String> {
        let text = self.to_text()?;
        // serde writes `null` for `NaN` and infinities, which only another look tells from a `None`.
        if text.contains("null") || schema::has_long_integer(&text) {
            self.check_finite()?;
        }
        Ok(text)
    }

    fn check_finite(&self) -> Result<(), String> {
        schema::check_finite(self).map_err(|(path, what)| format!("{path}: {what}"))
    }
}

/// A success value: typed until a hook replaces it by JSON, and its JSON form once asked for.
#[derive(Clone)]
pub(crate) struct Stored {
    typed: Option<Sheltered<Arc<dyn ErasedValue>>>,
    /// Boxed: results are moved more often than their JSON is asked for.
    json: OnceLock<Box<Value>>,
}

impl Stored {
    pub(crate) fn typed(value: Arc<dyn ErasedValue>) -> Self {
        Self {
            typed: Some(Sheltered::new(value)),
            json: OnceLock::new(),
        }
    }

    pub(crate) fn json(value: Value) -> Self {
        Self {
            typed: None,
            json: Box::new(value).into(),
        }
    }

    /// The canonical JSON, made at the first call. `null` where `Serialize` fails; the
    /// pipeline refuses such a value before anybody can ask.
    pub(crate) fn to_json(&self) -> &Value {
        self.json.get_or_init(|| {
            let json = self.typed.as_ref().and_then(|value| value.to_json().ok());
            Box::new(json.unwrap_or(Value::Null))
        })
    }

    pub(crate) fn erased(&self) -> Option<&dyn ErasedValue> {
        self.typed.as_ref().map(|value| &***value)
    }

    pub(crate) fn into_typed(self) -> Option<Arc<dyn ErasedValue>> {
        self.typed.map(Sheltered::into_inner)
    }

    /// The value as the body's own type, unless a hook replaced it by JSON.
    pub(crate) fn downcast<T: 'static>(&self) -> Option<&T> {
        self.typed.as_ref()?.as_any().downcast_ref()
    }

    /// The content of a value nobody renders: a string as it is, anything else as compact JSON.
    pub(crate) fn render(&self) -> Result<Content, String> {
        self.render_by(|typed| typed.to_text())
    }

    /// The same of a value that may hold what JSON cannot carry, which is refused.
    pub(crate) fn render_finite(&self) -> Result<Content, String> {
        match &self.typed {
            Some(typed) if typed.own_content().is_some() => {
                typed.check_finite()?;
                self.render()
            }
            _ => self.render_by(|typed| typed.to_finite_text()),
        }
    }

    fn render_by(
        &self,
        write: impl FnOnce(&dyn ErasedValue) -> Result<String, String>,
    ) -> Result<Content, String> {
        let Some(typed) = &self.typed else {
            return Ok(Content::text(match self.to_json() {
                Value::String(text) => text.clone(),
                other => schema::text_of(other),
            }));
        };
        if let Some(blocks) = typed.own_content() {
            return Ok(Content::Many(blocks.to_vec()));
        }
        if let Some(text) = typed.as_any().downcast_ref::<String>() {
            return Ok(Content::text(text.as_str()));
        }
        let text = write(&***typed)?;
        // A value whose JSON is a string is a string, whatever type it came from.
        if text.starts_with('"') {
            return serde_json::from_str::<String>(&text)
                .map(Content::text)
                .map_err(|error| error.to_string());
        }
        Ok(Content::text(text))
    }
}

impl fmt::Debug for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.to_json(), f)
    }
}
