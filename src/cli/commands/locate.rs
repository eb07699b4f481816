//! `chatmd locate`: shows which line of a document a part of its request comes from.

use std::collections::HashSet;
use std::path::Path;

use chatmd::convert::{Context, locate};
use chatmd::diagnostic::{Diagnostics, Problem, sanitize_line, sanitize_short};
use chatmd::document::{Block, Document};
use chatmd::json::{Json, StringArena};
use chatmd::resolve::Resolver;
use chatmd::responses::ApiError;
use chatmd::source::{Sources, Span, Spanned};
use chatmd::syntax::write::Whitespace;

use crate::cli::args::{Common, FileArgs, FromResponseArgs, LocateArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::Input;
use crate::cli::output;
use crate::cli::report::{add, report, report_errors, warning};

/// The maximum length of the line that is shown.
const MAX_LINE_CHARS: usize = 400;

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
        let help = "write a path such as `input[3].content[0].text`; indices start at 0";
        return Err(CliError::new(ExitStatus::Malformed, message).with_help(help).into());
    };
    let (line, column) = sources.line_column(span);
    let source = sources.get(span.source);
    let shown: String = sanitize_line(&source.text[source.line_range(line - 1)]).chars().take(MAX_LINE_CHARS).collect();
    output::print(&format!("{}:{line}:{column}\n{shown}\n", source.name))?;
    Ok(ExitStatus::Success)
}

/// Shows an API error at the line of the document that caused it. Returns false if that line is not known.
pub(crate) fn show_api_error(error: &ApiError<'_>, args: &FromResponseArgs, common: &Common) -> bool {
    let Some(document) = args.document.as_ref().or(args.append.as_ref()) else { return false };
    // The document of `--append` may not exist yet.
    if args.document.is_none() && !document.exists() {
        return false;
    }
    show_in(error, document, args, common).unwrap_or_else(|failure| {
        // Not an error: the API's error is more important and is shown next.
        warning(&format!("{failure:#}"));
        false
    })
}

fn show_in(error: &ApiError<'_>, path: &Path, args: &FromResponseArgs, common: &Common) -> anyhow::Result<bool> {
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
        // If an element could not be converted, the indices of the items after it are wrong.
        (!diagnostics.has_errors()).then(|| (param.to_owned(), span))
    });
    let Some((what, span)) = param.or_else(|| named_call(&document, &error.message)) else { return Ok(false) };
    let mut shown = Diagnostics::new();
    shown.report(Problem::ApiError { message: error.to_string(), param: what }, span);
    // The caller returns the exit code for an API error.
    let _ = report(&mut shown, &sources, common);
    Ok(true)
}

/// The call whose id the message names, or else the output with that id, and its place.
fn named_call(document: &Document<'_>, message: &str) -> Option<(String, Span)> {
    let ids = document.blocks.iter().filter_map(|block| match &block.value {
        Block::ToolCall(call) => Some((call.call_id.clone(), true, block.span)),
        Block::ToolResponse(response) => Some((response.call_id.clone(), false, block.span)),
        Block::Item(json) | Block::ItemFiles(Spanned { value: json, .. }) => {
            let item = Json::parse(json).and_then(Json::object).ok()?;
            let is_call = item.get_str("type").is_some_and(|kind| !kind.ends_with("_output"));
            Some((item.get_str("call_id")?.into_owned().into(), is_call, block.span))
        }
        Block::Message(_)
        | Block::Reasoning(_)
        | Block::Declaration(_)
        | Block::Import(_)
        | Block::Request(_)
        | Block::Comment(_) => None,
    });
    let words: HashSet<&str> = message.split(|c: char| !is_id_char(c)).filter(|word| !word.is_empty()).collect();
    let named: Vec<_> = ids.filter(|(id, ..)| words.contains(id.as_ref())).collect();
    let call = named.iter().find(|(_, is_call, _)| *is_call).or(named.first())?;
    Some((call.0.to_string(), call.2))
}

/// Whether a character can be part of an id.
fn is_id_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

/// Reads a document and its imports; `None` if it is not UTF-8.
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
