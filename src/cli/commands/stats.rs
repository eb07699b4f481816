//! `chatmd stats`: what a document costs before it is sent.

use chatmd::convert::{Context, RequestOptions, to_draft};
use chatmd::diagnostic::{Colors, Diagnostics, thousands};
use chatmd::json::StringArena;
use chatmd::resolve::Resolver;
use chatmd::source::{Sources, Span};
use chatmd::stats::{Look, Stats, Subject, count, label, render, to_json};

use super::to_request::programs;
use crate::cli::args::{Common, StatsArgs, default_model};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::Input;
use crate::cli::output;
use crate::cli::report::{add, report};

pub(crate) fn run(args: &StatsArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let input = Input::read(&args.input, "stats")?;
    let directory = args.files.directory(input.path.as_deref())?;
    let programs = programs(&args.programs, &args.files)?;
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
        let look = Look { width: args.width.unwrap_or_else(output::width), colors: Colors::Ansi, top: args.top };
        output::print_styled(&render(&stats, look))?;
    }
    args.max_tokens.and_then(|most| over(&stats, most)).map_or(Ok(ExitStatus::Done), |stop| Err(stop.into()))
}

/// What is told when there are more tokens than there may be.
fn over(stats: &Stats, most: usize) -> Option<CliError> {
    let total = stats.total();
    let more = total.tokens.checked_sub(most).filter(|more| *more > 0)?;
    let about = if total.is_at_least() { "at least" } else { "about" };
    let message = format!(
        "{about} {} tokens, {} more than --max-tokens {}",
        thousands(total.tokens),
        thousands(more),
        thousands(most)
    );
    let help = stats.top(1).first().map(|row| {
        let path = match &row.subject {
            Subject::Item(item) => format!("`input[{}]`, ", item.index),
            Subject::Instructions | Subject::Tools => String::new(),
        };
        let place = row.line.map(|line| format!(" at line {line}")).unwrap_or_default();
        format!("{path}{}{place} costs most: {}", label(&row.subject), thousands(row.cost.tokens()))
    });
    Some(CliError { exit: ExitStatus::Found, message, help })
}
