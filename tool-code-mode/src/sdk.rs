//! The interface of the tools as TypeScript, for the system prompt.
//!
//! The text depends on nothing but the set of tools: neither their order nor the order of keys in
//! their schemas shows.

use std::fmt::Write as _;

use serde_json::Value;

use crate::naming::Names;
use crate::spell;
use crate::types;

/// What the interface says of one tool. Both schemas are canonical: every `$ref` resolves from the
/// root of its schema.
#[derive(Clone, Copy, Debug)]
pub struct SdkTool<'a> {
    /// The tool's own name, whatever characters it has.
    pub name: &'a str,
    /// What it does.
    pub description: &'a str,
    /// The schema of its arguments.
    pub parameters: &'a Value,
    /// The schema of its value.
    pub output: &'a Value,
}

/// An argument may be anything that is JSON. It is not `JsonValue` because no interface is
/// assignable to that.
const ANY_ARGUMENT: &str = "unknown";
const ANY_VALUE: &str = "JsonValue";

const JSON_VALUE: &str = "type JsonValue = null | boolean | number | string | JsonValue[] | \
                          { [key: string]: JsonValue };\n";

const INT64: &str = "/** A 64-bit integer: a number up to 2**53 - 1, beyond that the string of all \
                     its digits. `BigInt(x)` takes both. */\n\
                     type Int64 = number | `${bigint}`;\n";

const CALL_ERROR: &str = "/** What a failing call throws. */\n\
                          declare class ToolCallError extends Error {\n  \
                          readonly name: \"ToolCallError\";\n  \
                          readonly toolName: ToolName;\n}\n";

const RULES: &str = "\
// A program is the body of an async function: `await` and `return` work at its top level.
// Call a tool as `await tools.name(args)`. Arguments and results are JSON.
// Independent calls go out together with `Promise.all`; calls that must not overlap wait by themselves.
// A failing call throws a `ToolCallError`. Only what is printed or returned is output.
// There are no modules, files, network or timers but `setTimeout`.
";

/// The complete interface of `tools`, in the order of their names. It passes
/// `tsc --noEmit --strict`, whatever the names, descriptions and schemas hold.
///
/// ```
/// use serde_json::json;
/// use tool_code_mode::{SdkTool, sdk};
///
/// let parameters = json!({
///     "type": "object",
///     "properties": {"limit": {"type": ["integer", "null"], "maximum": 100, "minimum": 1}},
///     "additionalProperties": false,
/// });
/// let output = json!({"type": "array", "items": {"type": "string"}});
/// let list = SdkTool {
///     name: "list-users",
///     description: "Lists users.",
///     parameters: &parameters,
///     output: &output,
/// };
/// let text = sdk(&[list]);
/// assert!(text.contains("  \"list-users\": string[];\n"));
/// assert!(text.contains("    limit?: number | null;\n"));
/// ```
pub fn sdk(tools: &[SdkTool<'_>]) -> String {
    let tools = in_order(tools);
    let mut names = Names::default();
    let mut arguments = "interface ToolArgsMap {\n".to_owned();
    let mut outputs = "interface ToolOutputMap {\n".to_owned();
    for tool in &tools {
        let base = spell::pascal(tool.name);
        let key = spell::key(tool.name);
        let ty = types::type_of(
            tool.parameters,
            &format!("{base}Args"),
            ANY_ARGUMENT,
            2,
            &mut names,
        );
        let doc = spell::comment_text(tool.description);
        if !doc.is_empty() {
            let _ = writeln!(arguments, "  /** {doc} */");
        }
        let _ = writeln!(arguments, "  {key}: {ty};");
        let ty = types::type_of(
            tool.output,
            &format!("{base}Output"),
            ANY_VALUE,
            2,
            &mut names,
        );
        let _ = writeln!(outputs, "  {key}: {ty};");
    }
    let (maps, declarations) = names.spell(&format!("{arguments}}}\n{outputs}}}\n"));
    let mut text = format!("{RULES}{JSON_VALUE}");
    if names.uses_int64 {
        text.push_str(INT64);
    }
    text.extend(declarations);
    let _ = write!(
        text,
        "{maps}\
         type ToolName = keyof ToolOutputMap;\n\
         {CALL_ERROR}\
         declare const tools: {{\n  \
         readonly [K in ToolName]: {{}} extends ToolArgsMap[K]\n    \
         ? (args?: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>\n    \
         : (args: ToolArgsMap[K]) => Promise<ToolOutputMap[K]>;\n\
         }};\n\
         export {{}};\n"
    );
    text
}

/// The interface for a large catalogue: names and one line each. A program reads the rest with
/// `tools.$describe(name)`, which gives what [`signature`] gives.
///
/// ```
/// use serde_json::json;
/// use tool_code_mode::{SdkTool, compact_sdk};
///
/// let schema = json!({"type": "object", "properties": {}});
/// let ping = SdkTool {
///     name: "ping",
///     description: "Answers. Takes a while.",
///     parameters: &schema,
///     output: &schema,
/// };
/// assert!(compact_sdk(&[ping]).contains("  /** Answers. */\n  ping: Tool;\n"));
/// ```
pub fn compact_sdk(tools: &[SdkTool<'_>]) -> String {
    let mut text = format!(
        "{RULES}\
         // `tools.$describe(name)` returns a tool's arguments and result as TypeScript: print it before \
         the first use.\n\
         {JSON_VALUE}\
         type Tool = (args?: Record<string, unknown>) => Promise<any>;\n\
         interface ToolMap {{\n"
    );
    for tool in in_order(tools) {
        let doc = spell::one_liner(tool.description);
        if !doc.is_empty() {
            let _ = writeln!(text, "  /** {doc} */");
        }
        let _ = writeln!(text, "  {}: Tool;", spell::key(tool.name));
    }
    let _ = write!(
        text,
        "}}\n\
         type ToolName = keyof ToolMap;\n\
         type ToolArgsMap = Record<ToolName, Record<string, unknown>>;\n\
         type ToolOutputMap = Record<ToolName, any>;\n\
         {CALL_ERROR}\
         declare const tools: Readonly<ToolMap> & {{ $describe(name: ToolName): string }};\n\
         export {{}};\n"
    );
    text
}

/// One tool, with the types that it names: what a model needs to call it right.
///
/// ```
/// use serde_json::json;
/// use tool_code_mode::{SdkTool, signature};
///
/// let parameters = json!({
///     "type": "object",
///     "properties": {"name": {"type": "string"}},
///     "required": ["name"],
/// });
/// let output = json!({"type": "string"});
/// let hello =
///     SdkTool { name: "hello", description: "Greets.", parameters: &parameters, output: &output };
/// assert_eq!(signature(&hello), "tools.hello(args: { name: string }): Promise<string>");
/// ```
pub fn signature(tool: &SdkTool<'_>) -> String {
    let mut names = Names::default();
    let base = spell::pascal(tool.name);
    let arguments = types::type_of(
        tool.parameters,
        &format!("{base}Args"),
        ANY_ARGUMENT,
        0,
        &mut names,
    );
    let output = types::type_of(
        tool.output,
        &format!("{base}Output"),
        ANY_VALUE,
        0,
        &mut names,
    );
    let required = tool.parameters.get("required").and_then(Value::as_array);
    let mark = if required.is_some_and(|required| !required.is_empty()) {
        ""
    } else {
        "?"
    };
    let (mut text, declarations) = names.spell(&format!(
        "tools{}(args{mark}: {arguments}): Promise<{output}>",
        spell::member(tool.name)
    ));
    for declaration in declarations {
        text.push('\n');
        text.push_str(declaration.trim_end());
    }
    if names.uses_int64 {
        text.push('\n');
        text.push_str(INT64.trim_end());
    }
    text
}

/// What `tools.$describe(name)` gives: the description, then the signature.
pub(crate) fn described(tool: &SdkTool<'_>) -> String {
    let doc = spell::comment_text(tool.description);
    let signature = signature(tool);
    if doc.is_empty() {
        signature
    } else {
        format!("/** {doc} */\n{signature}")
    }
}

fn in_order<'t, 'a>(tools: &'t [SdkTool<'a>]) -> Vec<&'t SdkTool<'a>> {
    let mut tools: Vec<_> = tools.iter().collect();
    tools.sort_by_key(|tool| tool.name);
    tools.dedup_by_key(|tool| tool.name);
    tools
}
