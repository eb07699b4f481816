//! `chatmd show`: a document as a transcript.

use std::io::{IsTerminal, stdout};

use anstream::{AutoStream, ColorChoice};
use chatmd::convert::World;
use chatmd::diagnostic::{Colors, Diagnostics, Problem};
use chatmd::resources::{Nothing, Resources};
use chatmd::show::{Options, show};
use chatmd::source::Sources;
use chatmd::wire::Texts;
use terminal_size::{Height, Width, terminal_size_of};
use textwrap::core::display_width;

use crate::cli::{Common, ShowArgs};
use crate::exit::Exit;
use crate::input::Input;
use crate::output;
use crate::pager;
use crate::report::{add, report, report_errors};

pub(crate) fn run(args: &ShowArgs, common: &Common) -> anyhow::Result<Exit> {
    let input = Input::read(&args.input, "show")?;
    let folder = args.files.folder(input.path.as_deref())?;
    let (sources, texts) = (Sources::new(), Texts::default());
    let mut found = Diagnostics::new();
    let source = add(input, &sources, &mut found);
    if let Err(exit) = report(&mut found, &sources, common) {
        return Ok(exit);
    }
    // What is shown for a diff must not depend on what else is there: git compares copies that stand alone.
    let files: &dyn Resources = if args.plain { &Nothing } else { &folder };
    let world = World::new(&sources, &texts, files);
    let document = world.read(source, args.whitespace.into(), args.files.limits(), &mut found);
    let found = found.without(is_shown);
    if let Err(exit) = report_errors(&found, &sources, common) {
        return Ok(exit);
    }
    let text = show(&document, &sources, files, &options(args));
    if is_paged(args, &text) {
        pager::page(&text)?;
    } else {
        output::print(&text)?;
    }
    Ok(Exit::Done)
}

/// Whether a problem is only that something is not here, as on a copy that `git` makes: its name is shown.
fn is_shown(problem: &Problem) -> bool {
    matches!(
        problem,
        Problem::FileMissing { .. }
            | Problem::FileRefused { .. }
            | Problem::FileUnfit { .. }
            | Problem::FileUnreadable { .. }
            | Problem::ImportCycle
            | Problem::ImportTooDeep { .. }
            | Problem::TooManyImports { .. }
            | Problem::ImportsTooLarge { .. }
    )
}

fn options(args: &ShowArgs) -> Options {
    if args.plain {
        return Options::PLAIN;
    }
    // Whether there is colour decides more than colour: without it Markdown keeps its delimiters.
    let colors = match AutoStream::choice(&stdout()) {
        ColorChoice::Never => Colors::None,
        ColorChoice::Auto | ColorChoice::AlwaysAnsi | ColorChoice::Always => Colors::Ansi,
    };
    Options { width: Some(args.width.unwrap_or_else(output::width)), colors, full: args.full, exact: false }
}

fn is_paged(args: &ShowArgs, text: &str) -> bool {
    let is_longer = |(Width(width), Height(height))| {
        // A line that is longer than the screen is wide takes several.
        let rows = text.lines().map(|line| display_width(line).div_ceil(usize::from(width).max(1)).max(1));
        rows.sum::<usize>() >= usize::from(height)
    };
    !args.plain && !args.no_pager && stdout().is_terminal() && terminal_size_of(stdout()).is_some_and(is_longer)
}
