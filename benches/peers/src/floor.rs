//! Floors: the stages of a pipeline put together by hand for this one tool, and nothing else.
//!
//! | | hooks | arguments | result |
//! |---|---|---|---|
//! | [`Floor::typed`] | two guards, around, post; none looks at JSON | text to a struct | a struct to text |
//! | [`Floor::on_text`] | two guards that read JSON, around, post on text, finalizer | a checked JSON value | a struct to text |
//! | [`Floor::json`] | all, with or without | a checked JSON value | a checked JSON value to text |

use std::collections::HashMap;
use std::future::Future;
use std::hint::black_box;
use std::pin::Pin;
use std::sync::Arc;

use jsonschema::Validator;
use serde::Deserialize;
use serde_json::Value;
use tool_benches::work::{SearchArgs, SearchOut, body, by_hand};

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
type Outcome<T> = Result<T, String>;

async fn found(arguments: SearchArgs) -> SearchOut {
    body(&arguments.query, arguments.limit, &arguments.tags)
}

type Function = dyn for<'a> Fn(&'a str) -> Boxed<'a, String> + Send + Sync;

/// A map of boxed functions: the least a registry can be.
pub struct Named(HashMap<String, Arc<Function>>);

impl Named {
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let function: Arc<Function> = Arc::new(|text| Box::pin(by_hand(text)));
        let named = names.into_iter().map(|name| (name, function.clone()));
        Self(named.collect())
    }

    pub async fn call(&self, name: &str, text: &str) -> String {
        self.0[name].clone()(text).await
    }
}

pub async fn by_way_of_json(text: &str) -> String {
    let value: Value = serde_json::from_str(text).expect("JSON");
    let arguments: SearchArgs = serde_json::from_value(value).expect("arguments that fit");
    let value = serde_json::to_value(found(arguments).await).expect("a value");
    serde_json::to_string(&value).expect("JSON")
}

/// What the hooks of the floors are, behind their traits.
trait Guard: Send + Sync {
    fn typed(&self, arguments: &SearchArgs) -> Option<String>;
    fn json(&self, arguments: &Value) -> Option<String>;
}

struct FewTags;

impl Guard for FewTags {
    fn typed(&self, arguments: &SearchArgs) -> Option<String> {
        (arguments.tags.len() > 1_000).then(|| "too many tags".to_owned())
    }

    fn json(&self, arguments: &Value) -> Option<String> {
        let tags = arguments["tags"].as_array().map_or(0, Vec::len);
        (tags > 1_000).then(|| "too many tags".to_owned())
    }
}

struct NoWord;

impl Guard for NoWord {
    fn typed(&self, arguments: &SearchArgs) -> Option<String> {
        let bad = arguments.query.contains("forbidden");
        bad.then(|| "forbidden word".to_owned())
    }

    fn json(&self, arguments: &Value) -> Option<String> {
        let bad = arguments["query"].as_str()?.contains("forbidden");
        bad.then(|| "forbidden word".to_owned())
    }
}

fn guards() -> [Arc<dyn Guard>; 2] {
    [Arc::new(FewTags), Arc::new(NoWord)]
}

/// All of it by hand.
pub struct Floor {
    guards: [Arc<dyn Guard>; 2],
    arguments: Validator,
    output: Validator,
}

fn validator<T: schemars::JsonSchema>() -> Validator {
    jsonschema::validator_for(&schemars::schema_for!(T).to_value()).expect("a schema")
}

impl Floor {
    pub fn new() -> Self {
        Self {
            guards: guards(),
            arguments: validator::<SearchArgs>(),
            output: validator::<SearchOut>(),
        }
    }

    /// Two guards, around, post; none looks at JSON.
    pub async fn typed(&self, text: &str) -> Outcome<String> {
        let arguments: SearchArgs = serde_json::from_str(text).map_err(|it| it.to_string())?;
        for guard in &self.guards {
            if let Some(reason) = guard.typed(&arguments) {
                return Err(reason);
            }
        }
        let inner: Boxed<'_, SearchOut> = Box::pin(found(arguments));
        let around: Boxed<'_, SearchOut> = Box::pin(inner);
        let value = around.await;
        let post: Boxed<'_, bool> = Box::pin(async { black_box(value.total) <= 1_000 });
        if !post.await {
            return Err("too many hits".to_owned());
        }
        serde_json::to_string(&value).map_err(|it| it.to_string())
    }

    /// One JSON value for the arguments: checked, and read by two guards. The result goes straight to text.
    pub async fn on_text(&self, text: &str) -> Outcome<String> {
        let value = self.checked(text, true)?;
        self.ask(&value)?;
        let inner: Boxed<'_, Outcome<String>> = Box::pin(async {
            let arguments = SearchArgs::deserialize(&value).map_err(|it| it.to_string())?;
            serde_json::to_string(&found(arguments).await).map_err(|it| it.to_string())
        });
        let around: Boxed<'_, Outcome<String>> = Box::pin(inner);
        let mut content = around.await?;
        let post: Boxed<'_, bool> = Box::pin(async { black_box(&content).is_empty() });
        if post.await {
            return Err("empty".to_owned());
        }
        finalize(&mut content);
        Ok(content)
    }

    /// JSON values on both sides: what a pipeline costs whose hooks all see JSON.
    pub async fn json(&self, text: &str, hooks: bool, check: bool) -> Outcome<(Value, String)> {
        let value = self.checked(text, check)?;
        if hooks {
            let pre: Boxed<'_, bool> = Box::pin(async { value["query"].is_null() });
            if pre.await {
                return Err("no query".to_owned());
            }
            self.ask(&value)?;
        }
        let mut running: Boxed<'_, Outcome<Value>> = Box::pin(async {
            let arguments = SearchArgs::deserialize(&value).map_err(|it| it.to_string())?;
            serde_json::to_value(found(arguments).await).map_err(|it| it.to_string())
        });
        if hooks {
            running = Box::pin(running);
        }
        let output = running.await?;
        if check && !self.output.is_valid(&output) {
            return Err("a value that does not fit".to_owned());
        }
        if hooks {
            let post: Boxed<'_, bool> = Box::pin(async { output["total"].is_null() });
            if post.await {
                return Err("no total".to_owned());
            }
        }
        let mut content = serde_json::to_string(&output).map_err(|it| it.to_string())?;
        if hooks {
            finalize(&mut content);
        }
        Ok((output, content))
    }

    fn checked(&self, text: &str, check: bool) -> Outcome<Value> {
        let value: Value = serde_json::from_str(text).map_err(|it| it.to_string())?;
        match !check || self.arguments.is_valid(&value) {
            true => Ok(value),
            false => Err("arguments that do not fit".to_owned()),
        }
    }

    fn ask(&self, arguments: &Value) -> Outcome<()> {
        let denied = self.guards.iter().find_map(|guard| guard.json(arguments));
        denied.map_or(Ok(()), Err)
    }
}

fn finalize(content: &mut String) {
    if content.len() > 1 << 20 {
        content.truncate(1 << 20);
    }
}
