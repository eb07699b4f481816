//! `chatmd man`: manual pages, generated from the arguments and the references in `docs`.

mod roff;

use std::io::{self, Write};
use std::path::Path;

use clap::Command;
use clap::builder::Resettable;
use clap_mangen::Man;

use crate::cli::args;
use crate::cli::error::{ExitStatus, Result};
use crate::cli::language;
use crate::cli::output;

/// The reference has the tables of exit codes and variables.
const REFERENCE: &str = include_str!("../../../../docs/commands.md");

/// The beginnings of the variables of the environment that are for some commands only. The reference has all variables.
const VARIABLES: [(&str, &[&str]); 8] = [
    ("OPENAI_", SENDERS),
    ("ANTHROPIC_", SENDERS),
    ("CHATMD_SEND_COMMAND", SENDERS),
    ("CHATMD_MODEL", &["model"]),
    ("CHATMD_API", &["api"]),
    ("CHATMD_ROOT", READERS),
    ("CHATMD_PAGER", &["no_pager", "help"]),
    ("TMPDIR", SENDERS),
];

/// The files that a command reads or writes although they are not in its arguments: their names, what they are, and the
/// commands, by name or by an argument.
const FILES: [(&str, &str, &[&str]); 4] = [
    (
        "DOC.reply.md, DOC.reply.json",
        "A reply that could not be appended to DOC. It never replaces a file; a number is added to the name.",
        &["next"],
    ),
    (
        ".chatmd-XXXXXX.tmp",
        "A temporary file next to the file that is written. It is renamed when it is complete.",
        &["output", "next", "fix", "dir", "new", "answer", "fmt"],
    ),
    ("$TMPDIR/chatmd-XXXXXX", "A private directory with the request while it is sent.", SENDERS),
    (
        "Files that a document names",
        "Only those below the directory of the document, and below the directories of `--root` and CHATMD_ROOT.",
        READERS,
    ),
];

/// The commands that send requests.
const SENDERS: &[&str] = &["send_command"];
/// The commands whose documents read files.
const READERS: &[&str] = &["max_file_bytes"];

/// Prints one page for everything, or writes a page for each command to the sections of a directory.
pub(crate) fn run(directory: Option<&Path>) -> Result<ExitStatus> {
    let mut cli = args::command();
    cli.build();
    let Some(directory) = directory else {
        let mut page = Vec::new();
        Man::new(cli.clone()).render(&mut page)?;
        for command in cli.get_subcommands() {
            page.extend(format!(".SH \"CHATMD {}\"\n", command.get_name().to_uppercase()).bytes());
            description(command, &mut page)?;
        }
        output::print(page)?;
        return Ok(ExitStatus::Success);
    };
    let [commands, languages] = ["man1", "man7"].map(|section| directory.join(section));
    for section in [&commands, &languages] {
        output::create_directory(section)?;
    }
    write_pages(&cli, "chatmd", &commands)?;
    output::write_file(&languages.join("chatmd-language.7"), language_page().as_bytes())?;
    Ok(ExitStatus::Success)
}

/// Writes the page of a command, and those of its commands.
fn write_pages(command: &Command, name: &str, directory: &Path) -> Result<()> {
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
            // Text after the examples is filled.
            let is_text = !line.is_empty() && !line.starts_with(' ');
            let (start, end) = if is_text { (".fi\n", "\n.nf") } else { ("", "") };
            writeln!(page, "{start}{}{end}", escaped(line))?;
        }
        writeln!(page, ".fi")?;
    }
    list(&mut page, "EXIT STATUS", rows("Exit codes"))?;
    let is_for = |words: &[&str]| name == "chatmd" || words.is_empty() || is_named(command, words);
    let readers =
        |name: &str| VARIABLES.iter().find(|(start, _)| name.starts_with(start)).map_or(&[][..], |(_, words)| words);
    let variables = rows("Environment variables").filter(|(name, _)| is_for(readers(name)));
    list(&mut page, "ENVIRONMENT", variables)?;
    let files = FILES.iter().filter(|(.., words)| is_for(words)).map(|(name, text, _)| ((*name).to_owned(), *text));
    list(&mut page, "FILES", files)?;
    writeln!(page, ".SH \"SEE ALSO\"\n\\fBchatmd\\fR(1), \\fBchatmd\\-language\\fR(7)")?;
    Ok(page)
}

/// Whether one of the words is the name of a command, of one of its arguments, or of those of its own commands.
fn is_named(command: &Command, words: &[&str]) -> bool {
    let is_of = |command: &Command| {
        let arguments = command.get_arguments().map(|argument| argument.get_id().as_str());
        arguments.chain([command.get_name()]).any(|name| words.contains(&name))
    };
    is_of(command) || command.get_subcommands().any(is_of)
}

/// The page about documents, `chatmd-language(7)`.
fn language_page() -> String {
    let mut page = format!(
        ".TH CHATMD\\-LANGUAGE 7 \"\" \"chatmd {}\" chatmd\n.SH NAME\nchatmd\\-language \\- the language of ChatMarkdown documents\n",
        env!("CARGO_PKG_VERSION")
    );
    page.extend(language::pages().into_iter().map(roff::sections));
    page + ".SH \"SEE ALSO\"\n\\fBchatmd\\fR(1), \\fBchatmd\\-check\\fR(1), \\fBchatmd\\-fmt\\fR(1)\n"
}

fn description(command: &Command, page: &mut Vec<u8>) -> io::Result<()> {
    let man = Man::new(command.clone());
    man.render_description_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_options_section(page)
}

/// The rows of a table of the reference: names without quotes, and their meanings.
fn rows(title: &str) -> impl Iterator<Item = (String, &'static str)> {
    let section = REFERENCE.split_once(&format!("\n## {title}\n")).map_or("", |(_, section)| section);
    let section = section.split("\n## ").next().unwrap_or_default();
    let row = |line: &'static str| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | ");
    // The first row is the header.
    section.lines().filter_map(row).skip(1).map(|(name, meaning)| (name.replace('`', ""), meaning))
}

/// Writes a section with a paragraph for each name. Nothing is written without names.
fn list(page: &mut Vec<u8>, title: &str, entries: impl Iterator<Item = (String, &'static str)>) -> io::Result<()> {
    let mut entries = entries.peekable();
    if entries.peek().is_some() {
        writeln!(page, ".SH \"{title}\"")?;
    }
    for (name, meaning) in entries {
        writeln!(page, ".TP\n\\fB{}\\fR\n{}", escaped(&name), escaped(meaning))?;
    }
    Ok(())
}

/// A line of text that roff prints as it is.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-");
    if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
}
