//! `chatmd stats`: shows the size of a request before it is sent.

use crate::diagnostic::{Colors, thousands};
use crate::stats::{Stats, Subject, TableOptions, label, render, to_json};

use crate::cli::args::{InputArgs, StatsArgs};
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::output;
use crate::cli::paths::shown;
use crate::cli::report::readable;
use crate::cli::walk::documents_of;

pub(crate) fn run(args: &StatsArgs) -> Result<ExitStatus> {
    let Some(directory) = args.source.input.file.as_ref().filter(|file| file.is_dir()) else {
        return show(&args.source.input, None, args);
    };
    let (files, mut exits) = documents_of(std::slice::from_ref(directory));
    for file in files {
        let input = InputArgs { file: Some(file.clone()), ..args.source.input.clone() };
        let shown = show(&input, Some(&shown(&file)), args);
        // A document that cannot be read does not stop the others.
        exits.push(shown.unwrap_or_else(|failure| failure.report()));
    }
    Ok(ExitStatus::first_failure(exits))
}

/// Prints the sizes of a document, after its name if it is one of several.
fn show(input: &InputArgs, name: Option<&str>, args: &StatsArgs) -> Result<ExitStatus> {
    let (document, directory) = args.source.read(input, "stats")?;
    let programs = args.programs.commands(&args.source.read.files, &directory)?;
    let converter = args.source.read.converter(&directory).programs(&programs);
    let stats = readable(converter.stats(document, &args.request.options()?))?;
    if args.json {
        output::print(to_json(&stats, name) + "\n")?;
    } else {
        let options =
            TableOptions { width: args.width.unwrap_or_else(output::width), colors: Colors::Ansi, top: args.top };
        let title = name.map(|name| format!("{name}\n")).unwrap_or_default();
        output::print_styled(&(title + &render(&stats, options)))?;
    }
    let error = args.max_tokens.and_then(|max| over_budget(&stats, max));
    error.map_or(Ok(ExitStatus::Success), Err)
}

/// The error for more than `max` tokens.
fn over_budget(stats: &Stats, max: usize) -> Option<Failure> {
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
    Some(Failure { help, ..Failure::new(ExitStatus::CheckFailed, message) })
}
