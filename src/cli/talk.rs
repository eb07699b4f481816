//! The rounds of a conversation: a request is sent, its answer is added, and calls are answered with programs.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::time::Instant;

use crate::cli::answer_text::AnswerText;
use crate::cli::args::TurnArgs;
use crate::cli::commands::media;
use crate::cli::conversation::Conversation;
use crate::cli::display::{AnswerTo, Show};
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::input::Received;
use crate::cli::interrupt::exit_status;
use crate::cli::options::default_model;
use crate::cli::output;
use crate::cli::paths::{quoted, shown};
use crate::cli::reply::{Base, Ended, ReplySettings};
use crate::cli::report::{report, without_hidden};
use crate::cli::send::{Transport, report_request};
use crate::cli::summary::report_turn;
use crate::cli::tools::Tools;
use crate::diagnostic::{counted, sanitize_short};
use crate::sanitize::{sanitize, sanitize_json};
use crate::{Api, Call, Completion, Converter, CutPlace, Envelope, Input, RequestOptions, ResponseOptions, Turn};

/// How many calls a message lists, and how much of their names it shows.
const MAX_CALLS: usize = 20;
const MAX_NAME_CHARS: usize = 80;

/// How a document that ends with an answer is sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum AfterAnswer {
    /// Not at all.
    #[default]
    Refuse,
    /// The model continues the answer.
    Continue,
    /// A new answer takes the place of the last one.
    Again,
}

/// A conversation, and how it goes on.
pub(crate) struct Talk<'a> {
    pub(crate) conversation: Conversation<'a>,
    pub(crate) after_answer: AfterAnswer,
    pub(crate) args: &'a TurnArgs,
}

impl<'a> Talk<'a> {
    /// Sends the conversation and adds the answer. With programs for tools, goes on until no call waits. With `--dry-run`,
    /// prints what would be run instead.
    pub(crate) fn run(&mut self) -> Result<ExitStatus> {
        let mut last_text = None;
        let ended = self.rounds(&mut last_text);
        if let Some(text) = last_text {
            let mut stdout = AnswerText::default();
            stdout.push(&text);
            stdout.end_line();
        }
        ended
    }

    /// `last_text` is the text of the last answer, if that was not shown as it arrived.
    fn rounds(&mut self, last_text: &mut Option<String>) -> Result<ExitStatus> {
        let transport = Transport::new(self.api()?, self.args)?;
        let mut tools = Tools::new(self.args, self.conversation.file)?;
        let is_later = tools.is_some() && !io::stdout().is_terminal();
        let answer = if is_later { AnswerTo::Later } else { AnswerTo::Stdout };
        let show = Show { answer, is_quiet: self.args.quiet };
        let (mut rounds, mut secrets) = (0, String::new());
        loop {
            let document = self.conversation.read()?;
            let base = self.base(document)?;
            let body = match (self.turn(base.document())?, &mut tools) {
                (Turn::Waiting(calls), Some(tools)) if !self.args.dry_run => {
                    transport.require_key()?;
                    self.answer_calls(&calls, tools, rounds)?;
                    if let Some(exit) = exit_status() {
                        return Ok(exit);
                    }
                    continue;
                }
                (turn, _) => self.body(turn)?,
            };
            self.report_secrets(base.document(), &mut secrets)?;
            if self.args.dry_run {
                let description = transport.describe(&body, &self.name());
                output::print(sanitize(&without_hidden(&description)).as_bytes())?;
                return Ok(ExitStatus::Success);
            }
            transport.require_key()?;
            // Refused before anything is sent.
            let settings = self.settings()?;
            let start = Instant::now();
            let mut request_id = None;
            let send = || {
                let (answer, id) = transport.send(&body, show)?;
                request_id = id;
                Ok(Received::Input(answer))
            };
            let ended = self.conversation.add_reply(&base, &settings, send);
            if let Some(id) = request_id.filter(|_| is_api_error(&ended)) {
                report_request(&id);
            }
            let ended = ended?;
            let Some(reply) = ended.reply else { return Ok(ended.exit) };
            let calls = self.waiting_calls();
            if !self.args.quiet {
                let appended_to = self.conversation.file.filter(|_| !ended.is_skipped);
                let waiting = self.conversation.file.filter(|_| tools.is_none()).map(|file| (file, calls.as_slice()));
                report_turn(&reply, appended_to, &self.args.reply.media, waiting, start.elapsed());
            }
            if is_later {
                *last_text = Converter::new().last_answer(reply.text).ok().and_then(|answer| answer.value);
            }
            if ended.exit != ExitStatus::Success || tools.is_none() || calls.is_empty() {
                return Ok(ended.exit);
            }
            self.after_answer = AfterAnswer::Refuse;
            rounds += 1;
        }
    }

    /// The API that the conversation is sent to.
    fn api(&self) -> Result<Api> {
        let options = self.args.request.shape.options();
        self.args
            .read
            .with(self.conversation.read()?, |converter, document| Ok::<_, Failure>(converter.api(document, &options)))
    }

    /// The document that the answer is added to.
    fn base(&self, document: Input) -> Result<Base> {
        if self.after_answer != AfterAnswer::Again {
            return Ok(Base::Sent(document));
        }
        let last_user = |converter: Converter<'_>, document| converter.cut(document, &CutPlace::LastUser);
        let cut = self.args.read.with(document.clone(), last_user)?;
        let missing = || Failure::new(ExitStatus::Malformed, format!("{} has no `<user>` with content", self.name()));
        let text = cut.ok_or_else(missing)?.text;
        Ok(Base::Without { answered: document, text })
    }

    fn turn(&self, document: Input) -> Result<Turn> {
        let args = self.args;
        let directory = args.read.files.directory(document.path.as_deref())?;
        let programs = args.programs.commands(&args.read.files, &directory)?;
        let converter = args.read.converter(&directory).programs(&programs);
        let options =
            RequestOptions { stream: !args.no_stream, changes: args.ledger.changes, ..args.request.options()? };
        // What would be run does not depend on the next turn.
        let continues = self.after_answer == AfterAnswer::Continue || args.dry_run;
        converter.turn(document, &options, continues).map_err(|error| args.ledger.failed(error))
    }

    /// The JSON of the request, or the error that says why nothing is sent.
    fn body(&self, turn: Turn) -> Result<String> {
        let error = match turn {
            Turn::Ready(request) => {
                self.args.ledger.write(request.warnings.ledger())?;
                report(&request.warnings)?;
                return Ok(request.value);
            }
            Turn::Waiting(calls) => {
                let message = format!("{}, so nothing was sent", self.waiting_message(calls.len()));
                Failure::new(ExitStatus::CheckFailed, list_calls(&message, &calls, true))
                    .with_help(answer_help(&self.quoted()))
            }
            Turn::Answered => {
                let message = format!("{} ends with a complete answer, so nothing was sent", self.name());
                Failure::new(ExitStatus::CheckFailed, message).with_help(format!(
                    "`chatmd ask -f {} TEXT` adds a message, `--again` asks for another answer, and `--continue` lets the \
                     model continue this one",
                    self.quoted()
                ))
            }
            Turn::Empty => Failure::new(ExitStatus::Malformed, format!("{} has no message to send", self.name()))
                .with_help("write one in `<user>` … `</user>`"),
        };
        Err(error)
    }

    /// Warns about secrets that would be sent, once. With `--strict`, they are an error. `reported` is what was reported.
    fn report_secrets(&self, document: Input, reported: &mut String) -> Result<()> {
        let secrets =
            self.args.read.with(document, |converter, document| Ok::<_, Failure>(converter.secrets(document)))?;
        let text = secrets.to_string();
        if *reported != text {
            report(&secrets).map_err(|_| Failure::reported(ExitStatus::CheckFailed))?;
            *reported = text;
        }
        Ok(())
    }

    /// Answers calls with programs. Returns an error if a call still waits, unless an interrupt is the reason.
    fn answer_calls(&mut self, calls: &[Call], tools: &mut Tools, rounds: usize) -> Result<()> {
        let limit = self.args.max_rounds;
        if rounds >= limit {
            let message = format!("the model still calls tools after {}", counted(limit, "round"));
            let error = Failure::new(ExitStatus::CheckFailed, with_json(&message, calls));
            return Err(error.with_help("`--max-rounds N` allows more"));
        }
        let settings = self.settings()?;
        let (conversation, args) = (&mut self.conversation, self.args);
        tools.answer(calls, |call, result| conversation.add_result(call, &result, args, &settings))?;
        let left = self.waiting_calls();
        if left.is_empty() || exit_status().is_some() {
            return Ok(());
        }
        let error = Failure::new(ExitStatus::CheckFailed, with_json(&self.waiting_message(left.len()), &left));
        Err(error.with_help(answer_help(&self.quoted())))
    }

    /// The calls that must be answered before the next request.
    pub(crate) fn waiting_calls(&self) -> Vec<Call> {
        let read = &self.args.read;
        let calls = self
            .conversation
            .read()
            .and_then(|document| read.with(document, |converter, document| converter.calls(document)));
        calls.map(|calls| calls.value).unwrap_or_default().into_iter().filter(|call| !call.is_async).collect()
    }

    /// How the answer is converted and added.
    fn settings(&self) -> Result<ReplySettings<'a>> {
        let args = self.args;
        let (media, existing) = media::directory(&args.reply.media, self.conversation.base(), &args.read.files)?;
        let mut origins = args.request.origins();
        if self.conversation.file.is_none() {
            origins.extend(default_model().map(|(_, origin)| ("model".to_owned(), origin)));
        }
        Ok(ReplySettings {
            options: ResponseOptions {
                envelope: args.reply.append.envelope_or(Envelope::Usage),
                drop_nulls: args.reply.drop_nulls,
                media,
                ..ResponseOptions::default()
            },
            next_turn: args.reply.append.next,
            any: false,
            is_in_file: false,
            media: &args.reply.media,
            existing,
            request_of: self.conversation.file,
            shape: &args.request.shape,
            origins,
            read: &args.read,
        })
    }

    fn name(&self) -> String {
        self.conversation.file.map_or_else(|| "the message".to_owned(), shown)
    }

    fn quoted(&self) -> String {
        self.conversation.file.map_or_else(|| "DOC".to_owned(), quoted)
    }

    fn waiting_message(&self, calls: usize) -> String {
        match calls {
            1 => format!("a tool call of {} waits for its output", self.name()),
            count => format!("{count} tool calls of {} wait for their outputs", self.name()),
        }
    }
}

/// Whether the API has reported an error.
fn is_api_error(ended: &Result<Ended>) -> bool {
    match ended {
        Ok(Ended { exit, reply, .. }) => {
            let completion = reply.as_ref().map(|reply| &reply.completion);
            *exit == ExitStatus::ApiError || matches!(completion, Some(Completion::Failed(_)))
        }
        Err(failure) => failure.exit == ExitStatus::ApiError,
    }
}

/// How to answer a call of a document.
pub(crate) fn answer_help(document: &str) -> String {
    format!("add an output with `chatmd answer {document} CALL_ID`")
}

/// A message, and a line for each call. The calls of a document have the number of their line.
pub(crate) fn list_calls(message: &str, calls: &[Call], is_document: bool) -> String {
    let mut list = message.to_owned();
    for call in calls.iter().take(MAX_CALLS) {
        let [id, tool] = [&call.call_id, &call.name].map(|text| sanitize_short(text, MAX_NAME_CHARS));
        let line = if is_document { format!("line {}: ", call.line) } else { String::new() };
        let _ = write!(list, "\n  {line}{id} {tool}");
    }
    if calls.len() > MAX_CALLS {
        let _ = write!(list, "\n  and {} more", calls.len() - MAX_CALLS);
    }
    list
}

/// A message, and the calls as `chatmd calls` prints them.
fn with_json(message: &str, calls: &[Call]) -> String {
    let lines = calls.iter().filter_map(|call| serde_json::to_string(call).ok());
    [message.to_owned()]
        .into_iter()
        .chain(lines.map(|line| sanitize_json(&line).into_owned()))
        .collect::<Vec<_>>()
        .join("\n")
}
