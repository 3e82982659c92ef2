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
//! string as a model wrote it or an object; one line of JSON says what would become of it. Blank lines
//! are passed over.
//!
//! Exit status 2 means that there was nothing to look at: a wrong flag, or a file that cannot be read.
//!
//! Without arguments it looks at three tools of its own.

#[path = "portability/input.rs"]
mod input;

use std::collections::{BTreeMap, HashSet};
use std::io::{BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use serde_json::{Map, Value, json};
use tool_core::dialect::{Action, Dialect, Export, Exportable, Loss, export};
use tool_core::{RawArguments, ToolCall, ToolDefinition, ToolRuntime};

use input::{Listed, read, tools};

const USAGE: &str = "usage: portability [--json] [--dialect D]... FILE\n       \
                     portability --check CALLS.jsonl FILE";

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
                "--help" | "-h" => return Err(USAGE.to_owned()),
                "--json" => options.json = true,
                "--dialect" => {
                    let name = value("--dialect")?;
                    let dialect = name.parse().map_err(|error| format!("{error}"))?;
                    if !options.dialects.contains(&dialect) {
                        options.dialects.push(dialect);
                    }
                }
                "--check" => options.check = Some(value("--check")?),
                flag if flag.starts_with('-') && flag != "-" => {
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

fn report(options: &Options, tools: &[Listed], out: &mut impl Write) -> Outcome {
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
            continue;
        }
        writeln!(
            out,
            "{dialect}: {} of {} tools",
            export.tools.len(),
            tools.len()
        )?;
        for (&index, reason) in &refused {
            let name = &tools[index].name;
            writeln!(out, "  {name:<24} {:<24} left out: {reason}", "")?;
        }
        for Loss {
            tool,
            path,
            what,
            action,
            ..
        } in &export.report
        {
            writeln!(out, "  {tool:<24} {path:<24} {action}: {what}")?;
        }
    }
    if options.json {
        writeln!(out, "{:#}", Value::Object(document))?;
    }
    Ok(all_out)
}

/// Whether all is well, unless nobody reads on.
type Outcome = std::io::Result<bool>;

/// What would become of each call.
fn check(tools: &[Listed], calls: &str) -> impl Iterator<Item = Value> {
    let (runtime, refused) = register(tools);
    let refused: BTreeMap<String, String> = refused
        .into_iter()
        .map(|(index, reason)| (tools[index].name.clone(), reason))
        .collect();
    let lines = calls.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(move |(index, line)| {
            let checked = call(line)
                .map_err(|what| format!("line {}: {what}", index + 1))
                .and_then(|call| {
                    let checked = runtime.check(&call);
                    checked.map_err(|error| match refused.get(call.name()) {
                        Some(reason) if error.code() == tool_core::code::UNKNOWN_TOOL => {
                            format!("tool \"{}\" is left out: {reason}", call.name())
                        }
                        _ => error.message().to_owned(),
                    })
                });
            match checked {
                Ok(checked) => {
                    json!({"ok": true, "arguments": checked.arguments, "repairs": checked.repairs})
                }
                Err(message) => json!({"ok": false, "message": message}),
            }
        })
}

/// The call of a line.
fn call(line: &str) -> Result<ToolCall, String> {
    const SHAPE: &str = r#"expected `{"tool": ..., "arguments": ...}`"#;
    let call: Value = serde_json::from_str(line)
        .map_err(|error| format!("cannot be read as JSON: {error}; {SHAPE}"))?;
    let tool = call.get("tool").and_then(Value::as_str);
    let tool = tool.ok_or_else(|| format!("a call needs a `tool`; {SHAPE}"))?;
    let arguments = match call.get("arguments") {
        None | Some(Value::Null) => RawArguments::Text(String::new()),
        Some(Value::String(text)) => RawArguments::Text(text.clone()),
        Some(value) => RawArguments::Json(value.clone()),
    };
    Ok(ToolCall::new("check", tool, arguments))
}

/// Does what the command line asks for, or says why that cannot be done.
fn run(out: &mut impl Write) -> Result<Outcome, String> {
    let arguments = std::env::args_os().skip(1).map(|argument| {
        argument
            .into_string()
            .map_err(|argument| format!("{} is not UTF-8", argument.display()))
    });
    let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
    let is_bare = arguments.is_empty();
    let options = Options::read(arguments.into_iter())?;
    let Some(file) = &options.file else {
        return match is_bare || options.check.is_none() {
            true => Ok(sample(&options, out)),
            false => Err(format!("no file\n{USAGE}")),
        };
    };
    if file == "-" && options.check.as_deref() == Some("-") {
        return Err("`-` is there once: the tools or the calls, not both".to_owned());
    }
    let (tools, passed_over) = tools(&read(file)?).map_err(|error| format!("{file}: {error}"))?;
    for what in passed_over {
        eprintln!("portability: {file}: {what}");
    }
    let Some(calls) = &options.check else {
        return Ok(report(&options, &tools, out));
    };
    for line in check(&tools, &read(calls)?) {
        if let Err(error) = writeln!(out, "{line}") {
            return Ok(Err(error));
        }
    }
    Ok(Ok(true))
}

fn main() -> ExitCode {
    let mut out = BufWriter::new(std::io::stdout().lock());
    let done = run(&mut out);
    let flushed = out.flush();
    match done.map(|outcome| outcome.and_then(|fine| flushed.map(|()| fine))) {
        Ok(Ok(true)) => ExitCode::SUCCESS,
        Ok(Ok(false)) => ExitCode::FAILURE,
        // `portability tools.json | head`
        Ok(Err(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Ok(Err(error)) => fail(&format!("the standard output: {error}")),
        Err(error) => fail(&error),
    }
}

fn fail(error: &str) -> ExitCode {
    eprintln!("portability: {error}");
    ExitCode::from(2)
}

/// Three tools, one of them recursive, and what is said about them.
fn sample(options: &Options, out: &mut impl Write) -> Outcome {
    let (tools, _) = tools(include_str!("data/tools.json")).expect("the sample");
    let all_out = report(options, &tools, out)?;
    if options.dialects == Dialect::ALL {
        assert!(!all_out, "Gemini takes no recursive parameters");
    }
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
    let has_gemini = options.dialects.contains(&Dialect::Gemini);
    let expected: &[&str] = if has_gemini {
        &["gemini file_tree"]
    } else {
        &[]
    };
    assert_eq!(left_out, expected);
    let calls = concat!(
        r#"{"tool":"search.docs","arguments":"{\"query\":\"rust\",\"limit\":\"3\"}"}"#,
        "\n",
        r#"{"tool":"search.docs","arguments":{"quary":"rust"}}"#,
        "\n",
    );
    let checked: Vec<Value> = check(&tools, calls).collect();
    let expected = [
        json!({
            "ok": true,
            "arguments": {"query": "rust", "limit": 3},
            "repairs": ["/limit: read the string \"3\" as 3"],
        }),
        json!({
            "ok": false,
            "message": "invalid arguments: /query: missing (expected a string of at least 1 character)\n\
                        /quary: unknown property; did you mean \"query\"?\n\
                        tool \"search.docs\" takes {\"query\": string, \"limit\"?: integer}",
        }),
    ];
    assert_eq!(checked, expected);
    Ok(true)
}
