//! `chatmd help`: the help of a command, or the language reference.

use crate::diagnostic::sanitize_short;

use crate::cli::args;
use crate::cli::error::{ExitStatus, Failure, Result, report_usage};
use crate::cli::language;
use crate::cli::pager;

/// The topic that is not a command.
pub(crate) const LANGUAGE: &str = "language";

/// How much of a word is shown.
const MAX_WORD_CHARS: usize = 60;

pub(crate) fn run(topic: &[String]) -> Result<ExitStatus> {
    if topic == [LANGUAGE] {
        pager::print(&language::pages().join("\n"))?;
        return Ok(ExitStatus::Success);
    }
    if let Some(error) = unknown_word(topic) {
        return Err(error);
    }
    let words = ["chatmd"].into_iter().chain(topic.iter().map(String::as_str)).chain(["--help"]);
    let mut command = args::command();
    if topic.len() == 1 {
        // Only so that it is suggested for a misspelled name.
        command = command.subcommand(clap::Command::new(LANGUAGE));
    }
    // For clap, help is an error, and so is an unknown command.
    let parsed = command.try_get_matches_from(words).map_err(args::with_tip);
    Ok(parsed.map_or_else(|help| report_usage(&help), |_| ExitStatus::Success))
}

/// The error for a word after the name of a command that is not one of its commands. An unknown first word is left to
/// clap, which suggests another one.
fn unknown_word(topic: &[String]) -> Option<Failure> {
    let cli = args::command();
    let (first, rest) = topic.split_first()?;
    let mut command = cli.find_subcommand(first)?;
    for word in rest {
        let Some(inner) = command.find_subcommand(word) else {
            let name = command.get_name();
            let message = format!("`{name}` has no command `{}`", sanitize_short(word, MAX_WORD_CHARS));
            let help = format!("`chatmd help {first}` shows what it has");
            return Some(Failure::new(ExitStatus::Usage, message).with_help(help));
        };
        command = inner;
    }
    None
}
