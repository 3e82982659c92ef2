//! The directory, and the only ways into it.

use std::fmt::Display;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File};
use tool_core::ToolError;

/// A directory that is served. Every path is looked up from its handle, and the system is told to
/// stay below it (`openat2` with `RESOLVE_BENEATH` on Linux): a path that is checked and one that
/// is opened cannot be two.
#[derive(Clone)]
pub(crate) struct Root {
    dir: Arc<Dir>,
}

impl Root {
    pub(crate) fn open(directory: &Path) -> io::Result<Self> {
        let dir = Dir::open_ambient_dir(directory, ambient_authority())?;
        Ok(Self { dir: Arc::new(dir) })
    }

    pub(super) fn dir(&self) -> &Dir {
        &self.dir
    }

    /// Why a path may not be used, if it leads out of the directory.
    pub(super) fn leads_out(&self, path: &str) -> Option<String> {
        const SUCH: &str = "give a path below the served directory, such as \"src/main.rs\"";
        if path.contains('\0') {
            return Some(format!("{path:?} has a NUL character; {SUCH}"));
        }
        for part in Path::new(path).components() {
            match part {
                Component::RootDir | Component::Prefix(_) => {
                    return Some(format!("{path:?} is absolute; {SUCH}"));
                }
                Component::ParentDir => return Some(format!("{path:?} has \"..\"; {SUCH}")),
                Component::CurDir | Component::Normal(_) => {}
            }
        }
        self.symlink_out(Path::new(path))
            .then(|| format!("{path:?} is a link out of the served directory; {SUCH}"))
    }

    /// Whether a link on the way leads out. A file that is yet to be made has a way, too.
    fn symlink_out(&self, path: &Path) -> bool {
        let Err(error) = self.dir.canonicalize(path) else {
            return false;
        };
        if is_escape(&error) {
            return true;
        }
        if error.kind() != ErrorKind::NotFound {
            return false;
        }
        // A link to what is not there does not tell whether that would be outside.
        let found = self.dir.symlink_metadata(path);
        let parent = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        found.is_ok_and(|found| found.is_symlink())
            || parent.is_some_and(|parent| self.symlink_out(parent))
    }

    /// Opens a regular file for reading. Pipes and devices are not opened: a read of one may never end.
    pub(super) fn file(&self, path: &str) -> Result<File, ToolError> {
        let found = self.dir.metadata(path).map_err(cannot("open", path))?;
        if found.is_dir() {
            return Err(format!("{path:?} is a directory; call `list_directory`").into());
        }
        let special = || ToolError::new(format!("{path:?} is not a regular file"));
        if !found.is_file() {
            return Err(special());
        }
        let file = self.dir.open(path).map_err(cannot("open", path))?;
        // It may be another one by now.
        let opened = file.metadata().map_err(cannot("open", path))?;
        opened.is_file().then_some(file).ok_or_else(special)
    }

    /// The place that a path names, without links.
    pub(super) fn resolve(&self, path: &str) -> Result<PathBuf, ToolError> {
        self.dir.canonicalize(path).map_err(cannot("find", path))
    }
}

/// `cap-std` says by an error of its own that a path led out; the system's errors have a number.
fn is_escape(error: &io::Error) -> bool {
    error.kind() == ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}

/// `cannot open "a.txt": No such file or directory (os error 2)`
pub(super) fn cannot<E: Display>(what: &str, path: &str) -> impl Fn(E) -> ToolError {
    move |error| ToolError::new(format!("cannot {what} {path:?}: {error}"))
}

/// Runs what waits for the disk where it holds up nobody.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ToolError> + Send + 'static,
) -> Result<T, ToolError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(_) => Err("the file tool broke".into()),
    }
}
