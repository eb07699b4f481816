//! `chatmd answer`: adds the output of a tool to a document, after the call that it answers.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use crate::diagnostic::sanitize_short;
use crate::{Answer, AnswerError, AnswerOptions, AnswerPart, Answered, Error};

use super::media;
use crate::cli::args::{AnswerArgs, PartArg};
use crate::cli::attach::Attachments;
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::input::{read_error, read_file, read_text, require_file};
use crate::cli::lock::Lock;
use crate::cli::output;
use crate::cli::paths::{quoted, resolve, shown};
use crate::cli::report::{note, report};

pub(crate) fn run(args: &AnswerArgs) -> Result<ExitStatus> {
    require_file(&args.file, "`answer`")?;
    let has_text_only = args.json.is_none() && args.parts.0.iter().all(|part| *part == PartArg::Stdin);
    if args.media.is_some() && has_text_only {
        let message = "`--media` copies images and files, and this output has none";
        return Err(Failure::new(ExitStatus::Usage, message).with_help("add one with `--image` or `--file`"));
    }
    let directory = args.read.files.directory(Some(&resolve(&args.file)))?;
    let files = Attachments::new(&args.file, args.media.as_deref(), &directory)?;
    if io::stdin().is_terminal() {
        require_open_call(args, &files)?;
    }
    // Read before the document is locked, because a tool may run for a long time.
    let answer = read_answer(args, &files)?;
    let _lock = Lock::take(&args.file)?;
    let document = read_file(&args.file)?;
    let converter = args.read.converter(&files);
    let media = files.media().map(str::to_owned);
    let options = AnswerOptions { error: args.error, media };
    let answered = converter.answer(document, &args.call_id, &answer, &options);
    let Answered { text, warnings, media, .. } = answered.map_err(|error| answer_error(error, args))?;
    report(&warnings)?;
    if let Some(to) = &args.media {
        let files: BTreeMap<String, Vec<u8>> = files.into_copies().into_iter().chain(media).collect();
        media::write(to, &files)?;
    }
    output::write_file(&args.file, text.as_bytes())?;
    Ok(ExitStatus::Success)
}

/// Returns an error unless the call waits for its output, so that nobody types an output in vain.
fn require_open_call(args: &AnswerArgs, files: &Attachments<'_>) -> Result<()> {
    let converter = args.read.converter(files);
    let (nothing, options) = (Answer::Text(String::new()), AnswerOptions::default());
    match converter.answer(read_file(&args.file)?, &args.call_id, &nothing, &options) {
        Err(error @ Error::Answer(AnswerError::UnknownCall(_) | AnswerError::AlreadyAnswered(_))) => {
            Err(answer_error(error, args))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

fn read_answer(args: &AnswerArgs, files: &Attachments<'_>) -> Result<Answer> {
    if let Some(json) = &args.json {
        let is_stdin = json == Path::new("-");
        return Ok(Answer::Json(if is_stdin { read_stdin()? } else { read_text(json)? }));
    }
    if matches!(args.parts.0.as_slice(), [] | [PartArg::Stdin]) {
        return Ok(Answer::Text(read_stdin()?));
    }
    let parts = args.parts.0.iter().map(|part| match part {
        PartArg::Stdin => Ok(AnswerPart::Text(read_stdin()?)),
        PartArg::Image(path) => Ok(AnswerPart::Image(files.reference(path, true)?)),
        PartArg::File(path) => {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            // A copy has another name than the file.
            Ok(AnswerPart::File {
                path: files.reference(path, true)?,
                filename: name.filter(|_| files.media().is_some()),
            })
        }
    });
    Ok(Answer::Parts(parts.collect::<Result<_>>()?))
}

pub(crate) fn read_stdin() -> Result<String> {
    if io::stdin().is_terminal() {
        note("reading the output from the terminal; Ctrl-D ends it");
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map_err(|error| read_error("standard input", &error))?;
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let message = format!("standard input is not UTF-8: byte {offset} is not part of a character");
        Failure::new(ExitStatus::Malformed, message).with_help("add binary data with `--image` or `--file`")
    })
}

fn answer_error(error: Error, args: &AnswerArgs) -> Failure {
    let name = shown(&args.file);
    let Error::Answer(error) = error else { return error.into() };
    let help = match &error {
        AnswerError::UnknownCall(_) => {
            Some(format!("`chatmd calls {}` lists the calls that wait for an output", quoted(&args.file)))
        }
        AnswerError::AlreadyAnswered(id) => {
            Some(format!("edit its `<tool_response tool_call_id=\"{}\">` instead", sanitize_short(id, 100)))
        }
        AnswerError::NotAnOutput(_) => Some("without `--json`, standard input is the output, as a text".to_owned()),
        _ => None,
    };
    let error = Failure::new(ExitStatus::Malformed, format!("{name}: {error}"));
    match help {
        Some(help) => error.with_help(help),
        None => error,
    }
}
