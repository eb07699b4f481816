//! Opens a page in the user's browser.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::paths::shown;

/// The program that opens a file as the user prefers.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else if cfg!(windows) {
    "explorer"
} else {
    "xdg-open"
};

/// Opens a file in the browser.
pub(crate) fn open(path: &Path) -> Result<()> {
    // A name that starts with a dash would be an option.
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut command = Command::new(OPENER);
    let status = command.arg(&path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let why = match status {
        Ok(status) if status.success() || cfg!(windows) => return Ok(()),
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    let error = Failure::new(ExitStatus::Io, format!("cannot open the page with `{OPENER}`: {why}"));
    Err(error.with_help(format!("the page is {}", shown(&path))))
}
