//! The `chatmd` command.

mod append;
mod cli;
mod command;
mod exit;
mod follow;
mod input;
mod output;
mod pager;
mod report;

use std::process::ExitCode;

use clap::Parser;

use cli::{BatchCommand, Cli, Command};
use exit::Stop;

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli.color.write_global();
    output::clean_up_on_interrupt();
    let result = match &cli.command {
        Command::ToRequest(args) => command::to_request::run(args, &cli.common),
        Command::FromResponse(args) => command::from_response::run(args, &cli.common),
        Command::Check(args) => command::check::run(args, &cli.common),
        Command::Explain(args) => command::explain::run(args),
        Command::Show(args) => command::show::run(args, &cli.common),
        Command::Fmt(args) => Ok(command::fmt::run(args, &cli.common)),
        Command::Media(args) => command::media::run(args, &cli.common),
        Command::Locate(args) => command::locate::run(args, &cli.common),
        Command::Stats(args) => command::stats::run(args, &cli.common),
        Command::Batch(BatchCommand::Requests(args)) => command::batch::requests(args, &cli.common),
        Command::Batch(BatchCommand::Results(args)) => command::batch::results(args, &cli.common),
        Command::Completions { shell } => command::manual::completions(*shell),
        Command::Man => command::manual::man(),
        Command::Parse(args) => command::parse::run(args, &cli.common),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(error) => Stop::report(&error).into(),
    }
}
