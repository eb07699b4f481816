//! Reads the input of a command.

use std::fs;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, IsTerminal, Read};
use std::path::{Path, PathBuf};

use crate::diagnostic::Colors;
use crate::resources::system_message;
use crate::responses::is_payload;
use crate::sessions::{self, Format, SessionLimits};
use crate::{Converter, Input, Reply, ResponseOptions};

use crate::cli::args::{self, InputArgs};
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::hints::Flags;
use crate::cli::interruptible::Interruptible;
use crate::cli::paths::{resolve, shown, similar};
use crate::cli::report::{message, report_completion, report_omitted, warning};

/// The name of standard input in messages about reading it.
const STDIN: &str = "standard input";

/// An input that is not read yet.
pub(crate) struct Opened {
    pub(crate) reader: Box<dyn BufRead>,
    pub(crate) name: String,
    path: Option<PathBuf>,
}

/// The input of a command.
pub(crate) enum Received {
    /// An input that was read to its end.
    Input(Input),
    /// A session of another program, which is read line by line because it may be larger than memory.
    Session(Format, Opened),
}

/// Reads the file that the arguments name, or standard input. If that is a terminal, prints the usage of `command`.
pub(crate) fn read(args: &InputArgs, command: &str) -> Result<Input> {
    let (reader, name, path) = open(args, command)?;
    Opened { reader: Box::new(BufReader::new(reader)), name, path }.read(Vec::new(), false)
}

/// Like [`read`], but a session of another program is only opened, and if standard input breaks off, whatever has arrived is
/// kept. With `until_interrupt`, that is so for the first interrupt too.
pub(crate) fn receive(
    args: &InputArgs,
    limits: SessionLimits,
    command: &str,
    until_interrupt: bool,
) -> Result<Received> {
    let (mut reader, name, path) = open(args, command)?;
    if until_interrupt {
        reader = Box::new(Interruptible::new(reader));
    }
    let sessions::OpenedSession { format, head, rest } =
        sessions::open(BufReader::new(reader), limits).map_err(|error| read_error(&name, &error))?;
    Ok(match format {
        Some(format) => {
            Received::Session(format, Opened { reader: Box::new(Cursor::new(head).chain(rest)), name, path })
        }
        None => Received::Input(Opened { reader: Box::new(rest), name, path }.read(head, true)?),
    })
}

/// Like [`read`], but a session of another program becomes a document.
pub(crate) fn read_document(args: &InputArgs, limits: SessionLimits, command: &str) -> Result<Input> {
    match receive(args, limits, command, false)? {
        Received::Input(input) => Ok(input),
        Received::Session(format, Opened { mut reader, name, path }) => {
            let reply = Converter::new().from_session(&mut reader, format, &name, &ResponseOptions::default())?;
            Ok(converted(reply, name, path))
        }
    }
}

impl Opened {
    /// Reads an input to its end. `bytes` is what was read already. With `keeps_part`, whatever has arrived is kept if standard
    /// input breaks off.
    fn read(mut self, mut bytes: Vec<u8>, keeps_part: bool) -> Result<Input> {
        let Self { reader, name, path } = &mut self;
        match reader.read_to_end(&mut bytes) {
            Err(error) if keeps_part && path.is_none() && !bytes.is_empty() => {
                warning(&format!("{name} broke off: {}", system_message(&error)));
            }
            read => drop(read.map_err(|error| read_error(name, &error))?),
        }
        let name = if name == STDIN { "<stdin>".to_owned() } else { self.name };
        Ok(Input { path: self.path, ..Input::from(bytes).with_name(name) })
    }
}

/// Whether an input is JSON or a stream, which [`into_document`] converts.
pub(crate) fn is_convertible(input: &Input) -> bool {
    std::str::from_utf8(&input.bytes).is_ok_and(is_payload)
}

/// The document of an input that may be JSON or a stream.
pub(crate) fn into_document(input: Input) -> Result<Input> {
    if !is_convertible(&input) {
        return Ok(input);
    }
    let (name, path) = (input.name.clone(), input.path.clone());
    let reply = Converter::new().from_response(input, &ResponseOptions::default())?;
    Ok(converted(reply, name, path))
}

/// The document of a reply. Reports what is wrong with the reply.
fn converted(reply: Reply, name: String, path: Option<PathBuf>) -> Input {
    message(&reply.warnings.render(Colors::Ansi, &Flags));
    report_omitted(&reply);
    report_completion(&reply, Some("converted"));
    Input { origins: reply.origins, path, ..Input::from(reply.text).with_name(name) }
}

/// Opens the file that the arguments name, or standard input. If that is a terminal, prints the usage of `command`. Returns
/// the name and the path too.
fn open(args: &InputArgs, command: &str) -> Result<(Box<dyn Read + Send>, String, Option<PathBuf>)> {
    match args.file.as_deref() {
        Some(path) if path != Path::new("-") => {
            let name = shown(path);
            if path.is_dir() {
                let error = Failure::new(
                    ExitStatus::Io,
                    format!("`chatmd {command}` takes one file, and {name} is a directory"),
                );
                return Err(error.with_help("name a file in it"));
            }
            let file = fs::File::open(path).map_err(|error| read_error(&name, &error))?;
            Ok((Box::new(file), name, Some(resolve(path))))
        }
        None if io::stdin().is_terminal() => {
            message(&usage(command));
            let error = Failure::new(ExitStatus::Usage, "no FILE, and standard input is a terminal");
            Err(error.with_help(format!("name a file, or pipe one in; `chatmd help {command}` has more")))
        }
        _ => {
            let path = args.stdin_filename.as_deref();
            let name = path.map_or(STDIN.to_owned(), shown);
            Ok((Box::new(io::stdin()), name, path.map(resolve)))
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
pub(crate) fn require_file(path: &Path, what: &str) -> Result<()> {
    if path != Path::new("-") {
        return Ok(());
    }
    Err(Failure::new(ExitStatus::Usage, format!("{what} needs a file, not standard input"))
        .with_help("write the document to a file and name it"))
}

/// Reads a file. Its path is absolute and without links.
pub(crate) fn read_file(path: &Path) -> Result<Input> {
    let name = shown(path);
    let bytes = fs::read(path).map_err(|error| read_error(&name, &error))?;
    Ok(Input::from(bytes).with_name(name).with_path(resolve(path)))
}

/// The text of a file that is not a document: a file of tools, or the results of a batch.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let Input { name, bytes, .. } = read_file(path)?;
    let not_utf8 = |_| Failure::new(ExitStatus::Malformed, format!("{name} is not UTF-8"));
    String::from_utf8(bytes).map_err(not_utf8)
}

/// The error for a file that cannot be read.
pub(crate) fn read_error(name: &str, error: &io::Error) -> Failure {
    let exit = match error.kind() {
        ErrorKind::NotFound => ExitStatus::Missing,
        ErrorKind::InvalidData | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded => ExitStatus::Malformed,
        _ => ExitStatus::Io,
    };
    let read_error = Failure::new(exit, format!("cannot read {name}: {}", system_message(error)));
    match error.kind() {
        ErrorKind::NotFound => read_error.with_help(
            similar(Path::new(name))
                .map_or_else(|| "check the path".to_owned(), |path| format!("did you mean `{}`?", shown(&path))),
        ),
        ErrorKind::FileTooLarge => read_error.with_help("`--max-session-bytes` allows more (limit-exceeded)"),
        ErrorKind::QuotaExceeded => read_error.with_help("`--max-total-bytes` allows more (limit-exceeded)"),
        ErrorKind::IsADirectory => read_error.with_help("name a file in it"),
        _ => read_error,
    }
}
