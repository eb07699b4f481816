//! `chatmd to-request`: a document to request JSON.

use std::io::IsTerminal;

use chatmd::diagnostic::sanitize_short;
use chatmd::json::{Json, StringArena, write};
use chatmd::sanitize::sanitize_json;
use chatmd::{PreparedRequest, RequestOptions};

use crate::cli::args::{Common, OutputArgs, ToRequestArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input;
use crate::cli::options::default_model;
use crate::cli::output;
use crate::cli::report::{failed, report};

pub(crate) fn run(args: &ToRequestArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let document = input::read(&args.input, "to-request")?;
    let directory = args.files.directory(document.path.as_deref())?;
    let programs = args.programs.commands(&args.files)?;
    let converter = args.files.converter(&directory, args.whitespace).programs(&programs);
    let options = RequestOptions {
        model: args.model.clone(),
        default_model: default_model(),
        stream: args.stream,
        collapse_stale: args.collapse_stale.clone(),
        tools: args.tools.as_deref().map(input::read_text).transpose()?,
        set: args.set.iter().map(|set| assignment(set)).collect::<Result<_, _>>()?,
        source_map: args.source_map.is_some(),
        ..args.shape.options()
    };
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

/// Parses the `PATH=JSON` of `--set`.
fn assignment(set: &str) -> Result<(String, String), CliError> {
    let wrong = |what: &str| {
        CliError::new(ExitStatus::Usage, format!("--set {}: {what}", sanitize_short(set, 100)))
            .with_help("write `--set PATH=JSON`, such as --set 'reasoning.summary=\"auto\"' or --set store=false")
    };
    let (path, json) = set.split_once('=').ok_or_else(|| wrong("there is no `=`"))?;
    if path.split('.').any(str::is_empty) {
        return Err(wrong("the path has an empty step"));
    }
    Json::parse(json, &StringArena::default()).map_err(|error| wrong(&format!("the value is not JSON: {error}")))?;
    Ok((path.to_owned(), json.to_owned()))
}
