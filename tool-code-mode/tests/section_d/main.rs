//! The cases of Code Mode from public reports, by number. C109 is in `tests/types`.

mod calls;
#[path = "../common/mod.rs"]
mod common;
mod endless;
mod limits;
mod sandbox;
