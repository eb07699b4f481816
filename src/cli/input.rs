//! What a command reads.

use std::io::{ErrorKind, IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::CommandFactory;

use crate::cli::args::{Cli, InputArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::report::message;

/// A file or standard input, read whole.
pub(crate) struct Input {
    /// The name it goes by in messages.
    pub(crate) name: String,
    /// Its place on disk, if it has one, without links.
    pub(crate) path: Option<PathBuf>,
    pub(crate) bytes: Vec<u8>,
}

impl Input {
    /// Reads what the arguments name. `command` is whose help is shown when there is nothing to read.
    pub(crate) fn read(args: &InputArgs, command: &str) -> anyhow::Result<Self> {
        match args.file.as_deref() {
            Some(path) if path != Path::new("-") => Self::file(path),
            None if std::io::stdin().is_terminal() => {
                let mut cli = Cli::command();
                cli.build();
                let help = cli.find_subcommand_mut(command).map(|command| command.render_help().ansi().to_string());
                message(&help.unwrap_or_default());
                let message = "no FILE, and standard input is a terminal".to_owned();
                Err(CliError { exit: ExitStatus::Usage, message, help: Some("name a file, or pipe one in".to_owned()) }
                    .into())
            }
            _ => Self::stdin(args.stdin_filename.clone()),
        }
    }

    /// Reads one file.
    pub(crate) fn file(path: &Path) -> anyhow::Result<Self> {
        let bytes = std::fs::read(path).map_err(|error| unreadable(&path.display().to_string(), &error))?;
        Ok(Self { name: path.display().to_string(), path: Some(place_of(path)), bytes })
    }

    fn stdin(path: Option<PathBuf>) -> anyhow::Result<Self> {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map_err(|error| unreadable("standard input", &error))?;
        let name = path.as_ref().map_or_else(|| "<stdin>".to_owned(), |path| path.display().to_string());
        Ok(Self { name, path: path.map(|path| place_of(&path)), bytes })
    }
}

/// Where a file is or would be, without links.
pub(crate) fn place_of(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = || Some(std::fs::canonicalize(parent).ok()?.join(path.file_name()?));
    std::fs::canonicalize(path).ok().or_else(beside).unwrap_or_else(|| path.to_owned())
}

/// What is told when a file cannot be read.
pub(crate) fn unreadable(name: &str, error: &std::io::Error) -> CliError {
    let exit = if error.kind() == ErrorKind::NotFound { ExitStatus::Missing } else { ExitStatus::InputOutput };
    let help = match error.kind() {
        ErrorKind::NotFound => Some("check the path; `-` reads standard input".to_owned()),
        ErrorKind::IsADirectory => Some("name a file in it".to_owned()),
        _ => None,
    };
    CliError { exit, message: format!("cannot read {name}: {error}"), help }
}
