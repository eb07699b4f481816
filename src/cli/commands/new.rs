//! `chatmd new`: a small document to start from.

use std::io::ErrorKind;
use std::path::Path;

use crate::element::Tag;
use crate::syntax::write::Opening;
use crate::{AnswerPart, Converter};

use crate::cli::args::NewArgs;
use crate::cli::error::{CliError, ExitStatus, Result};
use crate::cli::options::default_model;
use crate::cli::output::{self, write_error};
use crate::cli::paths::shown;
use crate::cli::replace::create;

const DEFAULT_MODEL: &str = "gpt-5";
const SYSTEM: &str = "You are a helpful assistant.";
const USER: &str = "Hello! What can you help me with?";

pub(crate) fn run(args: &NewArgs) -> Result<ExitStatus> {
    let model = args.model.clone().or_else(default_model).unwrap_or_else(|| DEFAULT_MODEL.to_owned());
    let message = [AnswerPart::Text(USER.to_owned())];
    let system = args.system.as_deref().unwrap_or(SYSTEM);
    let document = Converter::new().ask(config(&model), Some(system), &message)?.value;
    match args.file.as_deref().filter(|path| *path != Path::new("-")) {
        None => output::print_document(&document)?,
        Some(path) => create(path, document.as_bytes(), None).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => CliError::new(ExitStatus::Io, format!("{} already exists", shown(path)))
                .with_help("choose another name, or edit it"),
            _ => write_error(path, &error),
        })?,
    }
    Ok(ExitStatus::Success)
}

/// A document with nothing but the model.
pub(super) fn config(model: &str) -> String {
    let mut document = String::new();
    let mut config = Opening::new(&mut document, Tag::Config);
    config.attribute("model", Some(model));
    config.end_void();
    document.push('\n');
    document
}
