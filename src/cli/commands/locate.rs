//! `chatmd locate`: where in a document a part of its request comes from.

use std::collections::HashSet;
use std::path::Path;

use chatmd::convert::{Context, locate};
use chatmd::diagnostic::{Diagnostics, Problem, sanitize_line, sanitize_short};
use chatmd::document::{Block, Document};
use chatmd::json::{Json, StringArena};
use chatmd::resolve::Resolver;
use chatmd::responses::ApiError;
use chatmd::source::{Sources, Span};
use chatmd::syntax::write::Whitespace;

use crate::cli::args::{Common, FileArgs, FromResponseArgs, LocateArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::Input;
use crate::cli::output;
use crate::cli::report::{add, report, report_errors, warning};

/// How much of a line is shown.
const LONGEST: usize = 400;

pub(crate) fn run(args: &LocateArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let strings = StringArena::default();
    let input = Input::file(&args.file)?;
    let directory = args.files.directory(input.path.as_deref())?;
    let resolver = Resolver::new(&sources, &directory);
    let context = Context::new(&resolver, &strings);
    let document = read(input, &context, args.whitespace.into(), &args.files, &mut diagnostics).unwrap_or_default();
    let place = locate(&document, &context, &args.shape.options(), &args.path, &mut diagnostics);
    if let Err(exit) = report_errors(&diagnostics, &sources, common) {
        return Ok(exit);
    }
    let Some(span) = place else {
        let message = format!("the request of {} has no `{}`", args.file.display(), sanitize_short(&args.path, 100));
        let help = Some("a path is like `input[3].content[0].text`, counted from 0".to_owned());
        return Err(CliError { exit: ExitStatus::Malformed, message, help }.into());
    };
    let (line, column) = sources.line_column(span);
    let source = sources.get(span.source);
    let shown: String = sanitize_line(&source.text[source.line_range(line - 1)]).chars().take(LONGEST).collect();
    output::print(&format!("{}:{line}:{column}\n{shown}\n", source.name))?;
    Ok(ExitStatus::Done)
}

/// Shows an API error at the line of the document that caused it; false if that cannot be told.
pub(crate) fn show(error: &ApiError<'_>, args: &FromResponseArgs, common: &Common) -> bool {
    let Some(document) = args.document.as_ref().or(args.append.as_ref()) else { return false };
    // `--append` may name a document that is not there yet.
    if args.document.is_none() && !document.exists() {
        return false;
    }
    show_at(error, document, args, common).unwrap_or_else(|failure| {
        // What the API says matters more.
        warning(&format!("{failure:#}"));
        false
    })
}

fn show_at(error: &ApiError<'_>, path: &Path, args: &FromResponseArgs, common: &Common) -> anyhow::Result<bool> {
    let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let strings = StringArena::default();
    let input = Input::file(path)?;
    let directory = args.files.directory(input.path.as_deref())?;
    let resolver = Resolver::new(&sources, &directory);
    let context = Context::new(&resolver, &strings);
    let Some(document) = read(input, &context, args.whitespace.into(), &args.files, &mut diagnostics) else {
        return Ok(false);
    };
    let param = error.param.as_deref().and_then(|param| {
        let span = locate(&document, &context, &args.shape.options(), param, &mut diagnostics)?;
        // What could not be converted is missing from the items, and the others have moved up.
        (!diagnostics.has_errors()).then(|| (param.to_owned(), span))
    });
    let Some((what, span)) = param.or_else(|| named_call(&document, &error.message)) else { return Ok(false) };
    let mut shown = Diagnostics::new();
    shown.report(Problem::ApiError { message: error.to_string(), param: what }, span);
    // The exit code is that of the API's error.
    let _ = report(&mut shown, &sources, common);
    Ok(true)
}

/// The call whose id a message names, or else the output of such a call, and where it is written.
fn named_call(document: &Document<'_>, message: &str) -> Option<(String, Span)> {
    let ids = document.blocks.iter().filter_map(|block| match &block.value {
        Block::ToolCall(call) => Some((call.call_id.clone(), true, block.span)),
        Block::ToolResponse(response) => Some((response.call_id.clone(), false, block.span)),
        Block::Item(json) => {
            let item = Json::parse(json).and_then(Json::object).ok()?;
            let is_call = item.text("type").is_some_and(|kind| !kind.ends_with("_output"));
            Some((item.text("call_id")?.into_owned().into(), is_call, block.span))
        }
        Block::Message(_)
        | Block::Reasoning(_)
        | Block::Declaration(_)
        | Block::Import(_)
        | Block::Request(_)
        | Block::Comment(_) => None,
    });
    let words: HashSet<&str> = message.split(|c: char| !is_id(c)).filter(|word| !word.is_empty()).collect();
    let named: Vec<_> = ids.filter(|(id, ..)| words.contains(id.as_ref())).collect();
    let call = named.iter().find(|(_, is_call, _)| *is_call).or(named.first())?;
    Some((call.0.to_string(), call.2))
}

/// Whether a character may stand in an id.
fn is_id(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// Reads a document and what it imports; `None` if it is not text.
fn read<'d>(
    input: Input,
    context: &Context<'d>,
    whitespace: Whitespace,
    files: &FileArgs,
    diagnostics: &mut Diagnostics,
) -> Option<Document<'d>> {
    let source = add(input, context.sources, diagnostics);
    (!diagnostics.has_errors()).then(|| context.read(source, whitespace, files.limits(), diagnostics))
}
