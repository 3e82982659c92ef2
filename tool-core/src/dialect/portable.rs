//! One line in a unit test: would every provider take these tools?

use super::{Dialect, Export};
use crate::runtime::ToolRuntime;
use crate::scope::Scope;

/// What can be exported: a [`ToolRuntime`] or a [`Scope`].
pub trait Portable {
    /// The tools a model is sent, as `dialect` wants them.
    fn exported(&self, dialect: Dialect) -> Export;
}

impl Portable for ToolRuntime {
    fn exported(&self, dialect: Dialect) -> Export {
        self.export(dialect)
    }
}

impl Portable for Scope {
    fn exported(&self, dialect: Dialect) -> Export {
        self.export(dialect)
    }
}

/// Which tools cannot go out in which dialect, and why: one line each, empty if all can.
///
/// Behind [`assert_portable!`](crate::assert_portable).
pub fn unportable(tools: &impl Portable, dialects: impl IntoIterator<Item = Dialect>) -> String {
    let mut lines = String::new();
    for dialect in dialects {
        for loss in tools.exported(dialect).report.left_out() {
            lines.push_str(&format!("{dialect}: {loss}\n"));
        }
    }
    lines
}

/// Fails if a tool of a runtime or scope cannot go out in one of the dialects; says which, and why.
///
/// What a provider takes in another form (a keyword moved to the description, a tool that goes out
/// non-strict) is in [`Export::report`](crate::dialect::Export::report) and does not fail.
///
/// # Panics
///
/// With one line for each tool and dialect that do not go together.
///
/// ```
/// use tool_core::dialect::Dialect;
/// use tool_core::{ToolRuntime, assert_portable, tool};
///
/// /// Finds documents.
/// #[tool]
/// fn find(q: String, limit: Option<u32>) -> Vec<String> {
///     vec![q; limit.unwrap_or(1) as usize]
/// }
///
/// let runtime = ToolRuntime::builder().tool(find {}).build().unwrap();
/// assert_portable!(runtime, Dialect::ALL);
/// assert_portable!(runtime, [Dialect::Gemini, Dialect::OpenAi { strict: true }]);
/// ```
#[macro_export]
macro_rules! assert_portable {
    ($tools:expr, $dialects:expr $(,)?) => {{
        let unportable = $crate::dialect::unportable(&$tools, $dialects);
        ::core::assert!(
            unportable.is_empty(),
            "not every tool can go out:\n{unportable}"
        );
    }};
}
