//! Reads the input of a command.

use std::fs;
use std::io::{self, ErrorKind, IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::CommandFactory;

use crate::cli::args::{Cli, InputArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::paths::resolve;
use crate::cli::report::message;

/// The content of a file or of standard input.
pub(crate) struct Input {
    /// The name to show in messages.
    pub(crate) name: String,
    /// The absolute path without links; `None` for standard input without `--stdin-filename`.
    pub(crate) path: Option<PathBuf>,
    pub(crate) bytes: Vec<u8>,
}

impl Input {
    /// Reads the file that the arguments name, or standard input. If that is a terminal, prints the help of `command`.
    pub(crate) fn read(args: &InputArgs, command: &str) -> anyhow::Result<Self> {
        match args.file.as_deref() {
            Some(path) if path != Path::new("-") => Ok(Self::file(path)?),
            None if io::stdin().is_terminal() => {
                let mut cli = Cli::command();
                cli.build();
                let help = cli.find_subcommand_mut(command).map(|command| command.render_help().ansi().to_string());
                message(&help.unwrap_or_default());
                let error = CliError::new(ExitStatus::Usage, "no FILE, and standard input is a terminal");
                Err(error.with_help("name a file, or pipe one in").into())
            }
            _ => Ok(Self::stdin(args.stdin_filename.clone())?),
        }
    }

    /// Reads a file.
    pub(crate) fn file(path: &Path) -> Result<Self, CliError> {
        let name = path.display().to_string();
        let bytes = fs::read(path).map_err(|error| read_error(&name, &error))?;
        Ok(Self { name, path: Some(resolve(path)), bytes })
    }

    /// The input as text that is not a document: a file of tools, or the results of a batch.
    pub(crate) fn into_text(self) -> Result<String, CliError> {
        let not_utf8 = |_| CliError::new(ExitStatus::Malformed, format!("{} is not UTF-8", self.name));
        String::from_utf8(self.bytes).map_err(not_utf8)
    }

    fn stdin(path: Option<PathBuf>) -> Result<Self, CliError> {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map_err(|error| read_error("standard input", &error))?;
        let name = path.as_ref().map_or_else(|| "<stdin>".to_owned(), |path| path.display().to_string());
        Ok(Self { name, path: path.map(|path| resolve(&path)), bytes })
    }
}

/// The error for a file that cannot be read.
pub(crate) fn read_error(name: &str, error: &io::Error) -> CliError {
    let exit = if error.kind() == ErrorKind::NotFound { ExitStatus::Missing } else { ExitStatus::Io };
    let read_error = CliError::new(exit, format!("cannot read {name}: {error}"));
    match error.kind() {
        ErrorKind::NotFound => read_error.with_help("check the path; `-` reads standard input"),
        ErrorKind::IsADirectory => read_error.with_help("name a file in it"),
        _ => read_error,
    }
}
