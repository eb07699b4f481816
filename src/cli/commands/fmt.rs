//! `chatmd fmt`: formats documents without changing their meaning.

use std::path::{Path, PathBuf};

use crate::Converter;
use crate::sanitize::on_one_line;

use crate::cli::args::{FmtArgs, InputArgs};
use crate::cli::error::{ExitStatus, Result};
use crate::cli::input;
use crate::cli::lock::Lock;
use crate::cli::output;
use crate::cli::report::readable;
use crate::cli::walk::documents_of;

pub(crate) fn run(args: &FmtArgs) -> ExitStatus {
    let (files, mut exits) = documents_of(&args.files);
    // A file that cannot be read does not stop the others.
    let format = |file: &PathBuf| format_file(file, args).unwrap_or_else(|failure| failure.report());
    exits.extend(files.iter().map(format));
    ExitStatus::first_failure(exits)
}

fn format_file(file: &Path, args: &FmtArgs) -> Result<ExitStatus> {
    let is_stdin = file == Path::new("-");
    let is_in_place = !is_stdin && !args.check && !args.diff;
    // Held until the document is written, so that no change of another run is lost.
    let _lock = is_in_place.then(|| Lock::take(file)).transpose()?;
    let named = (!args.files.is_empty()).then(|| file.to_owned());
    let stdin_filename = args.stdin_filename.clone();
    let mut document = input::read(&InputArgs { file: named, stdin_filename }, "fmt")?;
    let name = document.name.clone();
    let original = document.bytes.clone();
    if args.line_endings.is_some()
        && let Ok(text) = std::str::from_utf8(&document.bytes)
    {
        document.bytes = text.replace("\r\n", "\n").into_bytes();
    }
    let converter = Converter::new().whitespace(args.whitespace.mode);
    let formatted = readable(converter.format(document))?;
    let is_formatted = formatted.as_bytes() == original;
    if is_stdin && !args.check && !args.diff {
        return output::print_document(&formatted).map(|()| ExitStatus::Success);
    }
    if is_formatted {
        return Ok(ExitStatus::Success);
    }
    if args.diff {
        output::print_styled(&output::diff(&name, &String::from_utf8_lossy(&original), &formatted))?;
        return Ok(ExitStatus::CheckFailed);
    }
    if args.check {
        output::print(format!("{}\n", on_one_line(&name)))?;
        return Ok(ExitStatus::CheckFailed);
    }
    output::write_file(file, formatted.as_bytes())?;
    Ok(ExitStatus::Success)
}
