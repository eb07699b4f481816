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
mod receive;
mod replace;
mod report;
mod send;
mod settings;
mod spinner;
mod summary;
mod talk;
mod tools;
mod walk;

use std::process::ExitCode;

use args::{BatchCommand, Command};
use clap::FromArgMatches;
use error::{Failure, report_usage};

/// Runs the command with the arguments of the process, and returns its exit code.
pub fn main() -> ExitCode {
    let parsed = args::parse().and_then(|matches| Ok((args::Cli::from_arg_matches(&matches)?, matches)));
    let (mut cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return report_usage(&error).into(),
    };
    cli.color.write_global();
    match settings::with_files(&matches) {
        Ok(Some(with_files)) => cli = with_files,
        Ok(None) => {}
        Err(error) => return Failure::from(error).report().into(),
    }
    cli.color.write_global();
    interrupt::install_handler();
    if let Err(error) = options::require_known_api() {
        return Failure::from(error).report().into();
    }
    let result = match &cli.command {
        Command::ToRequest(args) => commands::to_request::run(args, &cli.common),
        Command::FromResponse(args) => commands::from_response::run(args, &cli.common),
        Command::New(args) => commands::new::run(args),
        Command::Send(args) => commands::send::run(args, &cli.common),
        Command::Ask(args) => commands::ask::run(args, &cli.common),
        Command::Calls(args) => commands::calls::run(args, &cli.common),
        Command::Answer(args) => commands::answer::run(args, &cli.common),
        Command::Cut(args) => commands::cut::run(args, &cli.common),
        Command::Check(args) => commands::check::run(args, &cli.common),
        Command::Explain(args) => commands::explain::run(args),
        Command::Show(args) => commands::show::run(args, &cli.common),
        Command::Render(args) => commands::render::run(args, &cli.common),
        Command::Fmt(args) => Ok(commands::fmt::run(args, &cli.common)),
        Command::Media(args) => commands::media::run(args, &cli.common),
        Command::Locate(args) => commands::locate::run(args, &cli.common),
        Command::Stats(args) => commands::stats::run(args, &cli.common),
        Command::Batch(BatchCommand::Requests(args)) => commands::batch::requests(args, &cli.common),
        Command::Batch(BatchCommand::Results(args)) => commands::batch::results(args, &cli.common),
        Command::Completions { shell } => commands::completions::run(*shell),
        Command::Man { dir } => commands::man::run(dir.as_deref()),
        Command::Help { topic } => commands::help::run(topic),
        Command::Parse(args) => commands::parse::run(args, &cli.common),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => failure.report().into(),
    }
}
