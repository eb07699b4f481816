//! Messages on standard error.

use std::io::Write;

use chatmd::diagnostic::{Colors, Diagnostics, Problem, render, sanitize};
use chatmd::source::{NotUtf8, SourceId, Sources, Span, decode};
use clap::builder::styling::{AnsiColor, Style};

use crate::cli::args::Common;
use crate::cli::error::ExitStatus;
use crate::cli::hints::Flags;
use crate::cli::input::Input;

/// Writes to standard error, the only function that does. Colours are removed if standard error does not want them.
///
/// Write errors are ignored, so that they do not change the exit code.
pub(crate) fn message(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// Prints a warning on one line.
pub(crate) fn warning(text: &str) {
    labelled("warning", AnsiColor::BrightYellow, text);
}

/// Prints a note on one line.
pub(crate) fn note(text: &str) {
    labelled("note", AnsiColor::BrightGreen, text);
}

/// Prints the help of the previous message on one line.
pub(crate) fn help(text: &str) {
    labelled("  = help", AnsiColor::BrightCyan, text);
}

/// Prints an error on one line.
pub(crate) fn error(text: &str) {
    labelled("error", AnsiColor::BrightRed, text);
}

fn labelled(label: &str, color: AnsiColor, text: &str) {
    let style: Style = color.on_default().bold();
    message(&format!("{style}{label}{style:#}: {}\n", sanitize(text)));
}

/// Prints and clears the diagnostics. Returns the exit code of the first error, if there is one.
pub(crate) fn report(diagnostics: &mut Diagnostics, sources: &Sources, common: &Common) -> Result<(), ExitStatus> {
    let mut diagnostics = std::mem::take(diagnostics);
    diagnostics.sort(sources);
    message(&render(&diagnostics, sources, Colors::Ansi, &Flags));
    let first = diagnostics.iter().find(|diagnostic| common.strict || diagnostic.is_error());
    if first.is_some() && !diagnostics.has_errors() {
        report_strict();
    }
    first.map_or(Ok(()), |diagnostic| Err(diagnostic.rule().kind.into()))
}

/// Says why a run without errors has failed.
pub(crate) fn report_strict() {
    message("chatmd: warnings are treated as errors because of `--strict`\n");
}

/// Like [`report`], but without the warnings unless they are errors: for commands that only need a readable document.
pub(crate) fn report_errors(diagnostics: &Diagnostics, sources: &Sources, common: &Common) -> Result<(), ExitStatus> {
    report(&mut if common.strict { diagnostics.clone() } else { diagnostics.errors() }, sources, common)
}

/// Adds the input to the sources. Reports bytes that are not UTF-8.
pub(crate) fn add(input: Input, sources: &Sources, diagnostics: &mut Diagnostics) -> SourceId {
    match decode(input.bytes) {
        Ok(text) => sources.add_file(input.name, input.path, text, None),
        Err(NotUtf8 { valid, byte, looks_like_utf16 }) => {
            let offset = valid.len();
            let source = sources.add(input.name, valid, None);
            diagnostics.report(Problem::NotUtf8 { byte, offset, looks_like_utf16 }, Span::new(source, offset..offset));
            source
        }
    }
}
