//! Diagnostics for programs: one line each, JSON, and GitHub's workflow commands.

use std::fmt::Write;

use serde::Serialize;

use super::Checked;
use crate::diagnostic::{Diagnostic, Hints, Severity, sanitize_line};
use crate::source::Sources;

/// A diagnostic for programs.
#[derive(Debug, Serialize)]
pub(super) struct Finding<'a> {
    pub(super) file: &'a str,
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) end_line: usize,
    pub(super) end_column: usize,
    /// The offsets of the first byte and of the byte after the last.
    pub(super) span: [usize; 2],
    pub(super) severity: &'static str,
    pub(super) rule: &'static str,
    pub(super) message: String,
    pub(super) help: String,
    pub(super) fixable: bool,
}

/// The result of checking a document, and its sources.
pub type Findings<'a> = (&'a Checked, &'a Sources);

/// The diagnostics of all documents. With `strict`, warnings are errors.
pub(super) fn findings<'a>(all: &[Findings<'a>], strict: bool, hints: &dyn Hints) -> Vec<Finding<'a>> {
    let of_one = |(checked, sources): &Findings<'a>| -> Vec<Finding<'a>> {
        let (checked, sources) = (*checked, *sources);
        let is_fixable = checked.is_fixable();
        let finding = |one: &Diagnostic| finding(one, is_fixable(one), strict, sources, hints);
        checked.diagnostics.iter().map(finding).collect()
    };
    all.iter().flat_map(of_one).collect()
}

fn finding<'a>(one: &Diagnostic, fixable: bool, strict: bool, sources: &'a Sources, hints: &dyn Hints) -> Finding<'a> {
    let (line, column) = sources.line_column(one.span);
    let (end_line, end_column) = sources.end_line_column(one.span);
    let (rule, message) = (one.rule(), &one.message);
    Finding {
        file: &sources.get(one.span.source).name,
        line,
        column,
        end_line,
        end_column,
        span: [one.span.start, one.span.end],
        severity: match rule.severity {
            Severity::Warning if !strict => "warning",
            Severity::Error | Severity::Warning => "error",
        },
        rule: rule.name,
        message: sanitize_line(&message.title),
        help: sanitize_line(&message.help_with(hints)),
        fixable,
    }
}

/// `chat.md:41:3: error: RAW block is never closed [unterminated-raw]`, one line for each.
pub fn short(all: &[Findings<'_>], strict: bool, hints: &dyn Hints) -> String {
    let mut out = String::new();
    for Finding { file, line, column, severity, message, rule, .. } in findings(all, strict, hints) {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{file}:{line}:{column}: {severity}: {message} [{rule}]");
    }
    out
}

/// One JSON array.
pub fn json(all: &[Findings<'_>], strict: bool, hints: &dyn Hints) -> String {
    serde_json::to_string_pretty(&findings(all, strict, hints)).unwrap_or_default() + "\n"
}

/// `::error file=chat.md,line=41,col=3,title=unterminated-raw::RAW block is never closed`, one line for each.
pub fn github(all: &[Findings<'_>], strict: bool, hints: &dyn Hints) -> String {
    let mut out = String::new();
    for Finding { file, line, column, severity, message, help, rule, .. } in findings(all, strict, hints) {
        let (file, message) = (property(file), escaped(&format!("{message}\n{help}")));
        let _ = writeln!(out, "::{severity} file={file},line={line},col={column},title={rule}::{message}");
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
