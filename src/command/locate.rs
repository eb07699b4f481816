//! `chatmd locate`: where in a document a part of its request comes from.

use std::path::Path;

use chatmd::convert::{World, locate};
use chatmd::diagnostic::{Diagnostics, Problem, redacted};
use chatmd::source::{Sources, Span};
use chatmd::syntax::write::Whitespace;
use chatmd::wire::Texts;

use crate::cli::{Common, FileArgs, FromResponseArgs, LocateArgs, ShapeArgs};
use crate::exit::{Exit, Stop};
use crate::input::Input;
use crate::output;
use crate::report::{add, report, report_errors};

/// How much of a line is shown.
const LONGEST: usize = 400;

pub(crate) fn run(args: &LocateArgs, common: &Common) -> anyhow::Result<Exit> {
    let (sources, mut found) = (Sources::new(), Diagnostics::new());
    let place = find(&args.file, &args.path, args.whitespace.into(), &args.shape, &args.files, &sources, &mut found)?;
    if let Err(exit) = report_errors(&found, &sources, common) {
        return Ok(exit);
    }
    let Some(span) = place else {
        let message = format!("the request of {} has no `{}`", args.file.display(), args.path);
        let help = Some("a path is like `input[3].content[0].text`, counted from 0".to_owned());
        return Err(Stop { exit: Exit::Malformed, message, help }.into());
    };
    let (line, column) = sources.line_column(span);
    let source = sources.get(span.source);
    let shown: String = redacted(&source.text[source.line_range(line - 1)]).chars().take(LONGEST).collect();
    output::print(&format!("{}:{line}:{column}\n{shown}\n", source.name))?;
    Ok(Exit::Done)
}

/// Shows an API error at the line of the document that caused it; false if that cannot be told.
pub(crate) fn show(
    document: &Path,
    param: &str,
    message: &str,
    args: &FromResponseArgs,
    common: &Common,
) -> anyhow::Result<bool> {
    let (sources, mut found) = (Sources::new(), Diagnostics::new());
    let place = find(document, param, args.whitespace.into(), &args.shape, &args.files, &sources, &mut found)?;
    // What could not be converted is missing from the items, and the others have moved up.
    let Some(span) = place.filter(|_| !found.has_errors()) else { return Ok(false) };
    let mut shown = Diagnostics::new();
    shown.report(Problem::ApiRefused { message: message.to_owned(), param: param.to_owned() }, span);
    // The exit code is that of the API's error.
    let _ = report(&mut shown, &sources, common);
    Ok(true)
}

fn find(
    document: &Path,
    path: &str,
    whitespace: Whitespace,
    shape: &ShapeArgs,
    files: &FileArgs,
    sources: &Sources,
    found: &mut Diagnostics,
) -> anyhow::Result<Option<Span>> {
    let input = Input::file(document)?;
    let folder = files.folder(input.path.as_deref())?;
    let texts = Texts::default();
    let source = add(input, sources, found);
    if found.has_errors() {
        return Ok(None);
    }
    let world = World::new(sources, &texts, &folder);
    let document = world.read(source, whitespace, files.limits(), found);
    Ok(locate(&document, &world, &shape.options(), path, found))
}
