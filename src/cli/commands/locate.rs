//! `chatmd locate`: where in a document a part of its request comes from.

use std::path::Path;

use chatmd::convert::{Context, locate};
use chatmd::diagnostic::{Diagnostics, Problem, sanitize_line, sanitize_short};
use chatmd::json::StringArena;
use chatmd::source::{Sources, Span};
use chatmd::syntax::write::Whitespace;

use crate::cli::args::{Common, FileArgs, FromResponseArgs, LocateArgs, ShapeArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::Input;
use crate::cli::output;
use crate::cli::report::{add, report, report_errors};

/// How much of a line is shown.
const LONGEST: usize = 400;

pub(crate) fn run(args: &LocateArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let place =
        find(&args.file, &args.path, args.whitespace.into(), &args.shape, &args.files, &sources, &mut diagnostics)?;
    if let Err(exit) = report_errors(&diagnostics, &sources, common) {
        return Ok(exit);
    }
    let Some(span) = place else {
        let message = format!("the request of {} has no `{}`", args.file.display(), sanitize_short(&args.path, 100));
        let help = Some("a path is like `input[3].content[0].text`, counted from 0".to_owned());
        return Err(CliError { exit: ExitStatus::JsonError, message, help }.into());
    };
    let (line, column) = sources.line_column(span);
    let source = sources.get(span.source);
    let shown: String = sanitize_line(&source.text[source.line_range(line - 1)]).chars().take(LONGEST).collect();
    output::print(&format!("{}:{line}:{column}\n{shown}\n", source.name))?;
    Ok(ExitStatus::Done)
}

/// Shows an API error at the line of the document that caused it; false if that cannot be told.
pub(crate) fn show(
    document: &Path,
    param: &str,
    message: &str,
    args: &FromResponseArgs,
    common: &Common,
) -> anyhow::Result<bool> {
    let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let place = find(document, param, args.whitespace.into(), &args.shape, &args.files, &sources, &mut diagnostics)?;
    // What could not be converted is missing from the items, and the others have moved up.
    let Some(span) = place.filter(|_| !diagnostics.has_errors()) else { return Ok(false) };
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
    diagnostics: &mut Diagnostics,
) -> anyhow::Result<Option<Span>> {
    let input = Input::file(document)?;
    let directory = files.directory(input.path.as_deref())?;
    let strings = StringArena::default();
    let source = add(input, sources, diagnostics);
    if diagnostics.has_errors() {
        return Ok(None);
    }
    let context = Context::new(sources, &strings, &directory);
    let document = context.read(source, whitespace, files.limits(), diagnostics);
    Ok(locate(&document, &context, &shape.options(), path, diagnostics))
}
