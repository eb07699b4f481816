//! `chatmd parse`: prints the syntax tree as JSON.

use crate::Converter;

use crate::cli::args::ParseArgs;
use crate::cli::error::{ExitStatus, Result};
use crate::cli::input;
use crate::cli::output;
use crate::cli::report::report;

pub(crate) fn run(args: &ParseArgs) -> Result<ExitStatus> {
    output::require_other_file(&args.output, &args.input)?;
    let document = input::read(&args.input, "parse")?;
    let converter = Converter::new().whitespace(args.whitespace.mode);
    let outline = converter.outline(document)?;
    report(&outline.warnings)?;
    output::write_json(&args.output, &(outline.value + "\n"))?;
    Ok(ExitStatus::Success)
}
