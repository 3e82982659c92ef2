//! Waiting for changes of what is registered.

use std::fmt;

use tokio::sync::watch;

use crate::runtime::ToolRuntime;
use crate::scope::{Scope, Target};

/// Tells when something was registered or disposed, anywhere in a runtime.
///
/// For whoever keeps a copy of the catalog, such as a server that tells its clients of a new list.
/// Tools, hooks and restrictions all count, so look whether what you keep has changed. Changes that
/// come close together are told once.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use tool_core::{ToolRuntime, tool};
///
/// /// Greets.
/// #[tool]
/// fn hello() -> String { "hello".into() }
///
/// let runtime = ToolRuntime::builder().build().unwrap();
/// let mut changes = runtime.changes();
/// assert!(!changes.take());
///
/// runtime.register(hello {}).unwrap();
/// assert!(changes.changed().await);
/// assert_eq!(runtime.schemas().len(), 1);
///
/// drop(runtime);
/// assert!(!changes.changed().await);
/// # }
/// ```
#[derive(Clone)]
#[must_use = "it tells of nothing until it is asked"]
pub struct Changes {
    bell: watch::Receiver<()>,
}

impl Changes {
    /// Waits for a change that was not told yet; `false` once the runtime is gone.
    ///
    /// What is read after it returns holds the change.
    pub async fn changed(&mut self) -> bool {
        self.bell.changed().await.is_ok()
    }

    /// Whether there was a change that was not told yet. It is told now.
    pub fn take(&mut self) -> bool {
        let changed = self.bell.has_changed().unwrap_or(false);
        self.bell.mark_unchanged();
        changed
    }
}

impl fmt::Debug for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Changes").finish_non_exhaustive()
    }
}

impl ToolRuntime {
    /// Tells of every change from now on, in the runtime and in its scopes.
    pub fn changes(&self) -> Changes {
        let bell = self.shared.epoch.bell.listen();
        Changes { bell }
    }
}

impl Scope {
    /// Tells of every change from now on, in the runtime and in its scopes.
    pub fn changes(&self) -> Changes {
        let bell = self.runtime().epoch.bell.listen();
        Changes { bell }
    }
}
