//! Tests of the exporters: whole outputs, every dialect, types of every kind.

mod bounds;
mod cases;
mod checker;
mod generated;
mod limits;
mod naming;
mod rust_types;
mod samples;
// Some of the types have patterns.
#[cfg(feature = "jsonschema")]
mod sound;
mod support;
mod transform;
