//! Tests across crates, and the runner that plays conformance scenarios.

pub mod conformance;

/// The guide needs tools and programs at once, which no published crate depends on.
#[doc = include_str!("../../docs/embedding.md")]
pub mod embedding {}
