//! `chatmd new`: a small document to start from.

use std::io::ErrorKind;
use std::path::Path;

use crate::element::Tag;
use crate::syntax::write::Opening;
use crate::{AnswerPart, Api, Converter};

use crate::cli::args::NewArgs;
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::options::default_model;
use crate::cli::output::{self, write_error};
use crate::cli::paths::shown;
use crate::cli::replace::create;

/// The limit of an answer's length in a new document for the Messages API, which needs one.
const MAX_TOKENS: &str = "8192";
const SYSTEM: &str = "You are a helpful assistant.";
const USER: &str = "Hello! What can you help me with?";

pub(crate) fn run(args: &NewArgs) -> Result<ExitStatus> {
    let api = args.api.of_new();
    let default = match api.unwrap_or_default() {
        Api::Messages => "claude-sonnet-4-5",
        Api::Responses | Api::Chat => "gpt-5",
    };
    let model = args.model.clone().or_else(|| Some(default_model()?.0)).unwrap_or_else(|| default.to_owned());
    let message = [AnswerPart::Text(USER.to_owned())];
    let system = args.system.as_deref().unwrap_or(SYSTEM);
    let document = Converter::new().ask(config(&model, api), Some(system), &message)?.value;
    match args.file.as_deref().filter(|path| *path != Path::new("-")) {
        None => output::print_document(&document)?,
        Some(path) => create(path, document.as_bytes(), None).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => Failure::new(ExitStatus::Io, format!("{} already exists", shown(path)))
                .with_help("choose another name, or edit it"),
            _ => write_error(path, &error),
        })?,
    }
    Ok(ExitStatus::Success)
}

/// A document with nothing but the model, and the API if one is chosen.
pub(super) fn config(model: &str, api: Option<Api>) -> String {
    let mut document = String::new();
    let mut config = Opening::new(&mut document, Tag::Config);
    if let Some(api) = api {
        config.attribute("api", Some(api.name()));
    }
    config.attribute("model", Some(model));
    if api == Some(Api::Messages) {
        config.attribute("max_tokens", Some(MAX_TOKENS));
    }
    config.end_void();
    document.push('\n');
    document
}
