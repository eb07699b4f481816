//! `chatmd show`: a document as a transcript.

use std::io::{IsTerminal, stdout};

use anstream::{AutoStream, ColorChoice};
use chatmd::convert::World;
use chatmd::diagnostic::{Colors, Diagnostics, Problem};
use chatmd::show::{Options, show};
use chatmd::source::Sources;
use chatmd::wire::Texts;
use terminal_size::{Height, Width, terminal_size};

use crate::cli::{Common, ShowArgs};
use crate::exit::Exit;
use crate::input::Input;
use crate::output;
use crate::pager;
use crate::report::{add, report, report_errors};

/// How wide a page is that goes to no terminal.
const WIDTH: usize = 80;

pub(crate) fn run(args: &ShowArgs, common: &Common) -> anyhow::Result<Exit> {
    let input = Input::read(&args.input, "show")?;
    let folder = args.files.folder(input.path.as_deref())?;
    let (sources, texts) = (Sources::new(), Texts::default());
    let mut found = Diagnostics::new();
    let source = add(input, &sources, &mut found);
    if let Err(exit) = report(&mut found, &sources, common) {
        return Ok(exit);
    }
    let world = World::new(&sources, &texts, &folder);
    let document = world.read(source, args.whitespace.into(), args.files.limits(), &mut found);
    let found = found.without(is_shown);
    if let Err(exit) = report_errors(&found, &sources, common) {
        return Ok(exit);
    }
    let text = show(&document, &sources, &folder, &options(args));
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
    let terminal = terminal_size().map(|(Width(width), _)| usize::from(width));
    Options { width: Some(args.width.or(terminal).unwrap_or(WIDTH)), colors, full: args.full }
}

fn is_paged(args: &ShowArgs, text: &str) -> bool {
    let is_longer = |(Width(width), Height(height))| {
        // A line that is longer than the screen is wide takes several.
        let rows = text.lines().map(|line| 1 + line.len() / usize::from(width).max(1));
        rows.sum::<usize>() >= usize::from(height)
    };
    !args.plain && !args.no_pager && stdout().is_terminal() && terminal_size().is_some_and(is_longer)
}
