//! Identities: of a call, as the model gave it, and of an execution, as the runtime minted it.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Serialize, Serializer};

/// The id a model gave to one call; its result carries the same id.
///
/// Cheap to clone. Any text is a valid id.
///
/// ```
/// use tool_core::CallId;
///
/// let id = CallId::from("call_1");
/// assert_eq!(id.as_str(), "call_1");
/// ```
#[doc(alias = "ToolCallId")]
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(Arc<str>);

impl CallId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for CallId {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for CallId {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl std::borrow::Borrow<str> for CallId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl From<&str> for CallId {
    fn from(id: &str) -> Self {
        Self(id.into())
    }
}

impl From<String> for CallId {
    fn from(id: String) -> Self {
        Self(id.into())
    }
}

impl From<&CallId> for CallId {
    fn from(id: &CallId) -> Self {
        id.clone()
    }
}

impl PartialEq<str> for CallId {
    fn eq(&self, other: &str) -> bool {
        &*self.0 == other
    }
}

impl PartialEq<&str> for CallId {
    fn eq(&self, other: &&str) -> bool {
        &*self.0 == *other
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl Serialize for CallId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// The identity of one execution inside this process: fresh for every call, also for a retry of the same call id.
///
/// A nested call carries its caller's token as `parent`.
#[doc(alias = "ToolExecutionToken")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExecutionToken(u64);

impl ExecutionToken {
    pub(crate) fn mint() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}
