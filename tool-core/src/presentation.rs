//! How tools are shown to a model: by name, or through programs.

use crate::error::RegisterError;

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

impl Presentation {
    /// Programs need something to run them: without it nothing falls back to another presentation.
    pub(crate) fn check(self) -> Result<(), RegisterError> {
        match self {
            Self::Native => Ok(()),
            Self::Code | Self::Both => {
                Err(RegisterError::MissingCodeRuntime { presentation: self })
            }
        }
    }
}
