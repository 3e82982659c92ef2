//! Schemas and the values they describe.
//!
//! | step | when | file |
//! |---|---|---|
//! | [`canonical`] | registration | one form for every schema that comes from a Rust type |
//! | [`validate`] | registration, then every call | refuses hostile schemas; names every violation |
//! | [`parse`] | every call | strict JSON: no duplicate key, no lost digit, bounded depth and size |
//! | [`repair`] | every call that needs it | the few mistakes of models that can be mended without guessing |
//! | [`finite`] | every result | no `NaN`, no integer that JSON readers would round |

pub(crate) mod arms;
pub(crate) mod canonical;
pub(crate) mod finite;
pub(crate) mod glance;
pub(crate) mod kinds;
pub(crate) mod parse;
pub(crate) mod pointer;
pub(crate) mod positions;
pub(crate) mod repair;
pub(crate) mod validate;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use self::canonical::{Canonical, empty_object};
pub(crate) use self::finite::check_finite;
pub(crate) use self::glance::{
    has_long_integer, holds_by_type, is_end_of_f32, kind_of, may_hold_floats, text_of,
};
pub(crate) use self::parse::{Limits, check_value, drop_deep, is_blank, parse};
pub(crate) use self::repair::{fill_defaults, repair, repair_root, repair_root_value};
pub(crate) use self::validate::{Compiled, Elided, SchemaError, nearest};

/// The deepest container nesting that is read, validated, repaired or rendered.
///
/// `[[1]]` has depth 2. Every recursive walk in this module is bounded by it, which is what makes
/// them safe on a 512 KiB stack.
pub(crate) const MAX_DEPTH: usize = 128;
