#![doc = include_str!("../docs/mcp.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(any(feature = "client", feature = "server"))]
mod convert;
#[cfg(any(feature = "client", feature = "server"))]
mod withdraw;

#[cfg(feature = "client")]
mod client;
#[cfg(feature = "server")]
mod server;

#[cfg(feature = "client")]
pub use client::{
    ConnectError, Import, ImportError, ImportOptions, ImportReport, ImportTarget, ImportedTool,
    McpClient, RefusedTool, code,
};
/// The official SDK: its transports are what servers and clients run over.
pub use rmcp;
#[cfg(feature = "http-server")]
pub use server::HttpOptions;
#[cfg(feature = "server")]
pub use server::{AskClient, McpCaller, McpServer, McpSession, ServeError, SessionInfo};
