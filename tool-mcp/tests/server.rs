//! What a client of a served runtime is told, word for word.
#![cfg(feature = "server")]
#![allow(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    reason = "tools and hooks have the signatures that their attributes ask for"
)]

#[path = "support/mod.rs"]
mod support;

#[path = "server/approvals.rs"]
mod approvals;
#[path = "server/calls.rs"]
mod calls;
#[path = "server/code_mode.rs"]
mod code_mode;
#[path = "server/lifetimes.rs"]
mod lifetimes;
#[path = "server/listing.rs"]
mod listing;
#[path = "server/rounds.rs"]
mod rounds;
#[path = "server/secrets.rs"]
mod secrets;
