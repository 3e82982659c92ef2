//! Identities: of a call, as the model gave it, and of an execution, as the runtime minted it.

use std::cell::Cell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Serialize, Serializer};
use smol_str::SmolStr;

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
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallId(SmolStr);

impl CallId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) const fn none() -> Self {
        Self(SmolStr::new_inline(""))
    }
}

impl Deref for CallId {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for CallId {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl std::borrow::Borrow<str> for CallId {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

// As a `str` hashes: a map with ids as keys can be asked with a text.
impl Hash for CallId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl From<&str> for CallId {
    fn from(id: &str) -> Self {
        Self(SmolStr::new(id))
    }
}

impl From<String> for CallId {
    fn from(id: String) -> Self {
        Self(SmolStr::new(id))
    }
}

impl From<&CallId> for CallId {
    fn from(id: &CallId) -> Self {
        id.clone()
    }
}

impl PartialEq<str> for CallId {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for CallId {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Serialize for CallId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

/// The identity of one execution inside this process: fresh for every call, also for a retry of the same call id.
///
/// A nested call carries its caller's token as `parent`.
#[doc(alias = "ToolExecutionToken")]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExecutionToken(u64);

impl ExecutionToken {
    /// A fresh one. A thread takes a block of them at a time, so that threads seldom meet.
    pub(crate) fn mint() -> Self {
        const BLOCK: u64 = 1 << 10;
        static NEXT: AtomicU64 = AtomicU64::new(1);
        thread_local! {
            static OWN: Cell<Range<u64>> = const { Cell::new(0..0) };
        }
        let next = OWN.try_with(|own| {
            let mut range = own.take();
            let next = range.next().unwrap_or_else(|| {
                let first = NEXT.fetch_add(BLOCK, Ordering::Relaxed);
                range = first + 1..first + BLOCK;
                first
            });
            own.set(range);
            next
        });
        // A thread that ends has no block any more.
        Self(next.unwrap_or_else(|_| NEXT.fetch_add(1, Ordering::Relaxed)))
    }
}
