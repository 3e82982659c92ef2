//! Cards: how a call and its result look in a user interface, as data.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::contain::contain;
use crate::definition::ToolDefinition;
use crate::execution::ToolExecution;
use crate::result::ToolResult;

/// How a call looks while it waits or runs. Made from its arguments by `present_call`.
///
/// ```
/// use tool_core::CallCard;
///
/// let card = CallCard::terminal("cargo test");
/// let json = serde_json::to_value(&card).unwrap();
/// assert_eq!(json, serde_json::json!({"kind": "terminal", "command": "cargo test"}));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum CallCard {
    /// A title, and what else there is to say.
    #[non_exhaustive]
    Generic {
        /// One line.
        title: String,
        /// Text below it.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        detail: Option<String>,
    },
    /// A command line.
    #[non_exhaustive]
    Terminal {
        /// The command, as it would be typed.
        command: String,
        /// Where it runs.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        directory: Option<String>,
    },
    /// A change of a file.
    #[non_exhaustive]
    Diff(DiffCard),
}

impl CallCard {
    /// A title and nothing else.
    pub fn generic(title: impl Into<String>) -> Self {
        Self::Generic {
            title: title.into(),
            detail: None,
        }
    }

    /// A title, and text below it.
    pub fn detailed(title: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::Generic {
            title: title.into(),
            detail: Some(detail.into()),
        }
    }

    /// A command line.
    pub fn terminal(command: impl Into<String>) -> Self {
        Self::Terminal {
            command: command.into(),
            directory: None,
        }
    }

    /// A command line, and where it runs.
    pub fn terminal_in(directory: impl Into<String>, command: impl Into<String>) -> Self {
        Self::Terminal {
            command: command.into(),
            directory: Some(directory.into()),
        }
    }
}

impl From<DiffCard> for CallCard {
    fn from(diff: DiffCard) -> Self {
        Self::Diff(diff)
    }
}

/// How a result looks. Made from arguments and result by `present_result`.
///
/// ```
/// use tool_core::{ResultCard, SearchMatch};
///
/// let card = ResultCard::search("todo", [SearchMatch::new("a.rs", "// todo").line(3)]);
/// let json = serde_json::to_value(&card).unwrap();
/// assert_eq!(
///     json,
///     serde_json::json!({
///         "kind": "search",
///         "query": "todo",
///         "matches": [{"place": "a.rs", "line": 3, "text": "// todo"}],
///     })
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ResultCard {
    /// A title, and what else there is to say.
    #[non_exhaustive]
    Generic {
        /// One line.
        title: String,
        /// Text below it.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        detail: Option<String>,
    },
    /// What a command printed.
    #[non_exhaustive]
    Terminal {
        /// What it printed.
        output: String,
        /// How it ended; absent if a signal ended it.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        exit_code: Option<i32>,
    },
    /// A change of a file.
    #[non_exhaustive]
    Diff(DiffCard),
    /// What a search found.
    #[non_exhaustive]
    Search {
        /// What was looked for.
        query: String,
        /// What was found.
        matches: Vec<SearchMatch>,
    },
    /// A part of a file.
    #[non_exhaustive]
    Read {
        /// The file.
        path: String,
        /// The number of the first line shown, from 1.
        first_line: u64,
        /// The text.
        text: String,
    },
    /// A page of the web.
    #[non_exhaustive]
    Web {
        /// Its address.
        url: String,
        /// Its title.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        title: Option<String>,
        /// What of it is shown.
        text: String,
    },
}

impl ResultCard {
    /// A title and nothing else.
    pub fn generic(title: impl Into<String>) -> Self {
        Self::Generic {
            title: title.into(),
            detail: None,
        }
    }

    /// A title, and text below it.
    pub fn detailed(title: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::Generic {
            title: title.into(),
            detail: Some(detail.into()),
        }
    }

    /// What a command printed, and how it ended.
    pub fn terminal(output: impl Into<String>, exit_code: impl Into<Option<i32>>) -> Self {
        Self::Terminal {
            output: output.into(),
            exit_code: exit_code.into(),
        }
    }

    /// What a search found.
    pub fn search(
        query: impl Into<String>,
        matches: impl IntoIterator<Item = SearchMatch>,
    ) -> Self {
        Self::Search {
            query: query.into(),
            matches: matches.into_iter().collect(),
        }
    }

    /// A part of a file, from line `first_line` (counted from 1) on.
    pub fn read(path: impl Into<String>, first_line: u64, text: impl Into<String>) -> Self {
        Self::Read {
            path: path.into(),
            first_line,
            text: text.into(),
        }
    }

    /// A page of the web.
    pub fn web(
        url: impl Into<String>,
        title: impl Into<Option<String>>,
        text: impl Into<String>,
    ) -> Self {
        Self::Web {
            url: url.into(),
            title: title.into(),
            text: text.into(),
        }
    }
}

impl From<DiffCard> for ResultCard {
    fn from(diff: DiffCard) -> Self {
        Self::Diff(diff)
    }
}

/// A change of a file: before a call what it would do, after it what it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DiffCard {
    /// The file.
    pub path: String,
    /// Its text before; absent if it is new.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub before: Option<String>,
    /// Its text after; absent if it is gone.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after: Option<String>,
}

impl DiffCard {
    /// A change of `path` from one text to another; `None` where there is no file.
    pub fn new(
        path: impl Into<String>,
        before: impl Into<Option<String>>,
        after: impl Into<Option<String>>,
    ) -> Self {
        Self {
            path: path.into(),
            before: before.into(),
            after: after.into(),
        }
    }
}

/// One place that a search found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SearchMatch {
    /// A file or an address.
    pub place: String,
    /// The line, from 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line: Option<u64>,
    /// What stands there.
    pub text: String,
}

impl SearchMatch {
    /// A place, and what stands there.
    pub fn new(place: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            line: None,
            text: text.into(),
        }
    }

    /// With its line, from 1.
    #[must_use]
    pub fn line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }
}

/// `None`: the arguments are not the presenter's.
pub(crate) type PresentCall = Arc<dyn Fn(&ToolExecution) -> Option<CallCard> + Send + Sync>;
/// `None`: the arguments are not the presenter's.
pub(crate) type PresentResult =
    Arc<dyn Fn(&ToolExecution, &ToolResult) -> Option<ResultCard> + Send + Sync>;

impl ToolExecution {
    /// How this call looks in a user interface: what the tool's `present_call` makes of the
    /// arguments, or a generic card with the tool's title and the arguments' JSON.
    ///
    /// A presenter that panics is logged, and the card is generic.
    #[doc(alias = "presentCall")]
    pub fn call_card(&self) -> CallCard {
        let present = self
            .settings()
            .and_then(|settings| settings.present_call.as_ref());
        let card = present.and_then(|present| contain(|| present(self)).ok().flatten());
        card.unwrap_or_else(|| CallCard::detailed(self.title(), self.arguments_text()))
    }

    /// How a result of this call looks in a user interface: what the tool's `present_result` makes
    /// of arguments and result, or a generic card with the tool's title and the result's text.
    ///
    /// A presenter that panics is logged, and the card is generic.
    #[doc(alias = "presentResult")]
    pub fn result_card(&self, result: &ToolResult) -> ResultCard {
        let present = self
            .settings()
            .and_then(|settings| settings.present_result.as_ref());
        let card = present.and_then(|present| contain(|| present(self, result)).ok().flatten());
        card.unwrap_or_else(|| ResultCard::detailed(self.title(), result.text()))
    }

    fn settings(&self) -> Option<&ToolDefinition> {
        self.definition
            .as_ref()
            .map(|definition| &*definition.settings)
    }

    fn title(&self) -> &str {
        self.settings()
            .and_then(|settings| settings.title.as_deref())
            .unwrap_or(self.name())
    }
}

impl ToolDefinition {
    /// How a call looks in a user interface, from its arguments.
    pub fn present_call(
        self,
        present: impl Fn(&serde_json::Value) -> CallCard + Send + Sync + 'static,
    ) -> Self {
        let mut changed = self.changed();
        changed.present_call = Some(Arc::new(move |execution: &ToolExecution| {
            Some(present(execution.arguments()))
        }));
        changed
    }

    /// How a result looks in a user interface, from arguments and result.
    pub fn present_result(
        self,
        present: impl Fn(&serde_json::Value, &ToolResult) -> ResultCard + Send + Sync + 'static,
    ) -> Self {
        let mut changed = self.changed();
        changed.present_result = Some(Arc::new(
            move |execution: &ToolExecution, result: &ToolResult| {
                Some(present(execution.arguments(), result))
            },
        ));
        changed
    }
}
