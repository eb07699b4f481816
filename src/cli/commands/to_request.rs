//! `chatmd to-request`: a document to request JSON.

use std::io::IsTerminal;

use chatmd::json::write;
use chatmd::sanitize::sanitize_json;
use chatmd::{PreparedRequest, RequestOptions};

use crate::cli::args::{Common, OutputArgs, ToRequestArgs};
use crate::cli::error::ExitStatus;
use crate::cli::input;
use crate::cli::output;
use crate::cli::report::{failed, report};

pub(crate) fn run(args: &ToRequestArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let document = input::read(&args.input, "to-request")?;
    let directory = args.files.directory(document.path.as_deref())?;
    let programs = args.programs.commands(&args.files, &directory)?;
    let converter = args.files.converter(&directory, args.whitespace).programs(&programs);
    let options =
        RequestOptions { stream: args.stream, source_map: args.source_map.is_some(), ..args.request.options()? };
    let write = |request: PreparedRequest<'_>| write_request(&request, args, common);
    let written = if args.input_only {
        converter.with_input(document, &options, write)
    } else {
        converter.with_request(document, &options, write)
    };
    written.map_err(|error| failed(error, common))?
}

fn write_request(request: &PreparedRequest<'_>, args: &ToRequestArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    report(request.warnings, common)?;
    if let (Some(path), Some(map)) = (&args.source_map, &request.source_map) {
        let to_file = OutputArgs { output: Some(path.clone()) };
        output::write(&to_file, &(serde_json::to_string(map)? + "\n"))?;
    }
    let is_shown = args.output.output.is_none() && std::io::stdout().is_terminal();
    let is_pretty = args.pretty || !args.compact && is_shown;
    output::write_with(&args.output, |out| {
        match (is_pretty, is_shown) {
            (false, false) => request.write_to(out)?,
            (false, true) => out.write_all(sanitize_json(&request.to_json()).as_bytes())?,
            (true, false) => out.write_all(write::pretty(&request.to_json()).as_bytes())?,
            (true, true) => out.write_all(sanitize_json(&write::pretty(&request.to_json())).as_bytes())?,
        }
        out.write_all(b"\n")
    })?;
    Ok(ExitStatus::Success)
}
