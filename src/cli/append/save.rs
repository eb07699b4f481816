//! A reply that could not be appended, beside the document.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use chatmd::syntax::write::Whitespace;

use crate::cli::output::unwritable;
use crate::cli::replace::{create, target};
use crate::cli::report::{error, help, note, warning};

/// How many names are tried for one that is free.
const MOST_NAMES: usize = 10_000;

/// What has to be saved of a reply that could not be appended, and the flags that it needs to be appended later.
pub(crate) enum Rescue {
    /// Nothing: it is not a reply.
    Nothing,
    /// The reply as a document's text.
    Document(String, &'static str),
    /// The input as it came.
    Input(&'static str),
}

impl Rescue {
    /// Saves it beside the document and says where it is and how to append it. If that fails, it goes to standard output.
    pub(crate) fn save(&self, input: &[u8], document: &Path, whitespace: Whitespace) {
        let (content, what, ending) = match self {
            Rescue::Nothing => return,
            Rescue::Document(text, _) => (text.as_bytes(), "reply", "md"),
            Rescue::Input(_) => (input, "input", "json"),
        };
        // References of the reply start where the document really is.
        let real = if document.is_symlink() { target(document) } else { document.to_owned() };
        match create_beside(&real, ending, content) {
            Ok(path) => {
                note(&format!("the {what} was saved in {}", path.display()));
                help(&format!("to append it later: {}", self.command(document, &path, whitespace)));
            }
            Err(failure) => {
                let path = beside(&real, 1, ending).unwrap_or(real);
                error(&format!("the {what} could not be saved: {}", unwritable(&path, &failure)));
                let mut stdout = io::stdout().lock();
                match stdout.write_all(content).and_then(|()| stdout.flush()) {
                    Ok(()) => warning(&format!("the {what} is on standard output instead")),
                    Err(failure) => error(&format!("the {what} is lost: cannot write standard output: {failure}")),
                }
            }
        }
    }

    /// The command that appends what was saved.
    fn command(&self, document: &Path, saved: &Path, whitespace: Whitespace) -> String {
        let quoted = |path: &Path| {
            let path = path.to_string_lossy();
            shlex::try_quote(&path).map_or_else(|_| path.to_string(), Cow::into_owned)
        };
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
            Rescue::Input(flags) => format!("chatmd from-response{mode}{flags} --append {document} {saved}"),
        }
    }
}

/// Writes a new file beside the document, which nobody can read who cannot read the document.
fn create_beside(document: &Path, ending: &str, content: &[u8]) -> io::Result<PathBuf> {
    let like = fs::metadata(document).ok().filter(fs::Metadata::is_file);
    for number in 1..=MOST_NAMES {
        let path = beside(document, number, ending).ok_or(ErrorKind::InvalidFilename)?;
        // A link that leads nowhere is there too.
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
fn beside(document: &Path, number: usize, ending: &str) -> Option<PathBuf> {
    let mut name: OsString = document.file_name()?.to_owned();
    name.push(if number == 1 { format!(".reply.{ending}") } else { format!(".reply-{number}.{ending}") });
    Some(document.with_file_name(name))
}
