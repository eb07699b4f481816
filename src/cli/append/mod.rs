//! `--append`: adds a reply to the end of its document without losing either.

mod save;

use std::fs::OpenOptions;
use std::path::Path;

use crate::diagnostic::{sanitize_line, sanitize_short};
use crate::{AppendOptions, Converter, Error, Input, InputKind, Reply};

use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::input::read_file;
use crate::cli::lock::{require_regular, rewrite};
use crate::cli::output::write_error;
use crate::cli::paths::{resolve, shown};
use crate::cli::reply::Base;
use crate::cli::report::{is_strict, note, report, warning};

pub(crate) use save::Rescue;

/// How many repeated ids a warning lists.
const MAX_IDS: usize = 5;
/// How much of a role is shown.
const MAX_ROLE_CHARS: usize = 80;

/// A document to which replies are added.
pub(crate) struct Append<'a> {
    pub(crate) path: &'a Path,
    /// Reads the document, and the files that it may read.
    pub(crate) converter: Converter<'a>,
    /// Whether to add an empty `<user>` for the next turn, unless there is one.
    pub(crate) next_turn: bool,
    /// Whether to create the document if it is missing.
    pub(crate) creates: bool,
    /// The document that the reply is added to.
    pub(crate) base: &'a Base,
}

/// Returns an error unless the input is a reply: not a request body, and without items of other roles.
pub(crate) fn require_reply(reply: &Reply) -> Result<()> {
    let message = match &reply.input_kind {
        InputKind::Reply => return Ok(()),
        InputKind::Conversation { index, role } => {
            let role = sanitize_short(role, MAX_ROLE_CHARS);
            format!("item {index} has the role `{role}`; only replies are appended")
        }
        InputKind::Session => "this is a session; only replies are appended".to_owned(),
        _ => "this is a request body; only replies are appended".to_owned(),
    };
    // Not every command that appends has this flag.
    let help = "`chatmd from-response --any --append DOC` appends it anyway";
    Err(Failure::new(ExitStatus::Malformed, message).with_help(help))
}

impl Append<'_> {
    /// Reports everything that would prevent an append, so that it can be fixed before the reply arrives. Returns the problems
    /// of the document that were reported.
    pub(crate) fn check(&self) -> Option<String> {
        let has_directory = || resolve(self.path).parent().is_some_and(Path::is_dir);
        let warn = |why: &str| warning(&format!("{why}; the reply cannot be appended unless this is fixed"));
        if let Err(error) = require_regular(self.path) {
            if error.exit != ExitStatus::Missing || !has_directory() {
                warn(&error.message());
            }
            return None;
        }
        if let Err(error) = OpenOptions::new().append(true).open(self.path) {
            warn(&write_error(self.path, &error).message());
        }
        let document = read_file(self.path).ok()?;
        let Err(Error::Problems(problems)) = self.append(document, &Reply::default()) else { return None };
        report(&problems).err()?;
        warn(&format!("{} does not parse", shown(self.path)));
        Some(problems.to_string())
    }

    /// Adds a reply. `reported` are the problems that need not be reported again. Returns whether the document was written.
    ///
    /// The result is parsed and compared before it replaces the document atomically. A reply that is already at the
    /// end is not added again.
    pub(crate) fn add(&self, reply: &Reply, reported: Option<&str>) -> Result<bool> {
        let mut is_changed = false;
        let is_written = rewrite(self.path, self.creates, |document| {
            let document = match self.base {
                Base::Any => document,
                Base::Sent(sent) => {
                    is_changed = sent.bytes != document.bytes;
                    document
                }
                Base::Without { answered, .. } if answered.bytes == document.bytes => self.base.document(),
                Base::Without { .. } => {
                    let message = format!("{} was changed while the new answer arrived", shown(self.path));
                    return Err(Failure::new(ExitStatus::Refused, message));
                }
            };
            self.with_reply(document, reply, reported)
        })?;
        if is_written && is_changed {
            note(&format!("{} was changed while the answer arrived; the reply is at its end", shown(self.path)));
        }
        Ok(is_written)
    }

    /// The text of the document with the reply; `None` if there is nothing to write.
    fn with_reply(&self, document: Input, reply: &Reply, reported: Option<&str>) -> Result<Option<String>> {
        let name = shown(self.path);
        let appended = self.append(document, reply).map_err(|error| match error {
            Error::Problems(problems) => {
                if reported != Some(&problems.to_string()) {
                    let _ = report(&problems);
                }
                Failure::new(ExitStatus::Malformed, format!("{name} does not parse"))
            }
            error => error.into(),
        })?;
        if appended.already_present {
            note(&format!("{name} already ends with this reply; nothing was appended"));
        }
        if !appended.repeated_ids.is_empty() {
            let more = appended.repeated_ids.len().saturating_sub(MAX_IDS);
            let ids = appended.repeated_ids.iter().take(MAX_IDS).map(|id| format!("`{}`", sanitize_line(id)));
            let ids: Vec<String> = ids.chain((more > 0).then(|| format!("{more} more ids"))).collect();
            let message =
                format!("the reply repeats ids of {name}: {}; the API may reject repeated ids", ids.join(", "));
            if is_strict() {
                return Err(Failure::new(ExitStatus::Malformed, message));
            }
            warning(&message);
        }
        Ok(appended.text)
    }

    fn append(&self, document: Input, reply: &Reply) -> Result<crate::Appended, Error> {
        self.converter.append(document, reply, &AppendOptions { next_turn: self.next_turn, api: reply.api })
    }
}
