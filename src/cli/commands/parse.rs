//! `chatmd parse`: prints the syntax tree as JSON.

use crate::Converter;

use crate::cli::args::{Common, ParseArgs};
use crate::cli::error::{ExitStatus, Result};
use crate::cli::input;
use crate::cli::output;
use crate::cli::report::{failed, report};

pub(crate) fn run(args: &ParseArgs, common: &Common) -> Result<ExitStatus> {
    output::require_other_file(&args.output, &args.input)?;
    let document = input::read(&args.input, "parse")?;
    let converter = Converter::new().whitespace(args.whitespace.mode);
    let outline = converter.outline(document).map_err(|error| failed(error, common))?;
    report(&outline.warnings, common)?;
    output::write_json(&args.output, &(outline.value + "\n"))?;
    Ok(ExitStatus::Success)
}
