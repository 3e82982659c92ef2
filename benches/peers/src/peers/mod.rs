//! One call of each of the others, in one process: a model's text in, what the host gets out.

pub mod adk;
pub mod mcp;
pub mod rig;
pub mod tools_rs;
