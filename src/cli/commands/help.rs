//! `chatmd help`: the help of a command, or the language reference.

use crate::cli::args;
use crate::cli::error::{ExitStatus, report_usage};
use crate::cli::language;
use crate::cli::pager;

/// The topic that is not a command.
pub(crate) const LANGUAGE: &str = "language";

pub(crate) fn run(topic: &[String]) -> anyhow::Result<ExitStatus> {
    if topic == [LANGUAGE] {
        pager::print(&language::pages().join("\n"))?;
        return Ok(ExitStatus::Success);
    }
    let words = ["chatmd"].into_iter().chain(topic.iter().map(String::as_str)).chain(["--help"]);
    let mut command = args::command();
    if topic.len() == 1 {
        // Only so that it is suggested for a misspelled name.
        command = command.subcommand(clap::Command::new(LANGUAGE));
    }
    // For clap, help is an error, and so is an unknown command.
    let parsed = command.try_get_matches_from(words);
    Ok(parsed.map_or_else(|help| report_usage(&help), |_| ExitStatus::Success))
}
