//! Reads the input of a command.

use std::fs;
use std::io::{self, ErrorKind, IsTerminal, Read};
use std::path::Path;

use chatmd::Input;
use clap::CommandFactory;

use crate::cli::args::{Cli, InputArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::paths::resolve;
use crate::cli::report::message;

/// Reads the file that the arguments name, or standard input. If that is a terminal, prints the help of `command`.
pub(crate) fn read(args: &InputArgs, command: &str) -> anyhow::Result<Input> {
    match args.file.as_deref() {
        Some(path) if path != Path::new("-") => Ok(read_file(path)?),
        None if io::stdin().is_terminal() => {
            let mut cli = Cli::command();
            cli.build();
            let help = cli.find_subcommand_mut(command).map(|command| command.render_help().ansi().to_string());
            message(&help.unwrap_or_default());
            let error = CliError::new(ExitStatus::Usage, "no FILE, and standard input is a terminal");
            Err(error.with_help("name a file, or pipe one in").into())
        }
        _ => Ok(read_stdin(args.stdin_filename.as_deref())?),
    }
}

/// Reads a file. Its path is absolute and without links.
pub(crate) fn read_file(path: &Path) -> Result<Input, CliError> {
    let name = path.display().to_string();
    let bytes = fs::read(path).map_err(|error| read_error(&name, &error))?;
    Ok(Input::from(bytes).with_name(name).with_path(resolve(path)))
}

/// The text of a file that is not a document: a file of tools, or the results of a batch.
pub(crate) fn read_text(path: &Path) -> Result<String, CliError> {
    let Input { name, bytes, .. } = read_file(path)?;
    let not_utf8 = |_| CliError::new(ExitStatus::Malformed, format!("{name} is not UTF-8"));
    String::from_utf8(bytes).map_err(not_utf8)
}

fn read_stdin(path: Option<&Path>) -> Result<Input, CliError> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(|error| read_error("standard input", &error))?;
    let input = Input::from(bytes);
    Ok(match path {
        Some(path) => input.with_name(path.display().to_string()).with_path(resolve(path)),
        None => input.with_name("<stdin>"),
    })
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
