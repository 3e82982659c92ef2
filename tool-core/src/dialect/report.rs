//! What an export could not carry over.

use std::fmt;

use serde::Serialize;

/// What was done about something the target cannot express.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Action {
    /// The keyword was removed and is said in words, in the description.
    MovedToDescription,
    /// The exported schema accepts more than the tool does.
    Widened,
    /// The exported schema accepts less than the tool does.
    Narrowed,
    /// An object that takes further properties was closed: a narrowing that strict modes ask for.
    Closed,
    /// A `$ref` was replaced by what it points to. Nothing is lost but brevity.
    Inlined,
    /// A tool or property goes out under another name; [`NameMap`](super::NameMap) knows both.
    Renamed,
    /// The tool goes out without `strict: true`.
    WentNonStrict,
    /// The keyword was removed without a replacement.
    Dropped,
    /// The tool is not in the exported list.
    LeftOut,
}

impl Action {
    /// Whether a call can do exactly what it could do without this action.
    ///
    /// ```
    /// # use tool_core::dialect::Action;
    /// assert!(Action::Renamed.is_lossless());
    /// assert!(!Action::Widened.is_lossless());
    /// ```
    #[must_use]
    pub fn is_lossless(self) -> bool {
        matches!(self, Self::Inlined | Self::Renamed)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::MovedToDescription => "moved to the description",
            Self::Widened => "widened",
            Self::Narrowed => "narrowed",
            Self::Closed => "closed",
            Self::Inlined => "inlined",
            Self::Renamed => "renamed",
            Self::WentNonStrict => "went out non-strict",
            Self::Dropped => "dropped",
            Self::LeftOut => "left out",
        })
    }
}

/// One thing an export could not carry over.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct Loss {
    /// The tool's own name.
    pub tool: String,
    /// JSON pointer into the tool's canonical parameters; empty for the tool as a whole.
    pub path: String,
    /// What the target cannot express, such as ``"`minLength`: 1"``.
    pub what: String,
    /// What was done about it.
    pub action: Action,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.tool)?;
        if !self.path.is_empty() {
            write!(f, " at `{}`", self.path)?;
        }
        write!(f, ": {}: {}", self.action, self.what)
    }
}

/// Everything an export could not carry over, in the order of the tools.
///
/// What an export loses, the runtime still enforces: a call that the provider let through and
/// the tool's own schema does not accept is refused.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct LossReport {
    losses: Vec<Loss>,
}

impl LossReport {
    /// Whether nothing was lost, renamed or inlined.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.losses.is_empty()
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.losses.len()
    }

    /// The entries, in the order of the tools.
    pub fn iter(&self) -> std::slice::Iter<'_, Loss> {
        self.losses.iter()
    }

    /// The entries of one tool, by its own name.
    pub fn of_tool<'a>(&'a self, tool: &'a str) -> impl Iterator<Item = &'a Loss> {
        self.losses.iter().filter(move |loss| loss.tool == tool)
    }

    /// The tools that are not in the exported list, each with the reasons.
    pub fn left_out(&self) -> impl Iterator<Item = &Loss> {
        self.losses
            .iter()
            .filter(|loss| loss.action == Action::LeftOut)
    }

    pub(super) fn push(&mut self, tool: &str, finding: Finding) {
        let Finding { path, what, action } = finding;
        self.losses.push(Loss {
            tool: tool.to_owned(),
            path,
            what,
            action,
        });
    }
}

impl<'a> IntoIterator for &'a LossReport {
    type Item = &'a Loss;
    type IntoIter = std::slice::Iter<'a, Loss>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for LossReport {
    type Item = Loss;
    type IntoIter = std::vec::IntoIter<Loss>;

    fn into_iter(self) -> Self::IntoIter {
        self.losses.into_iter()
    }
}

impl fmt::Display for LossReport {
    /// One line per entry.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, loss) in self.losses.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{loss}")?;
        }
        Ok(())
    }
}

/// A [`Loss`] before the tool's name is put to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Finding {
    pub(super) path: String,
    pub(super) what: String,
    pub(super) action: Action,
}
