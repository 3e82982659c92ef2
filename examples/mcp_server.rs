//! The files below a directory, as an MCP server.
//!
//! Over standard input and output, for a client that starts it; or over HTTP:
//!
//! ```console
//! $ cargo run -p tool-examples --example mcp_server -- --root . --http 127.0.0.1:8000
//! serving . at http://127.0.0.1:8000/mcp
//! ```
//!
//! `--read-only` leaves `edit_file` out.

mod files;

use std::error::Error;
use std::path::PathBuf;

use tokio::net::TcpListener;
use tool_mcp::{HttpOptions, McpServer};

const USAGE: &str = "usage: mcp_server [--root DIRECTORY] [--read-only] [--http ADDRESS]";

struct Options {
    root: PathBuf,
    read_only: bool,
    http: Option<String>,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            root: ".".into(),
            read_only: false,
            http: None,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || {
                arguments
                    .next()
                    .ok_or(format!("`{argument}` needs a value\n{USAGE}"))
            };
            match argument.as_str() {
                "--root" => options.root = value()?.into(),
                "--read-only" => options.read_only = true,
                "--http" => options.http = Some(value()?),
                _ => return Err(format!("unknown argument `{argument}`\n{USAGE}")),
            }
        }
        Ok(options)
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse(std::env::args().skip(1))?;
    let runtime = files::runtime(&options.root, options.read_only)?;
    let server = McpServer::new(&runtime)
        .name("files", env!("CARGO_PKG_VERSION"))
        .instructions("Paths are relative to the served directory. Search before you read.");
    let Some(address) = options.http else {
        server.serve_stdio().await?;
        return Ok(());
    };
    let listener = TcpListener::bind(&address).await?;
    // Standard output is the protocol's where it is served there; so this goes elsewhere.
    eprintln!(
        "serving {} at http://{}/mcp",
        options.root.display(),
        listener.local_addr()?
    );
    axum::serve(listener, server.router("/mcp", HttpOptions::new())).await?;
    Ok(())
}
