//! `chatmd show`: prints a document as a transcript.

use std::io::{IsTerminal, stdout};

use anstream::{AutoStream, ColorChoice};
use chatmd::convert::Context;
use chatmd::diagnostic::{Colors, Diagnostics, Rule};
use chatmd::json::StringArena;
use chatmd::resolve::Resolver;
use chatmd::resources::{NoFiles, Resources};
use chatmd::show::{Options, show};
use chatmd::source::Sources;
use terminal_size::{Height, Width, terminal_size_of};
use textwrap::core::display_width;

use crate::cli::args::{Common, ShowArgs};
use crate::cli::error::ExitStatus;
use crate::cli::input::Input;
use crate::cli::output;
use crate::cli::pager;
use crate::cli::report::{add, report, report_errors};

pub(crate) fn run(args: &ShowArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let input = Input::read(&args.input, "show")?;
    let directory = args.files.directory(input.path.as_deref())?;
    let (sources, strings) = (Sources::new(), StringArena::default());
    let mut diagnostics = Diagnostics::new();
    let source = add(input, &sources, &mut diagnostics);
    if let Err(exit) = report(&mut diagnostics, &sources, common) {
        return Ok(exit);
    }
    // `git diff` compares copies without the files around them, so plain output must not depend on other files.
    let files: &dyn Resources = if args.plain { &NoFiles } else { &directory };
    let resolver = Resolver::new(&sources, files);
    let context = Context::new(&resolver, &strings);
    let document = context.read(source, args.whitespace.into(), args.files.limits(), &mut diagnostics);
    let diagnostics = diagnostics.without(is_about_other_file);
    if let Err(exit) = report_errors(&diagnostics, &sources, common) {
        return Ok(exit);
    }
    let text = show(&document, &resolver, &options(args));
    if is_paged(args, &text) {
        pager::page(&text)?;
    } else {
        output::print(&text)?;
    }
    Ok(ExitStatus::Success)
}

/// Whether a problem is only about another file, which the transcript shows by its name.
fn is_about_other_file(rule: &Rule) -> bool {
    matches!(
        rule.name,
        "missing-file"
            | "forbidden-file"
            | "unusable-file"
            | "unreadable-file"
            | "import-cycle"
            | "import-too-deep"
            | "too-many-imports"
            | "imports-too-large"
    )
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
