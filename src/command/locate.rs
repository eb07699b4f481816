//! `chatmd locate`: where in a document a part of its request comes from.

use std::path::Path;

use chatmd::convert::{RequestOptions, World, locate};
use chatmd::diagnostic::{Diagnostics, Problem};
use chatmd::resources::Folder;
use chatmd::source::{Sources, Span};
use chatmd::syntax::write::Whitespace;
use chatmd::wire::Texts;

use crate::cli::{Common, LocateArgs, OutputArgs};
use crate::exit::{Exit, Stop};
use crate::input::Input;
use crate::output;
use crate::report::{add, report};

pub(crate) fn run(args: &LocateArgs, common: &Common) -> anyhow::Result<Exit> {
    let input = Input::file(&args.file)?;
    let folder = args.files.folder(input.path.as_deref())?;
    let (sources, mut found) = (Sources::new(), Diagnostics::new());
    let place = find(input, &args.path, args.whitespace.into(), &folder, &sources, &mut found);
    if let Err(exit) = report(&mut found.errors(), &sources, common) {
        return Ok(exit);
    }
    let Some(span) = place else {
        let message = format!("the request of {} has no `{}`", args.file.display(), args.path);
        let help = Some("a path is like `input[3].content[0].text`, counted from 0".to_owned());
        return Err(Stop { exit: Exit::Malformed, message, help }.into());
    };
    let (line, column) = sources.line_column(span);
    let source = sources.get(span.source);
    let shown = &source.text[source.line_range(line - 1)];
    let shown = chatmd::diagnostic::redacted(shown.get(..shown.len().min(400)).unwrap_or(shown));
    output::write(&OutputArgs { output: None }, &format!("{}:{line}:{column}\n{shown}\n", source.name))?;
    Ok(Exit::Done)
}

/// Shows an API error at the line of the document that caused it; false if that cannot be told.
pub(crate) fn show(
    document: &Path,
    param: &str,
    message: &str,
    whitespace: Whitespace,
    common: &Common,
) -> anyhow::Result<bool> {
    let input = Input::file(document)?;
    let mut folder = Folder::new(std::env::current_dir()?);
    if let Some(parent) = input.path.as_deref().and_then(Path::parent) {
        folder = folder.root(parent);
    }
    let (sources, mut found) = (Sources::new(), Diagnostics::new());
    let Some(span) = find(input, param, whitespace, &folder, &sources, &mut found) else { return Ok(false) };
    let mut shown = Diagnostics::new();
    shown.report(Problem::ApiRefused { message: message.to_owned(), param: param.to_owned() }, span);
    // The exit code is that of the API's error.
    let _ = report(&mut shown, &sources, common);
    Ok(true)
}

fn find(
    input: Input,
    path: &str,
    whitespace: Whitespace,
    folder: &Folder,
    sources: &Sources,
    found: &mut Diagnostics,
) -> Option<Span> {
    let texts = Texts::default();
    let source = add(input, sources, found);
    let world = World::new(sources, &texts, folder);
    let document = world.read(source, whitespace, chatmd::document::Limits::default(), found);
    locate(&document, &world, &RequestOptions::default(), path, found)
}
