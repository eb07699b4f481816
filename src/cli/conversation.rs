//! Where a conversation is: in a document, or only in memory.

use std::path::Path;

use crate::cli::args::TurnArgs;
use crate::cli::commands::media;
use crate::cli::error::Result;
use crate::cli::input::{Received, read_file, require_file};
use crate::cli::lock::{Lock, require_regular};
use crate::cli::output;
use crate::cli::paths::resolve;
use crate::cli::receive::{Base, Ended, ReplySettings, append_with, convert};
use crate::cli::report::{report, report_completion};
use crate::cli::tools::ToolResult;
use crate::{AnswerOptions, Answered, AppendOptions, Call, Converter, Input};

/// A conversation. Every step is stored before the next one.
pub(crate) enum Conversation<'a> {
    /// In a document.
    File(&'a Path),
    /// In memory, and after the first answer also in the file of `-o`.
    Memory { text: String, out: Option<&'a Path> },
}

impl<'a> Conversation<'a> {
    /// The conversation of a document, which must be a file.
    pub(crate) fn in_file(path: &'a Path) -> Result<Self> {
        require_file(path, "`send`")?;
        require_regular(path)?;
        Ok(Self::File(path))
    }

    /// The document.
    pub(crate) fn file(&self) -> Option<&'a Path> {
        match self {
            Conversation::File(path) => Some(path),
            Conversation::Memory { .. } => None,
        }
    }

    /// The file that references of the conversation start at.
    pub(crate) fn base(&self) -> Option<&'a Path> {
        match self {
            Conversation::File(path) => Some(path),
            Conversation::Memory { out, .. } => *out,
        }
    }

    pub(crate) fn read(&self) -> Result<Input> {
        match self {
            Conversation::File(path) => read_file(path),
            Conversation::Memory { text, out: None } => Ok(Input::from(text.clone())),
            Conversation::Memory { text, out: Some(out) } => Ok(Input::from(text.clone()).with_path(resolve(out))),
        }
    }

    /// Gets the reply from `receive` and adds it.
    pub(crate) fn add_reply(
        &mut self,
        base: &Base,
        settings: &ReplySettings<'_>,
        receive: impl FnOnce() -> Result<Received>,
    ) -> Result<Ended> {
        let reply = match self {
            Conversation::File(path) => {
                output::require_room(path)?;
                return append_with(path, base, settings, receive);
            }
            Conversation::Memory { .. } => convert(receive()?, settings)?,
        };
        media::write(settings.media, &reply.media)?;
        let converter = Converter::new().whitespace(settings.read.whitespace.mode);
        let options = AppendOptions { next_turn: settings.next_turn, api: reply.api };
        let appended = converter.append(self.read()?, &reply, &options)?;
        let is_skipped = appended.already_present;
        if let Some(text) = appended.text {
            self.replace(text)?;
        }
        let exit = report_completion(&reply, Some("converted"));
        Ok(Ended { exit, reply: Some(reply), is_skipped })
    }

    /// Adds the result of a tool after its call.
    pub(crate) fn add_result(
        &mut self,
        call: &Call,
        result: &ToolResult,
        args: &TurnArgs,
        settings: &ReplySettings<'_>,
    ) -> Result<()> {
        let _lock = self.file().map(Lock::take).transpose()?;
        let document = self.read()?;
        let options = AnswerOptions { error: result.is_error, media: settings.options.media.clone() };
        let answered = args
            .read
            .with(document, |converter, document| converter.answer(document, &call.call_id, &result.answer, &options));
        let Answered { text, warnings, media, .. } = answered?;
        report(&warnings)?;
        media::write(settings.media, &media)?;
        self.replace(text)
    }

    /// Stores the new text.
    fn replace(&mut self, new: String) -> Result<()> {
        match self {
            Conversation::File(path) => output::write_file(path, new.as_bytes())?,
            Conversation::Memory { text, out } => {
                if let Some(out) = out {
                    output::write_file(out, new.as_bytes())?;
                }
                *text = new;
            }
        }
        Ok(())
    }
}
