//! A policy in front of somebody else's MCP server: import, guard, serve again.
//!
//! ```console
//! $ cargo run -p tool-examples --example mcp_policy -- \
//!     --deny 'delete_*' --ask 'write_*' --ask 'edit_*' -- \
//!     npx -y @modelcontextprotocol/server-filesystem .
//! ```
//!
//! What is denied never reaches the other server; what is asked about goes to the user of the
//! client, by a form. With `--allow`, what no pattern names is denied. `--url` in place of a
//! command reaches a server over HTTP, and `--http ADDRESS` serves over HTTP.

use std::error::Error;

use tokio::net::TcpListener;
use tokio::process::Command;
use tool_core::{Decision, ToolExecution, ToolRuntime};
use tool_mcp::{AskClient, HttpOptions, ImportOptions, McpClient, McpServer};

const USAGE: &str = "usage: mcp_policy [--deny PATTERN] [--ask PATTERN] [--allow PATTERN] \
[--prefix PREFIX] [--http ADDRESS] (--url URL | -- COMMAND ARGUMENT...)";

/// Which tools may be called. In a pattern `*` stands for anything.
#[derive(Clone, Debug, Default, PartialEq)]
struct Policy {
    deny: Vec<String>,
    ask: Vec<String>,
    allow: Vec<String>,
}

impl Policy {
    /// Why a tool is denied. A pattern to deny beats all others; if there are patterns to allow,
    /// one must speak for the tool.
    fn denial(&self, tool: &str) -> Option<String> {
        if let Some(pattern) = find(&self.deny, tool) {
            return Some(format!(
                "tool {tool:?} is denied here, by the pattern {pattern:?}"
            ));
        }
        let spoken_for = self.allow.is_empty()
            || find(&self.allow, tool).is_some()
            || find(&self.ask, tool).is_some();
        (!spoken_for).then(|| format!("tool {tool:?} is not allowed here"))
    }

    fn question(&self, tool: &str) -> Option<String> {
        let pattern = find(&self.ask, tool)?;
        Some(format!("calls of {pattern:?} need approval"))
    }

    /// A runtime without tools that keeps to the policy, whatever is imported.
    fn runtime(&self) -> Result<ToolRuntime, tool_core::RegisterError> {
        let (guard, questions) = (self.clone(), self.clone());
        ToolRuntime::builder()
            .guard(move |call: &ToolExecution| guard.denial(call.name()))
            .pre_execute(
                move |call: &ToolExecution| match questions.question(call.name()) {
                    Some(reason) => Decision::ask(reason),
                    None => Decision::Allow,
                },
            )
            .approver(AskClient::new())
            .build()
    }
}

fn find<'a>(patterns: &'a [String], tool: &str) -> Option<&'a String> {
    patterns.iter().find(|pattern| matches(pattern, tool))
}

/// Whether `*` can stand for parts of `name` so that they are the same.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    // Each part as early as it comes leaves the most for those after it; the last one ends it.
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

#[derive(Debug, Default, PartialEq)]
struct Options {
    policy: Policy,
    prefix: String,
    http: Option<String>,
    url: Option<String>,
    command: Vec<String>,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self::default();
        while let Some(argument) = arguments.next() {
            if argument == "--" {
                options.command = arguments.collect();
                break;
            }
            let value = arguments.next();
            let value = value.ok_or_else(|| format!("`{argument}` needs a value\n{USAGE}"));
            match argument.as_str() {
                "--deny" => options.policy.deny.push(value?),
                "--ask" => options.policy.ask.push(value?),
                "--allow" => options.policy.allow.push(value?),
                "--prefix" => options.prefix = value?,
                "--http" => options.http = Some(value?),
                "--url" => options.url = Some(value?),
                _ => return Err(format!("unknown argument `{argument}`\n{USAGE}")),
            }
        }
        if options.url.is_some() != options.command.is_empty() {
            return Err(format!(
                "give either `--url` or a command after `--`\n{USAGE}"
            ));
        }
        Ok(options)
    }

    async fn connect(&self) -> Result<McpClient, tool_mcp::ConnectError> {
        if let Some(url) = &self.url {
            // It fails if there is one already, which is as good.
            let _ = rustls::crypto::ring::default_provider().install_default();
            return McpClient::http(url, url.as_str()).await;
        }
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]);
        McpClient::spawn(&self.command[0], command).await
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse(std::env::args().skip(1))?;
    let runtime = options.policy.runtime()?;
    let client = options.connect().await?;
    let importing = ImportOptions::new().prefix(&options.prefix);
    let import = client.import(&runtime, importing).await?;
    eprintln!("{}", import.report());
    let server = McpServer::new(&runtime).name("policy", env!("CARGO_PKG_VERSION"));
    let serving = async {
        match &options.http {
            None => server.serve_stdio().await.map_err(Box::<dyn Error>::from),
            Some(address) => {
                let listener = TcpListener::bind(address).await?;
                eprintln!("serving at http://{}/mcp", listener.local_addr()?);
                let router = server.router("/mcp", HttpOptions::new());
                Ok(axum::serve(listener, router).await?)
            }
        }
    };
    tokio::select! {
        ended = serving => ended,
        () = client.closed() => Err("the server behind the policy is gone".into()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tool_core::{ToolCall, ToolDefinition};

    use super::*;

    fn options(line: &str) -> Result<Options, String> {
        Options::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, name) in [
            ("*", ""),
            ("*", "a"),
            ("a", "a"),
            ("a*", "a"),
            ("*_file", "read_file"),
            ("re*_fi*e", "read_file"),
            ("a*b*b", "abxb"),
            ("**", "a"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("", "a"),
            ("a", "ab"),
            ("a*", "xa"),
            ("*a", "ab"),
            ("a*a", "a"),
            ("a*b*b", "axb"),
            ("[a]", "a"),
        ] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn a_command_line_is_read_whole() {
        let read =
            options("--deny rm_* --ask write --prefix x_ --http :1 -- npx -y server").unwrap();
        assert_eq!(
            read,
            Options {
                policy: Policy {
                    deny: vec!["rm_*".into()],
                    ask: vec!["write".into()],
                    allow: Vec::new(),
                },
                prefix: "x_".into(),
                http: Some(":1".into()),
                url: None,
                command: ["npx", "-y", "server"].map(str::to_owned).into(),
            }
        );
        for (line, problem) in [
            ("", "give either `--url` or a command after `--`"),
            (
                "--url u -- c",
                "give either `--url` or a command after `--`",
            ),
            ("--deny", "`--deny` needs a value"),
            ("--dney x", "unknown argument `--dney`"), // typos: ignore
        ] {
            assert_eq!(options(line), Err(format!("{problem}\n{USAGE}")), "{line}");
        }
    }

    #[tokio::test]
    async fn the_policy_stands_between() {
        let named = |name: &'static str| {
            ToolDefinition::dynamic(name, "Says its name.", None, json!({ "type": "string" }))
                .handler(move |_: Value, _| async move { json!(name) })
        };
        let other = ToolRuntime::builder()
            .tools([
                named("read"),
                named("write"),
                named("delete"),
                named("format"),
            ])
            .build()
            .unwrap();
        let (near, far) = tokio::io::duplex(1 << 16);
        let server = McpServer::new(&other);
        tokio::spawn(async move { server.serve(far).await });
        let client = McpClient::connect("other", near).await.unwrap();

        let policy = Policy {
            deny: vec!["del*".into()],
            ask: vec!["write".into()],
            allow: vec!["read".into(), "delete".into()],
        };
        let runtime = policy.runtime().unwrap();
        client.import(&runtime, ImportOptions::new()).await.unwrap();
        for (tool, text) in [
            ("read", "read"),
            (
                "write",
                "Error: tool \"write\" requires approval, but the approver is unavailable",
            ),
            (
                "delete",
                "Error: tool \"delete\" is denied here, by the pattern \"del*\"",
            ),
            ("format", "Error: tool \"format\" is not allowed here"),
        ] {
            let result = runtime.execute(ToolCall::new("call_1", tool, "{}")).await;
            assert_eq!(result.text(), text);
        }
    }
}
