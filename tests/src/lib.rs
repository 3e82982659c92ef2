//! Tests across crates, and the runner that plays conformance scenarios.

pub mod conformance;
