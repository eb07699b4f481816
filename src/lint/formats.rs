//! Diagnostics for programs: one line each, JSON, and GitHub's workflow commands.

use std::fmt::Write;

use serde::Serialize;

use crate::diagnostic::{Finding, Hints, Report, Severity};

/// A finding for programs.
#[derive(Debug, Serialize)]
pub(super) struct Entry<'a> {
    pub(super) file: &'a str,
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) end_line: usize,
    pub(super) end_column: usize,
    /// The offsets of the first byte and of the byte after the last. A session or a stream has only lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<[usize; 2]>,
    /// In JSON, the path of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) path: Option<&'a str>,
    pub(super) severity: &'static str,
    pub(super) rule: &'static str,
    pub(super) message: String,
    pub(super) help: String,
    pub(super) fixable: bool,
}

/// The findings of all reports. With `strict`, warnings are errors.
pub(super) fn entries<'a>(reports: &[&'a Report], strict: bool, hints: &dyn Hints) -> Vec<Entry<'a>> {
    reports.iter().flat_map(|report| report.iter()).map(|finding| Entry::new(finding, strict, hints)).collect()
}

impl<'a> Entry<'a> {
    fn new(finding: Finding<'a>, strict: bool, hints: &dyn Hints) -> Self {
        let ((end_line, end_column), span) = (finding.end(), finding.span());
        let span = (!finding.is_in_made_text()).then_some([span.start, span.end]);
        Self {
            file: finding.file(),
            line: finding.line(),
            column: finding.column(),
            end_line,
            end_column,
            span,
            path: finding.path(),
            severity: severity(finding, strict),
            rule: finding.name(),
            message: finding.message(),
            help: finding.help_with(hints),
            fixable: finding.fix().is_some(),
        }
    }
}

fn severity(finding: Finding<'_>, strict: bool) -> &'static str {
    match finding.severity() {
        Severity::Warning if !strict => "warning",
        Severity::Error | Severity::Warning => "error",
        Severity::Note => "note",
    }
}

/// `chat.md:41:3: error: RAW block is never closed [unterminated]`, one line for each.
pub fn short(reports: &[&Report], strict: bool) -> String {
    let mut out = String::new();
    for finding in reports.iter().flat_map(|report| report.iter()) {
        let (place, severity, message, rule) =
            (finding.place(), severity(finding, strict), finding.message(), finding.name());
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
    for Entry { file, line, column, path, severity, message, help, rule, .. } in entries(reports, strict, hints) {
        let path = path.filter(|path| !path.is_empty()).map(|path| format!("{path}: ")).unwrap_or_default();
        let (file, message) = (property(file), escaped(&format!("{path}{message}\n{help}")));
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
