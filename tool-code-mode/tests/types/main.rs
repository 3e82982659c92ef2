//! C109: the interface of tools over Rust types of every kind. TypeScript accepts it, it does not
//! depend on the order of registration, and a program that is written against it and checked by
//! `tsc` calls every tool.

#[path = "../common/mod.rs"]
mod common;
mod samples;
#[path = "../common/tsc.rs"]
mod tsc;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use samples::{Sample, samples};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tool_code_mode::{Host, Limits, Reply, SdkTool, Submitted, compact_sdk, sdk, signature};
use tool_core::dialect::Dialect;
use tool_core::{ToolCall, ToolRuntime};

/// What an interface says of a tool.
#[derive(Clone)]
struct Shown {
    name: String,
    description: String,
    parameters: Value,
    output: Value,
}

impl Shown {
    fn tool(&self) -> SdkTool<'_> {
        SdkTool {
            name: &self.name,
            description: &self.description,
            parameters: &self.parameters,
            output: &self.output,
        }
    }
}

fn runtime(samples: Vec<Sample>) -> ToolRuntime {
    let mut builder = ToolRuntime::builder();
    for sample in samples {
        builder = builder.tool(sample.tool);
    }
    builder.build().expect("builds")
}

/// The tools of `runtime` with both schemas, in the order of registration.
fn shown(runtime: &ToolRuntime) -> Vec<Shown> {
    let export = runtime.export(Dialect::Mcp);
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    let tools = export.tools.iter().map(|tool| Shown {
        name: text(&tool["name"]),
        description: text(&tool["description"]),
        parameters: tool["inputSchema"].clone(),
        output: tool["outputSchema"].clone(),
    });
    tools.collect()
}

fn texts(runtime: &ToolRuntime) -> (String, String) {
    let shown = shown(runtime);
    let tools: Vec<_> = shown.iter().map(Shown::tool).collect();
    (sdk(&tools), compact_sdk(&tools))
}

/// `value` as a program writes it: integers beyond 2^53 as digits in quotes.
fn literal(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(literal).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(map) => {
            let entries: Vec<String> = map
                .iter()
                .map(|(key, value)| format!("{}: {}", json!(key), literal(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Number(number) if is_wide(number) => format!("\"{number}\""),
        value => value.to_string(),
    }
}

fn is_wide(number: &serde_json::Number) -> bool {
    let size = number.as_i64().map(i64::unsigned_abs).or(number.as_u64());
    size.is_some_and(|size| size >= 1 << 53)
}

/// `value` as a program gets it.
fn received(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(received).collect(),
        Value::Object(map) => {
            let entries = map
                .iter()
                .map(|(key, value)| (key.clone(), received(value)));
            Value::Object(entries.collect())
        }
        Value::Number(number) if is_wide(number) => json!(number.to_string()),
        value => value.clone(),
    }
}

/// A program that calls every tool with every sample and returns what it got, by tool.
fn program(samples: &[Sample]) -> String {
    let mut code = "const got: Record<string, unknown[]> = {};\n".to_owned();
    for sample in samples {
        let name = sample.name;
        let _ = writeln!(code, "got.{name} = [];");
        for arguments in &sample.arguments {
            let arguments = literal(arguments);
            let _ = writeln!(
                code,
                "{{ const sent: ToolArgsMap[\"{name}\"] = {arguments}; \
                 const back: ToolOutputMap[\"{name}\"] = await tools.{name}(sent); \
                 got.{name}.push(back); }}",
            );
        }
    }
    code.push_str("return got;\n");
    code
}

/// Runs a program's calls through the whole pipeline, and keeps what the tools returned.
struct Pipeline {
    runtime: ToolRuntime,
    shown: BTreeMap<String, Shown>,
    returned: Arc<Mutex<BTreeMap<String, Vec<Value>>>>,
    tokio: tokio::runtime::Handle,
}

impl Pipeline {
    fn new(runtime: ToolRuntime) -> Self {
        let shown = shown(&runtime).into_iter();
        Self {
            shown: shown.map(|tool| (tool.name.clone(), tool)).collect(),
            runtime,
            returned: Arc::default(),
            tokio: tokio::runtime::Handle::current(),
        }
    }
}

impl Host for Pipeline {
    fn tools(&self) -> Vec<String> {
        self.shown.keys().cloned().collect()
    }

    fn tool(&self, name: &str) -> Option<SdkTool<'_>> {
        self.shown.get(name).map(Shown::tool)
    }

    fn submit(&self, call: Submitted, reply: Reply) {
        let runtime = self.runtime.clone();
        let returned = Arc::clone(&self.returned);
        self.tokio.spawn(async move {
            let id = format!("outer:code:{}", call.number);
            let tool = ToolCall::new(id, call.tool.clone(), call.arguments);
            let result = runtime.execute(tool.cancel(call.cancellation)).await;
            match result.value() {
                Some(value) => {
                    let mut returned = returned.lock().expect("returned");
                    returned.entry(call.tool).or_default().push(value.clone());
                    reply.resolve(value.clone());
                }
                None => reply.reject_arguments(result.text()),
            }
        });
    }
}

#[test]
fn the_list_is_long_and_every_signature_has_its_words() {
    let samples = samples();
    assert!(samples.len() >= 60, "{}", samples.len());
    for tool in shown(&runtime(samples)) {
        let signature = signature(&tool.tool());
        let start = format!("tools.{}(args", tool.name);
        assert!(signature.starts_with(&start), "{signature}");
        let one = sdk(&[tool.tool()]);
        assert!(one.contains("/** Gives `x` back. */"), "{one}");
    }
}

#[test]
fn c109_types_are_what_a_reader_expects() {
    let tools = shown(&runtime(samples()));
    let signature = |name: &str| {
        let tool = tools.iter().find(|tool| tool.name == name);
        signature(&tool.expect("registered").tool())
    };
    for (name, want) in [
        (
            "option",
            "tools.option(args?: { x?: number | null }): Promise<{ x: number | null }>",
        ),
        (
            "pair_alike",
            "tools.pair_alike(args: { x: [number, number] }): Promise<{ x: [number, number] }>",
        ),
        (
            "node",
            "tools.node(args: { x: Node }): Promise<{ x: Node }>\n\
             interface Node { kids: Node[]; v: string }",
        ),
        (
            "map",
            "tools.map(args: { x: Record<string, number> }): Promise<{ x: Record<string, number> }>",
        ),
        (
            "shape",
            "tools.shape(args: {\n  x: { kind: \"dot\" } | { kind: \"circle\"; r: number } | \
             { h: number; kind: \"rect\"; w: number };\n}): Promise<{\n  x: { kind: \"dot\" } | \
             { kind: \"circle\"; r: number } | { h: number; kind: \"rect\"; w: number };\n}>",
        ),
        (
            "any",
            "tools.any(args: { x: unknown }): Promise<{ x: JsonValue }>",
        ),
        (
            "unit",
            "tools.unit(args: { x: null }): Promise<{ x: null }>",
        ),
        (
            "mode",
            "tools.mode(args: {\n  /** How to scan. - `Fast`: quick scan - `Deep`: full scan */\n  \
             x: \"Fast\" | \"Deep\";\n}): Promise<{\n  \
             /** How to scan. - `Fast`: quick scan - `Deep`: full scan */\n  \
             x: \"Fast\" | \"Deep\";\n}>",
        ),
    ] {
        assert_eq!(signature(name), want);
    }
}

#[test]
fn no_order_of_registration_shows() {
    let whole = texts(&runtime(samples()));
    let mut samples_reversed = samples();
    samples_reversed.reverse();
    assert_eq!(texts(&runtime(samples_reversed)), whole);
    for turn in [1, 7, 40] {
        let mut rotated = samples();
        rotated.rotate_left(turn);
        rotated.swap(0, turn + 2);
        assert_eq!(texts(&runtime(rotated)), whole, "{turn}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_checked_program_calls_every_tool() {
    let samples = samples();
    let program = program(&samples);
    let wanted: BTreeMap<String, Vec<Value>> = samples
        .iter()
        .map(|sample| (sample.name.to_owned(), sample.arguments.clone()))
        .collect();
    let runtime = runtime(samples);
    let (full, compact) = texts(&runtime);
    let checked = format!("{full}\nexport async function program() {{\n{program}}}\n");
    let files = [
        ("full".to_owned(), checked),
        ("compact".to_owned(), compact),
    ];
    tsc::check("types", &files).expect("tsc accepts it");

    let host = Arc::new(Pipeline::new(runtime));
    let returned = Arc::clone(&host.returned);
    let done = common::limited(Limits::new().calls(10_000))
        .run(program, host, CancellationToken::new())
        .await
        .unwrap_or_else(|failure| panic!("{failure}"));
    let returned = returned.lock().expect("returned").clone();
    for (name, values) in &wanted {
        assert_eq!(returned.get(name), Some(values), "{name}");
    }
    let got = done.result().expect("a result");
    for (name, values) in &wanted {
        let want: Value = values.iter().map(received).collect();
        assert_eq!(got[name], want, "{name}");
    }
    assert_eq!(
        got.as_object().map(serde_json::Map::len),
        Some(wanted.len())
    );
}
