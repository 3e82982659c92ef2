//! Says what each provider makes of a set of tool schemas: what is lost, renamed or refused, and why.
//! Made for CI.
//!
//! ```text
//! portability [--json] [--dialect D]... FILE
//! portability --check CALLS.jsonl FILE
//! ```
//!
//! `FILE` (`-` for the standard input) holds a JSON array of `{name, description, parameters}`, an MCP
//! `tools/list` result, or an OpenAI `tools` array. The exit status is 1 if a tool cannot go out at all.
//!
//! With `--check`, each line of `CALLS.jsonl` is a call, `{"tool": ..., "arguments": ...}`, its arguments a
//! string as a model wrote it or an object; one line of JSON says what would become of it.
//!
//! Without arguments it looks at three tools of its own.

use std::collections::{BTreeMap, HashSet};
use std::io::Read as _;
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use tool_core::dialect::{Action, Dialect, Export, Exportable, Loss, export};
use tool_core::{RawArguments, ToolCall, ToolDefinition, ToolRuntime};

const USAGE: &str = "usage: portability [--json] [--dialect D]... FILE\n       \
                     portability --check CALLS.jsonl FILE";

/// A tool as it was read.
struct Listed {
    name: String,
    description: String,
    parameters: Arc<Value>,
    output: Option<Value>,
}

/// What the command line asks for.
#[derive(Default)]
struct Options {
    json: bool,
    dialects: Vec<Dialect>,
    check: Option<String>,
    file: Option<String>,
}

impl Options {
    fn read(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self::default();
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let mut value = |flag: &str| {
                arguments
                    .next()
                    .ok_or(format!("{flag} needs a value\n{USAGE}"))
            };
            match argument.as_str() {
                "--json" => options.json = true,
                "--dialect" => {
                    let name = value("--dialect")?;
                    options
                        .dialects
                        .push(name.parse().map_err(|error| format!("{error}"))?);
                }
                "--check" => options.check = Some(value("--check")?),
                flag if flag.starts_with("--") => {
                    return Err(format!("unknown flag {flag}\n{USAGE}"));
                }
                _ if options.file.is_some() => return Err(format!("more than one file\n{USAGE}")),
                _ => options.file = Some(argument),
            }
        }
        if options.dialects.is_empty() {
            options.dialects = Dialect::ALL.to_vec();
        }
        Ok(options)
    }
}

fn read(path: &str) -> Result<String, String> {
    if path == "-" {
        let mut text = String::new();
        std::io::stdin()
            .read_to_string(&mut text)
            .map_err(|error| format!("-: {error}"))?;
        return Ok(text);
    }
    std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))
}

/// The tools of a file, whichever of the three shapes it has.
fn tools(text: &str) -> Result<Vec<Listed>, String> {
    let root: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    let list = match &root {
        Value::Array(list) => list,
        Value::Object(_) => [root.pointer("/result/tools"), root.get("tools")]
            .into_iter()
            .flatten()
            .find_map(Value::as_array)
            .ok_or("expected a list of tools, or an object with `tools`")?,
        _ => return Err("expected a list of tools, or an object with `tools`".to_owned()),
    };
    list.iter()
        .enumerate()
        .map(|(index, tool)| listed(index, tool))
        .collect()
}

fn listed(index: usize, tool: &Value) -> Result<Listed, String> {
    // OpenAI's Chat Completions wrap the tool, its Responses do not.
    let tool = tool.get("function").unwrap_or(tool);
    let name = tool.get("name").and_then(Value::as_str);
    let name = name.ok_or_else(|| format!("/{index}: a tool needs a `name`"))?;
    let schema = tool.get("parameters").or_else(|| tool.get("inputSchema"));
    let nothing = || json!({"type": "object", "properties": {}});
    Ok(Listed {
        name: name.to_owned(),
        description: tool
            .get("description")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        parameters: Arc::new(
            schema
                .filter(|schema| !schema.is_null())
                .cloned()
                .unwrap_or_else(nothing),
        ),
        output: tool.get("outputSchema").cloned(),
    })
}

/// Puts the tools into a runtime; a tool it refuses would be no use to any provider.
fn register(tools: &[Listed]) -> (ToolRuntime, BTreeMap<usize, String>) {
    let runtime = ToolRuntime::builder().build().expect("an empty runtime");
    let definition = |tool: &Listed| {
        let parameters = Value::clone(&tool.parameters);
        let output = tool.output.clone().unwrap_or_else(|| json!({}));
        ToolDefinition::dynamic(
            tool.name.clone(),
            tool.description.clone(),
            parameters,
            output,
        )
        .handler(|arguments, _cx| async move { Ok::<Value, String>(arguments) })
    };
    if runtime.register_all(tools.iter().map(definition)).is_ok() {
        return (runtime, BTreeMap::new());
    }
    // One bad tool must not hide the others: find out which they are.
    let runtime = ToolRuntime::builder().build().expect("an empty runtime");
    let mut refused = BTreeMap::new();
    let (mut good, mut taken) = (Vec::new(), HashSet::new());
    for (index, tool) in tools.iter().enumerate() {
        let alone = ToolRuntime::builder().tool(definition(tool)).build();
        match alone {
            Ok(_) if !taken.insert(&tool.name) => {
                refused.insert(index, "a tool of this name comes before it".to_owned());
            }
            Ok(_) => good.push(index),
            Err(error) => {
                let text = error.to_string();
                let reason = text.lines().next().unwrap_or_default();
                // The place in this file says nothing to whoever wrote the schemas.
                let reason = reason
                    .rsplit_once(" (")
                    .map_or(reason, |(reason, _)| reason);
                refused.insert(index, reason.to_owned());
            }
        }
    }
    runtime
        .register_all(good.iter().map(|&index| definition(&tools[index])))
        .expect("each was taken alone");
    (runtime, refused)
}

fn exported(tools: &[Listed], refused: &BTreeMap<usize, String>, dialect: Dialect) -> Export {
    let sound = tools
        .iter()
        .enumerate()
        .filter(|(index, _)| !refused.contains_key(index));
    export(
        sound.map(|(_, tool)| {
            let exportable = Exportable::new(&tool.name, &tool.description, &tool.parameters);
            match &tool.output {
                Some(output) => exportable.output(output),
                None => exportable,
            }
        }),
        dialect,
    )
}

fn names(tools: &[Listed], export: &Export) -> Map<String, Value> {
    let sent = tools
        .iter()
        .filter_map(|tool| Some((export.names.exported_tool(&tool.name)?, tool)));
    sent.map(|(sent, tool)| (sent.to_owned(), json!(tool.name)))
        .collect()
}

fn report(options: &Options, tools: &[Listed]) -> bool {
    let (_, refused) = register(tools);
    let mut all_out = refused.is_empty();
    let mut document = Map::new();
    for &dialect in &options.dialects {
        let export = exported(tools, &refused, dialect);
        all_out &= export.report.left_out().next().is_none();
        if options.json {
            let mut losses: Vec<Value> = refused
                .iter()
                .map(|(&index, reason)| {
                    json!({"tool": tools[index].name, "path": "", "what": reason, "action": Action::LeftOut})
                })
                .collect();
            losses.extend(export.report.iter().map(|loss| json!(loss)));
            document.insert(
                dialect.to_string(),
                json!({"tools": export.tools, "names": names(tools, &export), "report": losses}),
            );
        } else {
            println!("{dialect}: {} of {} tools", export.tools.len(), tools.len());
            for (&index, reason) in &refused {
                println!("  {:<24} {:<24} left out: {reason}", tools[index].name, "");
            }
            for Loss {
                tool,
                path,
                what,
                action,
                ..
            } in &export.report
            {
                println!("  {tool:<24} {path:<24} {action}: {what}");
            }
        }
    }
    if options.json {
        println!("{:#}", Value::Object(document));
    }
    all_out
}

/// What would become of each call: one line of JSON.
fn check(tools: &[Listed], calls: &str) -> Result<Vec<Value>, String> {
    let (runtime, _) = register(tools);
    let lines = calls
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            let at = |what: String| format!("line {}: {what}", index + 1);
            let call: Value = serde_json::from_str(line).map_err(|error| at(error.to_string()))?;
            let tool = call.get("tool").and_then(Value::as_str);
            let tool = tool.ok_or_else(|| at("a call needs a `tool`".to_owned()))?;
            let arguments = match call.get("arguments") {
                None | Some(Value::Null) => RawArguments::Text(String::new()),
                Some(Value::String(text)) => RawArguments::Text(text.clone()),
                Some(value) => RawArguments::Json(value.clone()),
            };
            Ok(match runtime.check(&ToolCall::new("check", tool, arguments)) {
                Ok(checked) => {
                    json!({"ok": true, "arguments": checked.arguments, "repairs": checked.repairs})
                }
                Err(error) => json!({"ok": false, "message": error.message()}),
            })
        })
        .collect()
}

fn run() -> Result<bool, String> {
    let options = Options::read(std::env::args().skip(1))?;
    let Some(file) = &options.file else {
        if std::env::args().len() > 1 {
            return Err(format!("no file\n{USAGE}"));
        }
        return Ok(sample(&options));
    };
    let tools = tools(&read(file)?).map_err(|error| format!("{file}: {error}"))?;
    match &options.check {
        Some(calls) => {
            let text = read(calls)?;
            for line in check(&tools, &text).map_err(|error| format!("{calls}: {error}"))? {
                println!("{line}");
            }
            Ok(true)
        }
        None => Ok(report(&options, &tools)),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("portability: {error}");
            ExitCode::from(2)
        }
    }
}

/// Three tools, one of them recursive, and what is said about them.
fn sample(options: &Options) -> bool {
    let tools = tools(include_str!("data/tools.json")).expect("the sample");
    assert!(
        !report(options, &tools),
        "Gemini takes no recursive parameters"
    );
    let left_out: Vec<String> = options
        .dialects
        .iter()
        .flat_map(|&dialect| {
            let export = exported(&tools, &BTreeMap::new(), dialect);
            export
                .report
                .left_out()
                .map(|loss| format!("{dialect} {}", loss.tool))
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(left_out, ["gemini file_tree"]);
    let calls = concat!(
        r#"{"tool":"search.docs","arguments":"{\"query\":\"rust\",\"limit\":\"3\"}"}"#,
        "\n",
        r#"{"tool":"search.docs","arguments":{"quary":"rust"}}"#,
        "\n",
    );
    let checked = check(&tools, calls).expect("the sample");
    let expected = [
        json!({
            "ok": true,
            "arguments": {"query": "rust", "limit": 3},
            "repairs": ["/limit: read the string \"3\" as 3"],
        }),
        json!({
            "ok": false,
            "message": "invalid arguments: /query: missing (expected a string)\n\
                        /quary: unknown property; did you mean \"query\"?\n\
                        tool \"search.docs\" takes {\"query\": string, \"limit\"?: integer}",
        }),
    ];
    assert_eq!(checked, expected);
    true
}
