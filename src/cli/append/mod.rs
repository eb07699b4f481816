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
use crate::cli::receive::Base;
use crate::cli::report::{Outcome, is_strict, note, report, warning};

pub(crate) use save::{Rescue, Retry};

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

/// The problems of a document that were already reported.
pub(crate) struct ReportedProblems(String);

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
    /// Reports everything that would prevent an append, so that it can be fixed before the reply arrives.
    pub(crate) fn check(&self) -> Option<ReportedProblems> {
        let has_directory = || resolve(self.path).parent().is_some_and(Path::is_dir);
        match require_regular(self.path) {
            Ok(()) => {}
            Err(error) if error.exit == ExitStatus::Missing && has_directory() => return None,
            Err(error) => {
                warning(&format!("{}; the reply cannot be appended unless this is fixed", error.message));
                return None;
            }
        }
        if let Err(error) = OpenOptions::new().append(true).open(self.path) {
            let error = write_error(self.path, &error);
            warning(&format!("{}; the reply cannot be appended unless this is fixed", error.message));
        }
        let document = read_file(self.path).ok()?;
        let Err(Error::Problems(problems)) = self.append(document, &Reply::default()) else { return None };
        report(&problems).err()?;
        warning(&format!("{} does not parse; the reply cannot be appended unless this is fixed", shown(self.path)));
        Some(ReportedProblems(problems.to_string()))
    }

    /// Adds a reply.
    ///
    /// The result is parsed and compared before it replaces the document atomically. A reply that is already at the
    /// end is not added again.
    pub(crate) fn add(&self, reply: &Reply, reported: Option<&ReportedProblems>) -> Result<Outcome<'_>> {
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
        if !is_written {
            return Ok(Outcome::Skipped);
        }
        if is_changed {
            note(&format!("{} was changed while the answer arrived; the reply is at its end", shown(self.path)));
        }
        Ok(Outcome::AppendedTo(self.path))
    }

    /// The text of the document with the reply; `None` if there is nothing to write.
    fn with_reply(
        &self,
        document: Input,
        reply: &Reply,
        reported: Option<&ReportedProblems>,
    ) -> Result<Option<String>> {
        let name = shown(self.path);
        let appended = self.append(document, reply).map_err(|error| match error {
            Error::Problems(problems) => {
                if reported.is_none_or(|ReportedProblems(known)| *known != problems.to_string()) {
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
            let ids = id_list(&appended.repeated_ids);
            let message = format!("the reply repeats ids of {name}: {ids}; the API may reject repeated ids");
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

/// The first ids in backquotes, and how many more there are.
fn id_list(ids: &[String]) -> String {
    let more = ids.len().saturating_sub(MAX_IDS);
    let shown = ids.iter().take(MAX_IDS).map(|id| format!("`{}`", sanitize_line(id)));
    shown.chain((more > 0).then(|| format!("{more} more ids"))).collect::<Vec<_>>().join(", ")
}
