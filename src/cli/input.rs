//! Reads the input of a command.

use std::fs;
use std::io::{self, BufRead, BufReader, ErrorKind, IsTerminal, Read};
use std::path::{Path, PathBuf};

use chatmd::sanitize::on_one_line;
use chatmd::sessions::read_head;
use chatmd::{Converter, Input, ResponseOptions};
use clap::CommandFactory;

use crate::cli::args::{Cli, InputArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::paths::resolve;
use crate::cli::report::message;

/// The name of standard input in messages about reading it.
const STDIN: &str = "standard input";

/// An input that is not read yet.
pub(crate) struct Opened {
    pub(crate) reader: Box<dyn BufRead>,
    pub(crate) name: String,
    path: Option<PathBuf>,
}

impl Opened {
    /// Reads the rest of it. `head` is what was read already.
    pub(crate) fn read_after(mut self, mut head: Vec<u8>) -> Result<Input, CliError> {
        self.reader.read_to_end(&mut head).map_err(|error| read_error(&self.name, &error))?;
        let input = Input::from(head).with_name(if self.name == STDIN { "<stdin>" } else { &self.name });
        Ok(match self.path {
            Some(path) => input.with_path(path),
            None => input,
        })
    }
}

/// Reads the file that the arguments name, or standard input. If that is a terminal, prints the help of `command`.
pub(crate) fn read(args: &InputArgs, command: &str) -> anyhow::Result<Input> {
    Ok(open(args, command)?.read_after(Vec::new())?)
}

/// Like [`read`], but a session of another program becomes a document.
pub(crate) fn read_document(args: &InputArgs, command: &str) -> anyhow::Result<Input> {
    let mut opened = open(args, command)?;
    let (head, format) = read_head(&mut opened.reader).map_err(|error| read_error(&opened.name, &error))?;
    let Some(format) = format else { return Ok(opened.read_after(head)?) };
    let (name, path) = (opened.name, opened.path);
    let mut session = head.chain(opened.reader);
    let reply = Converter::new().from_session(&mut session, format, &name, &ResponseOptions::default());
    let input = Input::from(reply.map_err(CliError::from)?.text).with_name(name);
    Ok(match path {
        Some(path) => input.with_path(path),
        None => input,
    })
}

/// Opens the file that the arguments name, or standard input. If that is a terminal, prints the help of `command`.
pub(crate) fn open(args: &InputArgs, command: &str) -> anyhow::Result<Opened> {
    match args.file.as_deref() {
        Some(path) if path != Path::new("-") => {
            let name = path.display().to_string();
            let file = fs::File::open(path).map_err(|error| read_error(&name, &error))?;
            Ok(Opened { reader: Box::new(BufReader::new(file)), name, path: Some(resolve(path)) })
        }
        None if io::stdin().is_terminal() => {
            let mut cli = Cli::command();
            cli.build();
            let help = cli.find_subcommand_mut(command).map(|command| command.render_help().ansi().to_string());
            message(&help.unwrap_or_default());
            let error = CliError::new(ExitStatus::Usage, "no FILE, and standard input is a terminal");
            Err(error.with_help("name a file, or pipe one in").into())
        }
        _ => {
            let path = args.stdin_filename.as_deref();
            let name = path.map_or(STDIN.to_owned(), |path| path.display().to_string());
            Ok(Opened { reader: Box::new(BufReader::new(io::stdin())), name, path: path.map(resolve) })
        }
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

/// The error for a file that cannot be read.
pub(crate) fn read_error(name: &str, error: &io::Error) -> CliError {
    let exit = if error.kind() == ErrorKind::NotFound { ExitStatus::Missing } else { ExitStatus::Io };
    // A line break in a name would look like another message.
    let read_error = CliError::new(exit, format!("cannot read {}: {error}", on_one_line(name)));
    match error.kind() {
        ErrorKind::NotFound => read_error.with_help("check the path; `-` reads standard input"),
        ErrorKind::IsADirectory => read_error.with_help("name a file in it"),
        _ => read_error,
    }
}
