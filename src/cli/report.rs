//! Messages on standard error.

use std::io::Write;

use chatmd::diagnostic::{Colors, Diagnostics, Problem, render, sanitize};
use chatmd::source::{NotUtf8, SourceId, Sources, Span, decode};
use clap::builder::styling::{AnsiColor, Style};

use crate::cli::args::Common;
use crate::cli::error::ExitStatus;
use crate::cli::hints::Flags;
use crate::cli::input::Input;

/// Writes to standard error, in colour if that is wanted there. The only way to do so.
///
/// A message that cannot be written is lost: the exit code still says how the run ended.
pub(crate) fn message(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// Says what may be wrong, on one line.
pub(crate) fn warning(text: &str) {
    labelled("warning", AnsiColor::BrightYellow, text);
}

/// Says what a user may want to know, on one line.
pub(crate) fn note(text: &str) {
    labelled("note", AnsiColor::BrightGreen, text);
}

/// Says what to do about the message before, on one line.
pub(crate) fn help(text: &str) {
    labelled("  = help", AnsiColor::BrightCyan, text);
}

/// Says what stopped the run, on one line.
pub(crate) fn error(text: &str) {
    labelled("error", AnsiColor::BrightRed, text);
}

fn labelled(label: &str, color: AnsiColor, text: &str) {
    let style: Style = color.on_default().bold();
    message(&format!("{style}{label}{style:#}: {}\n", sanitize(text)));
}

/// Shows what was found since the last time and says how the run has to end, if it has to.
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

/// Says why a run with nothing but warnings has failed.
pub(crate) fn report_strict() {
    message("chatmd: warnings are errors with `--strict`\n");
}

/// The same, where warnings only count if they are errors: what is printed is not for reading them.
pub(crate) fn report_errors(diagnostics: &Diagnostics, sources: &Sources, common: &Common) -> Result<(), ExitStatus> {
    report(&mut if common.strict { diagnostics.clone() } else { diagnostics.errors() }, sources, common)
}

/// Adds what was read to the sources; bytes that are no text are reported.
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
