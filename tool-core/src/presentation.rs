//! How tools are shown to a model: by name, or through programs.

/// How the tools of a scope are presented to a model.
///
/// A runtime has a default; a scope may declare another for itself and everything below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Presentation {
    /// Each tool by name.
    #[default]
    Native,
    /// One tool, `run_code`, whose programs call the others.
    #[doc(alias = "PTC")]
    Code,
    /// Both.
    Both,
}
