//! What a client of a served runtime is told, word for word.
#![cfg(feature = "server")]

#[path = "support/mod.rs"]
mod support;

#[path = "server/approvals.rs"]
mod approvals;
#[path = "server/calls.rs"]
mod calls;
#[path = "server/lifetimes.rs"]
mod lifetimes;
#[path = "server/listing.rs"]
mod listing;
#[path = "server/secrets.rs"]
mod secrets;
