//! `chatmd to-request`: document to request JSON.

use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

use chatmd::convert::{Context, Place, RequestOptions, places, to_input, to_request};
use chatmd::diagnostic::{Diagnostics, sanitize_short};
use chatmd::json::{Json, StringArena, write};
use chatmd::resolve::Resolver;
use chatmd::resources::Commands;
use chatmd::source::{Sources, Span};

use crate::cli::args::{Common, FileArgs, OutputArgs, ProgramArgs, ToRequestArgs, default_model};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::Input;
use crate::cli::output;
use crate::cli::report::{add, report};

pub(crate) fn run(args: &ToRequestArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let input = Input::read(&args.input, "to-request")?;
    let directory = args.files.directory(input.path.as_deref())?;
    let programs = programs(&args.programs, &args.files)?;
    let tools = args.tools.as_deref().map(read_tools).transpose()?;
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
        tools: tools.as_deref().map(tools_of).transpose()?,
        set: args.set.iter().map(|set| assignment(set)).collect::<anyhow::Result<_>>()?,
    };
    let start = sources.get(source).start();
    let json = if args.input_only {
        to_input(&document, &context, &options, &mut diagnostics)
    } else {
        to_request(&document, &context, &options, Span::new(source, start..start), &mut diagnostics)
    };
    if let Err(exit) = report(&mut diagnostics, &sources, common) {
        return Ok(exit);
    }
    if let Some(path) = &args.source_map {
        let map =
            source_map(&places(&document, &context, &options, &mut Diagnostics::new()), &sources, args.input_only);
        output::write(&OutputArgs { output: Some(path.clone()) }, &map)?;
    }
    let is_pretty = args.pretty || !args.compact && args.output.output.is_none() && std::io::stdout().is_terminal();
    let mut json = if is_pretty { write::pretty(&json) } else { json };
    json.push('\n');
    output::write(&args.output, &json)?;
    Ok(ExitStatus::Done)
}

/// `path=JSON`
fn assignment(set: &str) -> anyhow::Result<(&str, Json<'_>)> {
    let wrong = |what: &str| {
        let help =
            "write `--set PATH=JSON`, such as --set 'reasoning.summary=\"auto\"' or --set store=false".to_owned();
        CliError {
            exit: ExitStatus::Usage,
            message: format!("--set {}: {what}", sanitize_short(set, 100)),
            help: Some(help),
        }
    };
    let (path, json) = set.split_once('=').ok_or_else(|| wrong("there is no `=`"))?;
    if path.split('.').any(str::is_empty) {
        return Err(wrong("the path has an empty step").into());
    }
    Ok((path, Json::parse(json).map_err(|error| wrong(&format!("the value is not JSON: {error}")))?))
}

fn read_tools(path: &Path) -> anyhow::Result<String> {
    let input = Input::file(path)?;
    let wrong =
        || CliError { exit: ExitStatus::Malformed, message: format!("{} is not UTF-8", path.display()), help: None };
    String::from_utf8(input.bytes).map_err(|_| wrong().into())
}

fn tools_of(text: &str) -> anyhow::Result<Json<'_>> {
    let parsed = Json::parse(text).and_then(|tools| {
        for (index, tool) in tools.array()?.into_iter().enumerate() {
            tool.object().map_err(|error| error.within_index(index))?;
        }
        Ok(tools)
    });
    parsed.map_err(|error| {
        let help = Some("the file holds a JSON array of tools as the API knows them".to_owned());
        CliError { exit: ExitStatus::Malformed, message: format!("--tools: {error}"), help }.into()
    })
}

/// The programs that may be run.
pub(crate) fn programs(args: &ProgramArgs, files: &FileArgs) -> anyhow::Result<Commands> {
    let words = |flag: &str, command: Option<&String>| -> anyhow::Result<Option<Vec<String>>> {
        let Some(command) = command else { return Ok(None) };
        let words = shlex::split(command).filter(|words| !words.is_empty());
        words.map(Some).ok_or_else(|| {
            let help = Some("it is a program and its arguments, with quotes as in a shell".to_owned());
            CliError { exit: ExitStatus::Usage, message: format!("{flag}: not a command"), help }.into()
        })
    };
    Ok(Commands {
        fetch: words("--fetch-command", args.fetch_command.as_ref())?,
        agent: words("--agent-command", args.agent_command.as_ref())?,
        time: Duration::from_secs(args.command_timeout),
        ceiling: files.max_file_bytes,
    })
}

/// JSON pointers and where what they point to is written.
fn source_map(places: &[Place], sources: &Sources, input_only: bool) -> String {
    let mut json = String::new();
    let mut map = write::ObjectWriter::new(&mut json);
    for Place { pointer, span } in places {
        let pointer = match pointer.strip_prefix("/input").filter(|_| input_only) {
            Some(inner) => inner,
            None if input_only => continue,
            None => pointer,
        };
        let (line, column) = sources.line_column(*span);
        let mut place = write::ObjectWriter::new(map.key(pointer));
        place.text("file", &sources.get(span.source).name);
        place.key("line").push_str(&line.to_string());
        place.key("column").push_str(&column.to_string());
        write::array(place.key("span"), [span.start, span.end], |out, at| out.push_str(&at.to_string()));
        place.end();
    }
    map.end();
    json.push('\n');
    json
}
