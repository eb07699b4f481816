//! `chatmd to-request`: a document to request JSON.

use std::io::IsTerminal;

use chatmd::RequestOptions;
use chatmd::json::write;

use crate::cli::args::{Common, OutputArgs, ToRequestArgs};
use crate::cli::error::ExitStatus;
use crate::cli::input;
use crate::cli::output;
use crate::cli::report::{failed, report};

pub(crate) fn run(args: &ToRequestArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let document = input::read(&args.input, "to-request")?;
    let directory = args.files.directory(document.path.as_deref())?;
    let programs = args.programs.commands(&args.files)?;
    let converter = args.files.converter(&directory, args.whitespace).programs(&programs);
    let options =
        RequestOptions { stream: args.stream, source_map: args.source_map.is_some(), ..args.request.options()? };
    let result =
        if args.input_only { converter.to_input(document, &options) } else { converter.to_request(document, &options) };
    let output = result.map_err(|error| failed(error, common))?;
    report(&output.warnings, common)?;
    if let (Some(path), Some(map)) = (&args.source_map, &output.source_map) {
        let to_file = OutputArgs { output: Some(path.clone()) };
        output::write(&to_file, &(serde_json::to_string(map)? + "\n"))?;
    }
    let is_pretty = args.pretty || !args.compact && args.output.output.is_none() && std::io::stdout().is_terminal();
    let mut json = if is_pretty { write::pretty(&output.value) } else { output.value };
    json.push('\n');
    output::write(&args.output, &json)?;
    Ok(ExitStatus::Success)
}
