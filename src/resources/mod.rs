//! Everything a document may read besides itself goes through [`Resources`].
//!
//! `Directory` (with the feature `fs`) reads from the disk inside chosen roots, [`Memory`] from files
//! held in memory, and [`NoFiles`] refuses every name.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf, is_separator};

pub mod budget;
#[cfg(feature = "fs")]
pub mod commands;
#[cfg(feature = "fs")]
pub mod directory;
pub(crate) mod media;
mod media_type;
pub mod memory;
mod path;
pub mod program;
pub mod store;
#[cfg(feature = "fs")]
mod walk;

pub use budget::Budget;
#[cfg(feature = "fs")]
pub use commands::{Commands, ProgramEnd, Ran, RunLimits, StartGuard, run_program};
#[cfg(feature = "fs")]
pub use directory::Directory;
pub use memory::Memory;
#[doc(hidden)]
pub use path::normalize;
pub use program::{ProgramError, Programs};
pub use store::MediaStore;
#[cfg(feature = "cli")]
pub(crate) use store::is_hash_name;

/// The only reader of the files a document refers to.
pub trait Resources {
    /// Reads the file that `path` names when written in the file `base`.
    ///
    /// A relative `path` is looked up in the directory of `base`, and where
    /// that finds nothing, in the reader's own directories. `base` is `None`
    /// for text that is not in a file.
    ///
    /// # Errors
    ///
    /// A [`ReadError`] when the name is refused or there is no such file. The
    /// answer for a place outside what the reader allows is
    /// [`ReadError::Outside`], whether or not something is there.
    fn read(&self, path: &str, base: Option<&Path>) -> Result<Loaded, ReadError>;

    /// Whether a file that was not read is below the current directory, so
    /// that allowing this directory would help.
    fn is_in_current_dir(&self, _path: &str, _base: Option<&Path>) -> bool {
        false
    }
}

/// A file that was read completely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// The same for every spelling of the same file, and the right `base` for
    /// the references inside it. Absolute and free of links when the file
    /// comes from a `Directory`, relative to the top in a [`Memory`].
    pub path: PathBuf,
    /// The whole content.
    pub bytes: Vec<u8>,
}

/// Why a file was not read.
///
/// The texts do not repeat the name of the file: they are meant to follow it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// The place is allowed, and nothing is there.
    Missing,
    /// The place is not allowed. Says nothing about what is there.
    Outside,
    /// The place is allowed and holds something other than a regular file.
    NotAFile(FileKind),
    /// The file has more bytes than the reader accepts.
    TooLarge {
        /// The most bytes the reader accepts.
        ceiling: u64,
    },
    /// Together with earlier files, this one exceeds the bytes that the reader accepts in total.
    TooMuch {
        /// The most bytes the reader accepts in all.
        ceiling: u64,
    },
    /// The name goes through more symbolic links than any sane chain has.
    LinkLoop,
    /// No file can have this name, for the given reason.
    InvalidName(&'static str),
    /// The operating system reported this failure.
    Unreadable(String),
}

/// A file type that is not a regular file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// A directory.
    Directory,
    /// A named pipe.
    Fifo,
    /// A Unix domain socket.
    Socket,
    /// A device, or anything else that has no content of its own.
    Device,
}

/// Refuses every name.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFiles;

impl Resources for NoFiles {
    fn read(&self, _path: &str, _base: Option<&Path>) -> Result<Loaded, ReadError> {
        Err(ReadError::Outside)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("no such file"),
            Self::Outside => f.write_str("outside the allowed directories"),
            Self::NotAFile(kind) => write!(f, "{kind}, not a regular file"),
            Self::TooLarge { ceiling } => write!(f, "larger than {ceiling} bytes"),
            Self::TooMuch { ceiling } => write!(f, "with it, more than {ceiling} bytes would be read in all"),
            Self::LinkLoop => f.write_str("too many levels of symbolic links"),
            Self::InvalidName(reason) => write!(f, "not a file name: {reason}"),
            Self::Unreadable(text) => write!(f, "cannot be read: {text}"),
        }
    }
}

impl std::error::Error for ReadError {}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Directory => "a directory",
            Self::Fifo => "a named pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
        })
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Self::Missing,
            ErrorKind::InvalidFilename => Self::InvalidName(TOO_LONG),
            // cap-std reports a path that leaves its directory with an error of
            // its own making; one from the system would carry a number.
            ErrorKind::PermissionDenied if error.raw_os_error().is_none() => Self::Outside,
            _ => Self::Unreadable(system_message(&error)),
        }
    }
}

/// The message of the system for an error, without the error number at the end.
///
/// ```
/// use chatmd::resources::system_message;
///
/// assert_eq!(system_message(&"Permission denied (os error 13)"), "Permission denied");
/// ```
#[doc(hidden)]
pub fn system_message(error: &dyn fmt::Display) -> String {
    let mut text = error.to_string();
    if let (Some(at), true) = (text.rfind(" (os error "), text.ends_with(')')) {
        text.truncate(at);
    }
    text
}

/// How a program failed.
///
/// ```
/// # #[cfg(unix)] {
/// use std::os::unix::process::ExitStatusExt;
/// use std::process::ExitStatus;
///
/// let status = ExitStatus::from_raw(1 << 8);
/// assert_eq!(chatmd::resources::program_failure("false", status), "`false` failed with exit status 1");
/// # }
/// ```
#[doc(hidden)]
pub fn program_failure(program: &str, status: std::process::ExitStatus) -> String {
    format!("`{program}` failed with {}", describe_status(status))
}

/// `exit status 3`, `signal 9 (SIGKILL)`
pub(crate) fn describe_status(status: std::process::ExitStatus) -> String {
    status.to_string().replacen(": ", " ", 1)
}

const TOO_LONG: &str = "it is too long";

/// Longer names are refused unseen, so that the work per name is bounded.
const MAX_NAME_LENGTH: usize = 4096;

fn check_name(path: &str) -> Result<(), ReadError> {
    let fault = if path.is_empty() {
        "it is empty"
    } else if path.contains('\0') {
        "it holds a NUL character"
    } else if path.len() > MAX_NAME_LENGTH {
        TOO_LONG
    } else {
        return Ok(());
    };
    Err(ReadError::InvalidName(fault))
}

/// True for `a/` and `a/.`, which [`Path`] treats like `a`.
fn names_directory(path: &str) -> bool {
    path.strip_suffix('.').unwrap_or(path).ends_with(is_separator)
}
