//! `chatmd to-request`: a document to request JSON.

use std::io;

use crate::json::pretty;
use crate::{Report, Request, RequestOptions};

use crate::cli::args::{OutputArgs, ToRequestArgs};
use crate::cli::error::{ExitStatus, Result};
use crate::cli::input;
use crate::cli::output;
use crate::cli::report::report;

pub(crate) fn run(args: &ToRequestArgs) -> Result<ExitStatus> {
    output::require_other_file(&args.output, &args.input)?;
    output::require_other_file(&OutputArgs { output: args.source_map.clone() }, &args.input)?;
    if let Some(path) = &args.source_map {
        output::require_two_files(&args.output, "--source-map", path)?;
    }
    let document = input::read(&args.input, "to-request")?;
    let directory = args.read.files.directory(document.path.as_deref())?;
    let programs = args.programs.commands(&args.read.files, &directory)?;
    let converter = args.read.converter(&directory).programs(&programs);
    let options = RequestOptions {
        stream: args.stream,
        source_map: args.source_map.is_some(),
        changes: args.ledger.changes,
        ..args.request.options()?
    };
    let write = |request: &Request<'_>, warnings: &Report| write_request(request, warnings, args);
    let written = if args.input_only {
        converter.with_input(document, &options, write)
    } else {
        converter.with_request(document, &options, write)
    };
    written.map_err(|error| args.ledger.failed(error))?
}

fn write_request(request: &Request<'_>, warnings: &Report, args: &ToRequestArgs) -> Result<ExitStatus> {
    args.ledger.write(warnings.ledger())?;
    report(warnings)?;
    if let (Some(path), Some(map)) = (&args.source_map, request.source_map()) {
        let to_file = OutputArgs { output: Some(path.clone()) };
        output::write(&to_file, &(serde_json::to_string(&map).map_err(io::Error::from)? + "\n"))?;
    }
    let is_shown = output::is_shown(&args.output);
    if args.pretty || !args.compact && is_shown {
        output::write_json(&args.output, &(pretty(&request.to_json()) + "\n"))?;
    } else if is_shown {
        output::write_json(&args.output, &(request.to_json() + "\n"))?;
    } else {
        output::write_with(&args.output, |out| {
            request.write_to(out)?;
            out.write_all(b"\n")
        })?;
    }
    Ok(ExitStatus::Success)
}
