//! Saves a reply that could not be appended.

use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use chatmd::resources::system_message;
use chatmd::syntax::write::Whitespace;

use crate::cli::output::write_error;
use crate::cli::paths::{link_target, quoted, shown};
use crate::cli::replace::create;
use crate::cli::report::{error, help, note, warning};

/// How many file names are tried.
const MAX_NAMES: usize = 10_000;

/// The reply to save if it could not be appended, with the flags that append it later.
pub(crate) enum Rescue {
    /// Nothing, because it is not a reply.
    Nothing,
    /// The reply as the text of a document.
    Document(String, &'static str),
    /// The unchanged input.
    Input(&'static str),
    /// The unchanged input, which could not be converted, or only in part.
    Unread(&'static str),
}

impl Rescue {
    /// Saves the reply next to the document and prints the command that appends it.
    ///
    /// If that fails, the reply goes to standard output. `input` is `None` if it is in a file, where it stays.
    pub(crate) fn save(&self, input: Option<&[u8]>, document: &Path, whitespace: Whitespace) {
        let (content, what, ending) = match (self, input) {
            (Rescue::Document(text, _), _) => (text.as_bytes(), "reply", "md"),
            (Rescue::Input(_) | Rescue::Unread(_), Some(input)) => (input, "input", "json"),
            (Rescue::Input(_) | Rescue::Unread(_), None) | (Rescue::Nothing, _) => return,
        };
        // Relative references of the reply start at the real place of the document.
        let real = if document.is_symlink() { link_target(document) } else { document.to_owned() };
        match create_next_to(&real, ending, content) {
            Ok(path) => {
                note(&format!("the {what} was saved to {}", shown(&path)));
                let when = if matches!(self, Rescue::Unread(_)) { "after a correction" } else { "later" };
                help(&format!("to append it {when}: {}", self.command(document, &path, whitespace)));
            }
            Err(failure) => {
                let path = reply_path(&real, 1, ending).unwrap_or(real);
                error(&format!("the {what} could not be saved: {}", write_error(&path, &failure)));
                let mut stdout = io::stdout().lock();
                match stdout.write_all(content).and_then(|()| stdout.flush()) {
                    Ok(()) => warning(&format!("the {what} was written to standard output instead")),
                    Err(failure) => error(&format!(
                        "the {what} is lost: cannot write standard output: {}",
                        system_message(&failure)
                    )),
                }
            }
        }
    }

    /// The command that appends the saved file.
    fn command(&self, document: &Path, saved: &Path, whitespace: Whitespace) -> String {
        let (document, saved) = (quoted(document), quoted(saved));
        let mode = match whitespace {
            Whitespace::Layout => "",
            Whitespace::Verbatim => " --whitespace verbatim",
        };
        match self {
            Rescue::Nothing => String::new(),
            Rescue::Document(_, flags) => {
                let items = format!("chatmd to-request --input-only{mode} {saved}");
                format!("{items} | chatmd from-response{mode}{flags} --append {document}")
            }
            Rescue::Input(flags) | Rescue::Unread(flags) => {
                format!("chatmd from-response{mode}{flags} --append {document} {saved}")
            }
        }
    }
}

/// Creates a file next to the document, readable only by those who can read the document.
fn create_next_to(document: &Path, ending: &str, content: &[u8]) -> io::Result<PathBuf> {
    let like = fs::metadata(document).ok().filter(fs::Metadata::is_file);
    for number in 1..=MAX_NAMES {
        let path = reply_path(document, number, ending).ok_or(ErrorKind::InvalidFilename)?;
        // A broken link counts as an existing file.
        if fs::symlink_metadata(&path).is_ok() {
            continue;
        }
        match create(&path, content, like.as_ref()) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            created => return created.map(|()| path),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// `chat.md.reply.md`, `chat.md.reply-2.md`, …
fn reply_path(document: &Path, number: usize, ending: &str) -> Option<PathBuf> {
    let mut name: OsString = document.file_name()?.to_owned();
    name.push(if number == 1 { format!(".reply.{ending}") } else { format!(".reply-{number}.{ending}") });
    Some(document.with_file_name(name))
}
