//! Tests that need more than one file of the module.

#![allow(
    clippy::needless_pass_by_value,
    reason = "tests write their values where they use them"
)]

mod assemble;
mod canonical;
mod finite;
pub(crate) mod generate;
mod hostile;
mod parse;
mod properties;
mod repair;
mod stack;
pub(crate) mod types;
mod unions;
mod validate;
