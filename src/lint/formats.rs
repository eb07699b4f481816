//! Diagnostics for programs: one line each, JSON, and GitHub's workflow commands.

use std::fmt::Write;

use serde::Serialize;

use crate::diagnostic::{Finding, Hints, Report, Severity};

/// A finding for programs.
#[derive(Debug, Serialize)]
pub(super) struct Entry<'a> {
    pub(super) file: &'a str,
    /// Where it is in a document.
    #[serde(flatten)]
    pub(super) lines: Option<Lines>,
    /// Where it is in JSON: the path of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) path: Option<&'a str>,
    pub(super) severity: &'static str,
    pub(super) rule: &'static str,
    /// The file and the line or path.
    #[serde(skip)]
    place: String,
    pub(super) message: String,
    pub(super) help: String,
    pub(super) fixable: bool,
}

/// A place in a document.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Lines {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) end_line: usize,
    pub(super) end_column: usize,
    /// The offsets of the first byte and of the byte after the last.
    pub(super) span: [usize; 2],
}

/// The findings of all reports. With `strict`, warnings are errors.
pub(super) fn entries<'a>(reports: &[&'a Report], strict: bool, hints: &dyn Hints) -> Vec<Entry<'a>> {
    reports.iter().flat_map(|report| report.iter()).map(|finding| Entry::new(finding, strict, hints)).collect()
}

impl<'a> Entry<'a> {
    fn new(finding: Finding<'a>, strict: bool, hints: &dyn Hints) -> Self {
        let lines = || {
            let ((end_line, end_column), span) = (finding.end(), finding.span());
            let (line, column) = (finding.line(), finding.column());
            Lines { line, column, end_line, end_column, span: [span.start, span.end] }
        };
        Self {
            file: finding.file(),
            lines: finding.path().is_none().then(lines),
            path: finding.path(),
            place: finding.place(),
            severity: match finding.severity() {
                Severity::Warning if !strict => "warning",
                Severity::Error | Severity::Warning => "error",
                Severity::Note => "note",
            },
            rule: finding.name(),
            message: finding.message(),
            help: finding.help_with(hints),
            fixable: finding.fix().is_some(),
        }
    }
}

/// `chat.md:41:3: error: RAW block is never closed [unterminated]`, one line for each.
pub fn short(reports: &[&Report], strict: bool, hints: &dyn Hints) -> String {
    let mut out = String::new();
    for Entry { place, severity, message, rule, .. } in entries(reports, strict, hints) {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{place}: {severity}: {message} [{rule}]");
    }
    out
}

/// One JSON array.
pub fn json(reports: &[&Report], strict: bool, hints: &dyn Hints) -> String {
    serde_json::to_string_pretty(&entries(reports, strict, hints)).unwrap_or_default() + "\n"
}

/// `::error file=chat.md,line=41,col=3,title=unterminated::RAW block is never closed`, one line for each.
pub fn github(reports: &[&Report], strict: bool, hints: &dyn Hints) -> String {
    let mut out = String::new();
    for Entry { file, lines, path, severity, message, help, rule, .. } in entries(reports, strict, hints) {
        let place = lines.map(|Lines { line, column, .. }| format!(",line={line},col={column}")).unwrap_or_default();
        let path = path.filter(|path| !path.is_empty()).map(|path| format!("{path}: ")).unwrap_or_default();
        let (file, message) = (property(file), escaped(&format!("{path}{message}\n{help}")));
        let _ = writeln!(out, "::{severity} file={file}{place},title={rule}::{message}");
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
