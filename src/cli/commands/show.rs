//! `chatmd show`: prints a document as a transcript.

use std::io::{IsTerminal, stdout};

use anstream::{AutoStream, ColorChoice};
use chatmd::diagnostic::Colors;
use chatmd::resources::{NoFiles, Resources};
use chatmd::show::Options;
use terminal_size::{Height, Width, terminal_size_of};
use textwrap::core::display_width;

use crate::cli::args::{Common, ShowArgs};
use crate::cli::error::ExitStatus;
use crate::cli::input;
use crate::cli::output;
use crate::cli::pager;
use crate::cli::report::{failed, report_errors};

pub(crate) fn run(args: &ShowArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let document = input::read_document(&args.input, "show")?;
    let directory = args.files.directory(document.path.as_deref())?;
    // `git diff` compares copies without the files around them, so plain output must not depend on other files.
    let files: &dyn Resources = if args.plain { &NoFiles } else { &directory };
    let converter = args.files.converter(files, args.whitespace);
    let shown = converter.show(document, &options(args)).map_err(|error| failed(error, common))?;
    report_errors(shown.warnings, common)?;
    let text = shown.value;
    if is_paged(args, &text) {
        pager::page(&text)?;
    } else {
        output::print(&text)?;
    }
    Ok(ExitStatus::Success)
}

fn options(args: &ShowArgs) -> Options {
    if args.plain {
        return Options::PLAIN;
    }
    // Without colour, Markdown keeps its delimiters.
    let colors = match AutoStream::choice(&stdout()) {
        ColorChoice::Never => Colors::None,
        ColorChoice::Auto | ColorChoice::AlwaysAnsi | ColorChoice::Always => Colors::Ansi,
    };
    Options { width: Some(args.width.unwrap_or_else(output::width)), colors, full: args.full, exact: false }
}

fn is_paged(args: &ShowArgs, text: &str) -> bool {
    let is_too_long = |(Width(width), Height(height))| {
        // A line wider than the screen takes several rows.
        let rows = text.lines().map(|line| display_width(line).div_ceil(usize::from(width).max(1)).max(1));
        rows.sum::<usize>() >= usize::from(height)
    };
    !args.plain && !args.no_pager && stdout().is_terminal() && terminal_size_of(stdout()).is_some_and(is_too_long)
}
