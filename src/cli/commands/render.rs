//! `chatmd render`: makes one HTML page of a document.

use std::path::{Path, PathBuf};

use crate::render::{Options, Page, extract};
use crate::{Converter, Input};

use crate::cli::args::{Redact, RenderArgs};
use crate::cli::browser;
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::input;
use crate::cli::output;
use crate::cli::report::{help, note, readable, warning};

pub(crate) fn run(args: &RenderArgs) -> Result<ExitStatus> {
    if args.extract {
        return extract_document(args);
    }
    output::require_other_file(&args.output, &args.source.input)?;
    let limits = args.source.read.session_limits(&args.source.session);
    let input = input::read_document(&args.source.input, limits.clone(), "render")?;
    let secrets = if args.redact.is_some() { secrets_of_json(&input) } else { Vec::new() };
    let document = input::into_document(input)?;
    let directory = args.source.read.files.directory_within(document.path.as_deref(), limits.total)?;
    let converter = args.source.read.converter(&directory);
    let options = options(args, &document);
    let page = readable(converter.render(document, &options))?;
    if let Some(redact) = args.redact {
        report_redaction(&page, &secrets, redact)?;
    }
    if args.open {
        let path = written(args, &page.html)?;
        browser::open(&path)?;
    } else {
        output::write(&args.output, &page.html)?;
    }
    Ok(ExitStatus::Success)
}

fn options(args: &RenderArgs, document: &Input) -> Options {
    let stem = document.path.as_deref().and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
    let stem = stem.map(|stem| stem.strip_suffix(".chat").map_or(stem.clone(), str::to_owned));
    let default = Options::default();
    Options {
        title: args.title.clone().or(stem).unwrap_or(default.title),
        theme: args.theme,
        no_images: args.no_images,
        max_image_bytes: args.max_image_bytes,
        has_source: !args.no_source,
        redacts: args.redact.is_some(),
    }
}

fn extract_document(args: &RenderArgs) -> Result<ExitStatus> {
    output::require_other_file(&args.output, &args.source.input)?;
    let page = input::read(&args.source.input, "render")?;
    let document = extract(&page.bytes).map_err(|error| {
        Failure::new(ExitStatus::Malformed, format!("{}: {error}", page.name))
            .with_help("name a page that `chatmd render` made without `--no-source`, and that was not edited")
    })?;
    if output::is_shown(&args.output) {
        output::write(&args.output, &String::from_utf8_lossy(&document))?;
    } else {
        output::write_with(&args.output, |out| out.write_all(&document))?;
    }
    Ok(ExitStatus::Success)
}

/// What looks like a secret in JSON or in a stream: its place there, and its kind.
fn secrets_of_json(input: &Input) -> Vec<String> {
    if !input::is_convertible(input) {
        return Vec::new();
    }
    let report = Converter::new().secrets(input.clone());
    report.iter().map(|finding| format!("{}: {}", finding.place(), finding.message())).collect()
}

/// Lists what was replaced, and what could not be checked. `secrets` are those of the JSON that became the document.
fn report_redaction(page: &Page, secrets: &[String], redact: Redact) -> Result<()> {
    // If the JSON has as many secrets as the document, each is named by its place in the JSON.
    if secrets.len() == page.redacted.len() {
        for secret in secrets {
            note(&format!("{secret}, and was replaced"));
        }
    } else {
        for redacted in &page.redacted {
            note(&format!("line {}: replaced what looks like a secret ({})", redacted.line, redacted.kind));
        }
    }
    for kind in &page.redacted_elsewhere {
        note(&format!("replaced what looks like a secret ({kind}) in a file that the document refers to"));
    }
    for unchecked in &page.unchecked {
        if unchecked.what == "document" {
            warning("the document was left out of the page: it contains a secret that could not be replaced");
            continue;
        }
        let name = if unchecked.name.is_empty() { String::new() } else { format!(" `{}`", unchecked.name) };
        warning(&format!("line {}: {}{name} cannot be checked for secrets", unchecked.line, unchecked.what));
    }
    if page.unchecked.is_empty() {
        return Ok(());
    }
    if redact == Redact::Strict {
        let error = Failure::new(ExitStatus::CheckFailed, "the page contains data that cannot be checked for secrets");
        return Err(error.with_help("check it yourself, or leave it out with `--no-images` and `--no-source`"));
    }
    help("check it yourself before you share the page");
    Ok(())
}

/// Writes the page to the file of `-o`, or to a private temporary file.
fn written(args: &RenderArgs, html: &str) -> Result<PathBuf> {
    if let Some(path) = args.output.output.as_deref().filter(|path| *path != Path::new("-")) {
        output::write(&args.output, html)?;
        return Ok(path.to_owned());
    }
    let file = tempfile::Builder::new().prefix("chatmd-").suffix(".html").tempfile();
    let (_, path) = file
        .and_then(|file| Ok(file.keep()?))
        .map_err(|error| Failure::from(error).about("cannot create a temporary file"))?;
    output::write_file(&path, html.as_bytes())?;
    Ok(path)
}
