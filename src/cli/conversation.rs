//! Where a conversation is: in a document, or only in memory.

use std::path::Path;

use crate::cli::args::TurnArgs;
use crate::cli::commands::media;
use crate::cli::error::Result;
use crate::cli::input::{Received, read_file, require_file};
use crate::cli::lock::{Lock, require_regular};
use crate::cli::output;
use crate::cli::paths::resolve;
use crate::cli::replace::rehearse;
use crate::cli::reply::{Base, Ended, ReplySettings, append_with, convert};
use crate::cli::report::{report, report_completion};
use crate::cli::tools::ToolResult;
use crate::{AnswerOptions, Answered, AppendOptions, Call, Converter, Input};

/// A conversation. Every step is stored before the next one.
#[derive(Default)]
pub(crate) struct Conversation<'a> {
    /// The document that has it.
    pub(crate) file: Option<&'a Path>,
    /// The text, if no document has it.
    pub(crate) text: String,
    /// The file of `-o`, which has the text after the first answer.
    pub(crate) out: Option<&'a Path>,
}

impl<'a> Conversation<'a> {
    /// The conversation of a document, which must be a file.
    pub(crate) fn in_file(path: &'a Path) -> Result<Self> {
        require_file(path, "`send`")?;
        require_regular(path)?;
        Ok(Self { file: Some(path), ..Self::default() })
    }

    /// The file that references of the conversation start at.
    pub(crate) fn base(&self) -> Option<&'a Path> {
        self.file.or(self.out)
    }

    pub(crate) fn read(&self) -> Result<Input> {
        match (self.file, self.out) {
            (Some(path), _) => read_file(path),
            (None, None) => Ok(Input::from(self.text.clone())),
            (None, Some(out)) => Ok(Input::from(self.text.clone()).with_path(resolve(out))),
        }
    }

    /// Gets the reply from `receive` and adds it.
    pub(crate) fn add_reply(
        &mut self,
        base: &Base,
        settings: &ReplySettings<'_>,
        receive: impl FnOnce() -> Result<Received>,
    ) -> Result<Ended> {
        if let Some(path) = self.file {
            // Nothing is received unless there is room for the reply.
            rehearse(path).map_err(|error| output::write_error(path, &error))?;
            return append_with(path, base, settings, receive);
        }
        let reply = convert(receive()?, settings)?;
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
        let _lock = self.file.map(Lock::take).transpose()?;
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
        if let Some(path) = self.base() {
            output::write_file(path, new.as_bytes())?;
        }
        self.text = new;
        Ok(())
    }
}
