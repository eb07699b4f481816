//! The command line: arguments, commands, input, output and signals.

mod activity;
mod answer_text;
mod append;
mod args;
mod attach;
mod browser;
mod commands;
mod confirm;
mod conversation;
mod display;
mod editor;
mod error;
mod follow;
mod hints;
mod input;
mod interrupt;
mod interruptible;
mod language;
mod lock;
mod options;
mod output;
mod pager;
mod parallel;
mod paths;
mod replace;
mod reply;
mod report;
mod send;
mod settings;
mod spinner;
mod summary;
mod talk;
mod tools;
mod walk;

use std::process::ExitCode;

use args::{BatchCommand, Cli, Command};
use clap::{ArgMatches, FromArgMatches};
use error::{ExitStatus, Result, report_usage};

/// Runs the command with the arguments of the process, and returns its exit code.
pub fn main() -> ExitCode {
    let parsed = args::parse().and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let exit = match parsed {
        Ok((cli, matches)) => run(cli, &matches).unwrap_or_else(|failure| failure.report()),
        Err(error) => report_usage(&error),
    };
    exit.into()
}

fn run(mut cli: Cli, matches: &ArgMatches) -> Result<ExitStatus> {
    cli.color.write_global();
    if let Some(with_files) = settings::with_files(matches)? {
        cli = with_files;
        cli.color.write_global();
    }
    if cli.common.strict {
        report::set_strict();
    }
    interrupt::install_handler();
    options::require_known_api()?;
    match &cli.command {
        Command::ToRequest(args) => commands::to_request::run(args),
        Command::FromResponse(args) => commands::from_response::run(args),
        Command::New(args) => commands::new::run(args),
        Command::Send(args) => commands::send::run(args),
        Command::Ask(args) => commands::ask::run(args),
        Command::Calls(args) => commands::calls::run(args),
        Command::Answer(args) => commands::answer::run(args),
        Command::Cut(args) => commands::cut::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Explain { rule } => commands::explain::run(rule.as_deref()),
        Command::Show(args) => commands::show::run(args),
        Command::Render(args) => commands::render::run(args),
        Command::Fmt(args) => Ok(commands::fmt::run(args)),
        Command::Media(args) => commands::media::run(args),
        Command::Locate(args) => commands::locate::run(args),
        Command::Stats(args) => commands::stats::run(args),
        Command::Batch(BatchCommand::Requests(args)) => commands::batch::requests(args),
        Command::Batch(BatchCommand::Results(args)) => commands::batch::results(args),
        Command::Completions { shell } => commands::completions::run(*shell),
        Command::Man { dir } => commands::man::run(dir.as_deref()),
        Command::Help { topic } => commands::help::run(topic),
        Command::Parse(args) => commands::parse::run(args),
    }
}
