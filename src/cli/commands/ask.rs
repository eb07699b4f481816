//! `chatmd ask`: adds a message to a document or to none, sends it, and prints the answer.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use super::new::config;
use crate::cli::args::AskArgs;
use crate::cli::attach::{Attachments, require_file};
use crate::cli::conversation::Conversation;
use crate::cli::editor;
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::input::{self, read_error, read_file};
use crate::cli::lock::rewrite;
use crate::cli::options::default_model;
use crate::cli::output;
use crate::cli::paths::{quoted, resolve, shown};
use crate::cli::report::{note, report};
use crate::cli::talk::{AfterAnswer, Talk, answer_help, list_calls};
use crate::resources::media::{data_url, file_type, image_type};
use crate::{AnswerPart, Input};

pub(crate) fn run(args: &AskArgs) -> Result<ExitStatus> {
    let message = Message::read(args)?;
    if let Some(file) = &args.file {
        input::require_file(file, "`--file`")?;
    }
    match &args.file {
        None => ask_once(&message, args),
        Some(file) => {
            let text = add(file, &message, args)?;
            if args.send.dry_run {
                return talk(Conversation { text, out: Some(file), file: None }, args).run();
            }
            if args.no_send {
                return Ok(ExitStatus::Success);
            }
            let exit = talk(Conversation::in_file(file)?, args).run().unwrap_or_else(|failure| failure.report());
            // Asked again, it would be there twice.
            if exit != ExitStatus::Success && read_file(file).is_ok_and(|document| document.bytes == text.as_bytes()) {
                note(&format!("the message is in {}; `chatmd send {}` sends it", shown(file), quoted(file)));
            }
            Ok(exit)
        }
    }
}

/// The beginning of every message of a user.
const USER: &[u8] = b"<user";

/// A message of the user: texts, then attachments.
struct Message {
    texts: Vec<String>,
    /// What `--attach -` read.
    stdin: Vec<u8>,
}

impl Message {
    fn read(args: &AskArgs) -> Result<Self> {
        let mut texts = Vec::new();
        let mut stdin = Vec::new();
        if !args.text.is_empty() {
            texts.push(args.text.join(" "));
        }
        if let [name] = args.text.as_slice()
            && Path::new(name).is_file()
            && !args.send.quiet
        {
            let (file, name) = (shown(Path::new(name)), quoted(Path::new(name)));
            note(&format!("the message is the name `{file}`; `-f {name}` or `--attach {name}` would read the file"));
        }
        let attaches_stdin = args.attach.iter().any(|path| path == Path::new("-"));
        if attaches_stdin || !io::stdin().is_terminal() {
            io::stdin().lock().read_to_end(&mut stdin).map_err(|error| read_error("standard input", &error))?;
        }
        if args.edit {
            texts = vec![editor::edit(&texts.concat())?];
        }
        if !attaches_stdin && !stdin.is_empty() {
            texts.push(String::from_utf8(std::mem::take(&mut stdin)).map_err(|error| not_text(error.as_bytes()))?);
        }
        texts.retain(|text| !text.is_empty());
        if texts.is_empty() && args.attach.is_empty() {
            let error = Failure::new(ExitStatus::Usage, "no message to send");
            let help = "write it after `chatmd ask`, pipe it in, or open an editor with `--edit`";
            return Err(error.with_help(help));
        }
        Ok(Self { texts, stdin })
    }

    /// The parts of the message. `reference` says how the document refers to a file.
    fn parts(
        &self,
        attached: &[std::path::PathBuf],
        reference: impl Fn(&Path, &[u8]) -> Result<Option<String>>,
    ) -> Result<Vec<AnswerPart>> {
        let mut parts: Vec<AnswerPart> = self.texts.iter().cloned().map(AnswerPart::Text).collect();
        for path in attached {
            let is_stdin = path == Path::new("-");
            let bytes = if is_stdin {
                self.stdin.clone()
            } else {
                require_file(path)?;
                read_file(path)?.bytes
            };
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let stored = reference(path, &bytes)?;
            parts.push(part(bytes, if is_stdin { String::new() } else { name }, stored)?);
        }
        Ok(parts)
    }
}

/// The part of an attachment, by its content. Without a path that the document can refer to, the part holds the content.
fn part(bytes: Vec<u8>, name: String, path: Option<String>) -> Result<AnswerPart> {
    if let Some(media_type) = image_type(&bytes) {
        return Ok(AnswerPart::Image(path.unwrap_or_else(|| data_url(media_type, &bytes))));
    }
    let is_pdf = bytes.starts_with(b"%PDF-");
    if !is_pdf && std::str::from_utf8(&bytes).is_ok() {
        let text = || String::from_utf8(bytes).unwrap_or_default();
        return Ok(path.map_or_else(|| AnswerPart::Text(text()), AnswerPart::TextFile));
    }
    if !is_pdf && name.is_empty() {
        return Err(not_text(&bytes));
    }
    let filename = if name.is_empty() { "file.pdf".to_owned() } else { name };
    let path = path.unwrap_or_else(|| data_url(file_type(&bytes, &filename), &bytes));
    Ok(AnswerPart::File { path, filename: Some(filename) })
}

/// The error for bytes on standard input that are not text.
fn not_text(bytes: &[u8]) -> Failure {
    let what = match file_type(bytes, "") {
        "application/octet-stream" => "standard input is not UTF-8".to_owned(),
        media_type => format!("standard input is not text: it is `{media_type}`"),
    };
    Failure::new(ExitStatus::Malformed, what).with_help("`--attach -` takes an image or a PDF from standard input")
}

/// Sends a message that is stored nowhere, unless `-o` names a file.
fn ask_once(message: &Message, args: &AskArgs) -> Result<ExitStatus> {
    if let Some(out) = args.output.as_deref() {
        if out == Path::new("-") {
            let error = Failure::new(ExitStatus::Usage, "standard output has the answer, so `-o` needs a file");
            return Err(error.with_help("leave out `-o` to store nothing"));
        }
        if !args.force {
            output::require_empty(out)?;
        }
    }
    let directory = args.send.read.files.directory(None)?;
    let media = media(args).filter(|_| args.output.is_some() && !args.send.dry_run);
    let files = Attachments::new(args.output.as_deref().unwrap_or(Path::new("")), media, &directory)?;
    let parts = message.parts(&args.attach, |_, bytes| Ok(files.copy(bytes)))?;
    let converter = args.send.read.converter(&files);
    let start = new_document(args)?;
    let asked = converter.ask(start, args.system.as_deref(), &parts)?.value;
    super::media::write(&args.send.reply.media, &files.into_copies())?;
    let mut talk = talk(Conversation { text: asked, out: args.output.as_deref(), file: None }, args);
    let exit = talk.run()?;
    let calls = if args.send.dry_run { Vec::new() } else { talk.waiting_calls() };
    if exit == ExitStatus::Success && !calls.is_empty() {
        let out = args.output.as_deref();
        let list = list_calls("the answer calls tools:", &calls, out.is_some());
        let help = out.map_or_else(
            || "`-f DOC` keeps the conversation, so that `chatmd answer` can answer them".to_owned(),
            |out| answer_help(&quoted(out)),
        );
        return Err(Failure::new(ExitStatus::CheckFailed, list).with_help(help));
    }
    Ok(exit)
}

fn talk<'a>(conversation: Conversation<'a>, args: &'a AskArgs) -> Talk<'a> {
    Talk { conversation, after_answer: AfterAnswer::Refuse, args: &args.send }
}

/// The directory of `--media`.
fn media(args: &AskArgs) -> Option<&Path> {
    Some(args.send.reply.media.as_path()).filter(|media| *media != Path::new("inline"))
}

/// Adds the message to a document, under its lock. Returns the new text. With `--dry-run`, the document stays as it is.
fn add(file: &Path, message: &Message, args: &AskArgs) -> Result<String> {
    let mut added = String::new();
    rewrite(file, true, |document| {
        let (text, copies) = with_message(file, document, message, args)?;
        super::media::write(&args.send.reply.media, &copies)?;
        added.clone_from(&text);
        Ok::<_, Failure>(Some(text).filter(|_| !args.send.dry_run))
    })?;
    Ok(added)
}

/// The document with the message, and the copies of attached files.
fn with_message(
    file: &Path,
    document: Input,
    message: &Message,
    args: &AskArgs,
) -> Result<(String, BTreeMap<String, Vec<u8>>)> {
    let (media, writes) = (media(args), !args.send.dry_run);
    let directory = args.send.read.files.directory(Some(&resolve(file)))?;
    let files = Attachments::new(file, media.filter(|_| writes), &directory)?;
    let parts = message.parts(&args.attach, |path, bytes| match path {
        path if path == Path::new("-") => Ok(files.copy(bytes)),
        // The content stands for the copy, which is not written.
        path if media.is_some() && !writes => files.own_reference(path),
        path => files.reference(path, false).map(Some),
    })?;
    let converter = args.send.read.converter(&files);
    let document = match document.bytes.as_slice() {
        [] => Input::from(new_document(args)?).with_path(resolve(file)),
        _ => document,
    };
    if args.system.is_some() && converter.has_messages(document.clone()) {
        let message = format!("`--system` is for a document without messages, and {} has some", shown(file));
        let error = Failure::new(ExitStatus::Usage, message);
        return Err(error.with_help("write a `<system>` in the document instead"));
    }
    let is_conversation = document.bytes.windows(USER.len()).any(|text| text == USER);
    let asked = converter.ask(document, args.system.as_deref(), &parts).map_err(|error| {
        let help = format!("if {} is not a conversation, add its text with `--attach {}`", shown(file), quoted(file));
        let failure = Failure::from(error);
        if is_conversation { failure } else { failure.with_help(help) }
    })?;
    report(&asked.warnings)?;
    Ok((asked.value, files.into_copies()))
}

/// A document with nothing but the model and the API.
fn new_document(args: &AskArgs) -> Result<String> {
    let request = &args.send.request;
    let model = request.model.clone().or_else(|| Some(default_model()?.0)).ok_or_else(|| {
        Failure::new(ExitStatus::Malformed, "no model is set for the new document")
            .with_help("name it with `--model NAME`, `CHATMD_MODEL`, or `model = \"NAME\"` in a file `chatmd.toml`")
    })?;
    Ok(config(&model, request.shape.api.of_new()))
}
