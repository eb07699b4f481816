//! `chatmd to-request`: a document to request JSON.

use std::io::IsTerminal;

use chatmd::convert::{Context, RequestOptions, places, to_input, to_request};
use chatmd::diagnostic::{Diagnostics, sanitize_short};
use chatmd::json::{Json, StringArena, write};
use chatmd::lint::check_output_base64;
use chatmd::resolve::Resolver;
use chatmd::source::{Sources, Span};

use super::source_map::SourceMap;
use crate::cli::args::{Common, OutputArgs, ToRequestArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::Input;
use crate::cli::options::default_model;
use crate::cli::output;
use crate::cli::report::{add, report};

pub(crate) fn run(args: &ToRequestArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let input = Input::read(&args.input, "to-request")?;
    let directory = args.files.directory(input.path.as_deref())?;
    let programs = args.programs.commands(&args.files)?;
    let tools = args.tools.as_deref().map(|path| Input::file(path)?.into_text()).transpose()?;
    let (sources, strings) = (Sources::new(), StringArena::default());
    let default_model = default_model();
    let model = args.model.as_deref().or(default_model.as_deref());
    let (whitespace, limits) = (args.whitespace.into(), args.files.limits());
    let resolver = Resolver::new(&sources, &directory).with_programs(&programs);
    let context = Context::new(&resolver, &strings);
    let context = context.with_model(model).with_reading(whitespace, limits);
    let mut diagnostics = Diagnostics::new();
    let source = add(input, &sources, &mut diagnostics);
    if let Err(exit) = report(&mut diagnostics, &sources, common) {
        return Ok(exit);
    }
    let document = context.read(source, whitespace, limits, &mut diagnostics);
    let options = RequestOptions {
        model: args.model.as_deref(),
        default_model: default_model.as_deref(),
        instructions: args.shape.instructions,
        stream: args.stream,
        stateless: args.shape.stateless,
        collapse_stale: args.collapse_stale.as_deref(),
        tools: tools.as_deref().map(parse_tools).transpose()?,
        set: args.set.iter().map(|set| assignment(set)).collect::<Result<_, _>>()?,
    };
    let start = sources.get(source).start();
    let json = if args.input_only {
        to_input(&document, &context, &options, &mut diagnostics)
    } else {
        to_request(&document, &context, &options, Span::new(source, start..start), &mut diagnostics)
    };
    check_output_base64(&document, &context, &mut diagnostics);
    if let Err(exit) = report(&mut diagnostics, &sources, common) {
        return Ok(exit);
    }
    if let Some(path) = &args.source_map {
        let places = places(&document, &context, &options, &mut Diagnostics::new());
        let map = SourceMap { places: &places, sources: &sources, input_only: args.input_only };
        let output = OutputArgs { output: Some(path.clone()) };
        output::write(&output, &(serde_json::to_string(&map)? + "\n"))?;
    }
    let is_pretty = args.pretty || !args.compact && args.output.output.is_none() && std::io::stdout().is_terminal();
    let mut json = if is_pretty { write::pretty(&json) } else { json };
    json.push('\n');
    output::write(&args.output, &json)?;
    Ok(ExitStatus::Success)
}

/// Parses the `PATH=JSON` of `--set`.
fn assignment(set: &str) -> Result<(&str, Json<'_>), CliError> {
    let wrong = |what: &str| {
        CliError::new(ExitStatus::Usage, format!("--set {}: {what}", sanitize_short(set, 100)))
            .with_help("write `--set PATH=JSON`, such as --set 'reasoning.summary=\"auto\"' or --set store=false")
    };
    let (path, json) = set.split_once('=').ok_or_else(|| wrong("there is no `=`"))?;
    if path.split('.').any(str::is_empty) {
        return Err(wrong("the path has an empty step"));
    }
    Ok((path, Json::parse(json).map_err(|error| wrong(&format!("the value is not JSON: {error}")))?))
}

/// Parses the file of `--tools`.
fn parse_tools(text: &str) -> Result<Json<'_>, CliError> {
    let parsed = Json::parse(text).and_then(|tools| {
        for (index, tool) in tools.array()?.into_iter().enumerate() {
            tool.object().map_err(|error| error.within_index(index))?;
        }
        Ok(tools)
    });
    parsed.map_err(|error| {
        CliError::new(ExitStatus::Malformed, format!("--tools: {error}"))
            .with_help("the file must hold a JSON array of tools in the format of the API")
    })
}
