//! A host for programs: a few tools, run as tokio tasks, and a record of what was called.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses its own part of this"
)]

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tool_code_mode::{Failure, Host, Limits, ProgramOutput, QuickJs, Reply, SdkTool, Submitted};

type Body = Arc<
    dyn Fn(Submitted) -> Pin<Box<dyn Future<Output = Result<Value, String>> + Send>> + Send + Sync,
>;

pub struct Tool {
    pub parameters: Value,
    pub output: Value,
    pub description: String,
    body: Body,
}

#[derive(Default)]
pub struct Kit {
    tools: BTreeMap<String, Tool>,
    pub calls: Mutex<Vec<(u32, String, Value)>>,
    pub ended: Mutex<Vec<u32>>,
}

impl Kit {
    /// `echo`, `add`, `fail`, `slow`, `forever`.
    pub fn usual() -> Self {
        Self::default()
            .tool(
                "echo",
                |call| async move { Ok(call.arguments["value"].clone()) },
            )
            .tool("args", |call| async move { Ok(call.arguments) })
            .tool("add", |call| async move {
                let sum = ["a", "b"]
                    .iter()
                    .filter_map(|key| call.arguments[key].as_i64())
                    .sum::<i64>();
                Ok(json!(sum))
            })
            .tool("fail", |call| async move {
                Err(call.arguments["message"]
                    .as_str()
                    .unwrap_or("disk on fire")
                    .to_owned())
            })
            .tool("slow", |call| async move {
                let ms = call.arguments["ms"].as_u64().unwrap_or(50);
                tokio::select! {
                    () = tokio::time::sleep(Duration::from_millis(ms)) => Ok(json!(ms)),
                    () = call.cancellation.cancelled() => Err("tool call aborted".to_owned()),
                }
            })
            .tool("forever", |call| async move {
                call.cancellation.cancelled().await;
                Err("tool call aborted".to_owned())
            })
    }

    pub fn tool<F, R>(self, name: &str, body: F) -> Self
    where
        F: Fn(Submitted) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, String>> + Send + 'static,
    {
        self.typed(name, json!({}), body)
    }

    pub fn typed<F, R>(mut self, name: &str, parameters: Value, body: F) -> Self
    where
        F: Fn(Submitted) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Value, String>> + Send + 'static,
    {
        let body: Body = Arc::new(move |call| Box::pin(body(call)));
        let tool = Tool {
            parameters,
            output: json!({}),
            description: String::new(),
            body,
        };
        self.tools.insert(name.to_owned(), tool);
        self
    }

    pub fn called(&self) -> Vec<String> {
        let calls = self.calls.lock().expect("calls");
        calls
            .iter()
            .map(|(number, tool, arguments)| format!("{number} {tool} {arguments}"))
            .collect()
    }
}

/// The host that the engine sees.
pub struct KitHost(pub Arc<Kit>);

impl KitHost {
    fn answer(result: Result<Value, String>, reply: Reply) {
        match result {
            Ok(value) => reply.resolve(value),
            Err(message) => reply.reject(message),
        }
    }
}

impl Host for KitHost {
    fn tools(&self) -> Vec<String> {
        self.0.tools.keys().cloned().collect()
    }

    fn tool(&self, name: &str) -> Option<SdkTool<'_>> {
        let (name, tool) = self.0.tools.get_key_value(name)?;
        Some(SdkTool {
            name,
            description: &tool.description,
            parameters: &tool.parameters,
            output: &tool.output,
        })
    }

    fn submit(&self, call: Submitted, reply: Reply) {
        let kit = Arc::clone(&self.0);
        let number = call.number;
        kit.calls
            .lock()
            .expect("calls")
            .push((number, call.tool.clone(), call.arguments.clone()));
        let body = Arc::clone(&kit.tools[&call.tool].body);
        let handle = kit_handle();
        handle.spawn(async move {
            let result = body(call).await;
            kit.ended.lock().expect("ended").push(number);
            Self::answer(result, reply);
        });
    }
}

fn kit_handle() -> tokio::runtime::Handle {
    static RUNTIME: std::sync::OnceLock<tokio::runtime::Runtime> = std::sync::OnceLock::new();
    let runtime = RUNTIME.get_or_init(|| {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime for the tools")
    });
    runtime.handle().clone()
}

pub fn engine() -> QuickJs {
    QuickJs::new()
}

pub fn limited(limits: Limits) -> QuickJs {
    QuickJs::new().limits(limits)
}

pub async fn run_on(engine: &QuickJs, kit: Kit, code: &str) -> Result<ProgramOutput, Failure> {
    let host = Arc::new(KitHost(Arc::new(kit)));
    engine
        .run(code.to_owned(), host, CancellationToken::new())
        .await
}

/// Runs `code` with the usual tools and the default limits.
pub async fn run(code: &str) -> Result<ProgramOutput, Failure> {
    run_on(&engine(), Kit::usual(), code).await
}

/// What it returned; panics with the failure's text otherwise.
pub async fn value(code: &str) -> Value {
    match run(code).await {
        Ok(completion) => completion.result().cloned().unwrap_or(json!("<nothing>")),
        Err(failure) => panic!("{code}\n{failure}"),
    }
}

/// The text that the model reads.
pub async fn text(code: &str) -> String {
    match run(code).await {
        Ok(completion) => completion.text(),
        Err(failure) => failure.to_string(),
    }
}
