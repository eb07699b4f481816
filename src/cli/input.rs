//! Reads the input of a command.

use std::fs;
use std::io::{self, BufRead, BufReader, ErrorKind, IsTerminal, Read};
use std::path::{Path, PathBuf};

use chatmd::responses::is_payload;
use chatmd::sessions::read_head;
use chatmd::{Converter, Input, ResponseOptions};

use crate::cli::args::{self, Common, InputArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::paths::resolve;
use crate::cli::report::{failed, message};

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

/// Reads the file that the arguments name, or standard input. If that is a terminal, prints the usage of `command`.
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

/// Like [`read_document`], but everything that `from-response` takes becomes a document.
pub(crate) fn read_convertible(args: &InputArgs, command: &str, common: &Common) -> anyhow::Result<Input> {
    let input = read_document(args, command)?;
    let is_payload = std::str::from_utf8(&input.bytes).is_ok_and(is_payload);
    if !is_payload {
        return Ok(input);
    }
    let (name, path) = (input.name.clone(), input.path.clone());
    let reply =
        Converter::new().from_response(input, &ResponseOptions::default()).map_err(|error| failed(error, common))?;
    let document = Input::from(reply.text).with_name(name);
    Ok(match path {
        Some(path) => document.with_path(path),
        None => document,
    })
}

/// Opens the file that the arguments name, or standard input. If that is a terminal, prints the usage of `command`.
pub(crate) fn open(args: &InputArgs, command: &str) -> anyhow::Result<Opened> {
    match args.file.as_deref() {
        Some(path) if path != Path::new("-") => {
            let name = path.display().to_string();
            let file = fs::File::open(path).map_err(|error| read_error(&name, &error))?;
            Ok(Opened { reader: Box::new(BufReader::new(file)), name, path: Some(resolve(path)) })
        }
        None if io::stdin().is_terminal() => {
            message(&usage(command));
            let error = CliError::new(ExitStatus::Usage, "no FILE, and standard input is a terminal");
            Err(error.with_help(format!("name a file, or pipe one in; `chatmd help {command}` has more")).into())
        }
        _ => {
            let path = args.stdin_filename.as_deref();
            let name = path.map_or(STDIN.to_owned(), |path| path.display().to_string());
            Ok(Opened { reader: Box::new(BufReader::new(io::stdin())), name, path: path.map(resolve) })
        }
    }
}

/// The usage line of a command, and its first example.
fn usage(name: &str) -> String {
    let mut cli = args::command();
    cli.build();
    let Some(command) = cli.find_subcommand_mut(name) else { return String::new() };
    let usage = command.render_usage().ansi().to_string();
    format!("{usage}\nExample: {}\n", args::first_example([name.to_owned()]))
}

/// Returns an error if a path is `-`. `what` needs a file.
pub(crate) fn require_file(path: &Path, what: &str) -> Result<(), CliError> {
    if path != Path::new("-") {
        return Ok(());
    }
    Err(CliError::new(ExitStatus::Usage, format!("{what} needs a file, not standard input"))
        .with_help("write the document to a file and name it"))
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
    let read_error = CliError::new(exit, format!("cannot read {name}: {error}"));
    match error.kind() {
        ErrorKind::NotFound => read_error.with_help("check the path"),
        ErrorKind::IsADirectory => read_error.with_help("name a file in it"),
        _ => read_error,
    }
}
