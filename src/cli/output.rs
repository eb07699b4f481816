//! Writes the result of a command.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, is_separator};

use crate::resources::system_message;
use crate::sanitize::{sanitize, sanitize_json};
use clap::builder::styling::{AnsiColor, Style};
use similar::TextDiff;

use crate::cli::args::{InputArgs, OutputArgs};
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::paths::{parent, quoted, resolve, shown};
use crate::cli::replace::{replace, replace_with};

/// The width of output that does not go to a terminal.
const DEFAULT_WIDTH: usize = 80;
/// A unified diff starts with the old and the new name.
const HEADER_LINES: usize = 2;
/// The names of standard output.
const STANDARD_OUTPUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Writes a document or a page to the file of `-o`, or to standard output. On a terminal, unsafe characters are escaped.
pub(crate) fn write(args: &OutputArgs, text: &str) -> Result<()> {
    let text = if is_shown(args) { sanitize(text) } else { Cow::Borrowed(text) };
    write_with(args, |out| out.write_all(text.as_bytes()))
}

/// Writes JSON to the file of `-o`, or to standard output. On a terminal, unsafe characters are escaped.
pub(crate) fn write_json(args: &OutputArgs, json: &str) -> Result<()> {
    let json = if is_shown(args) { sanitize_json(json) } else { Cow::Borrowed(json) };
    write_with(args, |out| out.write_all(json.as_bytes()))
}

/// Whether the result goes to a terminal.
pub(crate) fn is_shown(args: &OutputArgs) -> bool {
    is_standard_output(args) && io::stdout().is_terminal()
}

/// The file of `-o`, unless the result goes to standard output, a pipe or a device.
pub(crate) fn file(args: &OutputArgs) -> Option<&Path> {
    let is_special = |path: &Path| fs::metadata(path).is_ok_and(|existing| !existing.is_file() && !existing.is_dir());
    args.output.as_deref().filter(|path| !is_standard_output(args) && !is_special(path))
}

fn is_standard_output(args: &OutputArgs) -> bool {
    args.output.as_deref().is_none_or(|path| STANDARD_OUTPUT.iter().any(|name| path == Path::new(name)))
}

/// JSON as standard output may show it: on a terminal, unsafe characters are escaped.
pub(crate) fn json_for_stdout(json: &str) -> Cow<'_, str> {
    if io::stdout().is_terminal() { sanitize_json(json) } else { Cow::Borrowed(json) }
}

/// Returns an error if the file of `-o` is the input, which would be lost.
pub(crate) fn require_other_file(args: &OutputArgs, input: &InputArgs) -> Result<()> {
    let Some(output) = args.output.as_deref().filter(|_| !is_standard_output(args)) else { return Ok(()) };
    let is_input = match input.file.as_deref().filter(|path| *path != Path::new("-")) {
        Some(input) => resolve(output) == resolve(input),
        None => is_standard_input(output),
    };
    if is_input {
        let message = format!("{} is the input, and would be replaced", quoted(output));
        return Err(Failure::new(ExitStatus::Usage, message).with_help("write to another file"));
    }
    Ok(())
}

/// Returns an error if the output and the file of `flag` are the same file: the later write would replace the earlier.
pub(crate) fn require_two_files(args: &OutputArgs, flag: &str, path: &Path) -> Result<()> {
    let Some(output) = args.output.as_deref() else { return Ok(()) };
    // A device or a pipe takes both.
    let is_special = fs::metadata(output).is_ok_and(|existing| !existing.is_file());
    if is_special || is_standard_output(args) || resolve(output) != resolve(path) {
        return Ok(());
    }
    let message = format!("`-o` and `{flag}` both write {}", quoted(output));
    Err(Failure::new(ExitStatus::Usage, message).with_help("name two files"))
}

/// Whether a file is standard input, as in `chatmd parse -o chat.md < chat.md`.
#[cfg(unix)]
fn is_standard_input(path: &Path) -> bool {
    let stdin = rustix::fs::fstat(io::stdin()).ok().map(|stdin| (stdin.st_dev, stdin.st_ino));
    path.is_file() && stdin.is_some() && stdin == rustix::fs::stat(path).ok().map(|file| (file.st_dev, file.st_ino))
}

#[cfg(not(unix))]
fn is_standard_input(_: &Path) -> bool {
    false
}

/// Writes what `write` writes to the file of `-o`, or to standard output.
pub(crate) fn write_with(args: &OutputArgs, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    match args.output.as_deref().filter(|_| !is_standard_output(args)) {
        Some(path) => Ok(replace_with(path, write).map_err(|error| write_error(path, &error))?),
        None => print_with(&mut BufWriter::new(standard_output()?), write),
    }
}

/// Replaces a file. On an error the old file is unchanged.
pub(crate) fn write_file(path: &Path, content: &[u8]) -> Result<()> {
    replace(path, content).map_err(|error| write_error(path, &error))
}

/// Creates a directory and those above.
pub(crate) fn create_directory(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|error| Failure::from(error).about(&format!("cannot create {}", shown(path))))
}

/// Returns an error if a file has other content.
pub(crate) fn require_same(path: &Path, content: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|existing| existing == content) { Ok(()) } else { require_empty(path) }
}

/// Returns an error if a file has content.
pub(crate) fn require_empty(path: &Path) -> Result<()> {
    if fs::metadata(path).is_ok_and(|existing| existing.is_file() && existing.len() > 0) {
        let message = format!("{} exists and has other content, so nothing was written", shown(path));
        return Err(Failure::new(ExitStatus::Refused, message).with_help("`--force` replaces it"));
    }
    Ok(())
}

/// Writes to standard output.
pub(crate) fn print(text: impl AsRef<[u8]>) -> Result<()> {
    print_with(&mut io::stdout().lock(), |out| out.write_all(text.as_ref()))
}

/// Writes a document to standard output. On a terminal, unsafe characters are escaped.
pub(crate) fn print_document(text: &str) -> Result<()> {
    write(&OutputArgs { output: None }, text)
}

/// Writes coloured text to standard output. The colours are removed if standard output does not want them.
pub(crate) fn print_styled(text: &str) -> Result<()> {
    print_with(&mut anstream::stdout().lock(), |out| out.write_all(text.as_bytes()))
}

/// The changes of a file as a unified diff with colours.
pub(crate) fn diff(name: &str, old: &str, new: &str) -> String {
    let diff = TextDiff::from_lines(old, new).unified_diff().header(name, name).to_string();
    let mut styled = String::with_capacity(diff.len());
    // For people: a patch program would need the exact bytes.
    for (number, line) in sanitize(&diff).lines().enumerate() {
        let style = match line.as_bytes().first() {
            _ if number < HEADER_LINES => Style::new().bold(),
            Some(b'@') => AnsiColor::Cyan.on_default(),
            Some(b'-') => AnsiColor::Red.on_default(),
            Some(b'+') => AnsiColor::Green.on_default(),
            Some(_) | None => Style::new(),
        };
        let _ = writeln!(styled, "{style}{line}{style:#}");
    }
    styled
}

/// The number of columns of standard output.
pub(crate) fn width() -> usize {
    terminal_size::terminal_size_of(io::stdout()).map_or(DEFAULT_WIDTH, |(width, _)| width.0.into())
}

/// The error for a file that cannot be written.
pub(crate) fn write_error(path: &Path, error: &io::Error) -> Failure {
    let (name, directory) = (shown(path), shown(parent(path)));
    let is_file = path.is_file();
    let (why, help) = match error.kind() {
        io::ErrorKind::NotFound if !parent(path).is_dir() => {
            (format!("the directory {directory} does not exist"), "create it first")
        }
        io::ErrorKind::IsADirectory => ("it is a directory".to_owned(), "name a file in it"),
        io::ErrorKind::NotADirectory if path.to_string_lossy().ends_with(is_separator) => {
            ("it names a directory".to_owned(), "name a file in it")
        }
        io::ErrorKind::NotADirectory => (format!("{directory} is not a directory"), "name a file in a directory"),
        io::ErrorKind::PermissionDenied if is_file && OpenOptions::new().write(true).open(path).is_err() => {
            ("the file is read-only".to_owned(), "make it writable, or write to another file")
        }
        // Files are replaced, so their directory must be writable too.
        io::ErrorKind::PermissionDenied => {
            (format!("the directory {directory} is read-only"), "make it writable, or write to another directory")
        }
        io::ErrorKind::ReadOnlyFilesystem => ("the file system is read-only".to_owned(), "write to another directory"),
        io::ErrorKind::StorageFull => ("the disk is full".to_owned(), "free some space, and try again"),
        _ => (reason(error), ""),
    };
    let write_error = Failure::new(ExitStatus::Io, format!("cannot write {name}: {why}"));
    if help.is_empty() { write_error } else { write_error.with_help(help) }
}

/// The message of the system, without the name of the temporary file.
fn reason(error: &io::Error) -> String {
    let code = |error: &(dyn std::error::Error + 'static)| error.downcast_ref::<io::Error>()?.raw_os_error();
    let code = error.raw_os_error().or_else(|| error.get_ref()?.source().and_then(code));
    code.map_or_else(|| error.kind().to_string(), |code| system_message(&io::Error::from_raw_os_error(code)))
}

/// Standard output without a buffer of its own, which would search everything for line breaks.
#[cfg(unix)]
fn standard_output() -> io::Result<std::fs::File> {
    use std::os::fd::AsFd;
    Ok(std::fs::File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(not(unix))]
fn standard_output() -> io::Result<impl Write> {
    Ok(io::stdout().lock())
}

/// Whether standard output is a regular file.
pub(crate) fn is_stdout_file() -> bool {
    fs::metadata("/dev/stdout").is_ok_and(|metadata| metadata.is_file())
}

fn print_with(out: &mut dyn Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    write(out).and_then(|()| out.flush()).map_err(|error| Failure::from(error).about("cannot write standard output"))
}
