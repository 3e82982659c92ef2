//! Tools of another server, under this side's policy.
#![cfg(all(feature = "client", feature = "server"))]

#[path = "support/mod.rs"]
mod support;

#[path = "client/calls.rs"]
mod calls;
#[path = "client/importing.rs"]
mod importing;
#[path = "client/scripted.rs"]
mod scripted;
