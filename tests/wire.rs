//! Rounds of a conversation with each provider: a response is read, its calls run, and what goes
//! back into the history is what the provider accepts.

#[path = "wire/calls.rs"]
mod calls;
#[path = "wire/content.rs"]
mod content;
#[path = "wire/fixture.rs"]
mod fixture;
#[path = "wire/generated.rs"]
mod generated;
#[path = "wire/history.rs"]
mod history;
#[path = "wire/responses.rs"]
mod responses;
#[path = "wire/rounds.rs"]
mod rounds;
