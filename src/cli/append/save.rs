//! Saves a reply that could not be appended.

use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::resources::system_message;
use crate::{Envelope, Whitespace};

use crate::cli::output::write_error;
use crate::cli::paths::{link_target, quoted, shown};
use crate::cli::replace::{create, private_directory};
use crate::cli::reply::ReplySettings;
use crate::cli::report::{error, help, note, warning};

/// How many file names are tried.
const MAX_NAMES: usize = 10_000;

/// The reply to save if it could not be appended, with the flags that append it later.
pub(crate) enum Rescue {
    /// Nothing, because it is not a reply.
    Nothing,
    /// The reply as the text of a document.
    Document(String),
    /// The unchanged input.
    Input,
    /// The unchanged input, which is appended only with `--any`.
    Refused,
    /// The unchanged input, which could not be converted.
    Unread,
    /// The unchanged input, of which only a part could be converted. That part was appended.
    Partial,
    /// The unchanged input, which a program has to unpack.
    Packed(&'static str),
    /// The unchanged input, which is of another API.
    Foreign,
}

impl Rescue {
    /// Saves the reply next to the document and prints the command that appends it.
    ///
    /// If that fails, the reply goes to the directory of temporary files, or else to standard output. `input` is `None` if it
    /// is in a file, where it stays. `replaces`: the reply is to take the place of the last answer.
    pub(crate) fn save(&self, input: Option<&[u8]>, document: &Path, settings: &ReplySettings<'_>, replaces: bool) {
        let (content, what, ending) = match self {
            Rescue::Nothing => return,
            Rescue::Document(text) => (text.as_bytes(), "reply", "md"),
            Rescue::Input
            | Rescue::Refused
            | Rescue::Unread
            | Rescue::Partial
            | Rescue::Packed(_)
            | Rescue::Foreign => {
                let Some(input) = input else { return };
                (input, "input", "json")
            }
        };
        // Relative references of the reply start at the real place of the document.
        let real = if document.is_symlink() { link_target(document) } else { document.to_owned() };
        let saved = create_next_to(&real, ending, content);
        match saved.or_else(|failure| create_temporary(&real, ending, content).map_err(|_| failure)) {
            Ok(path) => {
                let never = if matches!(self, Rescue::Foreign) { "; it cannot be appended" } else { "" };
                note(&format!("the {what} was saved to {}{never}", shown(&path)));
                if let Some(advice) = self.advice(document, &path, settings, replaces) {
                    help(&advice);
                }
            }
            Err(failure) => {
                let path = reply_path(&real, 1, ending).unwrap_or(real);
                error(&format!("the {what} could not be saved: {}", write_error(&path, &failure).message()));
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

    /// How to append the saved file, with the flags of this run.
    fn advice(&self, document: &Path, saved: &Path, settings: &ReplySettings<'_>, replaces: bool) -> Option<String> {
        let name = shown(document);
        let (document, saved) = (quoted(document), quoted(saved));
        let ReplySettings { options, read, media, .. } = settings;
        let mode = match read.whitespace.mode {
            Whitespace::Layout => "",
            Whitespace::Verbatim => " --whitespace verbatim",
        };
        let roots: String = read.files.root.iter().flat_map(|root| [" --root ".to_owned(), quoted(root)]).collect();
        let flags = [
            (settings.any || matches!(self, Rescue::Refused), " --any".to_owned()),
            (settings.next_turn, " --next".to_owned()),
            (options.envelope == Envelope::All, " --envelope".to_owned()),
            (options.envelope == Envelope::None, " --no-usage".to_owned()),
            (options.drop_nulls, " --drop-nulls".to_owned()),
            (*media != Path::new("inline"), format!(" --media {}", quoted(media))),
        ];
        let flags: String = flags.into_iter().filter_map(|(is_given, flag)| is_given.then_some(flag)).collect();
        let cut = if replaces { format!("chatmd cut {document} && ") } else { String::new() };
        let append = format!("chatmd from-response{mode}{flags}{roots} --append {document}");
        Some(match self {
            Rescue::Document(_) => {
                format!("to append it later: {cut}chatmd to-request --input-only{mode}{roots} {saved} | {append}")
            }
            Rescue::Input | Rescue::Refused => format!("to append it later: {append} {saved}"),
            Rescue::Unread => format!("to append it after a correction: {append} {saved}"),
            Rescue::Partial => {
                format!("to append it after a correction, first remove from {name} what was appended: {append} {saved}")
            }
            Rescue::Packed(unpack) => format!("to append it, unpack it first: {unpack} < {saved} | {append}"),
            Rescue::Foreign | Rescue::Nothing => return None,
        })
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

/// Creates a file in a directory of its own for temporary files, which only its owner can read.
fn create_temporary(document: &Path, ending: &str, content: &[u8]) -> io::Result<PathBuf> {
    let directory = private_directory()?;
    let path = create_next_to(&directory.path().join(document.file_name().unwrap_or_default()), ending, content)?;
    let _ = directory.keep();
    Ok(path)
}

/// `chat.md.reply.md`, `chat.md.reply-2.md`, …
fn reply_path(document: &Path, number: usize, ending: &str) -> Option<PathBuf> {
    let mut name: OsString = document.file_name()?.to_owned();
    name.push(if number == 1 { format!(".reply.{ending}") } else { format!(".reply-{number}.{ending}") });
    Some(document.with_file_name(name))
}
