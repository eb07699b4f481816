//! `chatmd show`: prints a document as a transcript.

use std::io::{IsTerminal, stdout};

use crate::diagnostic::Colors;
use crate::resources::{NoFiles, Resources};
use crate::show::Options;
use crate::{Converter, Input};
use anstream::{AutoStream, ColorChoice};

use crate::cli::args::ShowArgs;
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::output;
use crate::cli::pager;
use crate::cli::report::readable;

pub(crate) fn run(args: &ShowArgs) -> Result<ExitStatus> {
    let (document, directory) = args.source.read(&args.source.input, "show")?;
    // `git diff` compares copies without the files around them, so plain output must not depend on other files.
    let files: &dyn Resources = if args.plain { &NoFiles } else { &directory };
    let converter = args.source.read.converter(files);
    if args.last {
        return last_answer(&converter, document);
    }
    let shown = readable(converter.show(document, &options(args)))?;
    if args.plain || args.no_pager {
        output::print(shown)?;
    } else {
        pager::print(&shown)?;
    }
    Ok(ExitStatus::Success)
}

/// Prints the text of the last answer, as `send` does.
fn last_answer(converter: &Converter<'_>, document: Input) -> Result<ExitStatus> {
    let name = document.name.clone();
    let answer = readable(converter.last_answer(document))?;
    let missing = || Failure::new(ExitStatus::Malformed, format!("{name} has no answer with a text"));
    let text = answer.ok_or_else(missing)?;
    let line_break = if text.ends_with('\n') { "" } else { "\n" };
    output::print_document(&(text + line_break))?;
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
    // Only a person can do something about it.
    let hint = stdout().is_terminal().then_some("Some lines are shortened. `chatmd show --full` shows everything.");
    Options { width: Some(args.width.unwrap_or_else(output::width)), colors, full: args.full, exact: false, hint }
}
