//! `chatmd stats`: shows the size of a request before it is sent.

use crate::diagnostic::{Colors, thousands};
use crate::stats::{Stats, Subject, TableOptions, label, render, to_json};

use crate::cli::args::{Common, InputArgs, StatsArgs};
use crate::cli::error::{CliError, ExitStatus, Result};
use crate::cli::input;
use crate::cli::output;
use crate::cli::paths::shown;
use crate::cli::report::{failed, report_errors};
use crate::cli::walk::documents_of;

pub(crate) fn run(args: &StatsArgs, common: &Common) -> Result<ExitStatus> {
    let Some(directory) = args.input.file.as_ref().filter(|file| file.is_dir()) else {
        return show(&args.input, None, args, common);
    };
    let (files, mut exits) = documents_of(std::slice::from_ref(directory));
    for file in files {
        let input = InputArgs { file: Some(file.clone()), ..args.input.clone() };
        let shown = show(&input, Some(&shown(&file)), args, common);
        // A document that cannot be read does not stop the others.
        exits.push(shown.unwrap_or_else(|failure| failure.report()));
    }
    Ok(ExitStatus::first_failure(exits))
}

/// Prints the sizes of a document, after its name if it is one of several.
fn show(input: &InputArgs, name: Option<&str>, args: &StatsArgs, common: &Common) -> Result<ExitStatus> {
    let limits = args.files.session_limits(&args.session);
    let document = input::read_convertible(input, limits.clone(), "stats", common)?;
    let directory = args.files.directory_within(document.path.as_deref(), limits.total)?;
    let programs = args.programs.commands(&args.files, &directory)?;
    let converter = args.files.converter(&directory, args.whitespace).programs(&programs);
    let output = converter.stats(document, &args.request.options()?).map_err(|error| failed(error, common))?;
    report_errors(output.warnings, common)?;
    let stats = output.value;
    if args.json {
        output::print(&(to_json(&stats, name) + "\n"))?;
    } else {
        let options =
            TableOptions { width: args.width.unwrap_or_else(output::width), colors: Colors::Ansi, top: args.top };
        let title = name.map(|name| format!("{name}\n")).unwrap_or_default();
        output::print_styled(&(title + &render(&stats, options)))?;
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
