//! Tools of another server, under this side's policy.
#![cfg(all(feature = "client", feature = "server"))]
#![allow(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    reason = "tools and hooks have the signatures that their attributes ask for"
)]

#[path = "support/mod.rs"]
mod support;

#[path = "client/calls.rs"]
mod calls;
#[path = "client/importing.rs"]
mod importing;
#[path = "client/scripted.rs"]
mod scripted;
