#!/usr/bin/env python3
"""Generate one crate per (peer, N): N tools of 3 args each (String, Option<u32>, Vec<String>), one shared output type.
   python3 gen.py OUT_DIR ; add a peer: one function returning (deps, source)."""
import os, sys
OUT = sys.argv[1]
SIZES = [1, 100, 300]
SERDE = 'serde = { version = "1", features = ["derive"] }\nserde_json = "1"\n'
HEAD = '''#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Out { pub text: String, pub total: u32 }
pub fn body(query: &str, limit: Option<u32>, tags: &[String]) -> Out {
    Out { text: format!("{query} {}", tags.len()), total: limit.unwrap_or(3) }
}
'''
def args(i, derive):
    return f'''#[derive({derive})]
pub struct Args{i} {{
    /// What to look for
    pub query: String,
    /// How many hits at most
    pub limit: Option<u32>,
    /// Tags every hit must have
    pub tags: Vec<String>,
}}
'''
def floor(n):
    """The derive floor: what one writes by hand. Typed parse, async fn, JSON text out, schema, dispatch by match."""
    s = HEAD
    for i in range(n):
        s += args(i, 'serde::Deserialize, schemars::JsonSchema')
        s += f'/// Tool {i}\npub async fn tool_{i}(a: Args{i}) -> Out {{ body(&a.query, a.limit, &a.tags) }}\n'
    s += 'pub async fn call(name: &str, text: &str) -> Result<String, serde_json::Error> {\n    match name {\n'
    for i in range(n):
        s += f'        "tool_{i}" => serde_json::to_string(&tool_{i}(serde_json::from_str(text)?).await),\n'
    s += '        _ => Ok(String::new()),\n    }\n}\npub fn schemas() -> Vec<(&\'static str, schemars::Schema)> {\n    vec![\n'
    for i in range(n):
        s += f'        ("tool_{i}", schemars::schema_for!(Args{i})),\n'
    s += '    ]\n}\n'
    s += '''fn main() {
    let n = schemas().len();
    let f = Box::pin(call("tool_0", r#"{"query":"q","tags":[]}"#));
    println!("{n} {}", futures::executor::block_on(f).unwrap());
}
'''
    return SERDE + 'schemars = "1"\nfutures = "0.3"\n', s
def floorreg(n):
    """The derive floor with a registry: boxed handlers over Value, as any tool crate must have."""
    s = HEAD + '''use futures::future::BoxFuture;
use std::{collections::HashMap, future::Future};
use serde_json::Value;
pub struct Tool { pub schema: Value, pub run: Box<dyn Fn(Value) -> BoxFuture<'static, Result<Value, String>> + Send + Sync> }
pub fn tool<A, F, R>(f: F) -> Tool
where A: serde::de::DeserializeOwned + schemars::JsonSchema + Send + 'static, F: Fn(A) -> R + Send + Sync + Copy + 'static, R: Future<Output = Out> + Send + 'static {
    Tool { schema: schemars::schema_for!(A).to_value(), run: Box::new(move |v| Box::pin(async move {
        let a: A = serde_json::from_value(v).map_err(|e| e.to_string())?;
        serde_json::to_value(f(a).await).map_err(|e| e.to_string())
    })) }
}
'''
    for i in range(n):
        s += args(i, 'serde::Deserialize, schemars::JsonSchema')
        s += f'/// Tool {i}\npub async fn tool_{i}(a: Args{i}) -> Out {{ body(&a.query, a.limit, &a.tags) }}\n'
    s += 'pub fn all() -> HashMap<&\'static str, Tool> {\n    let mut m = HashMap::new();\n'
    for i in range(n):
        s += f'    m.insert("tool_{i}", tool(tool_{i}));\n'
    s += '''    m
}
fn main() {
    let m = all();
    println!("{} {}", m.len(), futures::executor::block_on((m["tool_0"].run)(serde_json::json!({"query":"q","tags":[]}))).unwrap());
}
'''
    return SERDE + 'schemars = "1"\nfutures = "0.3"\n', s
def rmcp(n):
    s = HEAD + 'use rmcp::{tool, tool_router, handler::server::wrapper::{Json, Parameters}};\npub struct Srv;\n'
    for i in range(n):
        s += args(i, 'serde::Deserialize, schemars::JsonSchema')
    s += '#[tool_router]\nimpl Srv {\n'
    for i in range(n):
        s += f'    /// Tool {i}\n    #[tool]\n    async fn tool_{i}(&self, Parameters(a): Parameters<Args{i}>) -> Json<Out> {{ Json(body(&a.query, a.limit, &a.tags)) }}\n'
    s += '}\nfn main() { println!("{}", Srv::tool_router().list_all().len()); }\n'
    return SERDE + 'schemars = "1"\nrmcp = { version = "=3.11.0", default-features = false, features = ["server", "macros"] }\n', s
def rig(n):
    s = HEAD + 'use rig_core::tool::ToolExecutionError as E;\n'
    for i in range(n):
        s += f'/// Tool {i}\n#[rig_core::rig_tool(params(query = "What to look for", limit = "How many hits at most", tags = "Tags every hit must have"))]\npub async fn tool_{i}(query: String, limit: Option<u32>, tags: Vec<String>) -> Result<Out, E> {{ Ok(body(&query, limit, &tags)) }}\n'
    s += 'fn main() {\n    let mut s = rig_agent::tool::ToolSet::default();\n'
    for i in range(n):
        s += f'    s.add_tool(Tool{i});\n'
    s += '    println!("{}", s.tool_definitions().len());\n}\n'
    return SERDE + 'schemars = "1"\nrig-core = { version = "=0.44.0", default-features = false, features = ["derive"] }\nrig-agent = { version = "=0.44.0", default-features = false, features = ["derive"] }\n', s
def toolsrs(n):
    s = HEAD.replace('schemars::JsonSchema', 'tools_rs::ToolSchema')
    for i in range(n):
        s += f'#[tools_rs::tool]\n/// Tool {i}\npub async fn tool_{i}(query: String, limit: Option<u32>, tags: Vec<String>) -> Out {{ body(&query, limit, &tags) }}\n'
    s += 'fn main() { println!("{}", tools_rs::collect_tools().json().unwrap().as_array().unwrap().len()); }\n'
    return SERDE + 'tools-rs = "=0.3.3"\ntools_core = "=0.3.3"\ntools_macros = "=0.3.0"\ninventory = "0.3"\n', s
def adk(n):
    s = HEAD + 'use std::sync::Arc;\n'
    for i in range(n):
        s += args(i, 'serde::Deserialize, schemars::JsonSchema')
        s += f'/// Tool {i}\n#[adk_tool::tool]\npub async fn tool_{i}(a: Args{i}) -> Result<serde_json::Value, adk_tool::AdkError> {{ Ok(serde_json::to_value(body(&a.query, a.limit, &a.tags)).unwrap()) }}\n'
    s += 'fn main() {\n    let mut s: Vec<Arc<dyn adk_tool::Tool>> = vec![];\n'
    for i in range(n):
        s += f'    s.push(Arc::new(Tool{i}));\n'
    s += '    println!("{}", s.iter().filter(|t| t.parameters_schema().is_some()).count());\n}\n'
    return SERDE + 'schemars = "1"\nadk-tool = { version = "=2.3.0", default-features = false }\n', s
def literal(n):
    """Below the derive floor: derive(Deserialize) only, the schema a string literal a macro could print at expansion time."""
    deps, s = floorreg(n)
    s = s.replace('serde::Deserialize, schemars::JsonSchema)]\npub struct Args', 'serde::Deserialize)]\npub struct Args').replace('A: serde::de::DeserializeOwned + schemars::JsonSchema + Send', 'A: serde::de::DeserializeOwned + Send')
    s = s.replace('pub schema: Value', "pub schema: &'static str").replace('(f: F) -> Tool', "(schema: &'static str, f: F) -> Tool").replace('schema: schemars::schema_for!(A).to_value()', 'schema')
    lit = 'r##"{"type":"object","properties":{"query":{"type":"string","description":"What to look for"},"limit":{"type":["integer","null"],"minimum":0,"description":"How many hits at most"},"tags":{"type":"array","items":{"type":"string"},"description":"Tags every hit must have"}},"required":["query","tags"]}"##'
    for i in range(n):
        s = s.replace(f'tool(tool_{i}));', f'tool({lit}, tool_{i}));')
    return deps, s
def lean(n):
    """Far below: no derive at all on the argument structs; one line per field over shared generic helpers, literal schema."""
    deps, s = literal(n)
    s = s.replace('#[derive(serde::Deserialize)]\npub struct Args', 'pub struct Args').replace('A: serde::de::DeserializeOwned + Send', 'A: FromArgs + Send')
    s = s.replace('let a: A = serde_json::from_value(v).map_err(|e| e.to_string())?;', 'let a = A::from_args(&v)?;')
    s = s.replace('pub struct Tool {', """pub trait FromArgs: Sized { fn from_args(v: &Value) -> Result<Self, String>; }
pub fn field<T: serde::de::DeserializeOwned>(v: &Value, name: &str) -> Result<T, String> {
    T::deserialize(v.get(name).unwrap_or(&Value::Null)).map_err(|e| format!("{name}: {e}"))
}
pub struct Tool {""", 1)
    for i in range(n):
        s = s.replace(f'/// Tool {i}\n', f'impl FromArgs for Args{i} {{ fn from_args(v: &Value) -> Result<Self, String> {{ Ok(Self {{ query: field(v, "query")?, limit: field(v, "limit")?, tags: field(v, "tags")? }}) }} }}\n/// Tool {i}\n', 1)
    return deps, s
CRATE = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..', 'tool-core'))
def ours(n):
    """This crate: plain functions, one registration each, one call."""
    s = HEAD + 'use tool_core::{ToolCall, ToolRuntime, tool};\n'
    for i in range(n):
        s += f'/// Tool {i}\n#[tool]\npub async fn tool_{i}(\n    /// What to look for\n    query: String,\n    /// How many hits at most\n    limit: Option<u32>,\n    /// Tags every hit must have\n    tags: Vec<String>,\n) -> Out {{ body(&query, limit, &tags) }}\n'
    s += 'fn main() {\n    let mut b = ToolRuntime::builder();\n'
    for i in range(n):
        s += f'    b = b.tool(tool_{i} {{}});\n'
    s += '    let r = b.build().unwrap();\n    let f = Box::pin(r.execute(ToolCall::new("c", "tool_0", r#"{"query":"q","tags":[]}"#)));\n'
    s += '    println!("{} {}", r.schemas().len(), futures::executor::block_on(f).text());\n}\n'
    return SERDE + 'schemars = "1"\nfutures = "0.3"\ntool-core = { path = "' + CRATE + '" }\n', s
PEERS = dict(ours=ours, floor=floor, floorreg=floorreg, rmcp=rmcp, rig=rig, toolsrs=toolsrs, adk=adk, literal=literal, lean=lean)
if __name__ == '__main__':
    members = []
    for p, f in PEERS.items():
        # one workspace per peer, so that dependency features do not mix and the crate count is the peer's own
        root = f'{OUT}/{p}'
        os.makedirs(root, exist_ok=True)
        ms = [f'{p}_{n}' for n in SIZES]
        open(f'{root}/Cargo.toml', 'w').write('[workspace]\nresolver = "2"\nmembers = [' + ', '.join(f'"{m}"' for m in ms) + ']\n[profile.release]\nstrip = true\n')
        for n in SIZES:
            deps, src = f(n)
            d = f'{root}/{p}_{n}'
            os.makedirs(f'{d}/src', exist_ok=True)
            open(f'{d}/Cargo.toml', 'w').write(f'[package]\nname = "{p}_{n}"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n{deps}')
            open(f'{d}/src/main.rs', 'w').write(src)
