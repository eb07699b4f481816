//! `chatmd stats`: shows the size of a request before it is sent.

use chatmd::convert::{Context, RequestOptions, to_draft};
use chatmd::diagnostic::{Colors, Diagnostics, thousands};
use chatmd::json::StringArena;
use chatmd::resolve::Resolver;
use chatmd::source::{Sources, Span};
use chatmd::stats::{Stats, Subject, TableOptions, count, label, render, to_json};

use crate::cli::args::{Common, StatsArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::Input;
use crate::cli::options::default_model;
use crate::cli::output;
use crate::cli::report::{add, report};

pub(crate) fn run(args: &StatsArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let input = Input::read(&args.input, "stats")?;
    let directory = args.files.directory(input.path.as_deref())?;
    let programs = args.programs.commands(&args.files)?;
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
        ..args.shape.options()
    };
    let start = sources.get(source).start();
    let draft = to_draft(&document, &context, &options, Span::new(source, start..start), &mut diagnostics);
    if let Err(exit) = report(&mut diagnostics, &sources, common) {
        return Ok(exit);
    }
    let stats = count(&draft, &sources);
    if args.json {
        output::print(&(to_json(&stats) + "\n"))?;
    } else {
        let look =
            TableOptions { width: args.width.unwrap_or_else(output::width), colors: Colors::Ansi, top: args.top };
        output::print_styled(&render(&stats, look))?;
    }
    let error = args.max_tokens.and_then(|max| over_budget(&stats, max));
    error.map_or(Ok(ExitStatus::Success), |error| Err(error.into()))
}

/// The error for more than `max` tokens.
fn over_budget(stats: &Stats, max: usize) -> Option<CliError> {
    let total = stats.total();
    let more = total.tokens.checked_sub(max).filter(|more| *more > 0)?;
    let about = if total.is_at_least() { "at least" } else { "about" };
    let message = format!(
        "{about} {} tokens, {} more than --max-tokens {}",
        thousands(total.tokens),
        thousands(more),
        thousands(max)
    );
    let help = stats.top(1).first().map(|row| {
        let path = match &row.subject {
            Subject::Item(item) => format!("`input[{}]`, ", item.index),
            Subject::Instructions | Subject::Tools => String::new(),
        };
        let place = row.line.map(|line| format!(" at line {line}")).unwrap_or_default();
        format!("the largest is {path}{}{place}: {}", label(&row.subject), thousands(row.cost.tokens()))
    });
    Some(CliError { help, ..CliError::new(ExitStatus::CheckFailed, message) })
}
