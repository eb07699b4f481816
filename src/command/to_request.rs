//! `chatmd to-request`: document to request JSON.

use std::io::IsTerminal;
use std::path::Path;

use chatmd::convert::{RequestOptions, World, to_input, to_request};
use chatmd::diagnostic::Diagnostics;
use chatmd::resources::Folder;
use chatmd::source::{Sources, Span};
use chatmd::wire::{Texts, write};

use crate::cli::{Common, FileArgs, ToRequestArgs};
use crate::exit::Exit;
use crate::input::Input;
use crate::output;
use crate::report::{add, report};

pub(crate) fn run(args: &ToRequestArgs, common: &Common) -> anyhow::Result<Exit> {
    let input = Input::read(&args.input, "to-request")?;
    let folder = folder(&args.files, input.path.as_deref())?;
    let (sources, texts) = (Sources::new(), Texts::default());
    let world = World { sources: &sources, texts: &texts, resources: &folder };
    let mut found = Diagnostics::new();
    let source = add(input, &sources, &mut found);
    if let Err(exit) = report(&mut found, &sources, common) {
        return Ok(exit);
    }
    let document = world.read(source, args.whitespace.into(), args.files.limits(), &mut found);
    let default_model = std::env::var("CHATMD_MODEL").ok().filter(|model| !model.is_empty());
    let options = RequestOptions { model: args.model.as_deref(), default_model: default_model.as_deref() };
    let start = sources.get(source).start();
    let json = if args.input_only {
        to_input(&document, &world, &mut found)
    } else {
        to_request(&document, &world, options, Span::new(source, start..start), &mut found)
    };
    if let Err(exit) = report(&mut found, &sources, common) {
        return Ok(exit);
    }
    let is_pretty = args.pretty || !args.compact && args.output.output.is_none() && std::io::stdout().is_terminal();
    let mut json = if is_pretty { write::pretty(&json) } else { json };
    json.push('\n');
    output::write(&args.output, &json)?;
    Ok(Exit::Done)
}

/// What the document may read: below its own directory, the current one, and the roots that are given.
fn folder(args: &FileArgs, document: Option<&Path>) -> anyhow::Result<Folder> {
    let mut folder = Folder::new(std::env::current_dir()?).ceiling(args.max_file_bytes);
    for root in document.and_then(Path::parent).into_iter().chain(args.root.iter().map(AsRef::as_ref)) {
        folder = folder.root(root);
    }
    Ok(folder)
}
