//! `chatmd man`: manual pages, generated from the arguments and the reference of the commands.

use std::io::{self, Write};
use std::path::Path;

use clap::builder::Resettable;
use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::cli::args::Cli;
use crate::cli::error::ExitStatus;
use crate::cli::output;

/// The reference has the table of exit codes.
const REFERENCE: &str = include_str!("../../../docs/commands.md");

/// The variables of the environment that a command may read.
const VARIABLES: [(&str, &str); 8] = [
    ("OPENAI_API_KEY", "The key that `send` uses."),
    ("OPENAI_BASE_URL", "The server that `send` uses, without `/responses`."),
    ("CHATMD_SEND_COMMAND", "The command that `send` runs instead of curl."),
    ("CHATMD_MODEL", "The model of documents that do not name one."),
    ("CHATMD_ROOT", "More directories that documents may read, separated as in `PATH`."),
    ("CHATMD_PAGER", "The pager of `show`; otherwise `PAGER`, or less."),
    ("NO_COLOR", "Turns off colours."),
    ("TMPDIR", "The directory of temporary files."),
];

/// Prints one page for everything, or writes a page for each command to a directory.
pub(crate) fn run(directory: Option<&Path>) -> anyhow::Result<ExitStatus> {
    let mut cli = Cli::command();
    cli.build();
    let Some(directory) = directory else {
        let mut page = Vec::new();
        Man::new(cli.clone()).render(&mut page)?;
        for command in cli.get_subcommands() {
            page.extend(format!(".SH \"CHATMD {}\"\n", command.get_name().to_uppercase()).bytes());
            description(command, &mut page)?;
        }
        output::print(&String::from_utf8(page)?)?;
        return Ok(ExitStatus::Success);
    };
    write_pages(&cli, "chatmd", directory)?;
    Ok(ExitStatus::Success)
}

/// Writes the page of a command, and those of its commands.
fn write_pages(command: &Command, name: &str, directory: &Path) -> anyhow::Result<()> {
    let page = page(command, name)?;
    output::write_file(&directory.join(format!("{name}.1")), &page)?;
    for inner in command.get_subcommands() {
        write_pages(inner, &format!("{name}-{}", inner.get_name()), directory)?;
    }
    Ok(())
}

fn page(command: &Command, name: &str) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    // Examples have a section of their own.
    let plain = command.clone().before_long_help(Resettable::Reset).display_name(name.to_owned());
    let man = Man::new(plain).title(name.to_uppercase()).manual("chatmd");
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(examples) = command.get_before_long_help() {
        writeln!(page, ".SH EXAMPLES\n.nf")?;
        let examples = examples.to_string();
        for line in examples.lines().filter(|line| *line != "Examples:") {
            writeln!(page, "{}", escaped(line))?;
        }
        writeln!(page, ".fi")?;
    }
    list(&mut page, "EXIT STATUS", exit_codes())?;
    let help = command.clone().render_long_help().to_string();
    let is_read = |(name, _): &(&str, &str)| command.has_subcommands() || help.contains(name);
    list(&mut page, "ENVIRONMENT", VARIABLES.into_iter().filter(is_read))?;
    if help.contains("append") {
        let reply = ("DOC.reply.md, DOC.reply.json", "A reply that could not be appended to DOC.");
        list(&mut page, "FILES", [reply])?;
    }
    Ok(page)
}

fn description(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let man = Man::new(command.clone());
    man.render_description_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_options_section(page)
}

/// The exit codes and their meanings.
fn exit_codes() -> impl Iterator<Item = (&'static str, &'static str)> {
    let section = REFERENCE.split_once("\n## Exit codes\n").map_or("", |(_, section)| section);
    let row = |line: &'static str| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | ");
    section.lines().filter_map(row).filter(|(code, _)| code.bytes().all(|b| b.is_ascii_digit()))
}

/// Writes a section with a paragraph for each name. Nothing is written without names.
fn list<'t>(page: &mut Vec<u8>, title: &str, entries: impl IntoIterator<Item = (&'t str, &'t str)>) -> io::Result<()> {
    let mut entries = entries.into_iter().peekable();
    if entries.peek().is_some() {
        writeln!(page, ".SH \"{title}\"")?;
    }
    for (name, meaning) in entries {
        writeln!(page, ".TP\n\\fB{}\\fR\n{}", escaped(name), escaped(meaning))?;
    }
    Ok(())
}

/// A line of text that roff prints as it is.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
}
